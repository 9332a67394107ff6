"""Chess at the table, a game of `examples/boards`: a move is dragged or clicked, and what a pawn
becomes is asked where it goes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from examples.correspondence import Player
from pbem.home.home import Home
from tests.support.plugins import Site
from tests.support.table_kit import Visitor, needs_browser, served

pytestmark = pytest.mark.dear("drives a browser")

POSITION = "r3k2r/pp3ppp/2n5/8/3P4/5N2/PPp2PPP/R3K2R w KQkq - 0 14"


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    folder = tmp_path / "site"
    folder.mkdir()
    made = Site(folder, monkeypatch)
    made.install_boards()
    yield made
    made.remove()


def begun(tmp_path: Path) -> tuple[Player, Path]:
    """A game from this position in which white has castled, and its second player, who is black."""
    data = tmp_path / "data"
    data.mkdir()
    (data / "position.txt").write_text(f"{POSITION}\n", encoding="utf-8")
    (tmp_path / "files").mkdir()
    ann, ben = (
        Player(name, tmp_path / name, tmp_path / "files", in_process=True)
        for name in ("ann", "ben")
    )
    for player in (ann, ben):
        player.does("id", "--name", player.name, "--mail", f"{player.name}@example.org")
    new = ("new", "chess", "--seat", "white", "--data", str(data), "--no-mail")
    file = ben.does("join", ann.does(*new)["file"], "--no-mail")["file"]
    return ben, ben.folder / ann.does("play", file, "O-O", "--no-mail")["file"]


def middle(visitor: Visitor, place: str) -> tuple[float, float]:
    box = visitor.page.locator(f'.pin[data-place="{place}"]').bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(visitor: Visitor, source: str, target: str) -> None:
    visitor.page.mouse.move(*middle(visitor, source))
    visitor.page.mouse.down()
    visitor.page.mouse.move(*middle(visitor, target), steps=4)
    visitor.page.mouse.up()
    visitor.settle()


@needs_browser
@pytest.mark.usefixtures("site")
def test_a_piece_is_dragged_and_a_pawn_asks_what_it_becomes(chromium: Any, tmp_path: Path) -> None:
    ben, file = begun(tmp_path)
    with served(Home(ben.home), tmp_path / "table", file) as server:
        visitor = Visitor(chromium, server)
        visitor.until("() => document.querySelectorAll('.pin.can-go').length > 5")
        assert middle(visitor, "a8")[1] > middle(visitor, "a1")[1], "black sits at the eighth row"
        framed = visitor.page.locator(".pin.marked").evaluate_all(
            "a => a.map(b => b.dataset.place)"
        )
        assert sorted(framed) == ["e1", "g1"]
        before = middle(visitor, "h1")
        drag(visitor, "c6", "c5")
        assert visitor.chosen() == ["place:c6"] and visitor.line() == [], "it may not go there"
        assert set(visitor.places()) >= {"b4", "d4", "e5"} and "c5" not in visitor.places()
        drag(visitor, "c6", "d4")
        assert visitor.line() == ["Nxd4"] and middle(visitor, "h1") == before
        visitor.click('[data-action="back"]')
        visitor.until("() => document.querySelectorAll('.pin.can-go').length > 5")
        visitor.place("c2")
        visitor.place("c1")
        offered = visitor.page.locator("#besides [data-give]").evaluate_all(
            "all => all.map(one => [one.dataset.give, one.querySelector('use').href.baseVal])"
        )
        assert offered == [
            [f"c1={letter}", f"#black-{name}"]
            for letter, name in zip("QRBN", ("queen", "rook", "bishop", "knight"), strict=True)
        ]
        visitor.use("c1=N")
        visitor.settle()
        assert visitor.line() == ["c1=N"]
        assert visitor.problems == []
        visitor.close()
