"""The pages where a page runs the program itself: nobody has a terminal there, nor a folder."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pbem.table.open_games import OpenGames
from pbem.table.request import PageRequest
from pbem.table.routes import Table
from pbem.turn.joining import NewGame, invite
from tests.support.homes import make_home, seed_of

TERMINAL = re.compile(r"<code>pbem(?! id\b)|terminal|folder")


def words(home_folder: Path, *, in_page: bool, in_chat: bool = False) -> list[str]:
    """The pages of a home as its player goes through a first game: invited, signed, and looked back
    at."""
    games = OpenGames(make_home(home_folder), home_folder / "out")
    games.folder.mkdir()
    table = Table(games, in_page=in_page)
    table.in_chat = in_chat

    def asked(method: str, path: str, **fields: str) -> str:
        answer = table.answer(PageRequest(method, path, fields=fields))
        assert answer.status in (200, 303), path
        return answer.headers.get("location") or answer.body.decode()

    game = asked("POST", "/new", game="tripoli")
    return [asked("GET", "/"), asked("GET", game), asked("GET", f"{game}/entry/0")]


def test_a_page_speaks_of_no_terminal(tmp_path: Path) -> None:
    assert [TERMINAL.findall(page) for page in words(tmp_path / "page", in_page=True)] == [
        [],
        [],
        [],
    ]
    assert any(TERMINAL.search(page) for page in words(tmp_path / "desktop", in_page=False))


def test_in_a_chat_nobody_is_told_of_mails(tmp_path: Path) -> None:
    """Neither where one invites, plays, nor looks back; turns go to the chat by themselves."""
    mails = re.compile(r"(?<![\w-])(?:mails?|attach\w*)(?![\w-])|sent it", re.IGNORECASE)
    in_chat = words(tmp_path / "chat", in_page=True, in_chat=True)
    assert [mails.findall(page) for page in in_chat] == [[], [], []]
    assert ["chat by itself" in page for page in in_chat] == [True, True, False]
    assert any(mails.search(page) for page in words(tmp_path / "page", in_page=True))


def test_a_page_shows_the_key_that_others_ask_for(tmp_path: Path) -> None:
    key = words(tmp_path, in_page=True)[0].partition("yours is <code>")[2][:44]
    assert re.fullmatch(r"[A-Za-z0-9+/]{43}=", key)


@pytest.mark.parametrize("where", ["page", "chat", "table"])
def test_whoever_joins_where_no_league_is_known_is_told_so(tmp_path: Path, where: str) -> None:
    """An invitation with a name may be a league's, and is compared by hand there."""
    for called in ("Autumn <b>league</b>", ""):
        folder = tmp_path / (called[:6] or "plain")
        new = NewGame("backgammon", title=called)
        data = invite(make_home(folder / "Ann", "Ann", seed=seed_of("Ann")), new)
        games = OpenGames(make_home(folder / "Ben", "Ben", seed=seed_of("Ben")), folder / "out")
        games.folder.mkdir()
        table = Table(games, in_page=where != "table")
        table.in_chat = where == "chat"
        game = games.open_data(data)
        page = table.answer(PageRequest("GET", f"/game/{game.name}")).body.decode()
        told = page.partition('of-league">')[2].partition("</p>")[0]
        assert ("Autumn &lt;b&gt;league&lt;/b&gt;" in told) == bool(called and where != "table")
        assert bool(told) == bool(called and where != "table")
        if told:
            assert f"a {where} does not know its file" in told
            assert f"<b>backgammon-{game.opened.ledger.game_id.hex()[:8]}</b>" in told


def test_a_page_has_no_address_that_a_browser_would_ask_a_server_for(tmp_path: Path) -> None:
    asks = re.compile(
        r'<(?:a|link|iframe|img|script|source)\b[^>]*? (?:href|src)="(?!#|data:|")[^"]*"'
    )
    assert [asks.findall(page) for page in words(tmp_path / "page", in_page=True)] == [[], [], []]
    assert any(asks.search(page) for page in words(tmp_path / "desktop", in_page=False))
