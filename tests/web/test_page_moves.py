"""A home goes from a computer into a page, plays there, and goes back: it is open in one place at a time."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from examples.correspondence import Player
from pbem.fileformat import turnfile
from tests.support.homes import make_home
from tests.support.web_kit import needs_npm
from tests.support.web_players import AtDesktop, InPage, check_by_both
from tests.support.web_tabs import WebBrowser, begin, hosted
from tests.web.test_page_ways import restamped

pytestmark = [needs_npm, pytest.mark.slow]
WORDS = "bepe simu nipe"


@pytest.fixture(params=["chrome", "firefox"])
def browser(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[WebBrowser]:
    with WebBrowser(request.param, tmp_path / "profile") as started:
        yield started


def test_a_home_goes_into_the_page_plays_and_goes_back(
    tmp_path: Path, browser: WebBrowser, page_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PBEM_PASSPHRASE", WORDS)
    mails = tmp_path / "mails"
    mails.mkdir()
    ann = AtDesktop(tmp_path, "Ann")
    make_home(tmp_path / "ben", "Ben")
    ben = Player("Ben", tmp_path / "ben", mails, True)
    (mails / "invited.toml").write_bytes(ann.invite("backgammon", match=1))
    joined = (mails / ben.does("join", "invited.toml")["file"]).read_bytes()
    ben.does("home", "move", "ben.txt")
    with hosted(page_folder) as site:
        tab = browser.tab()
        tab.goto(site.url)
        tab.click("details:has(#bring) summary")
        tab.upload("#pack", mails / "ben.txt")
        tab.fill("#pack-words", WORDS)
        tab.click("#bring button.main")
        tab.wait("main.home")
        page = InPage(tab, "Ben", browser.downloads)
        came = ann.play(joined)
        data = page.play(came)
        assert turnfile.read(data).entries[-1].number == 3
        (mails / "ben-signs.toml").write_bytes(came)
        code, _, said = ben.types("play", "ben-signs.toml")
        assert code != 0 and "moved" in said, "closed where it left"
        tab.click("#open-keep")
        tab.fill("#keep-words", WORDS)
        tab.run("document.querySelector('#keeping details').open = true")
        tab.click("#really")
        tab.click("#make-move")
        before = set(browser.downloads.iterdir())
        save = "[...document.querySelectorAll('#keeping button')].find((one) => /^save/.test(one.innerText))"
        tab.until(f"{save} !== undefined")
        tab.run(f"{save}.click()")
        packed = page.saved(before, ".txt")
        assert "moved away" in tab.text("#why"), "at once, and not when it is loaded anew"
        tab.click("#only-look")
        tab.click(".game a")
        tab.wait("main.playing")
        assert "moved away" in tab.text("#strip") and not tab.run(
            "document.querySelector('[name=sign], [name=resign]')"
        )
        assert tab.run("document.querySelector('#foot-acts').hidden"), "nothing is packed of it any more"
        (mails / "back.txt").write_bytes(packed)
        tab.reload()
        tab.fill("#words", WORDS)
        tab.click("#open")
        tab.wait("#why")
        assert "moved away" in tab.text("#why")
    there = Player("Ben", tmp_path / "there", mails, True)
    there.does("home", "open", "back.txt")
    data = ann.play(data)
    (mails / "newest.toml").write_bytes(data)
    answers = there.answers("newest.toml", lambda options: options[0])
    again = (mails / there.does("play", "newest.toml", "; ".join(answers), "--my-clock-is-right")["file"]).read_bytes()
    check_by_both(again, there)


def test_nothing_is_signed_before_a_home_is_kept(browser: WebBrowser, page_folder: Path) -> None:
    """The storage was thrown away, and the buttons of the browser lead back to pages of the table: what would be signed
    there is remembered nowhere, so it could be signed once more."""
    with hosted(page_folder) as site:
        tab = browser.tab()
        begin(tab, site.url, "Ann")
        tab.run("go('/help/tripoli')")
        tab.until("here !== '/'")
        tab.run("worker.terminate()")
        deleted = "new Promise((done) => { indexedDB.deleteDatabase(`pbem ${FOLDER}`).onsuccess = () => done(true); })"
        assert tab.run(deleted)
        tab.reload()
        tab.click("details:has(#bring) summary")
        tab.run("document.querySelector('#pack-text').value = 'AAAA'; true")
        tab.fill("#pack-words", WORDS)
        tab.click("#bring button.main")
        tab.wait("#bring .refusal:not([hidden])")  # Python runs, with an empty home
        tab.back()
        time.sleep(1)
        assert tab.run("main().className") == "door"
        for asked in (
            "ask('/')",
            "askFacts('/name', {name: 'Ann'})",
            "ask('/new', {method: 'POST', body: 'game=loot'})",
        ):
            assert tab.run(f"{asked}.catch((error) => error.kind)") == "none"
        assert tab.problems() == []


def test_a_backup_counts_as_of_when_it_was_made(browser: WebBrowser, page_folder: Path) -> None:
    """Its player may play on before they save it: what they sign then is not in it."""
    with hosted(page_folder) as site:
        tab = browser.tab()
        begin(tab, site.url, "Ann")
        InPage(tab, "Ann", browser.downloads).invite("backgammon")
        tab.click("#strip button")
        tab.fill("#keep-words", WORDS)
        tab.click("#make-backup")
        save = "[...document.querySelectorAll('#keeping button')].find((one) => /^save/.test(one.innerText))"
        tab.until(f"{save} !== undefined")
        InPage(tab, "Ann", browser.downloads).invite("tripoli")
        tab.run(f"{save}.click()")
        tab.until("document.getElementById('heard').textContent === 'Kept.'")
        assert "1 turn signed since the backup" in tab.text("#strip")
        assert tab.problems() == []


def test_without_locks_of_the_browser_one_page_signs(browser: WebBrowser, page_folder: Path, tmp_path: Path) -> None:
    """Nothing tells the older page that another one has the home: what it signs is not kept, so it is never shown."""
    folder = shutil.copytree(page_folder, tmp_path / "served")
    text = (folder / "owner.js").read_text()
    (folder / "owner.js").write_text(text.replace("navigator.locks !== undefined", "navigator.locks === null"))
    restamped(folder)
    with hosted(folder) as site:
        older, newer = browser.tab(), browser.tab()
        begin(older, site.url, "Ann")
        newer.goto(site.url)
        newer.wait("main.home")
        assert older.run("document.querySelector('#over')") is None
        older.run("document.querySelector('[name=game][value=backgammon]').click()")
        older.run("document.querySelector('[data-action=invite]').click()")
        older.until("document.querySelector('#over')")  # it lies behind the other one
        assert "opened in another tab" in older.text("#over")
        assert older.run("document.querySelectorAll('.sending').length") == 0
        assert older.run("ask('/').catch((error) => error.kind)") == "over"
        InPage(newer, "Ann", browser.downloads).invite("backgammon")
        assert newer.run("signedNow") == 1
        assert [*older.problems(), *newer.problems()] == []
