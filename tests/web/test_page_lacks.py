"""Where something is missing, in real browsers: a service worker, a secure connection, storage,
room. What is said is true and in words, and nothing that somebody wrote is lost."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.fileformat import turnfile
from tests.support.web_kit import needs_npm
from tests.support.web_players import AtDesktop, InPage
from tests.support.web_tabs import (
    Site,
    Tab,
    WebBrowser,
    begin,
    of_memory,
    open_keep,
    to_make,
    until_memory,
)

pytestmark = [needs_npm, pytest.mark.slow]
ELSEWHERE = "pbem.example.org"  # a name of this machine that no browser takes for its own
PREFS: dict[str, dict[str, object]] = {
    "chrome": {"host-resolver-rules": f"MAP {ELSEWHERE} 127.0.0.1"},
    "firefox": {"network.dns.localDomains": ELSEWHERE, "dom.security.https_first": False},
}


@pytest.fixture(scope="module", params=["chrome", "firefox"])
def browser(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[WebBrowser]:
    with WebBrowser(
        request.param, tmp_path_factory.mktemp("profile"), PREFS[request.param]
    ) as started:
        yield started


@pytest.fixture
def tab(browser: WebBrowser) -> Iterator[Tab]:
    made = browser.tab()
    yield made
    made.close()


def asked(tab: Tab, browser: WebBrowser, site: Site, ann: AtDesktop) -> InPage:
    """Ben, who is asked for a turn, and has written half of a message."""
    begin(tab, site.url, "Ben")
    ben = InPage(tab, "Ben", browser.downloads)
    ben.take(ann.play(ben.join(ann.invite("backgammon", match=1))))
    ben.do("trial.answer([], 0)")
    tab.click(".writing summary")
    tab.fill("#message", "I shall be")
    tab.until("!unsaved()")
    return ben


def message(tab: Tab) -> str:
    return str(tab.run("document.getElementById('message').value"))


def test_without_a_service_worker_it_plays_while_there_is_a_connection(
    tmp_path: Path, tab: Tab, browser: WebBrowser, site: Site
) -> None:
    tab.before(
        "Object.defineProperty(Navigator.prototype, 'serviceWorker', { value: undefined,"
        " configurable: true })"
    )
    asked(tab, browser, site, AtDesktop(tmp_path, "Ann"))
    tab.click("[data-action=sign]")
    tab.wait(".sending button")
    tab.reload()
    tab.wait("main.home")
    assert tab.run("navigator.serviceWorker === undefined")
    words = tab.run("document.body.innerText")
    assert "offline" not in words and "without a connection" not in words
    assert tab.problems() == []


TOPS = """(() => {
  window.tops = [];
  const look = () => {
    const top = document.querySelector("[data-make]")?.getBoundingClientRect().top;
    if (top !== undefined && window.tops.at(-1) !== top) window.tops.push(top);
    requestAnimationFrame(look);
  };
  look();
})()"""
"""Where the button was, from picture to picture."""


@pytest.mark.parametrize("after", [100, 3000], ids=["soon", "late"])
def test_nothing_at_the_door_moves_away_under_a_finger(
    browser: WebBrowser, site: Site, after: int
) -> None:
    """What the browser keeps is known before it is there, or said below it; and the games come
    below it."""
    tab = browser.tab(apart=True)
    tab.before(
        f"{TOPS}; navigator.storage.persisted ="
        f" () => new Promise((kept) => setTimeout(() => kept(false), {after}));"
    )
    tab.goto(site.url)
    tab.wait("main [data-try]")
    tab.until("document.getElementById('badge').innerText.includes('by this browser')")
    tab.wait("#thrown-away")
    assert len(tab.run("window.tops")) == 1, tab.run("window.tops")
    tab.close()


def test_a_private_window_plays_until_it_is_closed(tmp_path: Path, site: Site) -> None:
    with WebBrowser(
        "firefox", tmp_path / "profile", {"browser.privatebrowsing.autostart": True}
    ) as browser:
        tab = browser.tab()
        tab.goto(site.url)
        tab.wait("#thrown-away")
        assert "private window" in tab.text("#thrown-away")
        asked(tab, browser, site, AtDesktop(tmp_path, "Ann"))
        tab.click("[data-action=sign]")
        tab.wait(".sending button")
        assert "private window" in tab.text("#badge") and "backup" in tab.text("#strip")
        assert tab.problems() == []


KEEPS = "navigator.storage.{} = async () => {};"


@pytest.mark.parametrize("is_kept", [True, False], ids=["kept", "not kept"])
def test_what_the_browser_promises_stands_at_the_door_and_in_one_badge(
    tab: Tab, browser: WebBrowser, site: Site, *, is_kept: bool
) -> None:
    answer = "true" if is_kept else "false"
    tab.before("".join(KEEPS.format(asked, answer) for asked in ("persist", "persisted")))
    to_make(tab, site.url)
    words = "kept by this browser" if is_kept else "may be thrown away by this browser"
    tab.until(f"document.getElementById('badge').textContent === 'ready offline · {words}'")
    assert tab.run("document.getElementById('thrown-away').hidden") == is_kept
    if not is_kept:
        assert "private window" in tab.text("#thrown-away")
    begin(tab, site.url, "Ben", "correct horse")
    assert re.fullmatch(rf"ready offline · {words} · .*backup.*", tab.text("#badge"))
    InPage(tab, "Ben", browser.downloads).invite("backgammon", match=1)
    open_keep(tab)
    tab.click("#make-backup")
    tab.click_on("save it as a file")
    tab.until("/ · last backup .*20[0-9][0-9]/.test(document.getElementById('badge').textContent)")
    tab.reload()
    tab.wait("#words")
    tab.until("document.getElementById('badge').textContent.startsWith('ready offline')")
    assert "backup" not in tab.text("#badge"), "nobody has opened the home yet"
    assert tab.run("document.getElementById('thrown-away').hidden") == is_kept
    assert tab.problems() == []


def test_without_a_secure_connection_it_makes_no_key(tab: Tab, site: Site) -> None:
    tab.goto(site.url.replace("127.0.0.1", ELSEWHERE))
    tab.wait(".refusal")
    assert tab.run("isSecureContext") is False
    assert "https" in tab.text(".refusal")
    assert not tab.run("document.querySelector('main form, main input') !== null")
    assert not any("SHA256SUMS" in one for one in site.log)


def test_without_storage_it_makes_no_key_and_says_what_is_missing(tab: Tab, site: Site) -> None:
    tab.before("Object.defineProperty(window, 'indexedDB', { value: undefined })")
    tab.goto(site.url)
    tab.wait(".refusal")
    assert "browser" in tab.text("h1") and "encryption" not in tab.text(".refusal")
    assert not any("SHA256SUMS" in one for one in site.log)


GIVEN = """new Promise((done) => {
  const asked = indexedDB.deleteDatabase(`pbem memory ${FOLDER}`);
  asked.onsuccess = () => done(true);
})"""
"""What only saves time has nothing left by which it could make room."""
FILLED = """(async () => {
  const made = indexedDB.open("filler");
  made.onupgradeneeded = () => made.result.createObjectStore("filler", { autoIncrement: true });
  await new Promise((done) => (made.onsuccess = done));
  const put = (size) => new Promise((resolve) => {
    const transaction = made.result.transaction("filler", "readwrite"), bytes = new Uint8Array(size);
    for (let at = 0; at < size; at += 65536) crypto.getRandomValues(bytes.subarray(at, at + 65536));
    transaction.objectStore("filler").put(bytes);
    transaction.oncomplete = () => resolve("");
    transaction.onabort = () => resolve(transaction.error.name);
  });
  let said = "";
  for (const size of [1_000_000, 100_000, 10_000, 1000]) for (said = ""; said === ""; ) said = await put(size);
  made.result.close();
  return said;
})()"""  # noqa: E501


def test_where_there_is_no_room_nothing_is_signed_and_the_text_stays(
    tmp_path: Path, tab: Tab, browser: WebBrowser, site: Site
) -> None:
    if browser.kind != "chrome":
        pytest.skip(
            "Firefox changes the room that there is only as it starts:"
            " tests/web/test_page_storage.py"
        )
    here = Site(site.url.replace("127.0.0.1", "localhost"), site.folder)
    tab.goto(f"{here.url}version.json")
    tab.quota(here.origin, 40_000_000)
    ben = asked(tab, browser, here, AtDesktop(tmp_path, "Ann"))
    name = tab.run("main().dataset.name")
    assert tab.run(GIVEN) is True
    assert tab.run(FILLED) == "QuotaExceededError"
    tab.click("#message")
    tab.press("End")
    tab.press("s")
    tab.click("[data-action=sign]")
    tab.wait("#over")
    assert "no room" in tab.text("#over")
    assert message(tab) == "I shall bes"
    assert not tab.run("document.querySelector('.sending') !== null")
    tab.run(
        "new Promise((done) => { indexedDB.deleteDatabase('filler').onsuccess = () =>"
        " done(true); })"
    )
    tab.click_on("load the page again")
    tab.wait("main.home")
    tab.click(f'a[href^="#/game/{name}"]')
    tab.wait("[data-action=sign]")
    assert message(tab) == "I shall be"
    ben.do("trial.sign()")
    entries = turnfile.read(ben.file()).entries
    assert len(entries) == 4 and entries[3].text("message") == "I shall be"


def test_what_saves_time_makes_room_for_the_games(
    tab: Tab, browser: WebBrowser, site: Site
) -> None:
    """Whoever plays hears nothing of it; later starts take longer, and fill nothing again."""
    if browser.kind != "chrome":
        pytest.skip("Firefox changes the room that there is only as it starts")
    here = Site(site.url.replace("127.0.0.1", "localhost"), site.folder)
    tab.goto(f"{here.url}version.json")
    tab.quota(here.origin, 60_000_000)
    begin(tab, here.url, "Ben")
    until_memory(tab, "picture")
    assert tab.run(FILLED) == "QuotaExceededError"
    tab.click("form:has([value=tripoli-solitaire]) [data-action=alone]")
    tab.wait("main.playing")
    tab.wait("#pick, [data-answer]")
    name = tab.run("main().dataset.name")
    for _ in range(2):
        kept = tab.run(of_memory("(_, kept) => kept"))
        assert "full" in kept and "picture" not in kept
        tab.goto(here.url)
        tab.wait("main.home")
        assert name in tab.run("document.querySelector('main').innerHTML")
    assert tab.problems() == []
