"""A game of The Shores of Tripoli in progress, and its rules as the platform knows them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any, ClassVar

from engine.cards import Deck
from engine.flow import Answer, Ask, Card, Flow, Handle, Option, Outcome, Pick, Roll, Seal, Seat
from engine.orders import HandleOf, Order, Orders
from engine.requirements import Use
from engine.rules import Rules, Settings, is_on
from engine.tripoli import american, notation, orders, pieces, places, tripolitan, uses, view
from engine.tripoli.cards import BACKS, CORE_CARDS, DECKS, NAMES, NAMES_FOR_TWO
from engine.tripoli.position import Position
from engine.tripoli.sequence import coming_reshuffles, whole_game
from engine.tripoli.tables import ACTIVE, CHANCE, NEWEST, SEASONS, SEATS

EVENT_MODULES = (american, tripolitan)
"""Imported for the events they register."""
_PLACES = tuple(words.replace(" ", "-") for words in places.WORDS)


class Tripoli(Position):
    """The public position and the flow that changes it."""

    def __init__(self, settings: Settings, version: int = NEWEST) -> None:
        super().__init__(settings, CORE_CARDS, len(NAMES), version)

    def flow(self) -> Flow[Outcome]:
        return whole_game(self)

    def coming_seals(self) -> Iterator[Seal]:
        return coming_reshuffles(self)

    def position(self) -> str:
        head = f"{self.year} {SEASONS[self.season]} {ACTIVE[self.active]} gold {self.gold}"
        head += f" sunk {self.frigates[places.SUNK]}"
        damaged = " ".join(map(str, self.damaged))
        seats = [f"{SEATS[seat]} {self._cards(seat)}" for seat in range(len(SEATS))]
        opened = self.opened
        faces = " ".join([f"{BACKS[handle]}:{opened[handle]}" for handle in sorted(opened)])
        return " | ".join(
            (f"{head} damaged {damaged} left {self.left}", self._board(), *seats, f"faces {faces}")
        )

    def prompt(self, ask: Ask) -> str:
        return notation.prompt(self, ask)

    def occasion(self, request: Roll | Pick) -> str:
        return notation.occasion(self, request)

    def why_refused(self, ask: Ask, text: str) -> str:
        return uses.why_refused(self, ask, text)

    def view(self, viewer: Seat | None, faces: Mapping[Handle, Card]) -> dict[str, Any]:
        return view.view(self, faces)

    def obey(self, ask: Ask, given: Orders) -> Answer | None:
        return orders.obey(self, ask, given)

    def cards_out(self, seat: Seat) -> list[Card]:
        return self.removed[seat]

    def card_uses(
        self, ask: Ask | None, seat: Seat | None, card: Card, held: Collection[Card] | None
    ) -> tuple[Use, ...]:
        return uses.uses(self, ask, seat, card, held)

    def tally(self) -> dict[str, int]:
        return {"gold": self.gold, "frigates sunk": self.frigates[places.SUNK]}

    def _board(self) -> str:
        held = list(zip(*self.pieces, strict=True))
        return " ".join(
            [
                f"{_PLACES[place]}:{there}"
                for place in places.ON_BOARD
                if (there := _counts(held[place]))
            ]
        )

    def _cards(self, seat: Seat) -> str:
        return "; ".join(
            (
                "core " + _line(self.core[seat]),
                "hand " + _backs(self.hands[seat]),
                "aside " + _backs(self.aside[seat]),
                "pile " + _backs(self.piles[seat]),
                "discard " + _backs(self.discards[seat]),
                "removed " + _line(self.removed[seat]),
            )
        )


@lru_cache(maxsize=4096)
def _counts(there: tuple[int, ...]) -> str:
    return "".join(
        [f"{count}{letter}" for count, letter in zip(there, pieces.LETTERS, strict=True) if count]
    )


def _line(numbers: Iterable[int]) -> str:
    return " ".join(map(str, numbers))


def _backs(handles: Iterable[Handle]) -> str:
    return " ".join([BACKS[handle] for handle in handles])


class TripoliRules(Rules):
    """Version 1: the game for two."""

    name: ClassVar[str] = "tripoli"
    version: ClassVar[int] = NEWEST
    title: ClassVar[str] = "The Shores of Tripoli"
    measure: ClassVar[str] = "season"
    cards: ClassVar[tuple[str, ...]] = NAMES_FOR_TWO
    distinctive_words: ClassVar[frozenset[str]] = frozenset({"zone"})
    reasons: ClassVar[tuple[str, ...]] = tuple(CHANCE)
    settings: ClassVar[Mapping[str, str]] = {
        "hidden-discard": "cards spent, thrown away or lost go face down to the discard",
        "quick-hand-limit": (
            "Tripolitania cuts its hand just before its own Spring play, which saves mails"
        ),
    }

    def seats(self, settings: Settings) -> tuple[str, ...]:
        for name in self.settings:
            is_on(settings, name)
        return SEATS

    def decks(self, settings: Settings) -> tuple[Deck, ...]:
        return DECKS

    def begin(self, settings: Settings) -> Tripoli:
        return Tripoli(settings, self.version)

    def words(self, option: Option) -> str:
        return notation.words(option)

    def vocabulary(self) -> frozenset[str]:
        return notation.vocabulary()

    def tell(self, event: tuple[Any, ...]) -> dict[str, Any]:
        return view.tell(event)

    def order_topics(self, seat: Seat) -> tuple[str, ...]:
        return orders.topics(seat)

    def preference_topics(self, seat: Seat) -> Mapping[str, tuple[str, ...]]:
        return orders.preference_topics(seat)

    def card_topics(self, seat: Seat) -> tuple[Card, ...]:
        return orders.BATTLE_CARDS[seat]

    def eager_cards(self, seat: Seat) -> tuple[Card, ...]:
        return orders.EAGER[seat]

    def read_order(self, seat: Seat, text: str, handle_of: HandleOf) -> Order:
        return orders.read_order(seat, text, handle_of)

    def accepts_draw(self, given: Orders) -> bool:
        return orders.accepts_draw(given)


RULES = TripoliRules()
