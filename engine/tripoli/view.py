"""The position and what happened, as names and numbers for a reader.

`view` gives the position for a viewer. The rules note events as tuples; `tell` turns one into a
dictionary with these keys besides `kind`:

==============  ====================================================================================
kind            keys
==============  ====================================================================================
year            year: begins
season          year, season: begins
shuffled        seat, count: the discard became the draw pile
drew            seat, count
discarded       seat, card: to the hand limit
event           seat, card: played as the season's event
battle card     seat, card
spent           seat, card, action ("move", "build", "raid")
passed          seat
took            seat, card: from the discard with Bainbridge Supplies Intel
card lost       seat, card: to US Signal Books Overboard
card removed    seat, card: from the game
moved           piece, count, from, to
placed          piece, count, place: from the Supply
removed         piece, count, place: to the Supply without a fight
killed          piece, count, place: infantry eliminated
sunk            piece, count, place
damaged         piece, count, place, to: next year's space, or the same place in the Assault
gold            change, gold: Tripolitania's
raid            place
battle          place: naval battle
bombardment     place
ground combat   place
captured        place
rolled          seat, why, dice, hits, place
die             seat, why, dice, result: the one die of an event
over            winners, how
==============  ====================================================================================

`card` is None for a card that nobody saw; `seat` is a name, `winners` a list of names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from engine.flow import Card, Handle, Seat
from engine.tripoli import pieces, places
from engine.tripoli.cards import BACKS, NAMES
from engine.tripoli.position import Position, season_name
from engine.tripoli.tables import ACTIVE, SEASONS, SEATS


def _name(card: int) -> str | None:
    return None if card < 0 else NAMES[card]


_READ: dict[str, Callable[[Any], Any]] = {
    "seat": SEATS.__getitem__,
    "card": _name,
    "piece": pieces.NAMES.__getitem__,
    "place": places.NAMES.__getitem__,
    "from": places.NAMES.__getitem__,
    "to": places.NAMES.__getitem__,
    "season": SEASONS.__getitem__,
    "dice": list,
    "winners": lambda seats: [SEATS[seat] for seat in seats],
}
_CARD = ("seat", "card")
_PIECES = ("piece", "count", "place")
_PLACE = ("place",)
_KEYS: dict[str, tuple[str, ...]] = {
    "year": ("year",),
    "season": ("year", "season"),
    "shuffled": ("seat", "count"),
    "drew": ("seat", "count"),
    "discarded": _CARD,
    "event": _CARD,
    "battle card": _CARD,
    "spent": (*_CARD, "action"),
    "passed": ("seat",),
    "took": _CARD,
    "card lost": _CARD,
    "card removed": _CARD,
    "moved": ("piece", "count", "from", "to"),
    "placed": _PIECES,
    "removed": _PIECES,
    "killed": _PIECES,
    "sunk": _PIECES,
    "damaged": (*_PIECES, "to"),
    "gold": ("change", "gold"),
    "raid": _PLACE,
    "battle": _PLACE,
    "bombardment": _PLACE,
    "ground combat": _PLACE,
    "captured": _PLACE,
    "rolled": ("seat", "why", "dice", "hits", "place"),
    "die": ("seat", "why", "dice", "result"),
    "over": ("winners", "how"),
}


def tell(event: tuple[Any, ...]) -> dict[str, Any]:
    """One line of the story."""
    kind, *values = event
    keys = _KEYS[kind]
    return {"kind": kind} | {
        key: _READ[key](value) if key in _READ else value
        for key, value in zip(keys, values, strict=True)
    }


def view(game: Position, faces: Mapping[Handle, Card]) -> dict[str, Any]:
    """Tracks, board, and the cards of each seat by its name; `faces` are the cards the viewer
    knows."""
    seen = {**game.opened, **faces}
    return {
        "year": game.year,
        "season": SEASONS[game.season],
        "active": ACTIVE[game.active],
        "gold": game.gold,
        "us_frigates_sunk": game.frigates[places.SUNK],
        "damaged": dict(zip(SEATS, game.damaged, strict=True)),
        "board": board(game),
        **{name: cards_of(game, seat, seen) for seat, name in enumerate(SEATS)},
    }


def board(game: Position) -> dict[str, dict[str, int]]:
    """Pieces by place, without the Supplies."""
    held = list(zip(*game.pieces, strict=True))
    return {
        places.NAMES[place]: {
            key: count for key, count in zip(pieces.KEYS, held[place], strict=True) if count
        }
        for place in places.ON_BOARD
        if any(held[place])
    }


def cards_of(game: Position, seat: Seat, seen: Mapping[Handle, Card]) -> dict[str, Any]:
    """Core cards, hand, pile, discard and removed cards of one seat. Cards set aside for the hand
    limit count as the hand's until both sides have chosen.

    Nobody may look through a face-down discard, not even its owner: every viewer gets only the
    cards that everybody saw when they were played, and the number of the rest (ruling 18).
    """
    hand = sorted((*game.hands[seat], *game.aside[seat]))
    in_discard = game.opened if game.hidden_discard else seen
    return {
        "core": _names(game.core[seat]),
        "hand": _names(seen[handle] for handle in hand if handle in seen),
        "hand_count": len(hand),
        "hand_backs": [_back(game, handle) for handle in hand],
        "draw": len(game.piles[seat]),
        "discard": _names(
            in_discard[handle] for handle in game.discards[seat] if handle in in_discard
        ),
        "discard_count": len(game.discards[seat]),
        "removed": _names(game.removed[seat]),
    }


def _back(game: Position, handle: Handle) -> dict[str, str | None]:
    """What everybody knows of a card in a hand."""
    card = game.opened.get(handle)
    return {
        "back": BACKS[handle],
        "drawn": season_name(game.drawn[handle]),
        "name": None if card is None else NAMES[card],
    }


def _names(cards: Iterable[Card]) -> list[str]:
    return sorted(NAMES[card] for card in cards)
