"""A turn arrives in the chat while something of the app is on the screen: over everything that can
be shown, in every game. What counts is what is seen afterwards: each place and piece."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from pbem.fileformat import turnfile
from pbem.ledger.invitation import game_id_of
from pbem.table.open_games import page_name
from release import messenger
from tests.support.chat_kit import Member
from tests.support.effort import PATIENCE
from tests.support.web_kit import needs_npm
from tests.support.web_players import Follower, InPage
from tests.support.web_seen import check_board
from tests.support.web_tabs import WebBrowser
from tests.support.webxdc import Messenger
from tests.support.webxdc import messenger as opened
from tests.web.test_messenger import RESOLVES, agree, problems

pytestmark = [needs_npm, pytest.mark.slow]
GAMES: Mapping[str, Mapping[str, int]] = {"tripoli": {}, "backgammon": {"match": 7}, "loot": {}}
SIZES = ((1200, 900), (390, 844))


@dataclass
class Counted(Messenger):
    """A chat that knows how many updates each member's app has taken from it."""

    heard: dict[str, int] = field(default_factory=dict)

    def read(self, name: str, after: int) -> list[dict[str, Any]]:
        self.heard[name] = after
        return super().read(name, after)


def wait_for(holds: Callable[[], bool]) -> None:
    until = time.monotonic() + PATIENCE
    while not holds():
        if time.monotonic() > until:
            raise AssertionError("it never came")
        time.sleep(0.1)


class Ben:
    """Somebody with the app of a chat, in a browser, and Ann in the same chat, who needs none. In
    the other game it is Ben's turn all the time."""

    def __init__(self, browser: WebBrowser, chat: Counted, folder: Path) -> None:
        self.chat, self.tab = chat, browser.tab()
        self.ann = Member(folder, "Ann")
        self.player = InPage(self.tab, "Ben", browser.downloads)
        self.read, self.turns = 0, 0
        self.games: dict[str, bytes] = {}
        self.tab.goto(chat.url("Ben"))
        self.tab.wait("main.home")

    def settle(self) -> None:
        """Let Ann read what is new in the chat, and send what she has signed."""
        while new := self.chat.updates[self.read :]:  # her own come back to her, too
            pairs: list[list[Any]] = [
                [number, update["payload"]] for number, update in enumerate(new, self.read + 1)
            ]
            self.read += len(new)
            self.send(pairs)
        self.send([])
        for data in self.ann.newest().values():
            key = next((one for one, known in self.games.items() if data.startswith(known)), None)
            if key is not None:
                self.games[key] = data

    def send(self, came: list[list[Any]]) -> None:
        """Let Ann take these in and send what is to go out."""
        for update in self.ann.take_in(came):
            self.chat.send("Ann", json.loads(json.dumps(update)))

    def wait_for_turn(self, name: str, number: int) -> None:
        """Until the turn with this number has come to Ann."""

        def is_there() -> bool:
            self.settle()
            return self.newest(name) >= number

        wait_for(is_there)

    def hears(self) -> None:
        """Until the app has read all that is in the chat, and has shown what came. It is not asked:
        it would take in what it is told of."""
        wait_for(lambda: self.chat.heard.get("Ben", 0) >= len(self.chat.updates))
        self.tab.until("!came.length && !isReading")

    def begin(self, name: str, game: str) -> None:
        self.games[name] = self.ann.invite(game, **GAMES[game])
        self.settle()
        self.shows(name)
        # at once: what comes from the chat meanwhile draws the page anew
        self.player.do(
            "trial.until(() => trial.shown('.joining button'), 'a seat').then((one) => one.click())"
        )
        self.tab.until("document.querySelector('dialog[open], main.playing .title')")
        if self.tab.run("document.querySelector('dialog[open]') !== null"):
            agree(self.tab)
        self.wait_for_turn(name, 1)

    def page(self, name: str) -> str:
        first = turnfile.read(self.games[name]).entries[0]
        number = game_id_of(first.blob("key", 32), first.blob("nonce", 32))
        return f"/game/{page_name(first.text('game'), number)}"

    def newest(self, name: str) -> int:
        return len(turnfile.read(self.games[name]).entries) - 1

    def shows(self, name: str) -> None:
        """The newest page of a game, once the turn is here."""
        newest = f'.title a[href="#{self.page(name)}/entry/{self.newest(name)}"]'

        def is_shown() -> bool:
            self.player.do(f"go({json.dumps(self.page(name))})")
            shown = f"document.querySelector('{newest}, .joining button') !== null"
            return bool(self.tab.run(shown))

        wait_for(is_shown)

    def to_play(self, name: str, who: str, game: str) -> None:
        """Play until it is this one's turn."""
        while name not in self.games or (now := Follower().to_act(self.games[name])) != who:
            if name not in self.games or now is None:
                self.begin(name, game)
            elif now == "Ben":
                self.signs(name)
            else:
                self.ann_plays(name)

    def signs(self, name: str) -> None:
        self.shows(name)
        number = self.newest(name) + 1
        self.turns += 1
        self.player.do(
            f"trial.answer([], {self.turns}).then(() =>"
            " trial.clicked(trial.shown('[data-action=sign]')))"
        )
        self.wait_for_turn(name, number)

    def ann_plays(self, name: str) -> None:
        self.games[name] = self.ann.play(self.games[name])
        self.settle()


@pytest.fixture(scope="module", params=["chrome", "firefox"])
def ben(
    request: pytest.FixtureRequest, page_folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Ben]:
    folder = tmp_path_factory.mktemp("chat")
    messenger.build(page_folder, folder / "pbem.xdc")
    chat = Counted()
    with (
        opened(folder / "pbem.xdc", chat),
        WebBrowser(request.param, folder / "profile", RESOLVES[request.param]) as browser,
    ):
        made = Ben(browser, chat, folder)
        made.to_play("the other game", "Ben", "backgammon")
        yield made
        assert problems(made.tab) == []


def the_game(ben: Ben, name: str) -> None:
    ben.shows(name)


def a_film(ben: Ben, name: str) -> None:
    looking_back(ben, name)
    ben.tab.run("void playFilm()")
    ben.tab.wait("#film")


def looking_back(ben: Ben, name: str) -> None:
    ben.player.do(f"go({json.dumps(ben.page(name))} + '/entry/1')")
    ben.tab.wait(".timeline")


def another_game(ben: Ben, _name: str) -> None:
    ben.shows("the other game")


def the_list(ben: Ben, _name: str) -> None:
    ben.player.home()


def a_message(ben: Ben, name: str) -> None:
    another_game(ben, name)
    ben.tab.run("document.querySelector('.writing').open = true")
    ben.tab.fill("#message", f"half a mess {ben.turns}")


SCREENS: tuple[Callable[[Ben, str], None], ...] = (
    the_game, a_film, looking_back, another_game, the_list, a_message,
)  # fmt: skip


@pytest.mark.parametrize("screen", SCREENS, ids=lambda one: one.__name__)
@pytest.mark.parametrize("game", GAMES)
def test_every_place_and_piece_is_seen_after_a_turn_has_come(
    ben: Ben, game: str, screen: Callable[[Ben, str], None]
) -> None:
    ben.to_play(game, "Ann", game)
    ben.turns += 1
    ben.tab.size(*SIZES[ben.turns % 2])
    screen(ben, game)
    what = f"{game}, over {screen.__name__}"
    ben.ann_plays(game)
    ben.hears()
    if screen is the_game:
        newest = f'.title a[href="#{ben.page(game)}/entry/{ben.newest(game)}"]'
        ben.tab.until(
            f"document.querySelector('{newest}') && document.querySelector('#view[data-lies]')"
        )
        check_board(ben.tab, f"{what}: at once")
    if screen in (another_game, a_message):
        check_board(ben.tab, f"{what}: that game")
    if screen is a_message:
        kept = ben.tab.run("document.getElementById('message').value")
        assert kept == f"half a mess {ben.turns}"
    ben.shows(game)
    ben.tab.wait("#view[data-lies]")
    if ben.tab.run("playFilm().then(() => isFilming())"):
        ben.tab.click("#film-end")
    check_board(ben.tab, what)
    if Follower().to_act(ben.games[game]) == "Ben":
        ben.signs(game)
        check_board(ben.tab, f"{what}, signed")
