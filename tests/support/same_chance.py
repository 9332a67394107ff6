"""The same chance with each run: what a program would take from the system follows from the name of
the test.

Nonces and new identities decide every die and every shuffle of a game. Taken from the system they
would give each run of the tests other games, and one in a thousand would end before a test has seen
what it looks for. So in the processes of the tests they come from a seed, and an entry's date,
which goes into the dice too, is always the same. Programs that tests start are not concerned, nor
is a test that brings chance or a clock of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from pbem.home import clock, make_identity
from pbem.turn import joining, take_turn
from tests.support.fixed import FixedClock, FixedRandom


class SeededRandom(FixedRandom):
    """Random bytes from a seed that can be changed."""

    def seed(self, seed: str) -> None:
        """From here on, those of this seed."""
        self._source.seed(seed)


CHANCE = SeededRandom("tests")


def new_seed() -> bytes:
    """The seed of an identity key that nothing else has: the next one of this test."""
    return CHANCE.token_bytes(32)


@contextmanager
def other_chance(seed: str) -> Iterator[None]:
    """Inside, chance follows from this seed; afterwards it goes on as if nothing had been."""
    state = CHANCE.getstate()
    CHANCE.seed(seed)
    try:
        yield
    finally:
        CHANCE.setstate(state)


def install() -> None:
    """From now on, in this process."""
    joining.random_source = make_identity.random_source = take_turn.random_source = CHANCE  # type: ignore[assignment]
    clock.datetime = FixedClock  # type: ignore[assignment,misc]
