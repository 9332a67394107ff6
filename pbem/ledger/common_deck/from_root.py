"""What a seat does with the common deck, computed from its root: keys, layer, shares, boxes.

docs/format.md, section 13. Every secret value follows from the root and the statement it is used in
(`pbem.crypto.derived_random`). So an entry that is written again comes out the same, and everybody recomputes all of it
when the root is revealed.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from engine.cards import number_of
from engine.flow import Handle, Seat
from pbem.crypto import elgamal, sealed_box, shuffle_proof
from pbem.crypto.decryption_shares import Shares, make_shares
from pbem.crypto.derived_random import DerivedRandom
from pbem.crypto.elgamal import Pair
from pbem.errors import Forged
from pbem.ledger.common_deck.deck import CommonDeck
from pbem.ledger.common_deck.joining import DeckKeys, Joined


class DeckSecrets(NamedTuple):
    """A seat's part of the secret key, and its secret key for boxes."""

    derived: DerivedRandom
    x: int
    box: bytes
    public: DeckKeys


@lru_cache(maxsize=64)
def secrets_of(root: bytes) -> DeckSecrets:
    """Everything secret about the common deck that follows from a seat's root."""
    derived = DerivedRandom(root, b"common deck")
    x = elgamal.seat_secret(derived)
    box, public = sealed_box.box_keys(derived)
    return DeckSecrets(derived, x, box, DeckKeys(elgamal.seat_key(x), public))


def own_shares(deck: CommonDeck, ctx: bytes, handles: Sequence[Handle], root: bytes) -> Shares:
    """The seat's shares for these cards, with the proof."""
    secret = secrets_of(root)
    return make_shares(ctx, secret.x, deck.pile, [number_of(handle) - 1 for handle in handles], secret.derived)


def make_box(deck: CommonDeck, ctx: bytes, handles: Sequence[Handle], root: bytes, partner: Seat) -> bytes:
    """The box for a partner. It never says which card it is: the shares do."""
    shown = [(number_of(handle) - 1, None) for handle in handles]
    shares = own_shares(deck, ctx, handles, root)
    return sealed_box.seal_box(ctx, deck.keys[partner].box, shown, shares, secrets_of(root).derived)


def check_root(deck: CommonDeck, seat: Seat, root: bytes) -> None:
    """Check that the root gives all this seat did with the deck: keys, shuffle, boxes. Raises `Forged`."""
    secret = secrets_of(root)
    if secret.public.key != deck.keys[seat].key:
        raise Forged("the root does not give the key for the common deck")
    if deck.keys[seat].box and secret.public.box != deck.keys[seat].box:
        raise Forged("the root does not give the key for boxes")
    for joined in deck.joined:
        if joined.seat == seat and _layered(joined, root) != joined.after:
            raise Forged("the root does not give the shuffle of the common deck")
    for box in deck.boxes:
        if box.seat == seat and make_box(deck, box.ctx, box.handles, root, box.partner) != box.data:
            raise Forged(f"the root does not give the box of entry {box.number}: the partner was shown something else")


@lru_cache(maxsize=64)
def _layered(joined: Joined, root: bytes) -> tuple[Pair, ...]:
    """The pile that follows from this root and what the seat started from."""
    secret, step = secrets_of(root), joined.step
    order, rhos = shuffle_proof.arrange(step, secret.derived)
    return tuple(elgamal.add_layer(secret.x, step.joint, step.pile, order, rhos))
