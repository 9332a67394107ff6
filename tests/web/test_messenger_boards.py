"""A game of `examples/boards` in the app of a chat, in a browser: answers that are prepared on the
board go to the chat as soon as the turn comes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from release import messenger
from tests.support.web_kit import needs_npm
from tests.support.web_players import InPage
from tests.support.web_tabs import WebBrowser, choose_game
from tests.support.webxdc import Messenger
from tests.support.webxdc import messenger as opened
from tests.web.test_messenger import agree

pytestmark = [needs_npm, pytest.mark.slow]

TOLD = "/answered as you had prepared: b3/"
PLAYS = "trial.answer({}, 1).then(() => trial.clicked(trial.shown('[data-action=sign]')))"


@pytest.fixture
def chat(page_with_games: Path, tmp_path: Path) -> Iterator[Messenger]:
    messenger.build(page_with_games, tmp_path / "pbem.xdc")
    with opened(tmp_path / "pbem.xdc") as made:
        yield made


@pytest.fixture
def prepared(chat: Messenger, tmp_path: Path) -> Iterator[tuple[InPage, InPage]]:
    """Ann and Ben in a game of Hex, each in the app. Ann's first stone is laid, and they have
    prepared one more."""
    with WebBrowser("chrome", tmp_path / "profile") as browser:
        ann, ben = begun(browser, chat)
        prepare(ann)
        yield ann, ben


def begun(browser: WebBrowser, chat: Messenger) -> tuple[InPage, InPage]:
    """Ann and Ben in a game of Hex, Ann's first stone laid, each in the app."""
    ann = InPage(browser.tab(), "Ann", browser.downloads)
    ann.tab.goto(chat.url("Ann"))
    ann.tab.wait("main.home")
    choose_game(ann.tab, "hex")
    ann.tab.run("""document.querySelector('[name="hex.size"]').value = "5" """)
    ann.tab.click("[data-action=invite]")
    agree(ann.tab)
    ann.tab.wait("main.playing")
    ben = InPage(browser.tab(apart=True), "Ben", browser.downloads)
    ben.tab.goto(chat.url("Ben"))
    ben.tab.wait(".joining button")
    ben.tab.click(".joining button")
    agree(ben.tab)
    plays(ann, "c3")
    return ann, ben


def plays(one: InPage, stone: str) -> None:
    one.tab.until("main().dataset.turn === 'yours' && isAllRead && !isReading")
    one.do(PLAYS.format(json.dumps([stone])))
    one.tab.until("document.querySelector('[data-send]') === null")


def prepare(ann: InPage) -> None:
    """If they play b2, I play b3: by a click each."""
    ann.tab.wait("[name=prepare][value=play]")
    ann.do("trial.clicked(document.querySelector('[name=prepare][value=play]'))")
    for place in ("b2", "b3"):
        pin = f".pin.can-go[data-place={place}]"
        ann.do(f"trial.until(() => document.querySelector('{pin}'), 'a place').then(trial.clicked)")
    ann.do("trial.clicked(trial.shown('[name=prepare][value=keep]'))")
    assert "if b2 then b3" in ann.tab.text(".prepared")


def check_answered(ann: InPage, chat: Messenger) -> None:
    """The answer went to the chat once, and the app says so, also once it has come back."""
    ann.tab.until(f"{TOLD}.test(main().innerText)")
    ann.tab.until("outgoing.length === 0 && !isGoingOut && !isReading")
    ann.tab.run("new Promise((done) => setTimeout(done, 1500))")
    assert ann.tab.run(f"{TOLD}.test(main().innerText)")
    assert [one["payload"]["number"] for one in chat.updates] == [0, 1, 2, 3, 4]


def test_answers_are_prepared_by_clicks_and_go_to_the_chat_once(
    chat: Messenger, prepared: tuple[InPage, InPage]
) -> None:
    ann, ben = prepared
    plays(ben, "b2")
    check_answered(ann, chat)
    ben.tab.until("main().dataset.turn === 'yours' && isAllRead && !isReading")
    assert ben.tab.run("document.querySelectorAll('[data-at=b3]').length") == 1
    ann.tab.reload()
    ann.tab.until("document.querySelector('main.home, main.playing') && isAllRead")
    ann.tab.run("settleChat()")
    assert len(chat.updates) == 5, "once, ever"


def test_what_is_answered_when_the_app_is_opened_again_is_told(
    chat: Messenger, prepared: tuple[InPage, InPage]
) -> None:
    """The turn came while it was closed."""
    ann, ben = prepared
    ann.tab.goto("about:blank")
    plays(ben, "b2")
    assert len(chat.updates) == 4
    ann.tab.goto(chat.url("Ann"))
    check_answered(ann, chat)
