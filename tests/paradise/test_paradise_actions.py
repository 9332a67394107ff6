"""Explore! and Attack!, and what is asked for them."""

from __future__ import annotations

import pytest

from engine.flow import Ask, Option
from engine.paradise.attack import attack
from engine.paradise.exploration import explore
from engine.paradise.position import IslandGroup, Realm
from engine.paradise.questions import prompt
from tests.support.golden_words import Golden
from tests.support.paradise_kit import SMALL_MAP, Stage, a_realm, place


def at(realm: Realm, name: str) -> IslandGroup:
    return realm.groups[place(realm, name)]


# ---- Explore! without a map ----------------------------------------------------------------------


def test_explore_until_five_knots_show() -> None:
    realm = a_realm()
    stage = Stage(realm)
    stage.play(explore(realm), ["ocean 2 knots", "ocean 2 knots", "ocean 3 knots"])
    assert len(stage.asks) == 3 and "7 of 5" in stage.told()[-1]


@pytest.mark.parametrize("card", ["navigation", "ocean chart"])
def test_a_card_allows_a_sixth_knot(card: str) -> None:
    realm = a_realm()
    realm.hidden_cards = 1
    stage = Stage(realm)
    stage.play(explore(realm), [f"card {card}", "ocean 2 knots", "ocean 3 knots", "ocean 1 knot"])
    assert "6 of 6" in stage.told()[-1]


def test_both_cards_allow_six_knots_not_seven() -> None:
    realm = a_realm()
    realm.hidden_cards = 2
    stage = Stage(realm)
    stage.play(
        explore(realm), ["card navigation", "card ocean chart", "ocean 3 knots", "ocean 3 knots"]
    )
    assert realm.cards and not realm.hidden_cards


def test_a_card_is_revealed_once() -> None:
    """Ruling 15: those that were revealed are known; a later one is asked for."""
    realm = a_realm()
    realm.hidden_cards = 2
    stage = Stage(realm)
    stage.play(explore(realm), ["card hui", "another card", "ocean 4 knots", "ocean 4 knots"])
    assert ("card", realm.data.card_names.index("hui")) not in stage.asks[1].options
    stage.play(explore(realm), ["ocean 4 knots", "ocean 4 knots"])


def test_a_found_group_gets_a_canoe_and_nothing_else() -> None:
    realm = a_realm()
    stage = Stage(realm)
    answers = [
        "island group 1 knot",
        "found 3 from tonga 2 from samoa: 4 boxes 4 green",
        "ocean 4 knots",
    ]
    stage.play(explore(realm), answers)
    group = at(realm, "group 1")
    assert (
        group.canoe
        and not group.villages
        and not group.warriors
        and not stage.rolls
        and not realm.pending
    )


def test_off_course_has_no_effect_on_samoa_but_its_knots_count() -> None:
    """Ruling 4."""
    realm = a_realm()
    stage = Stage(realm)
    stage.play(explore(realm), ["off course 3 knots", "ocean 2 knots"])
    assert stage.rulings().count(4) == 1


def test_off_course_knots_can_be_left_out() -> None:
    realm = a_realm(no_off_course_knots=1)
    stage = Stage(realm)
    stage.play(
        explore(realm),
        ["off course 3 knots", "ocean 3 knots", "off course 3 knots", "ocean 2 knots"],
    )
    assert "5 of 5" in stage.told()[-1]


def test_no_hex_is_left() -> None:
    realm = a_realm()
    stage = Stage(realm)
    stage.play(explore(realm), ["ocean 1 knot", "no hex is left"])
    assert len(stage.asks) == 2


def test_the_south_island_comes_with_samoas_tile_too() -> None:
    realm = a_realm(south_island=1)
    far = "found 3 from tonga 4 from samoa: 2 boxes 1 green"
    answers = ["island group 3 knots", far, "the south island comes too", far, "ocean 2 knots"]
    Stage(realm).play(explore(realm), answers)
    assert len(realm.samoan()) == 3 and realm.south_island


# ---- Explore! on a map ---------------------------------------------------------------------------


class Asking(Stage):
    """Also keeps what each question was about."""

    def __init__(self, realm: Realm) -> None:
        super().__init__(realm)
        self.about: list[str] = []

    def _meant(self, ask: Ask, text: str) -> Option:
        if ask.rule == "explore":
            self.about.append(self.realm.data.names[self.realm.about[1]])
        found: Option = super()._meant(ask, text)
        return found


def test_rings_alternate_and_explored_hexes_are_skipped() -> None:
    """Ruling 5: ring 1 counter-clockwise from Niue, ring 2 clockwise; ring 3 has no start in the
    data, and one hex, so that it is not asked for (ruling 28)."""
    realm = a_realm(lines=SMALL_MAP)
    realm.explored.add(place(realm, "east"))
    stage = Asking(realm)
    stage.play(explore(realm), ["ocean 2 knots", "ocean 3 knots"])
    stage.play(
        explore(realm),
        [*["ocean 1 knot"] * 2, "island group 1 knot", "2 boxes 1 green", *["ocean 1 knot"] * 2],
    )
    assert stage.about == [
        "niue",
        "north",
        "tuvalu",
        "north west",
        "far north",
        "north east",
        "corner",
    ]
    stage.about.clear()
    stage.play(explore(realm), ["ocean 1 knot", "ocean 1 knot", "ocean 1 knot"])
    assert stage.about == ["far east", "rarotonga", "tubai"]
    assert at(realm, "far north").from_samoa == 2 and at(realm, "far north").from_tonga == 3


def test_the_hex_of_an_off_course_marker_stays() -> None:
    """Ruling 4: it is drawn for again, and stays unexplored if the knots bring the limit."""
    realm = a_realm(lines=SMALL_MAP)
    stage = Asking(realm)
    stage.play(explore(realm), ["off course 1 knot", "ocean 1 knot", "off course 3 knots"])
    assert stage.about == ["niue", "niue", "east"] and realm.explored == {place(realm, "niue")}


# ---- Attack! -------------------------------------------------------------------------------------


def fleet(canoes: int, warriors: int) -> IslandGroup:
    return IslandGroup(3, 3, 3, 3, warriors=warriors, war_canoes=canoes, canoe=True)


def test_no_war_canoe_no_attack() -> None:
    realm = a_realm()
    stage = Stage(realm)
    stage.play(attack(realm))
    assert not stage.asks and len(stage.told()) == 1


def test_nothing_in_reach_and_the_pieces_stay() -> None:
    realm = a_realm({"group 1": fleet(1, 1)})
    Stage(realm).play(attack(realm), ["that is all"])
    assert at(realm, "group 1").war_canoes == 1


def test_all_canoes_and_a_warrior_each_attack() -> None:
    """Samoa wins with the rest of it: one village is saved, no Transport Canoe comes (ruling
    13)."""
    realm = a_realm({"group 1": fleet(2, 3), "group 2": IslandGroup(4, 4, 2, 3)})
    stage = Stage(realm)
    answers = [
        "can reach group 2: 1 defender",
        "that is all",
        "the attack goes on",
        "battle at group 2 lost, lost 1 warrior",
    ]
    stage.play(attack(realm), answers)
    won, home = at(realm, "group 2"), at(realm, "group 1")
    assert (won.villages, won.warriors, won.war_canoes, won.canoe) == (1, 1, 2, False)
    assert (home.warriors, home.war_canoes) == (1, 0)


def test_fewest_defenders_are_attacked() -> None:
    realm = a_realm(
        {
            "group 1": fleet(1, 0),
            "group 2": IslandGroup(4, 4, 2, 3),
            "group 3": IslandGroup(4, 4, 2, 3),
        }
    )
    answers = [
        "can reach group 2: 3 defenders",
        "can reach group 3: 2 defenders",
        "that is all",
        "arioi stops it",
    ]
    stage = Stage(realm)
    stage.play(attack(realm), answers)
    assert "from group 1 to group 3" in stage.told()[0] and "defenders, 2" in stage.told()[0]


def test_a_tie_goes_to_the_nearest_to_samoa() -> None:
    """Asked once where nobody has told: a constant (ruling 16). Nearest to Samoa, not to the
    fleet."""
    realm = a_realm({"group 1": fleet(1, 0), "group 2": IslandGroup(4, 4, 2, 3)})
    answers = ["can reach group 2: 2 defenders", "can reach hawaii: 2 defenders", "that is all"]
    stage = Stage(realm)
    stage.play(
        attack(realm),
        [
            *answers,
            "hawaii is 2 from samoa",
            "the attack goes on",
            "battle at hawaii won, lost 1 war canoe",
        ],
    )
    assert not at(realm, "group 1").war_canoes
    realm.groups[place(realm, "group 1")] = fleet(1, 0)
    stage.play(attack(realm), [*answers, "arioi stops it"])
    assert "Samoa, 2" in stage.told()[-2]


def test_a_tie_of_distance_is_broken_by_die() -> None:
    realm = a_realm({"group 1": fleet(1, 0), "group 2": IslandGroup(4, 4, 2, 1)})
    answers = [
        "can reach group 2: 1 defender",
        "can reach tonga: 1 defender",
        "can reach fiji: 1 defender",
    ]
    stage = Stage(realm)
    stage.play(attack(realm), [*answers, "that is all", "arioi stops it"], [5])
    assert " to Fiji" in stage.told()[0] and "5 to 6 Fiji" in stage.rolls[0].why


def test_fleets_combine_against_one_target() -> None:
    """Each chooses alone; the defenders of a group are told once (rulings 10 and 18)."""
    realm = a_realm({"group 1": fleet(1, 1), "group 2": fleet(2, 0)})
    reach = ["can reach fiji: 2 defenders", "that is all"]
    stage = Stage(realm)
    battle = "battle at fiji won, lost 1 warrior 2 war canoes"
    stage.play(attack(realm), [*reach, *reach, "the attack goes on", battle, "retreat to samoa"])
    assert [ask.rule for ask in stage.asks].count("attack") == 1
    second = [option for option in stage.asks[2].options if option[1:2] == (place(realm, "fiji"),)]
    assert second == [("reach", place(realm, "fiji"), 2)]
    assert at(realm, "samoa").war_canoes == 1 and not realm.fleets()[1:]


def test_different_targets_are_attacked_in_an_order_by_die() -> None:
    realm = a_realm({"group 1": fleet(1, 0), "group 2": fleet(1, 0)})
    answers = [
        "can reach fiji: 1 defender",
        "that is all",
        "can reach tonga: 0 defenders",
        "that is all",
    ]
    lost = [
        "the attack goes on",
        "battle at tonga won, lost 1 war canoe",
        "the attack goes on",
        "battle at fiji won, lost 1 war canoe",
    ]
    Stage(realm).play(attack(realm), [*answers, *lost], [4])
    assert not realm.fleets()


def test_an_arioi_stops_one_whole_battle_once() -> None:
    """Ruling 10: the stopped pieces stay; later attacks are not asked about."""
    realm = a_realm({"group 1": fleet(1, 1)})
    stage = Stage(realm)
    stage.play(attack(realm), ["can reach fiji: 1 defender", "that is all", "arioi stops it"])
    assert at(realm, "group 1").war_canoes == 1
    stage.play(
        attack(realm),
        [
            "can reach fiji: 1 defender",
            "that is all",
            "battle at fiji won, lost 1 warrior 1 war canoe",
        ],
    )
    assert not at(realm, "group 1").war_canoes


def test_an_arioi_may_stop_more_if_chosen() -> None:
    realm = a_realm({"group 1": fleet(1, 1)}, arioi_again=1)
    for _ in range(2):
        Stage(realm).play(
            attack(realm), ["can reach fiji: 1 defender", "that is all", "arioi stops it"]
        )
    assert at(realm, "group 1").war_canoes == 1


def test_a_beaten_attack_retreats_where_the_player_says_or_is_removed() -> None:
    """Rulings 13 and 25."""
    for answer, left in (("retreat to samoa", 1), ("no retreat is possible", 0)):
        realm = a_realm({"group 1": fleet(1, 0)})
        answers = [
            "can reach fiji: 1 defender",
            "that is all",
            "the attack goes on",
            "battle at fiji won, lost nothing",
            answer,
        ]
        Stage(realm).play(attack(realm), answers)
        assert at(realm, "samoa").war_canoes == left


def test_a_printed_group_that_samoa_takes_is_charted_once() -> None:
    realm = a_realm({"group 1": fleet(1, 0)})
    answers = [
        "can reach fiji: 0 defenders",
        "that is all",
        "the attack goes on",
        "battle at fiji lost, lost nothing",
    ]
    Stage(realm).play(attack(realm), [*answers, "4 boxes 3 green"])
    assert (
        at(realm, "fiji").villages == 1
        and at(realm, "fiji").boxes == 4
        and at(realm, "fiji").war_canoes == 1
    )


def test_warriors_are_removed_before_war_canoes() -> None:
    """Ruling 14: what Samoa can have lost follows from how many pieces."""
    realm = a_realm({"group 1": fleet(2, 2)})
    stage = Stage(realm)
    battle = "battle at fiji lost, lost 2 warriors 1 war canoe"
    stage.play(
        attack(realm),
        [
            "can reach fiji: 1 defender",
            "that is all",
            "the attack goes on",
            battle,
            "2 boxes 2 green",
        ],
    )
    offered = {option[3:] for option in stage.asks[3].options if option[0] == "battle"}
    assert offered == {(0, 0), (1, 0), (2, 0), (2, 1), (2, 2)}


def test_a_victory_of_samoa_leaves_it_a_piece() -> None:
    realm = a_realm({"group 1": fleet(1, 0)})
    stage = Stage(realm)
    stage.play(
        attack(realm),
        [
            "can reach fiji: 1 defender",
            "that is all",
            "the attack goes on",
            "battle at fiji won, lost 1 war canoe",
        ],
    )
    assert ("battle", place(realm, "fiji"), 0, 0, 1) not in stage.asks[-1].options


def test_samoas_own_groups_are_no_targets() -> None:
    realm = a_realm({"group 1": fleet(1, 0), "group 2": IslandGroup(4, 4, 2, 2, villages=1)})
    stage = Stage(realm)
    stage.play(attack(realm), ["that is all"])
    offered = {option[1] for option in stage.asks[0].options if option[0] == "reach"}
    assert offered.isdisjoint(realm.samoan()) and offered


def test_movement_data_bound_what_is_asked() -> None:
    """Reach 1, and 2 with the revealed card; transit brings the fleet to any hex of its chain."""
    lines = (*SMALL_MAP, "movement: reach 1", "movement: poi adds 1")
    realm = a_realm({"niue": fleet(1, 0)}, lines=lines)

    def offered() -> set[str]:
        stage = Stage(realm)
        stage.play(attack(realm), ["that is all"])
        return {
            realm.data.names[option[1]] for option in stage.asks[0].options if option[0] == "reach"
        }

    assert offered() == {"tonga"}
    realm.groups[place(realm, "far east")] = IslandGroup(2, 2, 2, 2)
    realm.explored |= {place(realm, "far east"), place(realm, "east")}
    # nobody lives in an ocean hex or in an unexplored one
    assert offered() == {"tonga", "far east"}
    realm.cards.append(realm.data.card_names.index("poi"))
    assert offered() == {"tonga", "far east", "fiji"}
    realm.cards.clear()
    at(realm, "samoa").canoe = True
    assert offered() == {"tonga", "far east", "fiji"}
    realm = a_realm({"niue": fleet(1, 0)}, lines=(*lines, "movement: transit no"))
    at(realm, "samoa").canoe = True
    assert offered() == {"tonga"}
    realm.cards.append(realm.data.card_names.index("double-hulled canoes"))
    # the data do not say how far it goes, so everything is asked about
    assert offered() == {"tonga", "fiji"}


def test_pieces_that_retreat_do_not_attack_again() -> None:
    """Ruling 10: a hex attacks with what it had when it chose."""
    realm = a_realm({"group 1": fleet(1, 1), "group 2": fleet(1, 1)})
    stage = Stage(realm)
    reach = [
        "can reach fiji: 1 defender",
        "that is all",
        "can reach tonga: 0 defenders",
        "that is all",
    ]
    first = ["the attack goes on", "battle at fiji won, lost nothing", "retreat to group 2"]
    second = ["the attack goes on", "battle at tonga lost, lost nothing", "4 boxes 4 green"]
    stage.play(attack(realm), [*reach, *first, *second], [1])
    assert (at(realm, "tonga").warriors, at(realm, "tonga").war_canoes) == (1, 1)
    assert (at(realm, "group 2").warriors, at(realm, "group 2").war_canoes) == (1, 1)


def test_atolls_hold_no_village_and_are_no_targets() -> None:
    """Ruling 18."""
    realm = a_realm(
        {
            "group 1": fleet(1, 0),
            "group 2": IslandGroup(0, 0, 2, 2),
            "group 3": IslandGroup(2, 1, 2, 2),
        }
    )
    stage = Stage(realm)
    stage.play(attack(realm), ["that is all"])
    offered = {
        realm.data.names[option[1]] for option in stage.asks[0].options if option[0] == "reach"
    }
    assert "group 2" not in offered and "group 3" in offered


def test_an_arioi_of_samoas_is_not_yours() -> None:
    """Ruling 18: once Samoa has shown it, the player is not asked for it."""
    realm = a_realm({"group 1": fleet(1, 0)})
    realm.hidden_cards = 1
    stage = Stage(realm)
    answers = [
        "card arioi",
        "can reach fiji: 1 defender",
        "that is all",
        "battle at fiji won, lost 1 war canoe",
    ]
    stage.play(attack(realm), answers)
    assert all(ask.rule != "arioi" for ask in stage.asks)


def test_what_counts_is_said_with_the_question(golden: Golden) -> None:
    realm = a_realm({"group 1": fleet(1, 0)})
    flow = attack(realm)
    ask = flow.send(None)
    assert isinstance(ask, Ask)
    golden(prompt(realm, ask))


def test_a_village_is_saved_only_if_one_is_left() -> None:
    """Ruling 12."""
    realm = a_realm({"group 1": fleet(1, 0)}, lines=("setup: supply villages 2",))
    stage = Stage(realm)
    answers = [
        "can reach fiji: 0 defenders",
        "that is all",
        "the attack goes on",
        "battle at fiji lost, lost nothing",
    ]
    stage.play(attack(realm), [*answers, "4 boxes 3 green"])
    assert not at(realm, "fiji").villages and " village" in stage.told()[-1]


def test_the_south_island_lies_where_the_player_says() -> None:
    """Ruling 19, also when Samoa finds it: no source says where."""
    realm = a_realm(lines=SMALL_MAP, south_island=1)
    answers = [
        "island group 4 knots",
        "2 boxes 1 green",
        "the south island comes too",
        "discover at tubai",
        "atoll",
    ]
    Stage(realm).play(explore(realm), [*answers, "ocean 1 knot"])
    assert (
        at(realm, "tubai").canoe
        and at(realm, "tubai").is_atoll()
        and not realm.is_known(place(realm, "rarotonga"))
    )
