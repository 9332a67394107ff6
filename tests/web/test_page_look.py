"""From the link in a mail to a seat and a first turn, in real browsers and as a stranger does it:
look, try, join. What is shown was verified, what is tried leaves nothing behind."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from email import message_from_bytes, policy
from pathlib import Path

import pytest

from examples.correspondence import Player
from pbem.fileformat import link
from pbem.home.home import Home
from tests.support.homes import make_home, seed_of
from tests.support.web_kit import needs_npm
from tests.support.web_players import TOOLS, AtDesktop, InPage, entries
from tests.support.web_tabs import Site, Tab, WebBrowser, begin

pytestmark = [needs_npm, pytest.mark.slow]
SIZES = [(1440, 900), (1280, 720), (1024, 768), (844, 390), (390, 844)]
IN_VIEW = """[...document.querySelectorAll(SELECTOR)].every((one) => {
  const { top, bottom, left, right } = one.getBoundingClientRect();
  return top >= 0 && left >= 0 && bottom <= innerHeight && right <= innerWidth && bottom > top;
})"""
STORED = """new Promise((done) => {
  const asked = indexedDB.open(DATABASE_NAME);
  asked.onsuccess = () => {
    const stores = [...asked.result.objectStoreNames], all = [];
    if (!stores.length) done([]);
    const reading = asked.result.transaction(stores, "readonly");
    for (const one of stores) reading.objectStore(one).getAllKeys().onsuccess = ({ target }) => all.push(...target.result.map(String));
    reading.oncomplete = () => { asked.result.close(); done(all); };
  };
})""".replace("DATABASE_NAME", "`pbem ${FOLDER}`")  # noqa: E501


@pytest.fixture
def tab(browser: WebBrowser) -> Iterator[Tab]:
    made = browser.tab()
    yield made
    assert made.problems() == []
    made.close()


def link_in(mail: bytes) -> str:
    """The link as it stands in the text of a mail."""
    body = message_from_bytes(mail, policy=policy.default).get_body(("plain",))
    assert body is not None
    found = re.search(r"https?://\S+#join=\S+", body.get_content())
    assert found is not None, body.get_content()
    return found[0]


def mailed(folder: Path, how: str, address: str) -> str:
    """The link in the mail that Ann's computer writes, by `pbem new` or by `pbem send`."""
    (folder / "mails").mkdir()
    make_home(folder / "ann", "Ann", seed=seed_of("Ann"))
    ann = Player("Ann", folder / "ann", folder / "mails", True)
    if how == "new":
        ann.does("new", "backgammon", "--match", "1", "--web", address)
        (mail,) = ann.folder.glob("*.eml")
        return link_in(mail.read_bytes())
    program, sent = folder / "sendmail", folder / "sent.eml"
    program.write_text(f"#!/bin/sh\ncat > '{sent}'\n", encoding="utf-8")
    program.chmod(0o755)
    (ann.home / "mail.toml").write_text(f'[send]\nprogram = ["{program}"]\n', encoding="utf-8")
    file = ann.does("new", "backgammon", "--match", "1")["file"]
    ann.does("send", file, "--to", "ben@example.org", "--web", address)
    return link_in(sent.read_bytes())


@pytest.mark.parametrize("how", ["new", "send"])
def test_from_the_link_in_a_mail_to_a_first_turn(
    tmp_path: Path,
    tab: Tab,
    browser: WebBrowser,
    site: Site,
    how: str,
    record_property: Callable[[str, object], None],
) -> None:
    url, taps, begun = mailed(tmp_path, how, site.url), 0, time.monotonic()

    def tap(selector: str, shows: str) -> None:
        nonlocal taps
        tab.click(selector)
        taps += 1
        tab.wait(shows)

    tab.goto(url)
    tab.wait("#join")
    door = time.monotonic() - begun
    assert "Backgammon" in tab.text("h1")
    assert "How to win" in tab.text("main") and "ingerprint" not in tab.text("body")
    assert tab.run("document.querySelector('main input, main textarea')") is None
    assert tab.run(STORED) == [], "no key is made to look"
    tap("#join", "#name")
    tab.fill("#name", "Ben")
    tap("#begin", "#written")
    words = str(tab.run("document.getElementById('passphrase').value")).split()
    ordinals = ("first", "second", "third", "fourth", "fifth", "sixth")
    tab.fill("#one-word", words[ordinals.index(tab.text("#which"))])
    tap("#written .main", ".sending button")
    joined = time.monotonic() - begun
    figure = f"a link of {len(url)} characters: {door:.1f} s to the door, {joined:.1f} s and {taps} taps to a seat"  # noqa: E501
    assert taps == 3
    assert {one.split(",")[0] for one in tab.run(STORED)} >= {"key", "home/identity.pem"}
    ben, ann = InPage(tab, "Ben", browser.downloads), AtDesktop(tmp_path, "Cleo")
    ann.home = Home(tmp_path / "ann")
    data = ben.file()
    assert entries(data) == 2
    ben.take(ann.play(data))
    begun = time.monotonic()
    taps = int(str(ben.do("trial.move()")))
    tap("[data-action=sign]", ".sending button")
    record_property(
        "figure", f"{figure}; a first turn {taps} taps, {time.monotonic() - begun:.1f} s"
    )
    print(figure, taps)
    assert entries(ben.file()) > 2


def test_an_invitation_that_is_dropped_at_the_door_is_looked_at(
    tmp_path: Path, tab: Tab, site: Site
) -> None:
    """As one that comes by a link, and so is one whose link would be too long."""
    file = tmp_path / "loot.toml"
    file.write_bytes(AtDesktop(tmp_path, "Ann").invite("loot", players=3))
    tab.goto(site.url)
    tab.wait(".box-board")
    tab.drop("main", file)
    tab.wait("#join")
    assert "Loot" in tab.text("h1")
    assert tab.run("document.getElementById('invited').hidden"), "it is here, it does not wait"
    assert tab.run(STORED) == []
    tab.click("#join")
    tab.fill("#name", "Ben")
    tab.click("#make summary")
    tab.click("#none")
    tab.click("#begin")
    tab.wait(".sending button")


def test_a_newcomer_sees_the_games_before_anything_is_asked(
    tmp_path: Path, tab: Tab, site: Site
) -> None:
    """On the first screen, at every size, and what came is chosen there too."""
    tab.goto(site.url)
    tab.wait(".box-board")
    for width, height in SIZES:
        tab.size(width, height)
        first = tab.run(
            "document.querySelector('[data-action=alone]').getBoundingClientRect().bottom"
        )
        seen = "[...document.querySelectorAll('.box')].filter((one) => one.getBoundingClientRect().top < innerHeight - 40).length"  # noqa: E501
        assert float(str(first)) <= height, width
        assert int(str(tab.run(seen))) >= (4 if width > 1000 else 2), width
        assert tab.run("document.documentElement.scrollWidth <= innerWidth"), width
    tab.click("[data-invite=loot]")
    assert tab.run("document.querySelector('[name=game][value=loot]').checked")
    file = tmp_path / "loot.toml"
    file.write_bytes(AtDesktop(tmp_path, "Ann").invite("loot", players=3))
    tab.upload("#take-file", file)
    tab.wait("#join")
    assert "Loot" in tab.text("h1") and tab.run(STORED) == []


def test_a_sample_is_tried_at_every_size_and_leaves_nothing(
    tmp_path: Path, tab: Tab, browser: WebBrowser, site: Site
) -> None:
    tab.goto(link.join_link(site.url, AtDesktop(tmp_path, "Ann").invite("backgammon", match=1)))
    tab.wait("#join")
    for width, height in SIZES:
        tab.size(width, height)
        assert tab.run(IN_VIEW.replace("SELECTOR", "'h1, .look .picture, #join, [data-try]'")), (
            width
        )
    tab.click_on("Try it first")
    tab.wait("main.playing")
    for width, height in SIZES:
        tab.size(width, height)
        assert tab.text("#strip").startswith("Sample"), width
        assert tab.run(IN_VIEW.replace("SELECTOR", "'#strip, #strip button'")), width
    ben = InPage(tab, "Ben", browser.downloads)
    while tab.run("document.querySelector('[data-answer]') !== null"):
        ben.do(
            "trial.clicked(trial.shown('[data-answer]') ?? document.querySelector('[data-answer]'))"
        )
    nothing = "[data-action=sign], [data-action=preview], [name=resign], #message, [data-send], #open-keep:not([hidden] *)"  # noqa: E501
    assert not tab.run(
        f"[...document.querySelectorAll('{nothing}')].some((one) => one.checkVisibility())"
    )
    for path in ("/", "/web/out", "/new"):
        said = tab.run(
            f"call('ask', {{ method: 'POST', path: '{path}' }}).catch((error) => error.kind)"
        )
        assert said == "none", path
    tab.back()
    tab.wait("#join")
    assert tab.run("visit.isSample === undefined")
    assert tab.run(STORED) == []
    tab.click_on("Try it first")
    tab.click_on("leave the sample")
    tab.click("#join")
    tab.click("#back")
    tab.wait("#join")
    gone = "call('ask', { method: 'GET', path: '/visit/game/backgammon-0' })"
    assert tab.run(f"{gone}.then(({{ status }}) => status)") == 404


def test_who_has_a_home_looks_tries_and_joins_with_one_passphrase(
    tmp_path: Path, tab: Tab, browser: WebBrowser, site: Site
) -> None:
    ann = AtDesktop(tmp_path, "Ann")
    begin(tab, site.url, "Ben", passphrase="correct horse")
    stored = tab.run(STORED)
    tab.run(f"void (location.href = {link.join_link(site.url, ann.invite('backgammon'))!r})")
    tab.click_on("look at it")
    tab.wait(".joining button")
    stored = tab.run(STORED)
    tab.click_on("Try it first")
    tab.wait("#strip")
    tab.until("document.getElementById('strip').innerText.startsWith('Sample')")
    assert not tab.run("document.getElementById('open-keep').checkVisibility()")
    tab.drop("main", tmp_path / "home-of-Ann" / "player.toml")
    tab.wait("#notices > .notice")
    tab.click_on("leave the sample")
    tab.wait(".joining button")
    assert tab.run(STORED) == stored
    other = browser.tab()
    tab.goto("about:blank")
    other.goto(link.join_link(site.url, ann.invite("backgammon")))
    other.wait("#join")
    before = other.text("h1")
    other.click("#join")
    assert "Ann" in before and other.text("h1") == before
    other.fill("#words", "correct horse")
    other.click("#open")
    other.wait(".sending button")
    assert other.problems() == []
    other.close()


def test_a_game_begins_at_once_and_is_kept_with_the_first_signature(tab: Tab, site: Site) -> None:
    """Who plays is asked then; whoever thinks better of it has the turn as it was."""
    tab.goto(site.url)
    tab.click("[data-action=alone]")
    tab.wait("main[data-turn=yours]")
    name = tab.run("main().dataset.name")
    assert tab.run(STORED) == [], "no key is kept"
    for path in ("/", "/new", "/web/backup", f"/game/{name}/do"):
        asked = f"call('ask', {{ method: 'POST', path: '{path}' }}).catch((error) => error.kind)"
        assert tab.run(asked) == "none", path
    tab.run(f"(async () => {{ {TOOLS} await trial.answer([], 1); return true; }})()")
    tab.click("[data-action=sign]")
    tab.wait("#who[open]")
    tab.click("#back")
    tab.wait("#no-answer, #notices > .refusal")
    assert tab.run(STORED) == [] and tab.run("signedNow") == 0
    tab.click("[data-action=sign]")
    tab.wait("#who[open]")
    tab.fill("#name", "Ben")
    tab.click("#make summary")
    tab.fill("#passphrase", "correct horse")
    tab.click("#begin")
    tab.gone("#who")
    tab.until("signedNow === 2")
    assert {str(one).split(",")[0] for one in tab.run(STORED)} >= {"key", "home/identity.pem"}
    tab.reload()
    tab.fill("#words", "correct horse")
    tab.click("#open")
    tab.wait(".game.yours")
    assert name in tab.run("document.querySelector('.game a').getAttribute('href')")
    assert tab.run("askFacts('/web/start').then((facts) => facts.name)") == "Ben"


def test_an_invitation_is_written_once_it_is_said_who_plays(tab: Tab, site: Site) -> None:
    tab.goto(site.url)
    tab.click("[data-invite=backgammon]")
    tab.click("[data-action=invite]")
    tab.wait("#who[open]")
    assert tab.run(STORED) == []
    tab.fill("#name", "Ben")
    tab.click("#make summary")
    tab.click("#none")
    tab.click("#begin")
    tab.wait(".sending button")
    assert str(tab.run("main().dataset.name")).startswith("backgammon-")


def test_a_finished_game_is_watched_and_left(tab: Tab, site: Site) -> None:
    tab.goto(site.url)
    tab.click("[data-watch]")
    tab.wait(".entry-page")
    assert "63 turns" in tab.text("#strip")
    tab.wait("#film-play")
    tab.click("#strip button")
    tab.wait(".box-board")
    assert tab.run(STORED) == [] and tab.run("visit.isUnkept")


def test_who_comes_without_an_invitation_reads_what_is_played_and_tries_it(
    tab: Tab, site: Site
) -> None:
    tab.goto(site.url)
    tab.click("[data-try=loot]")
    tab.wait("main.playing")
    assert tab.text("#strip").startswith("Sample")
    tab.click_on("leave the sample")
    tab.wait("[data-try=backgammon]")
    assert tab.run(STORED) == []


def test_a_link_that_does_not_hold_shows_no_name_and_the_plain_door(
    tmp_path: Path, tab: Tab, site: Site
) -> None:
    data = AtDesktop(tmp_path, "Ann").invite("backgammon", match=1)
    for changed in (data.replace(b'name = "Ann"', b'name = "Eve"'), data[:-20], b"x"):
        tab.goto("about:blank")
        tab.goto(link.join_link(site.url, changed))
        tab.wait("#notices > .refusal")
        assert "The link: " in tab.text("#notices > .refusal")
        words = tab.text("body")
        assert "Eve" not in words and "Ann" not in words
        assert tab.run("document.querySelector('main svg')") is None
