"""The position and what happened, as plain data for templates and JSON. `view` gives the position,
`tell` one event:

===========  =======================================================================================
kind         keys
===========  =======================================================================================
turn         number
step         ruling, text, section: what the player's hands do with its reason; the ruling on
             docs/paradise.md and the section of the printed rules; where pieces go from one place
             to another piece, count, from, to as well
chit         number, expand, action, left, practice: a chit was drawn
tie          seat, why, die, among, chosen (`engine.automaton`)
corrected    text, before: a fact that was stated anew, and what it was
undone       text, after: a report was taken back; `after`: dice or chits had come under it
confirmed    text: a report that was taken back is given again
kept         why, dice: dice thrown before the undo are used again
over         winner, how
===========  =======================================================================================
"""

from __future__ import annotations

from collections.abc import Set
from typing import Any, Final

from engine import automaton
from engine.paradise import notation
from engine.paradise.cards import cards_that_help
from engine.paradise.chain import network
from engine.paradise.position import ParadisePosition, Realm
from engine.paradise.tables import (
    ACTIONS,
    EXPANDS,
    LEFT_TO_WIN,
    POINTS_TO_WIN,
    SAMOA_HEX,
    SEATS,
    Place,
)

_KEYS: Final = {
    "turn": ("number",),
    "step": ("ruling", "text", "section", "piece", "count", "from", "to"),
    "corrected": ("text", "before"),
    "chit": ("number", "expand", "action", "left", "practice"),
    "tie": automaton.KEYS["tie"],
    "undone": ("text", "after"),
    "confirmed": ("text",),
    "kept": ("why", "dice"),
    "over": ("winner", "how"),
}


def tell(event: tuple[Any, ...]) -> dict[str, Any]:
    """One line of the story."""
    kind, *values = event
    line = dict(zip(_KEYS[kind], values, strict=kind != "step"))
    if kind == "tie":
        line["seat"] = SEATS[line["seat"]]
    for key in ("among", "dice"):
        if key in line:
            line[key] = list(line[key])
    return {"kind": kind, **line}


def view(game: ParadisePosition) -> dict[str, Any]:
    """Everything that the program keeps: nothing of it is hidden from anybody."""
    realm = game.realm
    joined = network(realm) if realm.data.map and realm.home is not None else set()
    return {
        "when": game.when(),
        "turn": realm.turn,
        "step": realm.step,
        "practice": realm.data.is_practice,
        "own_dice": game.own_dice,
        "corrections": realm.corrections,
        "undos": game.undos,
        "undos_after_chance": game.undos_after_chance,
        "to_confirm": [notation.words(game.data, one.option) for one in game.unsaid],
        "home": None if realm.home is None else realm.name(realm.home),
        "realm": [_group(realm, place, joined) for place in realm.samoan()],
        "others": [
            _group(realm, place, joined)
            for place in realm.groups
            if not realm.groups[place].is_samoan()
        ],
        "chain": [realm.name(place) for place in sorted(realm.chain)],
        "sea_canoes": realm.sea_canoes + len(realm.chain),
        "cup": _cup(realm),
        "cards": _cards(realm),
        "points": realm.points,
        "points_to_win": POINTS_TO_WIN,
        "hexes": _hexes(realm),
    }


def _group(realm: Realm, place: Place, joined: Set[Place]) -> dict[str, Any]:
    group = realm.groups[place]
    return {
        "name": realm.name(place),
        "home": place == realm.home,
        "boxes": group.boxes,
        "green": group.green,
        "atoll": group.is_atoll(),
        "from_tonga": group.from_tonga,
        "from_samoa": group.from_samoa,
        "villages": group.villages,
        "warriors": group.warriors,
        "war_canoes": group.war_canoes,
        "canoe": group.canoe,
        "linked": place == realm.home or group.linked or place in joined,
    }


def _cup(realm: Realm) -> dict[str, Any]:
    """The cup: how many chits are in it, which were drawn, and how many draws are left before the
    game is lost."""
    chits = [(realm.chit(handle), realm.data.chits[realm.chit(handle)]) for handle in realm.drawn]
    left = len(realm.cup) + len(realm.waiting)
    return {
        "left": len(realm.cup),
        "waiting": len(realm.waiting),
        "open": [realm.chit(handle) + 1 for handle in realm.open],
        "pending": realm.pending,
        "draws_left": max(0, left - LEFT_TO_WIN),
        "drawn": [
            {"number": number + 1, "expand": EXPANDS[chit.expand], "action": ACTIONS[chit.action]}
            for number, chit in chits
        ],
    }


def _cards(realm: Realm) -> dict[str, Any]:
    names = realm.data.card_names
    return {
        "hidden": realm.hidden_cards,
        "known": [names[card] if card < len(names) else "another card" for card in realm.cards],
        "knots": realm.more_knots(),
        "movement": cards_that_help(realm, "movement"),
        "arioi_used": realm.arioi_used,
    }


def _hexes(realm: Realm) -> list[dict[str, Any]]:
    """The hexes of the map data relative to Samoa; empty without a map."""
    if not realm.data.map:
        return []
    q, r = realm.data.map[SAMOA_HEX]
    return [
        {
            "name": realm.name(place),
            "q": cell[0] - q,
            "r": cell[1] - r,
            "known": realm.is_known(place),
            "canoe": realm.has_canoe(place),
            "group": place in realm.groups,
        }
        for place, cell in realm.data.map.items()
    ]
