"""Where the lines and bars of a plot go, as numbers for an SVG; the templates draw them."""

from __future__ import annotations

from collections.abc import Sequence
from math import log10
from typing import NamedTuple

from pbem.library.chances import binomial
from pbem.library.luck_figures import LEVEL, FaceFacts, HitFacts, PlayerLuck
from pbem.library.stats import LengthCount

ROW = 200.0
"""Of a plot in a row of a table, in its own units."""
_MARGIN = 6.0


class Interval(NamedTuple):
    """The range of fair dice as a bar from `low` to `high`, what is expected, and what came as a
    dot at `hits`."""

    low: float
    high: float
    expected: float
    hits: float


_RANGE = 0.5
"""How far from the middle the range of fair dice ends in a row: as a part of half the row."""


def interval(row: HitFacts) -> Interval:
    """A row of hits with the expected number in the middle, on the scale of its own fair dice: so
    whoever has thrown little and whoever has thrown much stand beside each other. What is beyond
    the scale stands at its end."""
    one = max(row.high - row.expected, row.expected - row.low, 0.01)

    def at(number: float) -> float:
        part = (number - row.expected) / one * _RANGE
        return round(ROW / 2 + max(-1.0, min(1.0, part)) * (ROW / 2 - _MARGIN), 2)

    return Interval(at(row.low), at(row.high), at(row.expected), at(row.hits))


class Part(NamedTuple):
    """A piece of a bar: which result, from where, how wide."""

    kind: str
    start: float
    width: float


def results(won: int, drew: int, lost: int, still_open: int, most: int) -> list[Part]:
    """A bar of results as long as its games are among `most`."""
    parts, start = [], 0.0
    for kind, number in (("won", won), ("drew", drew), ("lost", lost), ("open", still_open)):
        width = round(ROW * number / most, 2) if most else 0.0
        if number:
            parts.append(Part(kind, round(start, 2), width))
        start += width
    return parts


class Bar(NamedTuple):
    """A column of a chart: where, how high (downwards from `top`), its label and how many it counts
    (empty where there is no room for it)."""

    start: float
    top: float
    width: float
    height: float
    label: str
    number: str


class Chart(NamedTuple):
    """Columns side by side in a field of so many units, with a line at the height of what is
    expected (none: None), and lines across with the numbers that they stand for."""

    width: float
    height: float
    bars: Sequence[Bar]
    expected: float | None
    lines: Sequence[tuple[float, str]]


_HEIGHT = 90.0
_ACROSS = 360.0
_LABELS = 24
"""Columns that have a label; of more only every second, third … has one."""


def faces(found: FaceFacts) -> Chart:
    """How often each face came, with a line at what fair dice are expected to show."""
    labels = [str(face) for face in range(1, found.sides + 1)]
    return _chart(labels, found.faces, found.expected)


def lengths(found: Sequence[LengthCount]) -> Chart:
    """How many games took how long, without gaps; lengths are put together where there are very
    many."""
    counts = {one.length: one.games for one in found}
    first, last = min(counts), max(counts)
    step = max(1, -(-(last - first + 1) // _MOST))
    starts = range(first, last + 1, step)
    labels = [str(start) if step == 1 else f"{start}–{start + step - 1}" for start in starts]
    return _chart(
        labels, [sum(counts.get(start + more, 0) for more in range(step)) for start in starts], None
    )


_MOST = 60


def _chart(labels: Sequence[str], counts: Sequence[int], expected: float | None) -> Chart:
    highest = max(*counts, expected or 0, 1)
    wide = _ACROSS / len(counts)
    every = -(-len(counts) // _LABELS)
    is_room = max(len(f"{count:,}") for count in counts) * _DIGIT <= wide
    bars = []
    for number, (label, count) in enumerate(zip(labels, counts, strict=True)):
        height = round(_HEIGHT * count / highest, 2)
        start, text = round(number * wide + wide * 0.1, 2), label if number % every == 0 else ""
        bars.append(
            Bar(
                start,
                round(_HEIGHT - height, 2),
                round(wide * 0.8, 2),
                height,
                text,
                f"{count:,}" if is_room else "",
            )
        )
    line = None if expected is None else _up(expected, highest)
    lines = [] if is_room else [(_up(number, highest), f"{number:,}") for number in ticks(highest)]
    return Chart(_ACROSS, _HEIGHT, bars, line, lines)


_DIGIT = 5.6
"""How wide a digit of a number above a column is."""


def _up(number: float, highest: float) -> float:
    return round(_HEIGHT * (1 - number / highest), 2)


def ticks(highest: float) -> list[int]:
    """Two to five round numbers up to this one, to be read beside a plot."""
    step = next(
        size * factor
        for size in (10**power for power in range(12))
        for factor in (1, 2, 5)
        if highest / (size * factor) < _TICKS
    )
    return list(range(step, int(highest) + 1, step))


_TICKS = 5


WIDTH, HEIGHT = 620.0, 260.0
LEFT, BELOW = 44.0, 34.0
"""Room for the numbers beside and below the field."""
_STEPS = 24
"""Places at which the edges of the funnel are computed."""
_SPARE = 1.15
"""How much wider the field is than what is in it."""


class Dot(NamedTuple):
    """A player: where, and whether their hits are an alarm."""

    across: float
    down: float
    is_alarm: bool


class Funnel(NamedTuple):
    """The outlines of where 99 % of fair dice stay (`fair`) and of where there is no alarm
    (`quiet`), the dots, and numbers with their places: of dice below, of percentage points of hits
    beside."""

    fair: str
    quiet: str
    dots: Sequence[Dot]
    dice: Sequence[tuple[float, str]]
    points: Sequence[tuple[float, str]]


def funnel(players: Sequence[PlayerLuck], tests: int) -> Funnel | None:
    """The plot of these players beside so many tests; none where fewer than two have hits. Fair
    dice are drawn for the average chance to hit, so a dot near an edge may be on the other side of
    it by its own test."""
    rows = [player.hits for player in players if player.hits is not None and player.hits.dice]
    if len(rows) < 2:
        return None
    chance = sum(row.expected for row in rows) / sum(row.dice for row in rows)
    first, last = min(row.dice for row in rows), max(row.dice for row in rows)
    first, last = max(1, int(first / _SPARE)), max(int(last * _SPARE), first + 10)
    ratio = (last / first) ** (1 / _STEPS)
    sizes = sorted({round(first * ratio**step) for step in range(_STEPS + 1)})
    fair = [(size, *_edges(size, chance, LEVEL)) for size in sizes]
    quiet = [(size, *_edges(size, chance, LEVEL / max(1, tests))) for size in sizes]
    off = [100 * (row.hits - row.expected) / row.dice for row in rows]
    highest = max(map(abs, [*off, *(edge for _, *edges in fair for edge in edges)])) * _SPARE or 1.0

    def across(dice: float) -> float:
        return round(LEFT + (WIDTH - LEFT) * log10(dice / first) / log10(last / first), 1)

    def down(points: float) -> float:
        return round(HEIGHT / 2 * (1 - max(-1.0, min(1.0, points / highest))), 1)

    def outline(edges: Sequence[tuple[int, float, float]]) -> str:
        there = [f"{across(size)},{down(high)}" for size, _, high in edges]
        back = [f"{across(size)},{down(low)}" for size, low, _ in reversed(edges)]
        return " ".join([*there, *back])

    dots = [
        Dot(across(row.dice), down(points), row.alarm)
        for row, points in zip(rows, off, strict=True)
    ]
    dice = [(across(number), f"{number:,}") for number in _round_numbers(first, last)]
    marks = [mark for mark in _marks(highest) if abs(mark) <= highest]
    points = [(down(mark), f"{mark:+g}" if mark else "0") for mark in marks]
    return Funnel(outline(fair), outline(quiet), dots, dice, points)


def _edges(dice: int, chance: float, level: float) -> tuple[float, float]:
    """How far below and above the expected share fair dice stay at this two-sided level, in
    percentage points."""
    spread = binomial(dice, chance)
    low = next((spread.first + at for at, tail in enumerate(spread.up) if 2 * tail >= level), 0)
    high = next(
        (spread.first + at - 1 for at, tail in enumerate(spread.down) if 2 * tail < level), dice
    )
    return 100 * (low / dice - chance), 100 * (high / dice - chance)


def _round_numbers(first: int, last: int) -> list[int]:
    """Numbers of dice to be read below the plot: 10, 20, 50, 100 …"""
    found = [factor * 10**power for power in range(12) for factor in (1, 2, 5)]
    inside = [number for number in found if first <= number <= last]
    return inside or [first]


def _marks(highest: float) -> list[float]:
    """Percentage points to be read beside the plot."""
    step = next(step for step in (0.5, 1, 2, 5, 10, 20, 50, 100) if highest / step < 4)
    return [step * number for number in range(-3, 4)]
