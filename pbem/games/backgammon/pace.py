"""How fast a match of backgammon goes by mail: what is asked when one is begun, and the choices
that stand beside each play (docs/backgammon.md, "By mail")."""

from __future__ import annotations

from collections.abc import Iterator

from engine.backgammon.orders import RACE
from engine.backgammon.position import Position
from engine.backgammon.tables import CUBE, DOUBLED, DROP, ROLL, TAKE
from engine.flow import Seat
from engine.orders import ASK, Orders
from engine.rules import Game, Settings
from pbem.games.descriptor import OrderChoice

_AT_ONCE = (
    ("throw at once (1 mail)", f"{CUBE}: {ROLL[0]}"),
    ("ask about the cube (3)", f"{CUBE}: {ASK}"),
)
_DOUBLED = (
    ("ask me (two mails more)", f"{DOUBLED}: {ASK}"),
    ("take it", f"{DOUBLED}: {TAKE[0]}"),
    ("drop it", f"{DOUBLED}: {DROP[0]}"),
)
_RACE = (
    ("ask me each time", f"{RACE}: {ASK}"),
    ("play it out by itself", f"{RACE}: play it"),
)


def has_live_cube(settings: Settings) -> bool:
    """Whether the cube can be turned at all: not in a match to one point."""
    return settings.get("match") != 1


def order_choices(game: Game, seat: Seat, orders: Orders) -> Iterator[OrderChoice]:
    """What a player may say with a play of the next turns: whether they are asked about the cube,
    unless they seal it; what they answer to a double that the other one may have sealed, for only
    then does an order spare mails; and in a race that it plays itself."""
    assert isinstance(game, Position)
    if game.is_over():
        return
    stakes = game.stakes
    if not stakes.sealed and game.may_double(seat):
        unsaid = 0 if stakes.at_once else 1
        yield OrderChoice("Next turn", _AT_ONCE, _chosen(_AT_ONCE, orders, CUBE, unsaid), 0)
    if stakes.sealed and game.may_double(1 - seat):
        yield OrderChoice("If you are doubled", _DOUBLED, _chosen(_DOUBLED, orders, DOUBLED, 0))
    if game.is_race():
        yield OrderChoice("The race", _RACE, _chosen(_RACE, orders, RACE, 0), 1)


def _chosen(
    ways: tuple[tuple[str, str], ...], orders: Orders, topic: str, unsaid: int
) -> int | None:
    """Which of the ways is ordered; `unsaid` where nothing is, none where it is another order."""
    if topic not in orders:
        return unsaid
    words = [order for _, order in ways]
    return words.index(orders[topic].words) if orders[topic].words in words else None
