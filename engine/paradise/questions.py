"""What the player is asked, in words, and why a report is refused: the fact that stands against it,
and the ruling on docs/paradise.md.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain
from typing import Final

from engine.cards import number_of
from engine.flow import Ask
from engine.paradise.notation import counted, pieces_by_hand
from engine.paradise.position import ParadisePosition, Realm
from engine.paradise.tables import (
    FARTHEST,
    MOST_BOXES,
    MOST_CANOES,
    MOST_CORRECTIONS,
    MOST_DEFENDERS,
    MOST_POINTS,
    MOST_UNDOS,
)
from engine.words import tokens

_PROMPTS: Final = {
    "starts": "which pieces Samoa starts with, besides its home village and village",
    "samoa boxes": "how many village boxes the printed hex of Samoa has",
    "tile": "which tile lies there: its village boxes, and how many of them are green",
    "south island": "whether the South Island's tile comes with this one",
    "second": "where the South Island lies, and its boxes",
    "chain": (
        "how many new Transport Canoes the way from {0} to the home group's network needs, without"
        " those of {0} and the home group themselves, over known hexes without a piece of yours"
    ),
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
"""In which order Samoa's pieces are removed, and shifted back, where it must pick one (paradise
ruling 14)."""
CASUALTIES: Final = (
    f"Samoa removes {', '.join(REMOVED)} in this order, and panics {', '.join(PANICS)}"
)
RINGS: Final = (
    "ring 1 from Niue counter-clockwise to Tuvalu, ring 2 from the hex north of Tuvalu clockwise to"
    " Rarotonga, ring 3 from Tubai counter-clockwise, and so on outward"
)


def _unofficial(realm: Realm) -> str:
    return ", of the practice set, which is unofficial" if realm.data.is_practice else ""


def prompt(realm: Realm, ask: Ask) -> str:
    """The question in words, without a full stop."""
    about = realm.about
    match ask.rule:
        case "exploration":
            return "what your exploration shows"
        case "movement":
            hidden = realm.hidden_cards
            turn_up = (
                f" (before you attack Samoa, turn its {counted(hidden, 'card')} face up)"
                if hidden
                else ""
            )
            return (
                f"your battles with Samoa and what it loses, or that movement is complete{turn_up};"
                f" {CASUALTIES}"
            )
        case "explore":
            ring, place, knots, limit = about
            if place is not None:
                return (
                    f"what the marker at {realm.name(place)} shows, ring {ring}; {knots} of {limit}"
                    " knots so far"
                )
            return (
                f"what the next unexplored hex shows; {knots} of {limit} knots so far; the order:"
                f" {RINGS}"
            )
        case "found":
            return "which tile Samoa has found, and how far it is"
        case "reach":
            place, force, names = about
            helped = f"; cards that help: {names}" if names else ""
            where = realm.name(place)
            return (
                f"which groups that you control, with a village of yours, {where}'s {force} can"
                " reach, over its canoe chains too, and the warriors, War Canoes and local"
                f" warriors there{helped}"
            )
        case "retreat":
            return _PROMPTS["retreat"].format(about[0])
        case "chit":
            return f"draw a chit from the cup{_unofficial(realm)}"
        case "resolve":
            chits = [
                f"chit {number_of(one)}: {realm.data.chits[realm.chit(one)].sides()}"
                for one in realm.open
            ]
            return (
                f"which of the open chits is resolved first{_unofficial(realm)}; {', '.join(chits)}"
            )
        case "chain" | "far" | "arioi":
            return _PROMPTS[ask.rule].format(realm.name(about[0]))
        case "attack":
            return _PROMPTS["attack"].format(realm.name(about[0]), about[1], CASUALTIES)
    return _PROMPTS[ask.rule].format(*about)


RULINGS: Final = {
    "starts": 18,
    "samoa boxes": 16,
    "exploration": 16,
    "tile": 16,
    "south island": 19,
    "second": 19,
    "resolve": 3,
    "chain": 24,
    "occupied": 8,
    "explore": 5,
    "found": 5,
    "start": 5,
    "card": 15,
    "reach": 10,
    "far": 16,
    "arioi": 10,
    "attack": 14,
    "movement": 21,
    "retreat": 25,
    "victory": 1,
    "over": 20,
    "die": 26,
    "chit": 26,
    "correction": 27,
}
"""The ruling that each question follows."""

_FAR: Final = re.compile(r"(\d{1,9}) from tonga (\d{1,9}) from samoa")
_BOXES: Final = re.compile(r"(\d{1,9}) box(?:es)? (\d{1,9}) green")
_PLACE: Final = re.compile(r"(?:battle at|malaria at|take) (.+?)(?: won| lost|$)")
_BOUNDS: Final = (
    (re.compile(r"\bvictory (\d{1,9})"), MOST_POINTS, "points"),
    (re.compile(r"\bneeds (\d{1,9}) canoe"), MOST_CANOES, "canoes"),
    (re.compile(r": (\d{1,9}) defender"), MOST_DEFENDERS, "defenders"),
    (re.compile(r"(\d{1,9}) from tonga"), FARTHEST, "hexes"),
    (re.compile(r"(\d{1,9}) from samoa"), FARTHEST, "hexes"),
    (re.compile(r"(\d{1,9}) box"), MOST_BOXES, "boxes"),
)


def why_refused(game: ParadisePosition, ask: Ask, text: str) -> str:
    """The first fact against the report; if there is none, the ruling that the question follows, in
    brackets."""
    words = " ".join(tokens(text))
    plain = " ".join(text.casefold().split())
    facts = chain(
        _of_undo(game, words),
        _of_correction(game, words),
        _of_numbers(plain),
        _of_group(game.realm, words),
    )
    return next(facts, f"(ruling {RULINGS[ask.rule]})")


def _of_undo(game: ParadisePosition, words: str) -> Iterator[str]:
    if words == "again":
        yield "no report that was taken back fits here (ruling 20)"
    if words != "undo":
        return
    if game.undos >= MOST_UNDOS:
        yield (
            f"{MOST_UNDOS} reports were taken back, and no more can be (ruling 22); correct states"
            " a fact anew (ruling 27)"
        )
    elif not game.said:
        yield "there is no report yet to take back (ruling 20)"


def _of_correction(game: ParadisePosition, words: str) -> Iterator[str]:
    if not words.startswith("correct"):
        return
    if game.realm.corrections >= MOST_CORRECTIONS:
        yield f"{MOST_CORRECTIONS} facts were stated anew, and no more can be (ruling 22)"
    elif game.realm.step in ("exploration", "movement", "victory"):
        yield "name a group of the list, or the points after a first Victory Step (ruling 27)"
    else:
        yield (
            "facts are stated anew in your Exploration, Movement and Battle, and Victory Step"
            " (ruling 27)"
        )


def _of_numbers(words: str) -> Iterator[str]:
    for pattern, most, what in _BOUNDS:
        if (match := pattern.search(words)) and int(match[1]) > most:
            yield f"there are at most {most} {what} in a report (ruling 22)"
    if (match := _FAR.search(words)) and abs(int(match[1]) - int(match[2])) > 1:
        yield (
            "Samoa and Tonga are neighbours, so that distances from them differ by one at most"
            " (ruling 18)"
        )
    if (match := _BOXES.search(words)) and int(match[2]) > int(match[1]):
        yield "there are no more green boxes than boxes (ruling 18)"


def _of_group(realm: Realm, words: str) -> Iterator[str]:
    """Facts about a battle, malaria, or a group that is taken."""
    match = _PLACE.search(words)
    found = (
        []
        if match is None
        else [place for place in realm.groups if realm.data.names[place] == match[1]]
    )
    if not found:
        return
    group, name = realm.groups[found[0]], realm.name(found[0])
    there = pieces_by_hand(group.warriors, group.war_canoes)
    if not group.is_samoan():
        yield f"no piece of Samoa's is on {name} (ruling 23)"
    elif words.startswith("take") and there != "nothing":
        yield f"Samoa has {there} on {name}, so that it is fought for: battle at (ruling 21)"
    elif words.startswith("battle") and there == "nothing":
        yield f"Samoa has neither warrior nor War Canoe on {name}: take it (ruling 21)"
    elif words.startswith("battle"):
        how = "warriors are removed before War Canoes, and not all where you were beaten off"
        yield f"Samoa has {there} on {name}: {how} (rulings 14 and 18)"
