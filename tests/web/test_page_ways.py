"""What the page does beside playing, in real browsers: without a network, in two tabs, with packs,
links and files."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.web_kit import needs_npm
from tests.support.web_tabs import (
    Site,
    Tab,
    WebBrowser,
    begin,
    choose_game,
    hosted,
    open_keep,
    version,
)

pytestmark = [needs_npm, pytest.mark.slow]


@pytest.fixture
def site(page_folder: Path) -> Iterator[Site]:
    """An origin of its own for each test, in a subfolder: no home is there yet."""
    with hosted(page_folder, "friends/play/") as made:
        yield made


@pytest.fixture
def tab(browser: WebBrowser, site: Site) -> Iterator[Tab]:
    """Ann, who has just made a home under a passphrase."""
    made = browser.tab()
    begin(made, site.url, "Ann", passphrase="correct horse")
    yield made
    made.close()


def invite(tab: Tab, game: str = "tripoli") -> str:
    """Write an invitation; the name of the game's page."""
    choose_game(tab, game)
    tab.click("[data-action=invite]")
    tab.wait(".sending button")
    return str(tab.run("main().dataset.name"))


def unlock(tab: Tab) -> None:
    tab.fill("#words", "correct horse")
    tab.click("#open")
    tab.wait("main.home")


FETCHED = """(async () => {
  const text = `onmessage = async ({data}) => {
    const said = [];
    for (const url of data) {
      try { await fetch(url); said.push("went"); } catch (error) { said.push(error.name); }
      try { await import(url); said.push("went"); } catch (error) { said.push(error.name); }
    }
    postMessage(said);
  };`;
  const worker = new Worker(URL.createObjectURL(new Blob([text], { type: "text/javascript" })), { type: "module" });
  worker.postMessage(URLS);
  const inside = await new Promise((done) => (worker.onmessage = ({ data }) => done(data)));
  const said = [];
  for (const url of URLS) said.push(await fetch(url).then(() => "went", (error) => error.name));
  const picture = new Image();
  said.push(await new Promise((done) => {
    picture.onload = () => done("went");
    picture.onerror = () => done("refused");
    picture.src = URLS[0];
  }));
  return [...inside, ...said];
})()"""  # noqa: E501


def test_neither_page_nor_worker_has_a_network(tab: Tab, site: Site) -> None:
    invite(tab)
    tab.click('.title a[href="#/"]')
    tab.wait("main.home")
    assert tab.problems() == []
    site.log.clear()
    with hosted(site.folder) as other:
        urls = f'["{site.url}version.json", "{other.url}version.json"]'
        said = tab.run(FETCHED.replace("URLS", urls))
        assert "went" not in said, said
        assert other.log == [] == site.log
    assert tab.problems() != []  # the browser says that it has refused


def test_two_tabs_and_one_home(tab: Tab, browser: WebBrowser, site: Site) -> None:
    name = invite(tab)
    other = browser.tab()
    other.goto(site.url)
    other.wait("#held")
    other.fill("#words", "wrong")
    other.click("#open")
    other.wait("#unlock .refusal:not([hidden])")
    # whoever has no passphrase ends nothing
    tab.run(f"ask('/game/{name}/news').then((answer) => answer.status)")
    other.fill("#words", "correct horse")
    other.click("#open")
    other.wait("main.home")
    tab.wait("#over")
    assert "another tab" in tab.text("#over")
    assert tab.run("ask('/').catch((error) => error.kind)") == "over"
    other.click(".game a")
    other.wait(".sending button")
    other.close()


def test_a_backup_brings_the_home_back_and_signs_once_it_is_confirmed(
    tab: Tab, browser: WebBrowser, site: Site
) -> None:
    invite(tab)
    assert "No backup yet" in tab.text("#strip")
    tab.run("window.saveFile = (file) => file.text().then((text) => (window.pack = text)); true")
    open_keep(tab)
    assert tab.run("document.getElementById('keep-words').value") == "correct horse"
    tab.fill("#keep-words", "battery staple")
    tab.click("#make-backup")
    saves = (
        "[...document.querySelectorAll('#keeping button')].find((one) =>"
        " one.innerText.startsWith('save it'))"
    )
    tab.until(saves)
    tab.run(f"{saves}.click()")
    tab.gone("#strip")
    pack = str(tab.run("pack"))
    assert pack.startswith("-----BEGIN PBEM HOME-----")
    with hosted(site.folder) as elsewhere:
        other = browser.tab()
        other.goto(elsewhere.url)
        other.click("details:has(#bring) summary")
        other.run(f"document.querySelector('#pack-text').value = {pack!r}")
        other.fill("#pack-words", "staple")
        other.click("#bring button.main")
        other.wait("#bring .refusal:not([hidden])")
        other.fill("#pack-words", "battery staple")
        other.click("#bring button.main")
        other.wait("#confirm")
        assert "backup" in other.text("#why")
        other.click("#only-look")
        other.wait(".game a")
        other.reload()
        other.fill("#words", "battery staple")
        other.click("#open")
        other.wait("#confirm")
        other.click("#sure")
        other.click("#confirm button.main")
        other.wait(".game a")
        assert other.run("document.getElementById('strip').hidden"), (
            "all that is here lies in that backup"
        )
        invite(other, "backgammon")
        assert [*tab.problems(), *other.problems()] == []
        other.close()


def test_a_link_waits_at_the_door_and_does_nothing_by_itself(
    tab: Tab, browser: WebBrowser, site: Site
) -> None:
    invite(tab)
    link = str(
        tab.run("askFacts('/web/out', {game: main().dataset.name}).then((facts) => facts.link)")
    )
    assert link.startswith(f"{site.url}#join=")
    assert "link" in tab.text(".sending .row"), f"{len(link)} characters"
    with hosted(site.folder) as elsewhere:
        other = browser.tab()
        other.goto(elsewhere.url + link[len(site.url) :])
        other.wait("#join")
        assert other.run("location.href") == elsewhere.url
        other.reload()  # as a telephone does with a page that lies behind another one
        other.wait("#join")
        assert "Ann invites" in other.text("h1")
        memory = "pbem memory /"  # of the program itself (tests/web/test_memory.py)
        assert set(kept_by(other)) <= {"pbem /", memory}
        assert other.run("call('look').then(({ home }) => home)") == "none"
        other.click("#join")
        other.fill("#name", "Ben")
        other.click("#make summary")
        other.click("#none")
        other.click("#begin")
        other.wait(".sending button")
        assert other.run("sessionStorage.length") == 0
        other.click('.title a[href="#/"]')
        other.wait("main.home")
        other.run(f"location.hash = {link[len(site.url) :]!r}")
        other.wait(".notice button")
        assert other.run("location.href") == elsewhere.url
        assert other.problems() == []
        other.close()


def test_a_link_in_a_second_tab_is_looked_at_where_the_games_are_open(
    tab: Tab, browser: WebBrowser, site: Site
) -> None:
    """As a telephone opens each link: no passphrase is entered for it, and no key changes hands."""
    name = invite(tab)
    link = str(tab.run(f"askFacts('/web/out', {{game: {name!r}}}).then((facts) => facts.link)"))
    tab.run("go('/')")
    tab.wait("main.home")
    other = browser.tab()
    other.goto(link)
    other.wait("#here-instead")
    assert other.text("#held")
    assert other.run("document.getElementById('unlock').hidden")
    tab.click("#came button")
    tab.wait(f"main[data-name='{name}']")
    other.click("#here-instead")
    other.fill("#words", "correct horse")
    other.click("#open")
    other.wait("main.playing")
    tab.wait("#over")
    assert [*tab.problems(), *other.problems()] == []
    other.close()


def test_a_link_with_a_turn_where_no_game_is_asks_for_the_backup_first(
    browser: WebBrowser, site: Site
) -> None:
    tab = browser.tab()
    tab.goto(f"{site.url}#turn=1AAAA")
    tab.wait("#pack-words")
    assert "backup" in tab.text("#invited") and "turn" in tab.text("h1")
    assert not tab.run("document.getElementById('make').checkVisibility()")
    tab.click_on("I have no games yet: begin")
    tab.wait("#make")
    assert tab.problems() == []
    tab.close()


def test_offline_after_the_first_start(tab: Tab, browser: WebBrowser, page_folder: Path) -> None:
    with hosted(page_folder) as site:
        first = browser.tab()
        begin(first, site.url, "Ben")
        first.close()
    again = browser.tab()  # nobody serves it any more
    again.goto(site.url)
    again.wait("main.home")
    again.close()


def test_another_version_is_taken_when_the_player_says_so(
    browser: WebBrowser, page_folder: Path, tmp_path: Path
) -> None:
    folder = shutil.copytree(page_folder, tmp_path / "served")
    with hosted(folder) as site:
        tab = browser.tab()
        begin(tab, site.url, "Ann")
        before = version(tab)
        restamped(folder)
        tab.reload()
        tab.wait("#strip")
        assert "Version 99" in tab.text("#strip")
        assert version(tab) == before
        tab.click("#strip button")
        tab.until(f"document.querySelector('meta[name=pbem-hash]')?.content !== '{before}'")
        tab.wait("main.home")
        assert version(tab) != before
        tab.close()


def kept_by(tab: Tab) -> list[str]:
    """The names of all that this origin keeps besides files."""
    names = "indexedDB.databases().then((all) => all.map(({ name }) => name).sort())"
    return [str(name) for name in tab.run(names)]


def restamped(folder: Path) -> None:
    """Another version in the same place: one file differs, and all hashes follow."""
    (folder / "web.css").write_text((folder / "web.css").read_text() + "\n/* new */\n")
    lines = (folder / "SHA256SUMS").read_text().splitlines()
    alone = [line[66:] for line in lines if not line[66:].startswith("lib/")]
    sums = "".join(f"{line}\n" for line in lines if line[66:] not in alone) + "".join(
        f"{hashlib.sha256((folder / name).read_bytes()).hexdigest()}  {name}\n" for name in alone
    )
    old = hashlib.sha256((folder / "SHA256SUMS").read_bytes()).hexdigest()
    (folder / "SHA256SUMS").write_text(sums)
    new = hashlib.sha256(sums.encode()).hexdigest()
    page = (folder / "index.html").read_text().replace(old, new)
    (folder / "index.html").write_text(page)
    facts = json.loads((folder / "version.json").read_text())
    facts |= {"version": "99", "hash": new, "index": hashlib.sha256(page.encode()).hexdigest()}
    (folder / "version.json").write_text(json.dumps(facts))


def test_framed_it_makes_no_key(browser: WebBrowser, site: Site) -> None:
    tab = browser.tab()
    tab.goto(f"{site.url}version.json")
    tab.run(
        f"document.body.append(Object.assign(document.createElement('iframe'), {{src: '{site.url}',"
        " id: 'f'})), true"
    )
    tab.until("document.getElementById('f').contentDocument?.querySelector('.refusal.words')")
    assert not any("SHA256SUMS" in asked for asked in site.log)
    tab.close()


def test_from_a_file_it_offers_to_check_games(browser: WebBrowser, page_folder: Path) -> None:
    tab = browser.tab()
    tab.goto((page_folder / "index.html").as_uri())
    tab.wait('a[href="check.html"]')
    assert "no key" in tab.text("main")
    assert not tab.run("document.querySelector('form')")
    tab.click_on("Check a turn file")
    tab.wait("input[type=file]")
    tab.close()


def test_two_folders_of_one_origin_have_a_home_each(
    browser: WebBrowser, page_folder: Path, tmp_path: Path
) -> None:
    """Beside a page its host tries the next version: neither sees the other's home, nor takes its
    version away."""
    for name in ("play", "play/next"):
        shutil.copytree(page_folder, tmp_path / "served" / name)
    with hosted(tmp_path / "served") as site:
        ann, ben = browser.tab(), browser.tab()
        begin(ann, f"{site.url}play/", "Ann")
        begin(ben, f"{site.url}play/next/", "Ben")
        assert "Ben" in ben.text("header")
        before = version(ben)
        restamped(tmp_path / "served" / "play")
        ann.reload()
        ann.wait("#strip button")
        ann.click("#strip button")
        ann.until(f"document.querySelector('meta[name=pbem-hash]')?.content !== '{before}'")
        ann.wait("main.home")
        assert version(ann) != before and "Ann" in ann.text("header")
        kept = (
            "caches.keys().then((names) => names.filter((name) =>"
            " /[0-9a-f]{64}$/.test(name)).length)"
        )
        assert ann.run(kept) == 2, "a version of each"
        homes = ["pbem /play/", "pbem /play/next/"]
        memories = ["pbem memory /play/", "pbem memory /play/next/"]
        assert kept_by(ann) == [*homes, *memories]
        restored = ben.run("ask('/').then((answer) => answer.status)")
        assert restored == 200, "nobody has taken the home over"
        assert [*ann.problems(), *ben.problems()] == []
        site.folder.rename(tmp_path / "gone")
        ben.reload()
        ben.wait("main.home")
        assert version(ben) == before
        ann.close()
        ben.close()
