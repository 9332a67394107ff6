"""Geometry of flat-top hexes in axial coordinates: `q` grows to the east, `r` to the south, (0, -1)
is due north."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Final, TypeAlias

Axial: TypeAlias = tuple[int, int]

AROUND: Final[tuple[Axial, ...]] = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0))
"""The six neighbours, clockwise from north."""


def distance(one: Axial, other: Axial) -> int:
    """The number of hexes from one cell to the other in a straight line."""
    q, r = one[0] - other[0], one[1] - other[1]
    return max(abs(q), abs(r), abs(q + r))


def neighbours(cell: Axial) -> Iterator[Axial]:
    """The six cells around a cell."""
    return ((cell[0] + q, cell[1] + r) for q, r in AROUND)


def ring(centre: Axial, radius: int) -> list[Axial]:
    """The cells at this distance (at least 1), clockwise from the one due north."""
    cells, at = [], (centre[0], centre[1] - radius)
    for q, r in (AROUND[2], AROUND[3], AROUND[4], AROUND[5], AROUND[0], AROUND[1]):
        for _ in range(radius):
            cells.append(at)
            at = (at[0] + q, at[1] + r)
    return cells


def walk(centre: Axial, start: Axial, clockwise: bool) -> list[Axial]:
    """All cells as far from the centre as `start`, beginning there."""
    cells = ring(centre, distance(centre, start))
    if not clockwise:
        cells.reverse()
    at = cells.index(start)
    return cells[at:] + cells[:at]


Path: TypeAlias = tuple[int, ...]
Cost: TypeAlias = tuple[int, int]
"""New canoes on a path, and its hexes."""


def cheapest(
    network: Iterable[int],
    goals: Iterable[int],
    beside: Callable[[int], Iterable[int]],
    has_canoe: Callable[[int], bool],
    most: int,
) -> tuple[Cost, list[Path]]:
    """At most `most` of the cheapest paths, in order, from the network to any of the goals. The
    cheapest needs the fewest new canoes (that of the goal included), then the fewest hexes. A path
    is the hexes after the network, the goal last. The list is empty if there is no way. `beside`
    gives the neighbours that may hold a canoe."""
    best: dict[int, Cost] = dict.fromkeys(network, (0, 0))
    open_cells = sorted(best)
    while open_cells:
        cell = min(open_cells, key=lambda one: (best[one], one))
        open_cells.remove(cell)
        for other in beside(cell):
            cost = (best[cell][0] + (not has_canoe(other)), best[cell][1] + 1)
            if other not in best or cost < best[other]:
                best[other] = cost
                open_cells += [] if other in open_cells else [other]
    reached = [goal for goal in goals if goal in best]
    if not reached:
        return (0, 0), []
    least = min(best[goal] for goal in reached)
    paths: list[Path] = []
    for goal in sorted(goal for goal in reached if best[goal] == least):
        paths += _back(goal, best, beside, has_canoe, most - len(paths))
    return least, paths


def _back(
    goal: int,
    best: dict[int, Cost],
    beside: Callable[[int], Iterable[int]],
    has_canoe: Callable[[int], bool],
    most: int,
) -> list[Path]:
    """The cheapest paths to a goal, followed back to the network."""
    found: list[Path] = []
    open_paths: list[Path] = [(goal,)]
    while open_paths and len(found) < most:
        path = open_paths.pop()
        cell = path[0]
        before = (best[cell][0] - (not has_canoe(cell)), best[cell][1] - 1)
        for other in sorted(beside(cell), reverse=True):
            if best.get(other) != before or other in path:
                continue
            if before == (0, 0):
                found.append(path)
                break
            open_paths.append((other, *path))
    return found
