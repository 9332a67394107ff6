"""The dotted arrows on the chart: which way pieces went, bent so that it is seen where they point.

Panels are drawn over the ways, and heads over the panels. So of several bends the one is taken
whose head lies free and of which most is seen.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import hypot
from typing import Any, TypeAlias

from pbem.games.tripoli.chart_map import HARBORS, MAP_HEIGHT, SEA, TITLE, WIDTH, Box

View: TypeAlias = Mapping[str, Any]
Shape: TypeAlias = dict[str, Any]
Point: TypeAlias = tuple[float, float]

_BENDS = tuple(
    side * pull for pull in (0.18, 0.3, 0.05, 0.5, 0.75, 1, 1.3, 1.7, 2.2, 3) for side in (1, -1)
)
"""How far the middle of the way is pulled aside, in lengths of the way; the first is the most
graceful."""
_STEPS = 40
_HEAD, _HALF = 15, 9
_SEEN = 6
"""Points of a way that must be seen at least, for it to be noticed."""


def arrows(lines: Iterable[View], boxes: Mapping[str, Box]) -> list[Shape]:
    """A curved arrow for every way that pieces went between two panels on the map. `crosses_sea`:
    it goes where the sea has its name."""
    ways = dict.fromkeys(
        (line["from"], line["to"])
        for line in lines
        if line["kind"] == "moved" and line["from"] in boxes and line["to"] in boxes
    )
    return [_best(name, boxes) for name in ways]


def _best(way: tuple[str, str], boxes: Mapping[str, Box]) -> Shape:
    start, end = (boxes[name] for name in way)
    others = [TITLE, *HARBORS, *(box for name, box in boxes.items() if name not in way)]
    found: list[tuple[int, tuple[Sequence[Point], Sequence[Point]]]] = []
    for number, bend in enumerate(_BENDS):
        drawn = _arrow(start, end, bend)
        crossed = 1000 if any(_is_in_name(end, point) for point in drawn[1]) else 0
        found.append((_hidden(drawn, start, others) + crossed + number, drawn))
        if min(cost for cost, _ in found) <= number + 1:
            break  # the bends that follow cost more even where nothing hides them
    _, (points, head) = min(found, key=lambda pair: pair[0])
    return {
        "way": _written(points),
        "head": _written(head),
        "crosses_sea": any(_holds(SEA, p) for p in (*points, *head)),
    }


def _hidden(
    arrow: tuple[Sequence[Point], Sequence[Point]], start: Box, others: Sequence[Box]
) -> int:
    """How much of an arrow cannot be seen; a head that is covered counts more than any way."""
    points, head = arrow
    others = _near(others, [*points, *head])
    covered = sum(any(_holds(box, point) for box in others) for point in points)
    seen = sum(not _holds(start, point) for point in points) - covered
    lost = any(
        any(_holds(box, point) for box in (start, *others)) or _outside(point) for point in head
    )
    return covered + (1000 if lost else 0) + (100 if seen < _SEEN else 0)


def _is_in_name(box: Box, point: Point) -> bool:
    """Whether a point lies where the name of a panel stands."""
    return box.x + 4 < point[0] < box.x + box.w - 4 and box.y + 5 < point[1] < box.y + 25


def _near(boxes: Iterable[Box], points: Sequence[Point]) -> list[Box]:
    """The boxes that may hold one of the points."""
    xs, ys = zip(*points, strict=True)
    least, most = (min(xs), min(ys)), (max(xs), max(ys))
    return [
        box
        for box in boxes
        if box.x - 3 <= most[0] and least[0] <= box.x + box.w + 3
        if box.y - 3 <= most[1] and least[1] <= box.y + box.h + 3
    ]


def _outside(point: Point) -> bool:
    return not (3 < point[0] < WIDTH - 3 and 3 < point[1] < MAP_HEIGHT - 3)


def _arrow(source: Box, target: Box, pull: float) -> tuple[Sequence[Point], Sequence[Point]]:
    """The points of a way up to the edge of its target, and the three corners of its head."""
    start, end = source.middle, target.middle
    bend = (
        (start[0] + end[0]) / 2 + (end[1] - start[1]) * pull,
        (start[1] + end[1]) / 2 - (end[0] - start[0]) * pull,
    )
    way = [_curve(start, bend, end, step / _STEPS) for step in range(_STEPS + 1)]
    last = next((number for number in range(_STEPS, -1, -1) if not _holds(target, way[number])), 0)
    tip, before = way[last], way[max(0, last - 2)]
    length = hypot(tip[0] - before[0], tip[1] - before[1]) or 1.0
    ux, uy = (tip[0] - before[0]) / length, (tip[1] - before[1]) / length
    base = (tip[0] - _HEAD * ux, tip[1] - _HEAD * uy)
    head = [
        tip,
        (base[0] - _HALF * uy, base[1] + _HALF * ux),
        (base[0] + _HALF * uy, base[1] - _HALF * ux),
    ]
    return way[:last] or way[:1], head


def _curve(a: Point, b: Point, c: Point, t: float) -> Point:
    x, y = ((1 - t) ** 2 * a[at] + 2 * t * (1 - t) * b[at] + t * t * c[at] for at in (0, 1))
    return x, y


def _holds(box: Box, point: Point) -> bool:
    return box.x - 3 <= point[0] <= box.x + box.w + 3 and box.y - 3 <= point[1] <= box.y + box.h + 3


def _written(points: Iterable[Point]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
