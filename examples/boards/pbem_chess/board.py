"""The board of chess: what stands where, and what is clicked for a move."""

from __future__ import annotations

from collections.abc import Iterable

from engine.flow import Answer
from engine.rules import Rules
from pbem.games.descriptor import Concerned
from pbem.games.grid import CHECK, Grid, GridPiece
from pbem.games.stage import StageBoard, StageItem, StageWay, View
from pbem_chess.game import SEATS, ends
from pbem_chess.notation import PIECES
from pbem_chess.position import CASTLES, square_name

KING_COLUMN = 4
GRID = Grid(
    "squares",
    8,
    8,
    {
        f"{seat}-{name}": GridPiece(
            "letter",
            seat,
            f"{seat} {name}",
            on_it=letter,
            sign=letter if seat == "white" else letter.lower(),
        )
        for seat in SEATS
        for letter, name in PIECES.items()
    },
    counts_up=True,
)


def board(view: View, before: View | None, lines: Iterable[View]) -> StageBoard:
    """The board, and what changed since the reader's last turn."""
    return GRID.board(
        view["pieces"],
        None if before is None else before["pieces"],
        marks={view["check"]: CHECK} if view["check"] else {},
        strip=[
            StageItem(view["when"].capitalize(), is_now=True),
            *GRID.players(view, {seat: f"{seat}-king" for seat in SEATS}, view["turn"], {}),
        ],
        ways=[StageWay(*way) for line in lines if line["kind"] == "moved" for way in line["ways"]],
    )


def concerns(answer: Answer, _rules: Rules) -> Concerned:
    """A piece and where it goes; what a pawn becomes, and whether a draw is claimed with a move, is
    asked there. To castle is the king and where it goes, or its rook, where the king does not stand
    in the middle as usual. A claim alone is a button."""
    _, _, *move = answer.option
    if not move:
        return Concerned()
    source, target, kind = move
    if kind == CASTLES and (source % 8 != KING_COLUMN or target % 8 not in (0, 7)):
        return Concerned((square_name(source), square_name(target)))
    return Concerned(ends((source, target, kind)))
