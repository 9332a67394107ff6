"""A game at an open table, played step by step, with what each viewer sees at every step."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, MutableMapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from engine.cards import Deck, deck_of, write_handle
from engine.flow import (
    Answer,
    Ask,
    Card,
    Draw,
    Handle,
    Open,
    Outcome,
    Pick,
    Request,
    Reveal,
    Roll,
    Seal,
    Seat,
)
from engine.notation import say
from engine.options import LegalAnswers
from engine.rules import Game, Rules, Settings
from engine.table import SealedAnswers

Respond = Callable[["Playthrough", Request], Any]
"""Gives the result with which the rules continue."""


@dataclass(frozen=True)
class Step:
    """One request and its result; after it the rules have continued to their next request."""

    number: int
    request: Request
    result: Any
    legal: Sequence[Answer]
    """The answers that were legal, if a seat was asked."""
    prompt: str
    faces: Mapping[Handle, Card]
    """Every card there was at the time of the request."""
    story: tuple[dict[str, Any], ...]
    """What the rules have reported in public."""


class Playthrough:
    """One game in progress. `faces` has every card; `known(seat)` has those that this seat has
    seen.

    Without `lists` the legal answers are left out, and without `with_story` the prompts, the story
    and what the seats have seen.
    """

    def __init__(
        self,
        rules: Rules,
        settings: Settings,
        respond: Respond,
        *,
        lists: bool = True,
        with_story: bool = True,
    ) -> None:
        self.rules = rules
        self.settings = settings
        self.decks: Sequence[Deck] = rules.decks(settings)
        self.seats = rules.seats(settings)
        self.game: Game = rules.begin(settings)
        self.game.story = [] if with_story else None
        self._lists = lists
        self.faces: MutableMapping[Handle, Card] = {}
        self.outcome: Outcome | None = None
        self._held: list[set[Handle]] = [set() for _ in self.seats]
        self.respond = respond
        self.legal: Sequence[Answer] = ()
        """What is legal at the question that is asked."""

    def steps(self) -> Iterator[Step]:
        """Play to the end, and yield each request with its result."""
        flow = self.game.flow()
        request: Request | None = next(flow)
        number, faces, sealed = 0, dict(self.faces), SealedAnswers()
        while request is not None:
            number += 1
            legal: Sequence[Answer] = ()
            prompt = ""
            if isinstance(request, Ask):
                if self._lists:
                    self.legal = legal = LegalAnswers(request, self.faces)
                if self.game.story is not None:
                    prompt = self.game.prompt(request)
            result: Any = (
                sealed.options(request)
                if isinstance(request, Reveal)
                else self.respond(self, request)
            )
            current = request
            try:
                request = flow.send(
                    sealed.reply(request, result) if isinstance(request, Ask) else result
                )
            except StopIteration as end:
                request, self.outcome = None, end.value
            story = self._new_story()
            if isinstance(current, Seal):  # nothing else gives a back a card
                faces = dict(self.faces)
            yield Step(number, current, result, legal, prompt, faces, story)

    def _new_story(self) -> tuple[dict[str, Any], ...]:
        """What the rules have reported since the last request. By then the seats have also seen the
        cards in their hands, which is noted."""
        if self.game.story is None:
            return ()
        for seat, held in enumerate(self._held):
            held.update(self.game.hand(seat))
        story = tuple([self.rules.tell(event) for event in self.game.story])
        self.game.story.clear()
        return story

    def known(self, viewer: Seat | None) -> dict[Handle, Card]:
        """The faces that a viewer knows: those that lie face up, and those that they have held."""
        faces = dict(self.game.faces())
        if viewer is not None:
            faces |= {
                handle: self.faces[handle] for handle in self._held[viewer] if handle in self.faces
            }
        return faces

    def view(self, viewer: Seat | None) -> dict[str, Any]:
        """The position as a viewer sees it."""
        return self.game.view(viewer, self.known(viewer))

    def back(self, handle: Handle) -> str:
        return write_handle(self.decks, handle)


class KnownPosition(Protocol):
    """The position of a game that waits for an answer, all cards known."""

    rules: Rules
    game: Game
    decks: Sequence[Deck]
    faces: MutableMapping[Handle, Card]


def in_words(table: KnownPosition, answer: Answer) -> str:
    """An answer to the question that waits, as its seat says it, with the card's handle, since
    several cards may have one name."""
    words = say(table.rules, table.game, answer, table.faces)
    handle = answer.handle
    return words if handle is None else f"{words} ({write_handle(table.decks, handle)})"


class Dealer:
    """Chance and choices from a seed: the same on every machine and in every version of Python."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed).random

    def below(self, number: int) -> int:
        return int(self._random() * number)

    def take(self, things: Sequence[Any], number: int) -> tuple[Any, ...]:
        """So many of these things, in random order."""
        left = list(things)
        return tuple(left.pop(self.below(len(left))) for _ in range(number))

    def __call__(self, table: Playthrough, request: Request) -> Any:
        match request:
            case Ask():
                return table.legal[self.below(len(table.legal))]
            case Roll():
                return tuple(self.below(request.sides) + 1 for _ in range(request.number))
            case Pick():
                return self.take(request.handles, request.number)
            case Draw():
                if table.decks[deck_of(request.pile[0])].owner is None:
                    return request.pile[: request.number]
                return self.take(request.pile, request.number)
            case Open():
                return table.faces[request.handle]
            case Seal():
                sources = [table.faces[handle] for handle in request.sources]
                cards = sources or table.decks[request.deck].contents
                table.faces.update(zip(request.handles, self.take(cards, len(cards)), strict=True))
                return None


class RecordedChance:
    """Gives the results of a game that was played, in another game whose piles hold these cards."""

    def __init__(self, steps: Sequence[Step], faces: Mapping[Handle, Card]) -> None:
        self._results = iter(
            [step.result for step in steps if not isinstance(step.request, Reveal)]
        )
        self._faces = faces

    def __call__(self, table: Playthrough, request: Request) -> Any:
        result = next(self._results)
        if isinstance(request, Seal):
            table.faces.update((handle, self._faces[handle]) for handle in request.handles)
        return result
