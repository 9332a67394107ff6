"""A signed turn goes out, in real browsers and as a person does it: saved, copied, shared, by a
mail program; and what is said where a device will not have it."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from email import message_from_bytes, policy
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

import pytest

from examples.correspondence import Player
from pbem.fileformat import armor, link, turnfile
from pbem.ledger.gate import follow
from pbem.mail import compose, find_turns
from pbem.mail.settings import Page
from pbem.replay.page import page as replay_page
from pbem.replay.scenes import Replayed
from tests.support.effort import PATIENCE
from tests.support.homes import make_home
from tests.support.web_kit import needs_npm
from tests.support.web_players import AtDesktop, InPage, check_by_both
from tests.support.web_tabs import REFUSES, Site, Tab, WebBrowser, begin

pytestmark = [needs_npm, pytest.mark.slow]
STRANGE = ('Ann "&?#=" <b>x</b>', "ann#x&bcc=b?+'{}*@example.org")
TOLD = ".sending [role=status]"


@pytest.fixture(scope="module")
def mails(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the mail program of Firefox is called with."""
    return tmp_path_factory.mktemp("mails") / "mails"


@pytest.fixture(scope="module", params=["chrome", "firefox"])
def browser(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, mails: Path
) -> Iterator[WebBrowser]:
    profile, prefs = tmp_path_factory.mktemp("profile"), {}
    if request.param == "firefox":
        program = profile / "program"
        program.write_text(f"#!/bin/sh\nprintf '%s\\n' \"$1\" >> '{mails}'\n", encoding="utf-8")
        program.chmod(0o755)
        handler = {"action": 2, "ask": False, "handlers": [{"name": "mail", "path": str(program)}]}
        handlers = {"defaultHandlersVersion": {}, "mimeTypes": {}, "schemes": {"mailto": handler}}
        (profile / "handlers.json").write_text(json.dumps(handlers), encoding="utf-8")
        prefs = {"security.external_protocol_requires_permission": False}
    with WebBrowser(request.param, profile, prefs) as started:
        yield started


@pytest.fixture
def tab(browser: WebBrowser, site: Site) -> Iterator[Tab]:
    made = browser.tab()
    made.may_copy(site.origin)
    yield made
    assert made.problems() == []
    made.close()


def joined(tab: Tab, browser: WebBrowser, site: Site, ann: AtDesktop) -> InPage:
    """Ben, who has just taken the seat of an invitation of Ann's."""
    begin(tab, site.url, "Ben", "correct horse")
    ben = InPage(tab, "Ben", browser.downloads)
    ben.take(ann.invite("backgammon", match=1))
    tab.click("[name=join]")
    tab.wait(".sending button")
    return ben


def way(tab: Tab, words: str) -> None:
    """Take one of the ways to send a turn; all but the first are folded away."""
    if tab.run("document.querySelector('.sending details:not([open])') !== null"):
        tab.click_on("Other ways")
    tab.click_on(words)


def saves(ben: InPage, words: str, ending: str = ".toml") -> bytes:
    before = ben._downloaded(ending)
    (way if words.startswith("save") else Tab.click_on)(ben.tab, words)
    return ben._saved(before, ending)


def clipboard(ben: InPage) -> str:
    """What was copied, pasted where text is taken in."""
    ben.home()
    ben.tab.click("#take-text")
    ben.tab.chord("Control+v")
    ben.tab.until("document.getElementById('take-text').value !== ''")
    text = str(ben.tab.run("document.getElementById('take-text').value"))
    ben.tab.run("document.getElementById('take-text').value = ''")
    ben.tab.click(".game a")
    ben.tab.wait(".sending button")
    return text


LOGGED = """navigation?.addEventListener("navigate", ({ destination: { url } }) => {
  if (!url.startsWith("http")) window.went = url;
})"""


def mail_program(tab: Tab, browser: WebBrowser, mails: Path) -> str:
    """The address that the mail program was called with: in Chromium, which has none here, where it
    was to go."""
    if browser.kind == "chrome":
        tab.until("window.went")
        return str(tab.run("window.went"))
    end = time.monotonic() + PATIENCE
    while not mails.exists():
        if time.monotonic() > end:
            pytest.fail("no mail program was called")
        time.sleep(0.05)
    return mails.read_text(encoding="utf-8").strip()


def test_each_way_out_hands_on_the_turn_that_was_signed(
    tmp_path: Path,
    tab: Tab,
    browser: WebBrowser,
    site: Site,
    mails: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ann = AtDesktop(tmp_path, "Ann")
    ann.home = make_home(tmp_path / "strange", *STRANGE)
    tab.before(LOGGED)
    ben = joined(tab, browser, site, ann)
    data = saves(ben, "save the file")
    check_by_both(data, Player("Ann", ann.home.folder, tmp_path, True))
    mail = saves(ben, "save the mail", ".eml")
    read = message_from_bytes(mail, policy=policy.default)
    (attached,) = read.iter_attachments()
    assert attached.get_content() == data
    assert [one.addr_spec for one in read["to"].addresses] == [STRANGE[1]]
    way(tab, "copy a link")
    tab.until(f"document.querySelector('{TOLD}').textContent.startsWith('Copied')")
    linked = clipboard(ben)
    assert linked == link.turn_link(
        site.url, follow(turnfile.read(data))[0].game_id, turnfile.read(data)
    )
    # nothing draws a mail's picture in a page
    monkeypatch.setattr(compose, "_png", lambda *_: None)
    file, (game, seen) = turnfile.read(data), follow(turnfile.read(data))
    name = str(attached.get_filename())
    assert mail == compose.compose(data, game, seen, name, None, page=Page(site.url, linked))
    way(tab, "copy as text")
    tab.until(f"document.querySelector('{TOLD}').textContent.startsWith('Copied')")
    assert armor.unwrap(clipboard(ben).encode()) == data
    way(tab, "write a mail")
    tab.until(f"document.querySelector('{TOLD}').textContent.includes('Send the mail that opens')")
    opened = mail_program(tab, browser, mails)
    asked, address = parse_qs(urlsplit(opened).query, strict_parsing=True), urlsplit(opened)
    assert address.scheme == "mailto" and not address.fragment and len(opened) < 2000
    assert unquote(address.path) == STRANGE[1]
    assert asked["subject"] == [str(read["subject"])] and asked.keys() == {"subject", "body"}
    (came,) = find_turns.turns_in(asked["body"][0].encode(), "the mail")
    assert came.link == link.read(linked[len(site.url) :].encode()), "the link, whole"
    assert armor.unwrap(clipboard(ben).encode()) == data, "nothing was copied for it"
    assert len(file.entries) == 2
    ann.take(data)


def test_what_is_too_long_for_an_address_is_copied_and_only_then_said_to_be(
    tmp_path: Path, tab: Tab, browser: WebBrowser, site: Site, mails: Path
) -> None:
    mails.unlink(missing_ok=True)
    tab.before(LOGGED)
    begin(tab, site.url, "Ben", "correct horse")
    ben = InPage(tab, "Ben", browser.downloads)
    data = ben.join(AtDesktop(tmp_path, "Ann").invite("loot", players=2))
    assert "opied" not in tab.text(".sending > .row")
    way(tab, "write a mail")
    tab.until(f"document.querySelector('{TOLD}').textContent.startsWith('Copied')")
    address = urlsplit(mail_program(tab, browser, mails))
    assert unquote(address.path) == "ann@example.org"
    assert parse_qs(address.query, strict_parsing=True).keys() == {"subject"}
    assert armor.unwrap(clipboard(ben).encode()) == data


SHARES = """Object.defineProperties(navigator, {
  canShare: { value: ({ files }) => files.every((file) => file.name.endsWith(".txt") && file.type === "text/plain") },
  share: { value: async ({ files: [file], title = "" }) => {
    if (!navigator.userActivation.isActive) throw new DOMException("", "NotAllowedError");
    if (window.refuses) throw new DOMException("strange words", window.refuses);
    window.shared = [file.name, title, await file.text()];
  } },
})"""  # noqa: E501


def test_a_turn_and_a_backup_are_shared(
    tmp_path: Path, tab: Tab, browser: WebBrowser, site: Site
) -> None:
    tab.before(SHARES)
    if browser.kind == "chrome":
        tab.size(390, 800, touch=True)
    ben = joined(tab, browser, site, AtDesktop(tmp_path, "Ann"))
    if browser.kind == "chrome":
        assert tab.text(".sending button.main") == "share"
    tab.run("window.refuses = 'AbortError'")
    way(tab, "share")
    assert tab.text(TOLD) == ""  # they thought better of it
    tab.run("window.refuses = 'DataError'")
    way(tab, "share")
    tab.until(f"document.querySelector('{TOLD}').textContent !== ''")
    tab.run("window.refuses = ''")
    way(tab, "share")
    tab.until(f"document.querySelector('{TOLD}').textContent === 'Shared.'")
    data, (name, title, text) = saves(ben, "save the file"), tab.run("window.shared")
    assert name.endswith(".toml.txt") and text.encode() == data
    assert "Backgammon" in title
    tab.click_on("keep a backup")
    tab.fill("#keep-words", "battery staple")
    tab.click("[data-shows=keep-words]")
    assert tab.run("document.getElementById('keep-words').type") == "text"
    tab.click("#make-backup")
    tab.run("window.refuses = 'NotAllowedError'")
    tab.click_on("share it")
    tab.until(
        "document.getElementById('keeping').innerText.includes('This device would not share it')"
    )
    assert "No backup yet" in tab.text("#strip")
    tab.run("window.refuses = ''")
    tab.click_on("share it")
    tab.gone("#strip")
    name, _, text = tab.run("window.shared")
    assert name.startswith("pbem-backup-") and text.startswith("-----BEGIN PBEM HOME-----")
    tab.click_on("close")
    tab.gone("#keeping")


@pytest.mark.parametrize(
    "what", [REFUSES, "Object.defineProperty(navigator, 'clipboard', { value: undefined })"]
)
def test_where_nothing_may_be_copied_the_text_stands_there(
    tmp_path: Path, tab: Tab, browser: WebBrowser, site: Site, what: str
) -> None:
    tab.before(what)
    ben = joined(tab, browser, site, AtDesktop(tmp_path, "Ann"))
    way(tab, "copy a link")
    way(tab, "copy as text")
    tab.wait(".sending textarea")
    assert tab.text(TOLD)
    tab.chord("Control+c")
    assert armor.unwrap(clipboard(ben).encode()) == saves(ben, "save the file")


def test_a_game_that_is_over_is_saved_as_the_page_that_the_desktop_makes(
    tmp_path: Path, tab: Tab, browser: WebBrowser, site: Site
) -> None:
    ann = AtDesktop(tmp_path, "Ann")
    ben = joined(tab, browser, site, ann)
    data = ann.play(saves(ben, "save the file"))
    while follow(turnfile.read(data))[0].to_act() == 0:
        data = ann.play(data)
    ben.take(data)
    tab.click_on("resign …")
    tab.click_on("Sign the resignation")
    tab.wait(".sending button")
    data = saves(ben, "save the file")
    assert follow(turnfile.read(data))[0].to_act() is None
    saved = saves(ben, "Keep it as a page", ".html")
    assert saved.decode() == replay_page(data, Replayed(data))
