"""The ways by sea between the places of the map, so that the arrow of a ship does not go over
land."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from heapq import heappop, heappush
from itertools import pairwise
from math import dist

from pbem.games.stage import Point

_SPOTS: Mapping[str, Point] = {
    "ocean": (72, 288),
    "strait": (124, 277),
    "alboran": (186, 273),
    "cartagena": (250, 248),
    "algiers": (318, 232),
    "sardinia": (420, 212),
    "bizerta": (470, 212),
    "channel": (497, 262),
    "malta": (528, 302),
    "tripoli": (545, 346),
    "open": (632, 322),
    "sidra": (638, 386),
    "derne": (712, 350),
    "levant": (800, 372),
    "nile": (862, 404),
}
"""Where lanes meet, in units of the map."""
_LANES = (
    ("ocean", "strait", "alboran", "cartagena", "algiers", "sardinia", "bizerta", "channel"),
    ("channel", "malta", "tripoli", "sidra", "open", "malta"),
    ("tripoli", "open", "derne", "levant", "nile"),
    ("sidra", "derne"),
)
_ROADS: Mapping[str, str] = {
    "Gibraltar": "alboran",
    "Tangier": "strait",
    "Algiers": "algiers",
    "Tunis": "bizerta",
    "Malta": "malta",
    "Tripoli": "tripoli",
    "Benghazi": "sidra",
    "Derne": "derne",
    "Alexandria": "nile",
    "Tangier Patrol Zone": "ocean",
    "Gibraltar Patrol Zone": "cartagena",
    "Algiers Patrol Zone": "algiers",
    "Tunis Patrol Zone": "bizerta",
    "Tripoli Patrol Zone": "open",
}
"""The spot off each place."""


@cache
def lane(source: str, target: str) -> Sequence[Point]:
    """The spots that a ship goes by from one place to another, the shortest way."""
    start, end = _ROADS[source], _ROADS[target]
    ways: list[tuple[float, tuple[str, ...]]] = [(0.0, (start,))]
    done: set[str] = set()
    while True:
        length, way = heappop(ways)
        if way[-1] == end:
            return [_SPOTS[name] for name in way]
        done.add(way[-1])
        for name in _beside(way[-1]) - done:
            heappush(ways, (length + dist(_SPOTS[way[-1]], _SPOTS[name]), (*way, name)))


@cache
def _beside(name: str) -> frozenset[str]:
    pairs = [pair for lane in _LANES for pair in pairwise(lane)]
    return frozenset(other for pair in pairs if name in pair for other in pair if other != name)
