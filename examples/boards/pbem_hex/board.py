"""The board of Hex: what stands where, and the chain that won."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from pbem.games.grid import CHAIN, Grid, GridPiece
from pbem.games.stage import StageBoard, StageItem, View

# blue has a ring, so that stones differ without colours too
PIECES = {
    "red": GridPiece("stone", "red", "red stone"),
    "blue": GridPiece("man", "blue", "blue stone"),
}
SIDES = {"red": "top to bottom", "blue": "left to right"}


@lru_cache(maxsize=17)
def grid(size: int) -> Grid:
    return Grid(
        "hexes",
        size,
        size,
        PIECES,
        {"top": "red", "bottom": "red", "left": "blue", "right": "blue"},
    )


def board(view: View, before: View | None, _lines: Iterable[View]) -> StageBoard:
    """The board, and what changed since the reader's last turn."""
    of = grid(view["size"])
    return of.board(
        view["stones"],
        None if before is None else before["stones"],
        marks=dict.fromkeys(view["chain"], CHAIN),
        strip=[
            StageItem(view["when"].capitalize(), is_now=True),
            *of.players(view, {seat: seat for seat in SIDES}, view["turn"], SIDES),
        ],
    )
