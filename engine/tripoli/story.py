"""What happened, as names and numbers.

The rules note events as tuples; `tell` turns one into a dictionary with these keys besides `kind`:

==============  ==================================================================================================
kind            keys
==============  ==================================================================================================
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
==============  ==================================================================================================

`card` is None for a card that nobody saw; `seat` is a name, `winners` a list of names.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.tripoli import pieces, places
from engine.tripoli.cards import NAMES
from engine.tripoli.tables import SEASONS, SEATS


def _name(card: int) -> str | None:
    return None if card < 0 else NAMES[card]


def _plain(value: Any) -> Any:
    return value


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
    return {"kind": kind} | {key: _READ.get(key, _plain)(value) for key, value in zip(keys, values, strict=True)}
