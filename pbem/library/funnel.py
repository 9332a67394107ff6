"""Everybody's hits in one plot: the more dice somebody has thrown, the nearer fair ones are to what
is expected."""

from __future__ import annotations

from collections.abc import Sequence
from math import log10
from typing import NamedTuple

from pbem.library.chances import binomial
from pbem.library.luck_figures import LEVEL, PlayerLuck

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
