"""The games of `examples/boards` in the page that was built with them, between two pages: each to
its end, and an answer that is prepared on the board."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from examples.correspondence import Player
from pbem.fileformat import armor, turnfile
from tests.support.plugins import Site
from tests.support.web_kit import needs_npm
from tests.support.web_players import Follower, InPage, check_by_both, play_on
from tests.support.web_tabs import WebBrowser, begin, hosted

pytestmark = [needs_npm, pytest.mark.slow]

GAMES: dict[str, tuple[dict[str, int], tuple[str, ...], tuple[str, ...]]] = {
    "chess": ({}, ("f3", "g4"), ("e5", "Qh4")),
    "go": ({"size": 9}, ("pass", "count", "agree"), ("pass", "count", "agree")),
    "hex": ({"size": 3}, ("a1", "a2", "a3"), ("b1", "c1", "b2", "c2", "b3")),
    "einstein": ({}, (), ()),
}
"""The options of a game, and what Ann and Ben would play."""


@pytest.fixture
def players(
    page_with_games: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[dict[str, InPage]]:
    """Ann and Ben, each in a page; a computer has the same games."""
    (tmp_path / "installed").mkdir()
    installed = Site(tmp_path / "installed", monkeypatch)
    installed.install_boards()
    with hosted(page_with_games) as site, WebBrowser("chrome", tmp_path / "browser") as browser:
        made = {}
        for name in ("Ann", "Ben"):
            tab = browser.tab(apart=True)
            begin(tab, site.url, name)
            made[name] = InPage(tab, name, browser.downloads)
        yield made
        assert [problem for page in made.values() for problem in page.tab.problems()] == []
    installed.remove()


def test_each_is_played_to_its_end(players: dict[str, InPage], tmp_path: Path) -> None:
    ann, ben = players["Ann"], players["Ben"]
    for game, (options, ann.wishes, ben.wishes) in GAMES.items():
        data = ben.join(ann.invite(game, **options))
        follower = Follower()
        data = play_on(data, players, follower, most=80)
        assert follower.to_act(data) is None and follower.ledger.begun().outcome is not None, game
        check_by_both(data, Player("Cleo", tmp_path / "cleo", tmp_path, True))


def test_an_answer_is_prepared_on_the_board_and_signed(players: dict[str, InPage]) -> None:
    """As soon as the turn that it answers is taken in."""
    ann, ben = players["Ann"], players["Ben"]
    ann.wishes, ben.wishes = ("c3",), ("b2",)
    data = ann.play(ben.join(ann.invite("hex", size=5)))
    ann.do("trial.clicked(document.querySelector('[name=prepare][value=play]'))")
    for place in ("b2", "b3"):
        pin = f".pin.can-go[data-place={place}]"
        ann.do(f"trial.until(() => document.querySelector('{pin}'), 'a place').then(trial.clicked)")
    ann.do("trial.clicked(trial.shown('[name=prepare][value=keep]'))")
    assert "if b2 then b3" in str(ann.tab.run("document.querySelector('.prepared').innerText"))
    data = ben.play(data)
    ann.home()
    text = json.dumps(armor.wrap(data))
    ann.do(
        f"((document.getElementById('take-text').value = {text}), trial.shown('#take-it').click())"
    )
    ann.do("trial.until(() => /as you had prepared: b3/.test(document.body.innerText), 'answered')")
    ann.do("trial.until(() => trial.shown('#taken a'), 'its link').then(trial.clicked)")
    ann.tab.wait("main.playing")
    (last,) = turnfile.read(ann.file()).entries[len(turnfile.read(data).entries) :]
    assert last.list("answers") == ["b3"]
