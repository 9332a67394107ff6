"""Who decides in a simulation. A policy is an object with two methods; `--policy module:name` plugs in another."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence, Set
from importlib import import_module
from typing import Protocol

from engine.flow import Answer, Ask, Card, Handle, Seat
from engine.rules import Game, Rules
from pbem.errors import Usage


class Policy(Protocol):
    """A player of a simulation. One object plays every seat of one game; `rng` is its only source of chance."""

    def __init__(self, rules: Rules, rng: random.Random) -> None: ...

    def choose(self, game: Game, ask: Ask, answers: list[Answer]) -> Answer:
        """One of the legal answers; the list is never empty."""

    def orders(self, game: Game, seat: Seat, faces: Mapping[Handle, Card], level: str) -> Sequence[str]:
        """Standing orders to have in force, in words, for a game by mail. `level` is "" (none), "losses" (hits, order
        of battles, merchant ship), "declining" (also: decline what the hand does not hold) or "all" (also: settle
        ahead whether what the hand does hold is played)."""


class RandomPolicy:
    """Each legal answer equally likely; orders drawn once, equally likely too."""

    def __init__(self, rules: Rules, rng: random.Random) -> None:
        self._rules = rules
        self._random = rng.random
        self._fixed: dict[Seat, list[str]] = {}
        self._whims = [rng.choice(("play", "decline")) for _ in rules.cards]

    def choose(self, game: Game, ask: Ask, answers: list[Answer]) -> Answer:
        return answers[int(self._random() * len(answers))]

    def orders(self, game: Game, seat: Seat, faces: Mapping[Handle, Card], level: str) -> Sequence[str]:
        if not level:
            return ()
        if seat not in self._fixed:
            topics = self._rules.preference_topics(seat).items()
            self._fixed[seat] = [f"{topic}: {', '.join(self._shuffled(choices))}" for topic, choices in topics]
        held = {faces[handle] for handle in game.hand(seat) if handle in faces}
        return [*self._fixed[seat], *self._about_cards(seat, held, level)]

    def _shuffled(self, choices: Sequence[str]) -> list[str]:
        left = list(choices)
        return [left.pop(int(self._random() * len(left))) for _ in choices]

    def _about_cards(self, seat: Seat, held: Set[Card], level: str) -> Iterator[str]:
        eager = self._rules.eager_cards(seat)
        for card in self._rules.card_topics(seat):
            name = self._rules.cards[card]
            if card in eager:
                yield f"{name}: {'play' if card in held else 'decline'}"
            elif card not in held and level in ("declining", "all"):
                yield f"{name}: decline"
            elif card in held:
                yield f"{name}: {self._whims[card] if level == 'all' else 'ask'}"


_POLICIES: dict[str, type[Policy]] = {"random": RandomPolicy}


def find_policy(name: str) -> type[Policy]:
    """The policy of that name, or `module:name` from elsewhere. Raises `Usage`."""
    if name in _POLICIES:
        return _POLICIES[name]
    module, colon, attribute = name.partition(":")
    try:
        if not colon:
            raise ImportError(name)
        policy: type[Policy] = getattr(import_module(module), attribute)
    except (ImportError, AttributeError, ValueError) as error:
        raise Usage(f'there is no policy "{name}"', hint="random, or module:name of your own") from error
    return policy
