"""A home goes between a computer and a page: it is open in one place at a time, and signs each turn
once."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from examples.correspondence import Player
from pbem.errors import Conflict
from pbem.fileformat import turnfile
from pbem.home import clock
from pbem.home.home import Home
from pbem.turn import open_game
from tests.support.web_kit import needs_npm
from tests.support.web_players import AtDesktop, Follower, InPage, check_by_both, play_on
from tests.support.web_tabs import Site, WebBrowser, begin, choose_game, hosted
from tests.web.test_page_ways import restamped

pytestmark = [needs_npm, pytest.mark.slow]
WORDS = "bepe simu nipe"
OVER = """(async () => {
  const pause = () => new Promise((done) => setTimeout(done, 50));
  for (let turn = 0; turn < 1200 && !document.querySelector("#over"); turn++) await pause();
})()"""


@pytest.fixture(autouse=True)
def words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_PASSPHRASE", WORDS)


@pytest.fixture
def page(browser: WebBrowser, site: Site) -> Iterator[InPage]:
    """Ben's page, in which is nothing yet."""
    tab = browser.tab()
    tab.goto(site.url)
    yield InPage(tab, "Ben", browser.downloads)
    assert tab.problems() == []
    tab.close()


@pytest.fixture
def ann(tmp_path: Path) -> AtDesktop:
    return AtDesktop(tmp_path, "Ann")


def computer(tmp_path: Path, name: str) -> Player:
    """Ben at a computer, with a folder for the packs."""
    (tmp_path / "packs").mkdir(exist_ok=True)
    return Player("Ben", tmp_path / name, tmp_path / "packs", True)


def used_at(player: Player) -> Home:
    """The home that came from a page, whose clock is not that of the tests."""
    clock.confirm(player.home)
    return Home(player.home)


def stopped(page: InPage) -> str:
    """What the page says of a home that signs nothing, when it was loaded anew."""
    page.reopen(WORDS)
    page.tab.wait("#why")
    return page.tab.text("#why")


def test_a_home_goes_to_and_fro_and_signs_each_turn_once(
    tmp_path: Path, page: InPage, ann: AtDesktop
) -> None:
    """From a computer to a page, back, and the same way again; where it left it is closed."""
    ben, follower = AtDesktop(tmp_path, "Ben"), Follower()
    at = computer(tmp_path, ben.home.folder.name)
    data = play_on(ben.join(ann.invite("backgammon", match=1)), {"Ann": ann}, follower, 1)
    for lap in ("first", "second"):
        at.does("home", "move", f"there-{lap}.txt")
        with pytest.raises(Conflict, match="moved away"):
            ben.play(data)
        page.bring((at.folder / f"there-{lap}.txt").read_bytes(), WORDS)
        page.tab.wait("main.home")
        asked, data = data, page.play(data)
        data = play_on(data, {"Ann": ann}, follower, 1)
        (at.folder / f"back-{lap}.txt").write_bytes(page.packed("move", WORDS))
        for said in (page.tab.text("#why"), stopped(page)):  # at once, and when it is loaded anew
            assert "moved away" in said
        page.tab.click("#only-look")
        page.tab.wait("main.home")
        page.take(data)
        assert "moved away" in page.tab.text("#strip")
        assert (
            page.tab.run("document.querySelector('[data-action=sign], [name=sign], [name=resign]')")
            is None
        )
        assert page.tab.run("document.querySelector('#foot-acts').hidden"), (
            "nothing is packed of it any more"
        )
        at.does("home", "open", f"back-{lap}.txt")
        ben.home = used_at(at)
        assert open_game.open_file(asked, ben.home).stale, (
            "what was signed in the page is known here"
        )
        asked, data = data, ben.play(data)
        data = play_on(data, {"Ann": ann}, follower, 1)
        stopped(page)
    assert len(turnfile.read(data).entries) == 11
    check_by_both(data, at)


def backed_up(page: InPage, site: Site, ann: AtDesktop) -> tuple[bytes, bytes]:
    """Ben's home is made and joins a game: the file that is theirs to answer, and a backup from
    before they do."""
    begin(page.tab, site.url, "Ben", WORDS)
    asked = play_on(page.join(ann.invite("backgammon", match=1)), {"Ann": ann}, Follower(), 1)
    page.home()
    return asked, page.packed("backup", WORDS)


def test_an_older_file_brings_nothing_back_to_be_signed_again(
    tmp_path: Path, page: InPage, site: Site, ann: AtDesktop
) -> None:
    """Ben says falsely that nothing newer was signed; this browser knows better, and gives the turn
    that it signed."""
    asked, before = backed_up(page, site, ann)
    signed = page.play(asked)
    moved = page.packed("move", WORDS)
    stopped(page)
    page.bring(moved, WORDS)
    page.tab.wait("#bring .refusal:not([hidden])")
    page.bring(before, WORDS)
    page.tab.until("document.querySelector('#why')?.innerText.includes('put back from the backup')")
    page.tab.click("#sure")
    page.tab.click("#confirm button.main")
    page.tab.wait("main.home")
    for _ in ("at once", "when the page was loaded anew"):
        assert not page.may_sign(asked)
        assert page.file() == signed
        page.reopen(WORDS)
        page.tab.wait("main.home")


def test_a_file_that_has_signed_another_version_is_not_taken(
    tmp_path: Path, page: InPage, site: Site, ann: AtDesktop
) -> None:
    """Restored elsewhere from an older backup, the home has signed there; it comes back by two
    moves, as newer."""
    asked, before = backed_up(page, site, ann)
    first, second = computer(tmp_path, "first"), computer(tmp_path, "second")
    (first.folder / "older.txt").write_bytes(before)
    signed = page.play(asked)
    page.packed("move", WORDS)
    first.does("home", "open", "older.txt")
    first.does("home", "keep", "--nowhere-else")
    elsewhere = AtDesktop(tmp_path / "elsewhere", "Ben")
    elsewhere.home = used_at(first)
    assert elsewhere.play(asked) != signed
    first.does("home", "move", "to-the-second.txt")
    second.does("home", "open", "to-the-second.txt")
    second.does("home", "move", "to-the-page.txt")
    stopped(page)
    page.bring((first.folder / "to-the-page.txt").read_bytes(), WORDS)
    page.tab.wait("#bring .refusal:not([hidden])")
    said = page.tab.text("#bring .refusal")
    assert "another version" in said and "PBEM" not in said
    page.tab.click("#sure")
    page.tab.click("#confirm button.main")
    page.tab.wait("main.home")
    assert not page.may_sign(asked)
    assert page.file() == signed


def test_nothing_is_signed_before_a_home_is_kept(browser: WebBrowser, page_folder: Path) -> None:
    """The storage was thrown away, and the buttons of the browser lead back to pages of the table:
    what would be signed there is remembered nowhere, so it could be signed once more."""
    with hosted(page_folder) as site:
        tab = browser.tab()
        begin(tab, site.url, "Ann")
        tab.run("go('/help/tripoli')")
        tab.until("here !== '/'")
        tab.run("worker.terminate()")
        deleted = (
            "new Promise((done) => { indexedDB.deleteDatabase(`pbem ${FOLDER}`).onsuccess = () =>"
            " done(true); })"
        )
        assert tab.run(deleted)
        tab.reload()
        tab.click("details:has(#bring) summary")
        tab.run("document.querySelector('#pack-text').value = 'AAAA'; true")
        tab.fill("#pack-words", WORDS)
        tab.click("#bring button.main")
        tab.wait("#bring .refusal:not([hidden])")  # Python runs, with an empty home
        tab.back()
        time.sleep(1)
        assert "newcomer" in tab.run("main().className")
        asked = "call('ask', {{ method: 'POST', path: '{}' }}).catch((error) => error.kind)"
        for path in ("/", "/name", "/new", "/web/out"):
            assert tab.run(asked.format(path)) == "none", path
        assert tab.problems() == []


def test_a_page_that_is_just_being_left_is_no_other_tab(browser: WebBrowser, site: Site) -> None:
    """A browser lets it go on for a moment, with the home in its hands; one that stays is told."""
    tab, other = browser.tab(), browser.tab()
    begin(tab, site.url, "Ann")
    other.goto(f"{site.url}version.json")
    for milliseconds, door in ((1500, "main.home"), (60_000, "#held")):
        tab.goto(f"{site.url}version.json")
        other.until("navigator.locks.query().then(({ held }) => held.length === 0)")
        held = f"new Promise((done) => setTimeout(done, {milliseconds}))"
        other.run(f"navigator.locks.request('pbem /', () => {held}), true")
        tab.goto(site.url)
        tab.wait("main.home, #held:not([hidden])")
        assert tab.run(f"document.querySelector('{door}') !== null"), milliseconds
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
        save = (
            "[...document.querySelectorAll('#keeping button')].find((one) =>"
            " /^save/.test(one.innerText))"
        )
        tab.until(f"{save} !== undefined")
        InPage(tab, "Ann", browser.downloads).invite("tripoli")
        tab.run(f"{save}.click()")
        tab.until("document.getElementById('heard').textContent === 'Kept.'")
        assert tab.text("#strip").startswith("1 turn")
        assert tab.problems() == []


def test_without_locks_of_the_browser_one_page_signs(
    browser: WebBrowser, page_folder: Path, tmp_path: Path
) -> None:
    """Nothing tells the older page that another one has the home: what it signs is not kept, so it
    is never shown."""
    folder = shutil.copytree(page_folder, tmp_path / "served")
    text = (folder / "owner.js").read_text()
    assert text.count("!HAS_LOCK") == 2
    (folder / "owner.js").write_text(text.replace("!HAS_LOCK", "true"))
    restamped(folder)
    with hosted(folder) as site:
        older = browser.tab()
        begin(older, site.url, "Ann")
        newer = browser.tab()
        newer.goto(site.url)
        newer.wait("main.home")
        assert older.run("document.querySelector('#over')") is None
        choose_game(older, "backgammon")
        older.run("document.querySelector('[data-action=invite]').click()")
        older.run(OVER)  # it lies behind the other one, where nothing is drawn
        assert "another tab" in older.run("document.querySelector('#over').innerText")
        assert older.run("document.querySelectorAll('.sending').length") == 0
        assert older.run("ask('/').catch((error) => error.kind)") == "over"
        InPage(newer, "Ann", browser.downloads).invite("backgammon")
        assert newer.run("signedNow") == 1
        assert [*older.problems(), *newer.problems()] == []
