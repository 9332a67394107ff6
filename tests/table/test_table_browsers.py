"""The table in other browsers than the one of the other tests."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from pbem.fileformat import turnfile
from pbem.fileformat.encoding import b64
from pbem.home.home import Home
from pbem.turn import joining, open_game
from tests.any.test_any_cards_mail import Match
from tests.bench.table import played
from tests.support.browsers import needs_puppeteer
from tests.support.hex_match import hex_installed
from tests.support.homes import make_home, seed_of
from tests.support.table_kit import Visitor, needs_browser, served
from tests.support.web_tabs import Browsers, Tab, WebBrowser
from tests.table.test_table_any_cards import SETUP as CARDS
from tests.table.test_table_boards import begun
from tests.table.test_table_stage import AT_REST, MEASURED, SIZES, check_measures

pytestmark = pytest.mark.dear("drives a browser")

GAMES: dict[str, tuple[int, int, dict[str, int]]] = {
    "tripoli": (2, 8, {}),
    "tripoli-solitaire": (1, 4, {}),
    "backgammon": (2, 10, {}),
    "loot": (3, 12, {"players": 3}),
    "paradise": (1, 8, {}),
}
"""How many play, how many entries they have written, and the settings."""
CARD = ".held .can-go"
"""In Loot, whose pile is drawn from by one click: no target would be left at the next size."""
TARGET = ".pin.can-go, .held .can-go, #choices [data-step], #choices .word"
"""Whatever is clicked without an answer to come of it."""


@needs_puppeteer
def test_two_frigates_are_moved_and_the_board_zoomed(tmp_path: Path, browsers: Browsers) -> None:
    ann, ben = make_home(tmp_path / "ann"), make_home(tmp_path / "ben", "Ben")
    path = tmp_path / "game.toml"
    path.write_bytes(
        joining.join(
            open_game.open_file(joining.invite(ann, joining.NewGame("tripoli")), ben),
            ben,
        )
    )
    with served(ann, tmp_path / "files", path) as server:
        found = browsers.at_table("firefox", "moveFrigates", server.url)
    assert found["said"][1:] == ["1 gibraltar > malta", "1 gibraltar > algiers"]
    assert found["problems"] == []


@needs_puppeteer
@pytest.mark.parametrize("game", GAMES)
def test_the_stage_is_measured_in_firefox(tmp_path: Path, browsers: Browsers, game: str) -> None:
    """Letters can be read, targets be hit, nothing is cut off, and nothing moves at a click."""
    # so many answers has backgammon only where the dice are thrown and a click moves a man
    home, data = played(tmp_path, game, *GAMES[game], least=6 if game == "backgammon" else 4)
    check_in_firefox(browsers, home, data, tmp_path, CARD if game == "loot" else TARGET)


def check_in_firefox(
    browsers: Browsers, home: Home, data: bytes, folder: Path, target: str
) -> None:
    """The measures of a game's stage at every size, before and after a click on a target."""
    path = folder / "game.toml"
    path.write_bytes(data)
    with served(home, folder / "files", path) as server:
        told = {"settled": AT_REST, "measure": MEASURED, "sizes": SIZES, "clicks": [target]}
        found = browsers.at_table("firefox", "measureStage", server.url, told)
    assert found["problems"] == []
    for size, at in zip(SIZES, found["found"], strict=True):
        assert at["isStill"], size
        for one in at["seen"]:
            check_measures(one, size)


@contextmanager
def at_table_in_firefox(
    home: Home, file: Path, folder: Path, size: tuple[int, int]
) -> Iterator[Tab]:
    """Somebody's table with this game; nothing is complained of there until the end."""
    with (
        served(home, folder / "table", file) as server,
        WebBrowser("firefox", folder / "firefox") as firefox,
    ):
        tab = firefox.tab()
        tab.size(*size)
        tab.goto(server.url)
        yield tab
        assert tab.problems() == []


GO = ("go", "--size", "9")


@needs_puppeteer
def test_a_stone_is_laid_in_firefox_and_signed(tmp_path: Path) -> None:
    (tmp_path / "site").mkdir()
    with hex_installed(tmp_path / "site", "go"):
        home, file = begun(tmp_path, GO, 2)
        with at_table_in_firefox(home, file, tmp_path, (1200, 900)) as tab:
            tab.click('.pin.can-go[data-place="e5"]')
            tab.wait(".line li")
            assert tab.run("document.querySelectorAll('[data-at=e5]').length") == 1
            tab.click('[data-action="sign"]')
            tab.wait("main[data-file]")


@needs_puppeteer
def test_somebody_is_found_in_firefox(tmp_path: Path) -> None:
    """Ann seeks a game at her table, and Ben finds and answers it at theirs."""
    club = tmp_path / "club"
    homes = {name: make_home(tmp_path / name, name, seed=seed_of(name)) for name in ("Ann", "Ben")}
    with WebBrowser("firefox", tmp_path / "firefox") as firefox:
        with served(homes["Ann"], club) as server:
            tab = firefox.tab()
            tab.goto(server.url)
            tab.click("a[href='/find']")
            tab.click("form[action='/find/seek'] button.main")
            tab.wait("[aria-labelledby=written-title] textarea")
            assert tab.problems() == []
            tab.close()
        assert len(list(club.glob("seek-*.toml"))) == 1
        with served(homes["Ben"], tmp_path / "games") as server:
            tab = firefox.tab()
            tab.goto(server.url)
            tab.click("a[href='/find']")
            tab.fill("#place", str(club))
            tab.click("form[action='/find'] button.main")
            tab.wait("[data-action=answer]")
            tab.click("[data-action=answer]")
            tab.wait("main[data-file], main.playing")
            assert tab.problems() == []
    (file,) = (tmp_path / "games").glob("backgammon-*.toml")
    (invited,) = turnfile.read(file.read_bytes()).entries[0].list("invites")
    assert invited.endswith(b64(homes["Ann"].identity().public))


@needs_browser
def test_a_stone_is_laid_with_a_finger(tmp_path: Path, chromium: Any) -> None:
    (tmp_path / "site").mkdir()
    with hex_installed(tmp_path / "site", "go"):
        home, file = begun(tmp_path, GO, 2)
        with served(home, tmp_path / "table", file) as server:
            visitor = Visitor(chromium, server, has_touch=True, is_mobile=True)
            visitor.page.set_viewport_size({"width": 390, "height": 844})
            visitor.page.locator('.pin.can-go[data-place="e5"]').tap()
            visitor.page.locator(".line li").wait_for()
            assert visitor.page.locator('[data-at="e5"]').count() == 1
            visitor.page.locator('[data-action="sign"]').tap()
            visitor.page.locator("main[data-file]").wait_for()
            assert visitor.problems == []
            visitor.close()


@needs_puppeteer
def test_a_turn_of_any_game_goes_through_in_firefox(tmp_path: Path) -> None:
    """A card is played, one is drawn, the next player is named, and the turn is signed."""
    match = Match(tmp_path, CARDS, "Ann", "Ben")
    card = match.hand("Ann")[0]
    home, file = Home(match.players["Ann"].home), tmp_path / match.file
    with at_table_in_firefox(home, file, tmp_path, (1366, 768)) as tab:
        newest = "document.querySelector('.line li:last-child')?.dataset.answers"
        tab.click(f'.held [data-card="{card}"]')
        tab.click(f'#choices button[data-give="play {card}"]')
        tab.until(f"{newest} === 'play {card}'")
        tab.click('.pin[data-place="plans"]')
        tab.click('#choices button[data-give="draw 1 from plans then britain\'s turn"]')
        tab.wait('[data-action="sign"]')
        tab.click('[data-action="sign"]')
        tab.wait("main[data-file]")
        written = str(tab.run("document.querySelector('main').dataset.file"))
        entry = turnfile.read((tmp_path / "table" / written).read_bytes()).entries[-1]
        played_one, drawn_one = entry.list("answers")
        assert played_one.startswith(f"play {card} a"), "with the back that it had"
        assert drawn_one == "draw 1 from plans then britain's turn"
