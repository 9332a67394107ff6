"""Controls of the page that no other test presses, in real browsers: the six words, the keyboard, a
frame, and a home that is closed and goes on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.fileformat import link
from tests.support.web_kit import needs_npm
from tests.support.web_players import AtDesktop, InPage
from tests.support.web_tabs import REFUSES, Site, Tab, WebBrowser, begin, open_keep, to_make

pytestmark = [needs_npm, pytest.mark.slow]
WORDS = "battery staple"


@pytest.fixture
def tab(browser: WebBrowser, site: Site) -> Iterator[Tab]:
    made = browser.tab()
    made.may_copy(site.origin)
    yield made
    assert made.problems() == []
    made.close()


def six(tab: Tab) -> str:
    """The words that are offered."""
    return str(tab.run("document.getElementById('passphrase').value"))


def asked_word(tab: Tab, words: str) -> str:
    """The one of them that is asked for."""
    ordinals = ("first", "second", "third", "fourth", "fifth", "sixth")
    return words.split()[ordinals.index(tab.text("#which"))]


def test_the_six_words_are_copied_and_open_the_home(tab: Tab, site: Site) -> None:
    to_make(tab, site.url)
    tab.fill("#name", "Ben")
    first = six(tab)
    tab.click("#copy-six")
    tab.until("document.getElementById('copy-six').textContent === 'copied'")
    tab.click_on("Other words, or none")
    tab.click("#other-six")
    words = six(tab)
    assert words != first and len(words.split()) == 6 == len(first.split())
    assert tab.text("#copy-six") == "copy"
    tab.click("#copy-six")
    tab.until("document.getElementById('copy-six').textContent === 'copied'")
    tab.click("#none")
    tab.gone("#asks-six")
    tab.click("#none")
    tab.click("#begin")
    tab.wait("#written")
    assert tab.run("document.getElementById('passphrase').type") == "password"
    tab.fill("#one-word", "no word of them")
    tab.click_on("Go on")
    tab.wait("#written .refusal:not([hidden])")
    assert tab.run("document.querySelector('main.home')") is None
    tab.click_on("show them again")
    tab.wait("#make")
    assert six(tab) == words and tab.run("document.getElementById('passphrase').type") == "text"
    tab.click("#begin")
    tab.wait("#written")
    tab.fill("#one-word", f" {asked_word(tab, words).upper()}. ")
    tab.click_on("Go on")
    tab.wait("main.home")
    tab.reload()
    tab.wait("#words")
    tab.chord("Control+v")
    tab.click("[data-shows=words]")
    assert tab.run("document.getElementById('words').value") == words
    tab.click("#open")
    tab.wait("main.home")


def test_an_address_that_is_doubted_can_be_seen_and_said_again(tab: Tab, site: Site) -> None:
    to_make(tab, site.url)
    tab.fill("#name", "Ben")
    tab.fill("#mail", "ben@exampleorg")
    words = six(tab)
    tab.click("#begin")
    tab.click_on("not now")
    tab.wait("#make .refusal:not([hidden])")
    assert " @" in tab.text("#make .refusal") and six(tab) == words
    assert tab.run("document.querySelector('main.home')") is None
    tab.click("#begin")
    tab.click_on("not now")
    tab.wait("main.home")


def test_six_words_open_however_a_telephone_writes_them(
    tab: Tab, browser: WebBrowser, site: Site
) -> None:
    """In capitals, with double and other blanks: for the home in the browser, and for a file of it
    elsewhere."""
    to_make(tab, site.url)
    tab.fill("#name", "Ben")
    first, *others = six(tab).split()
    between = "\N{NO-BREAK SPACE}"
    written = f" {first.capitalize()}  {between.join(others)}"
    tab.click("#begin")
    tab.click_on("not now")
    tab.wait("main.home")
    ben = InPage(tab, "Ben", browser.downloads)
    ben.invite("backgammon", match=1)
    text = ben.packed("backup", " ".join([first, *others])).decode()
    tab.reload()
    tab.wait("#words")
    tab.fill("#words", f"{written} and")
    tab.click("#open")
    tab.wait("#unlock .refusal:not([hidden])")  # a word more is another passphrase
    words = [first, *others]
    for one in (written, "-".join(words), "".join(words).title(), "\t".join(words).upper()):
        assert tab.run(f"asOffered({one!r})") == " ".join(words), one
    for one in (" ".join(words), " ".join(words[:5]), f"{written} a", "correct horse", ""):
        assert tab.run(f"asOffered({one!r})") is None, one
    tab.fill("#words", ", ".join(f"{at}. {word}" for at, word in enumerate(words, 1)))
    tab.click("#open")
    tab.wait("main.home")
    elsewhere = browser.tab(apart=True)
    elsewhere.goto(site.url)
    elsewhere.click("details:has(#bring) summary")
    elsewhere.run(f"(document.querySelector('#pack-text').value = {text!r}, true)")
    elsewhere.fill("#pack-words", written.upper())
    elsewhere.click("#bring button.main")
    elsewhere.wait("#confirm")
    assert elsewhere.run("keptWords") == " ".join(words), "the words that open it protect it here"
    assert elsewhere.problems() == []
    elsewhere.close()


def test_the_six_words_are_marked_where_nothing_may_be_copied(tab: Tab, site: Site) -> None:
    tab.before(REFUSES)
    to_make(tab, site.url)
    tab.click("#copy-six")
    tab.until("document.getElementById('copy-six').textContent.includes('marked')")
    tab.click("#copy-six")  # marked still
    tab.until("document.activeElement.id === 'passphrase'")
    tab.chord("Control+c")
    tab.click("#name")
    tab.chord("Control+v")
    assert tab.run("document.getElementById('name').value").strip() == six(tab)


def moved(tab: Tab, page: InPage) -> str:
    """Close the home here, and see its door; the text of its file."""
    open_keep(tab)
    tab.click("#close-keep")
    tab.gone("#keeping")
    open_keep(tab)
    tab.fill("#keep-words", WORDS)
    tab.click_on("Move this home to another device")
    tab.click("#make-move")
    tab.wait("#keeping .refusal:not([hidden])")
    tab.click("#really")
    tab.click("#make-move")
    tab.wait("#confirm")
    assert "moved away" in tab.text("#why")
    for path in page._downloads.glob("pbem-move-*"):
        path.unlink()  # Chromium without a window saves a second one in its place
    before = page._downloaded(".txt")  # other players of this browser have saved some too
    tab.click_on("save it as a file")
    text = page._saved(before, ".txt").decode()
    tab.click("#only-look")
    tab.wait("main.home")
    tab.click_on("what to do")
    tab.wait("#confirm")
    return text


def test_a_home_that_was_closed_goes_on_and_its_file_is_no_way_back(
    tab: Tab, browser: WebBrowser, site: Site
) -> None:
    begin(tab, site.url, "Ann")
    page = InPage(tab, "Ann", browser.downloads)
    moved(tab, page)
    tab.click_on("Sign from here again")
    # the browser says what is missing
    assert tab.run("document.querySelector('#sure:invalid') !== null")
    tab.click("#sure")
    tab.click_on("Sign from here again")
    tab.wait("main.home")
    text = moved(tab, page)
    tab.click_on("Bring the home back with a file")
    tab.click("#pack-text")
    tab.paste(text)
    tab.until("document.getElementById('pack-text').value.length > 500")
    tab.fill("#pack-words", WORDS.upper())
    tab.click("[data-shows=pack-words]")
    assert tab.run("document.getElementById('pack-words').type") == "text"
    tab.click_on("Bring it here")
    tab.wait("#bring .refusal:not([hidden])")
    assert tab.run("document.getElementById('pack-text').value").strip() == text.strip()
    tab.fill("#pack-words", WORDS)
    tab.click_on("Bring it here")
    tab.until(
        "document.querySelector('#bring .refusal').textContent.startsWith('this is the file with"
        " which')"
    )
    assert tab.run("document.getElementById('pack-text').value").strip() == text.strip()
    tab.click("#sure")
    tab.click_on("Sign from here again")
    tab.wait("main.home")


def test_who_is_taken_over_goes_on_here(tab: Tab, browser: WebBrowser, site: Site) -> None:
    begin(tab, site.url, "Ann")
    other = browser.tab()
    other.goto(site.url)
    other.wait("#held")
    other.click_on("Take them over")
    other.wait("main.home")
    tab.wait("#over")
    tab.click_on("go on here")
    tab.wait("#held")
    tab.click_on("Take them over")
    tab.wait("main.home")
    other.wait("#over")
    other.close()


def test_a_page_that_was_taken_over_signs_nothing_any_more(
    tmp_path: Path, tab: Tab, browser: WebBrowser, site: Site
) -> None:
    begin(tab, site.url, "Ben")
    ben, ann = InPage(tab, "Ben", browser.downloads), AtDesktop(tmp_path, "Ann")
    ben.take(ann.play(ben.join(ann.invite("backgammon", match=1))))
    ben.do("trial.answer([], 0)")
    tab.click(".writing summary")
    tab.fill("#message", "I shall be")
    other = browser.tab()
    other.goto(site.url)
    other.click_on("Take them over")
    other.wait("main.home")
    tab.wait("#over")
    live = (
        "document.querySelectorAll('button:enabled, select:enabled, input:enabled:not(:read-only)')"
    )
    assert tab.run(f"[...{live}].map((one) => one.closest('#over') !== null)") == [True]
    assert tab.run("document.querySelector('[data-action=sign]').disabled")
    tab.run("document.querySelector('[data-action=sign]').closest('form')?.requestSubmit()")
    assert (
        tab.run("getComputedStyle(document.querySelector('[data-action=sign]')).display") != "none"
    )
    assert tab.run("document.getElementById('message').value") == "I shall be", (
        "it can be read and copied"
    )
    assert tab.run("document.getElementById('message').readOnly")
    other.close()


def test_the_page_about_this_one_has_the_hash_and_loses_nothing(
    tab: Tab, browser: WebBrowser, site: Site
) -> None:
    to_make(tab, site.url)
    tab.fill("#name", "Ben")
    tab.click_on("Other words, or none")
    tab.click("#none")
    hash_of_version = tab.run("ownHash")
    assert len(hash_of_version) == 64 and hash_of_version not in tab.run("document.body.innerText")
    tab.click_on("about this page")
    assert tab.text("#about #hash") == hash_of_version
    assert tab.run("document.activeElement.innerText") == "About this page"
    assert tab.run("document.querySelectorAll('#promises li').length") == 2
    assert tab.run("document.getElementById('licences').href") == f"{site.url}LICENSES.txt"
    tab.click("#licences")  # in a tab of its own
    assert tab.run("location.href") == site.url
    assert tab.run("document.getElementById('page').checkVisibility()") is False
    tab.click_on("Back")
    assert tab.run("document.activeElement.id") == "open-about"
    assert tab.run("document.getElementById('name').value") == "Ben"
    tab.click("#begin")
    tab.wait("main.home")
    assert hash_of_version not in tab.run("document.body.innerText")
    tab.run("go('/help/tripoli')")
    tab.until("here !== '/'")
    tab.click("#open-about")
    tab.wait("#about")
    tab.back()
    tab.wait("main.home")
    assert tab.run("document.getElementById('about')") is None


def test_a_link_is_looked_at_and_a_game_that_went_on_is_shown(
    tmp_path: Path, tab: Tab, browser: WebBrowser, site: Site
) -> None:
    begin(tab, site.url, "Ben")
    ben, ann = InPage(tab, "Ben", browser.downloads), AtDesktop(tmp_path, "Ann")
    data = ann.invite("backgammon", match=1)
    tab.run(f"void (location.href = {link.join_link(site.url, data)!r})")
    tab.click_on("look at it")
    tab.click("[name=join]")
    tab.wait(".sending button")
    path = tmp_path / "answer.toml"
    path.write_bytes(ann.play(ben.file()))
    # by another way
    tab.run(f"ask('/take?name=x', {{ method: 'POST', body: {path.read_text()!r} }}).then(() => 1)")
    tab.click_on("This game has gone on elsewhere: show it as it is now")
    tab.wait('main[data-turn="yours"]')


def test_the_keyboard_skips_to_the_page(tab: Tab, browser: WebBrowser, site: Site) -> None:
    begin(tab, site.url, "Ann")
    tab.chord("Shift+Tab")
    assert tab.run("document.activeElement.innerText") == "To the page"
    tab.press("Enter")
    assert tab.run("main().contains(document.activeElement)")
    assert tab.run("location.href") == site.url


def test_a_page_in_a_frame_leads_out_of_it(tab: Tab, site: Site) -> None:
    tab.goto(f"{site.url}version.json")
    tab.run(
        f"const frame = Object.assign(document.createElement('iframe'), {{ src: '{site.url}', id:"
        " 'f' });document.body.replaceChildren(frame)"
    )
    tab.until("document.getElementById('f').contentDocument?.querySelector('.offer a')")
    tab.click("#f")
    tab.press("Tab")
    tab.press("Enter")
    tab.wait("[data-make]")
    assert tab.run("window.top === window")
    assert tab.run("location.href") == site.url
