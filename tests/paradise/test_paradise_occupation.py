"""Discoveries: whether Samoa is there already, its pieces, the chit for a free group, Off
Course."""

from __future__ import annotations

import pytest

from engine.paradise.exploration import exploration, is_occupied, modifier, occupation
from engine.paradise.position import IslandGroup
from tests.support.golden_words import Golden
from tests.support.paradise_kit import Stage, a_realm, place

ODDS = {
    "nearer Tonga": (0, 1, 2, 3, 4, 5, 6),
    "equal": (1, 2, 3, 4, 5, 6, 6),
    "nearer Samoa": (2, 3, 4, 5, 6, 6, 6),
}
"""Chances in 6 for distances 1 to 7 from Tonga, from the notes on the rules."""
NEARER = {"nearer Tonga": 1, "equal": 0, "nearer Samoa": -1}


@pytest.mark.parametrize("where", ODDS)
@pytest.mark.parametrize("far", range(1, 8))
def test_occupation_odds(where: str, far: int) -> None:
    group = IslandGroup(4, 3, far, far + NEARER[where])
    assert sum(is_occupied(group, die) for die in range(1, 7)) == ODDS[where][far - 1]
    assert modifier(group) == {"nearer Tonga": 0, "equal": 1, "nearer Samoa": 2}[where]


def test_an_occupied_group_gets_canoe_villages_and_warriors() -> None:
    realm = a_realm({"group 1": IslandGroup(4, 3, 3, 2)})
    stage = Stage(realm)
    stage.play(occupation(realm, place(realm, "group 1")), dice=[4, 2, 3, 6, 5, 4])
    group = realm.groups[place(realm, "group 1")]
    assert (group.canoe, group.villages, group.warriors, group.war_canoes) == (True, 2, 1, 0)
    assert [roll.number for roll in stage.rolls] == [1, 3, 2]
    assert stage.rolls[0].why.endswith("is Samoa's on 1 to 4")


def test_an_occupied_atoll_gets_a_canoe_only() -> None:
    realm = a_realm({"group 1": IslandGroup(0, 0, 3, 2)})
    stage = Stage(realm)
    stage.play(occupation(realm, place(realm, "group 1")), dice=[1])
    group = realm.groups[place(realm, "group 1")]
    assert group.canoe and not group.villages and not group.warriors


def test_brown_boxes_are_not_rolled_for() -> None:
    realm = a_realm({"group 1": IslandGroup(3, 0, 3, 2)})
    stage = Stage(realm)
    stage.play(occupation(realm, place(realm, "group 1")), dice=[1])
    assert len(stage.rolls) == 1


@pytest.mark.parametrize(("far", "die"), [((1, 2), 1), ((7, 7), 6), ((1, 2), 6)])
def test_certain_results_are_thrown_all_the_same(far: tuple[int, int], die: int) -> None:
    """Ruling 17."""
    realm = a_realm({"group 1": IslandGroup(0, 0, *far)})
    stage = Stage(realm)
    stage.play(occupation(realm, place(realm, "group 1")), dice=[die])
    assert len(stage.rolls) == 1


FREE = "discover 1 from tonga 2 from samoa"
"""Such a group is never Samoa's."""


@pytest.mark.parametrize(
    ("boxes", "settings", "chits"),
    [
        ("4 boxes 3 green", {}, 1),
        ("4 boxes 0 green", {}, 1),
        ("3 boxes 3 green", {}, 0),
        ("3 boxes 1 green", {"three_boxes": 1}, 1),
        ("2 boxes 2 green", {"three_boxes": 1}, 0),
        ("atoll", {"three_boxes": 1}, 0),
    ],
)
def test_free_groups_bring_chits(boxes: str, settings: dict[str, int], chits: int) -> None:
    realm = a_realm(**settings)
    Stage(realm).play(exploration(realm), [f"{FREE}: {boxes}", "exploration complete"], [6])
    assert realm.pending == chits


def test_an_occupied_group_of_four_boxes_brings_no_chit() -> None:
    realm = a_realm()
    answers = ["discover 3 from tonga 2 from samoa: 4 boxes 1 green", "exploration complete"]
    Stage(realm).play(exploration(realm), answers, [1, 1])
    assert realm.pending == 0 and realm.groups[place(realm, "group 1")].canoe


def test_groups_are_numbered_and_can_be_named() -> None:
    realm = a_realm()
    answers = [
        f"{FREE}: 2 boxes 1 green",
        "call group 1 rarotonga",
        f"{FREE}: atoll",
        "exploration complete",
    ]
    Stage(realm).play(exploration(realm), answers, [6, 6])
    assert [realm.data.names[at] for at in realm.groups] == ["samoa", "rarotonga", "group 2"]


def test_a_name_is_given_once() -> None:
    realm = a_realm()
    stage = Stage(realm)
    answers = [f"{FREE}: atoll", "call group 1 rarotonga", f"{FREE}: atoll", "exploration complete"]
    stage.play(exploration(realm), answers, [6, 6])
    last = {option for option in stage.asks[-1].options if option[0] == "call"}
    assert last and ("call", place(realm, "group 2"), place(realm, "rarotonga")) not in last


def test_distances_that_cannot_be_are_not_offered() -> None:
    """Samoa and Tonga are neighbours (ruling 18)."""
    realm = a_realm()
    stage = Stage(realm)
    stage.play(exploration(realm), ["exploration complete"])
    found = [option for option in stage.asks[0].options if option[0] == "discover"]
    assert found and all(
        abs(option[1] - option[2]) <= 1 and option[4] <= option[3] for option in found
    )


def test_off_course_goes_to_the_farthest_hex_by_die() -> None:
    """Ruling 4: with one eligible hex nothing is thrown, with five a six is thrown again."""
    realm = a_realm()
    stage = Stage(realm)
    stage.play(
        exploration(realm),
        ["off course among 1", "off course among 5", "exploration complete"],
        [6, 3],
    )
    assert "number 1 of 1" in stage.told()[0] and "number 3 of 5" in stage.told()[1]


def test_off_course_among_many_takes_two_dice() -> None:
    realm = a_realm()
    stage = Stage(realm)
    stage.play(exploration(realm), ["off course among 7", "exploration complete"], [6, 6, 2, 5])
    # 36 is above 7 x 5; 11 is the third
    assert stage.rolls[0].number == 2 and "number 3 of 7" in stage.told()[0]


def test_the_south_island_is_asked_until_it_comes() -> None:
    """Ruling 19: it is a second tile, discovered as any other."""
    realm = a_realm(south_island=1)
    answers = [f"{FREE}: atoll", "no south island", f"{FREE}: atoll", "the south island comes too"]
    answers += [
        "discover 2 from tonga 3 from samoa: 4 boxes 4 green",
        f"{FREE}: atoll",
        "exploration complete",
    ]
    Stage(realm).play(exploration(realm), answers, [6, 6, 6, 6])
    assert len(realm.groups) == 5 and realm.pending == 1


def test_a_group_of_samoas_without_a_piece_left_for_it_brings_no_chit(golden: Golden) -> None:
    """Ruling 12: the supply is used up, and the group is Samoa's all the same."""
    realm = a_realm(lines=("setup: supply transport canoes 0", "setup: supply villages 2"))
    stage = Stage(realm)
    answers = ["discover 3 from tonga 2 from samoa: 4 boxes 1 green", "exploration complete"]
    stage.play(exploration(realm), answers, [1, 2])
    assert realm.pending == 0 and not realm.groups[place(realm, "group 1")].canoe
    golden(stage.told()[0])


def test_any_numbered_group_can_be_named_later() -> None:
    """Groups that Samoa found too; what is printed next to Samoa is none of the names."""
    realm = a_realm(
        {"group 1": IslandGroup(2, 1, 3, 2, canoe=True), "group 2": IslandGroup(0, 0, 3, 3)}
    )
    stage = Stage(realm)
    stage.play(
        exploration(realm), ["call group 1 hiva", "call group 2 rapa nui", "exploration complete"]
    )
    assert [realm.data.names[at] for at in realm.groups] == ["samoa", "hiva", "rapa nui"]
    names = {realm.data.names[option[2]] for option in stage.asks[0].options if option[0] == "call"}
    assert names.isdisjoint({"samoa", "tonga", "fiji"}) and "niue" in names


def test_a_group_has_the_name_of_its_tile() -> None:
    realm = a_realm(lines=("tiles: hiva: 2 boxes 1 green", "tiles: pukapuka: atoll"))
    answers = [
        f"{FREE}: hiva",
        f"{FREE}: pukapuka",
        f"{FREE}: 2 boxes 1 green",
        "exploration complete",
    ]
    Stage(realm).play(exploration(realm), answers, [6, 6, 6])
    assert [realm.data.names[at] for at in realm.groups] == ["samoa", "hiva", "pukapuka", "group 1"]
