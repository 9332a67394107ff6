"""Signatures of entries, and what was found true before (docs/format.md, section 3).

A signature is over every byte of the file before it. A `Verifier` remembers signatures and proofs
that were checked, so that nobody waits for the same check twice."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence

from pbem import FORMAT
from pbem.crypto import group, primitives
from pbem.errors import Forged, failing_as
from pbem.fileformat.encoding import framed
from pbem.fileformat.turnfile import Entry

SIGNATURE_TAG = f"{FORMAT} entry\n".encode("ascii")
"""Domain tag before the digest that a signature covers."""


@failing_as("signature")
def check_signature(verifier: Verifier, entry: Entry, key: bytes) -> None:
    """Raise `Forged` if the entry is not signed with this key, or the key is no canonical point of
    prime order."""
    if not group.is_point(key):
        raise Forged("the identity key is no point of prime order")
    verifier.once((b"signature", key, entry.signature, entry.digest), lambda: _verify(key, entry))


def _verify(key: bytes, entry: Entry) -> None:
    if not holds(key, SIGNATURE_TAG + entry.digest, entry.signature):
        raise Forged(f"the signature is not {entry.seat}'s for these bytes")


def holds(key: bytes, message: bytes, signature: bytes) -> bool:
    """Whether a signature of 64 bytes, R and s, is the key's for a message: the key is a canonical
    point of prime order, s is below L, and the encoding of sB - kA is R, byte for byte
    (docs/format.md, section 3).

    libsodium checks this equation, but refuses every R of small order before. Of these only the
    canonical neutral point can satisfy it, since sB - kA has prime order or none; there it says sB
    = kA. A libsodium that was built to be compatible with older ones takes an s above L, so s is
    compared here.
    """
    r, s = signature[: group.SIZE], int.from_bytes(signature[group.SIZE :], "little")
    if not group.is_point(key) or s >= group.ORDER:
        return False
    if r != group.IDENTITY:
        return primitives.is_signature(key, message, signature)
    k = int.from_bytes(hashlib.sha512(r + key + message).digest(), "little")
    return group.base(s) == group.mul(k, key)


CHECKS = b"pbem checks 1"
"""Stands in every statement. A release that mends a check takes the next number: then nothing that
the faulty one took for true is believed any longer."""
KEEP = 8192
"""Statements that a verifier keeps, about sixty games of sixty entries. The oldest are forgotten,
and if need be checked again."""


class Verifier:
    """Checks statements, each once. `known` are digests of statements that were found true
    before."""

    def __init__(self, known: Iterable[bytes] = ()) -> None:
        self._known = set(known)
        self.passed: dict[bytes, None] = {}
        """Digests of the statements that this verifier was asked for and found true or knew, the
        newest last."""

    def once(self, statement: Sequence[bytes], check: Callable[[], object]) -> None:
        """Run the check of a statement unless it passed before. What it raises is raised, and not
        remembered."""
        digest = hashlib.sha256(framed(CHECKS, *statement)).digest()
        if digest not in self.passed and digest not in self._known:
            check()
        self.passed.pop(digest, None)
        self.passed[digest] = None
        while len(self.passed) > KEEP:
            del self.passed[next(iter(self.passed))]
