"""The eight results of Expand, step by step."""

from __future__ import annotations

from typing import Any

import pytest

from engine.paradise import tables
from engine.paradise.expand import expand
from engine.paradise.position import IslandGroup, Realm
from tests.support.golden_words import Golden
from tests.support.paradise_kit import SMALL_MAP, Stage, a_realm, place


def given(
    realm: Realm, what: int, answers: tuple[str, ...] = (), dice: tuple[int, ...] = ()
) -> Stage:
    stage = Stage(realm)
    stage.play(expand(realm, what), answers, dice)
    return stage


def at(realm: Realm, name: str) -> IslandGroup:
    return realm.groups[place(realm, name)]


def canoe_only(boxes: int = 3, **more: Any) -> IslandGroup:
    return IslandGroup(boxes, 1, 3, 3, canoe=True, **more)


def test_one_card() -> None:
    realm = a_realm()
    given(realm, tables.CARD)
    assert realm.hidden_cards == 1 and not realm.cards


# ---- villages ------------------------------------------------------------------------------------


def test_a_village_goes_where_most_boxes_are_empty() -> None:
    """Green and brown count, and so does a group with a mere canoe (rulings 7 and 23)."""
    realm = a_realm({"group 1": canoe_only(3), "group 2": IslandGroup(4, 4, 3, 3, villages=2)})
    stage = given(realm, tables.VILLAGE)
    assert at(realm, "group 1").villages == 1 and not stage.rolls


def test_a_village_is_tied_by_die(golden: Golden) -> None:
    realm = a_realm({"group 1": canoe_only(2)})
    stage = given(realm, tables.VILLAGE, dice=(4,))
    assert at(realm, "group 1").villages == 1
    assert stage.rolls[0].why.endswith(": 1 to 3 Samoa, 4 to 6 group 1")
    golden(stage.rolls[0].why)


def test_a_village_needs_an_empty_box() -> None:
    realm = a_realm(
        {"group 1": IslandGroup(0, 0, 3, 3, canoe=True), "group 2": IslandGroup(4, 4, 3, 3)}
    )
    at(realm, "samoa").villages = 4
    stage = given(realm, tables.VILLAGE)
    assert not at(realm, "group 2").villages  # a free group is not Samoa's
    assert at(realm, "samoa").villages == 4 and len(stage.told()) == 1


def test_a_village_per_island() -> None:
    realm = a_realm(
        {
            "group 1": canoe_only(1),
            "group 2": IslandGroup(2, 2, 3, 3, villages=2),
            "group 3": canoe_only(0),
        }
    )
    given(realm, tables.VILLAGES)
    assert [group.villages for group in realm.groups.values()] == [3, 1, 2, 0]


def test_a_village_per_island_without_empty_boxes() -> None:
    realm = a_realm()
    at(realm, "samoa").villages = 4
    assert len(given(realm, tables.VILLAGES).told()) == 1
    assert [group.villages for group in realm.groups.values()] == [4]


def test_villages_end_with_the_supply() -> None:
    """Ruling 12: placed in the stated order until none is left."""
    realm = a_realm(
        {"group 1": canoe_only(1), "group 2": canoe_only(1)}, lines=("setup: supply villages 4",)
    )
    given(realm, tables.VILLAGES)
    assert [group.villages for group in realm.groups.values()] == [3, 1, 0]
    assert "supply" in given(realm, tables.VILLAGE).told()[0]
    assert [group.villages for group in realm.groups.values()] == [3, 1, 0]


# ---- warriors: the order of precedence -----------------------------------------------------------


def test_step_1_beside_a_war_canoe() -> None:
    realm = a_realm({"group 1": canoe_only(3, war_canoes=1), "group 2": canoe_only(0)})
    stage = given(realm, tables.WARRIOR)
    assert at(realm, "group 1").warriors == 1 and "step 1" in stage.told()[0]


def test_step_1_beats_the_limit_of_an_atoll() -> None:
    realm = a_realm({"group 1": canoe_only(0, war_canoes=2, warriors=1)})
    given(realm, tables.WARRIOR)
    assert at(realm, "group 1").warriors == 2


def test_step_1_ties_over_places_not_canoes() -> None:
    realm = a_realm(
        {"group 1": canoe_only(3, war_canoes=3), "group 2": canoe_only(3, war_canoes=1)}
    )
    stage = given(realm, tables.WARRIOR, dice=(4,))
    assert (
        at(realm, "group 2").warriors == 1
        and "1 to 3 group 1, 4 to 6 group 2" in stage.rolls[0].why
    )


def test_step_2_most_villages_first() -> None:
    """Ranked by villages, not by what is missing."""
    realm = a_realm(
        {
            "group 1": IslandGroup(3, 3, 3, 3, villages=3, warriors=2),
            "group 2": IslandGroup(2, 2, 3, 3, villages=2),
        }
    )
    stage = given(realm, tables.WARRIOR)
    assert at(realm, "group 1").warriors == 3
    (told,) = stage.told()
    assert all(part in told for part in ("group 1", "step 2", "most villages, 3"))


def test_step_2_ties_by_die() -> None:
    realm = a_realm({"group 1": IslandGroup(3, 3, 3, 3, villages=2)})
    given(realm, tables.WARRIOR, dice=(6,))
    assert at(realm, "group 1").warriors == 1


def test_step_3_groups_with_nothing() -> None:
    realm = a_realm({"group 1": canoe_only(0), "group 2": canoe_only(1)})
    at(realm, "samoa").warriors = 2
    stage = given(realm, tables.WARRIOR)
    assert at(realm, "group 2").warriors == 1 and "step 3" in stage.told()[0]


def test_step_4_one_warrior_an_atoll() -> None:
    realm = a_realm({"group 1": canoe_only(0), "group 2": canoe_only(0, warriors=1)})
    at(realm, "samoa").warriors = 2
    stage = given(realm, tables.WARRIOR)
    assert at(realm, "group 1").warriors == 1 and "step 4" in stage.told()[0]


def test_step_5_what_is_left_over() -> None:
    """Groups at exactly one a village take it (ruling 6), the one with the most villages first."""
    realm = a_realm(
        {
            "group 1": IslandGroup(3, 3, 3, 3, villages=3, warriors=3),
            "group 2": canoe_only(0, warriors=1),
        }
    )
    at(realm, "samoa").warriors = 2
    stage = given(realm, tables.WARRIOR)
    assert at(realm, "group 1").warriors == 4 and "step 5" in stage.told()[0]


def test_only_full_atolls_place_no_warrior() -> None:
    realm = a_realm({"group 1": canoe_only(0, warriors=1)}, home="group 1")
    del realm.groups[0]
    assert len(given(realm, tables.WARRIOR).told()) == 1
    assert at(realm, "group 1").warriors == 1


def test_each_warrior_tests_all_steps_anew() -> None:
    realm = a_realm({"group 1": canoe_only(2, war_canoes=1)})
    stage = given(realm, tables.TWO_WARRIORS)
    assert (at(realm, "group 1").warriors, at(realm, "samoa").warriors) == (1, 1)
    assert "step 1" in stage.told()[0] and "step 2" in stage.told()[1]


def test_free_groups_get_no_warrior() -> None:
    realm = a_realm({"group 1": IslandGroup(3, 3, 3, 3)})
    at(realm, "samoa").warriors = 2
    given(realm, tables.WARRIOR)
    assert at(realm, "group 1").warriors == 0 and at(realm, "samoa").warriors == 3


def test_a_warrior_per_village() -> None:
    realm = a_realm(
        {"group 1": IslandGroup(3, 3, 3, 3, villages=3, warriors=1), "group 2": canoe_only(2)}
    )
    given(realm, tables.WARRIORS)
    assert [group.warriors for group in realm.groups.values()] == [2, 3, 0]
    assert len(given(realm, tables.WARRIORS).told()) == 1
    assert [group.warriors for group in realm.groups.values()] == [2, 3, 0]


def test_warriors_end_with_the_supply() -> None:
    realm = a_realm(lines=("setup: supply warriors 1",))
    stage = given(realm, tables.TWO_WARRIORS)
    assert at(realm, "samoa").warriors == 1 and stage.rulings() == [6, 12]


# ---- War Canoe -----------------------------------------------------------------------------------


def test_a_war_canoe_in_the_home_group() -> None:
    realm = a_realm({"group 1": canoe_only(2)}, home="group 1")
    given(realm, tables.WAR_CANOE)
    assert at(realm, "group 1").war_canoes == 1


def test_no_home_no_war_canoe_and_no_chain() -> None:
    realm = a_realm({"group 1": canoe_only(2)}, home=None)
    for what in (tables.WAR_CANOE, tables.CHAIN):
        assert given(realm, what).rulings() == [9]


def test_war_canoes_end_with_the_supply() -> None:
    realm = a_realm(lines=("setup: supply war canoes 0",))
    assert given(realm, tables.WAR_CANOE).rulings() == [12]


# ---- Transport Canoe Chain -----------------------------------------------------------------------


def test_the_chain_joins_the_cheapest_first_and_asks_again() -> None:
    """Rulings 8 and 24: the network has grown when the second group is counted."""
    realm = a_realm({"group 1": canoe_only(), "group 2": canoe_only()})
    answers = ("group 1 needs 3 canoes", "group 2 needs 1 canoe", "group 1 needs 1 canoe")
    given(realm, tables.CHAIN, answers)
    assert realm.sea_canoes == 2 and at(realm, "samoa").canoe
    assert at(realm, "group 1").linked and at(realm, "group 2").linked


def test_the_chain_ties_by_die() -> None:
    realm = a_realm({"group 1": canoe_only(), "group 2": canoe_only()})
    answers = ("group 1 needs 1 canoe", "group 2 needs 1 canoe", "group 1 needs 0 canoes")
    stage = given(realm, tables.CHAIN, answers, (5,))
    assert at(realm, "group 2").linked and realm.sea_canoes == 1 and len(stage.rolls) == 1


def test_nothing_to_join_places_no_canoe_at_home() -> None:
    realm = a_realm({"group 1": canoe_only(), "group 2": canoe_only(linked=True)})
    stage = given(realm, tables.CHAIN, ("group 1 cannot be joined",))
    assert not at(realm, "samoa").canoe and not realm.chain
    assert [ask.rule for ask in stage.asks] == ["chain"]  # the linked group is not asked about


def test_a_group_without_a_canoe_gets_one_with_the_chain() -> None:
    realm = a_realm({"group 1": IslandGroup(3, 3, 3, 3, villages=1)})
    given(realm, tables.CHAIN, ("group 1 needs 0 canoes",))
    assert at(realm, "group 1").canoe and realm.sea_canoes == 0


def test_the_chain_ends_with_the_supply() -> None:
    realm = a_realm({"group 1": canoe_only()}, lines=("setup: supply transport canoes 3",))
    given(realm, tables.CHAIN, ("group 1 needs 2 canoes",))
    # one lies there, the home needs one, and two are too many
    assert not at(realm, "group 1").linked
    given(realm, tables.CHAIN, ("group 1 needs 1 canoe",))
    assert at(realm, "group 1").linked and realm.supply("transport canoes") == 0


def on_map(groups: dict[str, IslandGroup], explored: tuple[str, ...], **settings: int) -> Realm:
    realm = a_realm(groups, lines=SMALL_MAP, **settings)
    realm.explored = {place(realm, name) for name in (*groups, *explored)}
    return realm


def test_the_chain_on_the_map_goes_over_known_hexes() -> None:
    realm = on_map({"corner": canoe_only()}, ("east",))
    stage = given(realm, tables.CHAIN, ("that is all",))
    assert (
        realm.chain == {place(realm, "east")}
        and at(realm, "samoa").canoe
        and at(realm, "corner").canoe
    )
    assert "over East" in stage.told()[-1]


def test_the_chain_on_the_map_avoids_hexes_of_the_player() -> None:
    realm = on_map({"corner": canoe_only()}, ("east",))
    stage = given(realm, tables.CHAIN, ("you occupy east", "that is all"))
    assert not realm.chain and len(stage.told()) == 1


def test_the_chain_on_the_map_takes_the_fewest_new_canoes() -> None:
    """A way over a canoe that lies there already is cheaper; of equally cheap ones the shorter is
    taken."""
    realm = on_map({"tubai": canoe_only()}, ("east", "far east", "niue", "rarotonga"))
    realm.chain = {place(realm, "rarotonga")}
    given(realm, tables.CHAIN, ("that is all",))
    assert realm.chain == {place(realm, "niue"), place(realm, "rarotonga")}
    realm = on_map({"corner": canoe_only()}, ("east", "north", "north east"))
    realm.chain = {place(realm, "north east")}
    given(realm, tables.CHAIN, ("that is all",))
    assert realm.chain == {place(realm, "east"), place(realm, "north east")}


def test_equal_ways_are_chosen_by_die() -> None:
    realm = on_map({"north east": canoe_only()}, ("east", "north"))
    stage = given(realm, tables.CHAIN, ("that is all",), (6,))
    assert len(stage.rolls) == 1 and len(realm.chain) == 1


def test_a_neighbour_with_a_canoe_is_joined_without_a_new_one() -> None:
    """The home group's own canoe is what was missing: every hex of a chain has one."""
    realm = on_map({"east": canoe_only()}, ())
    stage = given(realm, tables.CHAIN, ("that is all",))
    assert not realm.chain and at(realm, "samoa").canoe and "East" in stage.told()[-1]
    stage = given(realm, tables.CHAIN)
    assert not realm.chain and "East" not in stage.told()[-1]  # joined already


@pytest.mark.parametrize("what", range(8))
def test_every_result_cites_a_ruling(what: int) -> None:
    realm = a_realm()
    stage = given(realm, what)
    assert stage.rulings()


# ---- what a chain asks ---------------------------------------------------------------------------


def test_a_way_never_needs_more_canoes_than_before() -> None:
    """Rulings 18 and 28: the network only grows while a chain is placed, and a way that was there
    stays."""
    realm = a_realm({"group 1": canoe_only(), "group 2": canoe_only()})
    answers = ("group 1 needs 3 canoes", "group 2 needs 1 canoe", "group 1 needs 2 canoes")
    stage = given(realm, tables.CHAIN, answers)
    needs = [option[2] for option in stage.asks[2].options if option[0] == "needs"]
    assert needs == [0, 1, 2, 3] == [option[2] for option in stage.asks[2].options]


def test_groups_that_need_no_canoe_are_joined_at_once() -> None:
    """Ruling 24: nothing is placed on a way, so that there is nothing to choose by die."""
    realm = a_realm({f"group {number}": canoe_only() for number in (1, 2, 3)})
    answers = (
        "group 1 needs 0 canoes",
        "group 2 needs 2 canoes",
        "group 3 needs 0 canoes",
        "group 2 needs 1 canoe",
    )
    stage = given(realm, tables.CHAIN, answers)
    assert (
        not stage.rolls
        and realm.sea_canoes == 1
        and all(realm.groups[at].linked for at in (20, 21, 22))
    )
    realm = on_map({"east": canoe_only(), "niue": canoe_only()}, ())
    assert not given(realm, tables.CHAIN, ("that is all",)).rolls and realm.has_canoe(0)


def test_the_last_canoes_of_the_supply_are_chosen_for_by_die() -> None:
    """Ruling 12: groups that need no canoe on the way, and have none themselves."""
    lines = ("setup: supply transport canoes 2",)
    realm = a_realm(
        {f"group {number}": IslandGroup(3, 3, 3, 3, villages=1) for number in (1, 2)}, lines=lines
    )
    stage = given(realm, tables.CHAIN, ("group 1 needs 0 canoes", "group 2 needs 0 canoes"), (6,))
    assert at(realm, "group 2").linked and not at(realm, "group 1").linked and len(stage.rolls) == 1


def test_a_group_that_cannot_be_joined_is_asked_about_once() -> None:
    realm = a_realm({"group 1": canoe_only(), "group 2": canoe_only(), "group 3": canoe_only()})
    answers = (
        "group 1 cannot be joined",
        "group 2 needs 1 canoe",
        "group 3 needs 2 canoes",
        "group 3 needs 0 canoes",
    )
    stage = given(realm, tables.CHAIN, answers)
    assert len(stage.asks) == 4 and at(realm, "group 3").linked and not at(realm, "group 1").linked


def test_equal_ways_are_bounded() -> None:
    """Ruling 22: of more than 36 the first 36, so that the dice can choose."""
    wide = ["map: hex samoa 0 0 known", "map: hex tonga 0 1 known"]
    wide += [
        f"map: hex sea {q} and {-r} {q} {r} known"
        for q in range(9)
        for r in range(-4, 1)
        if (q, r) != (0, 0)
    ]
    realm = a_realm(lines=wide)
    realm.groups[place(realm, "sea 8 and 4")] = canoe_only()  # 70 ways
    stage = given(realm, tables.CHAIN, ("that is all",), (6, 6))
    assert stage.rolls[0].number == 2 and stage.rolls[0].why.count("is joined") == tables.MOST_WAYS
    assert len(realm.chain) == 7
