"""The common deck as one player's program sees it: what he owes, what he can read, what his root proves in the end.

docs/format.md, section 13. Every secret value follows from the seat's root and the statement it is used in
(`pbem.crypto.derived_random`), so an entry that is written again comes out the same, and everybody can
recompute all of it when the root is revealed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from engine.cards import number_of, write_handle
from engine.flow import Card, Handle, Seat
from pbem.crypto import elgamal, sealed_box, shuffle_proof
from pbem.crypto.decryption_shares import Shares, card_table, make_shares, read_card
from pbem.crypto.derived_random import Coins
from pbem.crypto.elgamal import Pair
from pbem.crypto.group import ProofError, mul
from pbem.errors import Forged
from pbem.ledger.common_deck.deck import Boxed, CommonDeck
from pbem.ledger.common_deck.joining import DeckKeys, Joined


class DeckSecrets(NamedTuple):
    """A seat's part of the secret key, and its secret key for boxes."""

    coins: Coins
    x: int
    box: bytes
    public: DeckKeys


@lru_cache(maxsize=64)
def secrets_of(root: bytes) -> DeckSecrets:
    """Everything secret about the common deck that follows from a seat's root."""
    coins = Coins(root, b"common deck")
    x = elgamal.secret_key(coins)
    box, public = sealed_box.box_keys(coins)
    return DeckSecrets(coins, x, box, DeckKeys(elgamal.public_key(x), public))


def own_shares(deck: CommonDeck, ctx: bytes, handles: Sequence[Handle], root: bytes) -> Shares:
    """The seat's shares for these cards, with the proof."""
    secret = secrets_of(root)
    return make_shares(ctx, secret.x, deck.pile, [number_of(handle) - 1 for handle in handles], secret.coins)


def make_box(deck: CommonDeck, ctx: bytes, handles: Sequence[Handle], root: bytes, partner: Seat) -> bytes:
    """The box for a partner. It never says which card it is: the shares do."""
    shown = [(number_of(handle) - 1, None) for handle in handles]
    shares = own_shares(deck, ctx, handles, root)
    return sealed_box.seal(ctx, deck.keys[partner].box, shown, shares, secrets_of(root).coins)


@dataclass(slots=True)
class Known:
    """What a player can read: his cards and those his partners show him, his own share for each of his cards, and what
    is wrong with a partner's box, which he alone can tell until the roots are revealed."""

    faces: dict[Handle, Card] = field(default_factory=dict)
    own: dict[Handle, bytes] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)


def read_cards(deck: CommonDeck, seat: Seat, root: bytes) -> Known:
    """Every card that this seat can read from the file and its own root."""
    known, x = Known(), secrets_of(root).x
    held = {
        handle: share for box in deck.boxes if box.partner == seat for handle, share in _opened(deck, box, root, known)
    }
    table = _table(deck.cards)
    for handle, drawer in deck.drawers.items():
        if drawer != seat and handle not in held:
            continue
        given = {**deck.shares[handle], seat: _own_share(x, deck.pair(handle).a)}
        if drawer == seat:
            known.own[handle] = given[seat]
        else:
            given[drawer] = held[handle]
        if len(given) == len(deck.keys):
            known.faces[handle] = read_card(deck.pair(handle), list(given.values()), table)
    return known


def _opened(deck: CommonDeck, box: Boxed, root: bytes, known: Known) -> list[tuple[Handle, bytes]]:
    positions = tuple(number_of(handle) - 1 for handle in box.handles)
    secret = secrets_of(root).box
    try:
        shares = _open_box(box.ctx, secret, deck.keys[box.seat].key, deck.pile, positions, box.data)
    except ProofError as error:
        backs = ", ".join(write_handle(deck.decks, handle) for handle in box.handles)
        known.warnings.append(f"entry {box.number}: {deck.seats[box.seat]} does not show you {backs}: {error}")
        return []
    return list(zip(box.handles, shares, strict=True))


@lru_cache(maxsize=1024)
def _open_box(
    ctx: bytes, secret: bytes, key: bytes, pile: tuple[Pair, ...], positions: tuple[int, ...], data: bytes
) -> list[bytes]:
    return [card.share for card in sealed_box.open_box(ctx, secret, key, pile, positions, data)]


@lru_cache(maxsize=1024)
def _own_share(x: int, a: bytes) -> bytes:
    return mul(x, a)


@lru_cache(maxsize=4)
def _table(cards: tuple[str, ...]) -> dict[bytes, int]:
    return card_table(cards)


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
    order, rhos = shuffle_proof.arrange(step, secret.coins)
    return tuple(elgamal.add_layer(secret.x, step.joint, step.pile, order, rhos))
