"""The signature of an entry: over every byte of the file before it (docs/format.md, section 3)."""

from __future__ import annotations

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from pbem import FORMAT
from pbem.crypto import group
from pbem.errors import Forged, failing_as
from pbem.fileformat.turnfile import Entry
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
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(entry.signature, SIGNED + entry.digest)
    except InvalidSignature as error:
        raise Forged(f"the signature is not {entry.seat}'s for these bytes") from error
