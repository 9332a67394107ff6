"""Players say names where the rules have seats, and read names where the file has seats."""

from __future__ import annotations

import pytest

from pbem.games.any.names import meant, said

CALLED = {"first": "Ann", "second": "Ben Hur", "third": "third"}
WORDS = frozenset({"roll", "turn", "first", "second", "third", "wins"})


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("Ben Hur's turn", "second's turn"),
        ("roll 2d6 then ben hur's turn", "roll 2d6 then second's turn"),
        ("Ann wins, 42 to 37 to 3", "first wins, 42 to 37 to 3"),
        ("Ben Hur: does Ann react?", "second: does Ann react?"),
        ('ask Ann "is it Ann?"', 'ask first "is it Ann?"'),
        ("answer: Ann does", "answer: Ann does"),
        ("Anna's turn", "Anna's turn"),
        ("second's turn", "second's turn"),
    ],
)
def test_names_are_read_as_seats(written: str, read: str) -> None:
    assert meant(written, CALLED, WORDS) == read


def test_a_name_that_is_a_word_of_the_game_stays() -> None:
    assert meant("roll 2d6", {"first": "Roll", "second": "Ben"}, WORDS) == "roll 2d6"


@pytest.mark.parametrize(
    ("act", "shown"),
    [
        ("roll 2d6 then second's turn", "roll 2d6 then Ben Hur's turn"),
        ('ask first "who is first?"', 'ask Ann "who is first?"'),
        ("end: first and second win", "end: Ann and Ben Hur win"),
    ],
)
def test_seats_are_shown_as_names(act: str, shown: str) -> None:
    assert said(act, CALLED) == shown


def test_seats_of_a_setup_keep_their_own_names() -> None:
    assert said("france's supply -1", {"france": "Ann", "britain": "Ben"}) == "France's supply -1"


@pytest.mark.parametrize(
    ("called", "text"),
    [
        ("Ben's", "blue's turn"),
        ("blue's turn", "blue's turn"),
        ("red and blue", "red and blue win"),
        ("5", "gold +5"),
        ("Then", "roll 2d6 then blue's turn"),
        ("x", "roll 3 x 2d6"),
    ],
)
def test_no_name_changes_what_an_act_of_others_means(called: str, text: str) -> None:
    players = {"red": "Ann", "blue": "Ben", "green": called}
    words = {"red", "blue", "green", "gold", "roll", "turn", "x"}
    assert meant(text, players, words) == text
    assert meant("roll 2d6 then Ben's turn", players, words) == "roll 2d6 then blue's turn"
