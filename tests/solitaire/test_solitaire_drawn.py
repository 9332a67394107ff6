"""Each row for cards that the bot draws, and Raid or Build (chapter "Solitaire card play
requirements")."""

from __future__ import annotations

import pytest

from engine.tripoli.tables import TRIPOLITAN
from tests.support.golden_words import Golden
from tests.support.solitaire_stage import CARD, Stage

RAIDS = ("Algerine Corsairs Raid", "Moroccan Corsairs Raid", "Tunisian Corsairs Raid")


@pytest.mark.parametrize(
    ("card", "harbor"),
    [
        ("Algiers Declares War", "algiers"),
        ("Morocco Declares War", "tangier"),
        ("Tunis Declares War", "tunis"),
    ],
)
def test_declares_war_at_once(card: str, harbor: str) -> None:
    stage = Stage().deal(card).turn()
    assert stage.fired() == [card] and stage.count("allied", harbor) == 3
    assert CARD[card] in stage.game.removed[TRIPOLITAN]


@pytest.mark.parametrize(
    ("frigates", "corsairs", "red", "fires"),
    [
        (1, 4, 0, False),
        (1, 4, 1, True),
        (1, 3, 1, True),
        (1, 2, 1, False),
        (2, 4, 1, False),
        (0, 4, 1, False),
    ],
    ids=["four dice", "six dice", "five dice", "no five dice", "two frigates", "no frigate"],
)
def test_tripoli_attacks(frigates: int, corsairs: int, red: int, fires: bool) -> None:
    stage = Stage().has("frigates", frigates, "tripoli zone").has("corsairs", corsairs, "tripoli")
    stage.has("red frigates", red, "tripoli").deal("Tripoli Attacks").turn()
    assert (stage.fired()[0] == "Tripoli Attacks") == fires
    assert ("Raid or Build" in stage.fired()) != fires
    assert (stage.told("battle", "place") == ["Tripoli Patrol Zone"]) == fires


def test_troops_to_tripoli_at_once() -> None:
    stage = Stage().deal("Troops to Tripoli").turn()
    assert stage.fired() == ["Troops to Tripoli"] and stage.count("infantry", "tripoli") == 6


@pytest.mark.parametrize(
    ("city", "card"), [("benghazi", "Troops to Benghazi"), ("derne", "Troops to Derne")]
)
@pytest.mark.parametrize("held", [True, False])
def test_troops_to_a_city_that_is_held(city: str, card: str, held: bool) -> None:
    stage = Stage().lacks("Constantinople Sends Aid")
    if not held:
        stage.has("infantry", 0, city).has("arabs", 2, city)
    before = stage.count("infantry", city)
    stage.deal(card).turn()
    assert stage.fired() == ([card] if held else ["Raid or Build"])
    assert stage.count("infantry", city) == before + 2 * held


@pytest.mark.parametrize(("frigates", "fires"), [(0, False), (1, False), (2, True), (3, False)])
def test_us_supplies_run_low(frigates: int, fires: bool) -> None:
    """Exactly two in the zone of Tripoli, and it takes one of those."""
    stage = Stage().has("frigates", frigates, "tripoli zone").has("frigates", 2, "tunis zone")
    stage.deal("US Supplies Run Low").turn()
    assert (stage.fired()[0] == "US Supplies Run Low") == fires
    assert stage.count("frigates", "malta") == fires and stage.count("frigates", "tunis zone") == 2
    assert stage.count("frigates", "tripoli zone") == frigates - fires


@pytest.mark.parametrize("card", RAIDS)
def test_an_allys_raid_is_always_spent(card: str, golden: Golden) -> None:
    """Even while that ally is at war: the raid goes where Raid or Build points."""
    stage = Stage(1802).has("allied", 3, "tunis").deal(card).turn()
    assert stage.fired() == ["Raid or Build"]
    golden(f"{card}: {stage.passed()[card]}")
    assert stage.told("spent", "action") == ["raid"] and stage.told("raid", "place") == ["Tunis"]
    assert [stage.game.opened[handle] for handle in stage.game.discards[TRIPOLITAN]] == [CARD[card]]


def test_storms_blow_where_most_frigates_are() -> None:
    stage = (
        Stage()
        .has("frigates", 2, "tunis zone")
        .has("frigates", 3, "algiers zone")
        .deal("Storms")
        .turn(6, 6, 6)
    )
    assert stage.rolls == [("Storms", 3)] and stage.count("frigates", "algiers zone") == 0
    assert stage.game.frigates[20] == 1


@pytest.mark.parametrize(
    ("die", "zone"), [(1, "Tripoli"), (2, "Tripoli"), (3, "Algiers"), (4, "Algiers"), (6, "Tunis")]
)
def test_storms_tie_is_broken_by_a_die(die: int, zone: str) -> None:
    stage = Stage().deal("Second Storms")
    for place in ("tripoli zone", "algiers zone", "tunis zone"):
        stage.has("frigates", 2, place)
    stage.turn(die)
    assert stage.rolls[0] == ("where Second Storms blows", 1)
    assert stage.told("tie", "die") == [die] and stage.told("tie", "chosen") == [
        f"{zone} Patrol Zone"
    ]


# ---- raid or build -------------------------------------------------------------------------------


def rob(stage: Stage, *dice: int) -> Stage:
    """The bot spends a card."""
    return stage.deal(RAIDS[0]).turn(*dice)


def test_raid_from_the_largest_surplus() -> None:
    """Three corsairs at least, and more than the frigates outside, Swedes among them."""
    stage = (
        Stage()
        .has("corsairs", 4, "tripoli")
        .has("swedes", 2, "tripoli zone")
        .has("allied", 3, "tunis")
    )
    assert rob(stage).told("raid", "place") == ["Tunis"]


@pytest.mark.parametrize(
    ("corsairs", "frigates", "raids"),
    [(2, 0, False), (3, 0, True), (3, 2, True), (3, 3, False), (4, 3, True)],
)
def test_which_harbors_raid(corsairs: int, frigates: int, raids: bool) -> None:
    stage = Stage().has("corsairs", corsairs, "tripoli").has("frigates", frigates, "tripoli zone")
    rob(stage)
    assert (stage.told("raid", "place") == ["Tripoli"]) == raids
    assert stage.told("spent", "action") == ["raid" if raids else "build"]


@pytest.mark.parametrize(
    ("dice", "place"), [((3,), "Tangier"), ((4,), "Tripoli"), ((1,), "Tangier")]
)
def test_raid_tie_is_broken_by_a_die(dice: tuple[int, ...], place: str) -> None:
    stage = (
        Stage()
        .has("allied", 3, "tangier")
        .has("corsairs", 4, "tripoli")
        .has("frigates", 1, "tripoli zone")
    )
    assert rob(stage, *dice).told("raid", "place") == [place]
    assert stage.rolls[0] == ("which harbor raids", 1)


def test_four_ways_tie_throws_again_on_faces_left_over() -> None:
    stage = Stage(1802).lacks("Yusuf Qaramanli", "Happy Hunting").has("corsairs", 3, "tripoli")
    for place in ("algiers", "tangier", "tunis"):
        stage.has("allied", 3, place)
    rob(stage, 6, 5, 4)
    assert stage.told("tie", "chosen") == ["", "", "Tripoli"] and stage.told("raid", "place") == [
        "Tripoli"
    ]


def test_build_when_no_harbor_can_raid() -> None:
    stage = rob(Stage())
    assert stage.told("spent", "action") == ["build"] and stage.count("corsairs", "tripoli") == 1


def test_nothing_when_the_supply_has_no_corsair() -> None:
    stage = rob(Stage().has("corsairs", 9, "gibraltar"))
    assert stage.told("spent", "action") == ["nothing"] and not stage.told("placed", "piece")


def test_empty_pile_raids_or_builds_without_a_card() -> None:
    stage = Stage().deal().turn()
    assert stage.fired() == ["Raid or Build"] and not stage.told("spent", "card")
    assert stage.count("corsairs", "tripoli") == 1


def test_pile_that_runs_out_while_another_card_is_due() -> None:
    stage = Stage().deal("Storms").turn()
    assert stage.waiting() == ["Sweden Pays Tribute", "Storms"] and stage.fired() == [
        "Raid or Build"
    ]
    assert "the draw pile" in stage.passed() and not stage.game.discards[TRIPOLITAN]
