"""Makes the pictures of docs/table.md, the step of a film in README.md, and what a browser shows of
the page before it installs it: screenshots of a game that chance has played for some entries and of
the archived one: ./run pictures"""

from __future__ import annotations

import io
import random
import secrets
import shutil
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from PIL import Image

from pbem.home.home import Home
from pbem.table.open_games import OpenGames
from pbem.table.routes import Table
from pbem.table.server import TableServer
from pbem.turn import joining, open_game, questions, take_turn
from pbem.turn.draft_lines import Intent
from release.pictures import replay_page_of

ROOT = Path(__file__).parents[1]
PICTURES, ICONS = ROOT / "docs/pictures", ROOT / "templates/web/icons"
ARCHIVED = ROOT / "tests/archive/tripoli-1.toml"
ENTRIES = 14
CHROMIUM = (
    shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
)


def played(folder: Path) -> tuple[Home, bytes]:
    """Ann's home, and a game of hers in which it is her turn to play a card."""
    homes = []
    for name in ("Ann", "Ben"):
        homes.append(home := Home(folder / name))
        home.create(name, f"{name.lower()}@example.org", secrets.token_bytes(32), "")
    ann, ben = homes
    data = joining.invite(ann, joining.NewGame("tripoli"))
    data = joining.join(open_game.open_file(data, ben), ben)
    chance = random.Random(3)
    for number in range(200):
        opened = open_game.open_file(data, ann)
        home = ann if opened.ledger.to_act() == opened.seat else ben
        opened = open_game.open_file(data, home)
        given: list[str] = []
        moves = questions.moves(opened, given)
        if number >= ENTRIES and home is ann and "play an event" in moves.prompt:
            break
        while not moves.complete:
            given.append(chance.choice(moves.options))
            moves = questions.moves(opened, given)
        data = take_turn.next_entry(opened, Intent(tuple(given)))
    return ann, data


def _keep(shot: bytes, name: str) -> None:
    """A screenshot in 256 colours, which is a third as long."""
    image = Image.open(io.BytesIO(shot)).convert("RGB")
    image.quantize(256, dither=Image.Dither.NONE).save(PICTURES / name, optimize=True)


def _keep_small(shot: bytes, name: str, width: int, height: int) -> None:
    """A screenshot as the page's manifest has it, cut off below where it is too long."""
    image = Image.open(io.BytesIO(shot)).convert("RGB")
    image = image.crop((0, 0, image.width, image.width * height // width))
    image.resize((width, height)).save(ICONS / name, quality=70, method=6)


@contextmanager
def _served(home: Home, folder: Path, file: Path | None) -> Iterator[str]:
    """The address of the page of a game, or of the first page."""
    games = OpenGames(home, folder)
    path = "/" if file is None else f"/game/{games.open_data(file.read_bytes()).name}"
    server, ready = TableServer(Table(games), path), threading.Event()
    thread = threading.Thread(target=server.run, args=(ready.set,))
    thread.start()
    ready.wait()
    try:
        yield server.url
    finally:
        server.stop()
        thread.join()


def first(page: Any) -> None:
    """What a newcomer sees."""
    page.locator(".box-board").last.wait_for()
    while not page.evaluate("[...document.images].every((one) => one.naturalWidth)"):
        page.wait_for_timeout(100)  # the boards are drawn, one after the other
    _keep(page.screenshot(), "first.png")


def table(page: Any) -> None:
    """A turn in the making, on a screen and on a telephone at night."""
    page.locator("[data-card].can-go:not(.open-card)").first.click()
    page.locator("[data-give^='move with']:visible").click()
    page.locator(".pin.can-go").first.click()
    page.locator(".pin.can-go").first.wait_for()
    page.wait_for_timeout(1000)  # the dice have fallen
    wide = page.screenshot()
    _keep(wide, "table.png")
    _keep_small(wide, "wide.webp", 640, 450)
    page.emulate_media(color_scheme="dark")
    page.set_viewport_size({"width": 400, "height": 1000})
    narrow = page.screenshot()
    _keep(narrow, "table-phone.png")
    _keep_small(narrow, "narrow.webp", 320, 720)


def film(page: Any) -> None:
    """A step of the film of a game, with dice and a piece on its way."""
    page.goto(page.url + "/entry/1")
    page.locator("#film-button").click()
    page.locator("#film-play").click()
    found = "film.steps.findIndex((one) => one.moves && one.dice && one.dice[0][2].length > 2)"
    page.evaluate(f"stepTo({found} - 1); stepTo(film.at + 1)")
    page.wait_for_timeout(330)  # half of its way
    page.evaluate("document.getAnimations().forEach((one) => one.pause())")
    _keep(page.screenshot(), "film.png")


def replay(page: Any, folder: Path) -> None:
    """The page of a whole game at a raid, once it is verified."""
    page.set_viewport_size({"width": 1200, "height": 880})
    page.goto(f"{replay_page_of(folder).as_uri()}#entry-34")
    page.locator("#verdict", has_text="turns hold").wait_for()
    page.wait_for_timeout(1000)  # the places have settled
    _keep(page.screenshot(), "replay.png")


def main() -> None:
    if CHROMIUM is None:
        sys.exit("Chromium is not installed: the pictures of the table stay as they are")
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as name, sync_playwright() as driver:
        folder = Path(name)
        home, data = played(folder)
        (folder / "game.toml").write_bytes(data)
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        shots = [
            (Home(folder / "new"), None, first),
            (home, folder / "game.toml", table),
            (home, ARCHIVED, film),
        ]
        for whose, file, shoot in shots:
            with _served(whose, folder, file) as address:
                page = browser.new_context(viewport={"width": 1280, "height": 900}).new_page()
                page.goto(address)
                shoot(page)
        replay(browser.new_context(device_scale_factor=1.5).new_page(), folder)
        browser.close()


if __name__ == "__main__":
    main()
