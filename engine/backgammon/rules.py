"""Backgammon as the rest of the program sees it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.backgammon import notation, orders, view
from engine.backgammon.game import Backgammon
from engine.backgammon.tables import REASONS, SEATS, SETTINGS, read_stakes, told_stakes
from engine.cards import Deck
from engine.flow import Option, Seat
from engine.orders import HandleOf, Order, Orders
from engine.rules import Game, MailWay, Rules, Settings


class BackgammonRules(Rules):
    """The rules of tournaments, version 1."""

    name = "backgammon"
    version = 1
    title = "Backgammon"
    cards = ()
    settings = SETTINGS
    reasons = REASONS

    def seats(self, settings: Settings) -> tuple[str, ...]:
        read_stakes(settings)
        return SEATS

    def decks(self, settings: Settings) -> tuple[Deck, ...]:
        return ()

    def begin(self, settings: Settings) -> Game:
        return Backgammon(read_stakes(settings))

    def seals_choices(self, settings: Settings) -> bool:
        return read_stakes(settings).sealed > 0

    def words(self, option: Option) -> str:
        return notation.words(option)

    def vocabulary(self) -> frozenset[str]:
        return notation.vocabulary()

    def tell(self, event: tuple[Any, ...]) -> dict[str, Any]:
        return view.tell(event)

    def told_settings(self, settings: Settings) -> list[str]:
        return told_stakes(read_stakes(settings))

    def order_topics(self, seat: Seat) -> tuple[str, ...]:
        return orders.TOPICS

    def read_order(self, seat: Seat, text: str, handle_of: HandleOf) -> Order:
        return orders.read_order(text)

    def ways_by_mail(self) -> Mapping[str, MailWay]:
        return orders.WAYS_BY_MAIL

    def accepts_draw(self, given: Orders) -> bool:
        return orders.accepts_draw(given)


RULES = BackgammonRules()
