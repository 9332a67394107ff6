"""The board of Go: what stands where, the last stone, and what is counted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
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
    facts = {seat: list(_has(view, seat)) for seat in SEATS}
    return of.board(
        view["stones"],
        last=view["last"],
        marks={
            **{point: AREAS[seat] for point, seat in view["area"].items()},
            **dict.fromkeys(view["dead"], DEAD),
        },
        strip=[
            StageItem(view["when"].capitalize(), is_now=True),
            *of.players(view, {seat: seat for seat in SEATS}, view["turn"], facts=facts),
        ],
    )


def _has(view: View, seat: str) -> Iterator[StageItem]:
    """What a player has: the stones they have taken, or their points once these are counted."""
    what = "points" if view["points"] else "taken"
    yield StageItem(what, str(view[what][seat]))
    if seat == "white":
        yield StageItem("komi", f"{view['komi']}.5")
