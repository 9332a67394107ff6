"""The newest play as arrows on the picture: from where each man stood to where they stand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from math import hypot
from typing import Any

from engine.backgammon.tables import BAR, OFF

View = Mapping[str, Any]
Place = Callable[[int, bool, int], tuple[float, float]]
"""The middle of the nth man of a player on a point of theirs; the player is the near one or not."""

_GAP, _HEAD, _HALF, _BEND, _LONG = 14, 20, 11, 0.5, 300
"""Dots before the middle of the man that an arrow points to, and its head's length and half its
width; how far one bends that is so long."""


def arrows(
    view: View, lines: Iterable[View], place: Place, middle: float
) -> Iterator[dict[str, Any]]:
    """The arrows of the newest play in this story; none where another game has begun since.
    `middle` is the height of the board's middle."""
    newest = newest_play(lines)
    if newest is None:
        return
    is_near = newest["seat"] == view["near"]
    side = next(side for side in view["sides"] if side["seat"] == newest["seat"])
    left, arrived = Counter[int](), Counter[int]()
    for source, target in newest["steps"]:
        start = place(source, is_near, _standing(side, source) + left[source])
        end = place(target, is_near, _standing(side, target) - 1 - arrived[target])
        left[source] += 1
        arrived[target] += 1
        yield _arrow(start, end, middle, newest["seat"])


def newest_play(lines: Iterable[View]) -> View | None:
    """The line of the story that tells of it; None where another game has begun since."""
    newest = None
    for line in lines:
        if line["kind"] in ("plays", "must play", "game"):
            newest = line if line["kind"] != "game" else None
    return newest


def _standing(side: View, point: int) -> int:
    """How many men a player has there now; in the tray they lie too close to be counted."""
    if point in (BAR, OFF):
        return int(side["bar"]) if point == BAR else 1
    return int(side["points"][point - 1])


def _arrow(
    start: tuple[float, float], end: tuple[float, float], middle: float, seat: str
) -> dict[str, Any]:
    """A line and its head. It bends towards the middle of the board, so that one along an edge
    shows its whole way."""
    (x, y), (to_x, to_y) = start, end
    bend = _BEND * min(1, abs(to_x - x) / _LONG)
    bend_x, bend_y = (x + to_x) / 2, (y + to_y) / 2 + (middle - (y + to_y) / 2) * bend
    length = hypot(to_x - bend_x, to_y - bend_y) or 1
    along, down = (to_x - bend_x) / length, (to_y - bend_y) / length
    tip = to_x - along * _GAP, to_y - down * _GAP
    base = tip[0] - along * _HEAD, tip[1] - down * _HEAD
    corners = [
        tip,
        (base[0] - down * _HALF, base[1] + along * _HALF),
        (base[0] + down * _HALF, base[1] - along * _HALF),
    ]
    return {
        "seat": seat,
        "line": f"M{x:.1f} {y:.1f} Q{bend_x:.1f} {bend_y:.1f} {base[0]:.1f} {base[1]:.1f}",
        "head": " ".join(f"{one:.1f},{other:.1f}" for one, other in corners),
    }
