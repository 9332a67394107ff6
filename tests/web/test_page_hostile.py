"""What strangers can put before a player: names and messages that are markup, files that are none,
wrong links."""

from __future__ import annotations

import base64
import json
import random
import time
import zlib
from pathlib import Path

import pytest

from pbem.turn import open_game, take_turn
from pbem.turn.draft_lines import Intent
from tests.support.homes import complete_answers
from tests.support.web_kit import needs_npm
from tests.support.web_players import AtDesktop, InPage
from tests.support.web_tabs import Site, Tab, WebBrowser, begin, hosted

pytestmark = [needs_npm, pytest.mark.slow]
NAME = "<img src=x onerror=alert(1)></p>"
MESSAGE = """</blockquote><script>document.title = "hers"</script><a href="https://evil.example.org">your prize</a>
<style>main { display: none }</style><form action="https://evil.example.org"><input name=words></form>
javascript:alert(1) {{ 7 * 7 }} \"' --> ]]>"""  # noqa: E501


@pytest.fixture
def ben(browser: WebBrowser, site: Site) -> InPage:
    tab = browser.tab(apart=True)
    begin(tab, site.url, "Ben")
    return InPage(tab, "Ben", browser.downloads)


def is_unharmed(tab: Tab) -> None:
    """Nothing that somebody wrote has become a part of the page."""
    harmed = (
        "main img, main script, main style, main form:not([action^='#']):not([action^='/']),"
        " a[href*='evil']"
    )
    assert tab.run(f"document.querySelectorAll({json.dumps(harmed)}).length") == 0
    assert tab.run("document.title") != "hers"
    assert tab.problems() == []


def test_names_and_messages_stay_words(tmp_path: Path, ben: InPage) -> None:
    ann = AtDesktop(tmp_path, NAME)
    data = ben.join(ann.invite("backgammon", match=1))
    opened = open_game.open_file(data, ann.home)
    data = take_turn.next_entry(
        opened, Intent(tuple(complete_answers(opened, lambda options: options[0])), message=MESSAGE)
    )
    ben.take(data)
    assert NAME in ben.tab.text("main") and "your prize" in ben.tab.text(".log")
    is_unharmed(ben.tab)
    ben.do("trial.answer([], 0)")
    ben.do("trial.clicked(trial.shown('[data-action=preview]'))")
    ben.tab.wait(".mail")
    inside = "document.querySelector('.mail').shadowRoot"
    ben.tab.until(f"{inside}.textContent.length > 200")
    assert (
        ben.tab.run(
            f"{inside}.querySelectorAll('script, style, form, img:not([src^=\"data:\"])').length"
        )
        == 0
    )
    ben.do("trial.sign()")
    is_unharmed(ben.tab)
    ben.home()
    is_unharmed(ben.tab)


def bomb() -> str:
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    packed = packer.compress(bytes(50_000_000)) + packer.flush()
    return f"join=1{base64.urlsafe_b64encode(packed).decode().rstrip('=')}"


@pytest.mark.parametrize(
    "fragment",
    ["join=", "turn=1AAAA", "join=9abc", "join=%E0%A4%A", "turn=1" + "A" * 1_000_000, bomb()],
    ids=["empty", "short", "a version to come", "no utf-8", "huge", "a bomb"],
)
def test_a_wrong_link_is_told_and_harms_nothing(ben: InPage, site: Site, fragment: str) -> None:
    ben.do(f"void (location.hash = {json.dumps(fragment)})")
    ben.do(
        "trial.until(() => trial.shown('#notices > .notice button'), 'a link').then((one) =>"
        " one.click())"
    )
    ben.tab.until(
        "document.querySelector('#notices > p') && !document.querySelector('#notices"
        " > .notice button')"
    )
    assert len(ben.tab.text("#notices > p")) < 500
    assert ben.tab.run("location.href") == site.url
    assert ben.tab.run("ask('/').then((answer) => answer.status)") == 200
    is_unharmed(ben.tab)


@pytest.mark.parametrize(
    "contents",
    [b"", b"\x00\xff" * 1000, b"[[entry]]\n" * 100_000, b"a" * 30_000_000, NAME.encode()],
    ids=["empty", "bytes", "entries", "huge", "markup"],
)
def test_a_wrong_file_is_told_and_harms_nothing(
    tmp_path: Path, ben: InPage, contents: bytes
) -> None:
    path = tmp_path / f"{NAME.replace('/', '_')}.toml"
    path.write_bytes(contents)
    ben.tab.upload("#take-file", path)
    ben.tab.wait("#taken li")
    assert len(ben.tab.text("#taken")) < 800
    is_unharmed(ben.tab)


PREFETCH = """new Promise((done) => {
  document.addEventListener("securitypolicyviolation", (event) => done(event.effectiveDirective), { once: true });
  const link = Object.assign(document.createElement("link"), { rel: "prefetch", href: "version.json?a-hand" });
  link.onload = () => done("loaded");
  link.onerror = () => done("refused");
  document.head.append(link);
})"""  # noqa: E501


def test_no_address_is_fetched_once_the_network_is_gone(ben: InPage, site: Site) -> None:
    """One that is only asked for in advance would carry what is in it to whoever serves the
    page."""
    ben.tab.reload()
    ben.tab.wait("main.home")
    site.log.clear()
    assert ben.tab.run(PREFETCH) != "loaded"
    assert all("version.json" in one for one in ben.tab.problems()), (
        "the policy says so, and nothing else is wrong"
    )
    ben.home()
    assert site.log == []


@pytest.mark.parametrize("kind", ["bytes", "text"])
def test_large_junk_is_no_home_and_nobody_waits_for_that(
    tmp_path: Path, browser: WebBrowser, site: Site, kind: str
) -> None:
    """Nothing but its first bytes is read of what is no text."""
    path = tmp_path / "junk.txt"
    path.write_bytes(
        random.Random(1).randbytes(12_000_000) if kind == "bytes" else b"hello world\n" * 1_000_000
    )
    tab = browser.tab(apart=True)
    tab.before(
        "Blob.prototype.arrayBuffer = new Proxy(Blob.prototype.arrayBuffer, { apply: (real, one,"
        " given) => { (window.read ??= []).push(one.size); return Reflect.apply(real, one, given);"
        " } })"
    )
    tab.goto(site.url)
    tab.click("details:has(#bring) summary")
    tab.upload("#pack", path)
    tab.fill("#pack-words", "correct horse")
    tab.run("(window.read = [], true)")
    tab.click("#bring button.main")
    tab.wait("#bring .refusal:not([hidden])")
    assert tab.run("window.read") == [512]
    assert tab.problems() == []


def test_a_link_on_a_page_of_help_leads_nowhere_else(ben: InPage, site: Site) -> None:
    """The fragment of an address is data from a stranger too: it opens no page of the table."""
    ben.do("void (location.hash = '#/game/x/do?sign=yes')")
    ben.do("trial.pause(300)")
    assert ben.tab.run("location.href") == site.url
    assert ben.tab.run("document.querySelector('main.home') !== null")


SHARE = """(() => {
  const form = Object.assign(document.createElement("form"), { method: "post", enctype: "multipart/form-data" });
  const field = Object.assign(document.createElement("input"), { type: "file", name: "turn", multiple: true });
  const given = new DataTransfer();
  for (const [name, size] of FILES) given.items.add(new File(["x".repeat(size)], name));
  [form.action, field.files] = [ACTION, given.files];
  form.append(field);
  document.body.append(form);
  setTimeout(() => form.submit());
})()"""  # noqa: E501
WAITING = """caches.open(SHARED_CACHE).then(async (cache) => Promise.all((await cache.keys()).map(async (one) => {
  const answer = await cache.match(one);
  return [decodeURIComponent(answer.headers.get("pbem-name")), (await answer.blob()).size];
})))"""  # noqa: E501

FAILS = """(() => {
  const real = ask;
  ask = (path, how) => (path.includes("large") ? Promise.reject(new Error("fails")) : real(path, how));
})()"""  # noqa: E501


def test_what_any_site_shares_waits_in_bounds_and_keeps_nobody_out(
    tmp_path: Path, browser: WebBrowser, site: Site
) -> None:
    (tmp_path / "evil.html").write_text(
        "<!DOCTYPE html><meta charset=utf-8><title>evil</title><body>"
    )
    tab = browser.tab()
    begin(tab, site.url, "Ann", "correct horse")
    tab.until("navigator.serviceWorker.controller")
    with hosted(tmp_path) as evil:

        def share(*files: tuple[str, int]) -> list[list[object]]:
            tab.goto(f"{evil.url}evil.html")
            tab.run(
                SHARE.replace("ACTION", json.dumps(f"{site.url}share")).replace(
                    "FILES", json.dumps(files)
                )
            )
            tab.wait("#words")
            tab.wait("#invited")
            assert tab.run("location.href") == site.url
            return list(tab.run(WAITING))

        long = "a" * 99 + "\N{GAME DIE}\N{GAME DIE}"
        assert share(("one.toml", 10)) == [["one.toml", 10]]
        assert share((long, 20)) == [
            ["one.toml", 10],
            [long[:100], 20],
        ], "the first one waits still"
        assert len(share(("large", 25_000_000))) == 3
        assert len(share(("larger", 25_000_000))) == 3, (
            "all that waits is bounded, and not each share"
        )
        assert len(share(*((f"{number}", 5) for number in range(30)))) == 20
    tab.run(FAILS)
    tab.fill("#words", "correct horse")
    tab.click("#open")
    tab.wait("main.home")
    tab.until(
        "document.querySelectorAll('#notices > .notice').length === 21"
    )  # one says that there was no room for the others
    assert "fails" in tab.run("main().innerText")
    assert tab.run(WAITING) == []


def test_a_page_that_opened_this_one_cannot_bury_it_in_links(ben: InPage) -> None:
    for number in range(20):
        ben.tab.run(f"void (location.hash = 'join=1{number}')")
    ben.tab.wait("#notices > .notice button")
    time.sleep(0.3)
    assert ben.tab.run("document.querySelectorAll('#notices > .notice').length") == 1


def test_a_link_that_spells_the_folder_otherwise_finds_the_same_home(
    tmp_path: Path, browser: WebBrowser, page_folder: Path
) -> None:
    """Else its player would bring a backup, and have the home twice in one browser."""
    (tmp_path / "play").symlink_to(page_folder)
    with hosted(tmp_path) as served:
        tab = browser.tab()
        begin(tab, f"{served.url}play/", "Ann")
        tab.close()
        for spelled in ("%70lay/", "/play/", "play//", "p%6Cay/index.html"):
            tab = browser.tab()
            tab.goto(f"{served.url}{spelled}")
            tab.wait("main.home, #held")
            assert tab.run("document.querySelector('.newcomer')") is None, spelled
            tab.close()
