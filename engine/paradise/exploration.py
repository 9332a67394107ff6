"""Exploration: the player's step, with what they discover and whether Samoa is there (chapter
"Exploration Step"), and the Action "Explore!", in which Samoa explores ring by ring around the hex
Samoa (paradise ruling 5).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.flow import Flow, Option
from engine.options import Chain, Product
from engine.paradise.cards import reveal_cards
from engine.paradise.correction import correct, corrections, is_correction
from engine.paradise.groups import (
    ask_tile,
    describe,
    find_home,
    place_canoe,
    place_group,
    place_options,
    south_island,
)
from engine.paradise.hexes import distance, walk
from engine.paradise.notation import counted
from engine.paradise.options import ADRIFT, MARKERS, OFF_COURSE
from engine.paradise.position import IslandGroup, Realm
from engine.paradise.tables import (
    DISCOVERY_SECTION,
    FOUR_BOXES,
    KNOTS,
    MOST_EVENTS,
    MOST_OFF_COURSE,
    NEXT_TO_SAMOA,
    PRINTED,
    SAMOA_HEX,
    SECTIONS,
    Place,
)

COMPLETE: Option = ("exploration complete",)
_ALWAYS: Final = (COMPLETE, *OFF_COURSE)
_HERE: Final = {SAMOA_HEX, *(PRINTED.index(name) for name in NEXT_TO_SAMOA)}
_TO_DISCOVER: Final = tuple(place for place in range(len(PRINTED)) if place not in _HERE)


def exploration(realm: Realm) -> Flow[None]:
    """The player's discoveries, one by one, until they report that exploration is complete."""
    realm.step = "exploration"
    reports = 0
    while reports < MOST_EVENTS:
        option = yield from realm.ask("exploration", _options(realm), mends=corrections(realm))
        if is_correction(option):
            yield from correct(realm, option)
            continue
        reports += 1
        match option:
            case ("exploration complete",):
                return
            case ("off course", number):
                yield from _off_course(realm, number)
            case ("call", label, place):
                _rename(realm, label, place)
            case ("ocean at", place):
                realm.explored.add(place)
            case ("discover at", place):
                yield from ask_tile(realm, place)
                yield from _discover_group(realm, place)
            case _:
                yield from _discover_group(realm, place_group(realm, option))
    realm.tell(22, f"exploration ends after {MOST_EVENTS} reports")


def _options(realm: Realm) -> Sequence[Option]:
    if realm.data.map:
        hexes = realm.unexplored()
        found = Product("discover at", hexes if realm.has_room() else ())
        return Chain(_ALWAYS, found, Product("ocean at", hexes))
    return Chain(
        _ALWAYS,
        place_options(realm, "discover"),
        Product("call", realm.numbered(), _free_names(realm)),
    )


def _free_names(realm: Realm) -> list[Place]:
    """Printed names that no group has yet; what is printed next to Samoa is never discovered."""
    return [place for place in _TO_DISCOVER if place not in realm.groups]


def _rename(realm: Realm, label: Place, place: Place) -> None:
    """The group gets its printed name. Nothing else changes."""
    realm.groups = {place if one == label else one: group for one, group in realm.groups.items()}
    if realm.home == label:
        realm.home = place
    realm.tell(16, f"{realm.name(label)} is {realm.name(place)}")


def _off_course(realm: Realm, number: int) -> Flow[None]:
    """The player's explorer moves to the eligible hex that is farthest from Tonga. A die chooses
    among those at the same distance (paradise ruling 4)."""
    names = [f"hex {at}" for at in range(1, number + 1)]
    at = yield from realm.choose_one(
        names, "Off Course, counting the farthest hexes in your own order"
    )
    realm.tell(
        4,
        f"move your explorer to the farthest eligible hex, number {at + 1} of {number}: Off Course",
    )


def _discover_group(realm: Realm, place: Place) -> Flow[None]:
    """What a discovered group brings: occupation by Samoa, perhaps a chit, perhaps the South Island
    (paradise rulings 3 and 19)."""
    is_samoas = yield from occupation(realm, place)
    group = realm.groups[place]
    least = FOUR_BOXES - 1 if realm.is_on("three-boxes") else FOUR_BOXES
    if not is_samoas and group.boxes >= least:
        realm.pending += 1
        name = realm.name(place)
        text = (
            f"draw a chit when exploration is complete: {name} is free and has {group.boxes} boxes"
        )
        realm.tell(3, text, DISCOVERY_SECTION)
    if (yield from south_island(realm, place)):
        yield from _second_tile(realm)


def _second_tile(realm: Realm) -> Flow[None]:
    """The South Island's hex is discovered like any other (paradise ruling 19)."""
    if realm.data.map:
        hexes = realm.unexplored()
        if not hexes:
            return
        option = yield from realm.ask("second", tuple(("discover at", place) for place in hexes))
        place = yield from ask_tile(realm, option[1])
    else:
        option = yield from realm.ask("second", place_options(realm, "discover"))
        place = place_group(realm, option)
    yield from _discover_group(realm, place)


# ---- occupation ----------------------------------------------------------------------------------


def modifier(group: IslandGroup) -> int:
    """What is subtracted from the die: 2 if the group is nearer to Samoa, 1 at the same distance, 0
    if it is nearer to Tonga."""
    return 2 if group.from_samoa < group.from_tonga else int(group.from_samoa == group.from_tonga)


def is_occupied(group: IslandGroup, die: int) -> bool:
    """Whether this die gives the group to Samoa: after the modifier it is less than the distance
    from Tonga."""
    return die - modifier(group) < group.from_tonga


def occupation(realm: Realm, place: Place) -> Flow[bool]:
    """Roll a die, even if the result is certain (paradise ruling 17), and place the pieces if the
    group is Samoa's. Returns whether it is."""
    group, name = realm.groups[place], realm.name(place)
    faces = sum(is_occupied(group, face) for face in range(1, 7))
    held = {0: "on no face", 1: "on 1", 6: "on any face"}.get(faces, f"on 1 to {faces}")
    (die,) = yield from realm.roll(1, f"{describe(realm, place)} is Samoa's {held}", "occupation")
    less = modifier(group)
    sum_up = f"{die} - {less}" if less else f"{die}"
    if not is_occupied(group, die):
        far = f"{group.from_tonga}, its distance from Tonga"
        realm.tell(17, f"place nothing on {name}: it is free, as {sum_up} is not less than {far}")
        return False
    realm.tell(
        17,
        f"{place_canoe(realm, place)}: it is Samoa's, as {sum_up} is less than {group.from_tonga}",
    )
    if group.green:
        why = f"villages in the green boxes of {name}, one for each even die"
        dice = yield from realm.roll(group.green, why, "villages")
        wanted = sum(die % 2 == 0 for die in dice)
        group.villages = min(wanted, realm.supply("villages"))
        pieces = counted(group.villages, "village") if group.villages else "no village"
        realm.tell(12, f"place {pieces} on {name}: one for each even die", DISCOVERY_SECTION)
    if group.villages:
        dice = yield from realm.roll(
            group.villages, f"warriors on {name}, one for each even die", "warriors"
        )
        group.warriors = min(sum(die % 2 == 0 for die in dice), realm.supply("warriors"))
        pieces = counted(group.warriors, "warrior") if group.warriors else "no warrior"
        realm.tell(12, f"place {pieces} on {name}: one for each even die", DISCOVERY_SECTION)
        if realm.home is None:
            yield from find_home(realm, [place])
    return True


_ACTION: Final = SECTIONS[5]


def explore(realm: Realm) -> Flow[None]:
    """Explore hex after hex until five knots show; six with Navigation or Ocean Chart (paradise
    ruling 5)."""
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
        options = _marker_options(realm, adrift)
        option = yield from realm.ask("explore", options, ring, place, knots, limit)
        if option == ("no hex",):
            realm.tell(5, "no unexplored hex is left")
            return
        kind, number = option
        if kind == "adrift":
            adrift += 1
            counts = not realm.is_on("no-off-course-knots")
            knots += number if counts else 0
            with_knots = f"{counted(number, 'knot')} more" if counts else "its knots do not count"
            realm.tell(
                4,
                f"set the Off Course marker aside and draw again for the same hex; {with_knots}",
                _ACTION,
            )
            continue
        knots += number
        if place is not None:
            realm.explored.add(place)
        if kind == "island":
            yield from _find_group(realm, place)
    realm.tell(5, f"Explore! ends: {knots} of {limit} knots show")


def _marker_options(realm: Realm, adrift: int) -> tuple[Option, ...]:
    markers = MARKERS if realm.has_room() else tuple(one for one in MARKERS if one[0] == "ocean")
    options: tuple[Option, ...] = (*markers, *(ADRIFT if adrift < MOST_OFF_COURSE else ()))
    return options if realm.data.map else (*options, ("no hex",))


def _find_group(realm: Realm, place: Place | None) -> Flow[None]:
    """A group that Samoa finds gets a Transport Canoe and nothing else (paradise ruling 5)."""
    if place is None:
        option = yield from realm.ask("found", place_options(realm, "found"))
        place = place_group(realm, option)
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
        yield from _find_group(realm, second)


def _next_hex(realm: Realm) -> Flow[Place | None]:
    """The first unexplored hex of the map in the order of exploration: ring 1 counter-clockwise,
    ring 2 clockwise, and so on. Where the data do not say at which hex a ring begins, the player is
    asked once (paradise rulings 5 and 16)."""
    cells = realm.data.at
    centre = realm.data.map[SAMOA_HEX]
    left = {realm.data.map[place] for place in realm.unexplored()}
    for number in sorted({distance(centre, cell) for cell in left}):
        if number not in realm.starts:
            ring = [
                place for place, cell in realm.data.map.items() if distance(centre, cell) == number
            ]
            option = yield from realm.ask(
                "start", tuple(("start at", place) for place in ring), number
            )
            realm.starts[number] = option[1]
        start = realm.data.map[realm.starts[number]]
        for cell in walk(centre, start, clockwise=number % 2 == 0):
            if cell in left:
                return cells[cell]
    return None
