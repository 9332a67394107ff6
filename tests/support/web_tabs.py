"""Real browsers, tab by tab, at a folder of static files that is served with a log of what was
asked for."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from http.server import ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from release import web_serve
from tests.support.browsers import FOLDER, IS_THERE, NODE, PROGRAMS
from tests.support.effort import PATIENCE

REFUSES = (
    "navigator.clipboard.writeText = async () => { throw new DOMException('', 'NotAllowedError'); }"
)
"""A browser in which nothing may be copied by itself."""


@dataclass
class Site:
    """A folder of static files at `url`. `log` has what was asked for since it was cleared: method
    and path."""

    url: str
    folder: Path
    log: list[str] = field(default_factory=list)

    @property
    def origin(self) -> str:
        return "/".join(self.url.split("/")[:3])


@contextmanager
def hosted(folder: Path, below: str = "") -> Iterator[Site]:
    """Serve a folder on the loopback address, below another folder of the address where one is
    given."""
    site = Site("", folder)

    class Handler(web_serve.Handler):
        protocol_version = "HTTP/1.1"

        def translate_path(self, path: str) -> str:
            inside = (
                path.partition("?")[0].removeprefix(f"/{below}")
                if path.startswith(f"/{below}")
                else "nothing"
            )
            return super().translate_path(inside if inside.startswith("/") else f"/{inside}")

        def log_message(self, *_args: object) -> None:
            site.log.append(f"{self.command} {self.path}")

    server = ThreadingHTTPServer(
        ("127.0.0.1", 0), lambda *given: Handler(*given, directory=str(site.folder))
    )
    server.daemon_threads = True
    site.url = f"http://127.0.0.1:{server.server_port}/{below}"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield site
    finally:
        server.shutdown()
        server.server_close()


class Tab:
    """One tab of a browser. Selectors are those of style sheets; everything waits until it can be
    done."""

    def __init__(self, browser: WebBrowser, *, apart: bool) -> None:
        self._browser = browser
        self._number = browser.tell(0, "open", apart)

    def _do(self, act: str, *given: object) -> Any:
        return self._browser.tell(self._number, act, *given)

    def goto(self, url: str) -> None:
        self._do("goto", url)

    def reload(self) -> None:
        self._do("reload")

    def back(self) -> None:
        self._do("back")

    def run(self, script: str) -> Any:
        """The value of an expression, awaited."""
        return self._do("run", script)

    def click(self, selector: str) -> None:
        self._do("click", selector)

    def click_on(self, words: str) -> None:
        """Click the button, link or headline of something folded with exactly these words."""
        self.click(
            "::-p-xpath(//*[self::button or self::a or"
            f' self::summary][normalize-space()="{words}"])'
        )

    def fill(self, selector: str, text: str) -> None:
        self._do("fill", selector, text)

    def wait(self, selector: str) -> None:
        """Until it is to be seen."""
        self._do("wait", selector)

    def gone(self, selector: str) -> None:
        self._do("gone", selector)

    def until(self, script: str) -> None:
        self._do("until", script)

    def text(self, selector: str) -> str:
        return str(self._do("text", selector))

    def upload(self, selector: str, *paths: Path) -> None:
        self._do("upload", selector, *map(str, paths))

    def press(self, key: str, *held: str) -> None:
        """One key, while others are held down."""
        self._do("press", key, *held)

    def type(self, text: str, *, pasted: bool = False) -> None:
        """Letters by the keyboard, or all of a text at once, to where the focus is."""
        self._do("type", text, pasted)

    def chord(self, keys: str) -> None:
        """A key, with others held down: `Control+v`."""
        self._do("chord", keys)

    def paste(self, text: str) -> None:
        """Paste a text where the keyboard is, from a tab in which it was copied."""
        other = self._browser.tab()
        other.goto("data:text/html,<textarea id=text></textarea>")
        other.run(f"document.getElementById('text').value = {json.dumps(text)}")
        other.click("#text")
        other.chord("Control+a")
        other.chord("Control+c")
        other.close()
        self.front()
        self.chord("Control+v")

    def may_copy(self, origin: str) -> None:
        """Whoever clicks in a page from there may have a text copied, as in every browser with a
        window."""
        self._do("permit", origin)

    def drop(self, selector: str, *paths: Path, text: str = "") -> None:
        """Drag files, or a text, onto an element and let go."""
        self._do("drop", selector, [str(path) for path in paths], text)

    def before(self, script: str) -> None:
        """Run a script in each page of this tab before the page's own: the browser is another one
        then."""
        self._do("before", script)

    def front(self) -> None:
        """Look at this tab, and at no other one."""
        self._do("front")

    def size(self, width: int, height: int, *, touch: bool = False) -> None:
        self._do("size", width, height, touch)

    def dark(self) -> None:
        self._do("dark")

    def shot(self, path: Path) -> None:
        self._do("shot", str(path))

    def quota(self, origin: str, size: int) -> None:
        """How many bytes the origin may keep (Chromium alone)."""
        self._do("quota", origin, size)

    def problems(self) -> list[str]:
        """What the page wrote to its console since the last time."""
        return list(self._do("problems"))

    def listen(self) -> None:
        """Give the page a function `toldTo(text)`."""
        self._do("listen")

    def told(self) -> list[str]:
        """What it was called with since the last time, also by a page that is dead since."""
        return list(self._do("told"))

    def axe(self, *rules: str) -> list[str]:
        """What axe finds wrong, by all of its rules or by these."""
        return list(self._do("axe", *rules))

    def close(self) -> None:
        self._do("close")


class WebBrowser:
    """A running browser of one of the kinds in `PROGRAMS`; `pid` is its process, `prefs` are
    Firefox's preferences, and options of Chromium by name. Used in a `with`."""

    def __init__(self, kind: str, profile: Path, prefs: Mapping[str, object] | None = None) -> None:
        self.kind = kind
        program = PROGRAMS[kind]
        if not IS_THERE or program is None:
            pytest.skip(
                f"{kind} or puppeteer-core is not installed: npm ci --ignore-scripts in"
                " tests/browser"
            )
        self.downloads = profile / "downloads"
        self.downloads.mkdir(parents=True, exist_ok=True)
        name = "firefox" if kind == "firefox" else "chrome"
        command = [str(NODE), str(FOLDER / "tabs.mjs"), name, program, str(profile)]
        self._driver = subprocess.Popen(
            [*command, json.dumps(prefs or {})],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            encoding="utf-8",
        )
        self.pid = int(self._heard())

    def __enter__(self) -> WebBrowser:
        return self

    def __exit__(self, *_error: object) -> None:
        assert self._driver.stdin is not None
        self._driver.stdin.close()
        with self._driver as driver:
            try:
                driver.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                driver.kill()

    def tab(self, *, apart: bool = False) -> Tab:
        """A new tab; `apart`: with storage of its own."""
        return Tab(self, apart=apart)

    def kill_renderers(self) -> None:
        """End what runs the pages, as the system does where memory is short (Chromium alone)."""
        for pid in self.tell(0, "renderers"):
            os.kill(pid, signal.SIGKILL)

    def kill(self) -> None:
        """End all of the browser at once."""
        os.killpg(self.pid, signal.SIGKILL)
        with self._driver as driver:
            driver.kill()

    def tell(self, tab: int, act: str, *given: object) -> Any:
        """One command. Raises `AssertionError` where it failed."""
        assert self._driver.stdin is not None
        self._driver.stdin.write(json.dumps({"tab": tab, "act": act, "given": given}) + "\n")
        self._driver.stdin.flush()
        return self._heard()

    def _heard(self) -> Any:
        assert self._driver.stdout is not None
        line = self._driver.stdout.readline()
        assert line, "the browser has ended"
        told = json.loads(line)
        assert "failed" not in told, told["failed"]
        return told["done"]


class Browsers:
    """One browser of each kind for all tests of a process: what is done in it has a context of its
    own, which is closed then. Used in a `with`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._running: dict[str, WebBrowser] = {}
        self._open = ExitStack()

    def __enter__(self) -> Browsers:
        return self

    def __exit__(self, *_error: object) -> None:
        self._open.close()

    def _of(self, kind: str) -> WebBrowser:
        if kind not in self._running:
            made = WebBrowser(kind, self._folder / kind)
            self._running[kind] = self._open.enter_context(made)
        return self._running[kind]

    def look_at(self, kind: str, steps: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
        """What a browser found on each replay page (`tests/browser/pages.mjs`); skips the test
        where the browser is not installed."""
        return list(self._of(kind).tell(0, "lookAt", list(steps)))

    def at_table(self, kind: str, act: str, url: str, *given: object) -> dict[str, Any]:
        """What it found at a table: `measureStage` (`tests/browser/stage.mjs`) or `moveFrigates`
        (`tests/browser/table.mjs`)."""
        return dict(self._of(kind).tell(0, act, url, *given))


def version(tab: Tab) -> str:
    """The hash of the version that is open in this tab."""
    return str(tab.run("document.querySelector('meta[name=pbem-hash]').content"))


MEMORY = """new Promise((resolve) => {
  const asked = indexedDB.open(`pbem memory ${FOLDER}`, 1);
  asked.onupgradeneeded = () => asked.result.createObjectStore("memory");
  asked.onsuccess = () => {
    const store = asked.result.transaction("memory", "readwrite").objectStore("memory"), got = store.get("picture"), names = store.getAllKeys();
    names.onsuccess = async () => {
      asked.result.close();
      const act = ACT;
      resolve(await act(got.result ?? null, names.result));
    };
  };
})"""  # noqa: E501


def of_memory(act: str) -> str:
    """A script whose value is what a function of the picture of its memory that a page has kept,
    and of the names of all that it keeps beside the home, returns."""
    return MEMORY.replace("ACT", act)


def until_memory(tab: Tab, *names: str) -> None:
    """Until these are kept for the next start."""
    tab.until(of_memory(f"(_, kept) => {json.dumps(names)}.every((one) => kept.includes(one))"))


def to_make(tab: Tab, url: str) -> None:
    """To the form in which a home is made, from the first page."""
    tab.goto(url)
    tab.click("[data-make]")
    tab.wait("#name")


def begin(tab: Tab, url: str, name: str, passphrase: str | None = None) -> None:
    """Make a home at the page, under this passphrase or without one."""
    to_make(tab, url)
    tab.fill("#name", name)
    tab.fill("#mail", f"{name.lower()}@example.org")
    tab.click("#make summary")
    if passphrase is None:
        tab.click("#none")
    else:
        tab.fill("#passphrase", passphrase)
    tab.click("#begin")
    tab.wait("main.home, main.playing")


def choose_game(tab: Tab, game: str) -> None:
    """Choose a game in the invitation, which is folded once there are games."""
    tab.run("document.querySelector('.begin').open = true")
    tab.run(f"document.querySelector('[name=game][value={game}]').click()")


def open_keep(tab: Tab) -> None:
    """Where the home is kept outside of the browser: its button stands at the foot of a page, and
    in the drawer of a game."""
    inside = "[...document.querySelectorAll('#this-page button')].find((one) => one.textContent === document.getElementById('open-keep').textContent)"  # noqa: E501
    if tab.run(f"{inside} === undefined"):
        tab.click("#open-keep")
    else:
        tab.run(f"document.getElementById('this-page').open = true, {inside}.click()")
    tab.wait("#keeping")
