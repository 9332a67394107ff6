"""The signature of an entry: over every byte of the file before it (docs/format.md, section 3)."""

from __future__ import annotations

import hashlib

from pbem import FORMAT
from pbem.crypto import group, primitives
from pbem.errors import Forged, failing_as
from pbem.fileformat.entries import Entry
from pbem.ledger.verifier import Verifier

SIGNED = f"{FORMAT} entry\n".encode("ascii")
"""Domain tag before the digest that a signature covers."""


@failing_as("signature")
def check_signature(verifier: Verifier, entry: Entry, key: bytes) -> None:
    """Raise `Forged` if the entry is not signed with this key, or the key is no canonical point of prime order."""
    if not group.is_point(key):
        raise Forged("the identity key is no point of prime order")
    verifier.once((b"signature", key, entry.signature, entry.digest), lambda: _verify(key, entry))


def _verify(key: bytes, entry: Entry) -> None:
    if not holds(key, SIGNED + entry.digest, entry.signature):
        raise Forged(f"the signature is not {entry.seat}'s for these bytes")


def holds(key: bytes, message: bytes, signature: bytes) -> bool:
    """Whether a signature of 64 bytes, R and s, is the key's for a message: the key is a canonical point of prime
    order, s is below L, and the encoding of sB - kA is R, byte for byte (docs/format.md, section 3).

    libsodium checks this equation, but refuses every R of small order before. Of these only the canonical neutral point
    can satisfy it, since sB - kA has prime order or none; there it says sB = kA. A libsodium that was built to be
    compatible with older ones takes an s above L, so s is compared here.
    """
    r, s = signature[: group.SIZE], int.from_bytes(signature[group.SIZE :], "little")
    if not group.is_point(key) or s >= group.ORDER:
        return False
    if r != group.IDENTITY:
        return primitives.is_signature(key, message, signature)
    k = int.from_bytes(hashlib.sha512(r + key + message).digest(), "little")
    return group.base(s) == group.mul(k, key)
