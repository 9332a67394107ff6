"""Goofspiel as pbem knows it: seats, decks, words, orders, views."""

from __future__ import annotations

from typing import Any, ClassVar

from engine.cards import Deck
from engine.flow import Answer, NotUnderstood, Option, Seat
from engine.orders import ASK, HandleOf, Order, split_order
from engine.rules import Game, Rules, Settings
from pbem.games.descriptor import Concerned
from pbem.games.faces import CardFace
from pbem_goofspiel.game import NAMES, SEATS, Goofspiel, decks_of

CARD_TEXTS = {
    name: f"Bids {rank} for the prize; the higher card takes it."
    for rank, name in enumerate(NAMES, 1)
}
FACES = {name: CardFace("gold", value=str(rank)) for rank, name in enumerate(NAMES, 1)}
WAYS = ("oldest", "newest")


def concerns(_answer: Answer, _rules: Rules) -> Concerned:
    """Nothing on the table: an answer is about a card of the hand only, which it names by its
    back."""
    return Concerned()


class GoofspielRules(Rules):
    """Version 1."""

    name = "goofspiel"
    version = 1
    title = "Goofspiel with dice"
    cards = NAMES
    reasons = ("prize",)
    settings: ClassVar = {"cards": "cards of each player, 5 to 13"}
    defaults: ClassVar = {"cards": 9}
    measure = "round"

    def seats(self, settings: Settings) -> tuple[str, ...]:
        if strange := set(settings) - set(self.settings):
            raise ValueError(f"there is no setting {min(strange)}")
        if not 5 <= settings.get("cards", 9) <= len(NAMES):
            raise ValueError("5 to 13 cards can be played with")
        return SEATS

    def decks(self, settings: Settings) -> tuple[Deck, ...]:
        return decks_of(settings.get("cards", 9))

    def begin(self, settings: Settings) -> Game:
        return Goofspiel(settings.get("cards", 9))

    def words(self, option: Option) -> str:
        return "lay {}"

    def vocabulary(self) -> frozenset[str]:
        return frozenset({"lay", *NAMES})

    def tell(self, event: tuple[Any, ...]) -> dict[str, Any]:
        keys = {"prize": ("round", "prize"), "tie": ("prize",), "won": ("seat", "prize", "points")}[
            event[0]
        ]
        told = {"kind": event[0], **dict(zip(keys, event[1:], strict=True))}
        return {**told, "seat": SEATS[told["seat"]]} if "seat" in told else told

    def order_topics(self, seat: Seat) -> tuple[str, ...]:
        return ("lay",)

    def read_order(self, seat: Seat, text: str, handle_of: HandleOf) -> Order:
        topic, rest = split_order(text, self.order_topics(seat))
        if rest == ASK:
            return Order(topic, f"{topic}: {ASK}")
        if rest not in WAYS:
            raise NotUnderstood(f'"{rest[:40]}" is no way to lay: {", ".join(WAYS)}, or {ASK}')
        return Order(topic, f"{topic}: {rest}", (rest,))


RULES = GoofspielRules()
