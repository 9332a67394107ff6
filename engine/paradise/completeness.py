"""Data that are filled in partly. Half a map or some of the tiles would break a game: what is missing could not be
discovered, and Samoa would explore nothing (paradise ruling 29)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise

from engine.paradise.data import Data
from engine.paradise.hexes import Axial, neighbours

TILES = 30
"""Island Group tiles in the box."""


def unfinished(data: Data) -> Mapping[str, str]:
    """The files that a game is made without, each with what is missing in it."""
    found = {}
    if data.hexes and (missing := next(_of_map(data), None)):
        found["map"] = missing
    if data.tiles and len(data.tiles) < TILES and "tiles" not in data.complete:
        so_far = f"{len(data.tiles)} of {TILES} tiles"
        found["tiles"] = f'{so_far}, and no line "complete", which says that your copy has no more'
    return found


def _of_map(data: Data) -> Iterator[str]:
    """Nobody but the player knows where the board ends, so they say that every hex is there; holes are found."""
    if "map" not in data.complete:
        yield f'{len(data.hexes)} hexes, and no line "complete", which says that these are all hexes of the board'
    columns: dict[int, list[Axial]] = {}
    for one in sorted(data.hexes, key=lambda hex_of_map: hex_of_map.at):
        columns.setdefault(one.at[0], []).append(one.at)
    for cells in columns.values():
        for upper, lower in pairwise(cells):
            if lower[1] - upper[1] > 1:
                between = f"between {_name(data, upper)} and {_name(data, lower)}"
                yield f"no hex at {upper[0]} {upper[1] + 1}, {between}"
    for column, following in pairwise(sorted(columns)):
        if following - column > 1:
            yield f"no hex in column {column + 1}"
    reached, edge = {data.hexes[0].at}, [data.hexes[0].at]
    while edge:
        fresh = [cell for cell in neighbours(edge.pop()) if cell in data.at and cell not in reached]
        reached.update(fresh)
        edge += fresh
    if lonely := next((one for one in data.hexes if one.at not in reached), None):
        yield f"nothing joins {lonely.name} to {data.hexes[0].name}"


def _name(data: Data, cell: Axial) -> str:
    """The name of the hex that lies there."""
    return data.names[data.at[cell]]
