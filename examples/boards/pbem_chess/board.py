"""The board of chess: what stands where, and what is clicked for a move."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache

from engine.flow import Answer
from engine.rules import Rules
from pbem.games.descriptor import Concerned
from pbem.games.grid import CHECK, Grid, GridPiece, Shape
from pbem.games.stage import StageBoard, StageItem, View
from pbem_chess.game import SEATS, ends
from pbem_chess.position import CASTLES, square_name

SHAPES: dict[str, Shape] = {
    "king": "chess-king",
    "queen": "chess-queen",
    "rook": "chess-rook",
    "bishop": "chess-bishop",
    "knight": "chess-knight",
    "pawn": "chess-pawn",
}
SIGNS = {"knight": "n"}
"""Letters of a terminal that are not the first one: a small one is black's, as in a FEN."""
PROMOTED = (("Q", "queen"), ("R", "rook"), ("B", "bishop"), ("N", "knight"))
ENDS = ("", "+", "#")
WORTH = {"queen": 9, "rook": 5, "bishop": 3, "knight": 3, "pawn": 1}
"""What a piece counts, in pawns."""
FULL = {"queen": 1, "rook": 2, "bishop": 2, "knight": 2, "pawn": 8}
"""How many of each a player begins with."""
KING_COLUMN = 4


@cache
def grid(near: str) -> Grid:
    """The board from the side of a seat."""
    pieces = {
        f"{seat}-{name}": GridPiece(shape, seat, f"{seat} {name}", sign=_sign(seat, name))
        for seat in SEATS
        for name, shape in SHAPES.items()
    }
    return Grid("squares", 8, 8, pieces, counts_up=True, turned=near == "black")


def _sign(seat: str, name: str) -> str:
    letter = SIGNS.get(name, name[0])
    return letter.upper() if seat == "white" else letter


def board(view: View, before: View | None, lines: Iterable[View]) -> StageBoard:
    """The board, with the last move and what is in check."""
    of = grid(view["near"])
    return of.board(
        view["pieces"],
        None if before is None else before["pieces"],
        last=_last([*view.get("told", ()), *lines]),
        marks={view["check"]: CHECK} if view["check"] else {},
        strip=[
            StageItem(view["when"].capitalize(), is_now=True),
            *of.players(
                view,
                {seat: f"{seat}-king" for seat in SEATS},
                view["turn"],
                facts={seat: list(_taken(of, view["pieces"], seat)) for seat in SEATS},
            ),
        ],
        faces={
            f"={letter}{end}": f"{view['turn']}-{name}" for letter, name in PROMOTED for end in ENDS
        },
    )


def _taken(of: Grid, pieces: Mapping[str, str], seat: str) -> Iterator[StageItem]:
    """What a player has taken, and by how much it is worth more than what they have lost; a pawn
    that became something else counts as that."""
    counts = Counter(pieces.values())
    other = SEATS[1 - SEATS.index(seat)]
    gone = {name: FULL[name] - counts[f"{other}-{name}"] for name in WORTH}
    taken = [of.counted(f"{other}-{name}", count) for name, count in gone.items() if count > 0]
    ahead = sum(
        worth * (counts[f"{seat}-{name}"] - counts[f"{other}-{name}"])
        for name, worth in WORTH.items()
    )
    if taken or ahead > 0:
        yield StageItem("taken", f"+{ahead}" if ahead > 0 else "", pieces=taken)


def _last(story: Sequence[View]) -> Sequence[str]:
    """The squares of the last move that is told. It is no part of the position, which others lead
    to as well."""
    moves = [line["ways"][0] for line in story if line["kind"] == "moved"]
    return moves[-1] if moves else ()


def concerns(answer: Answer, _rules: Rules) -> Concerned:
    """A piece and where it goes; what a pawn becomes, and whether a draw is claimed with a move, is
    asked there. To castle is the king and where it goes, or its rook, where the king does not stand
    in the middle as usual. A claim alone is a button."""
    _, *move = answer.option
    if not move:
        return Concerned()
    source, target, kind = move
    if kind == CASTLES and (source % 8 != KING_COLUMN or target % 8 not in (0, 7)):
        return Concerned((square_name(source), square_name(target)))
    return Concerned(ends((source, target, kind)))
