"""Dice of any number of sides: which numbers come, how many bytes they take, how they are
counted."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.flow import SIDES, Roll
from engine.loot import RULES as LOOT
from engine.table import OpenTable
from pbem.crypto.randomness import Stream
from pbem.ledger.invitation import Invitation
from pbem.ledger.ledger import Ledger
from pbem.report import dice_count
from pbem.report.dice_count import ChanceFacts, DiceFacts, FaceCounts, RollFacts


@given(st.sampled_from(SIDES), st.binary(min_size=1, max_size=64), st.integers(1, 40))
def test_dice_are_bytes_below_the_largest_multiple(sides: int, key: bytes, number: int) -> None:
    stream, plain = Stream(key, b"game"), Stream(key, b"game")
    dice = stream.dice(number, sides)
    taken = [
        byte for byte in (plain.byte() for _ in range(stream.offset)) if byte < 256 - 256 % sides
    ]
    assert dice == tuple(byte % sides + 1 for byte in taken)
    assert set(dice) <= set(range(1, sides + 1))


@pytest.mark.parametrize("sides", [2, 10, 100])
def test_every_face_comes_equally_often(sides: int) -> None:
    counted = Counter(Stream(b"key", b"game").dice(400 * sides, sides))
    assert set(counted) == set(range(1, sides + 1))
    chi_square = sum((counted[face] - 400) ** 2 / 400 for face in counted)
    assert chi_square < sides + 5 * (2 * sides) ** 0.5


@pytest.mark.parametrize("sides", [1, 0, -6, 101, 256])
def test_no_other_dice(sides: int) -> None:
    with pytest.raises(ValueError, match="2 to 100 sides"):
        Stream(b"key", b"game").dice(1, sides)


def test_an_open_table_throws_them_too() -> None:
    table = OpenTable(LOOT, {}, Random(1))
    table.game.flow = lambda: iter_rolls()  # type: ignore[method-assign,assignment,return-value]
    assert set(table.play(lambda game, ask, answers: answers[0])) == set(range(1, 21))  # type: ignore[call-overload]


def iter_rolls():  # type: ignore[no-untyped-def]
    dice = yield Roll(0, 400, "many", 20)
    return dice


def roll(seat: str, sides: int, dice: list[int]) -> RollFacts:
    return RollFacts(
        "turn 1",
        "a throw",
        seat,
        dice,
        len(dice),
        sides,
        "second",
        False,
        ChanceFacts(3, "00", 0, []),
    )


def test_dice_are_counted_by_their_kind() -> None:
    game = Ledger()
    game.open(Invitation.to(LOOT, {}, b""))
    found = [roll("first", 6, [1, 6, 6]), roll("second", 20, [20, 13]), roll("first", 20, [1])]
    totals = dice_count.totals(game, found)
    assert list(totals) == ["d6", "d20"]
    assert totals["d6"]["first"] == FaceCounts(
        3, {**dict.fromkeys("12345", 0), "1": 1, "6": 2}, 0.5
    )
    assert totals["d20"]["all"].dice == 3 and totals["d20"]["second"].faces["13"] == 1
    words = dice_count.dice_in_words(
        DiceFacts("A game", "00", "turn", found, True, totals, [], 0, 0)
    )
    assert "a throw: 20 13 (dice of 20 sides)\n" in words and "a throw: 1 6 6\n" in words
    assert words.startswith("dice of 6 sides\n") and "\ndice of 20 sides\n" in words
    assert max(map(len, words.splitlines())) < 110
