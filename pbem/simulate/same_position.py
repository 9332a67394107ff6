"""Compares two games in one position: if the position is complete they have to continue alike.

In a random game two answers are given in the other order (`pbem.simulate.other_order` chooses
them). If that leads to the same position, both games continue with the same choices and the same
chance, and are compared at every request.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, MutableMapping, Sequence
from typing import Any

from engine.cards import Deck
from engine.flow import Answer, Ask, Card, Handle, Open, Request, Reveal, Seal
from engine.options import LegalAnswers
from engine.rules import Rules, Settings
from engine.table import SealedAnswers
from pbem.simulate.other_order import Swap
from pbem.simulate.playthrough import Dealer, Step

Deal = Callable[[Any, Request], Any]
"""Gives chance and choices to a `Run`."""

FURTHER = 40
"""Requests for which two games are compared after they have met."""


class Run:
    """A game that is driven from outside, request by request, and in which every card is known."""

    def __init__(self, rules: Rules, settings: Settings) -> None:
        self.rules = rules
        self.decks: Sequence[Deck] = rules.decks(settings)
        self.faces: MutableMapping[Handle, Card] = {}
        self.game = rules.begin(settings)
        self._flow = self.game.flow()
        self.request: Request | None = next(self._flow)
        self._legal: LegalAnswers | None = None
        self.sealed = SealedAnswers()

    def go(self, result: Any) -> None:
        """Continue the rules with the result of their request."""
        self._legal = None
        if isinstance(self.request, Ask):
            result = self.sealed.reply(self.request, result)
        try:
            self.request = self._flow.send(result)
        except StopIteration:
            self.request = None

    def replay(self, steps: Sequence[Step], faces: MutableMapping[Handle, Card]) -> None:
        """Repeat a game that was played: the rules get the results of its steps, on its cards."""
        request, send = self.request, self._flow.send
        self._legal = None
        try:
            for step in steps:
                if isinstance(request, Seal):
                    self.faces.update([(handle, faces[handle]) for handle in request.handles])
                result = step.result
                if isinstance(request, Ask) and request.sealed:
                    result = self.sealed.reply(request, result)
                request = send(result)
        except StopIteration:
            request = None
        self.request = request

    @property
    def legal(self) -> LegalAnswers:
        """The legal answers to the question that is asked; made once for each question."""
        assert isinstance(self.request, Ask)
        if self._legal is None:
            self._legal = LegalAnswers(self.request, self.faces)
        return self._legal

    def facts(self) -> tuple[Any, ...]:
        """The request and the position. Of a question the answers are left out, which `legal`
        has."""
        request, game = self.request, self.game
        if not isinstance(request, Ask):
            return (request, game.position(), game.when())
        question = (request.seat, request.rule, frozenset(request.hand))
        return (question, game.prompt(request), game.position(), game.when())

    def view(self) -> Any:
        """What everybody sees."""
        return self.game.view(None, self.game.faces())


def are_alike(one: Run, two: Run) -> bool:
    """Whether two games ask the same, and, where a seat is asked, allow the same answers and show
    the same view. Lists and views are put in order only if they are not equal as they are."""
    if one.facts() != two.facts():
        return False
    if not isinstance(one.request, Ask):
        return one.request is not None or _show_the_same(one, two)
    allow_the_same = one.legal.is_same(two.legal) or frozenset(one.legal) == frozenset(two.legal)
    return allow_the_same and _show_the_same(one, two)


def _show_the_same(one: Run, two: Run) -> bool:
    mine, theirs = one.view(), two.view()
    return bool(mine == theirs or without_history(mine) == without_history(theirs))


def without_history(view: Any) -> Any:
    """A view without the times at which cards were drawn (`drawn` beside a `back`): the file has
    them, so the position need not."""
    if isinstance(view, dict):
        left_out = {"drawn"} if "back" in view else ()
        return {
            name: without_history(value) for name, value in view.items() if name not in left_out
        }
    return [without_history(value) for value in view] if isinstance(view, (list, tuple)) else view


class SameChance:
    """The results of each request for chance in one game; an equal request in the other game gets
    the same ones."""

    def __init__(self, steps: Sequence[Step], dealer: Deal) -> None:
        self._came: defaultdict[Request, list[Any]] = defaultdict(list)
        for step in steps:
            if not isinstance(step.request, (Ask, Open, Seal, Reveal)):
                self._came[step.request].append(step.result)
        self._before = Counter({request: len(came) for request, came in self._came.items()})
        self._counts = Counter[Request]()
        self._dealer: Deal | None = dealer

    def go_on(self) -> None:
        """Use the results from now on for the game that was played. After those of its own steps
        come the ones that were drawn for the other game; new ones are not drawn."""
        self._counts = self._before
        self._dealer = None

    def answer(self, run: Run, answer: Answer) -> bool:
        """Give an answer, and the results of chance up to the next question; False if the other
        game had no such request."""
        run.go(answer)
        while run.request is not None and not isinstance(run.request, Ask):
            request = run.request
            if isinstance(request, Open):
                run.go(run.faces[request.handle])
                continue
            if isinstance(request, Reveal):
                run.go(run.sealed.options(request))
                continue
            came, count = self._came[request], self._counts[request]
            if isinstance(request, Seal) or (count == len(came) and self._dealer is None):
                return False
            if count == len(came):
                assert self._dealer is not None
                came.append(self._dealer(run, request))
            self._counts[request] += 1
            run.go(came[count])
        return True


def compare(
    rules: Rules,
    settings: Settings,
    steps: Sequence[Step],
    faces: MutableMapping[Handle, Card],
    swap: Swap,
    seed: int,
) -> tuple[bool | None, str]:
    """Whether two answers in either order lead to the same position (None: one order is not legal,
    or chance comes out differently), and how the two games differ after that ("": not at all)."""
    first, second, early, late = swap
    chance = SameChance(steps[first:second], Dealer(seed))
    # the order that was not played comes first: half of all are not legal to their end
    two = Run(rules, settings)
    two.replay(steps[:first], faces)
    between = [step.result for step in steps[first + 1 : second] if isinstance(step.request, Ask)]
    for answer in (late, *between, early):
        if (
            not isinstance(two.request, Ask)
            or answer not in two.legal
            or not chance.answer(two, answer)
        ):
            return None, ""
    one = Run(rules, settings)
    one.replay(steps[:second], faces)
    chance.go_on()
    if not chance.answer(one, late):
        return None, ""
    if one.game.position() != two.game.position() or type(one.request) is not type(two.request):
        return False, ""
    return True, next(_differences(one, two, seed), "")


def _differences(one: Run, two: Run, seed: int) -> Iterator[str]:
    """The first difference between two games that met, within `FURTHER` requests; both get the same
    answers and the same chance."""
    dealer: Deal = Dealer(seed)
    for further in range(FURTHER):
        if not are_alike(one, two):
            yield f"{further} requests after they met, at {one.game.when()}"
            return
        if one.request is None:
            return
        request = one.request
        result = (
            one.sealed.options(request) if isinstance(request, Reveal) else dealer(one, request)
        )
        if isinstance(one.request, Seal):
            two.faces.update((handle, one.faces[handle]) for handle in one.request.handles)
        one.go(result)
        two.go(result)
