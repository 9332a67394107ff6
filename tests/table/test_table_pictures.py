"""A picture that goes with a turn of any game is its board: at once, in looking back and in the
film, where its bytes are those that were signed."""

from __future__ import annotations

import struct
import zlib
from email import message_from_bytes
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from examples.correspondence import Player
from pbem.fileformat import turnfile
from pbem.fileformat.attached import files_of
from pbem.fileformat.bare_picture import PNG, as_board, bare, size_of
from pbem.home.home import Home
from pbem.mail import attached_parts
from pbem.replay.page import page
from pbem.replay.scenes import Replayed
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


def test_the_mail_of_the_turn_shows_it(ben: tuple[Player, str], tmp_path: Path) -> None:
    player, file = ben
    (tmp_path / "one.png").write_bytes(png(40, 30))
    (tmp_path / "notes.txt").write_bytes(b"no picture")
    with_it = [part for name in ("notes.txt", "one.png") for part in ("--with", name)]
    written = player.does("play", file, "France's turn", *with_it)
    mail = message_from_bytes((tmp_path / written["mail"]).read_bytes())
    parts = {part.get_filename(): part for part in mail.walk() if part.get_filename()}
    (html,) = (part for part in mail.walk() if part.get_content_type() == "text/html")
    shown = parts["one.png"]
    assert f'src="cid:{shown["Content-ID"][1:-1]}"'.encode() in html.get_payload(decode=True)
    assert shown.get_content_disposition() == "attachment", "and is saved as any file"
    assert shown.get_payload(decode=True) == png(40, 30)
    assert parts["notes.txt"]["Content-ID"] is None
    wanted = frozenset(
        files_of(turnfile.read((tmp_path / written["file"]).read_bytes()).entries[-1])
    )
    found = attached_parts.in_mail((tmp_path / written["mail"]).read_bytes(), "", wanted)
    assert {one.file.name for one in found if one.is_it} == {"notes.txt", "one.png"}


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


@pytest.mark.dear("drives a browser")
@needs_browser
def test_the_page_that_replays_a_game_shows_what_was_signed_and_nothing_else(
    ben: tuple[Player, str], chromium: Any, tmp_path: Path
) -> None:
    player, file = ben
    (tmp_path / "one.png").write_bytes(png(40, 30))
    said = ("France's turn", "--with", "one.png", "--no-mail")
    file = player.does("play", file, *said)["file"]
    player.does("replay", file, "--html", "game.html")
    data = (tmp_path / file).read_bytes()
    number = len(turnfile.read(data).entries) - 1
    other = as_board(png(40, 30, grey=9))
    assert other is not None
    (tmp_path / "lie.html").write_text(page(data, Replayed(data), {number: other, 1: other}))
    tab = chromium.new_page()
    tab.goto(f"{(tmp_path / 'game.html').as_uri()}#entry-{number}")
    tab.locator(LOADED).wait_for()
    tab.evaluate("location.hash = '#entry-1'")
    tab.locator(IMAGE).wait_for(state="detached")
    tab.goto(f"{(tmp_path / 'lie.html').as_uri()}#entry-{number}")
    tab.locator(".pin").first.wait_for(state="attached")
    assert tab.locator(IMAGE).count() == 0
    tab.close()


@pytest.mark.dear("drives a browser")
@needs_browser
def test_two_fingers_zoom_and_one_moves_it(
    ben: tuple[Player, str], chromium: Any, tmp_path: Path
) -> None:
    player, file = ben
    with served(Home(player.home), tmp_path / "out", tmp_path / file) as server:
        visitor = Visitor(chromium, server, has_touch=True, is_mobile=True)
        page = visitor.page
        page.set_viewport_size({"width": 390, "height": 844})
        (tmp_path / "map.webp").write_bytes(webp())
        page.locator("#with-file").set_input_files(tmp_path / "map.webp")
        page.locator(LOADED).wait_for()  # the browser has made a JPEG of it
        before = page.locator(IMAGE).bounding_box()
        touch = page.context.new_cdp_session(page)

        def fingers(kind: str, *spots: tuple[float, float]) -> None:
            points = [{"x": x, "y": y, "id": at} for at, (x, y) in enumerate(spots)]
            touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

        x, y = before["x"] + before["width"] / 2, before["y"] + before["height"] / 2
        fingers("touchStart", (x - 20, y), (x + 20, y))
        for apart in (30, 45, 60):
            fingers("touchMove", (x - apart, y), (x + apart, y))
        fingers("touchEnd")
        zoomed = page.locator(IMAGE).bounding_box()
        assert zoomed["width"] > 2 * before["width"]
        fingers("touchStart", (x, y))
        fingers("touchMove", (x + 30, y))
        fingers("touchMove", (x + 60, y))
        fingers("touchEnd")
        assert page.locator(IMAGE).bounding_box()["x"] > zoomed["x"] + 30
        assert visitor.problems == []
        visitor.close()


def webp() -> bytes:
    from PIL import Image

    made = BytesIO()
    Image.new("RGB", (80, 40), (90, 120, 60)).save(made, "WEBP")
    return made.getvalue()
