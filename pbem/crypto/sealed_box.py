"""A box with the drawer's own shares, which only the drawer's partner can open (libsodium's sealed
box).

The partner opens it with a key made for this game only, checks the proof like that of any shares,
and reads the card as soon as the drawer can. The ephemeral key of the box is derived, not drawn, so
that an entry written again is the same; the format is that of `crypto_box_seal`, and libsodium
opens it.

A box holds, for each card, its position and its name's index (2 bytes each, big-endian; 65535: the
drawer cannot read it yet) and the share; then the proof of all shares. All cards are equally long:
the length tells only how many.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import NamedTuple

from pbem.crypto import primitives
from pbem.crypto.decryption_shares import SHARES_PROOF_SIZE, Shares, check_shares
from pbem.crypto.elgamal import Pile
from pbem.crypto.group import SIZE, ProofError
from pbem.crypto.randomness import DerivedRandom

_OVERHEAD = SIZE + primitives.BOX_OVERHEAD
_UNKNOWN = 0xFFFF
_RECORD = 4 + SIZE
_FIELD = 2**255 - 19


class BoxedCard(NamedTuple):
    """One card in a box. `card` is the index of the card's name as the drawer states it, None if
    the drawer cannot read it yet; what the card is follows from the shares alone."""

    position: int
    card: int | None
    share: bytes


def box_keys(randomness: DerivedRandom) -> tuple[bytes, bytes]:
    """Secret and public X25519 key of a seat for this game."""
    secret = randomness.block(b"box key")[:32]
    return secret, primitives.x25519_public_key(secret)


def check_box_key(public: bytes) -> None:
    """Check the public key of a partner: one spelling, and a point a secret can be agreed with."""
    if len(public) != SIZE:
        raise ProofError(f"the key for boxes has {len(public)} bytes instead of {SIZE}")
    if int.from_bytes(public, "little") >= _FIELD:
        raise ProofError("the key for boxes is not written in its one spelling")
    try:
        primitives.x25519(b"\x01" * SIZE, public)
    except primitives.InvalidPoint as error:
        raise ProofError("the key for boxes is of small order") from error


def seal_box(
    ctx: bytes,
    partner: bytes,
    cards: Sequence[tuple[int, int | None]],
    shares: Shares,
    randomness: DerivedRandom,
) -> bytes:
    """Box for the partner's (checked) key: `cards` are positions with the card if it is known,
    `shares` the drawer's own shares for these positions, made with the same `ctx`."""
    records = [
        position.to_bytes(2, "big")
        + (_UNKNOWN if card is None else card).to_bytes(2, "big")
        + share
        for (position, card), share in zip(cards, shares.points, strict=True)
    ]
    content = b"".join(records) + shares.proof
    once = randomness.bind(b"box", ctx, partner, content).block(b"ephemeral")[:32]
    public = primitives.x25519_public_key(once)
    nonce = hashlib.blake2b(public + partner, digest_size=primitives.BOX_NONCE).digest()
    return public + primitives.box(content, nonce, partner, once)


def box_size(cards: int) -> int:
    """Bytes of a box: what anybody can check without opening it."""
    return _OVERHEAD + _RECORD * cards + SHARES_PROOF_SIZE


def open_box(
    ctx: bytes, secret: bytes, key: bytes, pile: Pile, positions: Sequence[int], box: bytes
) -> list[BoxedCard]:
    """The cards shown at `positions` (exactly these, in this order) by the seat with the public key
    `key` of the joint encryption. `secret` is one's own of `box_keys`. Raises `ProofError`."""
    if len(box) != box_size(len(positions)):
        raise ProofError(
            f"a box for {len(positions)} cards has {box_size(len(positions))} bytes, not {len(box)}"
        )
    content = primitives.open_sealed_box(box, secret)
    if content is None:
        raise ProofError("the box cannot be opened with this key, or was tampered with")
    cards = [
        _record(content[start : start + _RECORD])
        for start in range(0, _RECORD * len(positions), _RECORD)
    ]
    if [card.position for card in cards] != list(positions):
        raise ProofError("the box holds other positions than those drawn")
    shares = Shares(tuple(card.share for card in cards), content[-SHARES_PROOF_SIZE:])
    check_shares(ctx, key, pile, positions, shares)
    return cards


def _record(data: bytes) -> BoxedCard:
    card = int.from_bytes(data[2:4], "big")
    return BoxedCard(int.from_bytes(data[:2], "big"), None if card == _UNKNOWN else card, data[4:])
