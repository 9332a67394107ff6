"""A player's own deck, face down in the file: one commitment a card, in an order only its owner knows.

docs/format.md, section 7.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from typing import NamedTuple

from engine.cards import Deck, deck_of, handles_of, number_of
from engine.flow import Card, Handle, Seal, Seat
from pbem import FORMAT
from pbem.crypto.key_derivation import from_root
from pbem.crypto.random_stream import Stream
from pbem.fileformat.encoding import tagged_hash


class SealedPile(NamedTuple):
    """One sealing of a deck as everybody sees it: the backs, what they were made from, the commitments, and the entry
    that published them. `generation` counts the shuffles of the deck from 1."""

    deck: Deck
    generation: int
    handles: tuple[Handle, ...]
    sources: tuple[Handle, ...]
    commitments: tuple[bytes, ...]
    entry: int

    def is_for(self, seal: Seal) -> bool:
        """Whether this is the sealing that the rules ask for."""
        return self.handles == seal.handles and self.sources == seal.sources

    def commitment(self, handle: Handle) -> bytes:
        return self.commitments[handle - self.handles[0]]


@dataclass(frozen=True, slots=True, repr=False)
class OpenPile:
    """A sealing as its owner sees it: the card and the salt behind each back."""

    cards: tuple[Card, ...]
    salts: tuple[bytes, ...]
    commitments: tuple[bytes, ...]


def commitment(game_id: bytes, deck: Deck, generation: int, handle: Handle, card: str, salt: bytes) -> bytes:
    """The 32 bytes that stand for a card until it is opened."""
    number = str(number_of(handle)).encode()
    parts = (deck.letter.encode(), str(generation).encode(), number, card.encode(), salt)
    return tagged_hash(f"{FORMAT} seal", game_id, *parts)


def seal_pile(
    root: bytes,
    game_id: bytes,
    deck: Deck,
    generation: int,
    handles: Sequence[Handle],
    cards: Sequence[Card],
    entry: int,
    names: Sequence[str],
) -> OpenPile:
    """Shuffle these cards by the owner's root and seal them in that order, one behind each back.

    Everything depends on the root, the deck, its generation and the entry that publishes the seals, so that no salt
    serves twice.
    """
    context = (deck.letter, str(generation), str(entry))
    shuffled = Stream(from_root(root, "order", *context), game_id).pick(cards, len(cards))
    salts = tuple(from_root(root, "salt", *context, str(number_of(handle))) for handle in handles)
    seals = tuple(
        commitment(game_id, deck, generation, handle, names[card], salt)
        for handle, card, salt in zip(handles, shuffled, salts, strict=True)
    )
    return OpenPile(shuffled, salts, seals)


def may_still_be(pile: SealedPile, card: Card, faces: Mapping[Handle, Card], reused: Set[Handle]) -> bool:
    """Whether one more card of this pile can be `card`, as far as what is face up tells.

    A deck holds each card a known number of times, counted without the backs that were shuffled into a later pile
    (`reused`). A pile made anew holds the cards of its sources: those face up are known, any other may be anything.
    """
    deck = deck_of(pile.handles[0])
    seen = sum(1 for back, face in faces.items() if face == card and deck_of(back) == deck and back not in reused)
    if seen >= pile.deck.contents.count(card):
        return False
    possible = sum(1 for back in pile.sources if faces.get(back, card) == card)
    return not pile.sources or sum(1 for back in pile.handles if faces.get(back) == card) < possible


def first_seals(decks: tuple[Deck, ...], seat: Seat) -> list[Seal]:
    """The piles that a seat seals in its first entry: every deck of its own, whole."""
    own = [number for number, deck in enumerate(decks) if deck.owner == seat]
    return [Seal(number, handles_of(number, 1, len(decks[number].contents))) for number in own]


def open_piles(
    piles: list[SealedPile], decks: tuple[Deck, ...], seat: Seat, root: bytes, game_id: bytes, names: tuple[str, ...]
) -> list[tuple[SealedPile, OpenPile]]:
    """Every pile that a seat sealed, beside what its root makes of it."""
    faces: dict[Handle, Card] = {}
    opened: list[tuple[SealedPile, OpenPile]] = []
    for pile in piles:
        deck = decks[deck_of(pile.handles[0])]
        if deck.owner != seat:
            continue
        cards = [faces[handle] for handle in pile.sources] if pile.sources else list(deck.contents)
        ours = seal_pile(root, game_id, deck, pile.generation, pile.handles, cards, pile.entry, names)
        faces.update(zip(pile.handles, ours.cards, strict=True))
        opened.append((pile, ours))
    return opened
