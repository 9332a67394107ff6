"""The Action "Explore!": Samoa explores ring by ring around the hex Samoa (paradise ruling 5)."""

from __future__ import annotations

from typing import Final

from engine.flow import Flow, Option
from engine.paradise.cards import reveal_cards
from engine.paradise.hexes import distance, walk
from engine.paradise.notation import counted
from engine.paradise.options import ADRIFT, MARKERS
from engine.paradise.position import Realm
from engine.paradise.tables import KNOTS, MOST_OFF_COURSE, SAMOA_HEX, SECTIONS, Place
from engine.paradise.tiles import ask_tile, place_canoe, place_options, placed, south_island

_ACTION: Final = SECTIONS[5]


def explore(realm: Realm) -> Flow[None]:
    """Hex after hex until five knots show, six with Navigation or Ocean Chart (paradise ruling 5)."""
    yield from reveal_cards(realm, "Explore!")
    limit = KNOTS + realm.more_knots()
    realm.tell(5, f"explore from Samoa outward until {limit} knots show")
    knots = adrift = 0
    while knots < limit:
        place: Place | None = None
        if realm.data.map:
            place = yield from _next_hex(realm)
            if place is None:
                realm.tell(5, "no unexplored hex of the map is left")
                return
        ring = 0 if place is None else realm.data.between(SAMOA_HEX, place)
        options = _options(realm, adrift)
        option = yield from realm.ask("explore", options, ring, place, knots, limit)
        if option == ("no hex",):
            realm.tell(5, "no unexplored hex is left")
            return
        kind, shown = option
        if kind == "adrift":
            adrift += 1
            counts = not realm.is_on("no-off-course-knots")
            knots += shown if counts else 0
            with_knots = f"{counted(shown, 'knot')} more" if counts else "its knots do not count"
            realm.tell(4, f"set the Off Course marker aside and draw again for the same hex; {with_knots}", _ACTION)
            continue
        knots += shown
        if place is not None:
            realm.explored.add(place)
        if kind == "island":
            yield from _found(realm, place)
    realm.tell(5, f"Explore! ends: {knots} of {limit} knots show")


def _options(realm: Realm, adrift: int) -> tuple[Option, ...]:
    markers = MARKERS if realm.has_room() else tuple(one for one in MARKERS if one[0] == "ocean")
    options: tuple[Option, ...] = (*markers, *(ADRIFT if adrift < MOST_OFF_COURSE else ()))
    return options if realm.data.map else (*options, ("no hex",))


def _found(realm: Realm, place: Place | None) -> Flow[None]:
    """A group that Samoa finds gets a Transport Canoe and nothing else (paradise ruling 5)."""
    if place is None:
        option = yield from realm.ask("found", place_options(realm, "found"))
        place = placed(realm, option)
    else:
        yield from ask_tile(realm, place)
    realm.tell(5, f"{place_canoe(realm, place)} and nothing else: Samoa finds it")
    if (yield from south_island(realm, place)):
        second: Place | None = None
        if realm.data.map:
            hexes = realm.unexplored()
            if not hexes:
                return
            _, second = yield from realm.ask("second", tuple(("discover at", one) for one in hexes))
        yield from _found(realm, second)


def _next_hex(realm: Realm) -> Flow[Place | None]:
    """The first unexplored hex of the map in the order of exploration: ring 1 counter-clockwise, ring 2 clockwise, and
    so on. Where the data do not say at which hex a ring begins, the player is asked once (paradise rulings 5 and
    16)."""
    cells = realm.data.at
    centre = realm.data.map[SAMOA_HEX]
    left = {realm.data.map[place] for place in realm.unexplored()}
    for number in sorted({distance(centre, cell) for cell in left}):
        if number not in realm.starts:
            ring = [place for place, cell in realm.data.map.items() if distance(centre, cell) == number]
            option = yield from realm.ask("start", tuple(("start at", place) for place in ring), number)
            realm.starts[number] = option[1]
        start = realm.data.map[realm.starts[number]]
        for cell in walk(centre, start, clockwise=number % 2 == 0):
            if cell in left:
                return cells[cell]
    return None
