"""The cards of any game at the table: a hand, decks and the table, clicked and dragged to."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pbem.home.home import Home
from tests.any.test_any_cards_mail import Match
from tests.support.table_kit import Visitor, needs_browser, served

SETUP = (
    "seats france, britain",
    "dice d6",
    "deck plans: 1-30, each, start 5, limit 9, reshuffle",
    "deck chits: white x2, black, face up",
)
pytestmark = [needs_browser, pytest.mark.dear("drives a browser")]


@pytest.fixture
def match(tmp_path: Path) -> Match:
    return Match(tmp_path, SETUP, "Ann", "Ben")


def pin(name: str) -> str:
    return f'.pin[data-place="{name}"]'


def beside(visitor: Visitor, words: str) -> None:
    visitor.click(f'#besides button[data-give="{words}"]')


def given(visitor: Visitor, words: str) -> None:
    """It is the newest answer of the turn."""
    newest = f'.line li:last-child[data-answers="{words}"]'
    visitor.page.locator(newest).wait_for(state="attached")


def test_cards_are_clicked_and_dragged_to_decks_and_the_table(
    match: Match, chromium: Any, tmp_path: Path
) -> None:
    held = match.hand("Ann")
    home = Home(match.players["Ann"].home)
    with served(home, tmp_path / "out", tmp_path / match.file) as server:
        visitor = Visitor(chromium, server)
        page = visitor.page
        page.locator(f'.held [data-card="{held[0]}"]').drag_to(page.locator(pin("table")))
        given(visitor, f"play {held[0]}")  # the table takes it at once
        page.locator(f'.held [data-card="{held[1]}"]').drag_to(page.locator(pin("plans")))
        beside(visitor, f"put under the deck {held[1]}")
        page.locator(f'.held [data-card="{held[2]}"]').click()
        beside(visitor, f"discard face down {held[2]}")
        assert "can-go" not in page.locator(pin("plans of britain")).get_attribute("class")
        page.locator(pin("table")).click()
        beside(visitor, f"take {held[0]} from table")
        page.locator(pin("plans")).click()
        beside(visitor, "draw 2 from plans")
        assert visitor.line() == [
            f"play {held[0]}",
            f"put under the deck {held[1]}",
            f"discard face down {held[2]}",
            f"take {held[0]} from table",
            "draw 2 from plans",
        ]
        visitor.close()


def test_a_telephone_has_the_same_by_touch(match: Match, chromium: Any, tmp_path: Path) -> None:
    held = match.hand("Ann")
    home = Home(match.players["Ann"].home)
    with served(home, tmp_path / "out", tmp_path / match.file) as server:
        visitor = Visitor(chromium, server, has_touch=True, is_mobile=True)
        page = visitor.page
        page.set_viewport_size({"width": 390, "height": 844})
        page.locator(f'.held [data-card="{held[0]}"]').tap()
        page.locator(f'#besides button[data-give="discard {held[0]}"]').tap()
        given(visitor, f"discard {held[0]}")
        page.locator(pin("chits")).tap()
        page.locator('#besides button[data-give="draw 1 from chits"]').tap()
        given(visitor, "draw 1 from chits")
        visitor.close()
