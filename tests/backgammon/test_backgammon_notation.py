"""The examples of `docs/backgammon.md`, and plays as players write them."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from engine.backgammon import RULES
from engine.backgammon.game import Backgammon
from engine.backgammon.notation import respelled, why_refused, words, write
from engine.backgammon.plays import Step, as_play, board_after, play_options
from engine.backgammon.tables import CUBE, DOUBLED, PLAY, SEALING, SETTINGS, read_stakes
from engine.flow import Ambiguous, Ask, Illegal, NotUnderstood
from engine.notation import say, sentences, understand_answer

PAGE = Path(__file__).parents[2] / "docs" / "backgammon.md"


def examples() -> list[tuple[str, str]]:
    block = re.search(
        r"<!-- examples:.*?-->\n```\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.S
    )
    assert block is not None
    return [
        (entered, meant)
        for entered, _, meant in (line.partition(" = ") for line in block[1].splitlines())
    ]


@pytest.fixture
def game() -> Backgammon:
    """White to play 3 and 1 at the beginning."""
    made = Backgammon(read_stakes({}))
    made.set_up()
    made.dice = (3, 1)
    return made


def asked(game: Backgammon) -> Ask:
    first, second = game.dice
    return Ask(
        game.turn,
        PLAY,
        play_options(game.board(game.turn), first, second),
    )


@pytest.mark.parametrize(("entered", "meant"), examples())
def test_the_examples_of_the_page(game: Backgammon, entered: str, meant: str) -> None:
    ask = asked(game)
    legal = sentences(RULES, game, ask, {})
    refusals = {"ambiguous": Ambiguous, "not legal": Illegal, "not understood": NotUnderstood}
    if meant in refusals:
        with pytest.raises(refusals[meant]):
            understand_answer(RULES, game, ask, entered, legal, {})
    else:
        assert (
            say(RULES, game, understand_answer(RULES, game, ask, entered, legal, {}), {}) == meant
        )


def test_every_option_of_new_is_on_the_page() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert all(f"--{name}" in text for name in SETTINGS)


@pytest.mark.dear("reads thousands of plays")
def test_a_play_may_be_written_step_by_step_and_in_any_order() -> None:
    """Whatever the men and the dice, each play is understood however its steps are put together."""
    rng = random.Random(3)
    game = Backgammon(read_stakes({}))
    game.set_up()
    for _ in range(150):
        game.dice = (rng.randint(1, 6), rng.randint(1, 6))
        ask = asked(game)
        for option in ask.options:
            parts = [write((step,)) for step in as_play(option)]
            rng.shuffle(parts)
            for entered in (
                words(option),
                " ".join(parts),
                " ".join(parts).replace("*", ""),
                ", ".join(parts).upper(),
            ):
                assert respelled(game, ask, entered) == words(option)
        chosen = rng.choice(ask.options)
        game.put(game.turn, board_after(game.board(game.turn), as_play(chosen)))
        game.turn = 1 - game.turn


@pytest.mark.parametrize(
    "text",
    ["", "13", "13/", "/7", "13/13", "7/13", "27/20", "bar/bar", "off/3", "13/7(5)", "13-7", "x/y"],
)
def test_what_is_no_play_stays_as_it_is(game: Backgammon, text: str) -> None:
    assert respelled(game, asked(game), text) == text


def test_a_play_that_hits_on_the_way_is_told_from_one_that_does_not() -> None:
    game = Backgammon(read_stakes({}))
    game.set_up()
    game.men = [
        tuple(1 if point == 24 else 14 if point == 0 else 0 for point in range(26))
        for _ in range(2)
    ]
    other = [0] * 26
    other[7], other[0] = 1, 14
    game.men[1] = tuple(other)
    game.dice = (6, 1)
    ask = asked(game)
    assert sorted(map(words, ask.options)) == ["24/17", "24/18* 18/17"]
    assert respelled(game, ask, "24/18/17") == "24/18* 18/17"
    assert respelled(game, ask, "24/17") == respelled(game, ask, "24/23/17") == "24/17"


@pytest.mark.parametrize(
    ("entered", "dice", "reason"),
    [
        ("12/6", (6, 1), "no man of yours is on 12"),
        ("24/18(3)", (6, 6), "no man of yours is left on 24"),
        ("24/19", (5, 1), "19 is held by the other player: no 5 from 24"),
        ("6/off", (6, 1), "men are borne off when all of yours are in your home board"),
        ("13/1", (2, 4), "13/1 is 12 pips, and the dice play 2, 4 or 6"),
        ("13/12", (2, 4), "13/12 is 1 pip, and the dice play 2, 4 or 6"),
        ("13/9(2)", (2, 4), "no die is left for 13/9: it is 4 pips, left is 2"),
        ("13/9 13/7", (2, 4), "no die is left for 13/7: it is 6 pips, left is 2"),
        ("13/9", (2, 4), "the 2 is left, and can be played too"),
        ("13/7", (6, 6), "that plays 1 of the four 6s, and more can be played"),
        ("24/14", (5, 5), "24/14 goes by 19: held by the other player"),
        ("24/12", (6, 6), "12 is held by the other player"),
    ],
)
def test_a_play_that_is_refused_has_one_reason(
    game: Backgammon, entered: str, dice: tuple[int, int], reason: str
) -> None:
    game.dice = dice
    assert why_refused(game, asked(game), entered) == reason


def position(own: dict[int, int], other: dict[int, int], dice: tuple[int, int]) -> Backgammon:
    """White to play, with men on these points of their player; all others are off."""
    made = Backgammon(read_stakes({}))
    made.set_up()
    made.turn, made.dice = 0, dice
    made.men = [
        tuple(15 - sum(men.values()) if at == 0 else men.get(at, 0) for at in range(26))
        for men in (own, other)
    ]
    return made


@pytest.mark.parametrize(
    ("own", "other", "dice", "entered", "reason"),
    [
        (
            *({10: 1}, {22: 2}, (4, 3), "10/7"),
            "only one of the dice can be played, and then it is the higher one, the 4",
        ),
        (
            *({5: 1, 3: 1}, {}, (6, 4), "3/off"),
            "3/off with more than 3 is for when no man of yours is farther back",
        ),
        ({5: 1, 3: 1}, {}, (2, 1), "5/off", "5/off is 5 pips, and the dice play 1, 2 or 3"),
        ({25: 2}, {}, (4, 3), "bar/18", "another man of yours is on the bar, and enters first"),
        (
            {24: 2},
            {2: 2, 5: 2},
            (1, 4),
            "24/19",
            "24/19 goes by 20 or 23: held by the other player",
        ),
    ],
)
def test_the_reason_names_the_die_or_the_point(
    own: dict[int, int],
    other: dict[int, int],
    dice: tuple[int, int],
    entered: str,
    reason: str,
) -> None:
    game = position(own, other, dice)
    assert why_refused(game, asked(game), entered) == reason


def test_whatever_is_entered_and_not_legal_has_a_reason() -> None:
    """A sentence without a gap, at any position, also where no reason of its own is known."""
    rng = random.Random(5)
    refusals = 0
    for _ in range(3000):
        men = [{rng.randint(1, 25): rng.randint(1, 3) for _ in range(5)} for _ in range(2)]
        other = {at: count for at, count in men[1].items() if 25 - at not in men[0]}
        game = position(men[0], other, (rng.randint(1, 6), rng.randint(1, 6)))
        steps = [(rng.choice([*men[0]]), rng.randint(1, 12)) for _ in range(rng.randint(1, 3))]
        text = write(tuple(Step(at, max(0, at - way), False) for at, way in steps))
        ask = asked(game)
        if respelled(game, ask, text) in map(words, ask.options):
            continue
        refusals += 1
        reason = why_refused(game, ask, text)
        assert reason and "  " not in reason and " :" not in reason and reason[-1] != " "
    assert refusals > 1000


def test_a_man_on_the_bar_comes_first_and_a_play_waits_for_the_dice(game: Backgammon) -> None:
    reasons = {why_refused(game, Ask(0, rule, ()), "13/7") for rule in (CUBE, SEALING, DOUBLED)}
    assert len(reasons) == 3 and all(reasons)
    own = list(game.men[game.turn])
    own[6], own[25] = own[6] - 1, 1
    game.men[game.turn] = tuple(own)
    assert " bar" in why_refused(game, asked(game), "13/7")
    assert why_refused(game, asked(game), "roll") == ""
