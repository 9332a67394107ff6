"""Files that go with turns at the table: chosen, shown, left out, signed; and those that came with
turns, to keep and never to be opened there."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from pbem.fileformat import turnfile
from pbem.fileformat.attached import MOST_BYTES, files_of
from pbem.home.home import Home
from pbem.table.open_games import OpenGames
from pbem.table.request import PageRequest
from pbem.table.routes import Table as Pages
from pbem.table.server import TableServer
from pbem.web.out import out
from tests.mail.test_files_with_turns import NAME, SAVED, Table, awaits
from tests.mail.test_files_with_turns import table as table
from tests.support.table_kit import Answer, Client, Visitor, needs_browser, served

HOSTILE = "board.svg.html"
SCRIPT = b"<svg xmlns='http://www.w3.org/2000/svg'><script>document.title='run'</script></svg>"


def facts(answer: Answer) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(answer.body)
    return found


class Anns:
    """Ann's table in a program's hands, where it is her turn."""

    def __init__(self, server: TableServer, home: Home, game: str) -> None:
        self.client, self.home, self.game = Client(server), home, game
        self.client.enter()

    def attach(self, name: str, data: bytes, more: str = "") -> dict[str, Any]:
        path = f"/take?name={quote(name)}&with={self.game}{more}"
        return facts(self.client.ask("POST", path, data))

    def page(self) -> str:
        return unescape(self.client.ask("GET", f"/game/{self.game}").body.decode())

    def does(self, **fields: str) -> Answer:
        mark = re.search(r'data-mark="([^"]*)"', self.page())
        assert mark is not None
        return self.client.post(f"/game/{self.game}/do", mark=mark[1], **fields)

    def signs(self) -> turnfile.Entry:
        """The newest entry, once all that is asked was answered."""
        while 'name="sign"' not in (page := self.page()):
            answer = re.search(r'name="answer" value="([^"]*)"', page)
            assert answer is not None
            self.does(answer=answer[1])
        self.does(sign="yes")
        (folder,) = (self.home.folder / "games").iterdir()
        signed = max((folder / "signed").glob("*.toml")).read_bytes()
        return turnfile.read(signed).entries[-1]


@pytest.fixture
def anns(table: Table, tmp_path: Path) -> Iterator[Anns]:
    with served(Home(table.ann.home), tmp_path / "out") as server:
        yield Anns(server, Home(table.ann.home), table.game)


def test_a_file_is_chosen_shown_and_signed(anns: Anns, table: Table) -> None:
    assert NAME in anns.attach(NAME, SAVED)["attached"]
    page = anns.page()
    assert len(re.findall(rf"<bdi>{NAME}</bdi>, 12 kB", page)) == 2, "by the button, to leave out"
    assert [one.name for one in files_of(anns.signs())] == [NAME]
    assert [path.read_bytes() for path in table.kept(table.ann)] == [SAVED]


def test_one_that_was_left_out_does_not_go(anns: Anns, table: Table) -> None:
    anns.attach(NAME, SAVED)
    anns.attach("other.vsav", b"other")
    anns.does(**{"drop-file": "0"})
    assert NAME not in anns.page()
    assert [one.name for one in files_of(anns.signs())] == ["other.vsav"]
    assert len(table.kept(table.ann)) == 1
    anns.does(**{"drop-file": "9"})


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("../../evil", b"x"),
        ("a/b", b"x"),
        ("", b"x"),
        ("con.vsav", b"x"),
        (".bashrc", b"x"),
        ("a\u202egpj.exe", b"x"),
        ("a\r\nX: y", b"x"),
        ('a"b', b"x"),
        ("x" * 101, b"x"),
        (NAME, b""),
        (NAME, bytes(MOST_BYTES + 1)),
    ],
)
def test_what_cannot_go_is_refused_and_nothing_is_kept(
    anns: Anns, table: Table, name: str, data: bytes
) -> None:
    assert "error" in anns.attach(name, data)
    assert table.kept(table.ann) == [] and 'name="drop-file"' not in anns.page()


def test_the_largest_goes_and_one_of_the_same_name_takes_its_place(anns: Anns) -> None:
    anns.attach("A.vsav", SAVED)
    anns.attach("A.vsav", bytes(MOST_BYTES))
    assert anns.page().count('name="drop-file"') == 1
    assert "error" in anns.attach("a.vsav", b"x")


def test_nobody_elses_turn_gets_a_file(anns: Anns) -> None:
    anns.signs()
    assert "error" in anns.attach(NAME, SAVED)
    assert "error" in facts(anns.client.ask("POST", "/take?name=a&with=nothing-here", b"x"))


def test_a_turn_that_is_dropped_is_taken_in_and_anything_else_goes(
    anns: Anns, table: Table
) -> None:
    turn = table.path(1).read_bytes()
    assert "told" in anns.attach("turn.toml", turn, "&dropped=yes")
    assert "attached" in anns.attach("turn.toml", turn), "the button takes it as it is"
    assert "attached" in anns.attach(NAME, SAVED, "&dropped=yes")


@pytest.fixture
def bens(table: Table, tmp_path: Path) -> Iterator[tuple[Home, Client]]:
    """Ben's table. Two files went with Ann's turn, and none has come."""
    home = awaits(table, (HOSTILE, SCRIPT), ("karte ü.png", SAVED))
    with served(home, tmp_path / "out") as server:
        client = Client(server)
        client.enter()
        yield home, client


def test_what_came_is_kept_and_never_shown(bens: tuple[Home, Client], table: Table) -> None:
    _, client = bens
    page = client.ask("GET", f"/game/{table.game}").body.decode()
    assert f"<bdi>{HOSTILE}</bdi>, 83 bytes: missing" in page and "/with/" not in page
    assert client.ask("GET", f"/game/{table.game}/with/2/0").status == 404
    told = facts(client.ask("POST", f"/take?name={HOSTILE}", SCRIPT))["told"]
    assert "taken in" in told[0]
    answer = client.ask("GET", f"/game/{table.game}/with/2/0")
    assert answer.body == SCRIPT and answer.headers["content-type"] == "application/octet-stream"
    assert answer.headers["content-disposition"] == f'attachment; filename="{HOSTILE}"'
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["content-security-policy"].startswith("sandbox;")
    client.ask("POST", "/take?name=renamed", SAVED)
    kept = client.ask("GET", f"/game/{table.game}/with/2/1").headers["content-disposition"]
    assert kept == "attachment; filename=\"karte _.png\"; filename*=UTF-8''karte%20%C3%BC.png"
    for page in ("", "/log", "/entry/2"):
        text = client.ask("GET", f"/game/{table.game}{page}").body.decode()
        assert text.count("/with/2/") == 2, page


@pytest.mark.parametrize("path", ["2/9", "9/0", "0/0", "-1/0", "2/..", "999999/0"])
def test_no_address_leads_to_anything_else(
    bens: tuple[Home, Client], table: Table, path: str
) -> None:
    assert bens[1].ask("GET", f"/game/{table.game}/with/{path}").status == 404


def test_another_file_in_its_place_is_told(bens: tuple[Home, Client], table: Table) -> None:
    home, client = bens
    told = facts(client.ask("POST", f"/take?name={HOSTILE}", b"<script>"))["told"]
    assert "not taken" in told[0] and table.kept(table.ben) == []
    client.ask("POST", f"/take?name={HOSTILE}", SCRIPT)
    (kept,) = table.kept(table.ben)
    kept.write_bytes(b"<script>")
    assert "another file of that name" in client.ask("GET", f"/game/{table.game}").body.decode()
    assert client.ask("GET", f"/game/{table.game}/with/2/0").status == 404
    assert home.folder.is_dir()


def test_a_mail_that_is_dropped_brings_its_files(table: Table, tmp_path: Path) -> None:
    table.saved()
    table.sends(NAME)
    with served(Home(table.ben.home), tmp_path / "out") as server:
        client = Client(server)
        client.enter()
        client.ask("POST", "/take?name=turn.eml", table.path(2, ".eml").read_bytes())
    assert [path.read_bytes() for path in table.kept(table.ben)] == [SAVED]


def test_a_page_names_the_files_that_are_to_be_sent_with_a_turn(
    table: Table, tmp_path: Path
) -> None:
    table.saved("a b.vsav")
    table.sends("a b.vsav")
    home = Home(table.ann.home)
    games = OpenGames(home, tmp_path)
    told = out(Pages(games, in_page=True), {"game": table.game})
    files = told["files"]
    assert isinstance(files, list) and [one["name"] for one in files] == ["a b.vsav"]
    asked = PageRequest("GET", files[0]["address"])
    assert Pages(games, in_page=True).answer(asked).body == SAVED


@needs_browser
@pytest.mark.dear("drives a browser")
def test_a_file_is_chosen_with_a_mouse(chromium: Any, table: Table, tmp_path: Path) -> None:
    saved = table.saved()
    with served(Home(table.ann.home), tmp_path / "out") as server:
        visitor = Visitor(chromium, server)
        visitor.page.goto(f"{visitor.page.url.rstrip('/')}/game/{table.game}")
        visitor.page.locator("details.writing > summary").click()
        visitor.page.set_input_files("#with-file", str(saved))
        visitor.page.locator("details.writing > summary", has_text="1 file").wait_for()
        visitor.page.locator("details.writing > summary").click()
        assert NAME in visitor.page.locator(".goes-with").inner_text()
        visitor.page.locator(".goes-with button").click()
        visitor.page.locator(".goes-with").wait_for(state="detached")
        assert visitor.problems == []
        visitor.close()
