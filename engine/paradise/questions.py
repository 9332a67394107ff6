"""What the player is asked, in words."""

from __future__ import annotations

from typing import Final

from engine.cards import number_of
from engine.flow import Ask
from engine.paradise.notation import counted
from engine.paradise.position import Realm

_PROMPTS: Final = {
    "starts": "which pieces Samoa starts with, besides its home village and village",
    "samoa boxes": "how many village boxes the printed hex of Samoa has",
    "tile": "which tile lies there: its village boxes, and how many of them are green",
    "south island": "whether the South Island's tile comes with this one",
    "second": "where the South Island lies, and its boxes",
    "chain": "how many new Transport Canoes the way from {0} to the home group's network needs, without those of {0} "
    "and the home group themselves, over known hexes without a piece of yours",
    "occupied": "which other known hexes hold a piece of yours, one after the other",
    "far": "how many hexes {0} is from Samoa",
    "arioi": "whether your Arioi stops the attack on {0}",
    "attack": "how the battle at {0} ended for you, and what Samoa lost; it attacks with {1}; {2}",
    "retreat": "where Samoa's pieces retreat to: {0}",
    "card": "which card of Samoa's is turned face up, {0} left",
    "start": "at which hex Samoa's exploration of ring {0} begins",
    "victory": "your victory points",
    "die": "throw a die: {0}",
    "correction": "how it is: {0}",
    "over": "whether the game is over: {0}",
}
REMOVED: Final = ("local warriors", "warriors", "War Canoes")
PANICS: Final = ("War Canoes", "warriors", "local warriors")
"""In which order Samoa's pieces are removed, and shifted back, where it must pick one (paradise ruling 14)."""
CASUALTIES: Final = f"Samoa removes {', '.join(REMOVED)} in this order, and panics {', '.join(PANICS)}"
RINGS: Final = (
    "ring 1 from Niue counter-clockwise to Tuvalu, ring 2 from the hex north of Tuvalu clockwise to Rarotonga, ring 3 "
    "from Tubai counter-clockwise, and so on outward"
)


def _unofficial(realm: Realm) -> str:
    return ", of the practice set, which is unofficial" if realm.data.is_practice else ""


def prompt(realm: Realm, ask: Ask) -> str:
    """The question in words, without a full stop."""
    about = realm.about
    match ask.rule:
        case "exploration":
            return "what your exploration shows, discovery by discovery, or that it is complete"
        case "movement":
            hidden = realm.hidden_cards
            turn_up = f" (before you attack Samoa, turn its {counted(hidden, 'card')} face up)" if hidden else ""
            return f"your battles with Samoa and what it loses, or that movement is complete{turn_up}; {CASUALTIES}"
        case "explore":
            ring, place, knots, limit = about
            if place is not None:
                return f"what the marker at {realm.name(place)} shows, ring {ring}; {knots} of {limit} knots so far"
            return f"what the next unexplored hex shows; {knots} of {limit} knots so far; the order: {RINGS}"
        case "found":
            return "which tile Samoa has found, and how far it is"
        case "reach":
            place, force, names = about
            helped = f"; cards that help: {names}" if names else ""
            where = realm.name(place)
            return (
                f"which groups that you control, with a village of yours, {where}'s {force} can reach, over its canoe "
                f"chains too, and the warriors, War Canoes and local warriors there{helped}"
            )
        case "retreat":
            return _PROMPTS["retreat"].format(about[0])
        case "chit":
            return f"draw a chit from the cup{_unofficial(realm)}"
        case "resolve":
            chits = [f"chit {number_of(one)}: {realm.data.chits[realm.chit(one)].sides()}" for one in realm.open]
            return f"which of the open chits is resolved first{_unofficial(realm)}; {', '.join(chits)}"
        case "chain" | "far" | "arioi":
            return _PROMPTS[ask.rule].format(realm.name(about[0]))
        case "attack":
            return _PROMPTS["attack"].format(realm.name(about[0]), about[1], CASUALTIES)
    return _PROMPTS[ask.rule].format(*about)
