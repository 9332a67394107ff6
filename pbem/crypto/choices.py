"""Sealed choices: a player commits to one answer of a public list. Everybody can read it once its
author opens it, or once the author's root is known.

docs/format.md, section 19. The commitment is SHA-256, and its salt comes from HKDF (RFC 5869).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from pbem import FORMAT
from pbem.crypto import primitives
from pbem.fileformat.encoding import framed, tagged_hash

_TAG = f"{FORMAT} choice"


class ChoicePlace(NamedTuple):
    """What a sealed choice is bound to: the game, the seat, the SHA-256 of the file before the
    entry, the nonce of the entry, and the number of the choice in that entry, from 0."""

    game_id: bytes
    seat: str
    before: bytes
    nonce: bytes
    number: int


def salt_of(root: bytes, place: ChoicePlace) -> bytes:
    """The salt of a choice, 32 bytes, derived from its author's root."""
    info = framed(_TAG.encode("ascii"), place.before, place.nonce, str(place.number).encode())
    return primitives.hkdf_expand_sha256(root, info)


def commitment(place: ChoicePlace, salt: bytes, words: str) -> bytes:
    """The 32 bytes that stand for the words of an answer until it is opened."""
    seat, index = place.seat.encode("ascii"), str(place.number).encode()
    return tagged_hash(_TAG, place.game_id, seat, place.before, index, salt, words.encode())


def seal(root: bytes, place: ChoicePlace, words: str) -> bytes:
    """The commitment, 32 bytes, that stands in the entry."""
    return commitment(place, salt_of(root, place), words)


def find_words(root: bytes, place: ChoicePlace, value: bytes, options: Iterable[str]) -> str | None:
    """Find which of `options` were sealed as `value`, with the author's root; None if none was."""
    salt = salt_of(root, place)
    return next((words for words in options if commitment(place, salt, words) == value), None)


def root_digest(game_id: bytes, seat: str, root: bytes) -> bytes:
    """The digest of a seat's root, 32 bytes, which stands in its first entry."""
    return tagged_hash(f"{FORMAT} root-digest", game_id, seat.encode("ascii"), root)
