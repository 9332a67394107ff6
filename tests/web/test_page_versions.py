"""Versions of the page, in real browsers: one is taken whole or not at all, while a text is half
written and something is shared; and what a host may write into the one file that the page looks
at."""

from __future__ import annotations

import json
import lzma
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.web_kit import needs_npm
from tests.support.web_players import AtDesktop
from tests.support.web_tabs import Site, Tab, WebBrowser, begin, hosted, version
from tests.web.test_page_lacks import asked, message
from tests.web.test_page_ways import restamped

pytestmark = [needs_npm, pytest.mark.slow]


@pytest.fixture
def site(page_folder: Path, tmp_path: Path) -> Iterator[Site]:
    """A page whose host may do with its files what they like."""
    with hosted(shutil.copytree(page_folder, tmp_path / "served")) as made:
        yield made


@pytest.fixture
def tab(browser: WebBrowser) -> Iterator[Tab]:
    made = browser.tab()
    yield made
    made.close()


SHARED = """(async () => {
  const answer = await fetch("manifest.webmanifest"), form = new FormData();
  const { action, method, params } = (await answer.json()).share_target;
  form.append(params.text, "lunch at one?");
  form.append(params.files[0].name, new File([TURN], NAME));
  return (await fetch(action, { method, body: form })).url;
})()"""
STRANGE = "../<b>\u202ename\U0001f3b2.toml"


def test_a_version_is_taken_while_a_text_is_half_written_and_something_is_shared(
    tmp_path: Path, tab: Tab, browser: WebBrowser, site: Site
) -> None:
    ann = AtDesktop(tmp_path, "Ann")
    asked(tab, browser, site, ann)
    before = version(tab)
    tab.until("navigator.serviceWorker.controller")
    restamped(site.folder)
    tab.reload()
    tab.wait("#strip")
    other = browser.tab()
    other.goto(f"{site.url}version.json")
    share = SHARED.replace("TURN", json.dumps(ann.invite("tripoli").decode())).replace(
        "NAME", json.dumps(STRANGE)
    )
    assert other.run(share) == site.url
    other.goto(site.url)
    other.wait("#held")  # the home is open in the other tab
    other.wait("#invited")
    assert "2 files" in other.text("#invited")
    other.close()
    tab.click(".game a")
    tab.click(".writing summary")
    tab.fill("#message", "I shall be away")
    tab.run("document.getElementById('this-page').open = true")
    tab.click("#this-page p:nth-of-type(2) button")  # take it
    tab.until(f"document.querySelector('meta[name=pbem-hash]')?.content !== '{before}'")
    tab.wait(".joining button")
    told = tab.text("main")
    assert "not taken: " in told and "Ann" in told and "\u202e" not in told
    tab.click_on("all games")
    tab.click(".game.yours a")
    tab.wait(".writing summary")
    assert message(tab) == "I shall be away"
    assert tab.problems() == []


def test_a_version_that_is_not_whole_is_not_taken(
    tab: Tab, browser: WebBrowser, site: Site
) -> None:
    begin(tab, site.url, "Ann")
    before = version(tab)
    tab.until("navigator.serviceWorker.controller")
    restamped(site.folder)
    (site.folder / "seal.js").unlink()
    tab.reload()
    tab.click_on("take it")
    tab.wait(".refusal")
    assert "seal.js" in tab.text(".refusal") and "(404)" in tab.text(".refusal")
    tab.reload()
    tab.wait("main.home")
    assert version(tab) == before
    newcomer = browser.tab(apart=True)
    newcomer.goto(site.url)
    newcomer.wait(".refusal")
    assert "seal.js" in newcomer.text(".refusal")
    newcomer.close()


def test_a_block_that_is_another_is_refused_and_the_right_one_is_taken_after_it(
    tab: Tab, site: Site
) -> None:
    """Whatever stands in it, and however it ends, the page says so at once, in one way."""
    path = site.folder / "lib.xz"
    right = path.read_bytes()
    head = lzma.compress(b'[["lib/pyodide.mjs", 4]]\nabcd')
    hostile = (
        *(b"", b"no block", right[: len(right) // 2], right[: -len(right) // 9]),
        *(lzma.compress(one) for one in (b"", b"no list\n", b"[1]\n", b'[["lib/a", 1e15]]\n')),
        *(head, head + head),
    )
    for data in hostile:
        path.write_bytes(data)
        tab.goto(site.url)
        tab.wait(".refusal, .words")
        tab.until("document.body.innerText.includes('lib.xz is not the file of this version')")
        tab.goto("about:blank")
    path.write_bytes(right)
    begin(tab, site.url, "Ann")


HASH = "0" * 64
HOSTILE: list[object] = [
    [], "a text", 5, None, {}, {"version": {}, "hash": [], "index": 1},
    {"version": ["99"], "hash": [HASH], "index": [HASH]},
    {"version": "<img src=x onerror=alert(1)>", "hash": HASH, "index": HASH},
    {"version": "9" * 5_000_000, "hash": HASH, "index": HASH},
    {"version": "99", "hash": "../../evil", "index": HASH},
    {"version": "send your passphrase to evil.example.org", "hash": HASH, "index": HASH},
]  # fmt: skip


SIZES: list[object] = [{"x": "y", "z": None}, {"x": -5, "y": 1e308, "z": 1e308}, [[]], 7]


def test_what_a_host_writes_of_its_version_is_no_more_than_that(tab: Tab, site: Site) -> None:
    begin(tab, site.url, "Ann")
    facts = json.loads((site.folder / "version.json").read_text(encoding="utf-8"))
    for told in HOSTILE:
        (site.folder / "version.json").write_text(json.dumps(told), encoding="utf-8")
        tab.reload()
        tab.wait("main.home")
        assert tab.run("document.getElementById('strip').hidden"), told
    for sizes in SIZES:
        (site.folder / "version.json").write_text(
            json.dumps(facts | {"files": sizes}), encoding="utf-8"
        )
        tab.reload()
        tab.wait("main.home")
    (site.folder / "version.json").write_text("{", encoding="utf-8")
    tab.reload()
    tab.wait("main.home")
    (site.folder / "version.json").write_text(
        json.dumps(facts | {"version": "99", "hash": HASH}), encoding="utf-8"
    )
    tab.reload()
    tab.click_on("take it")
    tab.wait(".refusal")
    assert tab.text(".refusal").startswith("SHA256SUMS ")
    assert tab.problems() == []


def test_a_host_that_never_answers_keeps_nobody_from_their_games(tab: Tab, site: Site) -> None:
    begin(tab, site.url, "Ann")
    (site.folder / "version.json").unlink()
    os.mkfifo(site.folder / "version.json")  # whoever reads it waits for ever
    tab.reload()
    tab.wait("main.home")
    (site.folder / "version.json").open("wb").close()
