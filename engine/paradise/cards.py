"""Samoa's Arts & Culture cards: they lie with the player, who tells which they are when they are revealed."""

from __future__ import annotations

from engine.flow import Flow
from engine.paradise.position import Realm


def reveal_cards(realm: Realm, why: str) -> Flow[None]:
    """All hidden cards are turned face up: at the player's attack, and before the bot's Explore! or Attack! (paradise
    ruling 15). What they do is applied at the first opportunity (paradise ruling 11)."""
    names = realm.data.card_names
    while realm.hidden_cards:
        known = set(realm.cards)
        options = [("card", card) for card in range(len(names)) if card not in known]
        option = yield from realm.ask("card", (*options, ("card", len(names))), realm.hidden_cards)
        realm.hidden_cards -= 1
        realm.cards.append(option[1])
        told = names[option[1]] if option[1] < len(names) else "a card that the program does not know"
        realm.tell(15, f"leave Samoa's card face up: it is {told}, turned up for {why}")


def cards_that_help(realm: Realm, what: str) -> str:
    """The revealed cards that do this for the procedure, in words; empty if there are none (paradise ruling 11)."""
    names = realm.data.card_names
    found = [names[card] for card in realm.known_cards() if realm.data.cards[names[card]] == what]
    return ", ".join(found)
