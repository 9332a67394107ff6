"""Chits, the home group, the player's battles, and how the game ends."""

from __future__ import annotations

import pytest

from engine.flow import Ask, Outcome
from engine.paradise import RULES, tables
from engine.paradise.battle import movement
from engine.paradise.expand import expand
from engine.paradise.exploration import occupation
from engine.paradise.position import HANDLES, IslandGroup, Realm
from engine.paradise.questions import CASUALTIES, prompt
from engine.paradise.sequence import ending, pending_chits, set_up, take_chit, whole_game
from engine.words import tokens
from tests.support.golden_words import Golden
from tests.support.paradise_kit import SMALL_MAP, Stage, a_realm, place

ATTACKS = (12, 13, 14, 15)
"""Numbers of the practice chits that say Attack!."""


def at(realm: Realm, name: str) -> IslandGroup:
    return realm.groups[place(realm, name)]


# ---- the cup -------------------------------------------------------------------------------------


def test_attack_chits_join_after_the_sixth_draw() -> None:
    """At once, before any further pending draw (ruling 2)."""
    realm = a_realm()
    for number in range(1, 8):
        assert (len(realm.waiting), len(realm.cup)) == ((4, 12 - number) if number < 7 else (0, 9))
        stage = Stage(realm)
        stage.play(take_chit(realm), chits=[number])
        assert (number == 6) == (stage.rulings() == [2])
    assert {realm.chit(handle) + 1 for handle in realm.cup} >= set(ATTACKS)


def test_a_drawn_chit_never_returns() -> None:
    realm = a_realm()
    stage = Stage(realm)
    for number in range(1, 16):
        stage.play(take_chit(realm), chits=[number])
        assert HANDLES[number - 1] not in realm.cup
    assert not realm.cup


def test_expand_comes_first_then_the_action() -> None:
    """Ruling 3, and a card of the same chit is revealed by its own Action (ruling 15)."""
    realm = a_realm()
    realm.pending = 1
    stage = Stage(realm)
    stage.play(
        pending_chits(realm), ["card navigation", "ocean 4 knots", "ocean 2 knots"], chits=[11]
    )
    assert stage.rulings()[:2] == [15, 15] and realm.more_knots()


def test_pending_chits_are_drawn_one_after_the_other() -> None:
    realm = a_realm({"group 1": IslandGroup(2, 1, 3, 3, canoe=True)})
    realm.pending = 2
    stage = Stage(realm)
    # a village per island, Build; a War Canoe, Defend
    stage.play(pending_chits(realm), chits=[4, 10])
    assert (
        len(realm.drawn) == 2
        and not realm.pending
        and [len(pick.handles) for pick in stage.picks] == [11, 10]
    )


def test_open_chits_are_ordered_by_the_player() -> None:
    realm = a_realm(open_chits=1)
    realm.pending = 2
    stage = Stage(realm)
    stage.play(pending_chits(realm), ["resolve chit 9"], chits=[4, 9])
    assert stage.rulings() == [9, 3, 7, 3] and not realm.open


def test_open_chits_are_told_with_what_they_say() -> None:
    realm = a_realm(open_chits=1)
    realm.open = [4, 9]
    told = prompt(realm, Ask(0, "resolve", ()))
    assert told.endswith(
        "unofficial; chit 4: 1 Village per Island / Build, chit 9: 1 War Canoe / Build"
    )


def test_no_chit_in_the_first_turn_order_step() -> None:
    """But a free group of four boxes brings one on the first turn too (ruling 2)."""
    realm = a_realm()
    stage = Stage(realm)
    first = ["samoa has 4 boxes", "samoa starts with nothing"]
    first += ["discover 1 from tonga 2 from samoa: 4 boxes 3 green", "exploration complete"]
    first += ["movement complete", "victory 31", "the game is over"]
    outcome = stage.play(whole_game(realm), first, [6], [10])
    assert isinstance(outcome, Outcome) and outcome.winners == (0,)
    assert [event[0] for event in stage.story if event[0] in ("turn", "chit")] == ["turn", "chit"]


def test_a_chit_each_turn_from_the_second() -> None:
    realm = a_realm()
    quiet = ["exploration complete", "movement complete"]
    answers = [
        "samoa has 4 boxes",
        "samoa starts with 1 warrior and a transport canoe",
        *quiet,
        "victory 3",
    ]
    answers += [*quiet, "victory 4", *quiet, "victory 30", "the game is over"]
    stage = Stage(realm)
    outcome = stage.play(whole_game(realm), answers, chits=[9, 10])
    assert outcome.winners == (0,) and realm.turn == 3 and at(realm, "samoa").war_canoes == 2


def test_starting_pieces_of_the_data_are_not_asked_for() -> None:
    lines = (
        "setup: boxes 5",
        "setup: warriors 2",
        "setup: war canoes 1",
        "setup: transport canoe yes",
    )
    realm = a_realm(lines=lines)
    stage = Stage(realm)
    stage.play(set_up(realm))
    home = at(realm, "samoa")
    assert (home.boxes, home.villages, home.warriors, home.war_canoes, home.canoe) == (
        5,
        2,
        2,
        1,
        True,
    )


# ---- the end -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("points", "left", "winner"),
    [
        (30, 2, 0),
        (30, 3, 0),
        (29, 3, None),
        (29, 2, 1),
        (30, 1, 1),
        (80, 0, 1),
        (30, 15, 0),
        (0, 9, None),
    ],
)
def test_how_a_victory_step_ends_the_game(points: int, left: int, winner: int | None) -> None:
    """Thirty points with at least two chits win, also at exactly two; otherwise two or fewer lose
    (ruling 1)."""
    realm = a_realm()
    realm.cup = list(HANDLES[:left])
    outcome = ending(realm, points)
    assert (
        outcome is None if winner is None else outcome is not None and outcome.winners == (winner,)
    )


# ---- battles and the home group ------------------------------------------------------------------


def test_a_group_that_is_taken_is_no_longer_samoas() -> None:
    realm = a_realm({"group 1": IslandGroup(3, 3, 3, 3, villages=2, warriors=2, canoe=True)})
    stage = Stage(realm)
    answers = ["battle at group 1 won, lost 1 warrior", "retreat to samoa", "movement complete"]
    stage.play(movement(realm), answers)
    assert not at(realm, "group 1").is_samoan() and at(realm, "samoa").warriors == 1


def test_a_lost_battle_costs_samoa_pieces_only() -> None:
    realm = a_realm({"group 1": IslandGroup(3, 3, 3, 3, villages=2, warriors=2, canoe=True)})
    Stage(realm).play(
        movement(realm), ["battle at group 1 lost, lost 1 warrior", "movement complete"]
    )
    assert (at(realm, "group 1").villages, at(realm, "group 1").warriors) == (2, 1)


def test_groups_without_defenders_are_taken() -> None:
    """Ruling 21."""
    realm = a_realm({"group 1": IslandGroup(0, 0, 3, 3, canoe=True)})
    stage = Stage(realm)
    stage.play(movement(realm), ["take group 1", "movement complete"])
    assert not at(realm, "group 1").is_samoan()
    assert not [option for option in stage.asks[0].options if option[0] == "battle"]


def test_cards_are_revealed_when_the_player_attacks() -> None:
    realm = a_realm({"group 1": IslandGroup(3, 3, 3, 3, warriors=1)})
    realm.hidden_cards = 2
    stage = Stage(realm)
    answers = [
        "battle at group 1 won, lost 1 warrior",
        "card poi",
        "another card",
        "movement complete",
    ]
    stage.play(movement(realm), answers)
    assert not realm.hidden_cards and len(realm.cards) == 2


def test_the_order_of_casualties(golden: Golden) -> None:
    """Ruling 14."""
    golden(CASUALTIES)


def test_a_new_home_is_the_group_with_the_most_villages() -> None:
    realm = a_realm(
        {
            "group 1": IslandGroup(3, 3, 3, 3, villages=1),
            "group 2": IslandGroup(3, 3, 3, 3, villages=2),
        }
    )
    Stage(realm).play(movement(realm), ["take samoa", "movement complete"])
    assert realm.home == place(realm, "group 2")


def test_a_new_home_is_tied_by_die() -> None:
    realm = a_realm(
        {
            "group 1": IslandGroup(3, 3, 3, 3, villages=1),
            "group 2": IslandGroup(3, 3, 3, 3, villages=1),
        }
    )
    Stage(realm).play(movement(realm), ["take samoa", "movement complete"], [3])
    assert realm.home == place(realm, "group 1")


def test_without_villages_the_next_group_that_gets_one_is_the_home() -> None:
    """Ruling 9, by whatever way: Expand or an occupied discovery."""
    realm = a_realm({"group 1": IslandGroup(3, 3, 3, 2, canoe=True)})
    Stage(realm).play(movement(realm), ["take samoa", "movement complete"])
    assert realm.home is None
    Stage(realm).play(expand(realm, tables.VILLAGE))
    assert realm.home == place(realm, "group 1")
    realm = a_realm({"group 1": IslandGroup(3, 1, 3, 2)}, home=None)
    Stage(realm).play(occupation(realm, place(realm, "group 1")), dice=[1, 2, 1])
    assert realm.home == place(realm, "group 1")


def test_several_at_once_the_most_villages_then_the_die() -> None:
    realm = a_realm({f"group {n}": IslandGroup(3, 3, 3, 3, canoe=True) for n in (1, 2)}, home=None)
    del realm.groups[0]
    Stage(realm).play(expand(realm, tables.VILLAGES), dice=[5])
    assert realm.home == place(realm, "group 2")


def test_a_new_home_asks_about_chains_anew() -> None:
    realm = a_realm(
        {
            "group 1": IslandGroup(3, 3, 3, 3, villages=1),
            "group 2": IslandGroup(3, 3, 3, 3, canoe=True, linked=True),
        }
    )
    Stage(realm).play(movement(realm), ["take samoa", "movement complete"])
    assert not at(realm, "group 2").linked


def test_a_group_is_cut_off() -> None:
    realm = a_realm({"group 1": IslandGroup(3, 3, 3, 3, canoe=True, linked=True)})
    Stage(realm).play(movement(realm), ["cut off group 1", "movement complete"])
    assert not at(realm, "group 1").linked


def test_a_canoe_on_the_map_is_removed() -> None:
    realm = a_realm(lines=SMALL_MAP)
    realm.chain = {place(realm, "niue")}
    Stage(realm).play(movement(realm), ["canoe gone at niue", "movement complete"])
    assert not realm.chain


def test_malaria_is_asked_about_where_it_was_chosen() -> None:
    """Ruling 19."""
    for settings, offered in (({}, False), ({"malaria": 1}, True)):
        realm = a_realm({"group 1": IslandGroup(3, 3, 3, 3, warriors=2)}, **settings)
        stage = Stage(realm)
        answers = (
            ["malaria at group 1, lost 1 warrior", "movement complete"]
            if offered
            else ["movement complete"]
        )
        stage.play(movement(realm), answers)
        assert any(option[0] == "malaria" for option in stage.asks[0].options) == offered
        assert at(realm, "group 1").warriors == 2 - offered


def test_words_of_the_issue_are_words_of_the_game() -> None:
    said = (
        "discover 3 from tonga 2 from samoa: 4 boxes 3 green; exploration complete; victory 23;"
        " undo; battle at rarotonga won, lost 1 warrior"
    )
    assert {word for word in tokens(said) if not word.isdigit()} <= RULES.vocabulary()


# ---- what cannot be taken back, and what is gone -------------------------------------------------


def test_the_end_is_confirmed(golden: Golden) -> None:
    """Ruling 20: points that end the game can still be taken back; nothing can afterwards."""
    realm = a_realm()
    quiet = ["exploration complete", "movement complete"]
    stage = Stage(realm)
    answers = [
        "samoa has 4 boxes",
        "samoa starts with nothing",
        *quiet,
        "victory 33",
        "the game is over",
    ]
    outcome = stage.play(whole_game(realm), answers)
    assert stage.asks[-1].rule == "over" and stage.story[-1] == ("over", "tonga", outcome.how)
    assert outcome.winners == (0,)
    golden(outcome.how)


def test_the_starting_canoe_is_told(golden: Golden) -> None:
    for answer in ("nothing", "nothing and a transport canoe", "1 warrior and a transport canoe"):
        stage = Stage(a_realm())
        stage.play(set_up(stage.realm), ["samoa has 4 boxes", f"samoa starts with {answer}"])
        golden(stage.told()[0])


def test_starting_pieces_are_in_the_supply() -> None:
    """Ruling 18."""
    stage = Stage(a_realm(lines=("setup: supply warriors 1", "setup: supply transport canoes 0")))
    stage.play(set_up(stage.realm), ["samoa has 4 boxes", "samoa starts with 1 warrior"])
    assert all(option[1] <= 1 and not option[3] for option in stage.asks[1].options)


def test_malaria_takes_any_pieces() -> None:
    """Ruling 19: no source says in which order."""
    realm = a_realm({"group 1": IslandGroup(3, 3, 3, 3, warriors=2, war_canoes=1)}, malaria=1)
    Stage(realm).play(
        movement(realm), ["malaria at group 1, lost 1 war canoe", "movement complete"]
    )
    assert (at(realm, "group 1").warriors, at(realm, "group 1").war_canoes) == (2, 0)


def test_a_canoe_at_sea_is_removed() -> None:
    realm = a_realm()
    realm.sea_canoes = 1
    stage = Stage(realm)
    stage.play(movement(realm), ["a canoe at sea is gone", "movement complete"])
    assert not realm.sea_canoes and "canoe at sea gone" not in {
        option[0] for option in stage.asks[1].options
    }


def test_cards_lie_face_down_until_an_action_or_an_attack() -> None:
    """Rulings 11 and 15: Build and Defend reveal nothing, and neither does exploring."""
    realm = a_realm(open_chits=1)
    realm.hidden_cards = 1
    realm.pending = 2
    stage = Stage(realm)
    stage.play(pending_chits(realm), ["resolve chit 9"], chits=[8, 9])
    assert realm.hidden_cards == 1 and all(ask.rule != "card" for ask in stage.asks)


def test_what_is_lost_with_a_group_is_told(golden: Golden) -> None:
    """Ruling 21."""
    for villages, canoe in ((0, True), (2, True), (1, False)):
        group = IslandGroup(3, 3, 3, 3, villages=villages, canoe=canoe)
        stage = Stage(a_realm({"group 1": group}))
        stage.play(movement(stage.realm), ["take group 1", "movement complete"])
        (told,) = stage.told()
        golden(told)
