"""Whole tables in memory: no stall, no piece where the procedure forbids it, the same story on
every machine."""

from __future__ import annotations

import contextlib
import random
from collections import Counter
from typing import Any

import pytest

from engine.automaton import faces_of
from engine.flow import Ask, Roll
from engine.notation import say, understand
from engine.paradise import RULES
from engine.paradise.data import PRACTICE
from engine.paradise.groups import retreat
from engine.paradise.position import IslandGroup, Realm
from engine.paradise.tables import SETTINGS
from engine.rules import Rules
from engine.table import OpenTable
from engine.words import tokens
from tests.paradise.golden_paradise import DATA, GAMES, transcript
from tests.support.paradise_kit import SMALL_MAP, Stage, a_realm, by_verb, game_of, table

ON_MAP = RULES.with_data(SMALL_MAP)
SCARCE = RULES.with_data(
    (
        *SMALL_MAP,
        "setup: supply villages 6",
        "setup: supply warriors 5",
        "setup: supply war canoes 2",
        "setup: supply transport canoes 4",
        "setup: warriors 2",
        "setup: war canoes 1",
        "movement: reach 2",
        "tiles: rarotonga: 3 boxes 2 green",
        "tiles: pukapuka: atoll",
        "tiles: big one: 4 boxes 4 green",
    )
)
WAYS: tuple[tuple[Rules, dict[str, int]], ...] = (
    (RULES, {}),
    (RULES, {"three-boxes": 1, "open-chits": 1, "malaria": 1, "arioi-again": 1}),
    (RULES, {"own-dice": 1}),
    (ON_MAP, {"south-island": 1, "no-off-course-knots": 1}),
    (SCARCE, {"three-boxes": 1}),
)


def check(realm: Realm) -> None:
    """What holds at every question."""
    data = realm.data
    assert len(set(realm.drawn)) == len(realm.drawn)
    assert sorted([*realm.cup, *realm.drawn, *realm.waiting]) == list(range(1, 16))
    assert bool(realm.waiting) == (len(realm.drawn) < 6)
    for place, group in realm.groups.items():
        assert 0 <= group.villages <= group.boxes or not realm.turn
        assert group.green <= group.boxes or not group.boxes
        assert min(group.warriors, group.war_canoes) >= 0
        if data.map:
            assert place in data.map and realm.is_known(place)
    assert (
        all(realm.is_known(place) for place in realm.chain)
        and not realm.chain & realm.groups.keys()
    )
    assert (
        realm.home is None
        or realm.groups[realm.home].villages
        or realm.groups[realm.home].is_samoan()
    )
    for kind, most in data.supply.items():
        if kind == "transport canoes":
            assert sum(group.canoe for group in realm.groups.values()) + len(realm.chain) <= most
        else:
            assert (
                sum(getattr(group, kind.replace(" ", "_")) for group in realm.groups.values())
                <= most
            )


def played(seed: int, rules: Rules, settings: dict[str, int]) -> OpenTable:
    """A whole game, held against `check` at every question, its notation at some."""
    chance = random.Random(seed)
    at_table = OpenTable(rules, settings, chance)
    at_table.game.story = []
    policy = by_verb(chance)

    def choose(game: Any, ask: Ask, answers: Any) -> Any:
        check(game.realm)
        answer = policy(game, ask, answers)
        if at_table.decisions % 23 == 0:
            legal = {say(rules, game, one, at_table.faces): one for one in answers}
            assert len(legal) == len(answers)
            assert understand(rules, say(rules, game, answer, at_table.faces), legal) == answer
            assert set(
                tokens(say(rules, game, answer, at_table.faces))
            ) <= rules.vocabulary() | set(map(str, range(100)))
            assert game.prompt(ask) and game.position().isascii() and game.view(None, {})
        return answer

    outcome = at_table.play(choose)
    check(game_of(at_table).realm)
    assert outcome.how
    return at_table


@pytest.mark.dear("plays whole games")
@pytest.mark.parametrize("way", range(len(WAYS)))
def test_random_tables_end(way: int) -> None:
    """Twenty of each way: a hundred tables."""
    ends: Counter[int] = Counter()
    for seed in range(20):
        game = game_of(played(seed, *WAYS[way]))
        assert game.story is not None and game.story[-1][0] == "over"
        ends[game.realm.turn] += 1
    assert len(ends) > 1


@pytest.mark.slow
@pytest.mark.parametrize("way", range(len(WAYS)))
def test_thousands_of_random_tables_end(way: int, record_property: Any) -> None:
    winners: Counter[str] = Counter()
    for seed in range(1000, 2000):
        game = game_of(played(seed, *WAYS[way]))
        assert game.story is not None
        winners[game.story[-1][1]] += 1
    record_property("figure", f"paradise, way {way}: 1000 random tables, {dict(winners)}")


def test_everything_happens_at_random_tables() -> None:
    """Each ruling that a step can quote is quoted, each chit drawn, each kind of question asked."""
    rulings: set[int] = set()
    chits: set[int] = set()
    for seed in range(40):
        game = game_of(table(seed, {"three-boxes": 1, "malaria": 1, "south-island": 1}))
        assert game.story is not None
        rulings |= {event[1] for event in game.story if event[0] == "step"}
        chits |= {event[1] for event in game.story if event[0] == "chit"}
    assert chits == set(range(1, 16))
    assert rulings >= {2, 3, 4, 5, 6, 7, 8, 9, 10, 13, 14, 15, 16, 17, 19, 21, 24, 25}


@pytest.mark.parametrize("name", GAMES)
def test_golden_table(name: str) -> None:
    """Regenerate with `python -m tests.paradise.golden_paradise` when the game was changed on
    purpose."""
    assert (
        transcript(name) == (DATA / f"golden-{name}.txt").read_text(encoding="utf-8").splitlines()
    )


def test_the_bot_is_never_asked() -> None:
    chance = random.Random(7)
    at_table = OpenTable(RULES, {}, chance)
    policy = by_verb(chance)

    def choose(game: Any, ask: Ask, answers: Any) -> Any:
        assert ask.seat == 0 and not ask.hand
        return policy(game, ask, answers)

    at_table.play(choose)


def test_the_practice_set_has_every_expand_and_action() -> None:
    assert {chit.expand for chit in PRACTICE} == set(range(8)) and {
        chit.action for chit in PRACTICE
    } == set(range(4))
    assert RULES.settings_in_words({}) == ["practice chits (unofficial)"]


def test_every_setting_is_told() -> None:
    for name in SETTINGS:
        assert RULES.seats({name: 1})
        with pytest.raises(ValueError, match=name):
            RULES.seats({name: 2})


# ---- ties ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("count", [2, 3, 4, 5, 6, 7, 8, 12, 13, 19, 36, 37, 60])
def test_ties_are_fair_and_told_before_the_throw(count: int) -> None:
    """Every thing has as many faces as any other, the rest are thrown again, and the words say the
    same."""
    realm = a_realm()
    realm.story = []
    names = [f"thing {chr(97 + number % 26)}{number // 26}" for number in range(count)]
    needed = 1 if count <= 6 else 2 if count <= 36 else 3
    share = 6**needed // count
    chosen: Counter[int] = Counter()
    for face in range(1, 6**needed + 1):
        dice = [(face - 1) // 6**at % 6 + 1 for at in reversed(range(needed))]
        flow = realm.choose_one(names, "why")
        roll = flow.send(None)
        assert (
            isinstance(roll, Roll)
            and roll.number == needed
            and roll.why == f"why: {faces_of(names)}"
        )
        with contextlib.suppress(StopIteration):
            chosen[-1] += isinstance(flow.send(tuple(dice)), Roll)
            continue
        tie = realm.story[-1]
        chosen[tie[4].index(tie[5])] += 1
    assert {chosen[number] for number in range(count)} == {share}
    assert chosen[-1] == 6**needed - share * count
    assert ("again" in faces_of(names)) == bool(chosen[-1])


def test_faces_in_words() -> None:
    assert faces_of(["Samoa", "Hiva"]) == "1 to 3 Samoa, 4 to 6 Hiva"
    assert faces_of(["a", "b", "c", "d"]) == "1 a, 2 b, 3 c, 4 d, above 4 again"
    assert faces_of(list("abcdefg")).startswith(
        "two dice, 6 x (first - 1) + second: 1 to 5 a, 6 to 10 b"
    )
    assert faces_of(list(map(str, range(40)))).startswith(
        "three dice, 36 x (first - 1) + 6 x (second - 1) + third: 1 to"
    )


def test_one_candidate_needs_no_die() -> None:
    realm = a_realm({"group 1": IslandGroup(1, 1, 2, 2)})
    stage = Stage(realm)
    assert stage.play(realm.choose([3], "why")) == 3 and not stage.rolls


# ---- what is shown -------------------------------------------------------------------------------


def test_long_lists_show_numbers_and_names_once() -> None:
    """What differs in a name only is one line; two verbs with the same names share it."""
    at_map = [
        f"{verb} at {name}"
        for verb in ("discover", "ocean")
        for name in ("niue", "east", *map(str, range(20)))
    ]
    shapes = RULES.shapes(
        [*at_map, "call group 1 hiva", "call group 2 hiva", "can reach fiji: 1 defender", "undo"]
    )
    assert shapes[0] == "undo" and shapes[1].startswith(
        "discover at NAME or ocean at NAME, NAME one of niue, east, 0, "
    )
    assert shapes[2:] == [
        "call group N NAME, NAME one of hiva",
        "can reach NAME: N defenders, NAME one of fiji",
    ]


@pytest.mark.parametrize(
    ("pieces", "told"), [((1, 0), "1 warrior"), ((2, 1), "2 warriors and 1 War Canoe")]
)
def test_pieces_retreat_in_good_english(pieces: tuple[int, int], told: str) -> None:
    stage = Stage(a_realm())
    stage.play(retreat(stage.realm, 5, *pieces), ["retreat to samoa"])
    assert stage.told() == [f"move {told} of Samoa's from Rarotonga to Samoa: the retreat"]
