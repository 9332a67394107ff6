"""The board of Morra: a place for each player, on the plain ground."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from pbem.games.stage import StageBoard, StageItem, StagePiece, StagePlace

View = Mapping[str, Any]


def board(view: View, _before: View | None, _lines: Iterable[View]) -> StageBoard:
    """What everybody knows: points."""
    places = [
        StagePlace(f"player {nth}", f"Player {nth}", look="cards", pieces=[_points(points)])
        for nth, points in enumerate(view["points"], 1)
    ]
    return StageBoard((0, 0, 600, 300), places, [StageItem(view["when"].capitalize(), is_now=True)])


def _points(points: int) -> StagePiece:
    return StagePiece("points", points, "point")
