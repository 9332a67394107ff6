"""Naval combat, bombardment, ground combat and the Assault, ruling by ruling."""

from __future__ import annotations

import pytest

from engine.tripoli.american import attack
from engine.tripoli.combat import assault, ground_combat, naval_battle
from engine.tripoli.movement import battles, move_frigates
from engine.tripoli.pieces import (
    ALLIED,
    ARAB,
    CORSAIR,
    ENEMY_FRIGATE,
    FRIGATE,
    GUNBOAT,
    INFANTRY,
    MARINE,
)
from engine.tripoli.places import (
    ALEXANDRIA,
    ALGIERS,
    BENGHAZI,
    DERNE,
    GIBRALTAR,
    MALTA,
    SUNK,
    SUPPLY,
    TRACK,
    TRIPOLI,
    TRIPOLI_ZONE,
    TUNIS,
)
from engine.tripoli.tables import AMERICAN, TRIPOLITAN
from engine.tripoli.tripolitan import tripoli_attacks
from tests.support.tripoli_kit import Stage, first_ask

LOST = "the assault found no army to land at Tripoli"
WON = "the Americans have captured Tripoli"
SUNK_FOUR = "Tripolitania has sunk four American frigates"
DESTROYED = "Hamet's Army has been destroyed"


def battle(frigates=1, gunboats=0, corsairs=1, enemies=0, year=1802):
    stage = Stage().clear().at(year).put(FRIGATE, TRIPOLI, frigates).put(GUNBOAT, TRIPOLI, gunboats)
    return stage.put(CORSAIR, TRIPOLI, corsairs).put(ENEMY_FRIGATE, TRIPOLI, enemies)


# ---- naval combat (rulings 6 and 7) --------------------------------------------------------------


def test_one_round_and_the_rest_goes_to_malta():
    stage = battle(frigates=2, gunboats=1, corsairs=3)
    stage.run(naval_battle(stage.game, TRIPOLI, AMERICAN), [], ["6111", "1", "111"])
    assert (
        stage.game.frigates[MALTA],
        stage.game.gunboats[MALTA],
        stage.game.corsairs[TRIPOLI],
    ) == (2, 1, 2)


def test_the_active_side_rolls_and_allocates_first():
    stage = battle(frigates=1, gunboats=1, corsairs=2, enemies=1)
    stage.run(
        naval_battle(stage.game, TRIPOLI, AMERICAN),
        ["sink gunboat", "damage frigate"],
        ["61", "1", "61", "11"],
    )
    assert stage.asked() == ["0 hits", "1 hits"]
    stage = (
        Stage()
        .clear()
        .put(FRIGATE, TRIPOLI_ZONE, 2)
        .put(CORSAIR, TRIPOLI, 2)
        .put(ENEMY_FRIGATE, TRIPOLI, 1)
    )
    stage.run(tripoli_attacks(stage.game), ["sink corsair", "damage frigate"], ["61", "16", "6111"])
    assert stage.rolled()[0] == "naval battle: Tripolitan frigates"
    assert stage.asked() == ["1 hits", "0 hits"]
    assert (stage.game.corsairs[TRIPOLI], stage.game.enemy_frigates[TRIPOLI]) == (1, 1)


def test_every_hit_is_taken_and_one_frigate_may_take_two():
    stage = battle(frigates=2, corsairs=2)
    stage.run(naval_battle(stage.game, TRIPOLI, AMERICAN), ["sink damaged frigate"], ["1111", "66"])
    assert (
        stage.game.frigates[SUNK],
        stage.game.frigates[MALTA],
        stage.game.frigates[TRACK + 1],
    ) == (1, 1, 0)


def test_hits_beyond_the_fleet_are_lost_without_asking():
    stage = battle(frigates=1, gunboats=1, corsairs=4)
    stage.run(naval_battle(stage.game, TRIPOLI, AMERICAN), [], ["11", "1", "6666"])
    assert stage.asked() == []
    assert (stage.game.frigates[SUNK], stage.game.gunboats[SUPPLY]) == (1, 3)


def test_fourth_frigate_ends_the_game_before_tripolitania_allocates():
    stage = battle(frigates=1, corsairs=2)
    stage.put(FRIGATE, SUNK, 3)
    outcome = stage.run(naval_battle(stage.game, TRIPOLI, AMERICAN), [], ["66", "66"])
    assert outcome is not None
    assert (outcome.winners, outcome.how, stage.game.corsairs[TRIPOLI]) == (
        (TRIPOLITAN,),
        SUNK_FOUR,
        2,
    )


def test_more_than_four_can_be_sunk_and_count():
    stage = battle(frigates=2, corsairs=4)
    stage.put(FRIGATE, SUNK, 3)
    outcome = stage.run(naval_battle(stage.game, TRIPOLI, AMERICAN), [], ["1111", "6666"])
    assert outcome is not None
    assert outcome.points == (15, 15)


def test_damaged_frigates_go_to_next_year_and_in_1806_out_of_the_game():
    for year, place in ((1803, TRACK + 2), (1806, SUPPLY)):
        stage = battle(frigates=1, corsairs=1, year=year)
        before = stage.game.frigates[place]
        stage.run(naval_battle(stage.game, TRIPOLI, AMERICAN), [], ["11", "6"])
        assert stage.game.frigates[place] == before + 1
        assert stage.game.frigates[SUNK] == 0


def test_battle_cards_of_a_harbor():
    stage = battle(frigates=1, corsairs=1)
    stage.deal(AMERICAN, "Preble's Boys Take Aim").deal(TRIPOLITAN, "The Guns of Tripoli")
    stage.run(
        naval_battle(stage.game, TRIPOLI, AMERICAN),
        ["play preble", "play guns"],
        ["111", "111111111111", "1"],
    )
    assert stage.asked() == ["0 naval battle", "1 naval battle"]
    assert stage.view()["american"]["removed"] == ["Preble's Boys Take Aim"]


def test_no_battle_cards_in_the_zone_nor_guns_at_algiers():
    stage = Stage().clear().put(FRIGATE, TRIPOLI_ZONE, 1).put(CORSAIR, TRIPOLI, 1)
    stage.deal(AMERICAN, "Preble's Boys Take Aim").deal(TRIPOLITAN, "The Guns of Tripoli")
    stage.run(tripoli_attacks(stage.game), [], ["1", "11"])
    stage.put(ALLIED, ALGIERS, 3).put(FRIGATE, ALGIERS, 1)
    stage.run(naval_battle(stage.game, ALGIERS, AMERICAN), ["decline"], ["11", "111"])
    assert stage.asked() == ["0 naval battle"]


# ---- movement and the order of battles (rulings 3 and 4) -----------------------------------------


def test_frigates_move_more_than_once_and_each_step_counts():
    stage = Stage()
    stage.run(move_frigates(stage.game, 3), ["1 gib > tri z", "2 gibraltar > malta"])
    assert (stage.game.frigates[MALTA], stage.game.frigates[TRIPOLI_ZONE]) == (2, 1)
    stage.run(move_frigates(stage.game, 2), ["1 malta > tunis", "1 tunis > malta"])
    assert stage.rolled() == []


def test_no_frigate_goes_alone_where_nothing_is_left():
    stage = Stage()
    legal = stage.legal(first_ask(stage, move_frigates(stage.game, 2)))
    assert "1 gibraltar > derne" in legal
    assert "1 gibraltar > algiers" in legal
    stage.game.kill(INFANTRY, DERNE, 2)
    legal = stage.legal(first_ask(stage, move_frigates(stage.game, 2)))
    assert "1 gibraltar > derne" not in legal
    assert "1 gibraltar > benghazi" in legal


def test_gunboats_are_sent_before_the_first_battle_and_none_fights_twice():
    stage = Stage().put(GUNBOAT, MALTA, 3)
    stage.run(
        move_frigates(stage.game, 4),
        [
            "1 gib > derne",
            "1 gib > benghazi",
            "done",
            "2 gunboats to derne",
            "done",
            "fight at derne",
        ],
        ["11", "11", "11"],
    )
    assert stage.asked()[3:] == ["0 gunboats", "0 gunboats", "0 battle"]
    assert stage.game.gunboats[MALTA] == 3
    assert [roll.split(" ", 2)[1] for roll in stage.log if roll.startswith("roll")] == [
        "2",
        "2",
        "2",
    ]


def test_the_american_names_the_order_of_battles():
    stage = (
        Stage()
        .clear()
        .put(FRIGATE, DERNE, 1)
        .put(INFANTRY, DERNE, 1)
        .put(FRIGATE, TUNIS, 1)
        .put(ALLIED, TUNIS, 1)
    )
    stage.run(battles(stage.game), ["fight at tunis"], ["11", "1", "11"])
    assert stage.rolled()[0] == "naval battle: American frigates"


def test_frigates_rest_in_the_harbor_of_an_ally_at_peace():
    stage = Stage()
    stage.run(move_frigates(stage.game, 1), ["1 gibraltar > tunis"])
    assert stage.game.frigates[TUNIS] == 1


def test_ships_that_join_at_an_empty_city_go_to_malta_without_dice():
    stage = Stage().put(MARINE, ALEXANDRIA, 1).put(GUNBOAT, MALTA, 2)
    stage.game.kill(INFANTRY, DERNE, 2)
    stage.run(attack(stage.game, ALEXANDRIA, DERNE), ["2 from gibraltar", "done"])
    assert (stage.game.frigates[MALTA], stage.game.marines[DERNE], stage.rolled()) == (2, 1, [])
    assert stage.told("captured") == [{"kind": "captured", "place": "Derne"}]


def test_ships_bombard_with_the_army():
    stage = Stage().put(ARAB, ALEXANDRIA, 1).put(GUNBOAT, MALTA, 2)
    stage.run(
        attack(stage.game, ALEXANDRIA, DERNE),
        ["2 from gibraltar", "done", "2 gunboats to derne"],
        ["6611", "11"],
    )
    assert (stage.game.arabs[DERNE], stage.game.gunboats[MALTA], stage.game.frigates[MALTA]) == (
        1,
        2,
        2,
    )


# ---- ground combat (ruling 9) --------------------------------------------------------------------


def army(marines=1, arabs=1, infantry=1, city=DERNE):
    return (
        Stage()
        .clear()
        .put(MARINE, city, marines)
        .put(ARAB, city, arabs)
        .put(INFANTRY, city, infantry)
    )


def test_the_american_picks_each_loss():
    stage = army(marines=1, arabs=2, infantry=2)
    stage.run(ground_combat(stage.game, DERNE), ["lose marine"], ["1", "16", "61", "66", "1"])
    assert (stage.game.marines[DERNE], stage.game.arabs[DERNE]) == (0, 2)


def test_both_sides_gone_on_one_roll_is_a_tripolitan_victory():
    stage = army(marines=0, arabs=1, infantry=1)
    outcome = stage.run(ground_combat(stage.game, DERNE), [], ["6", "6"])
    assert outcome is not None
    assert (outcome.winners, outcome.how) == ((TRIPOLITAN,), DESTROYED)


def test_mercenaries_may_take_the_whole_army():
    stage = army(marines=0, arabs=2, infantry=1).deal(TRIPOLITAN, "Mercenaries Desert")
    outcome = stage.run(ground_combat(stage.game, DERNE), ["play mercenaries desert"], ["66"])
    assert outcome is not None
    assert outcome.how == DESTROYED


def test_an_empty_city_is_captured_without_a_window():
    stage = (
        army(infantry=0)
        .deal(AMERICAN, "Marine Sharpshooters")
        .deal(TRIPOLITAN, "Mercenaries Desert")
    )
    stage.run(ground_combat(stage.game, DERNE))
    assert stage.asked() == []
    assert stage.game.is_derne_captured()


def test_obannon_and_sharpshooters_together():
    stage = army(marines=2, arabs=0, infantry=2)
    stage.deal(AMERICAN, "Marine Sharpshooters", "Lieutenant O'Bannon Leads the Charge")
    stage.run(ground_combat(stage.game, DERNE), ["play obannon", "play sharp"], ["511", "5", "11"])
    assert stage.rolled()[:2] == [
        "ground combat: Lieutenant O'Bannon",
        "ground combat: American marines",
    ]
    assert stage.game.infantry[DERNE] == 0


def test_obannon_lasts_while_a_marine_is_left():
    stage = army(marines=1, arabs=1, infantry=1).deal(
        AMERICAN, "Lieutenant O'Bannon Leads the Charge"
    )
    stage.run(
        ground_combat(stage.game, DERNE),
        ["play obannon", "lose marine"],
        ["111", "1", "6", "6", "1"],
    )
    assert stage.rolled().count("ground combat: Lieutenant O'Bannon") == 1


# ---- the Assault (ruling 8) ----------------------------------------------------------------------


def fleet(frigates=2, gunboats=0):
    return Stage().clear().at(1805, 2).put(FRIGATE, MALTA, frigates).put(GUNBOAT, MALTA, gunboats)


def test_assault_on_an_empty_harbor_has_no_naval_combat():
    stage = fleet().put(INFANTRY, TRIPOLI, 1).put(MARINE, BENGHAZI, 1)
    stage.deal(AMERICAN, "Preble's Boys Take Aim")
    outcome = stage.run(assault(stage.game), [], ["6111"])
    assert outcome is not None
    assert outcome.how == WON
    assert stage.asked() == []
    assert stage.rolled() == ["bombardment: American frigates"]


def test_assault_won_with_a_damaged_frigate():
    """It fights on with two dice, does not bombard, and goes to the Supply."""
    stage = (
        fleet(frigates=2).put(CORSAIR, TRIPOLI, 2).put(INFANTRY, TRIPOLI, 2).put(ARAB, BENGHAZI, 1)
    )
    outcome = stage.run(assault(stage.game), [], ["6111", "61", "6111", "1", "66"])
    assert outcome is not None
    assert outcome.how == WON
    assert (stage.game.frigates[MALTA], stage.game.frigates[SUPPLY], stage.game.frigates[SUNK]) == (
        1,
        7,
        0,
    )


def test_a_tripolitan_frigate_hit_once_fights_on():
    stage = fleet(frigates=1).put(ENEMY_FRIGATE, TRIPOLI, 1).put(ARAB, BENGHAZI, 1)
    outcome = stage.run(assault(stage.game), [], ["61", "11", "61", "11"])
    assert outcome is not None
    assert outcome.how == WON
    assert stage.told("damaged")[0]["to"] == "Tripoli"


def test_both_fleets_gone_is_a_won_battle():
    stage = fleet(frigates=0, gunboats=1).put(CORSAIR, TRIPOLI, 1).put(ARAB, BENGHAZI, 1)
    outcome = stage.run(assault(stage.game), [], ["6", "6"])
    assert outcome is not None
    assert outcome.how == WON


@pytest.mark.parametrize("corsairs", [1, 0])
def test_no_american_ship_at_the_start(corsairs):
    stage = fleet(frigates=0).put(CORSAIR, TRIPOLI, corsairs).put(ARAB, BENGHAZI, 1)
    outcome = stage.run(assault(stage.game))
    assert outcome is not None
    assert outcome.winners == ((TRIPOLITAN,) if corsairs else (AMERICAN,))


def test_american_fleet_lost_later():
    stage = fleet(frigates=1).put(CORSAIR, TRIPOLI, 2)
    outcome = stage.run(assault(stage.game), [], ["11", "66"])
    assert outcome is not None
    assert (outcome.winners, stage.game.frigates[SUNK]) == ((TRIPOLITAN,), 1)


def test_battle_cards_count_in_the_first_round_only():
    stage = fleet(frigates=2).put(CORSAIR, TRIPOLI, 2).put(ARAB, BENGHAZI, 1)
    stage.deal(AMERICAN, "Preble's Boys Take Aim").deal(TRIPOLITAN, "The Guns of Tripoli")
    stage.run(
        assault(stage.game),
        ["play preble", "play guns"],
        ["611111", "111111111111", "11", "6111", "1"],
    )
    assert stage.asked() == ["0 naval battle", "1 naval battle"]


def test_no_army_to_land():
    stage = fleet().put(INFANTRY, TRIPOLI, 1).put(MARINE, ALEXANDRIA, 1)
    outcome = stage.run(assault(stage.game), [], ["1111"])
    assert outcome is not None
    assert (outcome.winners, outcome.how) == ((TRIPOLITAN,), LOST)


def test_marines_just_sent_use_the_cards_of_the_same_window():
    stage = fleet().put(INFANTRY, TRIPOLI, 2)
    stage.deal(AMERICAN, "Send in the Marines", "Marine Sharpshooters")
    outcome = stage.run(assault(stage.game), ["play send", "play sharp"], ["1111", "551", "11"])
    assert outcome is not None
    assert outcome.how == WON


def test_only_send_in_the_marines_opens_a_window_over_an_empty_city():
    stage = fleet().deal(AMERICAN, "Send in the Marines", "Marine Sharpshooters")
    outcome = stage.run(assault(stage.game), ["play send in the marines"])
    assert outcome is not None
    assert outcome.how == WON
    stage = fleet().put(ARAB, BENGHAZI, 1).deal(AMERICAN, "Send in the Marines")
    outcome = stage.run(assault(stage.game))
    assert outcome is not None
    assert outcome.how == WON


def test_frigates_far_away_come_to_the_assault():
    stage = (
        fleet(frigates=1)
        .put(FRIGATE, GIBRALTAR, 2)
        .put(FRIGATE, TRIPOLI_ZONE, 1)
        .put(FRIGATE, TRACK + 4, 1)
    )
    stage.put(INFANTRY, TRIPOLI, 3).put(ARAB, BENGHAZI, 1)
    stage.run(assault(stage.game), [], ["66611111"])
    assert stage.game.frigates[MALTA] == 4
    assert stage.game.frigates[TRACK + 4] == 1
