"""Answers to turns to come, prepared in a turn that is led at a terminal."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from tests.support.hex_match import HexMatch, hex_installed
from tests.support.screen import Seat, at_a_screen


@pytest.fixture
def match(tmp_path: Path) -> Iterator[HexMatch]:
    with hex_installed(tmp_path / "site-packages"):
        yield HexMatch(tmp_path / "hex").begin()


def led(match: HexMatch) -> AbstractContextManager[Seat]:
    """Ann's turn at a terminal, where the program finds pbem and Hex."""
    path = os.pathsep.join([str(Path(__file__).parents[3]), str(match.folder / "../site-packages")])
    arguments = ("play", match.last, "--no-mail")
    return at_a_screen(match.ann.home, match.ann.folder, *arguments, PYTHONPATH=path)


def at_the_end(screen: Seat, line: str) -> str:
    """What is shown once this line is entered where one is asked to sign."""
    screen.types(line)
    screen.waits()
    return screen.last(30)


def test_they_are_prepared_before_the_turn_is_signed(match: HexMatch) -> None:
    with led(match) as screen:
        assert "first comes your whole turn" in at_the_end(screen, "if b2 then b3")
        assert "Sign it?" in at_the_end(screen, "c3")
        assert "Not taken" in at_the_end(screen, "if b2 then c3")
        shown = at_the_end(screen, "if b2 then b3; if then b4 then d2")
        assert "Prepared: if b2 then b3; if then b4 then d2" in shown and "Sign it?" in shown
        at_the_end(screen, "if swap then a1")
        screen.keys("yes\r")
        assert screen.ends() == 0, screen.text()
    assert match.ann.does("show", match.game)["prepared"] == [
        "if b2 then b3; if then b4 then d2",
        "if swap then a1",
    ]


def test_they_are_left_out_again_and_what_waits_is_shown(match: HexMatch) -> None:
    match.write(match.ann, "play", match.last, "c3", "--if", "b2 then b3")
    match.write(match.ben, "play", match.last, "b2")
    with led(match) as screen:
        assert "You have prepared: b3" in screen.waits().text()
        at_the_end(screen, "e1")
        at_the_end(screen, "if b4 then b5")
        assert "Nothing is prepared" in at_the_end(screen, "if")
        screen.keys("yes\r")
        assert screen.ends() == 0, screen.text()
    assert match.ann.does("show", match.game)["prepared"] == []
