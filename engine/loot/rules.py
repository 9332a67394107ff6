"""Loot as the rest of the program sees it."""

from __future__ import annotations

from typing import Any

from engine.cards import Deck
from engine.flow import Option, Seat
from engine.loot import notation, view
from engine.loot.game import LootGame
from engine.loot.tables import DECK, DEFAULTS, NAMES, SEATS, SETTINGS, read_settings, told_settings
from engine.rules import Game, Rules, Settings

_DECKS = (Deck("c", None, DECK),)


class LootRules(Rules):
    """The rules of Loot, version 1."""

    name = "loot"
    version = 1
    title = "Loot"
    cards = NAMES
    settings = SETTINGS
    defaults = DEFAULTS
    dice = False
    unit = "gold"

    def seats(self, settings: Settings) -> tuple[str, ...]:
        return SEATS[: read_settings(settings).players]

    def decks(self, settings: Settings) -> tuple[Deck, ...]:
        return _DECKS

    def begin(self, settings: Settings) -> Game:
        return LootGame(read_settings(settings))

    def words(self, option: Option) -> str:
        return notation.words(option)

    def vocabulary(self) -> frozenset[str]:
        return notation.vocabulary()

    def tell(self, event: tuple[Any, ...]) -> dict[str, Any]:
        return view.tell(event)

    def told_settings(self, settings: Settings) -> list[str]:
        return told_settings(read_settings(settings))

    def side(self, settings: Settings, seat: Seat) -> int:
        """Partners play for one side. When all who still play are of one, it has won, by the ledger's law [46]."""
        return read_settings(settings).side(seat)

    def may_see(self, settings: Settings, viewer: Seat, seat: Seat) -> bool:
        """Whether `viewer` sees this hand: partners see each other's [32]."""
        setup = read_settings(settings)
        return setup.side(viewer) == setup.side(seat)


RULES = LootRules()
