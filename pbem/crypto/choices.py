"""Sealed choices: one answer of a public list, which everybody reads when its author opens it or
their root is known.

docs/format.md, section 19. Only HKDF (RFC 5869) and SHA-256 as a commitment.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from pbem import FORMAT
from pbem.crypto import primitives
from pbem.fileformat.encoding import framed, tagged_hash

_TAG = f"{FORMAT} choice"


class ChoicePlace(NamedTuple):
    """Where a choice was sealed: in which game, by which seat, after which bytes (their SHA-256),
    in the entry with which nonce, and the how manieth of that entry, from 0."""

    game_id: bytes
    seat: str
    before: bytes
    nonce: bytes
    number: int


def salt_of(root: bytes, place: ChoicePlace) -> bytes:
    """The salt, 32 bytes, that follows from the author's root."""
    info = framed(_TAG.encode("ascii"), place.before, place.nonce, str(place.number).encode())
    return primitives.hkdf_expand_sha256(root, info)


def commitment(place: ChoicePlace, salt: bytes, words: str) -> bytes:
    """The 32 bytes that stand for the words of an answer until it is opened."""
    seat, index = place.seat.encode("ascii"), str(place.number).encode()
    return tagged_hash(_TAG, place.game_id, seat, place.before, index, salt, words.encode())


def seal(root: bytes, place: ChoicePlace, words: str) -> bytes:
    """What stands in the entry."""
    return commitment(place, salt_of(root, place), words)


def find_words(root: bytes, place: ChoicePlace, value: bytes, options: Iterable[str]) -> str | None:
    """Which of these words were sealed, for whoever has the root; None if it is none of them."""
    salt = salt_of(root, place)
    return next((words for words in options if commitment(place, salt, words) == value), None)


def root_digest(game_id: bytes, seat: str, root: bytes) -> bytes:
    """What a first entry says of the root from which its seat's salts follow."""
    return tagged_hash(f"{FORMAT} root-digest", game_id, seat.encode("ascii"), root)
