"""Random values of a game (docs/format.md, sections 5 and 6): the secrets of one player, and the
chance that nobody chose.

A player's secrets in a game are derived from their identity key, so nothing but the key has to be
kept. Chance is a stream of numbers made from the VRF outputs of all witnesses."""

from __future__ import annotations

import hmac
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from pbem import FORMAT
from pbem.crypto import primitives
from pbem.crypto.group import ORDER, number
from pbem.fileformat.encoding import framed


@dataclass(frozen=True, slots=True, repr=False)
class SeatSecrets:
    """The secrets of a seat: the seed of its VRF key, for chance, and the root of its decks, which
    it reveals when the game is over."""

    vrf_seed: bytes
    root: bytes


def derive(identity_seed: bytes, game_id: bytes, seat: str, nonce: bytes) -> SeatSecrets:
    """The secrets of one seat in one game (HKDF-SHA256, RFC 5869). `nonce` is that of the player's
    own first entry, `identity_seed` the 32 bytes of the Ed25519 private key."""

    def secret(name: str) -> bytes:
        info = framed(f"{FORMAT} {name}".encode(), seat.encode(), nonce)
        return primitives.hkdf_sha256(identity_seed, game_id, info)

    return SeatSecrets(vrf_seed=secret("vrf"), root=secret("root"))


def from_root(root: bytes, name: str, *parts: str) -> bytes:
    """A secret of a deck, 32 bytes: the key of its order, the salt of one card, or the key that
    orders equal cards. `name` and `parts` say which."""
    info = framed(f"{FORMAT} {name}".encode(), *(part.encode() for part in parts))
    return primitives.hkdf_expand_sha256(root, info)


_TAG = b"pbem/1 coins"


class DerivedRandom:
    """Secret values that follow from one secret; each is named by a label and a number."""

    __slots__ = ("_key",)

    def __init__(self, secret: bytes, *purpose: bytes) -> None:
        """`secret` is at least 32 bytes that nobody else knows. The key is 64 bytes of HKDF-SHA512
        (RFC 5869), without salt, with the framed tag and purpose as info. Raises `ValueError` for a
        shorter secret."""
        if len(secret) < 32:
            raise ValueError("a secret has at least 32 bytes")
        self._key = primitives.hkdf_sha512(secret, framed(_TAG, *purpose))

    def bind(self, *statement: bytes) -> DerivedRandom:
        """The random values that are bound to this statement and to no other."""
        return DerivedRandom(self._key, *statement)

    def block(self, label: bytes, index: int = 0) -> bytes:
        """64 bytes: HMAC-SHA512 over label and number, framed."""
        return hmac.digest(self._key, framed(label, number(index)), "sha512")

    def scalar(self, label: bytes, index: int = 0) -> int:
        """A scalar, never zero; 512 bits reduced, so no value is noticeably more likely."""
        return int.from_bytes(self.block(label, index), "little") % (ORDER - 1) + 1

    def scalars(self, label: bytes, count: int) -> list[int]:
        """`count` scalars, numbered from 0."""
        return [self.scalar(label, index) for index in range(count)]

    def permutation(self, size: int) -> list[int]:
        """Every order of 0 … size - 1 equally likely (Fisher and Yates): place i is swapped with
        one from i on."""
        order = list(range(size))
        for i in range(size - 1):
            j = i + self.scalar(b"permutation", i) % (size - i)
            order[i], order[j] = order[j], order[i]
        return order

    def __repr__(self) -> str:
        return "DerivedRandom(secret)"


T = TypeVar("T")


class Stream:
    """The chance of one entry: HMAC-SHA256 blocks over the game id and a counter, read byte by
    byte.

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
        """The number of bytes read so far."""

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
