"""The position ID and the match ID of GNU Backgammon, by which its users pass a position on.

As its manual defines them ("A technical description of the Position ID", "... of the Match ID"):
bits from the lowest of each byte on, the bytes in base64 without padding. Player 0 is white, player
1 black.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator

from engine.backgammon.position import NOBODY, Position
from engine.backgammon.tables import BAR, BLACK, WHITE
from engine.flow import Seat

_PLAYING, _OVER = 1, 2
_CENTRED = 3
"""Whose cube it is while both may turn it."""
_POSITION_BITS, _MATCH_BITS = 80, 72


def position_id(game: Position) -> str:
    """The men as the player on roll sees them: 14 letters."""
    return _written(_POSITION_BITS, ((int(bit), 1) for bit in "".join(_men(game, _on_roll(game)))))


def _men(game: Position, seat: Seat) -> Iterator[str]:
    """The opponent's men and the player's own, each from point 1 to the bar: a 1 for each man, a 0
    after each point."""
    for men in (game.men[1 - seat], game.men[seat]):
        yield from ("1" * men[point] + "0" for point in range(1, BAR + 1))


def match_id(game: Position) -> str:
    """Score, cube, dice and whose turn it is: 12 letters."""
    on_roll = _on_roll(game)
    first, second = sorted(game.dice, reverse=True) or (0, 0)
    owner = 1 - on_roll if game.beaver else game.owner
    state = _OVER if game.is_over() else _PLAYING
    fields = (
        (game.cube.bit_length() - 1, 4),
        (_CENTRED if owner == NOBODY else owner, 2),
        (on_roll, 1),
        (int(game.crawford), 1),
        (state, 3),
        (on_roll if bool(game.doubled) == game.beaver else 1 - on_roll, 1),
        (int(bool(game.doubled)), 1),
        (0, 2),
        (first, 3),
        (second, 3),
        (game.stakes.match, 15),
        (game.score[WHITE], 15),
        (game.score[BLACK], 15),
        (int(not game.stakes.jacoby), 1),
    )
    return _written(_MATCH_BITS, fields)


def _on_roll(game: Position) -> Seat:
    """The player whose throw it is, or who throws next; white between two games."""
    return WHITE if game.turn == NOBODY else game.turn


def _written(bits: int, fields: Iterator[tuple[int, int]] | tuple[tuple[int, int], ...]) -> str:
    """Numbers as base64, each in its number of bits, one after the other. A number that is too
    large for its field becomes the largest one that fits."""
    number = at = 0
    for value, width in fields:
        number |= min(value, (1 << width) - 1) << at
        at += width
    return b64encode(number.to_bytes(bits // 8, "little")).decode().rstrip("=")
