"""Strangers meet in the page: one says that they seek a game, the other opens the link with it and
invites them before there is a home (docs/seek.md)."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.fileformat import armor, link, turnfile
from pbem.ledger.gate import replay
from pbem.seek.find_seeks import seeks_in
from tests.support.web_kit import built, needs_npm
from tests.support.web_players import InPage
from tests.support.web_tabs import WebBrowser, begin, hosted

pytestmark = [needs_npm, pytest.mark.slow]


@pytest.mark.parametrize("kind", ["chrome", "firefox"])
def test_two_strangers_find_each_other_in_the_page(tmp_path: Path, kind: str) -> None:
    with (
        hosted(built(), "play/") as site,
        WebBrowser(kind, tmp_path / "anns") as at_anns,
        WebBrowser(kind, tmp_path / "bens") as at_bens,
    ):
        anns, bens = at_anns.tab(), at_bens.tab()
        begin(anns, site.url, "Ann")
        anns.run("void go('/find')")
        anns.wait("#seek-title")
        anns.click("form[action='/find/seek'] button.main")
        anns.wait("[aria-labelledby=written-title] textarea")
        text = anns.run("document.querySelector('[aria-labelledby=written-title] textarea').value")
        seek = next(iter(seeks_in(str(text).encode())))
        bens.goto(link.seek_link(site.url, seek))
        bens.wait("[data-action=answer]")
        assert "Ann" in bens.text("#games") and "seek=" not in bens.run("location.href")
        bens.shot(tmp_path / "find.png")
        bens.click("[data-action=answer]")
        bens.wait("#who[open]")
        bens.fill("#name", "Ben")
        bens.click("#make summary")
        bens.click("#none")
        bens.click("#begin")
        bens.wait("main.playing")
        ben = InPage(bens, "Ben", at_bens.downloads)
        invited = ben.file()
        assert len(replay(turnfile.read(invited)).invitation.invites) == 1
        ann = InPage(anns, "Ann", at_anns.downloads)
        anns.fill("#take-text", armor.wrap(invited))  # among the seeks it leads to its game
        anns.click("#take-it")
        anns.wait("main.playing")
        data = ann.joined()
        for player in (ben, ann, ben):
            data = player.play(data)
        assert [entry.seat for entry in turnfile.read(data).entries].count("white") >= 3
        assert anns.problems() == bens.problems() == []
