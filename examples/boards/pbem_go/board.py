"""The board of Go: what stands where, the last stone, and what is counted."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from pbem.games.grid import AREA_BLACK, AREA_WHITE, DEAD, Grid, GridPiece
from pbem.games.stage import StageBoard, StageItem, View
from pbem_go.game import SEATS
from pbem_go.position import names, star_points

PIECES = {seat: GridPiece("stone", seat, f"{seat} stone") for seat in SEATS}
AREAS = {"black": AREA_BLACK, "white": AREA_WHITE}


@cache
def grid(size: int) -> Grid:
    dots = star_points(size) if size > 9 else (*star_points(size)[:4], star_points(size)[-1])
    stars = frozenset(names(size)[point] for point in dots)
    return Grid("points", size, size, PIECES, counts_up=True, skips="i", stars=stars)


def board(view: View, _before: View | None, _lines: Iterable[View]) -> StageBoard:
    """The board, and whose the empty points are once both have passed."""
    of = grid(view["size"])
    asides = {seat: _has(view, seat) for seat in SEATS}
    return of.board(
        view["stones"],
        last=view["last"],
        marks={
            **{point: AREAS[seat] for point, seat in view["area"].items()},
            **dict.fromkeys(view["dead"], DEAD),
        },
        strip=[
            StageItem(view["when"].capitalize(), is_now=True),
            *of.players(view, {seat: seat for seat in SEATS}, view["turn"], asides),
        ],
    )


def _has(view: View, seat: str) -> str:
    """What a player has, in words."""
    if view["points"]:
        komi = f" and {view['komi']}.5 of komi" if seat == "white" else ""
        return f"{view['points'][seat]} points{komi}"
    return f"{view['taken'][seat]} taken" if view["taken"][seat] else ""
