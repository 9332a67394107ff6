"""A table that is served in this process, plain requests to it, and a browser that sits at it."""

from __future__ import annotations

import http.client
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit
from weakref import WeakKeyDictionary

import pytest

from pbem.home.home import Home
from pbem.table.open_games import OpenGames
from pbem.table.routes import Table
from pbem.table.server import TableServer
from tests.support.browsers import HEADLESS
from tests.support.effort import PATIENCE
from tests.support.plugins import ENDING

LONGEST = 20_000
"""Milliseconds that a browser may take for anything; far more than it does."""


@contextmanager
def served(
    home: Home, folder: Path, game: Path | None = None, idle: float = 3600
) -> Iterator[TableServer]:
    """The table of a home, whose files go to `folder`; with a game, that game's page at the printed
    address."""
    folder.mkdir(exist_ok=True, parents=True)
    games = OpenGames(home, folder)
    path = "/" if game is None else f"/game/{games.open_data(game.read_bytes()).name}"
    server, ready = TableServer(Table(games), path, idle=idle), threading.Event()
    thread = threading.Thread(target=server.run, args=(ready.set,))
    thread.start()
    try:
        assert ready.wait(PATIENCE)
        yield server
    finally:
        server.stop()  # it ends a fifth of a second later, and hardly anybody has to wait for that
        thread.name = ENDING


@dataclass
class Answer:
    """What the table answered."""

    status: int
    headers: Mapping[str, str]
    body: bytes


@dataclass
class Client:
    """Requests as a program makes them, with the headers of a browser's own page unless others are
    given."""

    server: TableServer
    cookie: str = ""
    headers: dict[str, str] = field(default_factory=dict)

    def enter(self) -> Answer:
        """Exchange the token for the cookie."""
        parts = urlsplit(self.server.url)
        answer = self.ask("GET", f"{parts.path}?{parts.query}", site="none")
        self.cookie = answer.headers.get("set-cookie", "").partition(";")[0]
        return answer

    def ask(
        self,
        method: str,
        path: str,
        body: bytes | None = None,
        *,
        site: str = "same-origin",
        **more: str,
    ) -> Answer:
        """One request. `more` are headers with underscores in their names; an empty value leaves
        one out."""
        origin = f"http://127.0.0.1:{self.server.port}"
        headers = {"Host": origin[7:], "Sec-Fetch-Site": site, "Cookie": self.cookie}
        headers |= {"Sec-Fetch-Mode": "navigate"} if site == "none" else {}
        headers |= {"Origin": origin} if method != "GET" else {}
        headers |= {name.replace("_", "-").title(): value for name, value in more.items()}
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=PATIENCE)
        try:
            connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
            for name, value in {**headers, "Content-Length": str(len(body or b""))}.items():
                if value:
                    connection.putheader(name, value)
            connection.endheaders(body or None)
            answer = connection.getresponse()
            return Answer(
                answer.status, {k.lower(): v for k, v in answer.getheaders()}, answer.read()
            )
        finally:
            connection.close()

    def post(self, path: str, **fields: str) -> Answer:
        """A form."""
        return self.ask("POST", path, urlencode(fields).encode())


ONE_THREAD = "--js-flags=--no-concurrent-recompilation"
"""What its pages run is compiled in their own thread (tests/browser/tabs.mjs says why)."""
needs_browser = pytest.mark.skipif(HEADLESS is None, reason="chromium is not installed")


@contextmanager
def browser(program: str | None = HEADLESS) -> Iterator[Any]:
    """A headless Chromium of the system."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        made = driver.chromium.launch(
            executable_path=program,
            args=["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", ONE_THREAD],
            timeout=1000 * PATIENCE,
        )
        try:
            yield made
        finally:
            made.close()


def _wrong(answer: Any) -> list[str]:
    return [f"{answer.status} {answer.url}"] if answer.status >= 400 else []


SIZE = {"width": 1200, "height": 900}
_windows: WeakKeyDictionary[Any, Any] = WeakKeyDictionary()
"""One window a browser: to open a window takes it a second, to go to another page a fifth of
one."""


def _window(chromium: Any) -> Any:
    """The window of this browser as if it were new: one page, no cookies, the usual size."""
    page = _windows.get(chromium)
    if page is None or page.is_closed():
        page = _windows[chromium] = chromium.new_context(viewport=SIZE).new_page()
    for other in page.context.pages:
        if other != page:
            other.close()
    page.context.clear_cookies()
    page.unroute_all()
    page.emulate_media(color_scheme="null", reduced_motion="null")
    page.set_viewport_size(SIZE)
    return page


HASTE = """(() => {
  const HASTE = 8, later = setTimeout, clock = performance.now.bind(performance);
  const move = Element.prototype.animate;
  window.setTimeout = (act, wait = 0, ...given) => later(act, wait / HASTE, ...given);
  performance.now = () => clock() * HASTE;
  Element.prototype.animate = function (frames, options) {
    return Object.assign(move.call(this, frames, options), { playbackRate: HASTE });
  };
})()"""
"""A page's clock goes eight times as fast: its timers, and what it moves."""


class Visitor:
    """Somebody at the table with a browser; `problems` are what the page wrote to its console. They
    take over the browser's window from the visitor before, unless one is to be open beside others
    (`beside`), its clock goes fast (`hasty`) or its context is a special one. The page may be
    opened in a window of a size, without motion (`still`)."""

    def __init__(
        self,
        chromium: Any,
        server: TableServer,
        *,
        beside: bool = False,
        hasty: bool = False,
        still: tuple[int, int] | None = None,
        **context: Any,
    ) -> None:
        self._is_own = beside or hasty or bool(context)
        self.page = (
            chromium.new_context(viewport=SIZE, **context).new_page()
            if self._is_own
            else _window(chromium)
        )
        self.page.set_default_timeout(LONGEST)
        if hasty:
            self.page.add_init_script(HASTE)
        self.problems: list[str] = []
        self._listeners: dict[str, Callable[[Any], None]] = {
            "console": lambda message: self.problems.append(f"{message.type}: {message.text}"),
            "pageerror": lambda error: self.problems.append(str(error)),
            "response": lambda answer: self.problems.extend(_wrong(answer)),
        }
        for event, listener in self._listeners.items():
            self.page.on(event, listener)
        if still:
            self.keep_still(still)
        self._still = still
        self.page.goto(server.url)

    def keep_still(self, size: tuple[int, int]) -> None:
        """A window of this size, without motion, so that what is measured stands still."""
        self.page.set_viewport_size({"width": size[0], "height": size[1]})
        self.page.emulate_media(reduced_motion="reduce")

    def opened_still(self, size: tuple[int, int]) -> bool:
        """Whether the page was opened so, and nobody has asked since: to open it again takes a
        processor half a second."""
        opened, self._still = self._still, None
        return opened == size

    def close(self) -> None:
        if self._is_own:
            self.page.context.close()
            return
        # A film may still be on its way to a table that ends now, and the next visitor has this
        # window.
        self.page.goto("about:blank")
        for event, listener in self._listeners.items():
            self.page.remove_listener(event, listener)
        # A clock or a script that a test gives to a window stays in it, and is run in the frames of
        # later tests too.
        assert "[native code]" in self.page.evaluate("String(setTimeout)"), "open one beside it"

    def turn(self) -> str:
        return str(self.page.locator("main").get_attribute("data-turn"))

    def answers(self) -> list[str]:
        """The legal answers, as buttons."""
        found: list[str] = self.page.locator("[data-answer]").evaluate_all(
            "all => all.map(one => one.dataset.answer)"
        )
        return found

    def line(self) -> list[str]:
        """The answers so far."""
        found: list[str] = self.page.locator(".line li").evaluate_all(
            "all => all.flatMap(one => one.dataset.answers.split('|'))"
        )
        return found

    def places(self) -> list[str]:
        """The places of the board that can be clicked now."""
        found: list[str] = self.page.locator(".pin.can-go").evaluate_all(
            "all => all.map(one => one.dataset.place)"
        )
        return found

    def cards(self) -> list[str]:
        """The cards that can be clicked now, one that was clicked among them."""
        found: list[str] = self.page.locator(".held .can-go").evaluate_all(
            "all => all.map(one => one.dataset.card)"
        )
        return found

    def chosen(self) -> list[str]:
        """What was clicked on the board and of the cards, and is not let go."""
        found: list[str] = self.page.evaluate("path")
        return found

    def left(self) -> list[str]:
        """The answers that are left after what was clicked."""
        found: list[str] = self.page.evaluate("left().map((one) => one.sentence)")
        return found

    def offered(self) -> list[str]:
        """The answers that a click on a button gives: beside the question, or beside what was
        clicked."""
        found: list[str] = self.page.locator("[data-give]:visible").evaluate_all(
            "all => all.map(one => one.dataset.give)"
        )
        return found

    def card(self, name: str) -> None:
        """Click a card of the hand, or one that lies open: where the next one does not cover it."""
        self.page.locator(f'.held [data-card="{name}"]').first.click(position={"x": 12, "y": 20})

    def place(self, name: str) -> None:
        """Click a place on the board."""
        self.page.locator(f'.pin[data-place="{name}"]').click()

    def use(self, answer: str) -> None:
        """Click the button that gives this answer, beside the question or beside what was
        clicked."""
        self.click(f'[data-give="{answer}"]:visible')

    def click(self, selector: str) -> None:
        """Click a button that changes the page, and wait until it has."""
        self.page.evaluate("document.querySelector('main').dataset.old = 'yes'")
        self.page.locator(selector).first.click()
        self.settle()

    def settle(self) -> None:
        """Wait until the main part of the page is a new one, and what it shows is done."""
        self.page.locator("main:not([data-old]):not([aria-busy])").wait_for()

    def until(self, script: str, given: object = None) -> None:
        """Wait until a function of the page returns something true. It is called from here each
        time: the page's policy lets nothing be evaluated in it later."""
        end = time.monotonic() + PATIENCE
        while not self.page.evaluate(script, given):
            assert time.monotonic() < end, script
            self.page.wait_for_timeout(20)

    def give(self, answer: str) -> None:
        self.page.evaluate("document.querySelector('main').dataset.old = 'yes'")
        self.page.locator("[data-answer]").evaluate_all(
            "(all, wanted) => all.find(one => one.dataset.answer === wanted).click()", answer
        )
        self.settle()

    def sign(self) -> str:
        """Sign; the name of the turn file."""
        self.click('[data-action="sign"]')
        return str(self.page.locator("main").get_attribute("data-file"))
