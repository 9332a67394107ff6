"""Games between pages and computers: a season of Tripoli, backgammon by the board, Loot with three
in two browsers.

Whatever way a turn takes, the file is the same one, and both verifiers find it good.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from engine.tripoli.game import Tripoli
from examples.correspondence import Player, preferring
from pbem.fileformat import link
from tests.support.web_kit import needs_npm
from tests.support.web_players import (
    AtDesktop,
    Follower,
    InPage,
    Somebody,
    check_by_both,
    entries,
    play_on,
)
from tests.support.web_tabs import Site, WebBrowser, begin, hosted

pytestmark = [needs_npm, pytest.mark.slow]
BROWSERS = ["chrome", "firefox"]
AMERICAN = (
    "event Thomas Jefferson",
    "event Swedish Frigates",
    "done",
    "decline",
    "build with",
    "move with",
)
EAGER = preferring(
    "event Thomas Jefferson",
    "event Swedish Frigates Arrive",
    "3 gibraltar > tripoli zone",
    "2 gibraltar > tripoli zone",
    "1 gibraltar > tripoli zone",
    "done",
    "decline",
    "build with",
)
TRIPOLITAN = ("event Yusuf Qaramanli", "raid with", "raid from", "done", "decline", "discard")


@pytest.fixture
def site(page_folder: Path) -> Iterator[Site]:
    with hosted(page_folder) as served:
        yield served


@contextmanager
def in_pages(site: Site, folder: Path, **people: str) -> Iterator[list[InPage]]:
    """People at the doors that they have passed, each in a browser of this kind, all those of a
    kind in one."""
    with ExitStack() as stack:
        kinds = sorted(set(people.values()))
        browsers = {kind: stack.enter_context(WebBrowser(kind, folder / kind)) for kind in kinds}
        pages = []
        for name, kind in people.items():
            tab = browsers[kind].tab(apart=True)
            begin(tab, site.url, name)
            pages.append(InPage(tab, name, browsers[kind].downloads))
        assert [asked for asked in site.log if "?" in asked] == []
        site.log.clear()
        yield pages
        assert set(site.log) <= {"GET /sw.js"}, "a page that has started has no network"
        assert [problem for page in pages for problem in page.tab.problems()] == []


def checker(folder: Path) -> Player:
    return Player("Cleo", folder / "cleo", folder, True)


def season(follower: Follower, data: bytes) -> tuple[int, int]:
    """The year and season of a game of Tripoli after this file."""
    follower.to_act(data)
    game = follower.ledger.begun().referee.game
    assert isinstance(game, Tripoli)
    return game.year, game.season


def play_a_season(data: bytes, players: dict[str, Somebody]) -> bytes:
    follower = Follower()
    now = season(follower, data)
    while season(follower, data) == now:
        data = play_on(data, players, follower, 1)
    return data


@pytest.mark.parametrize("kind", BROWSERS)
def test_a_season_of_tripoli_between_page_and_desktop(
    tmp_path: Path, site: Site, kind: str
) -> None:
    ann = AtDesktop(tmp_path, "Ann", EAGER)
    with in_pages(site, tmp_path, Ben=kind) as (ben,):
        ben.wishes = TRIPOLITAN
        data = play_a_season(ben.join(ann.invite("tripoli")), {"Ann": ann, "Ben": ben})
    check_by_both(data, checker(tmp_path))


@pytest.mark.parametrize("kind", BROWSERS)
def test_a_season_of_tripoli_between_two_pages_by_text_file_and_link(
    tmp_path: Path, site: Site, kind: str
) -> None:
    with in_pages(site, tmp_path, Ann=kind, Ben=kind) as (ann, ben):
        ann.wishes, ben.wishes = AMERICAN, TRIPOLITAN
        data = ann.invite("tripoli")
        assert ann.link() == link.join_link(site.url, data)
        ben.take_link(ann.link())
        data, follower = ben.joined(), Follower()
        now, turn, people = season(follower, data), 0, {"Ann": ann, "Ben": ben}
        by_link = []
        before = ben
        while season(follower, data) == now:
            name = follower.to_act(data)
            assert name
            after = people[name]
            url = before.link() if before is not after else ""
            if url:
                assert "#turn=" in url and len(url) <= link.MAX_LINK
                by_link.append(len(url))
                after.take_link(url)
            elif before is not after:
                after.take(data, "file" if turn % 2 else "text")
            data, before, turn = after.turn(), after, turn + 1
        assert by_link, "no turn fitted into a link"
    check_by_both(data, checker(tmp_path))


@pytest.mark.parametrize("kind", BROWSERS)
def test_backgammon_by_clicks_on_the_board(tmp_path: Path, site: Site, kind: str) -> None:
    """Each man is clicked, and where it goes."""
    ann, follower = AtDesktop(tmp_path, "Ann"), Follower()
    with in_pages(site, tmp_path, Ben=kind) as (ben,):
        data = ben.join(ann.invite("backgammon", match=1))
        clicks = 0
        while (name := follower.to_act(data)) is not None:
            if name == "Ann":
                data = ann.play(data)
                continue
            ben.take(data)
            clicks += int(str(ben.do("trial.move()")))
            ben.do("trial.sign()")
            data = ben.file()
        assert clicks > 100
    assert follower.ledger.begun().outcome is not None
    check_by_both(data, checker(tmp_path))


def test_loot_with_three_of_whom_one_has_firefox_one_chromium_and_one_a_computer(
    tmp_path: Path, site: Site, record_property: Callable[[str, object], None]
) -> None:
    cleo = AtDesktop(tmp_path, "Cleo")
    with in_pages(site, tmp_path, Ann="firefox", Ben="chrome") as (ann, ben):
        data = ann.invite("loot", players=3)
        assert ann.link() == "", "an invitation of Loot fits into no link"
        data = cleo.join(ben.join(data))
        people: dict[str, Somebody] = {"Ann": ann, "Ben": ben, "Cleo": cleo}
        follower = Follower()
        data = play_on(data, people, follower)
        assert follower.to_act(data) is None and follower.ledger.begun().outcome is not None
    record_property(
        "figure", f"Loot with three to its end, two of them in pages: {entries(data)} turns"
    )
    check_by_both(data, checker(tmp_path))
