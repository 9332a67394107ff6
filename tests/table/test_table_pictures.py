"""A picture that goes with a turn of any game is its board: at once, in looking back and in the
film, where its bytes are those that were signed."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path
from typing import Any

import pytest

from examples.correspondence import Player
from pbem.fileformat.bare_picture import PNG, bare, size_of
from pbem.home.home import Home
from pbem.table import board_picture
from pbem.table.open_games import OpenGames
from tests.any.test_any_mail import begun as begun
from tests.any.test_any_mail import played, players
from tests.support.table_kit import Visitor, needs_browser, served

__all__ = ["begun", "players"]


def png(wide: int, high: int, grey: int = 128) -> bytes:
    """A grey picture; one that is very large says so in its head alone."""

    def chunk(name: bytes, body: bytes) -> bytes:
        both = name + body
        return struct.pack(">I", len(body)) + both + struct.pack(">I", zlib.crc32(both))

    rows = (b"\0" + bytes([grey]) * wide) * high if wide * high < 10**7 else b""
    head = struct.pack(">IIBBBBB", wide, high, 8, 0, 0, 0, 0)
    return PNG + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def jpeg(wide: int, high: int, turned: int = 0) -> bytes:
    """The structure of a JPEG of that size, stored turned; there are no dots in it."""
    exif = b"Exif\0\0MM\0\x2a\0\0\0\x08\0\x01" + struct.pack(">HHIHHI", 0x112, 3, 1, turned, 0, 0)
    segments = [(0xE1, exif)] if turned else []
    segments += [(0xC0, struct.pack(">BHHB", 8, high, wide, 0)), (0xDA, b"\0")]
    found = [b"\xff" + bytes([kind]) + struct.pack(">H", len(b) + 2) + b for kind, b in segments]
    return b"\xff\xd8" + b"".join(found) + b"\x01\xff\xd9"


@pytest.mark.parametrize(
    ("data", "size"),
    [
        (png(40, 30), (40, 30)),
        (jpeg(40, 30), (40, 30)),
        (bare(jpeg(40, 30, turned=6)), (30, 40)),
        (bare(jpeg(40, 30, turned=3)), (40, 30)),
        (png(40, 30)[:20], None),
        (b"\xff\xd8\xff", None),
        (b"GIF89a", None),
    ],
)
def test_the_size_of_a_picture_is_read_from_its_head(
    data: bytes, size: tuple[int, int] | None
) -> None:
    assert size_of(data) == size


@pytest.fixture
def ben(players: dict[str, Player], begun: str, tmp_path: Path) -> tuple[Player, str]:
    """Ben, whose turn it is, and the file."""
    waits = players["Ann"].does("verify", begun)["to_act"]
    return players["Ben"], played(players, begun, *([("Ann", "")] if waits == "france" else []))


def shown(player: Player, file: Path) -> dict[int, tuple[int, int]]:
    """The pictures that this player's table shows, by the turn they go with."""
    games = OpenGames(Home(player.home), file.parent / "out")
    found = board_picture.pictures(games.open_data(file.read_bytes()))
    return {number: (one.wide, one.high) for number, one in found.items()}


def test_the_first_picture_of_a_turn_is_the_board_until_the_next(
    ben: tuple[Player, str], players: dict[str, Player], tmp_path: Path
) -> None:
    player, file = ben
    (tmp_path / "notes.txt").write_bytes(b"no picture")
    (tmp_path / "one.png").write_bytes(png(40, 30))
    (tmp_path / "two.png").write_bytes(png(50, 30))
    with_it = [part for name in ("notes.txt", "one.png", "two.png") for part in ("--with", name)]
    file = player.does("play", file, "France's turn", *with_it, "--no-mail")["file"]
    (number,) = shown(player, tmp_path / file)
    assert shown(player, tmp_path / file) == {number: (40, 30)}
    assert shown(players["Ann"], tmp_path / file) == {}, "it has not come to her yet"
    (kept,) = (player.home / "games").glob(f"*/files/{number:04}-*-one.png")
    kept.write_bytes(png(40, 30, grey=7))
    assert shown(player, tmp_path / file) == {number: (50, 30)}, "other bytes are not shown"


def test_one_that_would_fill_a_browsers_memory_is_not_shown(
    ben: tuple[Player, str], tmp_path: Path
) -> None:
    player, file = ben
    (tmp_path / "bomb.png").write_bytes(png(9000, 9000))
    file = player.does("play", file, "France's turn", "--with", "bomb.png", "--no-mail")["file"]
    assert shown(player, tmp_path / file) == {}


IMAGE = "#view .board-picture"
LOADED = f"{IMAGE}[href^='data:image/']"


@pytest.mark.dear("drives a browser")
@needs_browser
def test_a_picture_is_chosen_seen_moved_and_signed(
    ben: tuple[Player, str], chromium: Any, tmp_path: Path
) -> None:
    player, file = ben
    with served(Home(player.home), tmp_path / "out", tmp_path / file) as server:
        visitor = Visitor(chromium, server)
        page = visitor.page
        with page.expect_file_chooser() as chooser:
            page.locator("#desk >> text=Picture of the board").click()
        chooser.value.set_files(
            {"name": "map.png", "mimeType": "image/png", "buffer": png(3000, 1500)}
        )
        page.locator(LOADED).wait_for()
        assert page.locator(IMAGE).get_attribute("width") == "900", "as wide as the board"
        assert page.evaluate("[board.picture.wide, board.picture.high]") == [2400, 1200]
        box = page.locator(IMAGE).bounding_box()
        free = page.evaluate("freePart()")
        assert box["width"] <= free["width"] and box["height"] <= free["height"], (
            "all of it is seen"
        )
        page.mouse.move(box["x"] + 100, box["y"] + 100)
        page.mouse.wheel(0, -500)
        assert page.locator(IMAGE).bounding_box()["width"] > 1.5 * box["width"]
        page.mouse.down()
        page.mouse.move(box["x"] + 160, box["y"] + 100, steps=4)
        page.mouse.up()
        assert page.evaluate("isHeld")
        page.locator("#desk >> text=Counters").click()
        visitor.click('#besides [data-give="britain\'s supply +1"]')
        page.locator("#besides").wait_for()
        visitor.click('#besides [data-give="britain\'s supply +1"]')
        assert visitor.line() == ["britain's supply +2"]
        page.locator("#besides .close").click()
        visitor.click('#desk [data-words="france\'s turn"]')
        signed = visitor.sign()
        page.locator(LOADED).wait_for()
        assert "/with/" in page.evaluate("board.picture.address")
        film = page.evaluate(
            "ask(`/game/${main().dataset.name}/film?since=0`).then((one) => one.json())"
        )
        pictured = [step["entry"] for step in film["steps"] if "picture" in step.get("board", {})]
        number = int(signed.removesuffix(".toml").rpartition("-")[2])
        assert pictured and set(pictured) == {number}
        page.goto(f"{page.url}/entry/{number}")
        page.locator(LOADED).wait_for()
        assert visitor.problems == []
        visitor.close()
