"""Samoa's chits and Arts & Culture cards: how cards are turned face up, what both do now, and what
is missing for it (for those who ask: `pbem card`).

Chits are the cards of these rules. The Arts & Culture cards lie with the player, who tells which
they are when they are revealed; the data name them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from engine.flow import Ask, Card, Flow
from engine.paradise.data import Data
from engine.paradise.position import HANDLES, Realm
from engine.paradise.tables import ARIOI, MORE_KNOTS
from engine.requirements import Unmet, Use


def reveal_cards(realm: Realm, why: str) -> Flow[None]:
    """All hidden cards are turned face up, at the player's attack and before Samoa's Explore! or
    Attack! (paradise ruling 15). What they do applies from the first opportunity on (paradise
    ruling 11)."""
    names = realm.data.card_names
    while realm.hidden_cards:
        known = set(realm.cards)
        options = [("card", one) for one in range(len(names)) if one not in known]
        option = yield from realm.ask("card", (*options, ("card", len(names))), realm.hidden_cards)
        realm.hidden_cards -= 1
        realm.cards.append(option[1])
        card = (
            names[option[1]] if option[1] < len(names) else "a card that the program does not know"
        )
        realm.tell(15, f"leave Samoa's card face up: it is {card}, turned up for {why}")


def cards_that_help(realm: Realm, what: str) -> str:
    """The names of the revealed cards that have this effect (`what`), in words; empty if there are
    none (paradise ruling 11)."""
    names = realm.data.card_names
    found = [names[card] for card in realm.known_cards() if realm.data.cards[names[card]] == what]
    return ", ".join(found)


_DOES: Final[Mapping[str, str]] = {
    "knots": "When Samoa has it face up, its Explore! goes on until one knot more shows.",
    "movement": "When Samoa has it face up, its War Canoes reach farther.",
    "other": (
        "Nothing that the program looks at: when Samoa has it face up, apply it at your table as"
        " its text says."
    ),
}
_STOPS: Final = "When Samoa has it face up, it may stop an attack of yours."


def texts(data: Data) -> dict[str, str]:
    """What each Arts & Culture card of the data does for Samoa, by its name."""
    return {name: _text(data, name, what) for name, what in data.cards.items()}


def _text(data: Data, name: str, what: str) -> str:
    if name in data.adds:
        hexes = "1 hex" if data.adds[name] == 1 else f"{data.adds[name]} hexes"
        return f"When Samoa has it face up, its War Canoes reach {hexes} farther."
    return _STOPS if name == ARIOI else _DOES["knots" if name in MORE_KNOTS else what]


def uses(realm: Realm, ask: Ask | None, card: Card) -> tuple[Use, ...]:
    """The uses of a card, by its number: chits can be drawn; Arts & Culture cards, whose numbers
    follow those of the chits, can be reported and then work for Samoa."""
    chits = len(realm.data.chits)
    return (_chit_use(realm, card),) if card < chits else _card_uses(realm, ask, card - chits)


def _chit_use(realm: Realm, card: Card) -> Use:
    """A chit is used when chance draws it (paradise ruling 2)."""
    left = {realm.chit(handle) for handle in realm.cup}
    waiting = (
        {realm.chit(handle) for handle in HANDLES}
        - left
        - {realm.chit(handle) for handle in realm.drawn}
    )
    if card in left:
        return Use("chance may draw it")
    if card in waiting:
        return Use(
            "chance may draw it",
            (Unmet("six chits to be drawn first", f"{len(realm.drawn)} are drawn"),),
        )
    return Use("chance may draw it", (Unmet("", "it has left the cup"),))


def _card_uses(realm: Realm, ask: Ask | None, card: Card) -> tuple[Use, ...]:
    """The player reports a card when it is turned face up (paradise ruling 15). From then on it
    works for Samoa (paradise ruling 11)."""
    if card in realm.cards:
        return Use("report it", (Unmet("", "it is face up already"),)), Use("works for Samoa")
    asked = ask is not None and ask.rule == "card"
    if not realm.hidden_cards:
        fact = "no card of Samoa's lies face down"
    else:
        fact = "your attack, its Explore! or its Attack! turns Samoa's cards up, not this"
    report = () if asked else (Unmet("to be turned face up", fact),)
    return Use("report it", report), Use(
        "works for Samoa", (Unmet("to be face up", "Samoa has not shown it"),)
    )
