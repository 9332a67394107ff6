"""What stands on the board; `templates/backdrop.svg.j2` is the ground below it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from pbem.games.stage import StageBoard, StageItem, StagePiece, StagePlace

Facts = Mapping[str, Any]


def board(view: Facts, before: Facts | None, _lines: Iterable[Facts]) -> StageBoard:
    """The board: a place for each player, and what changed since the reader's last turn."""
    earlier = view["sides"] if before is None else before["sides"]
    return StageBoard(
        whole=(0, 0, 800, 300),
        places=[_side(now, was) for now, was in zip(view["sides"], earlier, strict=True)],
        strip=[
            StageItem(view["when"].capitalize(), is_now=True),
            StageItem("The prize", str(view["prize"])),
        ],
    )


def _side(now: Facts, was: Facts) -> StagePlace:
    points, hand, pile = (now[key] - was[key] for key in ("points", "hand", "pile"))
    pieces = [
        StagePiece("points", now["points"], "point", now["seat"], points, colour="yellow"),
        StagePiece("hand", now["hand"], "card in hand", now["seat"], hand, many="cards in hand"),
        StagePiece("pile", now["pile"], "card in the pile", change=pile, many="cards in the pile"),
    ]
    if now["has_bid"]:
        pieces.append(StagePiece("bid", 1, "a bid", now["seat"], is_single=True, colour="red"))
    played = ", ".join(now["played"])
    return StagePlace(
        now["seat"],
        now["seat"].capitalize(),
        look="cards",
        pieces=pieces,
        aside=f"played: {played}" if played else "",
    )
