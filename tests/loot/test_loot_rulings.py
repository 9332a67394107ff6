"""One test for every ruling of `docs/loot.md` (the number is in the name) and for every switch;
pairs apart."""

from __future__ import annotations

import pytest

from engine.flow import Answer, Ask, Illegal, Open, Seal
from engine.loot import RULES
from engine.loot.battle import AT_SHIP, DISCARD, DRAW
from tests.support.loot_bench import Bench

GOLD = "gold 1," * 12


def attacked(*hands: str, pile: str = GOLD, **settings: int) -> Bench:
    """Seat 0 has played a merchant ship; the others have these hands."""
    bench = Bench(["merchant 4, merchant 2", *hands], pile, **settings)
    bench.play((0, "merchant 4"))
    return bench


def test_01_one_colour_a_side() -> None:
    bench = attacked("blue 1, blue 2, green 4")
    bench.play((1, "blue 1 at ship 1"), (0, "draw"))
    assert bench.legal(1) == ["draw", "blue 2 at ship 1"]


def test_02_two_sides_never_share_a_colour_on_a_ship_but_may_on_two() -> None:
    bench = attacked("blue 1, merchant 3", "blue 4, green 1")
    bench.play((1, "blue 1 at ship 1"))
    assert bench.legal(2) == ["draw", "green 1 at ship 1"]
    bench.play((2, "draw"), (0, "draw"), (1, "merchant 3"))
    assert "blue 4 at ship 2" in bench.legal(2)
    assert "blue 4 at ship 1" not in bench.legal(2)


def test_03_a_fifth_player_finds_no_colour_left() -> None:
    bench = Bench(
        ["merchant 8, blue 4, green 4, admiral", "blue 1", "green 1", "purple 1", "gold 1, gold 2"],
        "gold 3," * 5,
    )
    bench.play((0, "merchant 8"), (1, "blue 1 at ship 1"), (2, "green 1 at ship 1"))
    bench.play((3, "purple 1 at ship 1"), (4, "gold 1 at ship 1"))
    assert bench.legal(0) == ["draw", "admiral at ship 1"]


def test_04_a_pirate_may_be_weaker_than_the_best() -> None:
    bench = attacked("blue 4", "green 1")
    bench.play((1, "blue 4 at ship 1"), (2, "green 1 at ship 1"))
    assert bench.leader(1) == 1


def test_05_an_owner_may_attack_his_own_ship() -> None:
    bench = attacked("blue 1", "gold 1")
    bench.give(0, "green 3")
    bench.play((1, "blue 1 at ship 1"), (2, "draw"), (0, "green 3 at ship 1"))
    assert bench.leader(1) == 0


def test_05_a_partner_may_reinforce_in_advance() -> None:
    bench = Bench(["merchant 4", "blue 3", "gold 1", "gold 1"], GOLD, partners=1)
    bench.play((0, "merchant 4"), (1, "blue 3 at ship 1"))
    assert bench.leader(1) == 0


def test_06_a_ship_attacked_by_its_owner_only_is_led_by_him() -> None:
    bench = Bench(["merchant 4", "blue 1", "gold 1", "gold 1"], GOLD, partners=1)
    bench.play((0, "merchant 4"), (1, "blue 1 at ship 1"), (2, "draw"), (3, "draw"), (0, "draw"))
    assert bench.taken(0) == [1]


@pytest.mark.parametrize("allowed", [1, 0])
def test_07_a_pirate_on_a_trumped_ship(allowed: int) -> None:
    bench = attacked("blue 1, captain blue", "green 4, green 1", pirates_on_trumped_ship=allowed)
    bench.play(
        (1, "blue 1 at ship 1"),
        (2, "green 1 at ship 1"),
        (0, "draw"),
        (1, "captain blue at ship 1"),
    )
    assert ("green 4 at ship 1" in bench.legal(2)) == bool(allowed)
    if allowed:
        bench.play((2, "green 4 at ship 1"))
        assert bench.leader(1) == 1


def test_08_a_captain_needs_an_own_pirate_of_his_colour_there() -> None:
    bench = attacked("blue 1, captain blue, captain green", "captain blue, green 1, captain green")
    assert bench.legal(1) == ["draw", "blue 1 at ship 1"]
    bench.play((1, "blue 1 at ship 1"))
    assert bench.legal(2) == ["draw", "green 1 at ship 1"]
    bench.play((2, "green 1 at ship 1"))
    assert bench.legal(1) == ["draw", "captain blue at ship 1"]


def test_09_a_captain_needs_no_enemy_and_no_tie() -> None:
    bench = Bench(["merchant 4", "blue 1, captain blue", "gold 1", "gold 1"], GOLD, partners=1)
    bench.play((0, "merchant 4"), (1, "blue 1 at ship 1"))
    assert bench.legal(1) == ["draw", "captain blue at ship 1"]


def test_10_a_captain_decides_whatever_the_skulls() -> None:
    bench = attacked("blue 1, captain blue", "green 4, green 3")
    bench.play(
        (1, "blue 1 at ship 1"),
        (2, "green 4 at ship 1"),
        (0, "draw"),
        (1, "captain blue at ship 1"),
    )
    bench.play((2, "green 3 at ship 1"))
    assert bench.leader(1) == 1


def test_11_one_player_may_have_several_trumps() -> None:
    bench = attacked("blue 1, captain blue")
    bench.give(0, "green 1, captain green, admiral")
    bench.play((1, "blue 1 at ship 1"), (0, "green 1 at ship 1"), (1, "captain blue at ship 1"))
    bench.play((0, "admiral at ship 1"))
    assert bench.leader(1) == 0
    assert "captain green at ship 1" in bench.legal(0)


def test_12_the_admiral_defends_own_ships_only_and_has_no_colour() -> None:
    bench = attacked("blue 4, admiral")
    bench.give(0, "admiral, green 1, purple 1")
    assert "admiral at ship 1" not in bench.legal(1)
    bench.play((1, "blue 4 at ship 1"), (0, "admiral at ship 1"))
    assert bench.leader(1) == 0
    assert {"green 1 at ship 1", "purple 1 at ship 1"} <= set(bench.legal(0))


def test_12_the_admiral_defends_the_partners_ship() -> None:
    bench = Bench(["merchant 4", "admiral", "blue 2, admiral", "gold 1"], GOLD, partners=1)
    bench.play((0, "merchant 4"))
    assert "admiral at ship 1" in bench.legal(1)
    assert "admiral at ship 1" not in bench.legal(2)


def test_13_a_captain_takes_nothing_before_the_next_check() -> None:
    bench = attacked("blue 1, captain blue")
    bench.play((1, "blue 1 at ship 1"), (0, "draw"))
    assert bench.game.ships
    bench.give(1, "blue 2")
    bench.play((1, "draw"))
    assert bench.taken(1) == [1]


def test_14_a_tie_below_the_top_does_not_matter() -> None:
    bench = attacked("blue 1", "green 1", "purple 2")
    bench.play((1, "blue 1 at ship 1"), (2, "green 1 at ship 1"), (3, "purple 2 at ship 1"))
    assert bench.leader(1) == 3


def test_15_the_owner_breaks_no_tie() -> None:
    bench = attacked("blue 2")
    bench.give(0, "green 2")
    bench.play((1, "blue 2 at ship 1"), (0, "green 2 at ship 1"))
    assert bench.leader(1) is None


def test_16_17_the_game_ends_at_once_and_ships_in_play_are_lost() -> None:
    bench = Bench(["merchant 4", "blue 1, merchant 2"])
    assert bench.turn(0, "merchant 4")
    outcome = bench.score()
    assert outcome.points == (0, -2)
    assert outcome.winners == (0,)
    assert bench.game.captured == [[], []]


def test_18_without_the_switch_somebody_must_play_his_last_card() -> None:
    bench = Bench(["blue 1", "", "green 1, green 1"], "gold 1", end_on_deck_out_with_empty_hand=0)
    bench.play((0, "draw"))
    assert not bench.turn(1)
    assert ("sits out", 1) in (bench.game.story or [])
    bench.play((2, "discard green 1"), (0, "discard blue 1"))
    assert not bench.turn(1)
    assert bench.turn(2, "discard green 1")


def test_19_discarding_the_last_card_is_playing_it() -> None:
    bench = Bench(["blue 1", "green 1, green 2"])
    assert bench.turn(0, "discard blue 1")


def test_20_without_cards_one_draws_and_is_not_asked() -> None:
    bench = Bench(["", "gold 1"], "blue 1, blue 2")
    bench.play((0, ""))
    assert bench.asked is None
    assert len(bench.game.hands[0]) == 1


def test_21_a_merchant_is_never_discarded_and_anything_else_freely_with_no_pile_only() -> None:
    bench = attacked("blue 1, merchant 5", pile="")
    assert bench.legal(1) == ["blue 1 at ship 1", "discard blue 1", "merchant 5"]
    bench.game.pile = bench.cards("gold 1")
    assert bench.legal(1) == ["draw", "blue 1 at ship 1", "merchant 5"]


def test_22_a_merchant_in_hand_costs_its_gold_and_one_in_play_nothing() -> None:
    bench = Bench(["merchant 8", "blue 1, merchant 3, merchant 2"])
    assert bench.turn(0, "merchant 8")
    assert bench.score().points == (0, -5)


def test_23_equal_totals_share_the_win() -> None:
    outcome = Bench(["blue 1", "green 1", "merchant 2"]).score()
    assert (outcome.winners, outcome.how) == ((0, 1), "a shared win")


def test_24_captured_ships_are_public() -> None:
    bench = Bench(["merchant 5, blue 4", "gold 1"], "gold 1," * 4)
    bench.play((0, "merchant 5"), (1, "draw"), (0, "draw"))
    seen = bench.game.view(None, bench.game.faces())
    assert seen["captured"][0] == {"side": "first", "ships": [{"gold": 5}], "gold": 5}


def test_33_two_players_play_the_same_game() -> None:
    bench = Bench(["merchant 4", "blue 1"], GOLD)
    bench.play((0, "merchant 4"))
    assert bench.legal(1) == ["draw", "blue 1 at ship 1"]


@pytest.mark.parametrize(
    "settings",
    [
        {"players": 1},
        {"players": 6},
        {"players": 8},
        {"players": 2, "partners": 1},
        {"players": 5, "partners": 1},
        {"players": 3, "start": 4},
        {"players": 3, "partners": 2},
        {"players": 3, "colour": 1},
    ],
)
def test_games_that_do_not_exist_are_refused(settings: dict[str, int]) -> None:
    with pytest.raises(ValueError, match=r"play|start|partners|setting"):
        RULES.begin(settings)


def test_a_card_that_turns_out_to_be_another_is_refused() -> None:
    """What the ledger cannot know before the card is opened: the rules look again."""
    bench = attacked("blue 1, captain green")
    flow = bench.game.act(1)
    ask = next(flow)
    assert isinstance(ask, Ask)
    handle = ask.hand[1]
    opened = flow.send(Answer(AT_SHIP[bench.faces[ask.hand[0]]][1], handle))
    assert opened == Open(handle)
    with pytest.raises(Illegal):
        flow.send(bench.faces[handle])


@pytest.mark.parametrize("answer", [Answer(DISCARD[8]), Answer(DRAW), Answer(DISCARD[8], 77)])
def test_an_answer_that_fits_no_rule_is_refused(answer: Answer) -> None:
    bench = attacked("blue 1", pile="")
    flow = bench.game.act(1)
    next(flow)
    with pytest.raises(Illegal):
        flow.send(answer)


def test_the_start_can_be_chosen() -> None:
    game = RULES.begin({"players": 3, "start": 3})
    flow = game.flow()
    assert isinstance(next(flow), Seal)
    drawers = []
    request = flow.send(None)
    while not isinstance(request, Ask):
        drawers.append(request.seat)  # type: ignore[union-attr]
        request = flow.send(request.pile[:1])  # type: ignore[union-attr]
    assert drawers == [2, 0, 1] * 6
    assert request.seat == 2
