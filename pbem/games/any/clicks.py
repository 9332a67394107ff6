"""What an act is about, for a reader who clicks."""

from __future__ import annotations

import re

from engine.any.game import AnyRules
from engine.any.setup import Setup
from engine.cards import deck_of
from engine.flow import Answer, Handle
from engine.rules import Rules
from pbem.games.any.stage_cards import TABLE
from pbem.games.descriptor import Concerned

_COUNTED = re.compile(r"([a-z'0-9 -]+) ([+-][0-9]+)\Z")
TITLES = {
    "turn": "whose turn",
    "ask": "ask",
    "answer": "answer",
    "decline": "answer",
    "end": "how it ended",
    "agree": "how it ended",
    "disagree": "how it ended",
}
"""What each act is about that is neither dice nor a counter."""


def joined(last: str, new: str) -> str | None:
    """A counter that is counted twice in a row is counted once, by both numbers."""
    counted, again = _COUNTED.match(last), _COUNTED.match(new)
    if counted is None or again is None or counted[1] != again[1]:
        return None
    by = int(counted[2]) + int(again[2])
    return f"{counted[1]} {by:+d}" if by else ""


def concerns(answer: Answer, rules: Rules) -> Concerned:
    """Dice by what they are thrown for, a counter by its name, a card by its name and where it
    goes, what is done with a deck by the deck, everything else by what it does."""
    option, names = answer.option, rules.cards
    match option:
        case ("roll", _, name, _):
            return Concerned((name or "dice",))
        case ("count" | "set", *_):
            return Concerned((rules.words(option).rpartition(" ")[0].removesuffix(" ="),))
        case ("draw" | "shuffle" | "look" | "top", deck, *_):
            return Concerned((_setup(rules).decks[deck].name,))
        case ("reveal",):
            return Concerned()
        case ("move", _, card, area):
            return Concerned((TABLE if area == TABLE else _deck_with(rules, names[card]),))
        case ("play", card):
            return Concerned((TABLE,), (names[card],))
        case ("show", card):
            return Concerned(cards=(names[card],))
        case (("discard" | "remove"), card):
            return Concerned((_deck_with(rules, names[card]),), (names[card],))
        case ("face down",) | ("put", _):
            assert answer.handle is not None
            return Concerned((_deck_of(rules, answer.handle),))
    return Concerned((TITLES[option[0]],), ends=option[0] == "end")


def _setup(rules: Rules) -> Setup:
    assert isinstance(rules, AnyRules) and rules.setup is not None
    return rules.setup


def _deck_with(rules: Rules, card: str) -> str:
    """The deck that has a card of this name: the first one of several, which only different players
    can have."""
    return next(deck.name for deck in _setup(rules).decks if card in deck.cards)


def _deck_of(rules: Rules, handle: Handle) -> str:
    setup = _setup(rules)
    deck, _ = list(setup.dealt())[deck_of(handle)]
    return setup.decks[deck].name
