"""The page of a league in real browsers (docs/league.md, "Anybody")."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.league import report, verify
from pbem.league.join_form import write_join
from pbem.league.league import DRAWN, LOST, NONE, WON, Pairs
from pbem.league.write import DirectorsDecision, LeagueNews
from pbem.library import leagues
from tests.league.leagues import DATE, Club, person
from tests.support.browsers import needs_puppeteer
from tests.support.web_tabs import WebBrowser, hosted

LONG = "Bartholomäus-Maximilian von und zu Hohenfels-Oberbruck"
NAMES = ("Ann", LONG, "<b>Cleo", *(f"Player {number}" for number in range(4, 13)))
SIZES = [(1920, 1080), (1366, 768), (1024, 768), (844, 390), (390, 844)]


@pytest.fixture
def page(tmp_path: Path) -> Path:
    """A folder with the page of a league of twelve in its second round, paired by hand, with
    decisions, somebody who has left, and links to games."""
    club = Club("swiss 5", options=("match 3",), clock="30+3")
    people, league_id = [(name, person(name)) for name in NAMES], club.league.id
    joins = [write_join(league_id, DATE, one.public, "", name, one.sign) for name, one in people]
    club.add(LeagueNews(players=joins))
    club.begin()
    club.results(WON, DRAWN, LOST, WON, WON)
    club.add(
        LeagueNews(
            decided=[DirectorsDecision(6, NONE, "nobody wrote " * 12)],
            left={5: "has moved to a place without a post office"},
        )
    )
    by_hand = Pairs(((1, 2), (3, 4), (6, 8), (7, 9), (10, 11)), (12,))
    club.begin(by_hand, "they know each other from a journey, and asked for it")
    facts = report.facts_of(verify.verify(club.data, []))
    links = {game.number: f"games/{game.number:04}-{game.game[:8]}.html" for game in facts.games}
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "index.html").write_text(leagues.page(facts, links), encoding="utf-8")
    return tmp_path / "site"


@needs_puppeteer
@pytest.mark.dear("drives a browser")
@pytest.mark.parametrize("kind", ["chrome", "firefox"])
def test_the_page_of_a_league_fits_each_window(page: Path, tmp_path: Path, kind: str) -> None:
    """Wide tables go to and fro in themselves, and the page does not; all of it can be read by who
    does not see it; and nothing runs, whatever somebody is called."""
    with hosted(page) as site, WebBrowser(kind, tmp_path / "browser") as browser:
        tab = browser.tab()
        tab.goto(site.url)
        for dark in (False, True) if kind == "chrome" else (False,):  # Firefox has no such switch
            if dark:
                tab.dark()
            for width, height in SIZES:
                tab.size(width, height)
                tab.shot(tmp_path / f"league-{kind}-{width}-{'dark' if dark else 'light'}.png")
                wide = tab.run("document.documentElement.scrollWidth - innerWidth")
                assert wide <= 0, (width, wide)
        problems = [
            one for one in tab.problems() if "favicon.ico" not in one
        ]  # Firefox asks for it
        assert tab.axe() == [] and problems == []
        assert tab.run("document.querySelectorAll('b, script').length") == 0
        assert "<b>Cleo" in tab.text("#standing ~ *") and LONG in tab.text("main")
        assert tab.run("document.querySelectorAll('a[href^=\"games/\"]').length") == 11 * 3
        assert set(site.log) <= {"GET /", "GET /favicon.ico"}, site.log
