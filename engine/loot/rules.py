"""Loot as the rest of the program sees it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from engine.cards import Backs, Deck
from engine.flow import Ask, Card, Handle, Option, Seat
from engine.loot import notation, view
from engine.loot.game import LootGame
from engine.loot.tables import DECK, DEFAULTS, NAMES, SEATS, SETTINGS, read_settings, told_settings
from engine.loot.uses import uses, why_refused
from engine.requirements import Use
from engine.rules import Game, Rules, Settings

_DECKS = (Deck("c", None, DECK),)
_BACKS = Backs(_DECKS)


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

    def prompt(self, game: Game, ask: Ask) -> str:
        assert isinstance(game, LootGame)
        return notation.prompt(game, ask)

    def card_uses(
        self, game: Game, ask: Ask | None, seat: Seat | None, card: Card, held: Collection[Card] | None
    ) -> tuple[Use, ...]:
        assert isinstance(game, LootGame)
        return uses(game, ask, _asked(ask) if seat is None else seat, card, held)

    def why_refused(self, game: Game, ask: Ask, text: str) -> str:
        assert isinstance(game, LootGame)
        return why_refused(game, ask, text)

    def opening(self, game: Game, handle: Handle) -> str | None:
        assert isinstance(game, LootGame)
        return notation.opening(game, handle)

    def view(self, game: Game, viewer: Seat | None, faces: Mapping[Handle, Card]) -> dict[str, Any]:
        assert isinstance(game, LootGame)
        setup = game.setup
        sees = [] if viewer is None else list(setup.members(setup.side(viewer)))
        return view.view(game, _BACKS, sees, viewer, faces)

    def tell(self, event: tuple[Any, ...]) -> dict[str, Any]:
        return view.tell(event)

    def told_settings(self, settings: Settings) -> list[str]:
        return told_settings(read_settings(settings))

    def spread(self, game: Game) -> dict[str, int]:
        assert isinstance(game, LootGame)
        return {"gold of the winner": max(game.points)} if game.points else {}

    def side(self, settings: Settings, seat: Seat) -> int:
        """Partners play for one side. When all who still play are of one, it has won, by the ledger's law [46]."""
        return read_settings(settings).side(seat)

    def may_see(self, settings: Settings, viewer: Seat, seat: Seat) -> bool:
        """Whether `viewer` sees this hand: partners see each other's [32]."""
        setup = read_settings(settings)
        return setup.side(viewer) == setup.side(seat)


def _asked(ask: Ask | None) -> Seat:
    """The seat through whose eyes an onlooker is told about a card."""
    return 0 if ask is None else ask.seat


RULES = LootRules()
