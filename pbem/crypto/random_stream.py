"""Numbers that nobody chose: a stream of them from the witnesses' outputs (docs/format.md, section
6)."""

from __future__ import annotations

import hmac
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


class Stream:
    """The chance that belongs to one entry: HMAC-SHA256 blocks over the game id and a counter, read
    byte by byte.

    The key is the witnesses' VRF outputs, 64 bytes each, in the order of their seats. The counter
    is 8 bytes big-endian and starts at 0. A number below n is the next byte modulo n, bytes at or
    above the largest multiple of n that fits a byte being passed over, so that every number is
    equally likely.
    """

    def __init__(self, key: bytes, game_id: bytes) -> None:
        self._key = key
        self._game_id = game_id
        self._block = b""
        self.offset = 0
        """How many bytes were read so far."""

    def byte(self) -> int:
        """The next byte of the stream."""
        counter, place = divmod(self.offset, 32)
        if place == 0:
            self._block = hmac.digest(
                self._key, self._game_id + counter.to_bytes(8, "big"), "sha256"
            )
        self.offset += 1
        return self._block[place]

    def below(self, n: int) -> int:
        """A number from 0 to n - 1, for n from 1 to 256."""
        limit = 256 - 256 % n
        while (byte := self.byte()) >= limit:
            pass
        return byte % n

    def dice(self, number: int, sides: int = 6) -> tuple[int, ...]:
        """That many dice, each with so many sides, numbered from 1. Raises `ValueError` unless 2 to
        100 sides."""
        if not 2 <= sides <= 100:
            raise ValueError(f"a die has 2 to 100 sides, not {sides}")
        return tuple(self.below(sides) + 1 for _ in range(number))

    def pick(self, things: Sequence[T], number: int) -> tuple[T, ...]:
        """That many of the things in random order: each time the one at a random place among those
        left."""
        left = list(things)
        return tuple(left.pop(self.below(len(left))) for _ in range(number))
