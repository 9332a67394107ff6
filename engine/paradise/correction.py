"""Facts that the player states anew where a report was mistaken (paradise ruling 27).

A correction changes what the program keeps from here on. What was decided with the mistaken fact
stays: dice, chits, pieces that were placed and attacks are as they were, and `undo` is there for a
report that should not stand at all.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from engine.flow import Flow, Option
from engine.options import Chain, Product
from engine.paradise.groups import find_home, home_is_lost
from engine.paradise.notation import PIECES, boxes_in_words, counted
from engine.paradise.options import BOX_OPTIONS, SAMOAN_BOXES, VICTORY, distances_but, pieces_but
from engine.paradise.position import Realm
from engine.paradise.tables import (
    MOST_CORRECTIONS,
    MOST_DEFENDERS,
    MOST_SAMOAN_BOXES,
    SAMOA_HEX,
    Place,
)

_SUPPLIES: Final = ("villages", "warriors", "war canoes", "transport canoes")
_POINTS: Final[tuple[Option, ...]] = (("correct points",),)


def corrections(realm: Realm) -> Sequence[Option]:
    """What the player can correct now: boxes, distances (without a map) and pieces of a group, and
    points."""
    if realm.corrections >= MOST_CORRECTIONS:
        return ()
    groups = realm.groups
    has_pieces = not realm.data.supply or any(map(realm.supply, _SUPPLIES))
    counted_on = tuple(groups) if has_pieces else tuple(realm.samoan())
    is_full = SAMOA_HEX in groups and groups[SAMOA_HEX].villages == MOST_SAMOAN_BOXES
    return _options(
        tuple(groups), counted_on, is_full, bool(realm.data.map), realm.points is not None
    )


@lru_cache(256)
def _options(
    places: tuple[Place, ...],
    counted_on: tuple[Place, ...],
    is_full: bool,
    has_map: bool,
    has_points: bool,
) -> Sequence[Option]:
    """The corrections of these groups: boxes, except of a Samoa that is full; distances if there is
    no map; pieces; and points once they were reported."""
    boxes = [place for place in places if place != SAMOA_HEX or not is_full]
    far = [] if has_map else [place for place in places if place != SAMOA_HEX]
    parts = [
        Product("correct", boxes),
        Product("correct distance", far),
        Product("correct pieces", counted_on),
    ]
    return Chain(*parts, _POINTS if has_points else ())


def is_correction(option: Option) -> bool:
    return str(option[0]).startswith("correct")


def correct(realm: Realm, option: Option) -> Flow[None]:
    """Ask for the correct fact and keep it. The story says what was kept before."""
    realm.corrections += 1
    kind, *places = option
    if kind == "correct points":
        yield from _points(realm)
    elif kind == "correct":
        yield from _boxes(realm, *places)
    elif kind == "correct distance":
        yield from _distance(realm, *places)
    else:
        yield from _pieces(realm, *places)
    realm.has_corrected = True


def _points(realm: Realm) -> Flow[None]:
    options = tuple(option for option in VICTORY if option[1] != realm.points)
    before = f"{realm.points}"
    _, realm.points = yield from realm.ask("correction", options, f"your points, not {before}")
    realm.note("corrected", f"your points are {realm.points}", before)


def _boxes(realm: Realm, place: Place) -> Flow[None]:
    """The number of boxes, at least as many as there are villages."""
    group = realm.groups[place]
    before = boxes_in_words(group.boxes, group.green)
    if place == SAMOA_HEX:
        before = counted(group.boxes, "box", "boxes")
        options: tuple[Option, ...] = tuple(
            one for one in SAMOAN_BOXES if group.boxes != one[1] >= group.villages
        )
    else:
        options = tuple(
            one
            for one in BOX_OPTIONS
            if (group.boxes, group.green) != one[1:] and one[1] >= group.villages
        )
    about = f"the boxes of {realm.name(place)}, not {before}"
    _, group.boxes, *green = yield from realm.ask("correction", options, about)
    now = counted(group.boxes, "box", "boxes")
    if green:
        group.green = green[0]
        now = boxes_in_words(group.boxes, group.green)
    realm.note("corrected", f"{realm.name(place)} has {now}", before)


def _distance(realm: Realm, place: Place) -> Flow[None]:
    group, name = realm.groups[place], realm.name(place)
    before = f"{group.from_tonga} and {group.from_samoa}"
    about = f"how far {name} is from Tonga and from Samoa, not {before}"
    options = distances_but(group.from_tonga, group.from_samoa)
    _, group.from_tonga, group.from_samoa = yield from realm.ask("correction", options, about)
    realm.note(
        "corrected",
        f"{name} is {group.from_tonga} from Tonga and {group.from_samoa} from Samoa",
        before,
    )


def _pieces(realm: Realm, place: Place) -> Flow[None]:
    """One kind of Samoa's pieces on a group, at most as many as the supply has. A home group
    without pieces is lost; if Samoa has no home, a group with a village becomes it (paradise ruling
    9)."""
    group, name = realm.groups[place], realm.name(place)
    there = (group.villages, group.warriors, group.war_canoes, int(group.canoe))
    bounds = (group.boxes, MOST_DEFENDERS, MOST_DEFENDERS, 1)
    most = tuple(
        min(bound, now + realm.supply(kind))
        for bound, now, kind in zip(bounds, there, _SUPPLIES, strict=True)
    )
    about = f"how many of one kind of Samoa's pieces are on {name}"
    _, kind, number = yield from realm.ask("correction", pieces_but(there, most), about)
    kept = list(there)
    kept[kind] = number
    group.villages, group.warriors, group.war_canoes, canoe = kept
    group.canoe = bool(canoe)
    group.linked = group.linked and group.canoe
    realm.note(
        "corrected", f"{name} has {counted(number, PIECES[kind])} of Samoa's", f"{there[kind]}"
    )
    if realm.home == place and not group.is_samoan():
        yield from home_is_lost(realm)
    elif realm.home is None and group.villages:
        yield from find_home(realm, [place])
