"""Sealed texts: plans that a player commits to and opens when they like, one by one. Everybody can
read one once its key is published, or once its author's root is known.

docs/format.md, section 23. As for private notes (`pbem.crypto.notes`) the keystream is HMAC-SHA256
(RFC 2104) under a key from HKDF (RFC 5869), and a commitment (SHA-256) to key and text comes after
it: so no other key opens the same bytes to another text."""

from __future__ import annotations

import hmac
from typing import NamedTuple

from pbem import FORMAT
from pbem.crypto import notes, primitives
from pbem.fileformat.encoding import framed, tagged_hash

LONGEST = 256
"""Bytes of a text in UTF-8, and of every padded one: so nobody sees how long it is."""
COMMITMENT_SIZE = 32
SIZE = LONGEST + COMMITMENT_SIZE
"""Bytes of a sealed text."""
_TAG = f"{FORMAT} plan"


class PlanPlace(NamedTuple):
    """What a sealed text is bound to: the game, the seat, the SHA-256 of the file before the entry,
    the nonce of the entry, and which of the seat's sealed texts in this game it is, from 1."""

    game_id: bytes
    seat: str
    before: bytes
    nonce: bytes
    number: int


def pad(text: str) -> bytes:
    """The text with zero bytes up to `LONGEST`. Raises `ValueError` if it is empty or too long, has
    several lines, or holds U+0000, which could not be told from the end."""
    data = text.encode()
    if b"\0" in data or b"\n" in data:
        raise ValueError("a plan is one line, without U+0000")
    if not data or len(data) > LONGEST:
        raise ValueError(f"a plan has 1 to {LONGEST} bytes, this one {len(data)}")
    return data.ljust(LONGEST, b"\0")


def text_of(padded_text: bytes) -> str:
    """The text that `pad` was given; empty if these bytes are no line that a message may hold."""
    text = notes.text_of(padded_text)
    return "" if "\n" in text else text


def key_of(root: bytes, place: PlanPlace) -> bytes:
    """The key of a sealed text, 32 bytes, which is published to open it. It tells nothing about the
    root or another key. Two versions of an entry have other nonces, and so other keys."""
    info = framed(_TAG.encode("ascii"), place.before, place.nonce, str(place.number).encode())
    return primitives.hkdf_expand_sha256(root, info)


def seal(root: bytes, place: PlanPlace, padded_text: bytes) -> bytes:
    """The encrypted text and the commitment after it, as they stand in the entry."""
    key = key_of(root, place)
    return notes.xor(key, padded_text) + _commitment(key, place, padded_text)


def unseal(key: bytes, place: PlanPlace, sealed: bytes) -> bytes | None:
    """The padded text under this key; None if it was sealed with another one, or elsewhere."""
    padded_text = notes.xor(key, sealed[:-COMMITMENT_SIZE])
    bound = _commitment(key, place, padded_text)
    return padded_text if hmac.compare_digest(bound, sealed[-COMMITMENT_SIZE:]) else None


def _commitment(key: bytes, place: PlanPlace, padded_text: bytes) -> bytes:
    seat, number = place.seat.encode("ascii"), str(place.number).encode()
    return tagged_hash(_TAG, place.game_id, seat, place.before, number, key, padded_text)
