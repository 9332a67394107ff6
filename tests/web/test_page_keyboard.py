"""The page by the keyboard alone, from an invitation's link to a signed turn that is sent: wherever
the focus is, it is to be seen, and nowhere is it lost or held."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.fileformat import armor, link
from tests.support.web_kit import needs_npm
from tests.support.web_players import AtDesktop, Follower
from tests.support.web_states import looked
from tests.support.web_tabs import Tab, WebBrowser, hosted

pytestmark = [needs_npm, pytest.mark.slow]
WORDS = "correct horse"
MOST = 150
"""Tabs to anything on a page."""

BEFORE = (
    """((all) => all.every((one) => document.activeElement.compareDocumentPosition(one) & 2))"""
)
"""All of these stand before what has the focus."""


class Keys:
    """Somebody with a keyboard and nothing else."""

    def __init__(self, tab: Tab) -> None:
        self.tab = tab
        self.went: list[str] = []

    def look(self) -> None:
        """Where the focus is, it can be seen."""
        found = looked(self.tab, "reach.focus()")
        self.went.append(found["name"])
        assert not found["isLost"], ("the focus is lost", self.went[-3:])
        assert found["isSeen"], ("the focus is not to be seen", self.went[-3:])

    def to(self, selector: str) -> None:
        """Tab until the focus is there, or Shift and Tab if it stands before."""
        held = (
            ["Shift"]
            if self.tab.run(f"{BEFORE}([...document.querySelectorAll({selector!r})])")
            else []
        )
        for _ in range(MOST):
            if self.tab.run(f"document.activeElement.matches({selector!r})"):
                self.look()
                return
            self.tab.press("Tab", *held)
            self.look()
        raise AssertionError(f"no Tab leads to {selector}: {self.went}")

    def on(self, selector: str, shows: str, key: str = "Enter") -> None:
        """Go to a control, press it, and wait until something else is shown: the focus is somewhere
        there."""
        self.to(selector)
        self.tab.press(key)
        self.tab.wait(shows)
        self.settle()

    def settle(self) -> None:
        """Wait until what was pressed is done: the focus is somewhere then."""
        self.tab.until(
            "!document.querySelector('[aria-busy], [data-busy]') && document.activeElement !=="
            " document.body"
        )
        self.look()

    def write(self, selector: str, text: str) -> None:
        self.to(selector)
        self.tab.type(text)


def test_from_an_invitation_to_a_turn_that_is_sent(
    tmp_path: Path, page_folder: Path, browser: WebBrowser
) -> None:
    ann, follower = AtDesktop(tmp_path, "Ann"), Follower()
    with hosted(page_folder) as site:
        tab = browser.tab()
        keys = Keys(tab)
        tab.goto(link.join_link(site.url, ann.invite("backgammon", match=1)))
        tab.wait("#join")
        keys.on("[data-try]", "main.playing")
        keys.on("#strip button", "#join")
        keys.on("#join", "#make")
        begin(keys)
        data = newest(tab)
        while follower.to_act(data) == "Ann":
            data = ann.play(data)
        paste(keys, data)
        answer(keys)
        keys.on("[data-action=sign]", ".sending button")
        assert follower.to_act(newest(tab)) != "Ben"
        keys.on(".sending summary", ".sending details button")
        keys.on(
            ".sending details button", ".sending [role=status]:not(:empty), .sending textarea", " "
        )
        keep_and_unlock(keys)
        move_away(keys)
        assert tab.problems() == []


def newest(tab: Tab) -> bytes:
    """The game that is shown, as it would be sent."""
    return str(
        tab.run("askFacts('/web/out', {game: main().dataset.name}).then((facts) => facts.turn)")
    ).encode()


def begin(keys: Keys) -> None:
    """Past the door, under a passphrase of their own."""
    keys.write("#name", "Ben")
    keys.to("#passphrase")
    keys.tab.press("a", "Control")
    keys.tab.type(WORDS)
    keys.on("#begin", ".sending button")


def paste(keys: Keys, data: bytes) -> None:
    """A turn that has come."""
    keys.on('.title a[href="#/"]', "main.home")
    keys.to("#take-text")
    keys.tab.type(armor.wrap(data), pasted=True)
    keys.on("#take-it", "#taken a")
    keys.on("#taken a", "main.playing")


def answer(keys: Keys) -> None:
    """Pieces are chosen on the board, and where they go: not the order of the dice, which Enter
    changes each time."""
    while not keys.tab.run("document.querySelector('[data-action=sign]') !== null"):
        keys.to(".pin.can-go:not(.chosen-place, [data-place^='die ']), #choices [data-give]")
        keys.tab.press("Enter")
        keys.settle()


def keep_and_unlock(keys: Keys) -> None:
    """A backup by the line in the drawer, and the home is opened again with its passphrase."""
    keys.on("#this-page summary", "#this-page button")
    keys.on("#this-page button", "#keeping")
    keys.write("#keep-words", WORDS)
    keys.on("#make-backup", "#keeping .row button:last-child")
    keys.on("#keeping .row button:last-child", "main", " ")
    keys.tab.reload()
    keys.tab.wait("#words")
    keys.look()
    keys.tab.type("wrong")
    keys.tab.press("Enter")
    keys.tab.wait("#unlock .refusal")
    keys.look()
    keys.tab.press("a", "Control")
    keys.tab.type(WORDS)
    keys.tab.press("Enter")
    keys.tab.wait("main.home")
    keys.look()


def move_away(keys: Keys) -> None:
    """The home is closed here; what then is shown can be left again."""
    keys.on("#open-keep", "#keeping")
    keys.on("#close-keep", "main")
    keys.on("#open-keep", "#keeping")
    keys.write("#keep-words", WORDS)
    keys.on("#keeping summary", "#really")
    keys.to("#really")
    keys.tab.press(" ")
    keys.on("#make-move", "#keeping .row button:last-child")
    keys.on("#keeping .row button:last-child", "#confirm")
    keys.on("#only-look", "main.home")
    keys.on("#strip button", "#confirm")
