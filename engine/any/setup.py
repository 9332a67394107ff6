"""A setup: what the players of a game have of dice, rolls and counters. It is one text, which
stands in the invitation, so nothing of it changes once the game is begun."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final, NamedTuple

from engine.any.dice import Dice, Die, plain_die
from engine.flow import Seat

MOST_SEATS: Final = 8
NUMBERED: Final = (
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
)
"""The seats of a game without a setup."""
USUAL_DICE: Final[Mapping[str, Die]] = MappingProxyType(
    {die.name: die for die in map(plain_die, (6, 4, 8, 10, 12, 20, 100))}
)
"""The dice of a game whose setup names none."""
EVERYBODY: Final[Seat] = -1


class NamedRoll(NamedTuple):
    """A roll by name; with dice it is always thrown with them."""

    name: str
    dice: Dice | None = None


class Counter(NamedTuple):
    """A number that stands on the table: of each player, of one, or of everybody (`owners` is then
    `EVERYBODY` alone)."""

    name: str
    least: int
    most: int
    start: int
    owners: tuple[Seat, ...]


@dataclass(frozen=True)
class Setup:
    """What a game is played with. Names are small letters, and no two of them are alike."""

    seats: tuple[str, ...]
    title: str = ""
    first: Seat = 0
    dice: Mapping[str, Die] = field(default_factory=lambda: USUAL_DICE)
    rolls: tuple[NamedRoll, ...] = ()
    counters: tuple[Counter, ...] = ()
    given: bool = False
    """Whether the players brought it; else it is what every game has."""

    def roll(self, name: str) -> NamedRoll | None:
        return next((one for one in self.rolls if one.name == name), None)

    def counter(self, name: str) -> Counter | None:
        return next((one for one in self.counters if one.name == name), None)

    def counted(self) -> Iterator[tuple[int, Seat]]:
        """Each number that stands on the table: the counter and whose it is."""
        for number, counter in enumerate(self.counters):
            for owner in counter.owners:
                yield number, owner


def without_setup(players: int) -> Setup:
    """What a game has for which nothing was written: dice, and whose turn it is."""
    return Setup(NUMBERED[:players])
