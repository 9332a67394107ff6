"""The page in real browsers: from the door to a signed turn, and again after it was loaded anew."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.web_kit import needs_npm
from tests.support.web_tabs import Tab, WebBrowser, begin, choose_game, hosted

BROWSERS = ["chrome", "firefox"]
pytestmark = pytest.mark.slow  # `test_game` goes through the same door, in Chromium


def invite(tab: Tab, game: str = "tripoli") -> str:
    """Write an invitation; the short name of the game."""
    choose_game(tab, game)
    tab.click("[data-action=invite]")
    tab.wait(".signed")
    return str(tab.run("main().dataset.name"))


@needs_npm
@pytest.mark.parametrize("kind", BROWSERS)
def test_a_home_is_made_a_turn_signed_and_both_are_there_again(
    tmp_path: Path, page_folder: Path, kind: str
) -> None:
    with hosted(page_folder) as site, WebBrowser(kind, tmp_path) as browser:
        tab = browser.tab()
        begin(tab, site.url, "Ann", passphrase="correct horse")
        name = invite(tab)
        tab.wait(".sending button")
        assert "plays America" in tab.text("main")
        site.log.clear()
        tab.reload()
        tab.fill("#words", "wrong")
        tab.click("#open")
        tab.wait("#unlock .refusal:not([hidden])")
        assert "passphrase" in tab.text("#unlock .refusal")
        tab.fill("#words", "correct horse")
        tab.click("#open")
        tab.wait("main.home")
        tab.click(f'a[href^="#/game/{name}"]')
        tab.wait(".sending button")
        # all else came from the browser's cache
        assert set(site.log) <= {"GET /version.json", "GET /sw.js"}
        assert tab.problems() == []
