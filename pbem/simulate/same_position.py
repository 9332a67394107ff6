"""Whether the position tells everything: two games with the same line of position have to go on alike.

In a random game two answers are given in the other order where both are legal. If the position is then the same, both
games go on with the same choices and the same chance, and are compared at every request.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, MutableMapping, Sequence
from typing import Any

from engine.cards import Deck
from engine.flow import Answer, Ask, Card, Handle, Open, Request, Seal
from engine.rules import Rules, Settings, legal_answers
from pbem.simulate.playthrough import Dealer, Step

FURTHER = 60
"""Requests that two games are compared for after they have met."""


class Run:
    """A game that is driven from outside, request by request, with every card known."""

    def __init__(self, rules: Rules, settings: Settings) -> None:
        self.rules = rules
        self.decks: Sequence[Deck] = rules.decks(settings)
        self.faces: MutableMapping[Handle, Card] = {}
        self.game = rules.begin(settings)
        self._flow = self.game.flow()
        self.request: Request | None = next(self._flow)

    def go(self, result: Any) -> None:
        """Resume the rules with the result of their request."""
        try:
            self.request = self._flow.send(result)
        except StopIteration:
            self.request = None

    def replay(self, steps: Sequence[Step], faces: MutableMapping[Handle, Card]) -> None:
        """The same results again, on the same cards."""
        for step in steps:
            if isinstance(self.request, Seal):
                self.faces.update((handle, faces[handle]) for handle in self.request.handles)
            self.go(step.result)

    def may_answer(self, answer: Answer) -> bool:
        """Whether a seat is asked for whom this answer is legal."""
        return isinstance(self.request, Ask) and answer in legal_answers(self.request, self.faces)

    def repeat(self, step: Step, result: Any, faces: MutableMapping[Handle, Card]) -> bool:
        """Resume as in another game where that is possible: a legal answer, the same chance, whichever card is
        opened."""
        if isinstance(self.request, Open) and isinstance(step.request, Open):
            self.go(faces[self.request.handle])
            return True
        if isinstance(step.request, Ask):
            if not isinstance(self.request, Ask) or not self.may_answer(result):
                return False
        elif self.request != step.request or isinstance(step.request, Seal):
            return False
        self.go(result)
        return True

    def settle(self, faces: MutableMapping[Handle, Card]) -> None:
        """Open the cards that the last answer has played."""
        while isinstance(self.request, Open) and self.request.handle in faces:
            self.go(faces[self.request.handle])

    def shown(self) -> tuple[Any, ...]:
        """What is asked and what everybody sees; the order of options is left out, that of chance is not."""
        request, game = self.request, self.game
        view = json.dumps(self.rules.view(game, None, game.faces()), sort_keys=True)
        if not isinstance(request, Ask):
            return (request, game.position(), game.when(), view)
        asked = (request.seat, request.rule, *(frozenset(part) for part in request[2:5]))
        return (asked, self.rules.prompt(game, request), game.position(), game.when(), view)


class SortedDealer(Dealer):
    """Chooses the same answer from the same answers, in whatever order they are listed."""

    def __call__(self, table: Any, request: Request) -> Any:
        if isinstance(request, Ask):
            answers = sorted(legal_answers(request, table.faces), key=repr)
            return answers[self.below(len(answers))]
        return super().__call__(table, request)


AHEAD = 5
"""How many questions ahead of an answer one is looked for that might have come first."""


def candidates(steps: Sequence[Step]) -> list[tuple[int, int]]:
    """Places of two different answers that might come in the other order: they follow each other, or are the same
    seat's with few questions between, and the second was legal already when the first was given."""
    asked = [place for place, step in enumerate(steps) if isinstance(step.request, Ask)]
    found = []
    for number, one in enumerate(asked):
        for two in asked[number + 1 : number + 1 + AHEAD]:
            same_seat, second = steps[one].request[0] == steps[two].request[0], steps[two].result
            if (same_seat or two == one + 1) and steps[one].result != second and second in steps[one].legal:
                found.append((one, two))
    return found


def compare(
    rules: Rules,
    settings: Settings,
    steps: Sequence[Step],
    faces: MutableMapping[Handle, Card],
    places: tuple[int, int],
    seed: int,
) -> tuple[bool, str]:
    """Whether the answers at these two places, in the other order, lead to the same position, and how the two games
    then differ ("": not at all)."""
    first, second = places
    two = Run(rules, settings)
    two.replay(steps[:first], faces)
    swapped = {first: steps[second].result, second: steps[first].result}
    for place in range(first, second + 1):
        if not two.repeat(steps[place], swapped.get(place, steps[place].result), faces):
            return False, ""
    one = Run(rules, settings)
    one.replay(steps[: second + 1], faces)
    for run in (one, two):
        run.settle(faces)
    if one.game.position() != two.game.position() or type(one.request) is not type(two.request):
        return False, ""
    return True, next(_differences(one, two, seed), "")


def _differences(one: Run, two: Run, seed: int) -> Iterator[str]:
    """How two games that met differ, as far as they are looked at."""
    dealers = SortedDealer(seed), SortedDealer(seed)
    for further in range(FURTHER):
        if one.shown() != two.shown():
            yield f"{further} requests after they met, at {one.game.when()}"
            return
        if one.request is None or two.request is None:
            return
        for run, dealer in zip((one, two), dealers, strict=True):
            assert run.request is not None
            run.go(dealer(run, run.request))
