"""What players fill in from their copy of the game: chits, map, tiles, cards, movement, starting pieces.

Nothing here is invented: what is left out the program asks for at the table. Only the chits have a stand-in,
`PRACTICE`, which is called unofficial wherever it is shown. A line of data is `FILE: content`:

=========  ==========================================================================================================
file       contents
=========  ==========================================================================================================
chits      `1 Village / Explore!`: what the chit says under Expand and under Action; fifteen lines, four of them Attack!
map        `hex NAME Q R known` or `… unexplored`; `start RING NAME`: where Samoa's exploration of that ring begins
tiles      `NAME: 4 boxes 3 green`, or `NAME: atoll`
cards      `NAME: knots` (one more knot), `NAME: movement` (it extends the reach) or `NAME: other`
movement   `reach N`, `NAME adds N` (a card), `transit yes` or `transit no`
setup      `boxes N` (of Samoa), `warriors N`, `war canoes N`, `transport canoe yes` or `no`; `supply KIND N`
=========  ==========================================================================================================
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, NamedTuple

from engine.paradise import tables
from engine.paradise.hexes import Axial
from engine.paradise.hexes import distance as between
from engine.rules import BadData

FILES: Final = ("chits", "map", "tiles", "cards", "movement", "setup")
KINDS: Final = ("villages", "warriors", "war canoes", "transport canoes")
MOST_HEXES: Final = 300
MOST_TILES: Final = 40
MOST_SUPPLY: Final = 99

_NAME = r"[a-z]{2,20}(?: (?:[a-z]{2,20}|[0-9]{1,3})){0,3}"
"""Words of two letters and more, and numbers that stand alone: nothing that reads like the back of a card."""
_NUMBER = r"(0|[1-9][0-9]?)"
_HEX = re.compile(rf"hex ({_NAME}) (-?[0-9]{{1,2}}) (-?[0-9]{{1,2}}) (known|unexplored)\Z")
_START = re.compile(rf"start {_NUMBER} ({_NAME})\Z")
_TILE = re.compile(rf"({_NAME}): (?:atoll|{_NUMBER} box(?:es)? {_NUMBER} green)\Z")
_CARD = re.compile(r"([a-z][a-z -]{1,30}): (knots|movement|other)\Z")
_ADDS = re.compile(r"([a-z][a-z -]{1,30}) adds ([0-9])\Z")
_SETUP = re.compile(rf"(boxes|warriors|war canoes) {_NUMBER}\Z")
_SUPPLY = re.compile(rf"supply ({'|'.join(KINDS)}) {_NUMBER}\Z")
_RESERVED = re.compile(r"(group [0-9]+|to|from|at|and|that is all)\Z|.*\b(to)\b")


class Chit(NamedTuple):
    """What one chit says on its two sides: indices into `EXPANDS` and `ACTIONS`."""

    expand: int
    action: int

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
"""Chits to try the program with: made up for it, and not those of the printed game, which no source gives."""


_SOURCES: Final[Mapping[str, str]] = {
    name: "knots" if name in tables.MORE_KNOTS else "movement" if name in tables.MORE_REACH else "other"
    for name in tables.KNOWN_CARDS
}
"""Cards without data, and what they do for the procedure."""


@dataclass(frozen=True)
class Data:
    """A filled-in set, or what stands for the parts that are missing: no map, no tiles, nothing known of the setup."""

    chits: tuple[Chit, ...] = PRACTICE
    hexes: tuple[Hex, ...] = ()
    starts: Mapping[int, str] = field(default_factory=dict)
    tiles: tuple[Tile, ...] = ()
    cards: Mapping[str, str] = field(default_factory=lambda: dict(_SOURCES))
    reach: int | None = None
    adds: Mapping[str, int] = field(default_factory=dict)
    transit: bool = True
    setup: Mapping[str, int] = field(default_factory=dict)
    supply: Mapping[str, int] = field(default_factory=dict)
    lines: tuple[str, ...] = ()

    @property
    def is_practice(self) -> bool:
        """Whether the chits are the stand-in."""
        return not any(line.startswith("chits: ") for line in self.lines)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Every place by name: printed names, groups that have none yet, then those of the data."""
        given = [one.name for one in self.hexes] + [tile.name for tile in self.tiles]
        numbered = [f"group {number}" for number in range(1, tables.MOST_GROUPS + 1)]
        return tuple(dict.fromkeys([*tables.PRINTED, *numbered, *given]))

    @cached_property
    def card_names(self) -> tuple[str, ...]:
        return tuple(self.cards)

    @cached_property
    def map(self) -> Mapping[int, Axial]:
        """Where each hex lies, by place; empty without map data."""
        return {self.names.index(one.name): one.at for one in self.hexes}

    @cached_property
    def at(self) -> Mapping[Axial, int]:
        """The place of each cell of the map."""
        return {cell: place for place, cell in self.map.items()}

    @cached_property
    def known(self) -> frozenset[int]:
        """Hexes that need no exploring."""
        return frozenset(self.names.index(one.name) for one in self.hexes if one.known)

    def between(self, one: int, other: int) -> int:
        """Hexes between two hexes of the map."""
        return between(self.map[one], self.map[other])


class _Reader:
    """Reads the lines one by one; an error names the line it is in."""

    def __init__(self) -> None:
        self.chits: list[Chit] = []
        self.hexes: dict[str, Hex] = {}
        self.starts: dict[int, str] = {}
        self.tiles: dict[str, Tile] = {}
        self.cards: dict[str, str] = {}
        self.adds: dict[str, int] = {}
        self.numbers: dict[str, int] = {}
        self.supply: dict[str, int] = {}

    def read(self, line: str) -> None:
        """One line. Raises `ValueError`."""
        file, colon, content = line.partition(": ")
        if not colon or file not in FILES:
            raise ValueError(f'"{line[:60]}" belongs to none of {", ".join(FILES)}')
        read: Callable[[str], None] = getattr(self, f"_{file}")
        read(content)

    def _chits(self, content: str) -> None:
        expand, slash, action = (part.strip() for part in content.partition("/"))
        if not slash or expand not in tables.EXPANDS or action not in tables.ACTIONS:
            raise ValueError(
                f'"{content[:60]}" is no chit: EXPAND / ACTION, one of {", ".join(tables.EXPANDS)} and one of '
                f"{', '.join(tables.ACTIONS)}"
            )
        if len(self.chits) == tables.CHITS:
            raise ValueError(f"there are {tables.CHITS} chits, and this is one more")
        chit = Chit(tables.EXPANDS.index(expand), tables.ACTIONS.index(action))
        said = sum(one.action == tables.ATTACK for one in self.chits)
        if chit.action == tables.ATTACK and said == tables.ATTACKS:
            raise ValueError(f"{tables.ATTACKS} chits say Attack!, and this is one more")
        if chit.action != tables.ATTACK and len(self.chits) - said == tables.CHITS - tables.ATTACKS:
            raise ValueError(f"{tables.CHITS - tables.ATTACKS} chits do not say Attack!, and this is one more")
        self.chits.append(chit)

    def _map(self, content: str) -> None:
        if match := _HEX.match(content):
            name, cell = _new_name(match[1], self.hexes), (int(match[2]), int(match[3]))
            if cell in {one.at for one in self.hexes.values()}:
                raise ValueError(f"two hexes lie at {cell[0]} {cell[1]}")
            if len(self.hexes) == MOST_HEXES:
                raise ValueError(f"a map has at most {MOST_HEXES} hexes")
            self.hexes[name] = Hex(name, cell, match[4] == "known")
        elif match := _START.match(content):
            if match[2] not in self.hexes or int(match[1]) in self.starts or match[1] == "0":
                raise ValueError(f'"{match[2]}" is no hex named above, or ring {match[1]} has its start already')
            self.starts[int(match[1])] = match[2]
        else:
            raise ValueError(f'"{content[:60]}" is neither "hex NAME Q R known|unexplored" nor "start RING NAME"')

    def _tiles(self, content: str) -> None:
        match = _TILE.match(content)
        if match is None:
            raise ValueError(f'"{content[:60]}" is no tile: "NAME: 4 boxes 3 green" or "NAME: atoll"')
        boxes, green = int(match[2] or 0), int(match[3] or 0)
        if (boxes, green) not in tables.BOXES or (boxes == 0) != (match[2] is None):
            raise ValueError(f"a tile has 1 to {tables.MOST_BOXES} boxes, and no more green ones than that")
        if len(self.tiles) == MOST_TILES:
            raise ValueError(f"there are at most {MOST_TILES} tiles")
        name = _new_name(match[1], self.tiles)
        self.tiles[name] = Tile(name, boxes, green)

    def _cards(self, content: str) -> None:
        match = _CARD.match(content)
        if match is None or match[1] in self.cards or match[1] != match[1].strip() or _RESERVED.match(match[1]):
            raise ValueError(f'"{content[:60]}" is no new card: "NAME: knots", "NAME: movement" or "NAME: other"')
        if len(self.cards) == tables.MOST_CARDS:
            raise ValueError(f"there are {tables.MOST_CARDS} cards, and this is one more")
        self.cards[match[1]] = match[2]

    def _movement(self, content: str) -> None:
        if (match := re.match(r"reach ([1-9])\Z", content)) and "reach" not in self.numbers:
            self.numbers["reach"] = int(match[1])
        elif (match := re.match(r"transit (yes|no)\Z", content)) and "transit" not in self.numbers:
            self.numbers["transit"] = int(match[1] == "yes")
        elif (match := _ADDS.match(content)) and match[1] not in self.adds:
            self.adds[match[1]] = int(match[2])
        else:
            raise ValueError(
                f'"{content[:60]}" is not "reach N", "CARD adds N", "transit yes" or "no", or stands twice'
            )

    def _setup(self, content: str) -> None:
        if (match := _SETUP.match(content)) and match[1] not in self.numbers:
            self.numbers[match[1]] = _bounded(match[1], int(match[2]))
        elif (match := re.match(r"transport canoe (yes|no)\Z", content)) and "transport canoe" not in self.numbers:
            self.numbers["transport canoe"] = int(match[1] == "yes")
        elif (match := _SUPPLY.match(content)) and match[1] not in self.supply:
            self.supply[match[1]] = int(match[2])
        else:
            raise ValueError(f'"{content[:60]}" is no line about starting pieces or supply, or stands twice')

    def finish(self) -> None:
        """What can be told only at the end. Raises `ValueError`."""
        if self.chits and len(self.chits) < tables.CHITS:
            raise ValueError(f"there are {tables.CHITS} chits; these are {len(self.chits)}")
        if self.hexes:
            for name in tables.PRINTED[:2]:
                if name not in self.hexes or not self.hexes[name].known:
                    raise ValueError(f"a map has the hex {name}, known")
            samoa, tonga = (self.hexes[name].at for name in tables.PRINTED[:2])
            if between(samoa, tonga) != 1:
                raise ValueError("Samoa and Tonga are neighbours")
            for number, name in self.starts.items():
                if between(samoa, self.hexes[name].at) != number:
                    raise ValueError(f"{name} is {between(samoa, self.hexes[name].at)} hexes from Samoa, not {number}")
        if self.adds.keys() - (self.cards or _SOURCES).keys():
            raise ValueError("a card that adds to movement is none of the cards")
        if ("warriors" in self.numbers) != ("war canoes" in self.numbers):
            raise ValueError("the starting pieces are warriors and war canoes: give both, also where one is 0")


def _new_name(name: str, taken: Mapping[str, object]) -> str:
    if name in taken:
        raise ValueError(f'"{name}" stands twice')
    if len(name) > 24 or _RESERVED.match(name):
        raise ValueError(f'"{name}" cannot be a name here: at most 24 letters, without the word "to", and no group N')
    return name


def _bounded(what: str, number: int) -> int:
    most = {"boxes": 6, "warriors": tables.MOST_WARRIORS, "war canoes": tables.MOST_WAR_CANOES}[what]
    if number > most or (what == "boxes" and number < 2):
        raise ValueError(f"Samoa starts with at most {most} {what}" + (", and at least 2" if what == "boxes" else ""))
    return number


def read(lines: Sequence[str]) -> Data:
    """The data of these lines. Raises `BadData` with the line that is wrong, counted from 0."""
    reader = _Reader()
    for number, line in enumerate(lines):
        try:
            reader.read(line)
        except ValueError as error:
            raise BadData(str(error), number) from error
    try:
        reader.finish()
    except ValueError as error:
        raise BadData(str(error), len(lines) - 1) from error
    numbers = reader.numbers
    return Data(
        chits=tuple(reader.chits) or PRACTICE,
        hexes=tuple(reader.hexes.values()),
        starts=reader.starts,
        tiles=tuple(reader.tiles.values()),
        cards=reader.cards or dict(_SOURCES),
        reach=numbers.get("reach"),
        adds=reader.adds,
        transit=bool(numbers.get("transit", 1)),
        setup={name: numbers[name] for name in (*_SETUP_NAMES, "transport canoe") if name in numbers},
        supply=reader.supply,
        lines=tuple(lines),
    )


_SETUP_NAMES: Final = ("boxes", "warriors", "war canoes")
