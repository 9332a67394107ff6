"""Policies, which decide in a simulation. A policy is an object with two methods; `--policy
module:name` plugs in another one."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol

from engine.flow import Answer, Ask, Card, Handle, Seat
from engine.rules import Game, MailWay, Rules
from pbem.errors import Usage
from pbem.games.foreign import package_of, raised


class Policy(Protocol):
    """A player of a simulation. One object plays every seat of one game; `rng` is its only source
    of chance."""

    def __init__(self, rules: Rules, rng: random.Random) -> None: ...

    def choose(self, game: Game, ask: Ask, answers: Sequence[Answer]) -> Answer:
        """One of the legal answers, of which there is always at least one. A plugged-in policy gets
        them as a list."""

    def orders(
        self, game: Game, seat: Seat, faces: Mapping[Handle, Card], level: str
    ) -> Sequence[str]:
        """The standing orders that are to be in force, in words, for a game by mail. `level` is ""
        (none), "losses" (preferences, and cards that it never costs anything to play), "declining"
        (also decline for good every card that is not in the hand; one that is drawn later stays
        declined, since taking the order back would tell that it came) or "all" (also settle in
        advance whether cards in the hand are played)."""


class RandomPolicy:
    """Chooses every legal answer equally often, except for those that take back earlier ones. Its
    orders are chosen once, at random too."""

    def __init__(self, rules: Rules, rng: random.Random) -> None:
        self._rules = rules
        self._random = rng.random
        self._fixed: dict[Seat, list[str]] = {}
        self._declined: set[Card] = set()
        self._whims = _whims(rng.getrandbits, len(rules.cards))

    def choose(self, game: Game, ask: Ask, answers: Sequence[Answer]) -> Answer:
        return answers[int(self._random() * (len(answers) - len(ask.mends)))]

    def orders(
        self, game: Game, seat: Seat, faces: Mapping[Handle, Card], level: str
    ) -> Sequence[str]:
        if not level:
            return ()
        if seat not in self._fixed:
            topics = self._rules.preference_topics(seat).items()
            self._fixed[seat] = [
                f"{topic}: {', '.join(self._shuffled(choices))}" for topic, choices in topics
            ]
        held = {faces[handle] for handle in game.hand(seat) if handle in faces}
        return [*self._fixed[seat], *self._about_cards(seat, held, level)]

    def _shuffled(self, choices: Sequence[str]) -> list[str]:
        left = list(choices)
        return [left.pop(int(self._random() * len(left))) for _ in choices]

    def _about_cards(self, seat: Seat, held: Set[Card], level: str) -> Iterator[str]:
        topics, eager = self._rules.card_topics(seat), self._rules.eager_cards(seat)
        self._declined.update(set(topics).difference(held, eager))
        for card in topics:
            name, holds = self._rules.cards[card], card in held
            if card in eager:
                yield f"{name}: {'play' if holds else 'decline'}"
            elif level == "all":
                yield f"{name}: {self._whims[card] if holds else 'decline'}"
            elif level == "declining" and card in self._declined:
                yield f"{name}: decline"


class Keeping:
    """A policy whose players follow a way of playing by mail: they give its orders and stick to its
    decisions, and leave the rest to another policy."""

    def __init__(self, rules: Rules, policy: Policy, way: MailWay) -> None:
        self._rules = rules
        self._policy = policy
        self._way = way
        kept = [rules.read_order(0, text, no_card) for text in way.kept]
        self._kept = {order.topic: order for order in kept}

    def choose(self, game: Game, ask: Ask, answers: Sequence[Answer]) -> Answer:
        kept = game.obey(ask, self._kept) if self._kept else None
        return kept if kept is not None else self._policy.choose(game, ask, answers)

    def orders(
        self, game: Game, seat: Seat, faces: Mapping[Handle, Card], level: str
    ) -> Sequence[str]:
        return self._way.orders


def no_card(_card: Card) -> Handle:
    """Raises `AssertionError`: ways by mail name no cards."""
    raise AssertionError("an order of a way by mail names no card")


def _whims(bits: Callable[[int], int], number: int) -> list[str]:
    """So many random words "play" or "decline", drawn as `random.choice` draws them: two bits, and
    again if they are above 1."""
    drawn: list[str] = []
    while len(drawn) < number:
        if (value := bits(2)) < 2:
            drawn.append("decline" if value else "play")
    return drawn


_POLICIES: dict[str, type[Policy]] = {"random": RandomPolicy}


def find_policy(name: str) -> type[Policy]:
    """The policy of this name, or `module:name` from this folder or any installed package. Raises
    `Usage`."""
    if name in _POLICIES:
        return _POLICIES[name]
    module, colon, attribute = name.partition(":")
    if str(Path.cwd()) not in sys.path:
        sys.path.insert(0, str(Path.cwd()))
    try:
        policy = getattr(import_module(module), attribute) if colon else None
    except Exception as error:  # foreign code: anything can come out of it
        raise Usage(
            f'there is no policy "{name}": {raised(error, {package_of(module)})}', hint=_HINT
        ) from error
    if not isinstance(policy, type) or not all(
        callable(getattr(policy, part, None)) for part in ("choose", "orders")
    ):
        raise Usage(f'there is no policy "{name}"', hint=_HINT)
    return _safe(policy)


def _safe(policy: type[Policy]) -> type[Policy]:
    """Wraps somebody else's policy, so that an error in it is reported as the policy's."""

    own = {package_of(policy.__module__)}

    class SafePolicy:
        def __init__(self, rules: Rules, rng: random.Random) -> None:
            self._own = self._call(policy, rules, rng)

        def choose(self, game: Game, ask: Ask, answers: Sequence[Answer]) -> Answer:
            answer: Answer = self._call(self._own.choose, game, ask, list(answers))
            if answer not in answers:
                raise Usage(
                    f"the policy {policy.__name__} gave no legal answer: {str(answer)[:80]}"
                )
            return answer

        def orders(
            self, game: Game, seat: Seat, faces: Mapping[Handle, Card], level: str
        ) -> Sequence[str]:
            orders: Any = self._call(self._own.orders, game, seat, faces, level)
            if not isinstance(orders, list | tuple) or not all(
                isinstance(order, str) for order in orders
            ):
                raise Usage(
                    f"the policy {policy.__name__} gave no list of orders: {str(orders)[:80]}"
                )
            return orders

        def _call(self, method: Callable[..., Any], *arguments: object) -> Any:
            try:
                return method(*arguments)
            except Exception as error:  # foreign code: anything can come out of it
                raise Usage(f"the policy {policy.__name__} failed: {raised(error, own)}") from error

    return SafePolicy


_HINT = (
    "random, or module:name of a class with the methods choose and orders (docs/contributing.md)"
)
