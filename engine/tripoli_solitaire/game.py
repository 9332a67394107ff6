"""A solitaire game in progress, and its rules as the platform knows them.

What happened is told (`tell`) as names and numbers: by the kinds of `engine.tripoli.view` and
`engine.automaton`, and two more.

===========  =======================================================================================
kind         keys
===========  =======================================================================================
turned over  seat, card: the bot drew it
lined up     seat, card: it joins the event card line
===========  =======================================================================================

`spent` has the action "nothing" as well: the bot found neither a raid worth it nor a corsair to
build.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, ClassVar, Final

from engine import automaton
from engine.automaton import TIE
from engine.cards import Deck
from engine.flow import Ask, Card, Flow, Handle, Illegal, Outcome, Seat
from engine.orders import HandleOf, Order
from engine.requirements import Unmet, Use, unmet
from engine.rules import Settings, is_on
from engine.tripoli import view
from engine.tripoli.battle_cards import MOMENTS
from engine.tripoli.cards import BATTLE, KIND, NAMES, TABLE
from engine.tripoli.game import TripoliRules
from engine.tripoli.tables import AMERICAN, CHANCE, SEATS, TRIPOLITAN
from engine.tripoli_solitaire.position import (
    BOT_DECKS,
    SEATS_WITH_WITNESS,
    WITNESS,
    BotPosition,
    names_of,
)
from engine.tripoli_solitaire.requirements import REQUIRED
from engine.tripoli_solitaire.sequence import BOT_CARD, solitaire_game

_KEYS: Final = {**automaton.KEYS, "turned over": ("seat", "card"), "lined up": ("seat", "card")}


def tell(event: tuple[Any, ...]) -> dict[str, Any]:
    """One line of the story."""
    kind, *values = event
    if kind not in _KEYS:
        return view.tell(event)
    line = dict(zip(_KEYS[kind], values, strict=True))
    line["seat"] = SEATS[line["seat"]]
    if "card" in line:
        line["card"] = NAMES[line["card"]]
    if "among" in line:
        line["among"] = list(line["among"])
    return {"kind": kind, **line}


EVENT: Final = "the bot's event"
BATTLE_CARD: Final = "the bot's battle card"


def bot_uses(game: BotPosition, card: Card) -> tuple[Use, ...]:
    """Whether the bot would play this card of its own on its turn. Battle cards are never asked
    about: the bot plays them when their window opens."""
    gone = card in game.removed[TRIPOLITAN]
    if KIND[card] != BATTLE:
        return (
            Use(
                EVENT, (Unmet("", "it has left the game"),) if gone else unmet(REQUIRED[card], game)
            ),
        )
    if gone:
        return (Use(BATTLE_CARD, (Unmet("", "it has left the game"),)),)
    return (
        Use(
            BATTLE_CARD,
            (Unmet(MOMENTS[card].words, "no such window is open between two turns of yours"),),
        ),
    )


class Solitaire(BotPosition):
    """The public position and the flow that changes it."""

    def flow(self) -> Flow[Outcome]:
        return solitaire_game(self)

    def view(self, viewer: Seat | None, faces: Mapping[Handle, Card]) -> dict[str, Any]:
        """What everybody sees of the game for two, and the bot's two lines of cards."""
        lines = {
            "event_line": names_of(self.event_line()),
            "battle_line": names_of(self.battle_line()),
        }
        return {**super().view(viewer, faces), **lines}

    def card_uses(
        self, ask: Ask | None, seat: Seat | None, card: Card, held: Collection[Card] | None
    ) -> tuple[Use, ...]:
        """The American's cards as in the game for two; the bot's by what the bot needs to play
        them."""
        if TABLE[card].owner == TRIPOLITAN:
            return bot_uses(self, card)
        return super().card_uses(ask, seat, card, held)


class SolitaireRules(TripoliRules):
    """Version 1: one American player against the bot, with or without a witness."""

    name: ClassVar[str] = "tripoli-solitaire"
    version: ClassVar[int] = 1
    of_tripoli: ClassVar[int] = 1
    """The version of the rules for two that this one stands on."""
    title: ClassVar[str] = "The Shores of Tripoli, solitaire"
    cards: ClassVar[tuple[str, ...]] = NAMES
    reasons: ClassVar[tuple[str, ...]] = (*CHANCE, TIE, BOT_CARD)
    settings: ClassVar[Mapping[str, str]] = {
        "unwitnessed": "the player is alone: their own key is the only source of chance",
        "witness": "a second person decides nothing and proves every roll",
    }

    def seats(self, settings: Settings) -> tuple[str, ...]:
        seats = super().seats(settings)
        return SEATS_WITH_WITNESS if is_on(settings, "witness") else seats

    def decks(self, settings: Settings) -> tuple[Deck, ...]:
        return BOT_DECKS

    def begin(self, settings: Settings) -> Solitaire:
        return Solitaire(settings, self.of_tripoli)

    def settings_in_words(self, settings: Settings) -> list[str]:
        return ["with a witness"] if settings.get("witness") else []

    def played_by_rules(self, settings: Settings) -> tuple[Seat, ...]:
        return (TRIPOLITAN,)

    def bystanders(self, settings: Settings) -> tuple[Seat, ...]:
        return (WITNESS,) if settings.get("witness") else ()

    def order_topics(self, seat: Seat) -> tuple[str, ...]:
        """The American's topics but for `draw`, as nobody offers one."""
        return (
            tuple(topic for topic in super().order_topics(seat) if topic != "draw")
            if seat == AMERICAN
            else ()
        )

    def preference_topics(self, seat: Seat) -> Mapping[str, tuple[str, ...]]:
        return super().preference_topics(seat) if seat == AMERICAN else {}

    def card_topics(self, seat: Seat) -> tuple[Card, ...]:
        return super().card_topics(seat) if seat == AMERICAN else ()

    def eager_cards(self, seat: Seat) -> tuple[Card, ...]:
        return super().eager_cards(seat) if seat == AMERICAN else ()

    def read_order(self, seat: Seat, text: str, handle_of: HandleOf) -> Order:
        if seat != AMERICAN:
            raise Illegal("only the player gives standing orders")
        return super().read_order(seat, text, handle_of)

    def tell(self, event: tuple[Any, ...]) -> dict[str, Any]:
        return tell(event)


RULES = SolitaireRules()
