"""One short game between a desktop home and a page in Chromium: from the link of an invitation to a
proven end."""

from __future__ import annotations

from pathlib import Path

import pytest

from examples.correspondence import Player
from pbem.fileformat import link
from tests.support.web_kit import needs_npm
from tests.support.web_players import AtDesktop, Follower, InPage, check_by_both, play_on
from tests.support.web_tabs import WebBrowser, hosted

pytestmark = pytest.mark.dear("drives a browser")


@needs_npm
def test_a_game_from_the_link_of_an_invitation_to_the_revealed_root(
    tmp_path: Path, page_folder: Path
) -> None:
    """Ben looks at the invitation, joins, writes a name and a passphrase for that, plays by clicks
    and saves their turns."""
    ann, follower = AtDesktop(tmp_path, "Ann"), Follower()
    with hosted(page_folder) as site, WebBrowser("chrome", tmp_path / "browser") as browser:
        tab = browser.tab()
        ben = InPage(tab, "Ben", browser.downloads)
        tab.goto(link.join_link(site.url, ann.invite("backgammon", match=1)))
        tab.click("#join")
        tab.fill("#name", "Ben")
        tab.click("#make summary")
        tab.fill("#passphrase", "correct horse")
        tab.click("#begin")
        tab.wait(".sending button")
        assert tab.run("location.href") == site.url
        data = ben.file()
        while follower.to_act(data) == "Ann":
            data = ann.play(data)
        ben.take(data)
        data = ben.turn()
        while follower.to_act(data) == "Ben":
            data = ben.turn()
        data = ann.play(data, resign=True)
        data = play_on(data, {"Ann": ann, "Ben": ben}, follower)
        assert follower.to_act(data) is None
        assert tab.problems() == []
    check_by_both(data, Player("Ann", ann.home.folder, tmp_path, True))
