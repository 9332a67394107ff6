"""The storage of the page in real browsers: one owner, what was signed once, and what somebody
changed on the disk."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.support.browsers import FOLDER, IS_THERE
from tests.support.web_tabs import Site, Tab, WebBrowser, hosted

SOURCES = Path(__file__).parents[2] / "templates" / "web"
MODULES = FOLDER / "node_modules"
ROOM = 20_000  # kilobytes that Firefox keeps in these tests

pytestmark = [
    pytest.mark.dear("drives a browser"),
    pytest.mark.skipif(
        not IS_THERE,
        reason="puppeteer-core is not installed: npm ci --ignore-scripts in tests/browser",
    ),
]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """The storage's scripts with a page that only asks them."""
    folder = tmp_path_factory.mktemp("storage")
    for path in (
        Path(__file__).with_name("storage.html"),
        *(SOURCES / f"{name}.js" for name in _SCRIPTS),
    ):
        shutil.copy(path, folder)
    host = (SOURCES / "host.js").read_text(encoding="utf-8")
    words = re.search(r"^  place: (\{.*?^  \}),$", host, re.DOTALL | re.MULTILINE)
    assert words is not None, "the words for where it runs"
    (folder / "place.js").write_text(f"const PLACE = {words[1]};", encoding="utf-8")
    inside = MODULES / "libsodium-sumo" / "dist" / "modules-sumo-esm" / "libsodium-sumo.mjs"
    wrappers = (
        MODULES / "libsodium-wrappers-sumo" / "dist" / "modules-sumo-esm" / "libsodium-wrappers.mjs"
    )
    shutil.copy(inside, folder / "libsodium.mjs")
    text = wrappers.read_text(encoding="utf-8").replace(
        'from"libsodium-sumo"', 'from"./libsodium.mjs"'
    )
    (folder / "libsodium-wrappers.mjs").write_text(text, encoding="utf-8")
    with hosted(folder) as made:
        yield made


_SCRIPTS = ("seal", "storage", "owner", "memory")


@pytest.fixture(scope="module", params=["chrome", pytest.param("firefox", marks=pytest.mark.slow)])
def browser(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[WebBrowser]:
    prefs = {"dom.quotaManager.temporaryStorage.fixedLimit": ROOM}
    with WebBrowser(request.param, tmp_path_factory.mktemp("profile"), prefs) as started:
        yield started


@pytest.fixture
def tab(browser: WebBrowser, site: Site) -> Iterator[Tab]:
    """A tab with a home of its own that nothing is in, and that no other tab has open."""
    opened = at_storage(browser, site)
    opened.run(
        "new Promise((done) => { indexedDB.deleteDatabase(DATABASE).onsuccess = () =>"
        " done(true); })"
    )
    opened.run("made('correct horse')")
    yield opened
    opened.close()


def at_storage(browser: WebBrowser, site: Site) -> Tab:
    made = browser.tab()
    made.goto(f"{site.url}storage.html")
    made.until("window.isReady")
    return made


def test_a_signed_turn_is_never_replaced_nor_removed(tab: Tab) -> None:
    assert (
        tab.run("kind(write(turn(1, 'the first'), ['home/player.toml', bytes('Ann')]))") == "done"
    )
    assert (
        tab.run("kind(write(turn(1, 'another'), ['home/player.toml', bytes('Ben')]))") == "signed"
    )
    said = tab.run("write(turn(1, 'another')).catch((error) => error.message)")
    assert "signed once" in said
    tab.run("writeStep(database, key, epoch, {removed: [turn(1, '')[0]]})")
    kept = tab.run("read()")
    assert kept == {"home/games/00ff/signed/0001.toml": "the first", "home/player.toml": "Ann"}


def test_a_home_that_comes_back_brings_what_was_signed_here_before(tab: Tab) -> None:
    """Its files are new ones, and what they say is known: the same is no second version, another
    one is."""
    assert tab.run("kind(write(turn(1, 'the first')))") == "done"
    assert (
        tab.run(
            "kind(write(turn(1, 'the first'), turn(2, 'the second'), ['home/player.toml',"
            " bytes('Ann')]))"
        )
        == "done"
    )
    assert (
        tab.run(
            "kind(write(turn(1, 'the first'), turn(2, 'another'), ['home/player.toml',"
            " bytes('Ben')]))"
        )
        == "signed"
    )
    assert list(tab.run("read()").values()) == ["Ann", "the first", "the second"]


def test_two_tabs_sign_one_turn_once(tab: Tab, browser: WebBrowser, site: Site) -> None:
    other = at_storage(browser, site)
    assert other.run("opened_('correct horse', false)") is False  # the lock: the first one has it
    assert other.run("opened_('correct horse', true)") is True
    tab.until("isLost")
    # it runs on, and owns nothing any more
    assert tab.run("kind(write(turn(1, 'of the old page')))") == "taken"
    assert other.run("kind(write(turn(1, 'of the new page')))") == "done"
    assert tab.run("kind(write(turn(2, 'of the old page')))") == "taken"
    assert list(tab.run("read()").values()) == ["of the new page"]
    other.close()


def test_who_takes_over_beside_a_step_has_all_of_it_or_nothing(
    tab: Tab, browser: WebBrowser, site: Site
) -> None:
    other = at_storage(browser, site)
    other.run("opened_('correct horse', true)")
    tab.run("opened_('correct horse', true)")
    tab.run(
        "window.steps = []; window.going = (async () => { for (let n = 1; n < 200; n++)"
        " steps.push(await kind(write(turn(n, 'x'), ['home/n', bytes(String(n))]))); })(); true"
    )
    other.run("opened_('correct horse', true)")
    found = other.run("read()")
    steps = tab.run("going.then(() => steps)")
    done = steps.count("done")
    assert steps == ["done"] * done + ["taken"] * (199 - done)
    assert found.get("home/n", "0") == str(done)
    assert len([path for path in found if "signed" in path]) == done
    other.close()


def test_no_second_home_is_made_over_the_first(tab: Tab, browser: WebBrowser, site: Site) -> None:
    other = at_storage(browser, site)
    assert other.run("kind(made('another'))") == "taken"
    assert tab.run("kind(write(turn(1, 'the first')))") == "done"
    other.close()


def test_another_passphrase_opens_nothing(tab: Tab) -> None:
    assert tab.run("kind(opened_('correct  horse', false))") == "passphrase"
    assert (
        tab.run("kind((async () => unwrappedKey((await readMeta(database)).key, null))())")
        == "passphrase"
    )
    assert (
        tab.run(
            "kind((async () => unwrappedKey((await readMeta(database)).key, ' correct horse '))())"
        )
        == "done"
    )


@pytest.mark.parametrize(
    ("store", "name", "change"),
    [
        ("files", "'home/a'", "(it) => (it[40] ^= 1, it)"),
        ("files", "'home/a'", "(it) => it.slice(0, 30)"),
        ("files", "'home/a'", "() => 'a text'"),
        ("files", "'home/b'", "(it) => (change('files', 'home/a', () => it), it)"),
        ("signed", "['00ff', 1]", "(it) => (change('signed', ['00ff', 2], () => it), it)"),
    ],
    ids=["a bit", "cut off", "no bytes", "another file's", "another turn's"],
)
def test_a_record_that_was_changed_is_named(tab: Tab, store: str, name: str, change: str) -> None:
    tab.run(
        "write(['home/a', bytes('aaaaaaaaaaaa')], ['home/b', bytes('bbbbbbbbbbbb')], turn(1, 'x'),"
        " turn(2, 'y'))"
    )
    assert tab.run("kind(readFiles(database, key))") == "done"
    tab.run(f"change('{store}', {name}, {change})")
    said = tab.run("readFiles(database, key).catch((error) => error.message)")
    assert ("home/a" if store == "files" else "signed/0002.toml") in said


def test_a_name_that_no_signed_turn_has_is_a_file_as_any(tab: Tab) -> None:
    """A pack may hold such names; one that is read again under another name would keep the home
    from opening."""
    tab.run(
        "write(['home/games/00ff/signed/1.toml', bytes('x')], ['home/games/00ff/signed/12345.toml',"
        " bytes('y')])"
    )
    assert sorted(tab.run("read()")) == [
        "home/games/00ff/signed/1.toml",
        "home/games/00ff/signed/12345.toml",
    ]


def test_where_the_storage_was_cleared_nothing_is_kept_and_that_is_said(tab: Tab) -> None:
    tab.run(
        "new Promise((done) => { indexedDB.deleteDatabase(DATABASE).onsuccess = () =>"
        " done(true); })"
    )
    assert tab.run("kind(write(turn(1, 'the first')))") == "closed"
    tab.run("made('another')")
    assert tab.run("read()") == {}


def test_where_there_is_no_room_nothing_is_kept_of_a_step(browser: WebBrowser, site: Site) -> None:
    # Chromium knows how much room this has
    elsewhere = replace(site, url=site.url.replace("127.0.0.1", "localhost"))
    tab = at_storage(browser, elsewhere)
    if browser.kind == "chrome":
        tab.quota(elsewhere.origin, 2_000_000)
    tab.run("made('correct horse')")
    assert tab.run("kind(write(turn(1, 'the first'), ['home/a', randomBytes(60000)]))") == "done"
    large = "Array.from({length: 40}, (_, at) => [`home/large${at}`, new Uint8Array(1_000_000)])"
    assert tab.run(f"kind(write(turn(2, 'the second'), ...{large}))") == "full"
    assert sorted(tab.run("read()")) == ["home/a", "home/games/00ff/signed/0001.toml"]
    tab.close()
