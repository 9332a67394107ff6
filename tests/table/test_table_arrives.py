"""A turn arrives while its game is on the screen of the table: dropped there, and put into the home
beside it, of which the page hears. What counts is what is seen afterwards."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pbem.fileformat import turnfile
from tests.support.table_kit import Visitor, needs_browser, served
from tests.support.web_players import AtDesktop, Follower
from tests.support.web_seen import SEEN, check_seen
from tests.table.test_table_take import drop

pytestmark = pytest.mark.dear("drives a browser")


@needs_browser
@pytest.mark.parametrize("game", ["tripoli", "backgammon", "loot"])
def test_every_place_and_piece_is_seen_after_a_turn_has_come(
    chromium: Any, tmp_path: Path, game: str
) -> None:
    ann, ben = AtDesktop(tmp_path, "Ann"), AtDesktop(tmp_path, "Ben")
    data = ben.join(ann.invite(game))
    path = tmp_path / "game.toml"
    path.write_bytes(data)
    with served(ben.home, tmp_path / "files", path) as server:
        visitor = Visitor(chromium, server, beside=True)  # with a clock of its own
        page = visitor.page
        page.clock.install()
        for way in ("drop", "home", "drop", "home"):
            while Follower().to_act(data) == "Ben":
                data = ben.play(data)
            page.reload()
            page.locator("#view[data-lies]").wait_for()
            data = ann.play(data)
            path.write_bytes(data)
            if way == "drop":
                drop(visitor, path)
            else:
                ben.take(data)
                page.clock.fast_forward(21_000)
                page.locator("#behind a").click()
            newest = len(turnfile.read(data).entries) - 1
            page.locator(f".title a[href$='/entry/{newest}']").wait_for(state="attached")
            page.locator("#view[data-lies]").wait_for()
            page.clock.fast_forward(1000)
            check_seen(page.evaluate(SEEN), f"{game}, {way}")
        visitor.close()
