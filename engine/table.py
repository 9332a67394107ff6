"""A game played in memory at an open table: one player of cards and dice who knows and deals
everything.

Simulations, fuzzers and golden playthroughs use it; turn files do not (their ledger lets nobody
know everything).
"""

from __future__ import annotations

from collections.abc import Callable, MutableMapping, Sequence
from typing import Protocol

from engine.flow import (
    Answer,
    Ask,
    Card,
    Draw,
    Handle,
    Open,
    Option,
    Outcome,
    Pick,
    Reveal,
    Roll,
    Seal,
)
from engine.options import LegalAnswers
from engine.rules import Game, Rules, Settings


class Chance(Protocol):
    """Where an open table's dice and cards come from, for example `random.Random(seed)`. Only
    `random` is used: its numbers are the same in every version of Python."""

    def random(self) -> float: ...


Choose = Callable[[Game, Ask, Sequence[Answer]], Answer | None]
"""A policy: the legal answer that a seat gives, or None if the seat has just left (`Game.leave`).
There is at least one legal answer; each is made only when the policy takes it
(`engine.options.LegalAnswers`)."""


class SealedAnswers:
    """The sealed answers of one game that is played without files."""

    def __init__(self) -> None:
        self._options: list[Option] = []

    def reply(self, ask: Ask, answer: Answer | None) -> Answer | int | None:
        """What to resume the rules with after this answer: the answer, or a token for it if the
        question is sealed."""
        if answer is None or not ask.sealed:
            return answer
        self._options.append(answer.option)
        return len(self._options) - 1

    def options(self, reveal: Reveal) -> tuple[Option, ...]:
        """The answers that a `Reveal` asks for."""
        return tuple([self._options[token] for token in reveal.tokens])


class OpenTable:
    """One game in progress with every card known to the table."""

    def __init__(self, rules: Rules, settings: Settings, chance: Chance) -> None:
        self.rules = rules
        self.chance = chance
        self.decks = rules.decks(settings)
        self.game = rules.begin(settings)
        self.faces: MutableMapping[Handle, Card] = {}
        self.sealed = SealedAnswers()
        self.decisions = 0

    def play(self, choose: Choose) -> Outcome:
        """Play to the end, every seat by `choose`."""
        flow = self.game.flow()
        faces = self.faces
        random = self.chance.random
        try:
            request = next(flow)
            while True:
                kind = type(request)
                if kind is Ask:
                    assert isinstance(request, Ask)
                    self.decisions += 1
                    answers = LegalAnswers(request, faces)
                    answer = choose(self.game, request, answers)
                    request = flow.send(
                        self.sealed.reply(request, answer) if request.sealed else answer
                    )
                elif kind is Roll:
                    assert isinstance(request, Roll)
                    request = flow.send(
                        tuple([int(random() * request.sides) + 1 for _ in range(request.number)])
                    )
                elif kind is Open:
                    assert isinstance(request, Open)
                    request = flow.send(faces[request.handle])
                elif kind is Reveal:
                    assert isinstance(request, Reveal)
                    request = flow.send(self.sealed.options(request))
                else:
                    assert isinstance(request, (Pick, Draw, Seal))
                    request = flow.send(self._cards(request))
        except StopIteration as end:
            outcome: Outcome = end.value
            return outcome

    def _take(self, things: Sequence[int], number: int) -> tuple[int, ...]:
        """`number` of the things, chosen at random, in random order."""
        random, left = self.chance.random, list(things)
        return tuple([left.pop(int(random() * len(left))) for _ in range(number)])

    def _cards(self, request: Pick | Draw | Seal) -> tuple[Handle, ...] | None:
        if isinstance(request, Pick):
            return self._take(request.handles, request.number)
        if isinstance(request, Draw):
            if self.decks[request.pile[0] // 1000].owner is None:
                return request.pile[: request.number]
            return self._take(request.pile, request.number)
        cards: Sequence[Card] = self.decks[request.deck].contents
        if request.sources:
            cards = [self.faces[handle] for handle in request.sources]
        self.faces.update(zip(request.handles, self._take(cards, len(cards)), strict=True))
        return None
