"""The lines of the files that players fill in (`engine.paradise.data`). A line of data is `FILE:
content`:

=========  =========================================================================================
file       contents
=========  =========================================================================================
chits      `1 Village / Explore!`: what the chit says under Expand and under Action; fifteen lines,
           four of them Attack!
map        `hex NAME Q R known` or `… unexplored`; `start RING NAME`: where Samoa's exploration of
           that ring begins; `complete`: these are all hexes of the board
tiles      `NAME: 4 boxes 3 green`, or `NAME: atoll`; `complete`: the copy has no other tiles
cards      `NAME: knots` (one more knot), `NAME: movement` (it extends the reach) or `NAME: other`
movement   `reach N`, `NAME adds N` (a card), `transit yes` or `transit no`
setup      `boxes N` (of Samoa), `warriors N`, `war canoes N`, `transport canoe yes` or `no`;
           `supply KIND N`
=========  =========================================================================================
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from engine.paradise import tables
from engine.paradise.data import KNOWN_CARDS, PRACTICE, Chit, Data, Hex, Tile
from engine.paradise.hexes import distance as between
from engine.rules import BadData

FILES: Final = ("chits", "map", "tiles", "cards", "movement", "setup")
KINDS: Final = ("villages", "warriors", "war canoes", "transport canoes")
MOST_HEXES: Final = 300
MOST_TILES: Final = 40

_EXPANDS = tuple(expand.lower() for expand in tables.EXPANDS)
_ACTIONS = tuple(action.lower() for action in tables.ACTIONS)
_NAME = r"[a-z]{2,20}(?: (?:[a-z]{2,20}|[0-9]{1,3})){0,3}"
"""Words of two letters and more, and numbers that stand alone: nothing that reads like the back of
a card."""
_NUMBER = r"(0|[1-9][0-9]?)"
_HEX = re.compile(rf"hex ({_NAME}) (-?[0-9]{{1,2}}) (-?[0-9]{{1,2}}) (known|unexplored)\Z")
_START = re.compile(rf"start {_NUMBER} ({_NAME})\Z")
_TILE = re.compile(rf"({_NAME}): (?:atoll|{_NUMBER} box(?:es)? {_NUMBER} green)\Z")
_CARD = re.compile(r"([a-z][a-z -]{1,30}): (knots|movement|other)\Z")
_ADDS = re.compile(r"([a-z][a-z -]{1,30}) adds ([0-9])\Z")
_SETUP = re.compile(rf"(boxes|warriors|war canoes) {_NUMBER}\Z")
_SUPPLY = re.compile(rf"supply ({'|'.join(KINDS)}) {_NUMBER}\Z")
_RESERVED = re.compile(r"(group [0-9]+|to|from|at|and|that is all)\Z|.*\b(to)\b")


class _Reader:
    """Reads the lines one by one, in any case; an error names the line it is in."""

    def __init__(self) -> None:
        self.number = -1
        """The line that is read, from 0."""
        self.lines: dict[tuple[str, str], int] = {}
        """Where what is checked at the end stands: by file, and by hex, ring, card or piece; "" is
        its last line."""
        self.chits: list[Chit] = []
        self.hexes: dict[str, Hex] = {}
        self.starts: dict[int, str] = {}
        self.tiles: dict[str, Tile] = {}
        self.cards: dict[str, str] = {}
        self.adds: dict[str, int] = {}
        self.numbers: dict[str, int] = {}
        self.supply: dict[str, int] = {}
        self.complete: set[str] = set()

    def read(self, line: str) -> None:
        """One line. Raises `BadData`."""
        self.number += 1
        file, colon, content = line.partition(": ")
        try:
            if not colon or file not in FILES:
                raise ValueError(f'"{line[:60]}" belongs to none of {", ".join(FILES)}')
            if not content.isascii():
                raise ValueError(f'"{content[:60]}" has letters other than a to z')
            if content.lower() == "complete" and file in ("map", "tiles"):
                self.complete.add(file)
            else:
                read: Callable[[str], None] = getattr(self, f"_{file}")
                read(content.lower())
        except ValueError as error:
            raise BadData(str(error), self.number) from error
        self.lines[file, ""] = self.number

    def _chits(self, content: str) -> None:
        expand, slash, action = (part.strip() for part in content.partition("/"))
        if not slash or expand not in _EXPANDS or action not in _ACTIONS:
            raise ValueError(
                f'"{content[:60]}" is no chit: EXPAND / ACTION, one of {", ".join(tables.EXPANDS)}'
                " and one of "
                f"{', '.join(tables.ACTIONS)}"
            )
        if len(self.chits) == tables.CHITS:
            raise ValueError(f"there are {tables.CHITS} chits, and this is one more")
        chit = Chit(_EXPANDS.index(expand), _ACTIONS.index(action))
        said = sum(one.action == tables.ATTACK for one in self.chits)
        if chit.action == tables.ATTACK and said == tables.ATTACKS:
            raise ValueError(f"{tables.ATTACKS} chits say Attack!, and this is one more")
        if chit.action != tables.ATTACK and len(self.chits) - said == tables.CHITS - tables.ATTACKS:
            raise ValueError(
                f"{tables.CHITS - tables.ATTACKS} chits do not say Attack!, and this is one more"
            )
        self.chits.append(chit)

    def _map(self, content: str) -> None:
        if match := _HEX.match(content):
            name, cell = _new_name(match[1], self.hexes), (int(match[2]), int(match[3]))
            if cell in {one.at for one in self.hexes.values()}:
                raise ValueError(f"two hexes lie at {cell[0]} {cell[1]}")
            if len(self.hexes) == MOST_HEXES:
                raise ValueError(f"a map has at most {MOST_HEXES} hexes")
            self.hexes[name] = Hex(name, cell, match[4] == "known")
            self.lines["map", name] = self.number
        elif match := _START.match(content):
            if match[2] not in self.hexes or int(match[1]) in self.starts or match[1] == "0":
                raise ValueError(
                    f'"{match[2]}" is no hex named above, or ring {match[1]} has its start already'
                )
            self.starts[int(match[1])] = match[2]
            self.lines["map", f"start {match[2]}"] = self.number
        else:
            raise ValueError(
                f'"{content[:60]}" is neither "hex NAME Q R known|unexplored" nor "start RING NAME"'
            )

    def _tiles(self, content: str) -> None:
        match = _TILE.match(content)
        if match is None:
            raise ValueError(
                f'"{content[:60]}" is no tile: "NAME: 4 boxes 3 green" or "NAME: atoll"'
            )
        boxes, green = int(match[2] or 0), int(match[3] or 0)
        if (boxes, green) not in tables.BOXES or (boxes == 0) != (match[2] is None):
            raise ValueError(
                f"a tile has 1 to {tables.MOST_BOXES} boxes, and no more green ones than that"
            )
        if len(self.tiles) == MOST_TILES:
            raise ValueError(f"there are at most {MOST_TILES} tiles")
        name = _new_name(match[1], self.tiles)
        self.tiles[name] = Tile(name, boxes, green)

    def _cards(self, content: str) -> None:
        match = _CARD.match(content)
        if (
            match is None
            or match[1] in self.cards
            or match[1] != match[1].strip()
            or _RESERVED.match(match[1])
        ):
            raise ValueError(
                f'"{content[:60]}" is no new card: "NAME: knots", "NAME: movement" or "NAME: other"'
            )
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
            self.lines["movement", match[1]] = self.number
        else:
            raise ValueError(
                f'"{content[:60]}" is not "reach N", "CARD adds N", "transit yes" or "no", or'
                " stands twice"
            )

    def _setup(self, content: str) -> None:
        if (match := _SETUP.match(content)) and match[1] not in self.numbers:
            self.numbers[match[1]] = _bounded(match[1], int(match[2]))
            self.lines["setup", match[1]] = self.number
        elif (
            match := re.match(r"transport canoe (yes|no)\Z", content)
        ) and "transport canoe" not in self.numbers:
            self.numbers["transport canoe"] = int(match[1] == "yes")
        elif (match := _SUPPLY.match(content)) and match[1] not in self.supply:
            self.supply[match[1]] = int(match[2])
            self.lines["setup", f"supply {match[1]}"] = self.number
        else:
            raise ValueError(
                f'"{content[:60]}" is no line about starting pieces or supply, or stands twice'
            )

    def finish(self) -> None:
        """Check what only the whole data can show. Raises `BadData` at the line that it is
        about."""
        if self.chits and len(self.chits) < tables.CHITS:
            raise self._error(
                f"there are {tables.CHITS} chits; these are {len(self.chits)}", "chits"
            )
        if self.hexes:
            self._finish_map()
        for name in self.adds.keys() - (self.cards or KNOWN_CARDS).keys():
            raise self._error(
                f"{name} adds to movement, and is none of the cards", "movement", name
            )
        self._finish_setup()

    def _finish_map(self) -> None:
        for name in tables.PRINTED[:2]:
            if name not in self.hexes or not self.hexes[name].known:
                raise self._error(f"a map has the hex {name}, known", "map", name)
        samoa, tonga = (self.hexes[name].at for name in tables.PRINTED[:2])
        if between(samoa, tonga) != 1:
            raise self._error("Samoa and Tonga are neighbours", "map", "tonga")
        for number, name in self.starts.items():
            far = between(samoa, self.hexes[name].at)
            if far != number:
                raise self._error(
                    f"{name} is {far} hexes from Samoa, not {number}", "map", f"start {name}"
                )

    def _finish_setup(self) -> None:
        both = ("warriors", "war canoes")
        given = [piece for piece in both if piece in self.numbers]
        if len(given) == 1:
            text = "the starting pieces are warriors and war canoes: give both, also where one is 0"
            raise self._error(text, "setup", given[0])
        wanted = {piece: self.numbers.get(piece, 0) for piece in both}
        wanted |= {"villages": 2, "transport canoes": self.numbers.get("transport canoe", 0)}
        for kind, number in self.supply.items():
            if number < wanted[kind]:
                text = f"Samoa starts with {wanted[kind]} {kind}, and the supply has {number}"
                raise self._error(text, "setup", f"supply {kind}")

    def _error(self, text: str, file: str, what: str = "") -> BadData:
        """An error at the line about `what`, or at the last line of the file."""
        return BadData(text, self.lines.get((file, what), self.lines[file, ""]))


def _new_name(name: str, taken: Mapping[str, object]) -> str:
    if name in taken:
        raise ValueError(f'"{name}" stands twice')
    if len(name) > 24 or _RESERVED.match(name):
        raise ValueError(
            f'"{name}" cannot be a name here: at most 24 letters, without the word "to", and no'
            " group N"
        )
    return name


def _bounded(what: str, number: int) -> int:
    most = {"boxes": 6, "warriors": tables.MOST_WARRIORS, "war canoes": tables.MOST_WAR_CANOES}[
        what
    ]
    if number > most or (what == "boxes" and number < 2):
        raise ValueError(
            f"Samoa starts with at most {most} {what}"
            + (", and at least 2" if what == "boxes" else "")
        )
    return number


def read(lines: Sequence[str]) -> Data:
    """The data of these lines. Raises `BadData` with the line that is wrong, counted from 0."""
    reader = _Reader()
    for line in lines:
        reader.read(line)
    reader.finish()
    numbers = reader.numbers
    return Data(
        chits=tuple(reader.chits) or PRACTICE,
        hexes=tuple(reader.hexes.values()),
        starts=reader.starts,
        tiles=tuple(reader.tiles.values()),
        cards=reader.cards or dict(KNOWN_CARDS),
        reach=numbers.get("reach"),
        adds=reader.adds,
        transit=bool(numbers.get("transit", 1)),
        setup={
            name: numbers[name] for name in (*_SETUP_NAMES, "transport canoe") if name in numbers
        },
        supply=reader.supply,
        complete=frozenset(reader.complete),
        lines=tuple(lines),
    )


_SETUP_NAMES: Final = ("boxes", "warriors", "war canoes")
