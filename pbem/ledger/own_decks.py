"""The decks of a game as everybody sees them: what was sealed, and every opening held against its seal.

docs/format.md, section 7.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.cards import Deck, deck_of, write_handle
from engine.flow import Card, Handle, Seal
from pbem.errors import Forged, RulesBroken
from pbem.ledger.commitments import SealedPile, commitment, may_still_be


class OwnDecks:
    """The own decks of one game: the piles that the rules use, and those that were sealed ahead."""

    def __init__(self, game_id: bytes, decks: tuple[Deck, ...], names: Sequence[str]) -> None:
        self._game_id = game_id
        self._decks = decks
        self._names = names
        self.piles: list[SealedPile] = []
        self.offered: dict[int, SealedPile] = {}
        """Seals that wait until the rules ask for them, by deck."""
        self._reused: set[Handle] = set()

    def offer(self, pile: SealedPile) -> None:
        """Keep seals until the rules ask for them."""
        self.offered[deck_of(pile.handles[0])] = pile

    def is_offered(self, seal: Seal) -> bool:
        """Whether this very pile was sealed ahead."""
        return (pile := self.offered.get(seal.deck)) is not None and pile.is_for(seal)

    def use_offered(self, seal: Seal) -> bool:
        """Use the pile if it was sealed ahead; seals for another one are void now."""
        pile = self.offered.pop(seal.deck, None)
        if pile is None or not pile.is_for(seal):
            return False
        self.use(pile)
        return True

    def use(self, pile: SealedPile) -> None:
        """The rules use this pile from here on."""
        self.piles.append(pile)
        self._reused.update(pile.sources)

    def generation(self, deck: int) -> int:
        """The number of the next shuffle of this deck, from 1."""
        return 1 + sum(1 for pile in self.piles if deck_of(pile.handles[0]) == deck)

    def check(self, handle: Handle, card: Card, salt: bytes, seen: Mapping[Handle, Card]) -> None:
        """One back turned face up beside those that were `seen`. Raises `Forged` if it was sealed as another card,
        `RulesBroken` if the deck cannot hold it as well."""
        pile = next(pile for pile in self.piles if handle in pile.handles)
        name, back = self._names[card], write_handle(self._decks, handle)
        sealed = commitment(self._game_id, pile.deck, pile.generation, handle, name, salt)
        if sealed != pile.commitment(handle):
            raise Forged(f"{back} was not sealed as {name}")
        faces = {back: face for back, face in seen.items() if back != handle}
        if not may_still_be(pile, card, faces, self._reused):
            raise RulesBroken(f"{back} cannot be {name} as well: the deck was stacked")

    def new_pile(self, seal: Seal, commitments: tuple[bytes, ...], number: int) -> SealedPile:
        """The sealing that these commitments make. Raises `RulesBroken` if there is not one for each card."""
        if len(commitments) != len(seal.handles):
            raise RulesBroken(f"{len(commitments)} seals for a pile of {len(seal.handles)} cards")
        deck = self._decks[seal.deck]
        return SealedPile(deck, self.generation(seal.deck), seal.handles, seal.sources, commitments, number)
