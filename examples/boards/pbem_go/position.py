"""A board of Go: what a play takes, which plays repeat a board, and whose every point is.

Points are numbers, row by row from the upper left corner. A whole board is one number too, two bits
for each point, so that boards are compared at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

from engine.flow import Seat

LETTERS = "abcdefghjklmnopqrst"
"""Of the columns; "i" is left out, as on every board of Go."""


@lru_cache(maxsize=8)
def names(size: int) -> tuple[str, ...]:
    """What the points are called: a letter for the column, a number for the row from below."""
    return tuple(f"{LETTERS[point % size]}{size - point // size}" for point in range(size**2))


def point_at(name: str, size: int) -> int:
    """The point of a name. Raises `ValueError` where there is none."""
    return names(size).index(name)


@lru_cache(maxsize=8)
def beside(size: int) -> tuple[tuple[int, ...], ...]:
    """The points beside each one."""
    return tuple(
        tuple(
            (row + down) * size + column + right
            for right, down in ((1, 0), (-1, 0), (0, 1), (0, -1))
            if 0 <= row + down < size and 0 <= column + right < size
        )
        for row in range(size)
        for column in range(size)
    )


def star_points(size: int) -> tuple[int, ...]:
    """The nine points with a dot, in the order in which stones are put there that one is given
    before: corners, the sides, and the middle."""
    near = 2 if size < 13 else 3
    far, middle = size - 1 - near, size // 2
    spots = (
        *((far, near), (near, far), (far, far), (near, near)),
        *((near, middle), (far, middle), (middle, near), (middle, far)),
        (middle, middle),
    )
    return tuple(row * size + column for column, row in spots)


class Group:
    """Stones of one colour that hang together, and the empty points beside them."""

    def __init__(self, stones: frozenset[int], free: frozenset[int]) -> None:
        self.stones = stones
        self.free = free
        self.code = sum(3 << 2 * point for point in stones)


class Board:
    """The stones by point: the seat whose stone it is."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.stones: dict[int, Seat] = {}
        self.code = 0

    def put(self, point: int, seat: Seat) -> None:
        self.stones[point] = seat
        self.code |= (seat + 1) << 2 * point

    def take(self, points: Iterable[int]) -> None:
        for point in points:
            del self.stones[point]
            self.code &= ~(3 << 2 * point)

    def groups(self) -> dict[int, Group]:
        """The group of each stone."""
        around, found = beside(self.size), dict[int, Group]()
        for start, seat in self.stones.items():
            if start in found:
                continue
            stones, free, waiting = {start}, set[int](), [start]
            for point in waiting:
                for other in around[point]:
                    owner = self.stones.get(other)
                    if owner is None:
                        free.add(other)
                    elif owner == seat and other not in stones:
                        stones.add(other)
                        waiting.append(other)
            found |= dict.fromkeys(stones, Group(frozenset(stones), frozenset(free)))
        return found

    def taken_by(self, seat: Seat, point: int, groups: Mapping[int, Group]) -> list[Group]:
        """The groups that go when a seat plays there: the other's that have no free point left;
        where there are none, its own, without the stone itself, if it has none left either."""
        mine, theirs, is_free = list[Group](), list[Group](), False
        for other in beside(self.size)[point]:
            owner = self.stones.get(other)
            if owner is None:
                is_free = True
            elif owner == seat:
                mine.append(groups[other])
            elif len(groups[other].free) == 1 and groups[other] not in theirs:
                theirs.append(groups[other])
        if theirs:
            return theirs
        if is_free or any(len(group.free) > 1 for group in mine):
            return []
        return [Group(frozenset({point}).union(*(group.stones for group in mine)), frozenset())]

    def code_after(self, seat: Seat, point: int, taken: Iterable[Group]) -> int:
        """The board after a play, as a number."""
        code = self.code | (seat + 1) << 2 * point
        for group in taken:
            code &= ~group.code
        return code

    def owners(self) -> dict[int, Seat]:
        """Whose each point is: that of a stone, and an empty one that only stones of one colour
        can be reached from."""
        around, owned = beside(self.size), dict(self.stones)
        seen: set[int] = set()
        for start in range(self.size**2):
            if start in self.stones or start in seen:
                continue
            seen.add(start)
            region, borders = [start], set[Seat]()
            for point in region:
                for other in around[point]:
                    if other in self.stones:
                        borders.add(self.stones[other])
                    elif other not in seen:
                        seen.add(other)
                        region.append(other)
            if len(borders) == 1:
                owned |= dict.fromkeys(region, borders.pop())
        return owned
