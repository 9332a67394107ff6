"""One test for every ruling of `docs/loot.md` about seats that leave; the number is in the name.

How a resignation is written, and ruling 46, are the ledger's
(`tests/ledger/loot/test_leaving*.py`).
"""

from __future__ import annotations

import pytest

from engine.flow import Ask
from engine.loot import RULES
from tests.support.loot_bench import Bench

GOLD = "gold 1," * 12


def test_34_the_question_is_not_answered_and_the_hand_stays_a_hand() -> None:
    bench = Bench(["blue 1", "merchant 5, green 1", "gold 2"], GOLD)
    bench.play((0, "draw"), (1, "leave"), (2, "draw"), (0, "draw"))
    before = bench.game.turn
    bench.play((1, "draw"))
    assert bench.asked is None
    assert bench.game.turn == before
    assert [bench.faces[card] for card in bench.game.hand(1)] == [bench.faces[3], bench.faces[2]][
        ::-1
    ]
    assert len(bench.game.pile) == 9


def test_34_the_hand_of_one_who_left_is_opened_at_the_end_and_shown_before() -> None:
    bench = Bench(["blue 1, blue 2", "merchant 5, green 1", "gold 2, gold 3"])
    bench.leave(1)
    hands = bench.game.view(None, bench.faces)["hands"]
    assert [[card["card"] for card in hand["cards"]] for hand in hands] == [
        [None, None],
        ["green 1", "merchant 5"],
        [None, None],
    ]
    assert [(hand["left"], hand["shown"]) for hand in hands] == [
        (False, False),
        (True, True),
        (False, False),
    ]
    bench.play((0, "discard blue 1"), (1, ""), (2, "discard gold 2"))
    assert bench.turn(0, "discard blue 2")
    bench.score()
    assert set(bench.game.hand(1)) <= set(bench.game.open)


def test_34_another_seat_leaves_while_one_is_asked_and_the_question_stands() -> None:
    bench = Bench(["blue 1, merchant 3", "green 1", "gold 2"], GOLD)
    flow = bench.game.take_turn(0)
    before = next(flow)
    assert isinstance(before, Ask)
    bench.leave(2)
    again = flow.send(None)
    assert isinstance(again, Ask)
    assert again._replace(allows=before.allows) == before
    assert (bench.game.turn, bench.game.active) == (1, 0)


@pytest.mark.parametrize("switch", [0, 1])
def test_35_one_who_left_is_never_out_of_cards(switch: int) -> None:
    bench = Bench(["blue 1, blue 2", "", "gold 2, gold 3"], end_on_deck_out_with_empty_hand=switch)
    bench.leave(1)
    assert not bench.turn(0, "discard blue 1")
    assert not bench.turn(1)
    assert not bench.turn(2, "discard gold 2")
    assert bench.turn(0, "discard blue 2")


def test_36_one_who_left_never_wins_and_the_points_are_told() -> None:
    bench = Bench(["merchant 8, blue 1", "green 1", "gold 2"], GOLD)
    bench.play((0, "merchant 8"), (1, "draw"), (2, "draw"), (0, "draw"))
    assert bench.taken(0) == [1]
    bench.leave(0)
    outcome = bench.score()
    assert outcome.points == (8, 0, 0)
    assert outcome.winners == (1, 2)
    assert outcome.how == "a shared win"


@pytest.mark.parametrize(("left", "winners"), [([0], (1,)), ([0, 1], (2, 3, 4, 5))])
def test_36_a_pair_wins_by_the_partner_who_stays(left: list[int], winners: tuple[int, ...]) -> None:
    """And has lost when both have left."""
    bench = Bench(
        ["merchant 8", "blue 1", "gold 1", "gold 2", "green 1", "green 2"], GOLD, partners=1
    )
    bench.play(
        (0, "merchant 8"),
        (1, "draw"),
        (2, "draw"),
        (3, "draw"),
        (4, "draw"),
        (5, "draw"),
        (0, "draw"),
    )
    bench.leave(*left)
    assert bench.score().winners == winners


def test_37_a_pair_goes_on_with_one_partner() -> None:
    bench = Bench(
        ["blue 3", "captain blue, blue 4, blue 1", "merchant 5", "gold 2", "green 1", "green 2"],
        GOLD,
        partners=1,
    )
    bench.play(
        (2, "merchant 5"),
        (3, "draw"),
        (4, "draw"),
        (5, "draw"),
        (0, "blue 3 at ship 1"),
        (1, "draw"),
    )
    bench.leave(0)
    assert bench.leader(1) == 0
    bench.play((2, "draw"), (3, "gold 2 at ship 1"), (4, "draw"), (5, "draw"))
    bench.play((0, ""))
    assert bench.asked is None
    assert bench.taken(0) == [1]


def test_37_fighters_and_colours_of_one_who_left_bind_the_partner() -> None:
    hands = ["blue 1", "captain blue, blue 4, gold 1", "merchant 5", "gold 2", "green 1", "green 2"]
    bench = Bench(hands, GOLD, partners=1)
    bench.play((2, "merchant 5"), (3, "draw"), (4, "draw"), (5, "draw"), (0, "blue 1 at ship 1"))
    bench.leave(0)
    assert "captain blue at ship 1" in bench.legal(1)
    assert "blue 4 at ship 1" in bench.legal(1)
    assert "gold 1 at ship 1" not in bench.legal(1)


def test_38_the_merchants_of_one_who_left_count_against_the_pair() -> None:
    bench = Bench(["merchant 7", "merchant 2", "gold 1", "", "green 1", ""], partners=1)
    bench.leave(0)
    outcome = bench.score()
    assert outcome.points == (-9, -9, 0, 0, 0, 0)


def test_39_pirates_of_a_side_that_left_do_not_count() -> None:
    bench = Bench(["merchant 4", "blue 4", "green 2", "purple 2"], GOLD)
    bench.play(
        (0, "merchant 4"),
        (1, "blue 4 at ship 1"),
        (2, "green 2 at ship 1"),
        (3, "purple 2 at ship 1"),
    )
    assert bench.leader(1) == 1
    bench.leave(1)
    assert bench.leader(1) is None, "the tie of the two others is the fight now"
    bench.leave(3)
    assert bench.leader(1) == 2
    bench.leave(2)
    assert bench.leader(1) == 0, "nobody who still plays attacks it"


@pytest.mark.parametrize("trump", ["captain blue", "admiral"])
def test_39_captains_and_admiral_of_a_side_that_left_do_not_count(trump: str) -> None:
    bench = Bench(["merchant 4, admiral", "blue 1, captain blue", "green 2", "gold 1"], GOLD)
    bench.play((0, "merchant 4"), (1, "blue 1 at ship 1"), (2, "green 2 at ship 1"))
    seat = 1 if trump.startswith("captain") else 0
    bench.play((seat, f"{trump} at ship 1"))
    assert bench.leader(1) == seat
    bench.leave(seat)
    assert bench.leader(1) == 2
    facts = bench.game.view(None, {})["ships"][0]
    assert [found["counts"] for found in facts["trumps"]] == [False]
    assert [found["counts"] for found in facts["attackers"]] == [seat == 0, True]


def test_39_a_captain_that_does_not_count_keeps_no_pirate_away() -> None:
    bench = Bench(
        ["merchant 4", "blue 1, captain blue", "green 2", "gold 1"], GOLD, pirates_on_trumped_ship=0
    )
    bench.play(
        (0, "merchant 4"),
        (1, "blue 1 at ship 1"),
        (2, "draw"),
        (3, "gold 1 at ship 1"),
        (0, "draw"),
    )
    bench.play((1, "captain blue at ship 1"))
    assert "green 2 at ship 1" not in bench.legal(2)
    bench.leave(1)
    assert "green 2 at ship 1" in bench.legal(2)


def test_40_the_colours_of_a_side_that_left_stay_taken() -> None:
    bench = Bench(["merchant 4", "blue 1", "blue 2, green 2", "gold 1"], GOLD)
    bench.play((0, "merchant 4"), (1, "blue 1 at ship 1"))
    bench.leave(1)
    assert "blue 2 at ship 1" not in bench.legal(2)
    assert "green 2 at ship 1" in bench.legal(2)


def test_41_leaving_takes_nothing_at_once_and_the_leader_takes_it_at_the_next_check() -> None:
    bench = Bench(["merchant 4", "blue 4", "green 2", "gold 1"], GOLD)
    bench.play(
        (0, "merchant 4"),
        (1, "blue 4 at ship 1"),
        (2, "green 2 at ship 1"),
        (3, "draw"),
        (0, "draw"),
    )
    bench.leave(1)
    assert bench.taken(2) == []
    bench.play((1, ""))
    assert bench.taken(1) == [], "one who left takes nothing more"
    bench.play((2, "draw"))
    assert bench.taken(2) == [1]


def test_42_a_ship_of_a_side_that_left_is_discarded_at_its_check_if_nobody_fights_for_it() -> None:
    hands = ["merchant 4", "merchant 3", "merchant 2", "blue 1", "green 1, green 2", "gold 1"]
    bench = Bench(hands, GOLD, partners=1)
    bench.play((0, "merchant 4"), (1, "merchant 3"), (2, "merchant 2"))
    bench.play((3, "blue 1 at ship 1"), (4, "green 1 at ship 2"), (5, "gold 1 at ship 3"))
    bench.leave(0, 1, 2)
    assert [ship["abandoned"] for ship in bench.game.view(None, {})["ships"]] == [
        False,
        False,
        False,
    ]
    bench.leave(3)
    assert [ship["abandoned"] for ship in bench.game.view(None, {})["ships"]] == [
        True,
        False,
        False,
    ]
    bench.play((2, ""), (3, ""))
    assert len(bench.game.ships) == 3, "the check is that of the owner's side"
    bench.play((0, ""))
    assert [ship.number for ship in bench.game.ships] == [2, 3]
    assert [RULES.cards[bench.game.open[card]] for card in bench.game.discard] == [
        "merchant 4",
        "blue 1",
    ]
    bench.play((4, "draw"))
    assert bench.taken(2) == [2, 3]
    assert bench.score().points == (0, 0, 0, 0, 5, 5)


def test_43_a_pair_with_one_who_left_does_not_end_the_game_by_an_empty_hand() -> None:
    bench = Bench(
        ["blue 1", "blue 2", "green 1, green 2", "green 3, green 4", "gold 1, gold 2", "gold 3"],
        partners=1,
    )
    bench.leave(0)
    assert not bench.turn(1, "discard blue 2")
    bench.play(
        (2, "discard green 1"), (3, "discard green 3"), (4, "discard gold 1"), (5, "discard gold 3")
    )
    assert not bench.turn(1), "passed over"
    bench.play((2, "discard green 2"))
    assert bench.turn(3, "discard green 4"), "a whole pair that plays is out of cards"


def test_43_with_a_leaver_in_every_pair_the_game_ends_when_nobody_has_a_card() -> None:
    bench = Bench(["blue 1", "blue 2", "green 1", "green 3", "gold 1", "gold 3"], partners=1)
    bench.leave(0, 2, 4)
    bench.play((1, "discard blue 2"), (3, "discard green 3"))
    assert bench.turn(5, "discard gold 3")


@pytest.mark.parametrize("switch", [0, 1])
def test_44_nobody_who_still_plays_has_a_card(switch: int) -> None:
    bench = Bench(["", "merchant 5, blue 1", "", "gold 1"], end_on_deck_out_with_empty_hand=switch)
    bench.leave(1)
    assert not bench.turn(2)
    assert bench.turn(3, "discard gold 1")
    assert bench.score().winners == (0, 2, 3)


@pytest.mark.parametrize("switch", [0, 1])
def test_45_the_end_is_looked_at_after_a_leaving(switch: int) -> None:
    """The only one who still had a card leaves: without this the turn would go round for ever."""
    bench = Bench(["", "gold 1", "", ""], end_on_deck_out_with_empty_hand=switch)
    assert bench.turn(1, "leave")
    assert bench.score().winners == (0, 2, 3)


def test_the_story_and_the_position_tell_who_left() -> None:
    bench = Bench(["blue 1", "blue 2", "green 1"], GOLD)
    before = bench.game.position()
    bench.leave(2, 0)
    assert before.split("; ")[1].startswith("pile")
    assert bench.game.position().split("; ")[1] == "left 3,1"
    assert bench.game.story is not None
    assert [RULES.tell(event) for event in bench.game.story] == [
        {"kind": "left", "seat": "third"},
        {"kind": "left", "seat": "first"},
    ]
