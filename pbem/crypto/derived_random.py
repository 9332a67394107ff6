"""Random values that only one player can compute, and can compute again.

Everything secret about the shared deck (keys, permutations, nonces of proofs) comes from here. A
value depends on the player's secret and on all that it is used for: whoever uses a stream binds it
first to the statement at hand, so that no nonce ever serves two statements, and an entry that is
written again comes out the same.
"""

from __future__ import annotations

import hmac

from pbem.crypto import primitives
from pbem.crypto.group import ORDER, number
from pbem.fileformat.encoding import framed

_TAG = b"pbem/1 coins"


class DerivedRandom:
    """A stream of secret values, found by label and number."""

    __slots__ = ("_key",)

    def __init__(self, secret: bytes, *purpose: bytes) -> None:
        """The stream of a secret (at least 32 bytes that nobody else knows) for a purpose: a
        64-byte key by HKDF-SHA512 (RFC 5869) with no salt and the tag and the purpose, framed, as
        info."""
        if len(secret) < 32:
            raise ValueError("a secret has at least 32 bytes")
        self._key = primitives.hkdf_sha512(secret, framed(_TAG, *purpose))

    def bind(self, *statement: bytes) -> DerivedRandom:
        """Another stream, for this statement only."""
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
