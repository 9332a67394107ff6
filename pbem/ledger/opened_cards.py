"""Cards that become public: opened by their owner, or computed from roots and keys (docs/format.md, section 7).

A card is opened by its owner against the seal that they gave before anybody could know the draw; one of the common
deck by the shares of all (section 13).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from engine.cards import Deck, write_handle
from engine.flow import Card, Handle
from engine.rules import Game, Rules
from pbem.errors import RulesBroken, failing_as
from pbem.ledger.entry_source import EntrySource, NotInEntry
from pbem.ledger.order_book import OrderBook
from pbem.ledger.own_decks import OwnDecks
from pbem.ledger.randomness import Randomness
from pbem.ledger.whose_turn import WhoseTurn

if TYPE_CHECKING:
    from pbem.ledger.common_deck.deck import CommonDeck


class GameParts(NamedTuple):
    """The parts of a game in progress that say what a card is and who opens it."""

    rules: Rules
    decks: tuple[Deck, ...]
    game: Game
    turn: WhoseTurn
    randomness: Randomness
    book: OrderBook
    own_decks: OwnDecks
    common: CommonDeck | None


class OpenedCards:
    """The cards of a game in progress that everybody knows. `count` are those that were opened, `revealed` those of
    own decks that follow from their owner's root."""

    def __init__(self, table: GameParts) -> None:
        self.count = 0
        self.revealed: dict[Handle, Card] = {}
        self._table = table

    def faces(self) -> dict[Handle, Card]:
        """Every card that everybody can read: opened, or with all shares there, as in the hand of a seat that left."""
        game, common = self._table.game, self._table.common
        faces = dict(game.faces())
        for handle in (handle for seat in self._table.randomness.left for handle in game.hand(seat)):
            if common is not None and (card := common.readable(handle)) is not None:
                faces[handle] = card
        return faces

    def learn(self, faces: Mapping[Handle, Card]) -> None:
        """The cards of own decks that a root has revealed."""
        self.revealed.update(faces)

    @failing_as("seal")
    def open_promised(self, source: EntrySource) -> list[tuple[Handle, Card]]:
        """The first thing an entry does: open the cards that its seat's orders have played since; they are returned.
        Raises `Forged` or `RulesBroken`."""
        table, opened = self._table, []
        for handle in [handle for handle in table.book.promised if table.turn.owner(handle) == source.seat]:
            opening, card = source.opening(handle), table.book.promised.pop(handle)
            back = write_handle(table.decks, handle)
            if opening is None:
                raise RulesBroken(f"{back}, which an order has played, is not opened")
            if self._checked(handle, opening) != card:
                raise RulesBroken(f"{back} is not the {table.rules.cards[card]} that an order has played")
            opened.append((handle, card))
        return opened

    @failing_as("seal")
    def open(self, handle: Handle, source: EntrySource) -> tuple[Card, bool]:
        """The card that the rules open now, and whether that opens it for the first time: an order that has played it
        told it before. Raises `NotInEntry` where the entry does not hold it, `Forged` or `RulesBroken`."""
        turn, promised = self._table.turn, self._table.book.promised
        if turn.is_played_out() or turn.owner(handle) in self._table.randomness.left:
            return self._computed(handle), True
        is_own = turn.owner(handle) == source.seat
        if not is_own and handle in promised:
            return promised[handle], False
        if not is_own or turn.seats_owing_shares() or (opening := source.opening(handle)) is None:
            raise NotInEntry
        promised.pop(handle, None)
        return self._checked(handle, opening), True

    def _computed(self, handle: Handle) -> Card:
        """A card that no entry opens: everybody computes it from roots and from keys of seats that left."""
        common = self._table.common
        is_common = common is not None and common.has(handle)
        card = common.readable(handle) if is_common and common else self.revealed.get(handle)
        if card is None:
            raise NotInEntry
        self.count += 1
        return card

    def _checked(self, handle: Handle, opening: tuple[Card, bytes]) -> Card:
        (card, salt), common = opening, self._table.common
        if common is not None and common.has(handle):
            with failing_as("share"):
                common.open(handle, self._table.rules.cards[card], salt)
        else:
            self._table.own_decks.check(handle, card, salt, self._table.game.faces())
        self.count += 1
        return card
