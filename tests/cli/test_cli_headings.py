"""How headings number a turn: a game that counts turns of its own tells those first, and the file's
number as such."""

from __future__ import annotations

import re
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from pbem.home.home import Home
from pbem.replay.scenes import Replayed
from pbem.replay.step_through import draw
from tests.support.homes import make_home
from tests.support.mail_kit import body, mail_of, parsed
from tests.support.starter import types
from tests.support.table_kit import Client, served

ARCHIVE = Path(__file__).parents[1] / "archive"
GAMES = {
    "paradise-4-corrected": ("Conquest of Paradise, solitaire", "turn 14", "file 50"),
    "loot-1": ("Loot", "turn 128", "file 137"),
    "backgammon-2-asked": ("Backgammon", "game 1, turn 71", "file 83"),
    "tripoli-1": ("The Shores of Tripoli", "Winter 1803", "turn 47"),
}
"""Games of the archive: the title, where they are at their end by their own count, and the newest
turn of the file."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    make_home(tmp_path / "home", "Cleo")
    return tmp_path


@pytest.mark.dear("reports every turn of whole games")
@pytest.mark.parametrize("name", GAMES)
def test_show_and_log(name: str, folder: Path) -> None:
    title, when, number = GAMES[name]
    file = ARCHIVE / f"{name}.toml"
    _, out, _ = types(folder / "home", folder, "show", str(file))
    head, counted = out.split("\n")[0], number.startswith("file")
    assert f"{title}, {when} (game " in head if counted else f"{title}, game " in head
    assert f", {number}" in head and ", 2026-11-" in out and f", {number}\n    " in out
    _, out, _ = types(folder / "home", folder, "show", "--format", "md", str(file))
    assert (
        out.startswith(f"# {title}: {when}\n\nGame `")
        and f"`, {number}" in out
        and f", {number}\n\n- " in out
    )
    for form in ("text", "md"):
        _, out, _ = types(folder / "home", folder, "log", "--format", form, str(file))
        assert f", {number}\n" in out and (", turn 1\n" in out) != counted


# played alone: no mail
@pytest.mark.parametrize("name", [name for name in GAMES if name != "paradise-4-corrected"])
def test_mails(name: str) -> None:
    title, when, number = GAMES[name]
    mail = parsed(mail_of((ARCHIVE / f"{name}.toml").read_bytes()))
    text, html = body(mail, "plain"), body(mail, "html")
    assert f"{title}, {when}\n" in text and f", {number}, from " in text
    assert f"{title}, {when}<br>" in html and f" · {number} from " in html


@pytest.mark.parametrize("name", GAMES)
def test_a_game_that_is_replayed(name: str) -> None:
    """In a terminal; the page itself is looked at in tests/browser."""
    title, when, number = GAMES[name]
    replayed = Replayed((ARCHIVE / f"{name}.toml").read_bytes())
    shown, console = (
        replayed.whole_game(),
        Console(file=StringIO(), width=200, force_terminal=False),
    )
    draw(console, replayed, shown, len(shown.scenes) - 1)
    assert isinstance(console.file, StringIO)
    last = len(shown.scenes) - 1
    assert f"{title}: {when}, {number} of {last}, " in console.file.getvalue()


@pytest.mark.dear("reports every turn of whole games")
@pytest.mark.parametrize("name", GAMES)
def test_the_table_looks_back(name: str, folder: Path) -> None:
    title, when, number = GAMES[name]
    file = ARCHIVE / f"{name}.toml"
    last = number.split()[1]
    with served(make_home(folder / "table", "Cleo"), folder / "files", file) as server:
        client = Client(server)
        place = client.enter().headers["location"]
        page = client.ask("GET", f"{place}/entry/{last}").body.decode()
        played = client.ask("GET", place).body.decode()
    own = f"{when}, " if number.startswith("file") else ""
    heading = own + number
    assert f">{title}: {heading}</h1>" in page
    assert f"<title>{heading[0].upper()}{heading[1:]} – {title}</title>" in page
    assert f">{number.capitalize()}</a>" in played


def test_lists_of_games(folder: Path) -> None:
    """The inbox, the summary of a file that was taken in, and the table's first page."""
    types(folder / "home", folder, "new", "paradise", "--no-mail")
    answers = (
        "samoa has 4 boxes; samoa starts with nothing; exploration complete; movement complete;"
        " victory 3"
    )
    (game,) = (path.name for path in folder.glob("paradise-*.toml"))
    types(folder / "home", folder, "play", game, answers)
    game = max(path.name for path in folder.glob("paradise-*.toml"))
    _, out, err = types(folder / "home", folder, "inbox", game)
    number = f"file {int(game.rpartition('-')[2].partition('.')[0])}"
    assert f"Conquest of Paradise, solitaire, turn 2, {number} (" in out, (out, err)
    assert f"({game.rpartition('-')[0]}, {number})" in out
    with served(Home(folder / "home"), folder / "files") as server:
        client = Client(server)
        client.enter()
        row = client.ask("GET", "/").body.decode()
        assert re.search(rf">turn 2 · .*? · {number}<", row)
