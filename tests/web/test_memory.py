"""The picture of Python's memory that a page keeps for its later starts: it is put back as it was
taken, holds nothing of a home, and is done without wherever it is not what it should be; and files
that the browser has kept and somebody has changed."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from pbem import __version__
from tests.support.web_kit import needs_npm
from tests.support.web_tabs import Site, Tab, WebBrowser, begin, of_memory, until_memory

pytestmark = [needs_npm, pytest.mark.slow]

PUT = """const put = (kept) => new Promise((done) => {
  const again = indexedDB.open(`pbem memory ${FOLDER}`, 1);
  again.onsuccess = () => {
    const transaction = again.result.transaction("memory", "readwrite");
    for (const [name, value] of Object.entries(kept)) transaction.objectStore("memory").put(value, name);
    transaction.oncomplete = () => done((again.result.close(), true));
  };
});"""  # noqa: E501
RESEALED = """kept.hash = await hashed(kept.pages);
const told = [await hashed(kept.head), kept.size, kept.used, kept.hash].join("\\n");
kept.seal = await hashed(new TextEncoder().encode(told));"""
"""What somebody writes who changes a picture and knows what is compared."""
HASHED = """const hashed = async (bytes) =>
  [...new Uint8Array(await crypto.subtle.digest("SHA-256", bytes))].map((one) => one.toString(16).padStart(2, "0")).join("");
"""  # noqa: E501


@pytest.fixture
def tab(browser: WebBrowser, site: Site) -> Iterator[Tab]:
    """A tab with a home at the page, which has kept its picture."""
    made = browser.tab()
    begin(made, site.url, "Quetzalcoatl")
    until_memory(made, "picture")
    yield made
    assert made.problems() == []
    made.close()


def made_of(tab: Tab) -> list[str] | None:
    """What the picture that is kept is of, and its hash; None where none is kept."""
    found = tab.run(of_memory("(kept) => kept && [kept.of, kept.hash]"))
    return None if found is None else [str(one) for one in found]


def changed(tab: Tab, how: str) -> None:
    """Change the picture that is kept; `how` is a statement about `kept`."""
    act = f"async (kept) => {{ {PUT} {HASHED} {how} return put({{ picture: kept }}); }}"
    assert tab.run(of_memory(act)) is True


def start_again(tab: Tab, site: Site) -> str:
    """Open the page anew; the version of the program that it says runs there."""
    tab.goto(site.url)
    tab.wait("main.home")
    facts = json.loads(str(tab.run("askFacts('/web/start').then(JSON.stringify)")))
    assert facts["name"] == "Quetzalcoatl"
    return str(facts["version"])


def other_version() -> str:
    return "".join("7" if one.isdigit() else one for one in __version__.split("+")[0])


RENAMED = """const bytes = kept.pages, from = new TextEncoder().encode(FROM), to = new TextEncoder().encode(TO);
for (let at = bytes.indexOf(from[0]); at >= 0; at = bytes.indexOf(from[0], at + 1))
  if (from.every((byte, of) => bytes[at + of] === byte)) bytes.set(to, at);"""  # noqa: E501
"""Writes another text in all places of the memory where this one stands."""


def renamed() -> str:
    version = __version__.split("+")[0]
    return RENAMED.replace("FROM", json.dumps(version)).replace("TO", json.dumps(other_version()))


def test_a_later_start_has_the_memory_that_was_kept(tab: Tab, site: Site) -> None:
    """Whoever may write to the disk changes what runs: so it is seen that it does."""
    before = made_of(tab)
    assert start_again(tab, site).startswith(__version__.split("+")[0])
    assert made_of(tab) == before, "the same one, which is taken once"
    changed(tab, f"{renamed()} {RESEALED}")
    assert start_again(tab, site).startswith(other_version())


def test_a_picture_that_is_not_what_it_should_be_is_done_without(tab: Tab, site: Site) -> None:
    """Changed bytes, one of another version or browser, and what Pyodide cannot take: each time the
    page starts all the same, and keeps a picture of its own again."""
    for how in (
        renamed(),
        "kept.of = kept.of.replace(/^./, 'x');",
        "kept.of += ' of another browser';",
        f"{renamed()} kept.hash = await hashed(bytes);",
        "kept.head = kept.head.slice(0, 40);",
        "kept.head[kept.head.length - 9] ^= 1;",
        "kept.used[9] += 1;",
        "kept.used.pop();",
        "kept.size += 1;",
        "kept.pages = kept.pages.slice(0, kept.pages.length / 2);",
        "kept.size = 1e9;",
    ):
        (of, _) = made_of(tab) or ("", "")
        changed(tab, how)
        assert start_again(tab, site).startswith(__version__.split("+")[0]), how
        if made_of(tab) is None:  # it was of no use: the next start takes one
            start_again(tab, site)
        tab.until(of_memory(f"(kept) => kept?.of === {json.dumps(of)}"))
    assert start_again(tab, site).startswith(__version__.split("+")[0])


def test_a_picture_by_which_nothing_has_begun_is_not_tried_again(tab: Tab, site: Site) -> None:
    changed(tab, f"{renamed()} {RESEALED}")
    act = f"async () => {{ {PUT} return put({{ tried: true }}); }}"
    assert tab.run(of_memory(act)) is True
    assert start_again(tab, site).startswith(__version__.split("+")[0])


HOLDS = """async (kept) => {
  const bytes = kept.pages, wanted = new TextEncoder().encode("Quetzalcoatl");
  for (let at = bytes.indexOf(wanted[0]); at >= 0; at = bytes.indexOf(wanted[0], at + 1))
    if (wanted.every((byte, of) => bytes[at + of] === byte)) return true;
  return false;
}"""


def test_a_picture_holds_nothing_of_the_home_that_is_here(tab: Tab, site: Site) -> None:
    """It is taken before the home is opened, also where that is there already."""
    assert tab.run(of_memory(HOLDS)) is False
    changed(tab, "kept.of = '';")
    start_again(tab, site)
    tab.until(of_memory("(kept) => kept.of !== ''"))
    assert tab.run(of_memory(HOLDS)) is False


KEYS = """async (kept) => {
  const text = new TextDecoder("latin1").decode(kept.pages);
  return [...text.matchAll(/MC4CAQAwBQYDK2VwBCIEI([A-Za-z0-9+/]{4})/g)].map(([, start]) => start);
}"""


def test_a_picture_holds_no_secret_key(tab: Tab, site: Site) -> None:
    """The player of the rehearsal has one that everybody knows: of zeros."""
    assert set(tab.run(of_memory(KEYS))) <= {"AAAA"}


def test_what_python_draws_by_chance_is_another_after_each_start(tab: Tab, site: Site) -> None:
    """The boundary of a mail is, and nothing of ours depends on it."""
    drawn = set()
    for _ in range(2):
        start_again(tab, site)
        tab.click("[data-action=invite]")
        tab.wait(".sending button")
        mail = str(
            tab.run("askFacts('/web/out', { game: main().dataset.name }).then((one) => one.mail)")
        )
        drawn.add(mail.partition('boundary="')[2].partition('"')[0])
    assert len(drawn) == 2 and "" not in drawn


def test_games_are_played_from_the_picture_each_with_chance_of_its_own(
    tab: Tab, site: Site
) -> None:
    """Signed, kept, and what is loaded only then: all of it works as after the first start. The two
    begin from the same memory."""
    names = set()
    for _ in range(2):
        start_again(tab, site)
        tab.click("form:has([value=tripoli-solitaire]) [data-action=alone]")
        tab.wait("main.playing")
        before = tab.run("main().dataset.mark")
        tab.run("document.querySelector('[data-answer]').click()")
        tab.until(f"main().dataset.mark !== {json.dumps(before)}")
        names.add(tab.run("main().dataset.name"))
    assert len(names) == 2


@pytest.mark.parametrize("name", ["lib/site.zip", "table/table.js"])
def test_a_kept_file_that_was_changed_is_brought_anew(tab: Tab, site: Site, name: str) -> None:
    """The page says nothing of it: before a home is open nothing can be lost."""
    tab.until("promises.offline")
    here = f"(await caches.open(CACHE + ownHash)), name = new URL({json.dumps(name)}, BASE)"
    size = f"(async () => {{ const cache = {here}; return (await (await cache.match(name)).arrayBuffer()).byteLength; }})()"  # noqa: E501
    before = tab.run(size)
    put = f"(async () => {{ const cache = {here}; await cache.put(name, new Response('other')); return true; }})()"  # noqa: E501
    assert tab.run(put) is True
    assert tab.run(size) == 5
    start_again(tab, site)
    assert tab.run(size) == before
    site.log.clear()
    start_again(tab, site)
    assert site.log.count("GET /version.json") == 1, "it begins once"
