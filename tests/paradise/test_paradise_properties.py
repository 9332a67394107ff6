"""What the procedure says of each Expand result, held against it literally at positions that nobody
chose."""

from __future__ import annotations

import random
from collections.abc import Iterable
from copy import deepcopy
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from engine.flow import Answer, Ask, Flow, Roll
from engine.paradise import tables
from engine.paradise.expand import expand
from engine.paradise.exploration import occupation
from engine.paradise.hexes import distance
from engine.paradise.position import IslandGroup, Realm
from tests.support.paradise_kit import SMALL_MAP, a_realm, place


@st.composite
def groups(draw: st.DrawFn) -> IslandGroup:
    boxes = draw(st.integers(0, 4))
    few = st.integers(0, 3)
    group = IslandGroup(
        boxes, draw(st.integers(0, boxes)), 3, 3, draw(st.integers(0, boxes)), draw(few), draw(few)
    )
    group.canoe = draw(st.booleans())
    return group


REALMS = st.lists(groups(), max_size=6)
CHANCES = st.integers(0, 2**32).map(random.Random)


def realm_of(others: Iterable[IslandGroup]) -> Realm:
    return a_realm({f"group {number}": group for number, group in enumerate(others, 1)})


def run(flow: Flow[Any], chance: random.Random) -> list[int]:
    """Any dice and any answers; the dice that were thrown."""
    thrown: list[int] = []
    value: Any = None
    try:
        while True:
            request = flow.send(value)
            if isinstance(request, Ask):
                value = Answer(chance.choice(request.options))
            else:
                assert isinstance(request, Roll)
                value = tuple(chance.randint(1, 6) for _ in range(request.number))
                thrown += value
    except StopIteration:
        return thrown


def given_to(realm: Realm, what: int, chance: random.Random) -> dict[int, IslandGroup]:
    """The groups before; afterwards only `what` has happened, and nothing to a group that is not
    Samoa's."""
    before = deepcopy(realm.groups)
    run(expand(realm, what), chance)
    assert all(realm.groups[at] == group for at, group in before.items() if not group.is_samoan())
    return before


def grown(before: dict[int, IslandGroup], realm: Realm, kind: str) -> dict[int, int]:
    """By how many pieces of a kind each group grew, those that did not left out; no other piece has
    changed."""
    for at, group in before.items():
        for other in ("villages", "warriors", "war_canoes", "canoe"):
            assert other == kind or getattr(group, other) == getattr(realm.groups[at], other)
    more = {
        at: getattr(realm.groups[at], kind) - getattr(group, kind) for at, group in before.items()
    }
    return {at: number for at, number in more.items() if number}


def most(before: dict[int, IslandGroup], places: Iterable[int], what: Any) -> set[int]:
    """Those of the places with the most of something."""
    found = list(places)
    best = max((what(before[at]) for at in found), default=0)
    return {at for at in found if what(before[at]) == best}


def samoan(before: dict[int, IslandGroup]) -> list[int]:
    return [at for at, group in before.items() if group.is_samoan()]


@given(REALMS, CHANCES)
def test_one_village_stands_where_most_boxes_are_empty(
    others: list[IslandGroup], chance: random.Random
) -> None:
    realm = realm_of(others)
    before = given_to(realm, tables.VILLAGE, chance)
    (at,) = grown(before, realm, "villages")
    assert at in most(before, samoan(before), lambda group: group.boxes - group.villages)


@given(REALMS, CHANCES)
def test_each_island_with_an_empty_box_gets_one_village(
    others: list[IslandGroup], chance: random.Random
) -> None:
    realm = realm_of(others)
    before = given_to(realm, tables.VILLAGES, chance)
    open_groups = {at: 1 for at in samoan(before) if before[at].boxes > before[at].villages}
    assert grown(before, realm, "villages") == open_groups


def precedence(before: dict[int, IslandGroup]) -> set[int]:
    """Where the next warrior may go, as chapter "Order of precedence" says it, with ruling 6 on
    step 5."""
    here = samoan(before)
    islands = [at for at in here if before[at].boxes]
    if first := {at for at in here if before[at].war_canoes > before[at].warriors}:
        return first
    if second := [at for at in islands if before[at].villages > before[at].warriors]:
        return most(before, second, lambda group: group.villages)
    if third := {at for at in islands if not before[at].villages and not before[at].warriors}:
        return third
    if fourth := {at for at in here if not before[at].boxes and not before[at].warriors}:
        return fourth
    return most(before, islands, lambda group: group.villages)


@given(REALMS, CHANCES)
def test_warriors_follow_the_order_of_precedence(
    others: list[IslandGroup], chance: random.Random
) -> None:
    realm = realm_of(others)
    before = given_to(realm, tables.WARRIOR, chance)
    (at,) = grown(before, realm, "warriors")
    assert at in precedence(before)


@given(REALMS, CHANCES)
def test_two_warriors_are_placed_one_after_the_other(
    others: list[IslandGroup], chance: random.Random
) -> None:
    realm = realm_of(others)
    before = given_to(realm, tables.TWO_WARRIORS, chance)
    more = grown(before, realm, "warriors")
    assert sum(more.values()) == 2
    possible = []
    for first in precedence(before):
        middle = deepcopy(before)
        middle[first].warriors += 1
        possible += [sorted((first, second)) for second in precedence(middle)]
    assert sorted(at for at, number in more.items() for _ in range(number)) in possible


@given(REALMS, CHANCES)
def test_a_warrior_per_village_fills_up_and_no_more(
    others: list[IslandGroup], chance: random.Random
) -> None:
    realm = realm_of(others)
    before = given_to(realm, tables.WARRIORS, chance)
    missing = {at: before[at].villages - before[at].warriors for at in samoan(before)}
    assert grown(before, realm, "warriors") == {
        at: number for at, number in missing.items() if number > 0
    }


@given(REALMS, CHANCES)
def test_a_war_canoe_lies_in_the_home_group(
    others: list[IslandGroup], chance: random.Random
) -> None:
    realm = realm_of(others)
    before = given_to(realm, tables.WAR_CANOE, chance)
    assert grown(before, realm, "war_canoes") == {0: 1}


@given(REALMS, CHANCES)
def test_a_card_moves_nothing(others: list[IslandGroup], chance: random.Random) -> None:
    realm = realm_of(others)
    before = given_to(realm, tables.CARD, chance)
    assert not grown(before, realm, "villages") and realm.hidden_cards == 1


# ---- the chain -----------------------------------------------------------------------------------

HEXES = [line.split(": hex ")[1].rsplit(" ", 3)[0] for line in SMALL_MAP if ": hex " in line][2:]


class Chained:
    """A chain on the small map, and the hexes that the player said they hold."""

    def __init__(
        self, islands: set[str], seas: set[str], canoes: set[str], taken: set[str]
    ) -> None:
        self.realm = realm = a_realm(
            {name: IslandGroup(2, 1, 3, 3, canoe=True) for name in islands}, lines=SMALL_MAP
        )
        realm.explored = {place(realm, name) for name in islands | seas}
        realm.chain = {place(realm, name) for name in canoes & seas - islands - taken}
        self.before = set(realm.chain)
        self.taken = {place(realm, "tonga")}
        wished = {place(realm, name) for name in taken}
        flow, value = expand(realm, tables.CHAIN), None
        try:
            while True:
                request = flow.send(value)
                if isinstance(request, Ask):
                    yours = [
                        option
                        for option in request.options
                        if option[0] == "you occupy" and option[1] in wished
                    ]
                    self.taken |= {yours[0][1]} if yours else set()
                    value = Answer(yours[0] if yours else request.options[-1])
                else:
                    value = tuple([1] * request.number)
        except StopIteration:
            pass

    def reached(self, allowed: set[int]) -> set[int]:
        """What these hexes connect with Samoa."""
        cells = self.realm.data.map
        found, edge = {0}, [0]
        while edge:
            at = edge.pop()
            fresh = [one for one in allowed - found if distance(cells[at], cells[one]) == 1]
            found.update(fresh)
            edge += fresh
        return found


NAMES = st.sets(st.sampled_from(HEXES))


@given(NAMES, NAMES, NAMES, NAMES)
def test_a_chain_joins_what_can_be_joined_and_nothing_else(
    islands: set[str], seas: set[str], canoes: set[str], taken: set[str]
) -> None:
    """Canoes in known hexes without a piece of the player's; all that can be connected is; at home
    only then."""
    played = Chained(islands, seas, canoes, taken - islands)
    realm = played.realm
    known = {at for at in realm.data.map if realm.is_known(at)}
    groups = {place(realm, name) for name in islands}
    usable = (known - played.taken) | groups
    assert realm.chain >= played.before and realm.chain <= known - played.taken - groups
    joined = (
        played.reached({at for at in usable if realm.has_canoe(at)}) if realm.has_canoe(0) else {0}
    )
    assert groups & joined == groups & played.reached(usable)
    assert realm.has_canoe(0) == bool(groups & joined)


@given(st.sampled_from(HEXES), NAMES, NAMES)
def test_a_chain_to_one_group_has_the_fewest_new_canoes(
    island: str, seas: set[str], canoes: set[str]
) -> None:
    """Against every set of known hexes, smallest first."""
    played = Chained({island}, seas - {island}, canoes, set())
    realm = played.realm
    new = realm.chain - played.before
    goal = place(realm, island)
    if goal not in played.reached(
        {at for at in realm.data.map if realm.is_known(at) and at not in played.taken}
    ):
        assert not new
        return
    for one in new:
        # none of them is too much
        assert goal not in played.reached((realm.chain | {goal}) - {one})
    fewer = shortest(realm, goal, played.before, played.taken)
    assert len(new) == fewer


def shortest(realm: Realm, goal: int, canoes: set[int], taken: set[int]) -> int:
    """New canoes on the cheapest way from Samoa, by relaxing every pair of neighbours until nothing
    changes."""
    cells = {
        at: cell for at, cell in realm.data.map.items() if realm.is_known(at) and at not in taken
    }
    cost = {at: 0 if at == 0 else 999 for at in cells}
    for _ in cells:
        for one in cells:
            for other in cells:
                if distance(cells[one], cells[other]) == 1:
                    step = 0 if other in canoes or other == goal or other == 0 else 1
                    cost[other] = min(cost[other], cost[one] + step)
    return cost[goal]


# ---- occupation ----------------------------------------------------------------------------------


@given(st.sampled_from(tables.BOXES), st.sampled_from(tables.DISTANCES), CHANCES)
def test_an_occupied_group_has_what_the_dice_say(
    boxes: tuple[int, int], far: tuple[int, int], chance: random.Random
) -> None:
    """A die less than the distance; a village for each even die on green boxes; a warrior for each
    on those."""
    realm = a_realm({"group 1": IslandGroup(*boxes, *far)})
    dice = run(occupation(realm, place(realm, "group 1")), chance)
    group = realm.groups[place(realm, "group 1")]
    tonga, samoa = far
    is_samoas = dice[0] - {True: 2, False: 0}[samoa < tonga] - (samoa == tonga) < tonga
    villages, warriors = dice[1 : 1 + group.green], dice[1 + group.green :]
    assert group.canoe == is_samoas and not group.war_canoes
    if not is_samoas:
        assert len(dice) == 1 and not group.villages and not group.warriors
        return
    assert (
        group.villages == sum(die in (2, 4, 6) for die in villages) and len(villages) == group.green
    )
    assert (
        group.warriors == sum(die in (2, 4, 6) for die in warriors)
        and len(warriors) == group.villages
    )
