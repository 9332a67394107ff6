"""The positions that the list of rulings gives as test vectors."""

from __future__ import annotations

from collections import Counter

import pytest

from engine.flow import Illegal
from engine.loot import RULES
from engine.loot.tables import DECK, FACES, NAMES
from tests.support.loot_bench import Bench


def test_a_tie_stays_until_somebody_adds_strength() -> None:
    bench = Bench(
        [
            "merchant 5, blue 1",
            "blue 2, captain blue, blue 1",
            "green 2, green 1",
            "purple 3, gold 1",
        ],
        "gold 1," * 20,
    )
    bench.play((0, "merchant 5"), (1, "blue 2 at ship 1"), (2, "green 2 at ship 1"))
    assert bench.leader(1) is None
    for _ in range(3):
        bench.play((3, "draw"), (0, "draw"), (1, "draw"), (2, "draw"))
    assert bench.leader(1) is None
    assert bench.game.ships
    bench.play((3, "purple 3 at ship 1"))
    assert bench.leader(1) == 3
    bench.play((0, "draw"), (1, "captain blue at ship 1"))
    assert bench.leader(1) == 1
    bench.play((2, "draw"), (3, "draw"), (0, "draw"))
    assert bench.game.ships
    bench.play((1, "draw"))
    assert bench.taken(1) == [1]
    assert {NAMES[bench.faces[handle]] for handle in bench.game.discard} == {
        "blue 2",
        "green 2",
        "purple 3",
        "captain blue",
    }


def test_the_last_captain_or_admiral_leads() -> None:
    bench = Bench(
        ["merchant 8, admiral", "blue 1, captain blue", "green 1, captain green"], "gold 1," * 9
    )
    bench.play((0, "merchant 8"), (1, "blue 1 at ship 1"), (2, "green 1 at ship 1"), (0, "draw"))
    bench.play((1, "captain blue at ship 1"))
    assert bench.leader(1) == 1
    bench.play((2, "draw"), (0, "admiral at ship 1"))
    assert bench.leader(1) == 0
    bench.play((1, "draw"), (2, "captain green at ship 1"))
    assert bench.leader(1) == 2


def test_an_unattacked_ship_is_its_owners_at_the_next_check_before_the_action() -> None:
    bench = Bench(["merchant 5, blue 4", "gold 1"], "gold 1," * 4)
    bench.play((0, "merchant 5"), (1, "draw"))
    assert bench.taken(0) == []
    with pytest.raises(Illegal):
        bench.turn(0, "blue 4 at ship 1")
    assert bench.taken(0) == [1]


def test_only_merchants_and_no_pile_leaves_the_merchants_to_play() -> None:
    bench = Bench(["merchant 2, merchant 3", "gold 1"])
    assert bench.legal(0) == ["merchant 2", "merchant 3"]


def test_the_pile_runs_out_while_somebody_has_no_cards() -> None:
    bench = Bench(["blue 1", "", "merchant 3"], "gold 1")
    bench.game.ships = []
    bench.play((2, "merchant 3"))
    bench.give(2, "merchant 4")
    assert bench.turn(0, "draw")
    outcome = bench.score()
    assert outcome.points == (0, 0, -4)
    assert outcome.winners == (0, 1)
    assert NAMES[bench.faces[bench.game.discard[0]]] == "merchant 3"
    assert bench.game.ships == []


def test_the_first_of_a_pair_collects_what_the_second_played() -> None:
    bench = Bench(["gold 1", "merchant 6", "gold 1", "gold 1"], "blue 1," * 9, partners=1)
    bench.play((1, "merchant 6"), (2, "draw"), (3, "draw"), (0, "draw"))
    assert bench.taken(0) == [1]


def test_the_deck_is_the_one_on_the_rule_sheet() -> None:
    assert len(DECK) == 78
    assert sum(FACES[card].value for card in DECK if FACES[card].kind == "merchant") == 100
    kinds = Counter(FACES[card].kind for card in DECK)
    assert kinds == {"merchant": 25, "pirate": 48, "captain": 4, "admiral": 1}
    for colour in range(4):
        skulls = [
            FACES[card].value
            for card in DECK
            if FACES[card].kind == "pirate" and FACES[card].colour == colour
        ]
        assert Counter(skulls) == {1: 2, 2: 4, 3: 4, 4: 2}
        assert sum(skulls) == 30
    assert RULES.decks({"players": 5})[0].contents == DECK
