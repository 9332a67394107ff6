"""Sets and series at the table: begun in the form, told on each page, gone on with by a button or a
key (docs/seek.md, "Again, and as you like")."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pbem.fileformat import turnfile
from pbem.fileformat.encoding import b64
from pbem.ledger.gate import replay
from pbem.turn import joining, open_game
from tests.support.homes import make_home
from tests.support.series_kit import Match, match
from tests.support.table_kit import Visitor, needs_browser, served
from tests.table.test_table_request import Reader


@pytest.fixture
def series(tmp_path: Path) -> Match:
    """Ann has lost the first game."""
    made = match(tmp_path, "best of 3")
    made.end("lost")
    return made


def page_of(data: bytes) -> str:
    game = replay(turnfile.read(data))
    return f"/game/{game.rules.name}-{game.game_id.hex()[:32]}"


def reader(home: Any, folder: Path) -> Reader:
    return Reader(home, folder)


def test_the_form_begins_a_series(tmp_path: Path) -> None:
    ann = make_home(tmp_path / "ann", "Ann")
    pages = reader(ann, tmp_path / "files")
    form = {"game": "backgammon", "series": "2 games at once", "opponents": ""}
    assert pages.post("/new", **form).status == 303
    (file,) = (tmp_path / "files").glob("*-0000.toml")
    assert turnfile.read(file.read_bytes()).entries[0].text("series") == "2 games at once"
    refused = pages.post("/new", **{**form, "series": "best of 1"})
    assert refused.status == 200 and b'role="alert"' in refused.body


def test_the_standing_and_the_next_game_stand_on_the_pages(series: Match, tmp_path: Path) -> None:
    ann = reader(series.ann, tmp_path / "from ann")
    ben = reader(series.ben, tmp_path / "from ben")
    page = page_of(series.files[0])
    for pages in (ann, ben):
        for path in ("/", page):
            assert "best of 3: Ann 0, Ben 1" in pages.ask("GET", path).body.decode()
    assert b"Begin game 2" in ann.ask("GET", page).body
    assert b"Begin game 2" in ann.ask("GET", "/").body
    told = ben.ask("GET", page).body.decode()
    assert "Ann begins game 2" in told and 'data-action="rematch"' not in told
    refused = ben.post(f"{page}/rematch")
    assert refused.status == 200 and b"Ann invites to each game" in refused.body
    begun = ann.post(f"{page}/rematch")
    assert begun.status == 303
    assert b"Begin game 2" not in ann.ask("GET", page).body
    assert ann.post(f"{page}/rematch").headers["location"] == begun.headers["location"]


def test_games_at_once_stand_together_on_each_page(tmp_path: Path) -> None:
    made = match(tmp_path, "2 games at once")
    pages = reader(made.ann, tmp_path / "files")
    assert b"Begin game 2" in pages.ask("GET", page_of(made.files[0])).body
    made.begin(made.invite())
    made.end("drawn", 1)
    told = pages.ask("GET", page_of(made.files[0])).body.decode()
    assert "2 games at once: Ann ½, Ben ½" in told and "Begin game 2" not in told


def test_an_invitation_that_does_not_fit_is_not_joined_at_the_table(
    series: Match, tmp_path: Path
) -> None:
    cleo = make_home(tmp_path / "cleo", "Cleo")
    opened = open_game.open_file(series.invite(), series.ben)
    assert opened.ledger.invitation.invites
    pages = reader(cleo, tmp_path / "files")
    key = b64(cleo.identity().public)
    assert key not in series.invite().decode()
    open_game.open_file(series.invite(), cleo)
    answer = pages.post(f"{page_of(series.invite())}/do", join="yes")
    assert b'role="alert"' in answer.body
    assert joining.join(opened, series.ben)  # type: ignore[arg-type]


@pytest.mark.dear("drives a browser")
@needs_browser
def test_one_key_begins_the_next_game(chromium: Any, series: Match, tmp_path: Path) -> None:
    file = tmp_path / "over.toml"
    file.write_bytes(series.files[0])
    with served(series.ann, tmp_path / "out", file) as server:
        visitor = Visitor(chromium, server)
        visitor.page.locator('[data-action="rematch"]').wait_for()
        visitor.page.keyboard.press("r")
        visitor.page.locator(".signed[data-new]").wait_for()
        name = str(visitor.page.locator("main").get_attribute("data-file"))
        place = replay(turnfile.read((tmp_path / "out" / name).read_bytes())).invitation.series
        assert place is not None and place.number == 2
        assert visitor.problems == []
        visitor.page.goto("about:blank")
        visitor.close()
