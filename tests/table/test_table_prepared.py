"""Answers to turns to come at the table: prepared by playing them, taken back, and signed when the
turn comes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pbem.home.home import Home
from tests.support.hex_match import HexMatch, hex_installed
from tests.support.table_kit import Visitor, needs_browser, served
from tests.table.test_table_files import Anns


@pytest.fixture
def match(tmp_path: Path) -> Iterator[HexMatch]:
    with hex_installed(tmp_path / "site-packages"):
        yield HexMatch(tmp_path / "hex").begin()


def at_the_table(match: HexMatch, folder: Path) -> Iterator[Anns]:
    with served(Home(match.ann.home), folder, match.ann.folder / match.last) as server:
        game = server.url.partition("/game/")[2].partition("?")[0]
        yield Anns(server, Home(match.ann.home), game)


@pytest.fixture
def anns(match: HexMatch, tmp_path: Path) -> Iterator[Anns]:
    """Ann's table, where it is her first turn."""
    yield from at_the_table(match, tmp_path / "out")


@pytest.fixture
def waiting(match: HexMatch, tmp_path: Path) -> Iterator[Anns]:
    """Ann's table, where Ben is to answer her first stone."""
    match.write(match.ann, "play", match.last, "c3")
    yield from at_the_table(match, tmp_path / "out")


def asked(anns: Anns) -> str:
    """Whose turn is played, as the page says it."""
    found = re.search(r'class="whose">([^<]*):', anns.page())
    return "" if found is None else found[1]


def play(anns: Anns, *answers: str) -> None:
    anns.does(prepare="play")
    for answer in answers:
        anns.does(answer=answer)


def test_they_are_played_while_one_waits(match: HexMatch, waiting: Anns) -> None:
    assert 'name="prepare" value="play"' in waiting.page() and asked(waiting) == ""
    waiting.does(prepare="play")
    assert asked(waiting) == "If they play"
    page = waiting.page()
    assert 'value="swap"' in page and 'name="sign"' not in page and "film?trying" not in page
    waiting.does(answer="b2")
    assert asked(waiting) == "Then you play" and 'value="b2"' not in waiting.page()
    assert 'value="keep"' not in waiting.page()
    waiting.does(answer="b3")
    assert asked(waiting) == "If they play" and 'value="keep"' in waiting.page()
    waiting.does(back="1")
    waiting.does(answer="b4")
    waiting.does(prepare="keep")
    assert match.ann.does("show", match.game)["prepared"] == ["if b2 then b4"]
    play(waiting, "swap", "a1", "d4", "d5")
    waiting.does(prepare="keep")
    both = ["if b2 then b4", "if swap then a1; if then d4 then d5"]
    assert match.ann.does("show", match.game)["prepared"] == both
    assert all(words in waiting.page() for words in both)
    waiting.does(**{"drop-prepared": "1"})
    assert match.ann.does("show", match.game)["prepared"] == both[1:]


def test_what_is_left_or_not_whole_prepares_nothing(match: HexMatch, waiting: Anns) -> None:
    play(waiting, "b2")
    assert "what do you answer" in waiting.does(prepare="keep").body.decode()
    waiting.does(answer="b3")
    waiting.does(prepare="leave")
    assert asked(waiting) == "" and match.ann.does("show", match.game)["prepared"] == []
    assert "nothing is played ahead" in waiting.does(prepare="keep").body.decode()
    play(waiting, "b2")
    assert "Not taken" in (body := waiting.does(answer="b2").body.decode()) or "stone" in body
    assert "not signed" in waiting.does(sign="yes").body.decode()
    assert match.signed(match.ann) == ["0000.toml", "0002.toml"]


def test_they_go_with_the_turn_in_the_making(match: HexMatch, anns: Anns) -> None:
    assert 'value="play"' not in anns.page(), "first comes the turn"
    anns.does(answer="c3")
    play(anns, "b2", "b3")
    anns.does(prepare="keep")
    assert 'name="sign"' in anns.page() and "if b2 then b3" in anns.page()
    anns.does(**{"drop-prepared": "line"})
    assert "if b2 then b3" not in anns.page()
    play(anns, "d4", "d5")
    anns.does(prepare="keep")
    anns.does(sign="yes")
    assert match.ann.does("show", match.game)["prepared"] == ["if d4 then d5"]


def test_the_first_page_signs_what_fits_and_tells(match: HexMatch, waiting: Anns) -> None:
    play(waiting, "b2", "b3")
    waiting.does(prepare="keep")
    match.write(match.ben, "play", match.last, "b2")
    assert match.signed(match.ann) == ["0000.toml", "0002.toml"]
    (match.ann.home / "mail.toml").write_text(f"inbox = ['{match.ann.folder}']\n")
    page = waiting.client.ask("GET", "/").body.decode()
    assert "answered as you had prepared: b3" in page and "pbem play" not in page
    assert match.signed(match.ann) == ["0000.toml", "0002.toml", "0004.toml"]
    assert "answered as" not in waiting.client.ask("GET", "/").body.decode()
    assert "It was not sent from here" in waiting.page()


def test_a_game_with_dice_offers_none(tmp_path: Path, match: HexMatch) -> None:
    invitation = match.ann.does("new", "backgammon", "--no-mail")["file"]
    joined = match.ben.does("join", invitation, "--no-mail")["file"]
    match.files.append(Path(joined).name)
    for anns in at_the_table(match, tmp_path / "out"):
        assert 'name="prepare"' not in anns.page()
        assert "dice" in anns.does(prepare="play").body.decode()


@needs_browser
@pytest.mark.dear("drives a browser")
def test_they_are_clicked_on_the_board(match: HexMatch, chromium: Any, tmp_path: Path) -> None:
    """What they play and what is answered, by a click each; taken back, prepared again, and signed
    by the first page once the turn has come."""
    match.write(match.ann, "play", match.last, "c3")
    file = match.ann.folder / match.last
    with served(Home(match.ann.home), tmp_path / "out", file) as server:
        visitor = Visitor(chromium, server)
        for theirs, mine in (("b2", "b3"), ("b4", "d2")):
            open_drawer(visitor)
            visitor.click('[name="prepare"][value="play"]')
            visitor.until("() => document.querySelectorAll('.pin.can-go').length > 20")
            visitor.click(f'.pin[data-place="{theirs}"]')
            visitor.click(f'.pin[data-place="{mine}"]')
            visitor.click('[name="prepare"][value="keep"]')
        prepared = match.ann.does("show", match.game)["prepared"]
        assert prepared == ["if b2 then b3", "if b4 then d2"]
        open_drawer(visitor)
        visitor.click('[name="drop-prepared"][value="2"]')
        assert match.ann.does("show", match.game)["prepared"] == prepared[:1]
        match.write(match.ben, "play", match.last, "b2")
        visitor.page.goto(server.url.partition("/game/")[0])
        visitor.page.locator("#take-file").set_input_files(match.ben.folder / match.last)
        visitor.page.get_by_role("button", name="Take it in").click()
        visitor.page.get_by_text("answered as you had prepared: b3").wait_for()
        assert match.signed(match.ann)[-1] == "0004.toml"
        assert visitor.problems == []
        visitor.close()


def open_drawer(visitor: Visitor) -> None:
    if not visitor.page.locator("#prepared-title").is_visible():
        visitor.page.locator("#log-button").click()
        visitor.page.locator("#prepared-title").wait_for()
