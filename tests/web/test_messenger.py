"""The app in a chat, in real browsers: a stand-in has the messenger's policy, frame and script."""

from __future__ import annotations

import json
import statistics
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from release import messenger
from tests.support.web_kit import needs_npm
from tests.support.web_players import AtDesktop
from tests.support.web_tabs import Site, Tab, WebBrowser, begin, choose_game, until_memory
from tests.support.webxdc import Messenger
from tests.support.webxdc import messenger as opened

pytestmark = [needs_npm, pytest.mark.slow]
RESOLVES = {
    "chrome": {"host-resolver-rules": "MAP *.invalid 127.0.0.1"},
    "firefox": {"network.dns.forceResolve": "127.0.0.1"},
}
secure_or_not = pytest.mark.parametrize("secure", [True, False], ids=["secure", "not-secure"])


@pytest.fixture(scope="module")
def app(page_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("app") / "pbem.xdc"
    messenger.build(page_folder, made)
    return made


@pytest.fixture
def chat(app: Path) -> Iterator[Messenger]:
    with opened(app) as made:
        yield made


@pytest.fixture(scope="module", params=["chrome", "firefox"])
def browser(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[WebBrowser]:
    folder = tmp_path_factory.mktemp("profile")
    with WebBrowser(request.param, folder, RESOLVES[request.param]) as started:
        yield started


def agree(tab: Tab) -> None:
    tab.wait("dialog[open]")
    tab.click("dialog [value=yes]")


def problems(tab: Tab) -> list[str]:
    """What went wrong; a browser may not know a word of the messenger's policy, and what the
    stand-in asks for is broken off where the app is loaded anew."""
    return [one for one in tab.problems() if "webrtc" not in one and "NetworkError" not in one]


def invite(tab: Tab) -> None:
    tab.wait("main.home")
    choose_game(tab, "backgammon")
    tab.click("[data-action=invite]")


def tried(tab: Tab, chat: Messenger) -> None:
    """A sample, of which nothing goes to the chat and before which nothing is to be agreed to."""
    before = len(chat.updates)
    tab.click(".joining [data-try]")
    tab.until("document.getElementById('strip').innerText.startsWith('Sample')")
    tab.wait("main.playing :is(.pin.can-go, [data-give], [data-answer])")
    tab.run("ask(`/game/${main().dataset.name}/do`, { method: 'POST', body: 'back=1' })")
    assert not tab.run("document.querySelector('dialog[open]') !== null")
    tab.run("settleChat()")
    tab.click("#strip button")
    tab.wait(".joining button")
    assert len(chat.updates) == before and tab.run("visit === null")


def test_the_archive_is_small_and_holds_what_a_messenger_opens(app: Path) -> None:
    assert app.stat().st_size <= messenger.MOST
    with zipfile.ZipFile(app) as archive:
        names = archive.namelist()
        index = archive.read("index.html").decode()
        licences = archive.read("LICENSES.txt").decode()
    assert {"index.html", "manifest.toml", "icon.png", "lib.xz"} <= set(names)
    assert "webxdc.js" not in names and 'src="webxdc.js"' in index
    assert "@" not in index and "door-new" not in index and "<!-- page" not in index
    assert "Move this home" not in index and "xz-decompress 0.2.3: MIT" in licences


@secure_or_not
def test_an_invitation_is_joined_and_a_turn_comes_back(
    browser: WebBrowser, chat: Messenger, secure: bool
) -> None:
    ann = browser.tab()
    ann.goto(chat.url("Ann", secure=secure))
    assert ann.run("isSecureContext") == secure
    invite(ann)
    ann.wait("dialog[open]")
    assert "Deleting this message" in ann.text("dialog")
    assert chat.updates == [], "nothing is signed before that is said"
    ann.click("dialog [value=no]")
    ann.until("main().innerText.includes('Nothing was signed.')")
    invite(ann)
    agree(ann)
    ann.wait("main.playing")
    ann.until("document.querySelector('[data-send]') === null")
    assert len(chat.infos()) == 1
    ben = browser.tab()
    ben.goto(chat.url("Ben", secure=secure))
    ben.wait(".joining button")
    assert "Ann invites" in ben.text(".joining")
    tried(ben, chat)
    ben.click(".joining button")
    agree(ben)
    ann.until("main().innerText.includes('Ben')")
    ben.until("document.querySelector('[data-send]') === null")
    assert [one["payload"]["number"] for one in chat.updates] == [0, 1]
    assert "Ben joins" in chat.infos()[1]
    ann.reload()
    ann.wait("main.home, main.playing")
    ann.run("settleChat()")
    assert len(chat.updates) == 2, "a turn that has come back is not sent again"
    assert problems(ann) + problems(ben) == []
    ann.close()
    ben.close()


@secure_or_not
def test_a_turn_that_was_not_sent_before_a_kill_goes_when_the_app_is_opened(
    browser: WebBrowser, chat: Messenger, secure: bool
) -> None:
    ann = browser.tab()
    ann.goto(chat.url("Ann", secure=secure))
    ann.wait("main.home")
    ann.run("webxdc.sendUpdate = () => {}, true")
    invite(ann)
    agree(ann)
    ann.wait("main.playing")
    assert chat.updates == []
    ann.reload()
    ann.until("document.querySelector('main.home, main.playing') && isAllRead")
    ann.run("settleChat()")
    ann.until("outgoing.length === 0 && handedOver.size > 0")
    ann.until("document.querySelector('[data-send]') === null")
    assert [one["payload"]["number"] for one in chat.updates] == [0]
    ann.close()


@secure_or_not
def test_in_the_messengers_frame_it_plays_and_takes_no_home_from_outside(
    browser: WebBrowser, chat: Messenger, secure: bool
) -> None:
    ann = browser.tab()
    ann.goto(chat.url("Ann", secure=secure, framed=True))
    inside = "document.querySelector('iframe').contentWindow"
    ann.until(f"{inside}.document.querySelector('main.home')")
    assert not ann.run(f"{inside}.document.querySelector('#pack, #pack-words') !== null")
    pack = "{method: 'POST', body: new URLSearchParams({file: 'x', passphrase: 'x'})}"
    said = ann.run(f"{inside}.ask('/web/open', {pack}).catch((error) => error.kind)")
    assert said == "never"
    ann.close()


@secure_or_not
def test_a_backup_goes_to_a_chat_of_the_players_choice_under_fresh_words(
    browser: WebBrowser, chat: Messenger, secure: bool
) -> None:
    ann = browser.tab()
    ann.goto(chat.url("Ann", secure=secure))
    invite(ann)
    agree(ann)
    ann.wait("main.playing")
    ann.click("#strip button")
    words = str(ann.run("document.getElementById('keep-words').value"))
    assert len(words.split()) == 6
    ann.click("#make-backup")
    ann.click_on("send it to a chat of your own")
    ann.until("document.getElementById('heard').textContent === 'Kept.'")
    (given,) = chat.given
    assert given["file"]["name"].startswith("pbem-backup-")
    ann.close()


def test_an_app_that_is_not_whole_says_so_and_makes_nothing(
    app: Path, browser: WebBrowser, tmp_path: Path
) -> None:
    """What comes last in it is cut off or changed: Python waits for it already."""
    with zipfile.ZipFile(app) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    block = files["lib.xz"]
    for damaged in (block[:-20_000], block[:-400] + bytes(400)):
        with zipfile.ZipFile(tmp_path / "damaged.xdc", "w") as archive:
            for name, data in (files | {"lib.xz": damaged}).items():
                archive.writestr(name, data)
        with opened(tmp_path / "damaged.xdc") as chat:
            tab = browser.tab()
            tab.goto(chat.url("Ann"))
            tab.wait("#over, .why")
            assert chat.updates == []
            tab.close()


def test_it_starts_as_soon_as_the_page_does(
    browser: WebBrowser, chat: Messenger, site: Site
) -> None:
    """From nothing to the list of games, with a home and all else that is kept: in turn, so that
    both meet the same machine."""
    page, app = browser.tab(), browser.tab()
    begin(page, site.url, "Ann")
    app.goto(chat.url("Ann"))
    app.wait("main.home")
    until_memory(page, "picture")
    until_memory(app, "picture", "files")
    times: dict[Tab, list[float]] = {page: [], app: []}
    for _ in range(3):
        for tab, known in times.items():
            tab.reload()
            tab.until("document.querySelector('main.home')")
            known.append(float(tab.run("performance.now()")) / 1000)
    of_page, of_app = (statistics.median(known) for known in times.values())
    print(f"{browser.kind}: the page starts in {of_page:.1f} s, the app in {of_app:.1f} s")
    assert of_app <= 1.5 * of_page
    page.close()
    app.close()


def test_a_file_is_chosen_by_the_messenger_where_it_can(
    browser: WebBrowser, chat: Messenger, tmp_path: Path
) -> None:
    """It asks for text alone, and takes each file in as one that is chosen in the page."""
    data = AtDesktop(tmp_path, "Ben").invite("backgammon")
    ann = browser.tab()
    ann.goto(chat.url("Ann"))
    ann.wait("main.home")
    ann.run(
        "webxdc.importFiles = async (wanted) => {"
        " window.askedFor = wanted;"
        f" return [new File([{json.dumps(data.decode())}], 'turn.toml'), new File(['x'], 'x.txt')];"
        " }, true"
    )
    ann.click("#take-file")
    ann.until("document.querySelectorAll('#taken li').length > 2")
    assert ann.run("askedFor") == {"multiple": True, "extensions": [".toml", ".txt"]}
    said = ann.text("#taken")
    assert "turn.toml: taken in" in said and "x.txt: not taken" in said
    assert chat.updates == [], "it is a game of this app's, not of the chat's"
    assert problems(ann) == []
    ann.close()
