"""The map behind the board of The Shores of Tripoli: the coast, the harbors and zones, and a slot
for each."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

WIDTH, HEIGHT, MAP_HEIGHT = 900, 1012, 604


class Box(NamedTuple):
    """A rectangle of the picture."""

    x: float
    y: float
    w: float
    h: float

    @property
    def middle(self) -> tuple[float, float]:
        return self.x + self.w / 2, self.y + self.h / 2

    def meets(self, other: Box) -> bool:
        """Whether two rectangles share some of the paper."""
        return (
            self.x < other.x + other.w
            and other.x < self.x + self.w
            and self.y < other.y + other.h
            and other.y < self.y + self.h
        )


TITLE = Box(622, 10, 268, 146)
"""Where the season stands; nothing is drawn under it."""


SEA = Box(716, 330, 168, 30)
"""Where the sea has its name, as long as no arrow goes there."""


def at(longitude: float, latitude: float) -> tuple[float, float]:
    """Where a spot of the earth lies on the map."""
    return round((longitude + 11.5) * 21.0, 1), round((44.6 - latitude) * 32.0, 1)


class Spot(NamedTuple):
    """A harbor (with its place on the coast) or a patrol zone, and the slot in which its panel
    stays."""

    label: str
    slot: Box
    harbor: tuple[float, float] | None = None
    upward: bool = False
    """The panel keeps to the lower edge of its slot and grows upward."""


SPOTS: Mapping[str, Spot] = {
    "Gibraltar": Spot("Gibraltar", Box(52, 92, 180, 124), at(-5.35, 36.14), upward=True),
    "Malta": Spot("Malta", Box(572, 216, 170, 82), at(14.4, 35.9)),
    "Alexandria": Spot("Alexandria", Box(716, 502, 178, 96), at(29.9, 31.2)),
    "Tripoli": Spot("Tripoli", Box(302, 400, 262, 198), at(13.2, 32.9)),
    "Benghazi": Spot("Benghazi", Box(572, 478, 129, 120), at(20.07, 32.1)),
    "Derne": Spot("Derne", Box(704, 404, 152, 92), at(22.63, 32.77)),
    "Algiers": Spot("Algiers", Box(288, 272, 104, 122), at(3.06, 36.77)),
    "Tangier": Spot("Tangier", Box(86, 308, 168, 110), at(-5.8, 35.79)),
    "Tunis": Spot("Tunis", Box(397, 268, 86, 126), at(10.2, 36.8)),
    "Gibraltar Patrol Zone": Spot("Gibraltar zone", Box(140, 224, 142, 78)),
    "Tripoli Patrol Zone": Spot("Tripoli zone", Box(532, 303, 170, 84)),
    "Algiers Patrol Zone": Spot("Algiers zone", Box(286, 164, 118, 84)),
    "Tangier Patrol Zone": Spot("Tangier zone", Box(1, 224, 109, 78)),
    "Tunis Patrol Zone": Spot("Tunis zone", Box(409, 164, 106, 84)),
}

HARBORS = tuple(
    Box(spot.harbor[0] - 9, spot.harbor[1] - 9, 18, 18)
    for spot in SPOTS.values()
    if spot.harbor is not None
)
"""The discs on the coast."""


@lru_cache(maxsize=1)
def coast() -> list[str]:
    """The coast as SVG paths (coast.txt names its source)."""
    text = (Path(__file__).parent / "coast.txt").read_text(encoding="ascii")
    rings = [line.split() for line in text.splitlines() if not line.startswith("#")]
    return [
        "M" + "L".join("{:g} {:g}".format(*_point(pair)) for pair in ring) + "Z" for ring in rings
    ]


def _point(pair: str) -> tuple[float, float]:
    longitude, _, latitude = pair.partition(",")
    return at(float(longitude), float(latitude))
