"""The first page for somebody who has never played: a name, a first game alone, an invitation, and
no command."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pbem.fileformat import turnfile
from pbem.home.home import Home
from tests.support.homes import key_of, make_home
from tests.support.mail_kit import start
from tests.support.table_kit import Client, Visitor, needs_browser, served

pytestmark = pytest.mark.dear("drives a browser")


@needs_browser
def test_a_newcomer_begins_and_invites(chromium: Any, tmp_path: Path) -> None:
    home = Home(tmp_path / "ann")
    with served(home, tmp_path / "files") as server:
        visitor = Visitor(chromium, server)
        page = visitor.page
        assert "Welcome" in page.locator("h1").inner_text()
        page.locator("#name").fill("Ann")
        page.locator("#mail").fill("no address")
        page.locator("button.main").click()
        assert "no plain mail address" in page.locator(".refusal").inner_text()
        assert (page.locator("#name").input_value(), page.locator("#mail").input_value()) == (
            "Ann",
            "no address",
        )
        page.locator("#mail").fill("ann@example.org")
        page.locator("button.main").click()
        page.locator("h1", has_text="Your games").wait_for()
        assert home.identity().name == "Ann" and home.identity().mail == "ann@example.org"
        alone = page.locator('form:has([data-action="alone"])')
        assert ["printed game" in text for text in alone.all_inner_texts()] == [False, True], (
            "what needs one is last"
        )
        alone.first.locator("button").click()
        page.locator('main[data-turn="yours"]').wait_for()
        page.goto(page.url.partition("/game")[0])
        assert page.locator("#games .yours").count() == 1
        assert "turn 0" not in page.locator("#games").inner_text(), "it has just begun"
        page.locator('[name="game"][value="loot"]').check()
        page.locator("#opponents").fill("nobody I know")
        page.locator('[data-action="invite"]').click()
        page.locator(".refusal").wait_for()
        assert (
            page.locator(".refusal").count() == 1
            and page.locator("#opponents").input_value() == "nobody I know"
        )
        assert page.locator('[name="game"][value="loot"]').is_checked()
        page.locator("#opponents").fill("")
        page.locator('[data-action="invite"]').click()
        page.locator(".signed").wait_for()
        assert [problem for problem in visitor.problems if "favicon" not in problem] == []
        visitor.close()
    games = {
        turnfile.read(path.read_bytes()).entries[0].text("game")
        for path in (tmp_path / "files").glob("*.toml")
    }
    assert games == {"tripoli-solitaire", "loot"}


def test_a_seat_is_kept_for_a_key(tmp_path: Path) -> None:
    from pbem.fileformat.encoding import b64

    with served(make_home(tmp_path / "ann"), tmp_path / "files") as server:
        client = Client(server)
        client.enter()
        assert client.post("/new", game="tripoli", opponents=b64(key_of("Ben"))).status == 303
    (path,) = (tmp_path / "files").glob("*.toml")
    assert turnfile.read(path.read_bytes()).entries[0].list("invites") == [
        f"tripolitan {b64(key_of('Ben'))}"
    ]


@pytest.mark.parametrize("name", ["", "   ", "A\u200bnn", "x" * 81])
def test_a_name_that_cannot_be_signed_makes_no_key(tmp_path: Path, name: str) -> None:
    home = Home(tmp_path / "ann")
    with served(home, tmp_path / "files") as server:
        client = Client(server)
        client.enter()
        answer = client.post("/name", name=name, mail="")
        assert answer.status == 200 and b"refusal" in answer.body
    assert not home.has_identity()


def test_an_address_without_a_dot_is_asked_for_once_more(tmp_path: Path) -> None:
    home = Home(tmp_path / "ann")
    with served(home, tmp_path / "files") as server:
        client = Client(server)
        client.enter()
        asked = client.post("/name", name="Ann", mail="ann@exampleorg")
        assert asked.status == 200 and b"has no dot behind the @" in asked.body
        assert not home.has_identity()
        assert b'name="mail_before" value="ann@exampleorg"' in asked.body
        other = client.post("/name", name="Ann", mail="ann@host", mail_before="ann@exampleorg")
        assert other.status == 200 and not home.has_identity()
        assert (
            client.post("/name", name="Ann", mail="ann@host", mail_before="ann@host").status == 303
        )
    assert home.identity().mail == "ann@host"


@pytest.mark.parametrize("emoji", ["\u2620\ufe0f", "\U0001f469\u200d\U0001f680"])
def test_an_emoji_that_is_refused_in_a_name_is_shown(tmp_path: Path, emoji: str) -> None:
    home = Home(tmp_path / "ann")
    with served(home, tmp_path / "files") as server:
        client = Client(server)
        client.enter()
        answer = client.post("/name", name=f"Ann {emoji}", mail="").body.decode()
    assert f"the name holds {emoji}, an emoji" in answer and not home.has_identity()


@needs_browser
def test_the_list_shows_small_boards_which_lead_to_their_games(
    chromium: Any, tmp_path: Path
) -> None:
    game = start(tmp_path / "game")
    (tmp_path / "game.toml").write_bytes(game.newest)
    with served(game.homes["american"], tmp_path / "files", tmp_path / "game.toml") as server:
        visitor = Visitor(chromium, server)
        page = visitor.page
        page.locator(".home-link").click()
        board = page.locator(".games .small-board img")
        assert board.evaluate("one => one.decode().then(() => one.naturalWidth)") > 100
        box = board.bounding_box()
        assert box["width"] > 90 and box["height"] > 80
        board.click()
        page.locator("#view[data-lies]").wait_for()
        assert visitor.problems == []
        visitor.close()


def test_a_name_is_asked_for_once(tmp_path: Path) -> None:
    home = make_home(tmp_path / "ann")
    with served(home, tmp_path / "files") as server:
        client = Client(server)
        client.enter()
        assert client.post("/name", name="Mallory", mail="").status == 303
    assert home.identity().name == "Ann"
