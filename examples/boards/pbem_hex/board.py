"""The board of Hex: what it is made of, and what stands where."""

from collections.abc import Iterable
from functools import cache

from pbem.games.grid import CHAIN, Grid, GridPiece
from pbem.games.stage import StageBoard, View

SEATS = ("red", "blue")
# blue has a ring, so that stones differ without colours too
PIECES = {
    "red": GridPiece("stone", "red", "red stone"),
    "blue": GridPiece("man", "blue", "blue stone"),
}
SIDES = {"red": "top to bottom", "blue": "left to right"}
EDGES = {"top": "red", "bottom": "red", "left": "blue", "right": "blue"}


@cache
def grid(size: int) -> Grid:
    return Grid("hexes", size, size, PIECES, EDGES)


def board(view: View, before: View | None, _lines: Iterable[View]) -> StageBoard:
    """The board, and what changed since the reader's last turn."""
    of = grid(view["size"])
    return of.board(
        view["stones"],
        None if before is None else before["stones"],
        marks=dict.fromkeys(view["chain"], CHAIN),
        strip=of.players(view, {seat: seat for seat in SEATS}, view["turn"], SIDES),
    )
