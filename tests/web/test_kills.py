"""A page that is killed while it signs, again and again, at the moment that tells most: when the
turn is just stored.

Whatever the page has shown is stored, the home opens again, and no entry has a second version.
"""

from __future__ import annotations

import json
import random
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from examples.correspondence import Player
from pbem.fileformat import turnfile
from tests.support.web_kit import needs_npm
from tests.support.web_players import AtDesktop, Follower, InPage, check_by_both, play_on
from tests.support.web_tabs import Site, WebBrowser, begin, hosted

WATCH = """
  const box = sendingBox;
  sendingBox = (facts) => {
    toldTo(JSON.stringify({ turn: facts.turn }));
    return box(facts);
  };
  const look = () => document.querySelector('main .signed') && toldTo(JSON.stringify({ file: main().dataset.file }));
  new MutationObserver(look).observe(document.body, { childList: true, subtree: true });
"""  # noqa: E501
"""The page tells at once what somebody who looks at it can see: that a turn is signed, and its
bytes."""
KILLS = {"chrome": 60, "firefox": 10}
"""In Chromium each third one ends the whole browser, in Firefox each."""


class Ben:
    """Somebody whose page dies while they sign, and who opens it again each time."""

    def __init__(self, kind: str, site: Site, profile: Path) -> None:
        self._kind, self._site, self._profile = kind, site, profile
        self.browser = WebBrowser(kind, profile)
        self.tab = self.browser.tab()
        self.page = InPage(self.tab, "Ben", self.browser.downloads)
        self._watch()

    def _watch(self) -> None:
        self.tab.listen()

    def reopen(self, killed: bool) -> None:
        """The page anew, in a new browser if that one was killed; the home opens as it did."""
        if killed:
            self.browser = WebBrowser(self._kind, self._profile)
        else:
            self.tab.close()
        self.tab = self.page.tab = self.browser.tab()
        self._watch()
        self.tab.goto(self._site.url)
        self.tab.wait("main.home, #held:not([hidden])")
        if self.tab.run("document.querySelector('main.home') === null"):
            self.tab.click("#open")
            self.tab.wait("main.home")

    def ready(self, data: bytes) -> None:
        """Answer all that is asked, so that the next click signs."""
        self.page.take(data)
        self.page.do("trial.answer([], 0)")
        self.tab.run(f"(() => {{ {WATCH} }})()")

    def stored(self, game: str) -> bytes | None:
        """The newest turn of the game that is this player's, as it is kept."""
        asked = (
            f"askFacts('/web/out', {{ game: {json.dumps(game)} }}).then((facts) => facts.turn"
            " ?? '')"
        )
        return str(self.tab.run(asked)).encode() or None


def sign_and_die(ben: Ben, after: float, *, whole: bool) -> list[dict[str, str]]:
    """Click the button that signs, and die so many seconds later; what was to be seen until
    then."""
    ben.page.do("void trial.shown('[data-action=sign]').click()")
    time.sleep(after)
    if whole:
        told = ben.tab.told()
        ben.browser.kill()
    else:
        ben.browser.kill_renderers()
        told = ben.tab.told()
    return [json.loads(text) for text in told]


@needs_npm
@pytest.mark.slow
@pytest.mark.parametrize("kind", KILLS)
def test_a_killed_page_has_kept_what_it_has_shown(
    tmp_path: Path, page_folder: Path, record_property: Callable[[str, object], None], kind: str
) -> None:
    ann, chance, fell = AtDesktop(tmp_path, "Ann"), random.Random(1), Counter[str]()
    with hosted(page_folder) as site:
        ben = Ben(kind, site, tmp_path / "browser")
        begin(ben.tab, site.url, "Ben")
        follower = Follower()
        data = play_on(ben.page.join(ann.invite("backgammon", match=9)), {"Ann": ann}, follower, 1)
        after = 0.3
        for number in range(KILLS[kind]):
            whole = kind == "firefox" or number % 3 == 2
            ben.ready(data)
            game = str(ben.tab.run("main().dataset.name"))
            told = sign_and_die(ben, after, whole=whole)
            ben.reopen(whole)
            kept = ben.stored(game)
            assert kept is not None or not told, "a turn was shown and is not kept"
            fell["before" if kept is None else "shown" if told else "between"] += 1
            after *= chance.uniform(1.05, 1.6) if kept is None else chance.uniform(0.6, 0.95)
            if kept is None:
                continue
            assert turnfile.read(kept).prefix(len(turnfile.read(data).entries)) == data
            for one in told:
                assert one.get("turn", kept.decode()) == kept.decode(), (
                    "another version of the entry was shown"
                )
            ben.page.take(data)
            assert ben.tab.run("main().dataset.turn") != "yours", (
                "the entry can be signed once more"
            )
            data = kept
            while follower.to_act(data) == "Ann":
                data = ann.play(data)
        ben.browser.kill()
    record_property("figure", f"kills while a page signs in {kind}: {dict(fell)}, of {KILLS[kind]}")
    assert min(fell["before"], fell["between"] + fell["shown"]) >= KILLS[kind] // 12, fell
    check_by_both(data, Player("Ann", ann.home.folder, tmp_path, True))
