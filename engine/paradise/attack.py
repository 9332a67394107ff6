"""The Action "Attack!": Samoa's War Canoes, with a warrior each, attack the player's groups
(paradise ruling 10)."""

from __future__ import annotations

from typing import NamedTuple

from engine.flow import Flow, Option
from engine.paradise.cards import cards_that_help, reveal_cards
from engine.paradise.groups import find_home, retreat
from engine.paradise.notation import pieces_by_hand, pieces_in_words
from engine.paradise.options import CHARTED, battle_options, far_options, reach_options
from engine.paradise.position import IslandGroup, Realm
from engine.paradise.tables import ARIOI, DONE, PRINTED, SAMOA_HEX, TONGA_HEX, Place


def attack(realm: Realm) -> Flow[None]:
    """Every hex with War Canoes chooses its own target, all at the same time; then the battles are
    fought, in an order that a die decides (paradise ruling 10)."""
    yield from reveal_cards(realm, "Attack!")
    if not realm.fleets():
        realm.tell(10, "move nothing: Samoa has no War Canoe")
        return
    defenders: dict[Place, int] = {}
    targets: dict[Place, list[AttackForce]] = {}
    for place in realm.fleets():
        target = yield from _target(realm, place, defenders)
        if target is not None:
            targets.setdefault(target, []).append(
                AttackForce(place, *strength(realm.groups[place]))
            )
    while targets:
        left = list(targets)
        target = yield from realm.choose(left, "which attack comes first")
        yield from _assault(realm, target, targets.pop(target))


class AttackForce(NamedTuple):
    """The pieces that attack from one hex, as they were when it chose. Pieces that retreat there
    later do not attack again."""

    place: Place
    warriors: int
    war_canoes: int


def strength(group: IslandGroup) -> tuple[int, int]:
    """The warriors and War Canoes that attack from a hex: all War Canoes, and up to one warrior for
    each."""
    return min(group.warriors, group.war_canoes), group.war_canoes


def _target(realm: Realm, fleet: Place, defenders: dict[Place, int]) -> Flow[Place | None]:
    """The group within reach with the fewest defenders; of several the nearest to Samoa; of several
    by die. The player is asked each time what can be reached, because chains and cards change
    (paradise ruling 16)."""
    reached: dict[Place, int] = {}
    candidates = _candidates(realm, fleet)
    force = pieces_in_words(*strength(realm.groups[fleet]))
    while candidates:
        options = [option for place in candidates for option in _of_place(place, defenders)]
        about = (fleet, force, cards_that_help(realm, "movement"))
        option = yield from realm.ask("reach", (*options, DONE), *about)
        if option == DONE:
            break
        _, place, number = option
        reached[place] = defenders[place] = number
        candidates.remove(place)
    where = realm.name(fleet)
    if not reached:
        realm.tell(10, f"leave Samoa's pieces on {where}: they can reach nothing of yours")
        return None
    fewest = min(reached.values())
    tied = [place for place in reached if reached[place] == fewest]
    why = f"the fewest defenders, {fewest}"
    if len(tied) > 1:
        near: dict[Place, int] = {}
        for place in tied:
            near[place] = yield from _from_samoa(realm, place)
        least = min(near.values())
        tied = [place for place in tied if near[place] == least]
        why += f", nearest to Samoa, {least}"
    target = yield from realm.choose(tied, f"what {where} attacks")
    force = pieces_by_hand(*strength(realm.groups[fleet]))
    realm.tell_move(
        10,
        f"move {force} of Samoa's from {where} to {realm.name(target)}, to attack it: {why}",
        (fleet, target),
        *strength(realm.groups[fleet]),
    )
    return target


def _of_place(place: Place, defenders: dict[Place, int]) -> tuple[Option, ...]:
    """A place that can be reached; its defenders are the same for every fleet (paradise ruling
    18)."""
    if place in defenders:
        return (("reach", place, defenders[place]),)
    return reach_options(place)


def _candidates(realm: Realm, fleet: Place) -> list[Place]:
    """Places where the player may have a village: no piece of Samoa's is there and they are no
    atolls (paradise ruling 18). With a map, only known hexes that are no ocean. With data about
    movement, only those near enough to the fleet or to its chain."""
    named = (
        sorted(realm.data.known - realm.chain) if realm.data.map else list(range(1, len(PRINTED)))
    )
    samoan = set(realm.samoan())
    lost_home = [SAMOA_HEX] if SAMOA_HEX not in samoan else []
    places = [
        place for place in dict.fromkeys([*lost_home, *named, *realm.groups]) if place not in samoan
    ]
    places = [
        place for place in places if place not in realm.groups or not realm.groups[place].is_atoll()
    ]
    reach = _reach(realm)
    if not realm.data.map or reach is None:
        return places
    starts = _transit_hexes(realm, fleet) if realm.data.transit else {fleet}
    return [
        place
        for place in places
        if any(realm.data.between(start, place) <= reach for start in starts)
    ]


def _reach(realm: Realm) -> int | None:
    """How many hexes War Canoes go, with Samoa's revealed cards; None if the data do not say."""
    names = [realm.data.card_names[card] for card in realm.known_cards()]
    cards = [
        name for name in names if realm.data.cards[name] == "movement" or name in realm.data.adds
    ]
    if realm.data.reach is None or any(name not in realm.data.adds for name in cards):
        return None
    return realm.data.reach + sum(realm.data.adds[name] for name in cards)


def _transit_hexes(realm: Realm, fleet: Place) -> set[Place]:
    """The hexes that a fleet may reach by transit: its own, and those that a chain of canoes
    connects with it."""
    found, edge = {fleet}, [fleet]
    if not realm.has_canoe(fleet):
        return found
    while edge:
        fresh = [
            place
            for place in realm.beside(edge.pop())
            if place not in found and realm.has_canoe(place)
        ]
        found.update(fresh)
        edge += fresh
    return found


def _from_samoa(realm: Realm, place: Place) -> Flow[int]:
    """The distance from Samoa in hexes. The player is asked once if it is not known (paradise
    ruling 16)."""
    known = realm.from_samoa(place)
    if known is not None:
        return known
    option = yield from realm.ask("far", far_options(place), place)
    realm.distances[place] = option[2]
    return realm.distances[place]


# ---- the battle ----------------------------------------------------------------------------------


def _assault(realm: Realm, target: Place, fleets: list[AttackForce]) -> Flow[None]:
    """One battle of all forces that attack this group. The player's Arioi can stop it, once in a
    game unless the players chose otherwise; Samoa's pieces then stay where they are (paradise
    ruling 10)."""
    if _may_stop(realm):
        option = yield from realm.ask("arioi", (("no arioi",), ("arioi",)), target)
        if option == ("arioi",):
            realm.arioi_used = True
            realm.tell(
                10,
                f"move Samoa's pieces back from {realm.name(target)}: your Arioi stops the attack,"
                " they stay",
            )
            return
    warriors, canoes = (
        sum(fleet.warriors for fleet in fleets),
        sum(fleet.war_canoes for fleet in fleets),
    )
    options = battle_options(target, warriors, canoes)
    force = pieces_in_words(warriors, canoes)
    _, _, won, lost_warriors, lost_canoes = yield from realm.ask("attack", options, target, force)
    for fleet in fleets:
        realm.groups[fleet.place].warriors -= fleet.warriors
        realm.groups[fleet.place].war_canoes -= fleet.war_canoes
    warriors, canoes = warriors - lost_warriors, canoes - lost_canoes
    lost = pieces_by_hand(lost_warriors, lost_canoes)
    realm.tell(14, f"remove {lost} of Samoa's from {realm.name(target)}: lost in battle")
    if won:
        yield from retreat(realm, target, warriors, canoes)
    else:
        yield from _conquer(realm, target, warriors, canoes)


def _may_stop(realm: Realm) -> bool:
    """Whether the player may be asked for an Arioi: not a second time, and not if Samoa has
    revealed the card itself (paradise rulings 10 and 18)."""
    if any(realm.data.card_names[card] == ARIOI for card in realm.known_cards()):
        return False
    return not realm.arioi_used or realm.is_on("arioi-again")


def _conquer(realm: Realm, target: Place, warriors: int, canoes: int) -> Flow[None]:
    """Samoa saves one village and its remaining pieces stay with it. No Transport Canoe is placed
    (paradise ruling 13)."""
    if target not in realm.groups or not realm.groups[target].boxes:
        option = yield from realm.ask("tile", CHARTED, target)
        group = realm.groups.setdefault(
            target, IslandGroup(from_samoa=realm.from_samoa(target) or 0)
        )
        group.boxes, group.green = option[1:]
        if target in realm.data.map:
            group.from_tonga = realm.data.between(target, TONGA_HEX)
    group = realm.groups[target]
    group.villages = int(realm.supply("villages") > 0)
    group.warriors = warriors
    group.war_canoes = canoes
    saved = "1 village of Samoa's" if group.villages else "no village, for none is left,"
    pieces = pieces_by_hand(warriors, canoes)
    name = realm.name(target)
    realm.tell(
        13,
        f"retreat your pieces from {name} and remove your villages; place {saved} there; leave"
        f" {pieces}",
    )
    if realm.home is None:
        yield from find_home(realm, [target])
