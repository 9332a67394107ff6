"""Where things lie on the board of backgammon.

The board lies before whoever looks, in public before whoever is to play: their home board is at the
lower right, and the points bear the numbers that they write.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

View: TypeAlias = Mapping[str, Any]
Shape: TypeAlias = dict[str, Any]

WIDTH, HEIGHT = 900, 690
_LEFT, _BAR, RIGHT = 24, 56, 92
_STEP = (WIDTH - _LEFT - _BAR - RIGHT) / 12
TOP, BOTTOM = 96, HEIGHT - 78


def layout(view: View, before: View | None) -> Shape:
    """The points and where they lie; those whose men have changed since the reader's last turn are
    marked."""
    near = 1 if view["near"] == "black" else 0
    own, other = view["sides"][near], view["sides"][1 - near]
    old = None if before is None or before["game"] != view["game"] else before["sides"]
    return {
        "points": list(_points(own, other, None if old is None else (old[near], old[1 - near]))),
        "bar_x": _x(6) - _STEP / 2 - _BAR,
        "dice": [{"pips": die, "seat": view["turn"]} for die in view["dice"]],
        "sides": [own, other],
        "middle": (TOP + BOTTOM) / 2,
    }


def _x(number: int) -> float:
    """The middle of the column of a point, from 1 at the lower right to 24 at the upper right."""
    column = number - 1 if number <= 12 else 24 - number
    right = WIDTH - RIGHT - (column + 0.5) * _STEP
    return right if column < 6 else right - _BAR


def _points(own: View, other: View, old: tuple[View, View] | None) -> Iterator[Shape]:
    for number in range(1, 25):
        is_near = number <= 12
        mine, theirs = own["points"][number - 1], other["points"][24 - number]
        changed = old is not None and (
            old[0]["points"][number - 1],
            old[1]["points"][24 - number],
        ) != (mine, theirs)
        seat, count = (own["seat"], mine) if mine else (other["seat"], theirs)
        yield {
            "number": number,
            "x": _x(number),
            "y": BOTTOM if is_near else TOP,
            "tip": BOTTOM - 230 if is_near else TOP + 230,
            "left": _x(number) - _STEP / 2,
            "right": _x(number) + _STEP / 2,
            "changed": changed,
            "seat": seat,
            "count": count,
        }
