"""What the Expand side of a chit gives Samoa (chapter "Expand")."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from engine.flow import Flow
from engine.paradise import tables
from engine.paradise.chain import transport_canoe_chain
from engine.paradise.groups import find_home
from engine.paradise.notation import counted
from engine.paradise.position import Realm
from engine.paradise.tables import EXPANDS, WAR_CANOE_SECTION, Place

EXPANDS_SECTION: Final = "Expand, 1 Village per Island"
PER_VILLAGE: Final = "Expand, 1 Warrior per Village"


def expand(realm: Realm, what: int) -> Flow[None]:
    """Carry out one of the eight results."""
    yield from _RESULTS[what](realm)


def one_card(realm: Realm) -> Flow[None]:
    """A card, face down until it is revealed (paradise ruling 15)."""
    yield from ()
    realm.hidden_cards += 1
    realm.tell(15, "give Samoa the top card of the deck, face down")


# ---- villages ------------------------------------------------------------------------------------


def one_village(realm: Realm) -> Flow[None]:
    """A village in the group with the most empty boxes; a group that has only a canoe counts too
    (paradise ruling 7)."""
    most = max((realm.groups[place].empty() for place in realm.samoan()), default=0)
    if most < 1:
        realm.tell(7, "place no village: no group of Samoa's has an empty box")
        return
    if not realm.supply("villages"):
        realm.tell(12, "place no village: none is left in the supply")
        return
    tied = [place for place in realm.samoan() if realm.groups[place].empty() == most]
    place = yield from realm.choose(tied, "which group gets the village")
    realm.place_village(place)
    realm.tell(7, f"place 1 village on {realm.name(place)}: it has the most empty boxes, {most}")
    yield from find_home(realm, [place])


def village_per_island(realm: Realm) -> Flow[None]:
    """A village in each group that has an empty box (paradise rulings 7 and 12)."""
    open_groups = [place for place in realm.samoan() if realm.groups[place].empty() > 0]
    if not open_groups:
        realm.tell(7, "place no village: no group of Samoa's has an empty box")
        return
    given = [place for place in open_groups if realm.place_village(place)]
    if given:
        realm.tell(
            7, f"place 1 village each on {', '.join(map(realm.name, given))}", EXPANDS_SECTION
        )
        yield from find_home(realm, given)


# ---- warriors ------------------------------------------------------------------------------------


class Precedence(NamedTuple):
    """A step of the order of precedence: which groups may get the warrior (`may`), whether those
    with most villages come first, and the reason in words."""

    may: Callable[[Realm, Place], bool]
    by_villages: bool
    why: str


def _beside_canoe(realm: Realm, place: Place) -> bool:
    group = realm.groups[place]
    return group.war_canoes > group.warriors


def _short(realm: Realm, place: Place) -> bool:
    group = realm.groups[place]
    return not group.is_atoll() and group.villages > group.warriors


def _bare(realm: Realm, place: Place) -> bool:
    group = realm.groups[place]
    return not group.is_atoll() and group.villages == group.warriors == 0


def _bare_atoll(realm: Realm, place: Place) -> bool:
    group = realm.groups[place]
    return group.is_atoll() and group.warriors == 0


def _any_group(realm: Realm, place: Place) -> bool:
    return not realm.groups[place].is_atoll()


PRECEDENCE: Final = (
    Precedence(_beside_canoe, False, "has a War Canoe without a warrior"),
    Precedence(_short, True, "has more villages than warriors"),
    Precedence(_bare, False, "has neither villages nor warriors"),
    Precedence(_bare_atoll, False, "is an atoll without a warrior"),
    Precedence(_any_group, True, "takes what is left over"),
)
"""The order of precedence, steps 1 to 5 (paradise ruling 6)."""


def place_warrior(realm: Realm) -> Flow[None]:
    """One warrior, to a group that the first applicable step finds. Each warrior starts again at
    the first step (paradise ruling 6)."""
    if not realm.supply("warriors"):
        realm.tell(12, "place no warrior: none is left in the supply")
        return
    for number, step in enumerate(PRECEDENCE, 1):
        places = [place for place in realm.samoan() if step.may(realm, place)]
        if not places:
            continue
        best = max(realm.groups[place].villages for place in places) if step.by_villages else None
        tied = [place for place in places if best is None or realm.groups[place].villages == best]
        place = yield from realm.choose(tied, f"where the warrior goes, step {number}")
        realm.groups[place].warriors += 1
        ranked = f", most villages, {best}" if best is not None and len(places) > 1 else ""
        realm.tell(
            6, f"place 1 warrior on {realm.name(place)}: step {number}, it {step.why}{ranked}"
        )
        return
    realm.tell(6, "place no warrior: no step finds a place for it")


def two_warriors(realm: Realm) -> Flow[None]:
    """Two warriors, one after the other (paradise ruling 6)."""
    yield from place_warrior(realm)
    yield from place_warrior(realm)


def warrior_per_village(realm: Realm) -> Flow[None]:
    """Each group gets as many warriors as it needs to have one for each village (paradise rulings 6
    and 12)."""
    yield from ()
    short = [place for place in realm.samoan() if _short(realm, place)]
    if not short:
        realm.tell(6, "place no warrior: every group has one a village", PER_VILLAGE)
    for place in short:
        group = realm.groups[place]
        missing = min(group.villages - group.warriors, realm.supply("warriors"))
        group.warriors += missing
        what = counted(missing, "warrior") if missing else "no warrior"
        why = f"it has {counted(group.villages, 'village')}" + (
            "" if missing else ", and none is left in the supply"
        )
        realm.tell(6, f"place {what} on {realm.name(place)}: {why}", PER_VILLAGE)


# ---- War Canoe -----------------------------------------------------------------------------------


def war_canoe(realm: Realm) -> Flow[None]:
    """A War Canoe for the home group; nothing if there is no home (paradise rulings 9 and 12)."""
    yield from ()
    if realm.home is None:
        realm.tell(9, "place no War Canoe: Samoa has no home", WAR_CANOE_SECTION)
    elif not realm.supply("war canoes"):
        realm.tell(12, "place no War Canoe: none is left in the supply", WAR_CANOE_SECTION)
    else:
        realm.groups[realm.home].war_canoes += 1
        realm.tell(
            9, f"place 1 War Canoe on {realm.name(realm.home)}, the home group", WAR_CANOE_SECTION
        )


_RESULTS: Final[dict[int, Callable[[Realm], Flow[None]]]] = {
    tables.CARD: one_card,
    tables.CHAIN: transport_canoe_chain,
    tables.VILLAGE: one_village,
    tables.VILLAGES: village_per_island,
    tables.TWO_WARRIORS: two_warriors,
    tables.WARRIOR: place_warrior,
    tables.WARRIORS: warrior_per_village,
    tables.WAR_CANOE: war_canoe,
}
assert len(_RESULTS) == len(EXPANDS)
