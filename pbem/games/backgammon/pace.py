"""How fast a match of backgammon goes by mail: what is asked when one is begun, and the choices
that stand beside each play (docs/backgammon.md, "By mail")."""

from __future__ import annotations

from collections.abc import Iterator

from engine.backgammon.orders import RACE
from engine.backgammon.position import Position
from engine.backgammon.tables import CUBE, ROLL
from engine.flow import Seat
from engine.orders import ASK, Orders
from engine.rules import Game, Settings
from pbem.games.descriptor import OrderChoice

_THROW, _ASK = f"{CUBE}: {ROLL[0]}", f"{CUBE}: {ASK}"
_EACH, _BY_ITSELF = f"{RACE}: {ASK}", f"{RACE}: play it"


def has_live_cube(settings: Settings) -> bool:
    """Whether the cube can be turned at all: not in a match to one point."""
    return settings.get("match") != 1


def order_choices(game: Game, seat: Seat, orders: Orders) -> Iterator[OrderChoice]:
    """What a player may say with a play of the next turns: whether they are asked about the cube,
    where the game is played at once, and in a race that it plays itself."""
    assert isinstance(game, Position)
    if game.is_over():
        return
    if game.stakes.at_once and game.may_double(seat):
        order = orders.get(CUBE)
        words = _THROW if order is None else order.words
        found = [_THROW, _ASK].index(words) if words in (_THROW, _ASK) else None
        yield OrderChoice(
            "Next turn",
            (("throw at once (one mail)", _THROW), ("ask me about the cube first (three)", _ASK)),
            found,
        )
    if game.is_race():
        yield OrderChoice(
            "The race",
            (("ask me each time", _EACH), ("play it out by itself", _BY_ITSELF)),
            int(RACE in orders and bool(orders[RACE].value)),
        )
