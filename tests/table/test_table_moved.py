"""A table whose home goes away while it runs."""

from __future__ import annotations

from pathlib import Path

from pbem.home.home import Home
from pbem.table.open_games import OpenGames
from pbem.table.request import Headers, PageAnswer, PageRequest, read_request
from pbem.table.routes import Table
from tests.support.homes import make_home


def asked(method: str, path: str, body: bytes = b"") -> PageRequest:
    headers: Headers = [("content-type", "application/x-www-form-urlencoded")]
    found = read_request(method, path, "", headers, body)
    assert found is not None
    return found


def said(answer: PageAnswer) -> str:
    return answer.body.decode()


def test_a_home_that_was_moved_away_is_no_newcomers(tmp_path: Path) -> None:
    home = make_home(tmp_path / "home", "Ann")
    table = Table(OpenGames(home, tmp_path))
    assert "Your games" in said(table.answer(asked("GET", "/")))
    home.folder.rename(tmp_path / "elsewhere")
    for request in (asked("GET", "/"), asked("POST", "/name", b"name=Eve")):
        answer = table.answer(request)
        assert answer.status == 404 and 'class="box"' not in said(answer)
        assert f"{home.folder} no more" in said(answer)
    assert not home.folder.exists(), "nothing begins another home there"
    (tmp_path / "elsewhere").rename(home.folder)
    assert "Your games" in said(table.answer(asked("GET", "/")))


def test_a_newcomer_sees_what_can_be_played(tmp_path: Path) -> None:
    table = Table(OpenGames(Home(tmp_path / "new"), tmp_path))
    assert 'class="box"' in said(table.answer(asked("GET", "/")))
