"""Chance and the clock held still: what a program would take from the system follows from a
seed."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from unittest.mock import patch

from pbem.home import clock
from pbem.league import direct
from pbem.seek import write
from pbem.turn import joining, take_turn


class FixedClock:
    """In place of `datetime`: it is always the same moment."""

    @staticmethod
    def now(_zone: object) -> datetime:
        return datetime(2026, 11, 21, 9, 30, tzinfo=UTC)


class FixedRandom:
    """In place of the system's random bytes: they follow from a seed."""

    def __init__(self, seed: str) -> None:
        self._source = random.Random(seed)

    def token_bytes(self, size: int) -> bytes:
        return self._source.randbytes(size)

    def getstate(self) -> object:
        """Where the bytes stand, for `setstate` to go back to."""
        return self._source.getstate()

    def setstate(self, state: object) -> None:
        self._source.setstate(state)  # type: ignore[arg-type]


@contextmanager
def fixed(chance: FixedRandom) -> Iterator[None]:
    """Inside, nonces come from here, every entry has the same date, and new games are as they were
    before their end could be signed: so what is kept of them stays byte for byte."""
    with (
        patch.object(joining, "random_source", chance),
        patch.object(joining, "CLOSING", False),
        patch.object(take_turn, "random_source", chance),
        patch.object(write, "random_source", chance),
        patch.object(direct, "random_source", chance),
        patch.object(clock, "datetime", FixedClock),
    ):
        yield
