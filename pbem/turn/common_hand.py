"""The cards of the common deck that one player can read: docs/format.md, section 13."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache

from engine.cards import number_of, write_handle
from engine.flow import Card, Handle, Seat
from pbem.crypto import sealed_box
from pbem.crypto.decryption_shares import card_table, read_card
from pbem.crypto.elgamal import Pair
from pbem.crypto.group import ProofError, mul
from pbem.ledger.common_deck import CommonDeck, PartnerBox, secrets_of


@dataclass(slots=True)
class ReadableCards:
    """What a player can read: their cards and those that partners show them, their own share for
    each of their cards, and what is wrong with a partner's box, which they alone can tell until the
    roots are revealed."""

    faces: dict[Handle, Card] = field(default_factory=dict)
    own: dict[Handle, bytes] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)


def read_cards(deck: CommonDeck, seat: Seat, root: bytes) -> ReadableCards:
    """Every card that this seat can read from the file and its own root."""
    known, x = ReadableCards(), secrets_of(root).x
    held = {
        handle: share
        for box in deck.boxes
        if box.partner == seat
        for handle, share in _opened(deck, box, root, known)
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


def _opened(
    deck: CommonDeck, box: PartnerBox, root: bytes, known: ReadableCards
) -> list[tuple[Handle, bytes]]:
    """The cards of a partner's box, each with the partner's share of it. A box that cannot be
    opened becomes a warning."""
    positions = tuple(number_of(handle) - 1 for handle in box.handles)
    secret = secrets_of(root).box
    try:
        shares = _open_box(box.ctx, secret, deck.keys[box.seat].key, deck.pile, positions, box.data)
    except ProofError as error:
        backs = ", ".join(write_handle(deck.decks, handle) for handle in box.handles)
        known.warnings.append(
            f"turn {box.number}: {deck.seats[box.seat]} does not show you {backs}: {error}"
        )
        return []
    return list(zip(box.handles, shares, strict=True))


@lru_cache(maxsize=1024)
def _open_box(
    ctx: bytes,
    secret: bytes,
    key: bytes,
    pile: tuple[Pair, ...],
    positions: tuple[int, ...],
    data: bytes,
) -> list[bytes]:
    return [card.share for card in sealed_box.open_box(ctx, secret, key, pile, positions, data)]


@lru_cache(maxsize=1024)
def _own_share(x: int, a: bytes) -> bytes:
    return mul(x, a)


@lru_cache(maxsize=4)
def _table(cards: tuple[str, ...]) -> dict[bytes, int]:
    return card_table(cards)
