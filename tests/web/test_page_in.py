"""A turn comes in, in real browsers and as a person does it: dropped, pasted or chosen, at the
door, on the first page and on that of a game. Nothing that somebody was writing is lost, and what
is no turn is told."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.fileformat import armor, turnfile
from pbem.mail import compose
from tests.support.web_kit import needs_npm
from tests.support.web_players import AtDesktop, InPage
from tests.support.web_tabs import Site, Tab, WebBrowser, begin, to_make

pytestmark = [needs_npm, pytest.mark.slow]


@pytest.fixture
def tab(browser: WebBrowser) -> Iterator[Tab]:
    made = browser.tab()
    yield made
    assert made.problems() == []
    made.close()


class Sent:
    """What Ann sends: invitations, as a file, as the text of a mail and as a saved mail."""

    def __init__(self, folder: Path) -> None:
        self.ann, self._folder = AtDesktop(folder, "Ann"), folder

    def file(self, name: str, data: bytes | None = None) -> Path:
        """A file of this name with the newest turn, or a new invitation: `.txt` with armor, `.eml`
        a whole mail."""
        data = self.ann.invite("backgammon", match=1) if data is None else data
        path = self._folder / name
        ways = {".txt": lambda: armor.wrap(data).encode(), ".eml": lambda: self.mail(data).encode()}
        path.write_bytes(ways.get(path.suffix, lambda: data)())
        return path

    def mail(self, data: bytes) -> str:
        made = compose.turn_mail(turnfile.read(data), "turn.toml")
        assert made is not None
        return made.decode()

    def no_turn(self) -> Path:
        path = self._folder / "holiday.gif"
        path.write_bytes(b"GIF89a" + bytes(300))
        return path


@pytest.fixture
def sent(tmp_path: Path) -> Sent:
    return Sent(tmp_path)


def games(tab: Tab) -> int:
    return int(tab.run("document.querySelectorAll('.game').length"))


def waiting(tab: Tab, count: int) -> None:
    """Until the page says that so much waits at its door."""
    words = "a file or text" if count == 1 else f"{count} files or texts"
    tab.until(
        f"document.querySelector('#invited')?.textContent.includes('With this page came {words}.')"
    )


def test_what_comes_before_the_home_is_open_waits_at_the_door(
    tab: Tab, site: Site, sent: Sent
) -> None:
    to_make(tab, site.url)
    tab.fill("#name", "Ben")
    tab.drop("main", sent.file("one.toml"))
    waiting(tab, 1)
    tab.drop("h1", sent.file("two.txt"), sent.file("three.eml"), sent.no_turn())
    waiting(tab, 4)
    tab.click("h1")
    tab.paste(sent.file("four.txt").read_text())
    waiting(tab, 5)
    tab.click("#name")
    tab.paste(sent.file("five.eml").read_text())  # a mail is no name
    waiting(tab, 6)
    tab.paste("jamin")
    tab.drop("h1", text=sent.file("six.txt").read_text())
    waiting(tab, 7)
    assert tab.run("document.getElementById('name').value") == "Benjamin"
    tab.drop("h1", text="no turn at all")
    tab.click_on("Other words, or none")
    tab.click("#none")
    tab.click("#begin")
    tab.until("main().innerText.includes('holiday.gif: not taken: there is no turn in it')")
    tab.wait("main.home")
    assert games(tab) == 6
    assert "one.toml: taken in" in tab.text("main") and "three.eml: taken in" in tab.text("main")


def test_what_waits_at_a_locked_door_is_there_once_it_is_open(
    tab: Tab, site: Site, sent: Sent
) -> None:
    begin(tab, site.url, "Ben", passphrase="correct horse")
    tab.reload()
    tab.wait("#open")
    tab.fill("#words", "wrong")
    tab.drop("main", sent.file("one.toml"))  # an invitation, but somebody is writing
    waiting(tab, 1)
    tab.click_on("I have forgotten it")
    tab.wait("#forgotten p")
    tab.click("#open")
    tab.wait("#unlock .refusal:not([hidden])")
    tab.click("[data-shows=words]")
    assert tab.run("document.getElementById('words').type") == "text"
    assert tab.run("document.getElementById('words').value") == "wrong"
    tab.fill("#words", "correct horse")
    tab.press("Enter")
    tab.wait(".joining button")


OPENED_WITH = """
{
  let take = () => {};
  const handle = (text, at) => ({ getFile: async () => new File([text], `opened-${at + 1}.toml`) });
  window.openWith = (...texts) => take({ files: texts.map(handle) });
  const setConsumer = (given) => (take = given);
  Object.defineProperty(window, "launchQueue", { value: { setConsumer } });
}
"""
"""As a system opens files with the installed page (a browser without a screen installs none)."""


def open_with(tab: Tab, *files: Path) -> None:
    texts = ", ".join(json.dumps(file.read_text(encoding="utf-8")) for file in files)
    tab.run(f"void openWith({texts})")


def test_files_are_opened_with_the_installed_page(tab: Tab, site: Site, sent: Sent) -> None:
    """At its door an invitation is looked at; while somebody plays they say when they look."""
    tab.before(OPENED_WITH)
    tab.goto(site.url)
    tab.wait(".box-board")
    open_with(tab)  # started without a file
    open_with(tab, sent.file("one.toml"))
    tab.wait("#join")
    begin(tab, site.url, "Ben")  # loads the page anew: what was opened is opened once more
    open_with(tab, sent.file("two.toml"), sent.file("three.toml"))
    tab.until("document.querySelector('#came')?.textContent.includes('2 files have come.')")
    tab.click("#came button")
    tab.until("document.querySelectorAll('.game').length === 2")
    tab.run("void openWith()")
    assert "opened-1.toml: taken in" in tab.text("main") and tab.run(
        "document.getElementById('came') === null"
    )


def test_on_the_first_page(tab: Tab, site: Site, sent: Sent) -> None:
    begin(tab, site.url, "Ben")
    tab.upload(
        "#take-file",
        sent.file("one.toml"),
        sent.file("two.txt"),
        sent.file("three.eml"),
        sent.no_turn(),
    )
    tab.until("document.querySelectorAll('#taken a').length === 3")
    assert [line.split(":")[0] for line in tab.text("#taken").splitlines()[:4]] == [
        "one.toml", "two.txt", "three.eml", "holiday.gif",
    ]  # fmt: skip
    tab.drop("main h1", sent.file("four.toml"), sent.file("five.eml"))
    tab.until("document.querySelectorAll('#taken a').length === 2")
    tab.click("main h1")
    tab.paste(sent.file("six.txt").read_text())
    tab.until("document.querySelectorAll('#taken a').length === 1")
    written = sent.file("seven.eml").read_text()
    tab.click("#take-text")
    tab.paste(written)
    tab.until("document.getElementById('take-text').value.length > 1000")
    assert games(tab) == 6
    tab.click("#take-it")
    tab.until("document.querySelectorAll('.game').length === 7")
    assert games(tab) == 7
    assert tab.run("document.getElementById('take-text').value") == ""
    tab.fill("#take-text", "lunch at one?")
    tab.click_on("Take it in")
    tab.until("document.getElementById('taken').innerText.includes('what was pasted: not taken')")
    tab.drop("main h1", sent.file("eight.toml"))
    tab.click("#taken a")
    tab.wait(".joining button")


def test_on_the_page_of_a_game_what_is_written_stays(
    tab: Tab, browser: WebBrowser, site: Site, sent: Sent
) -> None:
    begin(tab, site.url, "Ben")
    ben = InPage(tab, "Ben", browser.downloads)
    data = ben.join(sent.ann.invite("backgammon", match=1))
    ben.take(sent.ann.play(data))
    tab.click(".writing summary")
    tab.fill("#message", "I shall be away")
    armored = armor.wrap(data)
    tab.paste(armored)  # in a text field it is a text
    tab.until("document.getElementById('message').value.length > 500")
    assert tab.run("document.getElementById('message').value").startswith(
        "I shall be away-----BEGIN PBEM TURN-----"
    )
    tab.fill("#message", "I shall be away")
    tab.drop(".title h2", sent.no_turn())  # it goes with the turn
    tab.wait(".going")
    assert "holiday.gif" in tab.text(".going")
    assert tab.run("document.getElementById('message').value") == "I shall be away"
    tab.drop(".title h2", sent.no_turn(), sent.file("other.toml"))
    tab.until("document.querySelectorAll('#notices > .notice').length === 3")
    assert tab.run("document.getElementById('message').value") == "I shall be away"
    tab.click_on("open this game")
    tab.wait(".joining button")
    tab.back()
    tab.wait(".writing summary")
    assert tab.run("document.getElementById('message').value") == "I shall be away"
    tab.click(".title h2")
    tab.paste(sent.mail(sent.file("another.toml").read_bytes()))
    tab.wait(".joining button")
    tab.drop(".title h2", sent.file("one.toml"), sent.file("two.toml"))
    tab.until("document.querySelectorAll('#notices > p > a[href^=\"#/game/\"]').length === 2")


def test_a_text_is_dragged_into_what_somebody_writes(
    tab: Tab, browser: WebBrowser, site: Site, sent: Sent
) -> None:
    if browser.kind != "chrome":
        pytest.skip("the driver of Firefox drags nothing; a made event writes nothing into a field")
    begin(tab, site.url, "Ben")
    tab.drop("#take-text", text="dragged")
    tab.until("document.getElementById('take-text').value === 'dragged'")


def test_a_home_is_dropped_on_the_field_for_it(
    tab: Tab, browser: WebBrowser, site: Site, tmp_path: Path
) -> None:
    if browser.kind != "chrome":
        pytest.skip("the driver of Firefox drags nothing; a made event puts nothing into a field")
    home = tmp_path / "home.txt"
    home.write_text("-----BEGIN PBEM HOME-----\nnone\n-----END PBEM HOME-----\n")
    tab.goto(site.url)
    tab.click_on("Bring my home or a backup")
    tab.drop("#pack", home)
    tab.until("document.getElementById('pack').files.length === 1")
    assert tab.run("document.getElementById('invited').hidden")
    tab.fill("#pack-words", "correct horse")
    tab.click_on("Bring it here")
    tab.wait("#bring .refusal:not([hidden])")
