"""The pages as people meet them: every width and light, hostile names, without JavaScript, and what
axe-core finds."""

from __future__ import annotations

import html
import re
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from pbem.games import registry
from pbem.home.home import Home
from pbem.turn import joining, open_game
from tests.support.homes import make_home
from tests.support.table_kit import Client, Visitor, needs_browser, served

EVIL = "<img src=x onerror=alert(1)>{{7*7}}"


def game(folder: Path, name: str = "Ben") -> tuple[Home, Path]:
    """Ann's home and a game of hers that has begun, with somebody of this name."""
    ann, ben = make_home(folder / "ann"), make_home(folder / "ben", name, "ben@example.org")
    data = joining.invite(ann, joining.NewGame("tripoli"))
    data = joining.join(open_game.open_file(data, ben), ben)
    path = folder / "game.toml"
    path.write_bytes(data)
    return ann, path


@pytest.mark.dear("drives a browser")
@needs_browser
def test_no_width_scrolls_sideways_and_axe_finds_nothing(chromium: Any, tmp_path: Path) -> None:
    from axe_playwright_python.sync_playwright import Axe

    ann, path = game(tmp_path)
    with served(ann, tmp_path / "files", path) as server:
        visitor = Visitor(chromium, server, bypass_csp=True)
        page = visitor.page
        entry, home = page.url + "/entry/1", page.url.partition("/game")[0]
        for number, address in enumerate((None, entry, home)):
            if address is not None:
                page.goto(address)
            for scheme, width in product(("light", "dark"), (360, 1600, 800)):
                page.emulate_media(color_scheme=scheme)
                page.set_viewport_size({"width": width, "height": 900})
                assert page.evaluate(
                    "[innerWidth, matchMedia('(prefers-color-scheme: dark)').matches]"
                ) == [*(width, scheme == "dark")]
                assert page.evaluate("document.documentElement.scrollWidth") <= width
                if width == 800 and number == 0 and not page.locator("#besides").count():
                    # what stands beside a card is looked at as well
                    page.locator(".held [data-card]").first.click()
                if width == 800:
                    found = Axe().run(page).response["violations"]
                    assert [
                        (one["id"], one["nodes"][0]["html"])
                        for one in found
                        if one["impact"] in _SERIOUS
                    ] == [], number
        visitor.close()


_SERIOUS = ("serious", "critical")


@pytest.mark.dear("drives a browser")
@needs_browser
def test_names_and_messages_stay_text(chromium: Any, tmp_path: Path) -> None:
    ann, path = game(tmp_path, EVIL)
    with served(ann, tmp_path / "files", path) as server:
        visitor = Visitor(chromium, server)
        assert EVIL in visitor.page.locator("main").inner_text()
        visitor.give(
            next(answer for answer in visitor.answers() if answer.startswith("build with"))
        )
        visitor.page.locator("summary", has_text="A message").click()
        visitor.page.locator("#message").fill(f"</textarea><script>alert(1)</script>{EVIL}")
        visitor.click('button[name="say"]')
        assert visitor.page.locator("#message").input_value().startswith("</textarea><script>")
        visitor.sign()
        visitor.page.goto(visitor.page.url + "/entry/2")
        assert "<script>alert(1)</script>" in visitor.page.locator("blockquote").inner_text()
        assert visitor.page.locator("main img, main script").count() == 0
        visitor.page.goto(visitor.page.url.partition("/game")[0])
        assert EVIL in visitor.page.locator("main").inner_text()
        assert (
            visitor.page.locator("main img:not(.small-board img, .box-board), main script").count()
            == 0
        )
        assert visitor.problems == []
        visitor.close()


def test_a_turn_without_javascript(tmp_path: Path) -> None:
    ann, path = game(tmp_path)
    with served(ann, tmp_path / "files", path) as server:
        client = Client(server)
        place = client.enter().headers["location"]

        def mark(body: bytes) -> str:
            return body.partition(b'data-mark="')[2][:16].decode()

        shown = client.ask("GET", place).body
        answer = (
            shown.partition(b'data-answer="build with ')[2]
            .partition(b'"')[0]
            .decode()
            .replace("&#39;", "'")
        )
        shown = client.post(f"{place}/do", mark=mark(shown), answer=f"build with {answer}").body
        assert b"<!DOCTYPE html>" in shown and b'data-action="sign"' in shown
        signed = client.post(f"{place}/do", mark=mark(shown), sign="yes")
        assert b"data-file=" in signed.body
        assert (
            client.post(f"{place}/do", mark=mark(shown), sign="yes").body.count(
                b"This page was behind"
            )
            == 1
        )
    assert sorted(path.suffix for path in (tmp_path / "files").iterdir()) == [
        ".eml",
        ".md",
        ".toml",
    ]


def test_what_is_dropped_is_taken_in(tmp_path: Path) -> None:
    _, path = game(tmp_path)
    ben = Home(tmp_path / "ben")
    with served(ben, tmp_path / "files") as server:
        client = Client(server)
        client.enter()
        answer = client.ask("POST", "/take?name=game.toml", path.read_bytes())
        assert b'"game":"tripoli-' in answer.body
        body = client.ask("GET", "/").body
        assert b"The Shores of Tripoli" in body and b"Waiting for others" in body


def test_a_new_game_is_begun(tmp_path: Path) -> None:
    ann = make_home(tmp_path / "ann")
    with served(ann, tmp_path / "files") as server:
        client = Client(server)
        client.enter()
        fields = {
            "game": "tripoli",
            "tripoli.seat": "tripolitan",
            "tripoli.hidden-discard": "1",
            "opponents": "",
        }
        answer = client.post("/new", **fields)
        assert answer.status == 303
        body = client.ask("GET", answer.headers["location"]).body
        assert b"hidden discard" in body and b"tripolitan: Ann (you)" in body
        wrong = client.post("/new", game="nothing")
        assert wrong.status == 200 and b"refusal" in wrong.body
        wrong = client.post("/new", **{"game": "loot", "loot.players": "99"})
        assert b"refusal" in wrong.body
    assert len(list((tmp_path / "files").glob("*.toml"))) == 1


@pytest.mark.parametrize("topic", [*registry.known_games(), "table"])
def test_a_page_of_help_leads_on_within_the_table(tmp_path: Path, topic: str) -> None:
    with served(make_home(tmp_path / "ann"), tmp_path / "files") as server:
        client = Client(server)
        client.enter()
        answer = client.ask("GET", f"/help/{topic}")
        body = answer.body.decode()
        assert answer.status == 200 and len(body) > 2000 and "<img" not in body
        links = set(re.findall(r'href="([^"]*)"', body.partition("<main")[2]))
        assert all(link == "/" or client.ask("GET", link).status == 200 for link in links)


def test_a_word_that_no_page_is_about(tmp_path: Path) -> None:
    with served(make_home(tmp_path / "ann"), tmp_path / "files") as server:
        client = Client(server)
        client.enter()
        for topic in ("nothing", "%3Cscript%3E", "..%2f..%2fpyproject", ""):
            answer = client.ask("GET", f"/help/{topic}")
            assert answer.status == 404 and b"<script>" not in answer.body


def test_what_a_turn_brought_stands_on_its_page_after_the_signature(tmp_path: Path) -> None:
    ann, path = game(tmp_path)
    with served(ann, tmp_path / "files", path) as server:
        client = Client(server)
        place = client.enter().headers["location"]

        def done(body: bytes, **fields: str) -> bytes:
            return client.post(
                f"{place}/do", mark=body.partition(b'data-mark="')[2][:16].decode(), **fields
            ).body

        shown = client.ask("GET", place).body
        answer = re.search(rb'data-answer="(build with [^"]*)"', shown)
        assert answer is not None
        signed = done(done(shown, answer=html.unescape(answer[1].decode())), sign="yes")
        assert (
            b"What your turn brought" in signed
            and b"to build: one gunboat is placed in Malta" in signed
        )
