"""Standing orders in backgammon: `docs/backgammon.md` teaches them.

Topics are `cube` (before one's own throw), `doubled` (when one is doubled), `race` (plays that
nobody can disturb) and `draw`. An order about the cube may hold under conditions that everybody can
compute; where they do not hold, `cube` throws the dice and `doubled` asks. Where doubles may be
sealed, an order about the cube stands in place of the seals; `cube: wait` has the player asked
before the throw instead, and `cube: seal`, like `cube: ask`, takes the order back. Where a game is
played at once, whoever has ordered nothing about the cube throws, and `cube: ask` is an order
(backgammon ruling 14).
"""

from __future__ import annotations

import re
from typing import Any, Final

from engine.backgammon.plays import as_play, board_after, pips
from engine.backgammon.position import Position
from engine.backgammon.tables import (
    AT_ONCE,
    CUBE,
    DOUBLE,
    DOUBLED,
    DROP,
    HOME,
    NEXT,
    OFF,
    PLAY,
    ROLL,
    SEAL,
    SEALING,
    TAKE,
    UNLESS_ORDERED,
    WAIT,
)
from engine.flow import Answer, Ask, NotUnderstood, Option, Seat
from engine.orders import ASK, Order, Orders, split_order
from engine.rules import MailWay
from engine.words import pick_sentence

RACE: Final = "race"
TOPICS: Final = (CUBE, DOUBLED, RACE, "draw")
_WAIT, _SEAL = str(WAIT[0]), str(SEAL[0])
_WAYS: Final = {
    CUBE: {"roll": ROLL, "double": DOUBLE, ASK: None, _WAIT: None, _SEAL: None},
    DOUBLED: {"take": TAKE, "drop": DROP, ASK: None},
}
_AHEAD: Final = "cube: double if ahead 30"
WAYS_BY_MAIL: Final = {
    "at once": MailWay({AT_ONCE: 1}),
    "ask": MailWay({"sealed": 0}, kept=(_AHEAD,)),
    "order": MailWay({"sealed": 0}, (_AHEAD,)),
    "seal": MailWay({"sealed": UNLESS_ORDERED}, kept=(_AHEAD,)),
}
"""The three ways to decide about the cube, by the same rule of thumb."""
_PLAY_IT: Final = "play it"
_ACCEPT: Final = "accept"
_CONDITION: Final = re.compile(r"(ahead|behind)\s+([1-9][0-9]{0,2})\Z|(race|leading|trailing)\Z")
_CONDITIONS: Final = "ahead 10, behind 10 (pips), race, leading, trailing (points)"


def read_order(text: str) -> Order:
    """An order in words, as these rules take it. Raises a `Refusal`."""
    topic, rest = split_order(text, TOPICS)
    rest = " ".join(rest.casefold().split())
    if topic in _WAYS:
        return _cube_order(topic, rest)
    if rest == ASK:
        return Order(topic, f"{topic}: {ASK}")
    only = _PLAY_IT if topic == RACE else _ACCEPT
    return Order(topic, f"{topic}: {pick_sentence(rest, [only])}", (only,))


def _cube_order(topic: str, rest: str) -> Order:
    """`roll`, `double if ahead 10 and race`, `take if behind 12`. Raises a `Refusal`."""
    what, has_conditions, after_if = rest.partition(" if ")
    way = pick_sentence(what, list(_WAYS[topic]))
    conditions = (
        [" ".join(one.split()) for one in after_if.split(" and ")] if has_conditions else []
    )
    for one in conditions:
        if _CONDITION.match(one) is None:
            raise NotUnderstood(f'"{one[:40]}" is no condition of an order: {_CONDITIONS}')
    if len(set(conditions)) < len(conditions):
        raise NotUnderstood(f'"{rest[:60]}" names a condition twice')
    if way in (_WAIT, _SEAL) and conditions:
        raise NotUnderstood(f'"{topic}: {way}" has no conditions; "{topic}: {ASK} if ..." has')
    if way == _SEAL or (way == ASK and not conditions and topic != CUBE):
        return Order(topic, f"{topic}: {way}")
    words = f"{topic}: {way}" + (f" if {' and '.join(conditions)}" if conditions else "")
    return Order(topic, words, (way, *conditions))


def obey(game: Position, ask: Ask, given: Orders) -> Answer | None:
    """The answer that the orders of the asked seat give; None if they leave the question open.
    Sealed questions get here only in simulations, where a policy keeps to orders without giving
    them."""
    if ask.rule == PLAY:
        has_order = RACE in given and bool(given[RACE].value)
        return Answer(straight(game, ask)) if has_order and game.is_race() else None
    if ask.rule == SEALING:
        has_order = CUBE in given and given[CUBE].value != (ASK,)
        return Answer(WAIT if has_order else SEAL)
    order = given.get(CUBE if ask.rule == NEXT else ask.rule)
    if order is None and ask.rule == CUBE and game.stakes.at_once:
        return Answer(ROLL)
    if order is None or not order.value:
        return None
    way, *conditions = order.value
    if not all(_holds(game, ask.seat, str(one)) for one in conditions):
        return Answer(ROLL) if order.topic == CUBE else None
    answer = _WAYS[order.topic][str(way)]
    return None if answer is None else Answer(answer)


def _holds(game: Position, seat: Seat, condition: str) -> bool:
    """Whether a condition holds for a player now."""
    name, _, number = condition.partition(" ")
    match name:
        case "ahead":
            return game.ahead(seat) >= int(number)
        case "behind":
            return -game.ahead(seat) <= int(number)
        case "race":
            return game.is_race()
        case "leading":
            return game.score[seat] > game.score[1 - seat]
    return game.score[seat] < game.score[1 - seat]


def straight(game: Position, ask: Ask) -> Option:
    """How `race: play it` plays: as many men off as possible, then as many home, then with the
    fewest pips left outside, then the most points of the home board covered; of plays that are
    alike in this the first listed (backgammon ruling 11)."""
    board = game.board(ask.seat)

    def wish(option: Option) -> tuple[Any, ...]:
        own = board_after(board, as_play(option)).own
        outside = tuple(count if place > HOME else 0 for place, count in enumerate(own))
        return (
            own[OFF],
            -sum(outside),
            -pips(outside),
            sum(1 for count in own[1 : HOME + 1] if count),
        )

    return max(ask.options, key=wish)


def accepts_draw(given: Orders) -> bool:
    """Whether the orders accept a draw that is offered."""
    return "draw" in given and bool(given["draw"].value)
