"""A turn arrives while something is on the screen: by every way there is, over everything that can
be shown, in every game. What counts is what is seen afterwards: each place and piece."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

from pbem.fileformat import armor, link, turnfile
from pbem.ledger.invitation import game_id_of
from pbem.table.open_games import page_name
from tests.support.web_kit import needs_npm
from tests.support.web_players import AtDesktop, Follower, InPage
from tests.support.web_seen import check_board
from tests.support.web_tabs import Site, WebBrowser, begin, hosted
from tests.web.test_page_in import OPENED_WITH, open_with
from tests.web.test_page_versions import SHARED

pytestmark = [needs_npm, pytest.mark.slow]

GAMES: Mapping[str, Mapping[str, int]] = {
    "tripoli": {},
    "backgammon": {"match": 7},
    "loot": {},
}
ALONE = ("paradise", "tripoli-solitaire")
"""Games in which nothing comes: one of them is on the screen while a turn of another one does."""
Screen = Callable[["Ben", str], None]
Way = Callable[["Ben", str], None]
SIZES = ((1200, 900), (390, 844))
OTHER = "the other game"


class Ben:
    """Somebody with many games in one page, each against Ann at a desktop."""

    def __init__(self, browser: WebBrowser, site: Site, folder: Path) -> None:
        self.browser, self.site, self.folder = browser, site, folder
        self.tab = browser.tab()
        self.tab.before(OPENED_WITH)
        begin(self.tab, site.url, "Ben")
        self.tab.until("navigator.serviceWorker.controller")
        self.player = InPage(self.tab, "Ben", browser.downloads)
        self.ann = AtDesktop(folder, "Ann")
        self.files: dict[str, bytes] = {}
        self.alone: list[str] = []
        self.turns = 0

    def begin(self, name: str, game: str) -> None:
        """A new game."""
        self.files[name] = self.player.join(self.ann.invite(game, **GAMES[game]))

    def begin_alone(self, game: str) -> None:
        self.player.home()
        self.tab.click(f"form:has([value={game}]) [data-action=alone]")
        self.tab.wait("main.playing")
        self.alone.append(f"/game/{self.tab.run('main().dataset.name')}")

    def to_act(self, name: str) -> str | None:
        return Follower().to_act(self.files[name])

    def page(self, name: str) -> str:
        """The address of a game's page."""
        game, number, _ = self._read(name)
        return f"/game/{page_name(game, number)}"

    def link(self, name: str) -> str:
        _, number, file = self._read(name)
        return link.turn_link(self.site.url, number, file)

    def _read(self, name: str) -> tuple[str, bytes, turnfile.TurnFile]:
        file = turnfile.read(self.files[name])
        first = file.entries[0]
        return (
            first.text("game"),
            game_id_of(first.blob("key", 32), first.blob("nonce", 32)),
            file,
        )

    def file(self, name: str) -> Path:
        path = self.folder / "came.toml"
        path.write_bytes(self.files[name])
        return path

    def go(self, path: str, shown: str) -> None:
        self.player.do(f"go({json.dumps(path)})")
        self.tab.wait(shown)

    def waits(self, name: str, game: str) -> None:
        """Let it be Ann's turn: what Ben owes is played, and what is over begun anew."""
        if name not in self.files or self.to_act(name) is None:
            self.begin(name, game)
        self.play_until(name, "Ann", game)

    def play_until(self, name: str, who: str, game: str) -> None:
        while (now := self.to_act(name)) != who:
            if now is None:
                self.begin(name, game)
            elif now == "Ben":
                self.player.take(self.files[name])
                self.files[name] = self.player.turn()
            else:
                self.files[name] = self.ann.play(self.files[name])


@pytest.fixture(scope="module")
def ben(
    browser: WebBrowser, page_folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Ben]:
    """One home for all tests here; in one other game it is Ben's turn, and two he plays alone."""
    with hosted(page_folder) as site:
        made = Ben(browser, site, tmp_path_factory.mktemp("arrives"))
        for game in ALONE:
            made.begin_alone(game)
        made.waits(OTHER, "backgammon")
        made.play_until(OTHER, "Ben", "backgammon")
        made.player.take(made.files[OTHER])
        yield made
        assert made.tab.problems() == []


# What is on the screen


def the_game(ben: Ben, name: str) -> None:
    ben.go(ben.page(name), "main.playing #view[data-lies]")


def looking_back(ben: Ben, name: str) -> None:
    ben.go(f"{ben.page(name)}/entry/1", ".timeline")


def another_game(ben: Ben, _name: str) -> None:
    pages = (ben.page(OTHER), *ben.alone)
    ben.go(pages[ben.turns % len(pages)], "main.playing #view[data-lies]")


def a_film(ben: Ben, name: str) -> None:
    """That of all of this game, or of what is new in the other one."""
    if ben.turns % 2:
        looking_back(ben, name)
    else:
        ben.go(ben.page(OTHER), "main.playing #view[data-lies]")
    ben.tab.run("void playFilm()")
    ben.tab.wait("#film")


def the_list(ben: Ben, _name: str) -> None:
    ben.go("/", "main.home")


def a_message(ben: Ben, _name: str) -> None:
    ben.go(ben.page(OTHER), "main.playing #view[data-lies]")
    ben.tab.run("document.querySelector('.writing').open = true")
    ben.tab.fill("#message", f"half a mess {ben.turns}")


SCREENS = (the_game, a_film, looking_back, another_game, the_list, a_message)


# How a turn arrives


def look_at_it(ben: Ben) -> None:
    ben.tab.click("#came button")


def by_link(ben: Ben, name: str) -> None:
    ben.tab.run(f"void (location.href = {json.dumps(ben.link(name))})")
    look_at_it(ben)


def by_another_tab(ben: Ben, name: str) -> None:
    other = ben.browser.tab()
    other.goto(ben.link(name))
    ben.tab.wait("#came")
    other.close()
    ben.tab.front()
    look_at_it(ben)


def by_share(ben: Ben, name: str) -> None:
    """A system opens the page anew for what is shared to it; nobody is there in half a second."""
    ben.tab.until("!unsaved()")
    other = ben.browser.tab()
    other.goto(f"{ben.site.url}version.json")
    text = json.dumps(ben.files[name].decode())
    other.run(SHARED.replace("TURN", text).replace("NAME", '"shared.toml"'))
    other.close()
    ben.tab.front()
    ben.tab.reload()


def by_drop(ben: Ben, name: str) -> None:
    ben.tab.drop("body", ben.file(name))
    open_it(ben)


def by_paste(ben: Ben, name: str) -> None:
    ben.tab.run("document.activeElement.blur()")
    ben.tab.paste(armor.wrap(ben.files[name]))
    open_it(ben)


def open_it(ben: Ben) -> None:
    """The list says what has come, and leads there."""
    if ben.tab.run("main().matches('.home')"):
        ben.tab.click("#taken a")


def by_file(ben: Ben, name: str) -> None:
    if ben.tab.run("main().matches('.home')"):
        ben.tab.upload("#take-file", ben.file(name))
        open_it(ben)
    else:
        open_with(ben.tab, ben.file(name))
        look_at_it(ben)


WAYS = (by_link, by_drop, by_paste, by_file)
LOADING = (by_another_tab, by_share)
"""Each loads a whole page: over each screen in one game."""


def ways_of(ben: Ben, game: str, screen: Screen) -> Iterator[Way]:
    """The ways to try; in Firefox each once, over another screen each."""
    nth, at = list(GAMES).index(game), SCREENS.index(screen)
    if ben.browser.kind != "chrome":
        yield (*WAYS, *LOADING)[(nth + at) % 6]
        return
    yield from WAYS
    for number, way in enumerate(LOADING):
        if (number * len(SCREENS) + at) % len(GAMES) == nth:
            yield way


@pytest.mark.parametrize("screen", SCREENS, ids=lambda one: one.__name__)
@pytest.mark.parametrize("game", GAMES)
def test_every_place_and_piece_is_seen_after_a_turn_has_come(
    ben: Ben, game: str, screen: Screen
) -> None:
    for way in ways_of(ben, game, screen):
        ben.waits(game, game)
        ben.turns += 1
        ben.tab.size(*SIZES[ben.turns % 2])
        screen(ben, game)
        ben.files[game] = ben.ann.play(ben.files[game])
        way(ben, game)
        what = f"{game}, {way.__name__} over {screen.__name__}"
        number = len(turnfile.read(ben.files[game]).entries) - 1
        newest = f'.title a[href="#{ben.page(game)}/entry/{number}"]'
        ben.tab.until(
            f"document.querySelector('{newest}') && document.querySelector('#view[data-lies]')"
        )
        check_board(ben.tab, what)
        if screen is another_game:
            another_game(ben, game)
            check_board(ben.tab, f"{what}: that game again")
        if screen is a_message:
            ben.go(ben.page(OTHER), "main.playing #view[data-lies]")
            check_board(ben.tab, f"{what}: the other game")
            assert (
                ben.tab.run("document.getElementById('message').value")
                == f"half a mess {ben.turns}"
            )
        if ben.to_act(game) == "Ben":
            the_game(ben, game)
            if ben.tab.run("playFilm().then(() => isFilming())"):
                ben.tab.click("#film-end")
            check_board(ben.tab, f"{what}, after its film")
            ben.files[game] = ben.player.turn()
            check_board(ben.tab, f"{what}, signed")
