"""What players fill in from their copy of the game: chits, map, tiles, cards, movement, starting
pieces.

Nothing here is invented: what is left out the program asks for at the table. Only the chits have a
stand-in, `PRACTICE`, which is called unofficial wherever it is shown. `engine.paradise.data_lines`
reads the lines of the files.

`unfinished` names data that are filled in partly. Half a map or some of the tiles would break a
game: what is missing could not be discovered, and Samoa would explore nothing (paradise ruling 29).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final, NamedTuple

from engine.flow import Option
from engine.paradise import tables
from engine.paradise.hexes import Axial, neighbours
from engine.paradise.hexes import distance as between
from engine.paradise.options import STARTS


class Chit(NamedTuple):
    """What one chit says on its two sides: indices into `EXPANDS` and `ACTIONS`."""

    expand: int
    action: int

    def sides(self) -> str:
        """The chit's line of a data file: `1 Village / Explore!`."""
        return f"{tables.EXPANDS[self.expand]} / {tables.ACTIONS[self.action]}"

    def __str__(self) -> str:
        return f"{tables.EXPANDS[self.expand]}, {tables.ACTIONS[self.action]}"


class Hex(NamedTuple):
    """A hex of the map: where it lies, and whether it is known before the game begins."""

    name: str
    at: Axial
    known: bool


class Tile(NamedTuple):
    """An Island Group tile; an atoll has no boxes."""

    name: str
    boxes: int
    green: int


PRACTICE: Final = tuple(
    Chit(expand, action)
    for expand, action in (
        (tables.CHAIN, tables.EXPLORE),
        (tables.VILLAGE, tables.EXPLORE),
        (tables.VILLAGE, tables.BUILD),
        (tables.VILLAGES, tables.BUILD),
        (tables.TWO_WARRIORS, tables.DEFEND),
        (tables.TWO_WARRIORS, tables.EXPLORE),
        (tables.WARRIOR, tables.EXPLORE),
        (tables.WARRIORS, tables.DEFEND),
        (tables.WAR_CANOE, tables.BUILD),
        (tables.WAR_CANOE, tables.DEFEND),
        (tables.CARD, tables.EXPLORE),
        (tables.WAR_CANOE, tables.ATTACK),
        (tables.TWO_WARRIORS, tables.ATTACK),
        (tables.CARD, tables.ATTACK),
        (tables.CHAIN, tables.ATTACK),
    )
)
"""Chits to try the program with: made up for it, and not those of the printed game, which no source
gives."""


KNOWN_CARDS: Final[Mapping[str, str]] = {
    **dict.fromkeys(tables.KNOWN_CARDS, "other"),
    **dict.fromkeys(tables.MORE_REACH, "movement"),
    **dict.fromkeys(tables.MORE_KNOTS, "knots"),
}
"""Cards without data, and what they do for the procedure."""


@dataclass(frozen=True)
class Data:
    """A filled-in set, or what stands for the parts that are missing: no map, no tiles, nothing
    known of the setup."""

    chits: tuple[Chit, ...] = PRACTICE
    hexes: tuple[Hex, ...] = ()
    starts: Mapping[int, str] = field(default_factory=dict)
    tiles: tuple[Tile, ...] = ()
    cards: Mapping[str, str] = field(default_factory=lambda: dict(KNOWN_CARDS))
    reach: int | None = None
    adds: Mapping[str, int] = field(default_factory=dict)
    transit: bool = True
    setup: Mapping[str, int] = field(default_factory=dict)
    supply: Mapping[str, int] = field(default_factory=dict)
    complete: frozenset[str] = frozenset()
    """Files of which the player says that nothing is missing."""
    lines: tuple[str, ...] = ()
    names: tuple[str, ...] = field(init=False, repr=False, compare=False)
    """Every place by name: printed names, groups that have none yet, then those of the data. This
    and what is below follow from the data above."""
    card_names: tuple[str, ...] = field(init=False, repr=False, compare=False)
    map: Mapping[int, Axial] = field(init=False, repr=False, compare=False)
    """Where each hex lies, by place; empty without map data."""
    at: Mapping[Axial, int] = field(init=False, repr=False, compare=False)
    """The place of each cell of the map."""
    known: frozenset[int] = field(init=False, repr=False, compare=False)
    """Hexes that need no exploring."""
    openings: tuple[Option, ...] = field(init=False, repr=False, compare=False)
    """The pieces that Samoa may start with, where the supply has them (paradise ruling 18)."""

    @property
    def is_practice(self) -> bool:
        """Whether the chits are the stand-in."""
        return not any(line.startswith("chits: ") for line in self.lines)

    def __post_init__(self) -> None:
        given = [one.name for one in self.hexes] + [tile.name for tile in self.tiles]
        numbered = [f"group {number}" for number in range(1, tables.MOST_GROUPS + 1)]
        names = tuple(dict.fromkeys([*tables.PRINTED, *numbered, *given]))
        cells = {names.index(one.name): one.at for one in self.hexes}
        follows = {
            "names": names,
            "card_names": tuple(self.cards),
            "map": cells,
            "at": {cell: place for place, cell in cells.items()},
            "known": frozenset([names.index(one.name) for one in self.hexes if one.known]),
            "openings": tuple(one for one in STARTS if self._has_for(*one[1:])),
        }
        for name, value in follows.items():
            object.__setattr__(self, name, value)

    def _has_for(self, warriors: int, war_canoes: int, transport: int) -> bool:
        """Whether the supply has these pieces (paradise ruling 18)."""
        wanted = {"warriors": warriors, "war canoes": war_canoes, "transport canoes": transport}
        return all(number <= self.supply.get(kind, number) for kind, number in wanted.items())

    def name(self, place: int) -> str:
        """A place in words: its printed name, or for a group without one its number."""
        name = self.names[place]
        return name if name.startswith("group ") else name.title()

    def between(self, one: int, other: int) -> int:
        """Hexes between two hexes of the map."""
        return between(self.map[one], self.map[other])


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
    """What is missing in the map: only the player knows where the board ends, so they must say that
    all hexes are there; holes between hexes are found."""
    if "map" not in data.complete:
        yield (
            f'{len(data.hexes)} hexes, and no line "complete", which says that these are all hexes'
            " of the board"
        )
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
