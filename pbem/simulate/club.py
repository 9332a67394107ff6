"""Who plays a simulated game by mail, and when they write.

Without anything else the players of each game are strangers of their own, and time stands still.
The games of a library (`pbem simulate --keep`) are those of a club: the same people meet again and
again, and take hours or days to answer, so that questions about players and dates have something to
count.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import repeat

from engine.flow import Seat
from pbem.fileformat.encoding import framed

MEMBERS = 40
"""Players of a club."""
SLOWEST = 72
"""Hours after which even the slowest answer has come."""
_FORMAT = "%Y-%m-%dT%H:%M:%SZ"
_BEGAN = datetime(2000, 1, 1)


@dataclass(frozen=True)
class Person:
    """Somebody who plays: the name that their first entry tells, and the 32 bytes of their identity
    key."""

    name: str
    seed: bytes


@dataclass(frozen=True)
class Meeting:
    """The players of one game by seat, and the dates of its entries, as many as are asked for."""

    people: tuple[Person, ...]
    dates: Iterator[str]


def derived_bytes(seed: str, name: str) -> bytes:
    """32 bytes of a simulation, never of a real game: whoever knows the seed knows them."""
    return hashlib.sha256(framed(b"pbem simulation", seed.encode(), name.encode())).digest()


def stranger(seed: str, seat: Seat) -> Person:
    """Somebody who plays the one game of this seed, in this seat."""
    return Person(f"Player {seat + 1}", derived_bytes(seed, f"identity {seat}"))


def strangers(seed: str, seats: int) -> Meeting:
    """Players who play this one game; all its entries have the same date."""
    return Meeting(
        tuple(stranger(seed, seat) for seat in range(seats)), repeat(_BEGAN.strftime(_FORMAT))
    )


def members(seed: str, number: int, seats: int) -> Meeting:
    """Members of the club of a series, drawn at random for the game with this number. Games begin
    an hour apart."""
    chance = random.Random(f"{seed}/club/{number}").random
    left = list(range(1, MEMBERS + 1))
    drawn = [left.pop(int(chance() * len(left))) for _ in range(seats)]
    people = [
        Person(f"Player {member}", derived_bytes(f"{seed}/club", f"member {member}"))
        for member in drawn
    ]
    return Meeting(tuple(people), _dates(_BEGAN + timedelta(hours=number), chance))


def _dates(began: datetime, chance: Callable[[], float]) -> Iterator[str]:
    date = began
    while True:
        yield date.strftime(_FORMAT)
        date += timedelta(seconds=1 + int(chance() * SLOWEST * 3600))
