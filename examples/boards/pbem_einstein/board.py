"""The board of EinStein würfelt nicht!: what stands where, and the die."""

from __future__ import annotations

from collections.abc import Iterable

from pbem.games.grid import Grid, GridPiece
from pbem.games.stage import StageBoard, StageItem, StageThrow, StageThrown, View, player_name

SIDES = {"red": "to e1", "white": "to a5"}
PIECES = {
    f"{seat}-{number}": GridPiece(
        "die",
        seat,
        f"{seat} {number}",
        f"{seat} {number}",
        str(number),
        f"{seat[0].upper()}{number}",
    )
    for seat in SIDES
    for number in range(1, 7)
}
PLATES = {seat: GridPiece("disc", seat, f"{seat} stone") for seat in SIDES}
GRID = Grid("squares", 5, 5, {**PIECES, **PLATES}, counts_up=True)


def board(view: View, before: View | None, _lines: Iterable[View]) -> StageBoard:
    """The board, and what changed since the reader's last turn."""
    thrown = None
    if view["die"]:
        goes = f"may go: {', '.join(map(str, view['may_go']))}" if view["may_go"] else ""
        throw = StageThrow(
            player_name(view, view["threw"]), [view["die"]], says=goes or "played", spent=not goes
        )
        thrown = StageThrown("The die", [throw])
    return GRID.board(
        view["stones"],
        None if before is None else before["stones"],
        strip=[
            StageItem(view["when"].capitalize(), is_now=True),
            *GRID.players(view, {seat: seat for seat in SIDES}, view["turn"], SIDES),
        ],
        thrown=thrown,
    )
