"""What players write for dice, and what dice come to."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.any import dice
from engine.any.dice import MOST_DICE, Dice, Die, plain_die
from engine.flow import NotUnderstood

ATTACK = Die("attack", 4, ("miss", "hit", "hit", "flag"))
KINDS = {**{die.name: die for die in map(plain_die, (4, 6, 10, 100))}, "attack": ATTACK}


@st.composite
def written(draw: st.DrawFn) -> Dice:
    if draw(st.booleans()):
        return Dice(1, draw(st.integers(1, MOST_DICE)), ATTACK)
    groups = draw(st.integers(1, 6))
    number = draw(st.integers(1, MOST_DICE // groups))
    return Dice(
        groups,
        number,
        KINDS[draw(st.sampled_from(["d4", "d6", "d10", "d100"]))],
        draw(st.integers(-999, 999)),
        draw(st.integers(0, number - 1)),
    )


@given(written(), st.sampled_from(["", " combat", " then ben's turn"]))
def test_dice_are_read_back_as_they_are_written(thrown: Dice, rest: str) -> None:
    assert dice.read(dice.words(thrown) + rest, KINDS) == (thrown, rest.strip())


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("d6", "1d6"),
        ("1x2d6", "2d6"),
        ("3x 2d6 +1", "3x2d6+1"),
        ("4d6 keep highest 3", "4d6 keep 3"),
        ("4d6 keep 4", "4d6"),
        ("2d10 - 2", "2d10-2"),
    ],
)
def test_other_spellings_mean_one(text: str, canonical: str) -> None:
    thrown, rest = dice.read(text, KINDS)
    assert (dice.words(thrown), rest) == (canonical, "")


@pytest.mark.parametrize(
    "text", ["", "6", "2d7", "0d6", "61d6", "7x9d6", "2d6x", "2d6combat", "3 flag", "١d6", "d06"]
)
def test_what_names_no_dice_is_refused(text: str) -> None:
    with pytest.raises(NotUnderstood):
        dice.read(text, KINDS)


def test_what_dice_come_to() -> None:
    assert dice.said(Dice(1, 2, KINDS["d6"], 1), (4, 2)) == "4, 2: 7"
    assert dice.said(Dice(2, 2, KINDS["d6"]), (4, 2, 6, 6)) == "4, 2: 6 / 6, 6: 12"
    assert dice.said(Dice(1, 4, KINDS["d6"], 0, 3), (1, 6, 2, 5)) == "1, 6, 2, 5: 13"
    assert dice.said(Dice(1, 1, KINDS["d6"]), (3,)) == "3"
    assert dice.said(Dice(1, 3, ATTACK), (1, 2, 3)) == "1 miss, 2 hit"
