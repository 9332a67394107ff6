"""The harbors and patrol zones of The Shores of Tripoli on the map."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from pbem.games.stage import Align, Colour, Point


class Place(NamedTuple):
    """Its name on the map, about where its panel comes to lie, and by which edge that is held, so
    that it grows away from the sea road off it. A harbor has a spot on the coast, and the colour of
    America, Tripolitania or their allies."""

    label: str
    panel: Point
    align: Align
    colour: Colour = ""
    harbor: Point | None = None


def at(longitude: float, latitude: float) -> Point:
    """Where a spot of the earth lies on the map."""
    return round((longitude + 11.5) * 21.0, 1), round((44.6 - latitude) * 32.0, 1)


PLACES: Mapping[str, Place] = {
    "Gibraltar": Place("Gibraltar", (140, 262), "bottom", "blue", at(-5.35, 36.14)),
    "Malta": Place("Malta", (636, 262), "left", "blue", at(14.4, 35.9)),
    "Alexandria": Place("Alexandria", (838, 540), "top", "blue", at(29.9, 31.2)),
    "Tripoli": Place("Tripoli", (484, 426), "top", "red", at(13.2, 32.9)),
    "Benghazi": Place("Benghazi", (648, 510), "top", "red", at(20.07, 32.1)),
    "Derne": Place("Derne", (790, 404), "left", "red", at(22.63, 32.77)),
    "Algiers": Place("Algiers", (345, 322), "top", "yellow", at(3.06, 36.77)),
    "Tangier": Place("Tangier", (140, 320), "top", "yellow", at(-5.8, 35.79)),
    "Tunis": Place("Tunis", (468, 314), "top", "yellow", at(10.2, 36.8)),
    "Gibraltar Patrol Zone": Place("Gibraltar zone", (266, 218), "bottom"),
    "Tripoli Patrol Zone": Place("Tripoli zone", (668, 320), "middle"),
    "Algiers Patrol Zone": Place("Algiers zone", (368, 160), "bottom"),
    "Tangier Patrol Zone": Place("Tangier zone", (58, 268), "middle"),
    "Tunis Patrol Zone": Place("Tunis zone", (500, 182), "bottom"),
}
