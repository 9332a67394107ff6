"""What the cards of The Shores of Tripoli do, in our words: events as the rules describe them where they carry them
out, battle cards here."""

from __future__ import annotations

import re

from engine.tripoli.cards import BATTLE, EVENTS, KIND, NAMES, NEEDS, always
from engine.tripoli.game import EVENT_MODULES as EVENT_MODULES  # registers the events

_RULING = re.compile(r" \(ruling [0-9]+\)")
_BATTLE_CARDS = {
    "Lieutenant Sterett in Pursuit": "Interception: American frigates throw three dice each, not two.",
    "Preble's Boys Take Aim": "Naval battle in a harbor: American frigates throw three dice each, not two.",
    "The Daring Stephen Decatur": (
        "With Burn the Philadelphia or Launch the Intrepid: two dice, and the higher counts."
    ),
    "Send in the Marines": "Ground combat in Tripoli: three Marines join it.",
    "Lieutenant O'Bannon Leads the Charge": "Ground combat with Marines: three more dice in the first round.",
    "Marine Sharpshooters": "Ground combat with Marines: Marines hit on 5 as well.",
    "US Signal Books Overboard": (
        "A raid that American frigates met: the American first loses a card of the hand, taken at random."
    ),
    "Uncharted Waters": "With The Philadelphia Runs Aground: two dice, and the higher counts.",
    "Merchant Ship Converted": "After a raid from Tripoli that took gold: a corsair from the Supply for Tripoli.",
    "Happy Hunting": "Raid from Tripoli: three more dice.",
    "The Guns of Tripoli": "Naval battle in Tripoli: the guns of the city throw twelve dice as well.",
    "Mercenaries Desert": "Before ground combat: one die for each Arab infantry; each 6 removes one.",
}


def _event_text(card: int) -> str:
    """What an event does and needs, from the rules' own descriptions."""
    done, needed = EVENTS[card].__doc__ or NAMES[card], NEEDS[card].__doc__ or ""
    text = done if NEEDS[card] is always or not needed else f"{done} Needs: {needed}"
    return " ".join(_RULING.sub("", text).split())


CARD_TEXTS = {
    name: _BATTLE_CARDS[name] if KIND[card] == BATTLE else _event_text(card) for card, name in enumerate(NAMES)
}
"""What each card does, by its name."""
