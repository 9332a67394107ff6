"""The harbors and zones of The Shores of Tripoli, and where they lie on the map."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

WIDTH = 900


def at(longitude: float, latitude: float) -> tuple[float, float]:
    """Where a spot of the earth lies on the map."""
    return round((longitude + 11.5) * 21.0, 1), round((44.6 - latitude) * 32.0, 1)


class Spot(NamedTuple):
    """A harbor (with its place on the coast) or a patrol zone."""

    label: str
    harbor: tuple[float, float] | None = None


SPOTS: Mapping[str, Spot] = {
    "Gibraltar": Spot("Gibraltar", at(-5.35, 36.14)),
    "Malta": Spot("Malta", at(14.4, 35.9)),
    "Alexandria": Spot("Alexandria", at(29.9, 31.2)),
    "Tripoli": Spot("Tripoli", at(13.2, 32.9)),
    "Benghazi": Spot("Benghazi", at(20.07, 32.1)),
    "Derne": Spot("Derne", at(22.63, 32.77)),
    "Algiers": Spot("Algiers", at(3.06, 36.77)),
    "Tangier": Spot("Tangier", at(-5.8, 35.79)),
    "Tunis": Spot("Tunis", at(10.2, 36.8)),
    "Gibraltar Patrol Zone": Spot("Gibraltar zone"),
    "Tripoli Patrol Zone": Spot("Tripoli zone"),
    "Algiers Patrol Zone": Spot("Algiers zone"),
    "Tangier Patrol Zone": Spot("Tangier zone"),
    "Tunis Patrol Zone": Spot("Tunis zone"),
}
