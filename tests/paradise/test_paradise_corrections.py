"""Facts that are stated anew, what is not asked, and why a report is refused."""

from __future__ import annotations

import random
from typing import Any

import pytest

from engine.flow import Ask, Illegal, Refusal
from engine.notation import sentences, understand_answer
from engine.paradise import RULES
from engine.paradise.battle import movement
from engine.paradise.exploration import exploration
from engine.paradise.game import Paradise
from engine.paradise.groups import retreat
from engine.paradise.position import IslandGroup
from engine.paradise.questions import RULINGS
from engine.paradise.sequence import victory
from engine.table import OpenTable
from tests.support.golden_words import Golden
from tests.support.paradise_kit import SMALL_MAP, Stage, a_realm, by_verb, place


def corrected(stage: Stage) -> list[tuple[Any, ...]]:
    return [event[1:] for event in stage.story if event[0] == "corrected"]


def test_boxes_distance_and_pieces_are_stated_anew() -> None:
    """Ruling 27: they hold from then on, and the log tells what was kept before."""
    realm = a_realm({"group 1": IslandGroup(3, 2, 3, 2, villages=1, warriors=1)})
    group, stage = realm.groups[place(realm, "group 1")], Stage(realm)
    answers = [
        "correct group 1",
        "4 boxes 3 green",
        "correct distance of group 1",
        "5 from tonga 4 from samoa",
    ]
    answers += [
        "correct pieces on group 1",
        "2 villages",
        "correct pieces on group 1",
        "0 warriors",
    ]
    answers += [
        "correct pieces on group 1",
        "1 transport canoe",
        "correct samoa",
        "samoa has 5 boxes",
    ]
    stage.play(exploration(realm), [*answers, "exploration complete"])
    assert (group.boxes, group.green, group.from_tonga, group.from_samoa) == (4, 3, 5, 4)
    assert (group.villages, group.warriors, group.war_canoes, group.canoe) == (2, 0, 0, True)
    assert realm.groups[0].boxes == 5 and realm.corrections == 6
    assert corrected(stage) == [
        ("group 1 has 4 boxes 3 green", "3 boxes 2 green"),
        ("group 1 is 5 from Tonga and 4 from Samoa", "3 and 2"),
        ("group 1 has 2 villages of Samoa's", "1"),
        ("group 1 has 0 warriors of Samoa's", "1"),
        ("group 1 has 1 transport canoe of Samoa's", "0"),
        ("Samoa has 5 boxes", "4 boxes"),
    ]


def test_what_was_decided_stays() -> None:
    """Ruling 27: a group that turns out to have four boxes brings no chit any more; nothing is
    thrown again."""
    realm = a_realm()
    stage = Stage(realm)
    answers = [
        "discover 3 from tonga 4 from samoa: 3 boxes 1 green",
        "correct group 1",
        "4 boxes 1 green",
    ]
    stage.play(exploration(realm), [*answers, "exploration complete"], [6])
    assert realm.pending == 0 and realm.groups[place(realm, "group 1")].boxes == 4


def test_points_are_stated_anew_and_end_nothing() -> None:
    realm = a_realm()
    stage = Stage(realm)
    stage.play(victory(realm), ["victory 12"])
    stage.play(movement(realm), ["correct points", "victory 31", "movement complete"])
    assert realm.points == 31 and corrected(stage) == [("your points are 31", "12")]


def test_a_home_without_pieces_is_lost_and_a_village_makes_one() -> None:
    """Rulings 9 and 27."""
    realm = a_realm({"group 1": IslandGroup(2, 2, 3, 3, canoe=True)})
    stage = Stage(realm)
    stage.play(movement(realm), ["correct pieces on samoa", "0 villages", "movement complete"])
    assert realm.home is None
    stage.play(movement(realm), ["correct pieces on group 1", "1 village", "movement complete"])
    assert realm.home == place(realm, "group 1")


def test_only_what_can_be_is_offered() -> None:
    """No more pieces than the supply has; no fewer boxes than villages; no distance where a map
    tells it."""
    lines = ("setup: supply warriors 1", "setup: supply war canoes 0")
    realm = a_realm({"group 1": IslandGroup(3, 2, 3, 2, villages=2)}, lines=lines)
    stage = Stage(realm)
    stage.play(
        movement(realm),
        [
            "correct group 1",
            "3 boxes 3 green",
            "correct pieces on group 1",
            "1 warrior",
            "movement complete",
        ],
    )
    boxes, pieces = (ask.options for ask in stage.asks if ask.rule == "correction")
    assert min(option[1] for option in boxes) == 2 and ("boxes", 3, 2) not in boxes
    assert {option for option in pieces if option[1] in (1, 2)} == {("piece", 1, 1)}
    on_map = a_realm(lines=SMALL_MAP)
    stage = Stage(on_map)
    stage.play(movement(on_map), ["movement complete"])
    assert {option[0] for option in stage.asks[0].mends} == {"correct", "correct pieces"}


class Told:
    """A game whose player enters words, after its set-up."""

    def __init__(self, **settings: int) -> None:
        self.rules = RULES
        game = self.rules.begin({"unwitnessed": 1, **settings})
        assert isinstance(game, Paradise)
        self.game = game
        self.flow = game.flow()
        self.request: Any = next(self.flow)
        for text in ("samoa has 4 boxes", "samoa starts with nothing"):
            self.enter(text)

    def enter(self, text: str, *dice: int) -> Any:
        """Answer what is asked, and throw these dice if any are asked for; what is asked then."""
        assert isinstance(self.request, Ask)
        legal = sentences(self.rules, self.game, self.request, {})
        self.request = self.flow.send(
            understand_answer(self.rules, self.game, self.request, text, legal, {})
        )
        if dice:
            self.request = self.flow.send(dice)
        return self.request


def test_a_correction_is_taken_back_like_any_report() -> None:
    """Rulings 20 and 27."""
    told = Told()
    told.enter("discover 3 from tonga 4 from samoa: 3 boxes 1 green", 6)
    told.enter("correct group 1")
    group = told.game.data.names.index("group 1")
    assert told.enter("atoll").mends and told.game.realm.groups[group].boxes == 0
    assert told.enter("undo").rule == "correction"
    assert told.enter("undo").rule == "exploration"
    assert told.game.realm.groups[group].boxes == 3 and told.game.realm.corrections == 0


def test_what_has_one_answer_left_is_not_asked(golden: Golden) -> None:
    """Ruling 28."""
    realm = a_realm()
    stage = Stage(realm)
    stage.play(retreat(realm, 0, 1, 0))
    assert not stage.asks
    golden(*stage.told())


def test_random_tables_correct_and_go_on() -> None:
    """What is kept stays possible: no more villages than boxes, no negative piece, and every game
    ends."""
    corrections = 0
    for seed in range(6):
        chance = random.Random(seed)
        table = OpenTable(RULES, {"unwitnessed": 1, "malaria": 1}, chance)
        table.play(by_verb(chance))
        assert isinstance(table.game, Paradise)
        realm = table.game.realm
        corrections += realm.corrections
        for group in realm.groups.values():
            assert (
                0 <= group.villages <= max(group.boxes, 2)
                and min(group.warriors, group.war_canoes) >= 0
            )
    assert corrections > 5


@pytest.mark.parametrize(
    ("entered", "reason"),
    [
        (
            "discover 5 from tonga 2 from samoa: atoll",
            "neighbours, so that distances .* (ruling 18)",
        ),
        (
            "discover 3 from tonga 2 from samoa: 2 boxes 3 green",
            "no more green boxes than boxes (ruling 18)",
        ),
        ("discover 13 from tonga 13 from samoa: atoll", "at most 12 hexes in a report (ruling 22)"),
        (
            "discover 3 from tonga 2 from samoa: 5 boxes 1 green",
            "at most 4 boxes in a report (ruling 22)",
        ),
        ("victory 12", "ruling 16"),
    ],
)
def test_a_refusal_names_its_ruling(entered: str, reason: str) -> None:
    """Rulings 18 and 22."""
    with pytest.raises(Refusal) as refused:
        Told().enter(entered)
    first, _, last = reason.partition(" .* ")
    assert first in str(refused.value) and last in str(refused.value)


def test_refusals_of_a_battle_name_what_stands_there() -> None:
    """Rulings 14, 21 and 22."""
    told = Told()
    told.enter("exploration complete")
    for entered, reason in (
        (
            "battle at samoa won, lost 1 warrior",
            "Samoa has neither warrior nor War Canoe on Samoa: take it (ruling 21)",
        ),
        ("battle at fiji won, lost nothing", "ruling 21"),
        ("discover 2 from tonga 2 from samoa: atoll", "ruling 21"),
    ):
        with pytest.raises(Refusal) as refused:
            told.enter(entered)
        assert reason in str(refused.value)
    told.enter("correct pieces on samoa")
    told.enter("2 warriors")
    for entered, reason in (
        (
            "take samoa",
            "Samoa has 2 warriors on Samoa, so that it is fought for: battle at (ruling 21)",
        ),
        (
            "battle at samoa lost, lost 2 warriors",
            "not all where you were beaten off (rulings 14 and 18)",
        ),
    ):
        with pytest.raises(Refusal) as refused:
            told.enter(entered)
        assert reason in str(refused.value)


def test_when_nothing_more_can_be_taken_back_the_reason_is_told() -> None:
    """Rulings 20 and 22."""
    told = Told()
    told.enter("undo")
    told.enter("undo")
    with pytest.raises(Illegal, match="ruling 20"):
        told.enter("undo")
    told = Told()
    for _ in range(300):
        told.enter("off course among 1")
        told.enter("undo")
    told.enter("off course among 1")
    with pytest.raises(
        Illegal,
        match="ruling 22",
    ):
        told.enter("undo")


def test_a_correction_in_the_middle_of_samoas_turn_is_refused_with_the_time_for_it() -> None:
    """Ruling 27."""
    told = Told()
    told.request = Ask(0, "explore", (("ocean", 1),))
    told.game.realm.step, told.game.realm.about = "turn order", (1, None, 0, 5)
    with pytest.raises(
        Illegal, match=r"in your Exploration, Movement and Battle, and Victory Step \(ruling 27\)"
    ):
        told.enter("correct samoa")


def test_every_question_has_its_ruling() -> None:
    asked: set[str] = set()
    for seed, settings in enumerate(({"south-island": 1}, {"own-dice": 1}, {"open-chits": 1}, {})):
        for lines in ((), SMALL_MAP):
            chance = random.Random(seed)
            table = OpenTable(RULES.with_data(lines), {"unwitnessed": 1, **settings}, chance)
            choose = by_verb(chance)

            def listen(game: Any, ask: Ask, answers: Any, choose: Any = choose) -> Any:
                asked.add(ask.rule)
                return choose(game, ask, list(answers))

            table.play(listen)
    assert asked <= RULINGS.keys() and len(asked) > 15
