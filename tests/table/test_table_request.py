"""The pages as functions from a request to an answer, as a program meets them that has no server
and no connection."""

from __future__ import annotations

import html
import re
from pathlib import Path
from urllib.parse import urlencode

import pytest

from pbem import english
from pbem.fileformat import turnfile
from pbem.home.home import Home
from pbem.table.open_games import OpenGames
from pbem.table.request import MAX_FIELDS, PageAnswer, most_bytes, read_request
from pbem.table.routes import Table
from pbem.turn import joining, open_game
from tests.support.homes import make_home


class Reader:
    """Somebody who asks the pages themselves."""

    def __init__(self, home: Home, folder: Path) -> None:
        folder.mkdir()
        self.table = Table(OpenGames(home, folder))

    def ask(
        self, method: str, path: str, body: bytes = b"", *, part: bool = False, query: str = ""
    ) -> PageAnswer:
        headers = [("table-part", "1")] if part else []
        asked = read_request(method, path, query, headers, body)
        assert asked is not None
        return self.table.answer(asked)

    def post(self, path: str, **fields: str) -> PageAnswer:
        return self.ask("POST", path, urlencode(fields).encode())


def test_a_game_from_the_invitation_to_the_first_turn(tmp_path: Path) -> None:
    ann = Reader(make_home(tmp_path / "ann"), tmp_path / "files")
    assert "Your games" in ann.ask("GET", "/").body.decode()
    made = ann.post("/new", game="tripoli", opponents="")
    assert made.status == 303
    place = made.headers["location"]
    (invitation,) = (tmp_path / "files").glob("*.toml")
    ben = make_home(tmp_path / "ben", "Ben")
    joined = joining.join(open_game.open_file(invitation.read_bytes(), ben), ben)
    taken = ann.ask("POST", "/take", joined, query="name=turn.toml")
    assert taken.headers["content-type"] == "application/json" and b"taken in" in taken.body
    shown = ann.ask("GET", place).body.decode()
    answer = re.search(r'data-answer="(build with [^"]*)"', shown)
    assert answer is not None
    mark = re.compile('data-mark="([0-9a-f]{16})"')

    def do(**fields: str) -> None:
        nonlocal shown
        given = mark.search(shown)
        assert given is not None
        shown = ann.post(f"{place}/do", mark=given[1], **fields).body.decode()

    do(answer=html.unescape(answer[1]))
    do(sign="yes")
    file = re.search(r'data-file="([^"]*)"', shown)
    assert file is not None
    kept = ann.ask("GET", f"{place}/file/{file[1]}")
    assert kept.headers["content-disposition"] == f'attachment; filename="{file[1]}"'
    assert turnfile.read(kept.body).entries[-1].list("answers")


def test_what_an_answer_will_bring_is_asked_about_and_changes_nothing(tmp_path: Path) -> None:
    """It is what the answer brings then, letter by letter; for nothing but answers, and those that
    are taken back; and not from a page that is behind."""
    home = make_home(tmp_path / "ann")
    ann = Reader(home, tmp_path / "files")
    place = ann.post("/new", game="tripoli", opponents="").headers["location"]
    (invitation,) = (tmp_path / "files").glob("*.toml")
    ben = make_home(tmp_path / "ben", "Ben")
    ann.ask(
        "POST",
        "/take",
        joining.join(open_game.open_file(invitation.read_bytes(), ben), ben),
    )

    def post(what: str, **fields: str) -> PageAnswer:
        return ann.ask("POST", f"{place}/{what}", urlencode(fields).encode(), part=True)

    def here() -> tuple[str, str]:
        shown = ann.ask("GET", place).body.decode()
        found = re.search(r'data-mark="([0-9a-f]{16})"', shown)
        assert found is not None
        return found[1], html.unescape(
            "".join(re.findall(r'data-answer="(build [^"]*)"', shown)[:1])
        )

    def kept() -> set[tuple[Path, int]]:
        return {(one, one.stat().st_mtime_ns) for one in home.folder.rglob("*") if one.is_file()}

    mark, answer = here()
    assert post("ahead", mark=mark, answer=answer).status == 204, "what is new is not looked at yet"
    post("looked")
    for fields in ({"answer": answer}, {"back": "1"}):
        mark, _ = here()
        before = kept()
        ahead = post("ahead", mark=mark, **fields)
        assert ahead.status == 200 and here()[0] == mark and kept() == before
        for other in ({"sign": "yes"}, {"resign": "yes"}, {"answer": "no such"}, {"say": "yes"}):
            assert post("ahead", mark=mark, **other) == PageAnswer(204, {}, b"")
        assert post("ahead", mark="0" * 16, **fields).status == 204
        assert post("ahead", mark=mark, message="sent with it", **fields).body != ahead.body
        assert kept() == before
        done = post("do", mark=mark, **fields)
        assert done.body == ahead.body and here()[0] != mark and kept() != before


def test_how_long_ago_something_happened_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A log in which nothing is new is not made anew, but for the age of what stands in it."""
    ann = Reader(make_home(tmp_path / "ann"), tmp_path / "files")
    place = ann.post("/new", game="tripoli", opponents="").headers["location"]
    (invitation,) = (tmp_path / "files").glob("*.toml")
    ben = make_home(tmp_path / "ben", "Ben")
    ann.ask(
        "POST",
        "/take",
        joining.join(open_game.open_file(invitation.read_bytes(), ben), ben),
    )
    assert "long since</h3>" not in ann.ask("GET", place).body.decode()
    monkeypatch.setattr(english, "aged", lambda _age: "long since")
    assert ann.ask("GET", place).body.decode().count("long since</h3>") == 1


def test_the_list_says_what_a_game_is_called(tmp_path: Path) -> None:
    """As a league calls its games, and as `pbem inbox` lists them."""
    ann = Reader(make_home(tmp_path / "ann"), tmp_path / "files")
    new = joining.NewGame("tripoli", title="Autumn <league>")
    ann.ask("POST", "/take", joining.invite(make_home(tmp_path / "ben", "Ben"), new))
    page = ann.ask("GET", "/").body.decode()
    assert "Autumn &lt;league&gt;: The Shores of Tripoli with Ben" in page


def test_a_part_of_a_page_and_a_whole_one(tmp_path: Path) -> None:
    ann = Reader(make_home(tmp_path / "ann"), tmp_path / "files")
    whole, part = (ann.ask("GET", "/", part=is_part).body for is_part in (False, True))
    assert (
        whole.startswith(b"<!DOCTYPE html>")
        and part.strip().startswith(b"<main")
        and part.strip() in whole
    )
    assert ann.ask("HEAD", "/").body == whole  # whoever sends it leaves the body out


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/nothing", 404),
        ("GET", "/game/tripoli-12345678", 404),
        ("GET", "/game/a/b/news", 404),
        ("GET", "//", 404),
        ("GET", "/\n", 404),
        ("POST", "/", 405),
        ("GET", "/take", 405),
        ("DELETE", "/game/x", 405),
    ],
)
def test_what_is_not_there(tmp_path: Path, method: str, path: str, status: int) -> None:
    answer = Reader(make_home(tmp_path / "ann"), tmp_path / "files").ask(method, path)
    assert answer.status == status


def test_what_is_no_form_is_no_request() -> None:
    assert read_request("POST", "/new", "", [], "a=ü".encode()) is None
    assert read_request("POST", "/new", "", [], b"a=1&" * (MAX_FIELDS + 1)) is None
    assert read_request("GET", "/", "a=1&" * (MAX_FIELDS + 1), [], b"") is None
    dropped = read_request("POST", "/take", "name=a%20b", [], b"\xff\x00")
    assert dropped is not None and (dropped.query, dropped.file) == ({"name": "a b"}, b"\xff\x00")
    assert most_bytes("/take") > most_bytes("/game/x/do") > 4000
