"""The bot's battle cards and its hits (chapters "T-bot battle cards" and "T-bot strategy
notes")."""

from __future__ import annotations

import pytest

from engine.tripoli.combat import battle_to_the_end, enemy_fleet, mercenaries_desert, take_hits
from engine.tripoli.movement import battles
from engine.tripoli.pieces import ARAB
from engine.tripoli.places import TRIPOLI
from engine.tripoli.position import GameOver
from engine.tripoli.raids import break_out, pirate_raid
from engine.tripoli.tables import AMERICAN, FALL, SPRING, SUMMER, TRIPOLITAN, WINTER
from tests.support.golden_words import Golden
from tests.support.solitaire_stage import CARD, PLACE, Stage

LATE = [
    (1804, WINTER, False),
    (1805, SPRING, True),
    (1805, FALL, True),
    (1805, WINTER, False),
    (1806, SUMMER, True),
]


def played(stage: Stage) -> list[str]:
    return stage.told("battle card", "card")


def raid(stage: Stage, place: str, *dice: int) -> Stage:
    return stage.run(pirate_raid(stage.game, PLACE[place]), *dice)


def test_happy_hunting_on_the_first_raid_from_tripoli() -> None:
    stage = Stage().has("allied", 3, "tunis").has("corsairs", 3, "tripoli")
    assert played(raid(stage, "tunis")) == []
    assert played(raid(stage, "tripoli")) == ["Happy Hunting"]
    assert stage.rolls[-1] == ("Happy Hunting", 3)
    assert played(raid(stage, "tripoli")) == ["Happy Hunting"]


def test_happy_hunting_waits_for_a_raid_with_a_corsair_left() -> None:
    stage = Stage().has("corsairs", 1, "tripoli").has("frigates", 1, "tripoli zone")
    assert played(raid(stage, "tripoli", 6, 6)) == []


def test_merchant_ship_converted_on_the_first_raid_that_takes_gold() -> None:
    stage = Stage().lacks("Happy Hunting").has("corsairs", 2, "tripoli").has("allied", 3, "tunis")
    assert played(raid(stage, "tripoli", 1, 4)) == [] == played(raid(stage, "tunis", 6, 6, 6))
    assert played(raid(stage, "tripoli", 5, 1)) == ["Merchant Ship Converted"]
    assert stage.count("corsairs", "tripoli") == 3


def test_merchant_ship_converted_waits_for_a_corsair_in_the_supply() -> None:
    stage = Stage().lacks("Happy Hunting").has("corsairs", 9, "tripoli")
    assert played(raid(stage, "tripoli", 5)) == [] and stage.game.gold == 1


def test_uncharted_waters_with_the_philadelphia() -> None:
    stage = (
        Stage().has("frigates", 1, "tripoli zone").deal("The Philadelphia Runs Aground").turn(1, 5)
    )
    assert played(stage) == ["Uncharted Waters"] and stage.told("die", "result") == [5]
    assert stage.count("red frigates", "tripoli") == 1


@pytest.mark.parametrize(
    ("city", "plays"), [("derne", True), ("benghazi", False), ("tripoli", False)]
)
def test_mercenaries_desert_against_the_attack_on_derne_only(city: str, plays: bool) -> None:
    stage = Stage(1805).has("arabs", 4, city)
    stage.game.place = PLACE[city]
    stage.run(mercenaries_desert(stage.game, PLACE[city]), 6, 1, 1, 1)
    assert played(stage) == (["Mercenaries Desert"] if plays else [])
    assert stage.game.pieces[ARAB][PLACE[city]] == 4 - plays


@pytest.mark.parametrize(("year", "plays"), [(1804, False), (1805, True), (1806, True)])
def test_us_signal_books_overboard(year: int, plays: bool) -> None:
    stage = Stage(year).lacks("Happy Hunting").american("Naval Movement", "Tribute Paid")
    stage.has("corsairs", 3, "tripoli").has("frigates", 1, "tripoli zone")
    raid(stage, "tripoli")
    assert played(stage) == (["US Signal Books Overboard"] if plays else [])
    assert len(stage.game.hands[AMERICAN]) == 2 - plays


@pytest.mark.parametrize(
    "why", ["nobody met the raid", "an ally's raid", "the break-out", "an empty hand"]
)
def test_signal_books_wait(why: str) -> None:
    """Only an interception by American frigates of a raid from Tripoli, with a card to lose."""
    stage = (
        Stage(1805)
        .lacks("Happy Hunting")
        .has("corsairs", 3, "tripoli")
        .has("corsairs", 2, "gibraltar")
    )
    if why != "an empty hand":
        stage.american("Naval Movement")
    place = "tripoli"
    if why == "an ally's raid":
        place = "tunis"
        stage.has("allied", 3, "tunis").has("frigates", 1, "tunis zone")
    if why == "an empty hand":
        stage.has("frigates", 1, "tripoli zone")
    if why == "the break-out":
        stage.run(break_out(stage.game))
    else:
        raid(stage, place)
    assert played(stage) == [] and CARD["US Signal Books Overboard"] in stage.game.battle_line()


def test_happy_hunting_and_signal_books_in_one_raid() -> None:
    stage = (
        Stage(1805)
        .american("Naval Movement")
        .has("corsairs", 3, "tripoli")
        .has("frigates", 1, "tripoli zone")
    )
    assert played(raid(stage, "tripoli")) == ["Happy Hunting", "US Signal Books Overboard"]


@pytest.mark.parametrize(("year", "season", "plays"), LATE)
def test_the_guns_of_tripoli(year: int, season: int, plays: bool) -> None:
    stage = Stage(year, season).has("frigates", 2, "tripoli").has("corsairs", 2, "tripoli")
    stage.run(battles(stage.game))
    assert played(stage) == (["The Guns of Tripoli"] if plays else [])
    assert (("naval battle: The Guns of Tripoli", 12) in stage.rolls) == plays


def test_the_guns_never_fire_at_a_bombardment() -> None:
    stage = Stage(1805).has("frigates", 2, "tripoli")
    stage.run(battles(stage.game))
    assert stage.told("bombardment", "place") == ["Tripoli"] and played(stage) == []


def test_the_guns_always_fire_at_the_assault() -> None:
    stage = Stage(1805, WINTER).has("frigates", 1, "tripoli").has("corsairs", 1, "tripoli")
    stage.game.in_assault = True
    with pytest.raises(GameOver):
        stage.run(battle_to_the_end(stage.game), 1, 1, 6, 6)
    assert played(stage) == ["The Guns of Tripoli"]


# ---- hits ----------------------------------------------------------------------------------------


def hit(stage: Stage, hits: int) -> tuple[int, int, int]:
    """Two frigates and three corsairs take hits in Tripoli: frigates and corsairs left there,
    frigates damaged."""
    stage.has("red frigates", 2, "tripoli").has("corsairs", 3, "tripoli")
    dock = TRIPOLI if stage.game.in_assault else stage.game.next_year()
    stage.game.place = TRIPOLI
    stage.run(take_hits(stage.game, enemy_fleet(TRIPOLI, dock), hits))
    left = stage.count("red frigates", "tripoli")
    return left, stage.count("corsairs", "tripoli"), stage.game.damaged[TRIPOLITAN]


EARLY = {
    1: (1, 3, 1),
    2: (0, 3, 2),
    3: (0, 2, 2),
    4: (0, 1, 2),
    5: (0, 0, 2),
    6: (0, 0, 1),
    7: (0, 0, 0),
}
CORSAIRS_FIRST = {
    1: (2, 2, 0),
    2: (2, 1, 0),
    3: (2, 0, 0),
    4: (1, 0, 1),
    5: (0, 0, 2),
    6: (0, 0, 1),
    7: (0, 0, 0),
}


@pytest.mark.parametrize("hits", EARLY)
@pytest.mark.parametrize(("year", "season", "late"), [(1801, SPRING, False), *LATE])
def test_hits_by_season(year: int, season: int, late: bool, hits: int) -> None:
    """Frigates take one hit each first; in 1805 and 1806 but for Winter 1805 corsairs go first;
    sinking a frigate comes last."""
    assert hit(Stage(year, season), hits) == (CORSAIRS_FIRST if late else EARLY)[hits]


@pytest.mark.parametrize("hits", EARLY)
@pytest.mark.parametrize(("year", "season"), [(1805, FALL), (1805, WINTER), (1806, SPRING)])
def test_hits_in_the_assault(year: int, season: int, hits: int) -> None:
    """As early in the war; damaged frigates stay and go last."""
    stage = Stage(year, season)
    stage.game.in_assault = True
    _, corsairs, damaged = EARLY[hits]
    assert hit(stage, hits)[1:] == (corsairs, damaged)


def test_a_choice_of_hits_is_explained(golden: Golden) -> None:
    stage = Stage(1805, FALL)
    hit(stage, 1)
    golden(*stage.fired())
