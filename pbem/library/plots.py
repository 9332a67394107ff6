"""Where the lines and bars of a plot go, as numbers for an SVG; the templates draw them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from pbem.library.luck_figures import FaceFacts, HitFacts
from pbem.library.stats import LengthCount

WIDTH = 200.0
"""Of a plot in a row of a table, in its own units."""
_MARGIN = 6.0


class Interval(NamedTuple):
    """The range of fair dice as a bar from `low` to `high`, what is expected, and what came as a dot at `hits`."""

    low: float
    high: float
    expected: float
    hits: float


def widest(rows: Iterable[HitFacts]) -> float:
    """The largest distance from what is expected, as a part of it, that any of these rows shows: one scale for all.
    A hit too many among almost none would leave no room for the others: at most 1."""
    found = (max(abs(end - row.expected) for end in (row.low, row.high, row.hits)) / _one(row) for row in rows)
    return min(1.0, max(found, default=1.0)) or 1.0


def interval(row: HitFacts, scale: float) -> Interval:
    """A row of hits with the expected number in the middle; what is beyond the scale stands at its end."""

    def at(number: float) -> float:
        part = (number - row.expected) / _one(row) / scale
        return round(WIDTH / 2 + max(-1.0, min(1.0, part)) * (WIDTH / 2 - _MARGIN), 2)

    return Interval(at(row.low), at(row.high), at(row.expected), at(row.hits))


def _one(row: HitFacts) -> float:
    return max(row.expected, 0.01)


class Part(NamedTuple):
    """A piece of a bar: which result, from where, how wide."""

    kind: str
    start: float
    width: float


def results(won: int, drew: int, lost: int, still_open: int, most: int) -> list[Part]:
    """A bar of results as long as its games are among `most`."""
    parts, start = [], 0.0
    for kind, number in (("won", won), ("drew", drew), ("lost", lost), ("open", still_open)):
        width = round(WIDTH * number / most, 2) if most else 0.0
        if number:
            parts.append(Part(kind, round(start, 2), width))
        start += width
    return parts


class Bar(NamedTuple):
    """A column of a chart: where, how high (downwards from `top`), its label and what it counts."""

    start: float
    top: float
    width: float
    height: float
    label: str
    number: int


class Chart(NamedTuple):
    """Columns side by side in a field of so many units, with a line at the height of what is expected (none: None)."""

    width: float
    height: float
    bars: Sequence[Bar]
    expected: float | None


_HEIGHT = 90.0
_ACROSS = 360.0
_LABELS = 24
"""Columns that have a label; of more only every second, third … has one."""


def faces(found: FaceFacts) -> Chart:
    """How often each face came, with a line at what fair dice are expected to show."""
    labels = [str(face) for face in range(1, found.sides + 1)]
    return _chart(labels, found.faces, found.expected)


def lengths(found: Sequence[LengthCount]) -> Chart:
    """How many games took how long, without gaps; lengths are put together where there are very many."""
    counts = {one.length: one.games for one in found}
    first, last = min(counts), max(counts)
    step = max(1, -(-(last - first + 1) // _MOST))
    starts = range(first, last + 1, step)
    labels = [str(start) if step == 1 else f"{start}–{start + step - 1}" for start in starts]
    return _chart(labels, [sum(counts.get(start + more, 0) for more in range(step)) for start in starts], None)


_MOST = 60


def _chart(labels: Sequence[str], counts: Sequence[int], expected: float | None) -> Chart:
    highest = max(*counts, expected or 0, 1)
    wide = _ACROSS / len(counts)
    every = -(-len(counts) // _LABELS)
    bars = []
    for number, (label, count) in enumerate(zip(labels, counts, strict=True)):
        height = round(_HEIGHT * count / highest, 2)
        start, shown = round(number * wide + wide * 0.1, 2), label if number % every == 0 else ""
        bars.append(Bar(start, round(_HEIGHT - height, 2), round(wide * 0.8, 2), height, shown, count))
    line = None if expected is None else round(_HEIGHT * (1 - expected / highest), 2)
    return Chart(_ACROSS, _HEIGHT, bars, line)
