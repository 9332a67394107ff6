"""Hands, windows, discards and single cards, ruling by ruling."""

from __future__ import annotations

import pytest

from engine.flow import Answer, Illegal, Open
from engine.tripoli.battle_cards import window
from engine.tripoli.cards import (
    BURN_THE_PHILADELPHIA,
    EVENTS,
    LAUNCH_THE_INTREPID,
    NAMES,
    PHILADELPHIA_AGROUND,
    STORMS,
    TREATY_OF_PEACE,
    TRIBUTE_PAID,
    YUSUF_QARAMANLI,
    events_of,
)
from engine.tripoli.pieces import ALLIED, ARAB, CORSAIR, ENEMY_FRIGATE, FRIGATE, SWEDE
from engine.tripoli.places import (
    ALGIERS,
    DERNE,
    GIBRALTAR,
    GIBRALTAR_ZONE,
    MALTA,
    SUNK,
    SUPPLY,
    TRACK,
    TRIPOLI,
    TRIPOLI_ZONE,
    TUNIS,
    TUNIS_ZONE,
)
from engine.tripoli.raids import break_out, pirate_raid
from engine.tripoli.sequence import hand_limit, play, reshuffle, seasonal_round, start_of_year
from engine.tripoli.tables import AMERICAN, TRIPOLITAN
from tests.support.tripoli_kit import Stage, first_ask

GUNS = NAMES.index("The Guns of Tripoli")
TEN = (
    "Storms",
    "Troops to Derne",
    "Troops to Tripoli",
    "Troops to Benghazi",
    "Happy Hunting",
    "Uncharted Waters",
)
TEN += ("Tripoli Attacks", "US Supplies Run Low", "Algiers Declares War", "Tunis Declares War")


# ---- plays ---------------------------------------------------------------------------------------


def test_a_spent_card_is_shown_and_any_card_will_do():
    stage = Stage().deal(AMERICAN, "Marine Sharpshooters")
    stage.run(play(stage.game, AMERICAN), ["build with marine sharpshooters"])
    assert stage.log == ["ask 0 play", "open Marine Sharpshooters"]
    assert stage.view()["american"]["discard"] == ["Marine Sharpshooters"]
    assert stage.game.gunboats[MALTA] == 1


def test_an_event_is_opened_and_checked_again():
    """A handle that holds another card, or one whose needs are not met, is refused when it is
    opened."""
    for held, said in (("Naval Movement", "Early Deployment"), ("Treaty of Peace and Amity",) * 2):
        stage = Stage().deal(AMERICAN, held)
        flow = play(stage.game, AMERICAN)
        ask = first_ask(stage, flow)
        request = flow.send(Answer(("event", NAMES.index(said)), ask.hand[0]))
        assert isinstance(request, Open)
        with pytest.raises(Illegal):
            flow.send(NAMES.index(held))


def test_empty_hand_passes_or_plays_a_core_card():
    stage = Stage()
    stage.run(play(stage.game, AMERICAN), ["event swedish frigates arrive"])
    assert stage.game.swedes[TRIPOLI_ZONE] == 2
    stage.run(play(stage.game, AMERICAN), ["pass"])
    stage.game.core[AMERICAN].clear()
    stage.log.clear()
    stage.run(play(stage.game, AMERICAN))
    assert stage.log == []
    assert len(stage.told("passed")) == 2


def test_raid_needs_a_corsair_and_build_a_piece():
    stage = Stage().clear().deal(TRIPOLITAN, "Storms")
    assert list(stage.legal(first_ask(stage, play(stage.game, TRIPOLITAN)))) == [
        "event Murad Reis Breaks Out",
        "build with Storms",
    ]
    stage.put(CORSAIR, TRIPOLI, 9)
    legal = stage.legal(first_ask(stage, play(stage.game, TRIPOLITAN)))
    assert "raid with Storms" in legal
    assert "build with Storms" not in legal


def test_common_goes_to_the_discard_and_unique_leaves_the_game():
    stage = Stage().deal(AMERICAN, "Congress Authorizes Action", "Naval Movement")
    stage.run(play(stage.game, AMERICAN), ["event congress"])
    stage.run(play(stage.game, AMERICAN), ["event naval", "done"])
    cards = stage.view()["american"]
    assert (cards["removed"], cards["discard"]) == (
        ["Congress Authorizes Action"],
        ["Naval Movement"],
    )


# ---- hand limit (ruling 13) ----------------------------------------------------------------------


def test_both_choose_before_either_shows_and_tripolitania_shows_first():
    stage = Stage().deal(AMERICAN, *["Naval Movement"] * 4, *NAMES[6:11]).deal(TRIPOLITAN, *TEN)
    stage.run(
        hand_limit(stage.game, (0, 1)),
        ["discard naval movement", "discard storms", "discard tripoli attacks"],
    )
    assert stage.log == [
        "ask 0 hand limit",
        "ask 1 hand limit",
        "ask 1 hand limit",
        "open Storms",
        "open Tripoli Attacks",
        "open Naval Movement",
    ]
    assert [" 2 " in prompt for prompt in stage.prompts] == [False, True, False]


def test_cards_set_aside_still_count_as_the_hand_in_the_view():
    stage = Stage().deal(AMERICAN, *["Naval Movement"] * 4, *NAMES[6:11]).deal(TRIPOLITAN, *TEN)
    flow = hand_limit(stage.game, (0, 1))
    ask = first_ask(stage, flow)
    flow.send(stage.understood(ask, "discard naval movement"))
    view = stage.view()
    assert (view["active"], view["american"]["hand_count"], view["american"]["discard_count"]) == (
        "both",
        9,
        0,
    )


def nine_cards(**settings):
    """Both hands hold one card too many."""
    return (
        Stage(**settings)
        .deal(AMERICAN, *["Naval Movement"] * 4, *NAMES[6:11])
        .deal(TRIPOLITAN, *TEN[:9])
    )


def test_quick_hand_limit_lets_tripolitania_wait_for_its_own_play():
    stage = nine_cards(quick_hand_limit=1)
    stage.run(start_of_year(stage.game, 1802), ["discard naval movement"])
    stage.run(
        seasonal_round(stage.game, 0),
        ["build with naval", "discard storms", "build with troops to derne"],
    )
    assert stage.log == [
        "ask 0 hand limit",
        "open Naval Movement",
        "ask 0 play",
        "open Naval Movement",
        "ask 1 hand limit",
        "open Storms",
        "ask 1 play",
        "open Troops to Derne",
    ]


def test_without_it_both_cut_their_hands_before_the_american_play():
    stage = nine_cards()
    stage.run(start_of_year(stage.game, 1802), ["discard naval movement", "discard storms"])
    assert stage.log == [
        "ask 0 hand limit",
        "ask 1 hand limit",
        "open Storms",
        "open Naval Movement",
    ]


# ---- windows (ruling 5) --------------------------------------------------------------------------


def offered(stage):
    stage.log.clear()
    stage.run(
        window(stage.game, TRIPOLITAN, "naval battle", (GUNS,)), ["decline"] if may(stage) else []
    )
    return bool(stage.asked())


def may(stage):
    return stage.game.may_hold(TRIPOLITAN, GUNS)


def test_a_window_is_offered_though_the_card_is_not_held():
    assert offered(Stage().deal(TRIPOLITAN, "Storms"))


def test_a_window_is_skipped_when_all_can_see_that_the_card_is_elsewhere():
    assert not offered(Stage())
    assert not offered(
        Stage().deal(TRIPOLITAN, "Storms").discard(TRIPOLITAN, "The Guns of Tripoli")
    )
    stage = Stage().deal(TRIPOLITAN, "The Guns of Tripoli", "Storms")
    stage.run(window(stage.game, TRIPOLITAN, "naval battle", (GUNS,)), ["play guns"])
    assert not offered(stage)
    stage = Stage().deal(TRIPOLITAN, "Storms")
    stage.game.learn(stage.game.hands[TRIPOLITAN][0], STORMS)
    assert not offered(stage)


def test_a_window_is_offered_again_after_the_reshuffle_and_with_hidden_discards():
    stage = Stage().deal(TRIPOLITAN, "Storms").discard(TRIPOLITAN, "The Guns of Tripoli")
    stage.run(reshuffle(stage.game, TRIPOLITAN))
    assert offered(stage)
    stage = Stage(hidden_discard=1).deal(TRIPOLITAN, "The Guns of Tripoli", "Storms")
    stage.run(play(stage.game, TRIPOLITAN), ["build with guns"])
    assert offered(stage)


def test_only_cards_of_the_window_can_be_played():
    stage = Stage().deal(TRIPOLITAN, "The Guns of Tripoli", "Happy Hunting", "Storms")
    legal = stage.legal(first_ask(stage, window(stage.game, TRIPOLITAN, "naval battle", (GUNS,))))
    assert list(legal) == ["decline", "play The Guns of Tripoli"]


# ---- raids (rulings 10 and 11) -------------------------------------------------------------------


def raiders(**settings):
    return Stage(**settings).clear().put(CORSAIR, TRIPOLI, 3).put(FRIGATE, TRIPOLI_ZONE, 1)


def test_signal_books_and_happy_hunting_in_one_raid():
    stage = raiders().deal(TRIPOLITAN, "US Signal Books Overboard", "Happy Hunting")
    stage.deal(AMERICAN, "Naval Movement", "Tribute Paid")
    stage.run(
        pirate_raid(stage.game, TRIPOLI),
        ["decline", "play happy", "play us signal"],
        ["61", "55", "116"],
    )
    assert stage.game.gold == 3
    assert stage.view()["american"]["discard"] == ["Naval Movement"]
    assert "pick" in stage.log


def test_signal_books_against_an_empty_hand_does_nothing():
    stage = raiders().deal(TRIPOLITAN, "US Signal Books Overboard", "Storms")
    stage.run(pirate_raid(stage.game, TRIPOLI), ["play us signal", "decline"], ["11", "111"])
    assert "pick" not in stage.log


def test_signal_books_after_murad_reis_and_without_corsairs_left():
    stage = Stage().clear().put(CORSAIR, GIBRALTAR, 2).put(FRIGATE, GIBRALTAR_ZONE, 1)
    stage.deal(TRIPOLITAN, "US Signal Books Overboard").deal(AMERICAN, "Tribute Paid")
    stage.run(break_out(stage.game), ["decline", "play us signal"], ["66"])
    assert stage.game.corsairs[TRIPOLI] == 0
    assert stage.view()["american"]["discard"] == ["Tribute Paid"]


def test_swedes_alone_open_no_window_for_the_signal_books():
    stage = Stage().clear().put(CORSAIR, TRIPOLI, 2).put(SWEDE, TRIPOLI_ZONE, 2)
    stage.deal(TRIPOLITAN, "US Signal Books Overboard").deal(
        AMERICAN, "Lieutenant Sterett in Pursuit"
    )
    stage.run(pirate_raid(stage.game, TRIPOLI), ["decline"], ["1111", "11"])
    stage.log.clear()
    stage.run(pirate_raid(stage.game, TRIPOLI), [], ["6611"])
    assert stage.asked() == []


def test_sterett_gives_americans_three_dice():
    stage = raiders().put(SWEDE, TRIPOLI_ZONE, 1).deal(AMERICAN, "Lieutenant Sterett in Pursuit")
    stage.run(pirate_raid(stage.game, TRIPOLI), ["play lieutenant sterett"], ["11", "116", "11"])
    assert "roll 3 American frigates intercept" in stage.log


def test_merchant_ship_converted_needs_gold_and_a_piece():
    stage = Stage().clear().put(CORSAIR, TRIPOLI, 2).deal(TRIPOLITAN, "Merchant Ship Converted")
    stage.run(pirate_raid(stage.game, TRIPOLI), ["decline"], ["11"])
    assert stage.asked() == ["1 raid"]
    stage.run(pirate_raid(stage.game, TRIPOLI), ["decline", "play merchant"], ["15"])
    assert stage.game.corsairs[TRIPOLI] == 3
    stage = Stage().clear().put(CORSAIR, TRIPOLI, 9).deal(TRIPOLITAN, "Merchant Ship Converted")
    stage.run(pirate_raid(stage.game, TRIPOLI), ["decline"], ["611111111"])
    assert stage.game.gold == 1


def test_yusuf_may_stop_before_every_harbor_has_raided():
    stage = Stage().clear().put(CORSAIR, TRIPOLI, 1).put(ALLIED, TUNIS, 3)
    stage.run(EVENTS[YUSUF_QARAMANLI](stage.game), ["raid from tunis", "done"], ["111"])
    assert stage.asked() == ["1 harbor", "1 harbor"]


# ---- gold (ruling 12) and points (ruling 17) -----------------------------------------------------


def test_twelve_gold_end_the_game_at_once_and_more_is_not_kept():
    stage = (
        Stage()
        .clear()
        .put(CORSAIR, TRIPOLI, 3)
        .put(FRIGATE, SUNK, 1)
        .deal(TRIPOLITAN, "Merchant Ship Converted")
    )
    stage.game.gold = 11
    outcome = stage.run(pirate_raid(stage.game, TRIPOLI), ["decline"], ["666"])
    assert outcome is not None
    assert (outcome.winners, outcome.points, stage.game.gold) == ((TRIPOLITAN,), (15, 15), 12)


def test_tribute_may_bring_gold_back_below():
    stage = Stage().deal(AMERICAN, *["Constantinople Demands Tribute"] * 2)
    stage.game.gold = 1
    stage.run(play(stage.game, AMERICAN), ["event constantinople demands tribute"])
    assert stage.game.gold == 0
    assert "event Constantinople Demands Tribute" not in stage.legal(
        first_ask(stage, play(stage.game, AMERICAN))
    )


# ---- the reshuffle (ruling 16) -------------------------------------------------------------------


def test_1805_shuffles_tripolitania_first_and_draws_what_there_is():
    stage = Stage().discard(AMERICAN, *NAMES[3:5]).discard(TRIPOLITAN, *TEN)
    stage.run(start_of_year(stage.game, 1805))
    assert stage.log == ["seal 1 10", "seal 0 2", "draw 0 2", "draw 1 6"]
    assert stage.game.hand(AMERICAN) == (3, 4)


def test_1805_with_empty_discards_seals_nothing():
    stage = Stage()
    stage.run(start_of_year(stage.game, 1805))
    assert stage.log == []


def test_the_reshuffle_may_be_sealed_ahead_in_the_last_play_before_it():
    stage = Stage().discard(AMERICAN, *NAMES[3:5]).discard(TRIPOLITAN, "Storms").at(1804, 3)
    assert list(stage.game.coming_seals()) == []
    stage.game.has_played[AMERICAN] = True
    assert [seal.deck for seal in stage.game.coming_seals()] == [AMERICAN]
    stage.game.has_played[TRIPOLITAN] = True
    ahead = list(stage.game.coming_seals())
    flow = start_of_year(stage.game, 1805)
    assert [next(flow), flow.send(None)] == ahead


def test_1806_draws_the_rest():
    stage = Stage()
    stage.game.piles[AMERICAN] = [1, 2, 3, 4, 5, 6, 7, 8]
    stage.run(start_of_year(stage.game, 1806))
    assert stage.log == ["draw 0 8"]


# ---- hidden discard (ruling 18) ------------------------------------------------------------------


def test_hidden_discards_are_never_opened():
    stage = (
        Stage(hidden_discard=1)
        .deal(AMERICAN, *["Naval Movement"] * 4, *NAMES[6:11])
        .deal(TRIPOLITAN, *TEN)
    )
    stage.run(
        hand_limit(stage.game, (0, 1)),
        ["discard naval movement", "discard storms", "discard tripoli attacks"],
    )
    stage.run(play(stage.game, AMERICAN), ["build with naval"])
    assert not any(line.startswith("open") for line in stage.log)
    view = stage.view()
    assert (view["american"]["discard"], view["american"]["discard_count"]) == ([], 2)
    assert stage.told("spent")[0]["card"] is None


def test_hidden_discards_show_events_and_hide_what_signal_books_take():
    stage = (
        raiders(hidden_discard=1)
        .deal(TRIPOLITAN, "US Signal Books Overboard")
        .deal(AMERICAN, "Tribute Paid")
    )
    stage.run(pirate_raid(stage.game, TRIPOLI), ["decline", "play us signal"], ["11", "111"])
    assert [line for line in stage.log if line.startswith("open")] == [
        "open US Signal Books Overboard"
    ]
    assert stage.view()["american"]["discard_count"] == 1
    stage.deal(TRIPOLITAN, "Troops to Tripoli")
    stage.run(play(stage.game, TRIPOLITAN), ["event troops to tripoli"])
    assert stage.view()["tripolitan"]["discard"] == ["Troops to Tripoli"]


def test_nobody_looks_through_a_face_down_discard_not_even_their_own():
    stage = Stage(hidden_discard=1).deal(AMERICAN, "Storms", "Tribute Paid").deal(TRIPOLITAN, *TEN)
    stage.run(play(stage.game, AMERICAN), ["build with storms"])
    stage.run(play(stage.game, TRIPOLITAN), ["event troops to tripoli"])
    for viewer in (None, AMERICAN, TRIPOLITAN):
        view = stage.game.view(viewer, stage.faces)  # all that any of them could know
        assert (view["american"]["discard"], view["american"]["discard_count"]) == ([], 1)
        assert view["tripolitan"]["discard"] == ["Troops to Tripoli"], "everybody saw it played"


def test_a_card_taken_with_bainbridge_stays_secret():
    """The pile is shuffled first: not even a card that was shown as an event can be followed to the
    hand."""
    stage = Stage(hidden_discard=1).deal(
        AMERICAN, "Naval Movement", "Tribute Paid", "Bainbridge Supplies Intel"
    )
    stage.run(play(stage.game, AMERICAN), ["event naval movement", "done"])
    stage.run(play(stage.game, AMERICAN), ["build with tribute"])
    stage.run(play(stage.game, AMERICAN), ["event bainbridge", "take naval movement"])
    assert "seal 0 2" in stage.log
    view = stage.view()
    assert [back["name"] for back in view["american"]["hand_backs"]] == [None]
    assert stage.told("took") == [{"kind": "took", "seat": "american", "card": None}]
    assert (view["american"]["discard"], view["american"]["discard_count"]) == (
        ["Bainbridge Supplies Intel"],
        2,
    )


def test_a_card_played_with_bainbridge_is_shown():
    stage = Stage(hidden_discard=1).deal(
        AMERICAN, "Bainbridge Supplies Intel", "Congress Authorizes Action"
    )
    stage.run(play(stage.game, AMERICAN), ["build with congress"])
    stage.run(play(stage.game, AMERICAN), ["event bainbridge", "event congress"])
    assert stage.log[-2:] == ["ask 0 intel", "open Congress Authorizes Action"]
    assert stage.view()["american"]["removed"] == ["Congress Authorizes Action"]


def test_bainbridge_with_the_open_discard():
    stage = Stage().deal(AMERICAN, "Bainbridge Supplies Intel")
    stage.discard(
        AMERICAN,
        "Naval Movement",
        "Naval Movement",
        "Marine Sharpshooters",
        "Treaty of Peace and Amity",
    )
    stage.run(play(stage.game, AMERICAN), ["event bainbridge", "take marine sharpshooters"])
    (back,) = stage.view()["american"]["hand_backs"]
    assert back["name"] == "Marine Sharpshooters"
    assert not events_of(stage.game, TREATY_OF_PEACE)
    stage.log.clear()
    stage.run(play(stage.game, AMERICAN), ["move with marine sharpshooters", "done"])
    assert "open Marine Sharpshooters" not in stage.log


def test_bainbridge_lists_equal_cards_once_and_needs_another_card():
    stage = Stage().deal(AMERICAN, "Bainbridge Supplies Intel")
    assert "event Bainbridge Supplies Intel" not in stage.legal(
        first_ask(stage, play(stage.game, AMERICAN))
    )
    stage.discard(AMERICAN, "Naval Movement", "Naval Movement")
    flow = play(stage.game, AMERICAN)
    ask = first_ask(stage, flow)
    flow.send(stage.understood(ask, "event bainbridge"))
    intel = flow.send(NAMES.index("Bainbridge Supplies Intel"))
    assert list(stage.legal(intel)) == ["take Naval Movement", "event Naval Movement"]


# ---- single cards --------------------------------------------------------------------------------


def test_treaty_needs_all_four_conditions():
    def stage():
        return Stage().clear().at(1805, 2).put(ARAB, DERNE, 1)

    assert events_of(stage().game, TREATY_OF_PEACE)
    assert not events_of(stage().at(1805, 1).game, TREATY_OF_PEACE)
    assert not events_of(stage().put(ALLIED, ALGIERS, 1).game, TREATY_OF_PEACE)
    assert not events_of(stage().put(ENEMY_FRIGATE, TRIPOLI, 1).game, TREATY_OF_PEACE)
    assert not events_of(Stage().clear().at(1806).game, TREATY_OF_PEACE)


def test_tribute_paid_keeps_the_frigate_in_the_harbor():
    stage = Stage().put(ALLIED, TUNIS, 3)
    stage.run(EVENTS[TRIBUTE_PAID](stage.game))
    assert (stage.game.frigates[TUNIS], stage.game.allied[TUNIS], stage.game.gold) == (1, 0, 2)


def test_show_of_force_asks_which_frigates():
    stage = (
        Stage()
        .put(ALLIED, TUNIS, 3)
        .put(ALLIED, ALGIERS, 3)
        .put(FRIGATE, MALTA, 2)
        .deal(AMERICAN, "A Show of Force")
    )
    stage.run(play(stage.game, AMERICAN), ["event show", "algiers", "2 from gib", "1 from malta"])
    assert (
        stage.game.frigates[ALGIERS],
        stage.game.frigates[GIBRALTAR],
        stage.game.frigates[MALTA],
    ) == (3, 1, 1)


@pytest.mark.parametrize(("dice", "higher"), [("2", 2), ("4", 4), ("6", 6), ("14", 4), ("61", 6)])
def test_two_dice_take_the_higher(dice, higher):
    """Ruling 15, on the three tables of one die."""
    stage = Stage().clear().put(FRIGATE, TRIPOLI_ZONE, 1).deal(TRIPOLITAN, "Uncharted Waters")
    entered = ["play uncharted" if len(dice) == 2 else "decline"]
    stage.run(EVENTS[PHILADELPHIA_AGROUND](stage.game), entered, [dice])
    assert stage.game.frigates[MALTA] == (higher <= 2)
    assert stage.game.frigates[SUNK] == (higher >= 3)
    assert stage.game.enemy_frigates[TRIPOLI] == (higher >= 5)
    entered = ["play daring" if len(dice) == 2 else "decline"]
    stage = (
        Stage().clear().put(ENEMY_FRIGATE, TRIPOLI, 1).deal(AMERICAN, "The Daring Stephen Decatur")
    )
    stage.run(EVENTS[BURN_THE_PHILADELPHIA](stage.game), entered, [dice])
    assert stage.game.enemy_frigates[TRIPOLI] == (higher <= 2)
    assert stage.game.enemy_frigates[TRACK] == (3 <= higher <= 4)
    stage = Stage().clear().put(CORSAIR, TRIPOLI, 3).deal(AMERICAN, "The Daring Stephen Decatur")
    stage.run(EVENTS[LAUNCH_THE_INTREPID](stage.game), entered, [dice])
    assert stage.game.corsairs[TRIPOLI] == 3 - (higher - 1) // 2


def test_storms_sink_first_and_damage_after():
    stage = Stage().clear().at(1806).put(FRIGATE, TUNIS_ZONE, 3).put(FRIGATE, TRIPOLI_ZONE, 1)
    stage.run(EVENTS[STORMS](stage.game), ["tunis zone"], ["661"])
    assert (
        stage.game.frigates[SUNK],
        stage.game.frigates[TUNIS_ZONE],
        stage.game.frigates[SUPPLY],
    ) == (1, 1, 5)


def test_war_declared_on_frigates_in_the_harbor_is_fought_without_gunboats():
    stage = (
        Stage()
        .put(FRIGATE, ALGIERS, 1)
        .deal(TRIPOLITAN, "Algiers Declares War")
        .deal(AMERICAN, "Tribute Paid")
    )
    stage.run(play(stage.game, TRIPOLITAN), ["event algiers", "decline"], ["111", "66"])
    assert stage.rolled() == ["naval battle: Allied corsairs", "naval battle: American frigates"]
    assert stage.game.allied[ALGIERS] == 1


def test_corsairs_confiscated_removes_murad_reis():
    stage = Stage().deal(AMERICAN, "Corsairs Confiscated")
    stage.run(play(stage.game, AMERICAN), ["event corsairs"])
    view = stage.view()["tripolitan"]
    assert "Murad Reis Breaks Out" in view["removed"]
    assert "Murad Reis Breaks Out" not in view["core"]
