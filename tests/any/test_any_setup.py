"""A setup is read as it is meant, and a hostile one is refused at its line."""

from __future__ import annotations

import contextlib
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.any import RULES
from engine.any.setup_lines import RESERVED, read
from engine.rules import BadData

ROOT = Path(__file__).parents[2]
WAR = (
    "title Wilderness War",
    "seats France, Britain",
    "begins britain",
    "dice d6, d10",
    "die attack: miss, miss, hit, flag",
    "roll combat",
    "roll weather: 2d6",
    "counter victory: -10 to 10, start 0, shared",
    "counter supply: 0 to 9, start 3, each",
    "counter reserve: 1 to 4, of france",
)


def lines(*contents: str) -> list[str]:
    return [f"setup: {content}" for content in contents]


def test_a_setup_says_what_there_is() -> None:
    setup = read(lines(*WAR))
    assert (setup.title, setup.seats, setup.first) == ("Wilderness War", ("france", "britain"), 1)
    assert list(setup.dice) == ["d6", "d10", "attack"] and setup.dice["attack"].sides == 4
    weather = setup.roll("weather")
    assert weather is not None and weather.dice is not None and weather.dice.number == 2
    assert [(one.start, one.owners) for one in setup.counters] == [
        (0, (-1,)),
        (3, (0, 1)),
        (1, (0,)),
    ]
    assert RULES.with_data(lines(*WAR)).reasons == ("roll", "combat", "weather")


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ("seats ann, ben", "second line"),
        ("roll combat", "named twice"),
        ("roll c0mbat", "looks like"),
        ("counter france: 0 to 3", "named twice"),
        ("counter supp1y: 0 to 3", "looks like"),
        ("counter gold: 5 to 1", "larger one"),
        ("counter gold: 0 to 9, start 12", "larger one"),
        ("counter gold: 0 to 99999", "says nothing"),
        ("counter gold: of spain", "no seat"),
        ("begins spain", "second line"),
        ("die cup: one", "2 to 20"),
        ("die cup: hit, h1t", "look alike"),
        ("dice d1", "sides"),
        ("dice d101", "sides"),
        ("dice d6", "named twice"),
        ("roll storm: 2d12", "has no d12"),
        ("roll storm: 2d6 combat", "follows"),
        ("roll turn", "meaning already"),
        ("roll d4", "meaning already"),
        ("roll a14", "meaning already"),
        ("roll gоld", "letters from a to z"),
        ("roll gold\u202e", "letters from a to z"),
        ("deck cards: 1-50", "meaning already"),
        ("title ", "1 to 40"),
    ],
)
def test_what_does_not_hold_is_refused_at_its_line(wrong: str, words: str) -> None:
    contents = [*WAR, wrong]
    if wrong.startswith("title"):
        contents = [wrong, *WAR[1:]]
    with pytest.raises(BadData, match=words) as caught:
        read(lines(*contents))
    assert caught.value.line == (0 if wrong.startswith("title") else len(WAR))


def test_every_setup_of_the_docs_is_read() -> None:
    text = (ROOT / "docs" / "any.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^(?:    .+\n)+", text, re.MULTILINE)
    setups = [[one.strip() for one in block.splitlines()] for block in blocks if "seats" in block]
    decks = [deck for one in setups for deck in read(lines(*one)).decks]
    assert len(setups) == 5 and {deck.is_shared for deck in decks} == {True, False}


def test_a_setup_without_players_is_none() -> None:
    with pytest.raises(BadData, match="who plays"):
        read(lines("dice d6"))
    with pytest.raises(BadData, match="two to 8"):
        read(lines("seats " + ", ".join(f"{chr(97 + at) * 3}" for at in range(9))))


@given(st.lists(st.one_of(st.text(max_size=40), st.sampled_from(WAR)), max_size=6))
def test_any_lines_are_read_or_refused_by_name(contents: list[str]) -> None:
    with contextlib.suppress(BadData):
        setup = read(lines(*contents))
        assert 2 <= len(setup.seats) <= 8
        names = {*setup.seats, *setup.dice, *(one.name for one in setup.counters)}
        assert not names & RESERVED
