"""Records of Go that other programs write (SGF, FF 3 and 4), as far as a game here can begin from
them: the size, the komi, stones that are there before, and the moves of the first line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from engine.flow import Seat

COLUMNS = "abcdefghijklmnopqrs"
_LONGEST = 150
"""Characters of a line of data."""
_TOKEN = re.compile(r"\s*(?:([();])|([A-Za-z]{1,20})\s*(?=\[)|\[((?:\\.|[^\\\]])*)\])", re.DOTALL)
_MOST = 2000
"""Moves of a record."""


@dataclass(frozen=True)
class Record:
    """Where a game begins: stones that lie there, as seat and point, then the moves; a pass has no
    point. `komi` is that of the record in half points, None where it has none that a game has."""

    size: int
    komi: int | None
    stones: tuple[tuple[Seat, int], ...]
    moves: tuple[tuple[Seat, int | None], ...]
    to_move: Seat

    def sgf(self) -> str:
        """The record in the shortest way."""
        komi = "" if self.komi is None else f"KM[{self.komi / 2}]"
        turn = f"PL[{'BW'[self.to_move]}]"
        return f"(;SZ[{self.size}]{komi}{self.setup()}{turn}{''.join(self.nodes())})"

    def setup(self) -> str:
        """The stones that lie there before the first move."""
        return "".join(
            f"{name}{''.join(f'[{point_name(point, self.size)}]' for point in there)}"
            for seat, name in ((0, "AB"), (1, "AW"))
            if (there := [point for owner, point in self.stones if owner == seat])
        )

    def nodes(self) -> list[str]:
        """The moves, each as a node."""
        return [
            f";{'BW'[seat]}[{'' if point is None else point_name(point, self.size)}]"
            for seat, point in self.moves
        ]


def point_name(point: int, size: int) -> str:
    """A point as SGF calls it: two letters, of the column and of the row from above."""
    return f"{COLUMNS[point % size]}{COLUMNS[point // size]}"


def lines(text: str) -> list[str]:
    """What a record holds that a game can begin from, in lines of data. Raises `ValueError`."""
    whole = read(text).sgf()
    return [whole[at : at + _LONGEST] for at in range(0, len(whole), _LONGEST)]


@lru_cache(maxsize=8)
def read(text: str) -> Record:
    """The first game of a record. It is read up to where stones are put or taken between the moves,
    and without the passes at its end. Raises `ValueError` where it says what is no game of Go."""
    nodes = list(_first_line(text))
    root = nodes[0] if nodes else {}
    if root.get("GM", ["1"])[0].strip() not in ("1", ""):
        raise ValueError("this is no record of Go: GM is not 1")
    size = _size(root.get("SZ", ["19"])[0])
    stones = tuple(_stones(root, size))
    moves: list[tuple[Seat, int | None]] = []
    for number, node in enumerate(nodes):
        if number and any(name in node for name in ("AB", "AW", "AE")):
            break
        for name, seat in (("B", 0), ("W", 1)):
            moves += [(seat, _point(value, size, name)) for value in node.get(name, [])[:1]]
    first = _to_move(root, [seat for seat, _ in stones], moves)
    while moves and moves[-1][1] is None:
        moves.pop()
    if len(moves) > _MOST:
        raise ValueError(f"a record of {len(moves)} moves: {_MOST} are the most")
    return Record(size, _komi(root.get("KM", [""])[0]), stones, tuple(moves), first)


def _first_line(text: str) -> Iterator[dict[str, list[str]]]:
    """The nodes of the first game and of the first line in each fork: by property its values.
    Small letters in the names of properties, as older programs write them, are left out."""
    at, node, values = text.find("("), dict[str, list[str]](), list[str]()
    if at < 0:
        raise ValueError("this is no record: it has no (")
    is_in_node = False
    while (match := _TOKEN.match(text, at)) is not None:
        at = match.end()
        mark, name, value = match.groups()
        if mark is None and not is_in_node:
            raise ValueError(
                f'this is no record: "{text[max(0, at - 10) : at].strip()}" stands in no move'
            )
        if mark == ";":
            if is_in_node:
                yield node
            node, is_in_node = {}, True
        elif name is not None:
            values = node.setdefault("".join(filter(str.isupper, name)), [])
        elif value is not None:
            values.append(re.sub(r"\\(?:\r\n|\n|\r)|\\", "", value))
        elif mark == ")":
            break
    else:
        raise ValueError(f'this is no record at "{text[at : at + 20].strip()}"')
    yield node


def _size(text: str) -> int:
    columns, _, rows = text.strip().partition(":")
    size = int(columns) if re.fullmatch("[0-9]{1,2}", columns) else 0
    if not 0 < size <= len(COLUMNS) or (rows and rows != columns):
        raise ValueError(f'"{text[:20]}" is no size of a board of 1 to {len(COLUMNS)} lines')
    return size


def _komi(text: str) -> int | None:
    """Half points; None for what is no number of halves that a game may have."""
    try:
        halves = float(text) * 2
    except ValueError:
        return None
    return int(halves) if 0 < halves < 200 and halves % 2 == 1 else None


def _stones(root: dict[str, list[str]], size: int) -> Iterator[tuple[Seat, int]]:
    """The stones that are there before, each on a point of its own. Raises `ValueError`."""
    taken: set[int] = set()
    for name, seat in (("AB", 0), ("AW", 1)):
        for value in root.get(name, []):
            corner, _, other = value.strip().partition(":")
            first = _point(corner, size, name)
            last = _point(other, size, name) if other else first
            if first is None or last is None:
                raise ValueError(f'"{value[:20]}" is no point of {name}')
            for row in range(first // size, last // size + 1):
                for column in range(first % size, last % size + 1):
                    point = row * size + column
                    if point in taken:
                        raise ValueError(f"two stones lie on {point_name(point, size)} in {name}")
                    taken.add(point)
                    yield seat, point


def _point(value: str, size: int, where: str) -> int | None:
    """A point; None for a pass, which is empty, and "tt" in older records."""
    said = value.strip()
    if said in ("", "tt"):
        return None
    at = [COLUMNS.find(letter) for letter in said]
    if len(at) != 2 or not all(0 <= one < size for one in at):
        raise ValueError(f"{where}[{said[:20]}] is no point of {size} lines")
    return at[1] * size + at[0]


def _to_move(
    root: dict[str, list[str]], stones: list[Seat], moves: list[tuple[Seat, int | None]]
) -> Seat:
    """Who begins: who moves first, whom the record names, or white after stones for black."""
    if moves:
        return moves[0][0]
    said = root.get("PL", [""])[0].strip().upper()[:1]
    return "BW".find(said) if said and said in "BW" else int(0 in stones and 1 not in stones)
