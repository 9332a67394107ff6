"""The rulings about pairs, by number."""

from __future__ import annotations

import pytest

from engine.loot import RULES
from engine.loot.tables import read_settings
from tests.support.loot_bench import Bench

GOLD = "gold 1," * 12


def test_25_a_pair_ends_the_game_only_when_both_are_out() -> None:
    bench = Bench(["blue 1", "green 1, green 2", "gold 1, gold 2", "gold 3, gold 4"], partners=1)
    bench.play(
        (0, "discard blue 1"), (1, "discard green 1"), (2, "discard gold 1"), (3, "discard gold 3")
    )
    assert not bench.turn(0)
    assert bench.asked is None
    assert bench.turn(1, "discard green 2")


def test_26_the_first_of_a_pair_checks_whoever_starts() -> None:
    assert [
        read_settings({"players": 4, "partners": 1, "start": 2}).checks(seat) for seat in range(4)
    ] == [
        True,
        False,
        True,
        False,
    ]
    bench = Bench(["merchant 4", "gold 1", "gold 2", "gold 3"], GOLD, partners=1, start=2)
    bench.play((0, "merchant 4"), (1, "draw"))
    assert bench.taken(0) == []


def test_27_partners_add_their_strength() -> None:
    bench = Bench(["blue 2", "blue 2", "merchant 5", "green 3"], GOLD, partners=1)
    bench.play(
        (2, "merchant 5"),
        (3, "draw"),
        (0, "blue 2 at ship 1"),
        (1, "blue 2 at ship 1"),
        (2, "draw"),
    )
    assert bench.leader(1) == 0
    bench.play((3, "draw"), (0, ""))
    assert bench.taken(0) == [1]


@pytest.mark.parametrize("allowed", [1, 0])
def test_28_a_captain_on_the_partners_pirate(allowed: int) -> None:
    bench = Bench(
        ["blue 2", "captain blue, blue 1", "merchant 5", "green 3"],
        GOLD,
        partners=1,
        captain_on_partner_ship=allowed,
    )
    bench.play((2, "merchant 5"), (3, "draw"), (0, "blue 2 at ship 1"))
    assert ("captain blue at ship 1" in bench.legal(1)) == bool(allowed)
    bench.play((1, "blue 1 at ship 1"))
    assert "captain blue at ship 1" in bench.legal(1)


def test_29_a_check_stays_in_its_place_when_its_seat_sits_out() -> None:
    bench = Bench(["", "merchant 4, blue 1", "gold 1, gold 2", "gold 3, gold 4"], partners=1)
    bench.play((1, "merchant 4"), (2, "discard gold 1"), (3, "discard gold 3"))
    assert bench.taken(0) == []
    assert not bench.turn(0)
    assert bench.taken(0) == [1]
    assert bench.asked is None


def test_30_one_sits_out_only_when_the_pile_is_empty() -> None:
    bench = Bench(["", "blue 1", "gold 1", "gold 3"], "green 1", partners=1)
    bench.play((0, ""))
    assert len(bench.game.hands[0]) == 1


def test_31_the_hands_of_both_partners_count() -> None:
    bench = Bench(["merchant 2", "merchant 3", "gold 1", "merchant 7"], partners=1)
    assert bench.score().points == (-5, -5, -7, -7)


def test_32_partners_see_each_others_hands() -> None:
    settings = {"players": 4, "partners": 1}
    sees = [[RULES.may_see(settings, viewer, seat) for seat in range(4)] for viewer in range(4)]
    assert [RULES.side(settings, seat) for seat in range(4)] == [0, 0, 1, 1]
    assert [RULES.side({"players": 4}, seat) for seat in range(4)] == [0, 1, 2, 3]
    assert sees[0] == sees[1] == [True, True, False, False]
    assert sees[2] == sees[3] == [False, False, True, True]
    bench = Bench(["merchant 2", "merchant 3", "gold 1", "merchant 7"], partners=1)
    hands = bench.game.view(1, bench.faces)["hands"]
    assert [[card["card"] for card in hand["cards"]] for hand in hands] == [
        ["merchant 2"],
        ["merchant 3"],
        [None],
        [None],
    ]
    assert not any(
        card["card"]
        for hand in bench.game.view(None, bench.faces)["hands"]
        for card in hand["cards"]
    )
