"""What the cards of Goofspiel look like, and what lies where."""

from collections.abc import Iterable

from pbem.games.stage import StageBoard, View
from pbem.games.table import Hand, Pile, Row, Score, Table, TableCard, Thing
from pbem_goofspiel.game import NAMES

TEXT = "Bids {} for the prize; the higher card takes it."
TABLE = Table(
    {name: TableCard(number=str(n), text=TEXT.format(n)) for n, name in enumerate(NAMES, 1)}
)


def laid(view: View) -> list[Thing]:
    """The prize, and before each player the card that they bid and those that they have laid."""
    there: list[Thing] = [Score(view["prize"], label="Prize")]
    for side in view["sides"]:
        seat = side["seat"]
        there += [
            Score(side["points"], owner=seat),
            Hand(seat, side["hand"]),
            Row(f"bid of {seat}", "Bid", [None] * side["bids"], seat),
            Pile(f"cards of {seat}", "Laid", side["laid"], seat),
            Pile(f"pile of {seat}", "Pile", side["pile"], seat),
        ]
    return there


def board(view: View, before: View | None, _lines: Iterable[View]) -> StageBoard:
    return TABLE.board(view, laid(view), None if before is None else laid(before))
