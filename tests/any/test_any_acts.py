"""Acts are read back as they are kept, and the gate takes no other spelling."""

from __future__ import annotations

import contextlib
import random
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.any import RULES, acts, setup_lines
from engine.any.acts import NOBODY
from engine.any.dice import Dice
from engine.any.game import AnyGame
from engine.flow import Answer, Ask, Illegal, Option, Refusal
from engine.notation import understand_answer
from engine.options import Notation
from engine.rules import Game
from engine.table import OpenTable
from pbem.ledger.file_entry import read_answer
from tests.any.test_any_setup import WAR, lines

WRITTEN = RULES.with_data(lines(*WAR))
SETUP = setup_lines.read(lines(*WAR))
D6 = SETUP.dice["d6"]
TEXTS = st.text(st.characters(exclude_categories=("C", "Z")), min_size=1, max_size=60)
ACTS: st.SearchStrategy[Option] = st.one_of(
    st.builds(
        lambda number, name, then: ("roll", Dice(1, number, D6), name, then),
        st.integers(1, 60),
        st.sampled_from(["", "combat"]),
        st.sampled_from([NOBODY, 0, 1]),
    ),
    st.builds(lambda by: ("count", 1, 0, by), st.integers(-99, 99)),
    st.builds(lambda to: ("set", 0, -1, to), st.integers(-10, 10)),
    st.sampled_from([("turn", 0), ("turn", 1), ("decline",), ("agree",), ("disagree",)]),
    st.builds(lambda text: ("ask", 1, text), TEXTS.filter(lambda one: not set(one) & set('";’“”'))),
    st.builds(lambda text: ("answer", text), TEXTS.filter(lambda one: not set(one) & set('";’“”'))),
    st.builds(
        lambda winners, points: ("end", winners, points),
        st.sampled_from([(), (0,), (1,), (0, 1)]),
        st.one_of(st.just(()), st.tuples(st.integers(-9999, 9999), st.integers(-9999, 9999))),
    ),
)


@given(ACTS)
def test_an_act_is_read_back_as_it_is_written(option: Option) -> None:
    sentence = acts.words(SETUP, option)
    assert acts.read(SETUP, 1, sentence) == option
    assert len(sentence) <= 120 and ";" not in sentence


@given(st.text(max_size=80), st.integers(0, 1))
def test_what_is_read_is_spelled_in_one_way(text: str, seat: int) -> None:
    with contextlib.suppress(Refusal):
        option = acts.read(SETUP, seat, text)
        assert acts.read(SETUP, 1 - seat, acts.words(SETUP, option)) == option


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("Throw 3d6 for combat, then France's turn", "roll 3d6 combat then france's turn"),
        ("roll weather", "roll 2d6 weather"),
        ("Roll 3 attack", "roll 3 attack"),
        ("supply +2", "britain's supply +2"),
        ("France's supply = 4", "france's supply = 4"),
        ("victory to 3", "victory = 3"),
        ("reserve+1", "reserve +1"),
        ("pass to France", "france's turn"),
        ("France: Do you react?", 'ask france "Do you react?"'),
        ("ask France do you react?", 'ask france "do you react?"'),
        ("Answer: no", 'answer "no"'),
        ("France wins, 42 to -7", "end: france wins 42 to -7"),
        ("it is a draw", "end: a draw"),
        ("Agree.", "agree"),
    ],
)
def test_what_players_write(text: str, sentence: str) -> None:
    assert acts.words(SETUP, acts.read(SETUP, 1, text)) == sentence


def asked(*said: str) -> tuple[AnyGame, Ask]:
    """A game after these acts of whoever was asked, without dice."""
    game = AnyGame(SETUP)
    flow = game.flow()
    request = next(flow)
    for text in said:
        assert isinstance(request, Ask)
        request = flow.send(understand_answer(WRITTEN, game, request, text, {}, {}))
    assert isinstance(request, Ask)
    return game, request


@pytest.mark.parametrize(
    ("before", "text", "reason"),
    [
        ((), "supply -4", "goes from 0 to 9"),
        ((), "victory = 0", "is 0 already"),
        ((), "britain's turn", "that is you"),
        ((), "agree", "nobody has said"),
        ((), "decline", "nobody has asked"),
        ((), "roll 3d6 weather", "always rolled"),
        ((), "roll 2d8", "no d8"),
        ((), "roll 2d6 storm", "no roll of this game"),
        ((), "gold +1", "no counter of this game"),
        ((), "spain's supply +1", "has no supply"),
        ((), "france wins, 3", "points of all"),
        ((), "spain wins", "plays no seat"),
        ((), "france and britain win", "it is a draw"),
        (("France: do you react?",), "britain's turn", "answer or decline first"),
        (("France wins",), "roll 2d6", "first agree or disagree"),
        ((), "supply -1, roll weather", 'is no act: .*; acts stand apart by ";"'),
        ((), "roll 2d6, France's turn", 'no roll of this game.*; acts stand apart by ";"'),
        ((), "roll 2d6, then spain's turn", r'names nobody: [^;"]*\; you are asked'),
    ],
)
def test_what_is_refused_and_why(before: Sequence[str], text: str, reason: str) -> None:
    game, ask = asked(*before)
    with pytest.raises(Refusal, match=reason):
        understand_answer(WRITTEN, game, ask, text, {}, {})


@pytest.mark.parametrize(
    "text",
    [
        "Supply +2",
        "supply +2",
        "britain's supply  +2",
        "britain's supply + 2",
        "britain's supply +02",
        "roll d6",
        "roll 2d6 then britain's turn",
        "roll weather",
        'ask france "a;b"',
        'ask france " a"',
        "pass",
        "agree",
        "britain's supply +7",
    ],
)
def test_the_gate_takes_one_spelling_of_what_is_allowed(text: str) -> None:
    _, ask = asked()
    assert read_answer(WRITTEN.words, (), ask, text, {}) is None
    good = read_answer(WRITTEN.words, (), ask, "britain's supply +2", {})
    assert good == Answer(("count", 1, 1, 2))


def test_a_question_goes_there_and_back_and_an_end_needs_all() -> None:
    game, ask = asked("France: do you react?", "supply +1", "answer: no")
    assert ask.seat == 1 and game.values[1, 0] == 4
    game, ask = asked("France wins, 42 to 37", "disagree")
    assert ask.seat == 1 and game.outcome is None
    game = AnyGame(SETUP)
    flow = game.flow()
    first = next(flow)
    assert isinstance(first, Ask)
    flow.send(understand_answer(WRITTEN, game, first, "France wins, 42 to 37", {}, {}))
    with pytest.raises(StopIteration) as ended:
        flow.send(Answer(("agree",)))
    assert ended.value.value.winners == (0,) and ended.value.value.points == (42, 37)


def test_the_rules_check_an_act_themselves() -> None:
    flow = AnyGame(SETUP).flow()
    next(flow)
    with pytest.raises(Illegal):
        flow.send(Answer(("count", 1, 1, 50)))


def test_whoever_leaves_is_not_asked_again() -> None:
    rules = RULES.with_data(lines("seats ann, ben, cleo", "counter gold: 0 to 9, each"))
    game = rules.begin({})
    flow = game.flow()
    ask = next(flow)
    flow.send(Answer(("ask", 1, "well?")))
    game.leave(1)
    ask = flow.send(None)
    assert isinstance(ask, Ask) and ask.seat == 0 and ask.rule == "turn"
    ask = flow.send(Answer(("end", (0,), ())))
    assert isinstance(ask, Ask) and ask.seat == 2
    assert isinstance(ask.options, Notation) and ("agree",) in ask.options


@pytest.mark.parametrize("seed", range(30))
def test_games_at_random_within_a_setup_end(seed: int) -> None:
    rng = random.Random(seed)
    table = OpenTable(WRITTEN, {}, rng)

    def choose(game: Game, ask: Ask, answers: Sequence[Answer]) -> Answer:
        assert game.position().isascii() and len(answers) > 0
        answer = answers[int(rng.random() * len(answers))]
        assert read_answer(WRITTEN.words, (), ask, WRITTEN.words(answer.option), {}) == answer
        assert isinstance(game, AnyGame)
        for (number, _), value in game.values.items():
            assert SETUP.counters[number].least <= value <= SETUP.counters[number].most
        return answer

    assert table.play(choose).how == "as all agreed"
