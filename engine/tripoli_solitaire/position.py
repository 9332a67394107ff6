"""The position of a solitaire game: the two-player board, and the bot's cards, which lie open
(chapter "Solitaire setup")."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from engine.cards import Deck, write_handle
from engine.flow import Card, Handle, Seal, Seat
from engine.rules import Settings
from engine.tripoli import cards, pieces, places
from engine.tripoli.game import Tripoli
from engine.tripoli.pieces import Kind
from engine.tripoli.places import Place
from engine.tripoli.sequence import coming_reshuffles
from engine.tripoli.tables import AMERICAN, NEWEST, SEATS, TRIPOLITAN

SEATS_WITH_WITNESS: Final = (*SEATS, "witness")
WITNESS: Final[Seat] = 2

CORE_LINE: Final = (cards.MURAD_REIS, cards.SENDS_AID, cards.YUSUF_QARAMANLI)
"""The first cards of the event card line; Sweden Pays Tribute follows, then what is added in
play."""
BATTLE_LINE: Final = (
    cards.HAPPY_HUNTING,
    cards.MERCHANT_CONVERTED,
    cards.UNCHARTED_WATERS,
    cards.MERCENARIES_DESERT,
    cards.SIGNAL_BOOKS,
    cards.GUNS_OF_TRIPOLI,
)
BOT_DECK: Final = Deck("t", TRIPOLITAN, (*cards.DECKS[TRIPOLITAN].contents, cards.SECOND_STORMS))
BOT_DECKS: Final = (cards.DECKS[AMERICAN], BOT_DECK)
REINFORCED: Final[tuple[tuple[Kind, Place, int], ...]] = (
    (pieces.CORSAIR, places.TRIPOLI, 1),
    (pieces.INFANTRY, places.BENGHAZI, 2),
    (pieces.INFANTRY, places.DERNE, 2),
)
"""What stands on the board at the start beyond the pieces of the game for two."""


class BotPosition(Tripoli):
    """Tripolitania's core cards open its event card line; its hand is the battle card line, face
    up, so that windows for cards it no longer has are skipped (solitaire ruling 6)."""

    def __init__(self, settings: Settings, version: int = NEWEST) -> None:
        super().__init__(settings, version)
        for kind, place, count in REINFORCED:
            self.place_new(kind, place, count)
        self.core[TRIPOLITAN] = list(CORE_LINE)
        self.added: list[Card] = []
        """The event card line after the core cards, in the order in which they came to it
        (solitaire ruling 8)."""
        self.playing: Card = -1
        """The card whose event the bot carries out."""

    def is_asked(self, seat: Seat) -> bool:
        return seat != TRIPOLITAN

    def lay_out(self) -> None:
        """The bot's deck: the battle card line, Sweden Pays Tribute, and a pile of the other
        eighteen.

        Every back has its face from the start. The pile has no order: a card is drawn from it by
        chance.
        """
        handles = self.new_handles(TRIPOLITAN, len(BOT_DECK.contents))
        for handle, card in zip(handles, BOT_DECK.contents, strict=True):
            self.learn(handle, card)
            self.drawn[handle] = self.period()
        self.hands[TRIPOLITAN] = [self.known[card] for card in BATTLE_LINE]
        self.added = [cards.SWEDEN_PAYS]
        out = {*self.hands[TRIPOLITAN], self.known[cards.SWEDEN_PAYS]}
        self.piles[TRIPOLITAN] = [handle for handle in handles if handle not in out]

    def event_line(self) -> tuple[Card, ...]:
        """The event card line, in the order in which it is looked at."""
        return (*self.core[TRIPOLITAN], *self.added)

    def battle_line(self) -> tuple[Card, ...]:
        """The battle cards that are left."""
        return tuple(self.opened[handle] for handle in self.hands[TRIPOLITAN])

    def hand(self, seat: Seat) -> tuple[Handle, ...]:
        return () if seat == WITNESS else super().hand(seat)

    def coming_seals(self) -> Iterator[Seal]:
        return (seal for seal in coming_reshuffles(self) if seal.deck == AMERICAN)

    def position(self) -> str:
        line = " ".join(write_handle(BOT_DECKS, self.known[card]) for card in self.added)
        return f"{super().position()} | line {line}"


def names_of(some: Sequence[Card]) -> list[str]:
    """Names, in the order given."""
    return [cards.NAMES[card] for card in some]
