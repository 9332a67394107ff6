"""Private notes: encrypted in an entry. Their author can read them at any time, everybody once the
author's root is revealed.

docs/format.md, section 16. The keystream is HMAC-SHA256 (RFC 2104) under a key from HKDF (RFC
5869); a commitment (SHA-256) comes after it.
"""

from __future__ import annotations

import hmac
from typing import NamedTuple

from pbem import FORMAT
from pbem.crypto import primitives
from pbem.fileformat.characters import first_forbidden
from pbem.fileformat.encoding import framed, tagged_hash

SIZES = (256, 1024, 4096)
"""Bytes of a padded text."""
COMMITMENT_SIZE = 32
"""Bytes of the commitment."""
LONGEST = SIZES[-1]
"""Bytes of a text in UTF-8."""
_TAG = f"{FORMAT} note"


class NotePlace(NamedTuple):
    """What a note is bound to: the game, the seat, the SHA-256 of the file before the entry, and
    the nonce of the entry."""

    game_id: bytes
    seat: str
    before: bytes
    nonce: bytes


def pad(text: str) -> bytes:
    """The text with zero bytes up to one of the sizes. Raises `ValueError` if it is empty or too
    long, or holds U+0000, which could not be told from the end."""
    data = text.encode()
    if b"\0" in data:
        raise ValueError("a note holds no U+0000")
    if not data or len(data) > LONGEST:
        raise ValueError(f"a note has 1 to {LONGEST} bytes, this one {len(data)}")
    return data.ljust(next(size for size in SIZES if size >= len(data)), b"\0")


def seal(root: bytes, place: NotePlace, padded_text: bytes) -> bytes:
    """The encrypted text and the commitment after it, as they stand in the entry."""
    key = _key(root, place)
    return xor(key, padded_text) + _commitment(key, place, padded_text)


def unseal(root: bytes, place: NotePlace, note: bytes) -> bytes | None:
    """The padded text of a note; None if the note was not sealed with this root."""
    key = _key(root, place)
    padded_text = xor(key, note[:-COMMITMENT_SIZE])
    return (
        padded_text
        if hmac.compare_digest(_commitment(key, place, padded_text), note[-COMMITMENT_SIZE:])
        else None
    )


def text_of(padded_text: bytes) -> str:
    """The text that `pad` was given; empty if these bytes are no text that a message may hold."""
    data = padded_text.rstrip(b"\0")
    if (
        not data
        or b"\0" in data
        or len(padded_text) != next((size for size in SIZES if size >= len(data)), 0)
    ):
        return ""
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return ""
    return text if first_forbidden(text) is None else ""


def _key(root: bytes, place: NotePlace) -> bytes:
    info = framed(_TAG.encode("ascii"), place.before, place.nonce)
    return primitives.hkdf_expand_sha256(root, info)


def xor(key: bytes, data: bytes) -> bytes:
    """The bytes under the keystream of this key: encrypted, or as they were."""
    blocks = (hmac.digest(key, i.to_bytes(8, "big"), "sha256") for i in range(-(-len(data) // 32)))
    stream = b"".join(blocks)[: len(data)]
    return (int.from_bytes(data, "big") ^ int.from_bytes(stream, "big")).to_bytes(len(data), "big")


def _commitment(key: bytes, place: NotePlace, padded_text: bytes) -> bytes:
    return tagged_hash(
        _TAG, place.game_id, place.seat.encode("ascii"), place.before, key, padded_text
    )
