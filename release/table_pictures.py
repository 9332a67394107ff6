"""Makes the pictures of docs/table.md, screenshots of a game that chance has played for some
entries: ./run pictures"""

from __future__ import annotations

import io
import random
import secrets
import shutil
import sys
import tempfile
import threading
from pathlib import Path

from PIL import Image

from pbem.home.home import Home
from pbem.table.open_games import OpenGames
from pbem.table.routes import Table
from pbem.table.server import TableServer
from pbem.turn import joining, open_game, take_turn
from pbem.turn.intent import Intent

PICTURES = Path(__file__).parents[1] / "docs/pictures"
ENTRIES = 14
CHROMIUM = (
    shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
)


def played(folder: Path) -> tuple[Home, bytes]:
    """Ann's home, and a game of hers in which it is her turn to play a card."""
    homes = []
    for name in ("Ann", "Ben"):
        homes.append(home := Home(folder / name))
        home.found(name, f"{name.lower()}@example.org", secrets.token_bytes(32), "")
    ann, ben = homes
    data = joining.invite(ann, "tripoli", None, {}, [])
    data = joining.join(open_game.open_file(data, ben), ben)
    chance = random.Random(3)
    for number in range(200):
        opened = open_game.open_file(data, ann)
        home = ann if opened.ledger.to_act() == opened.seat else ben
        opened = open_game.open_file(data, home)
        given: list[str] = []
        moves = open_game.moves(opened, given)
        if number >= ENTRIES and home is ann and "play an event" in moves.prompt:
            break
        while not moves.complete:
            given.append(chance.choice(moves.options))
            moves = open_game.moves(opened, given)
        data = take_turn.next_entry(opened, Intent(given))
    return ann, data


def _keep(shot: bytes, name: str) -> None:
    """A screenshot in 256 colours, which is a third as long."""
    image = Image.open(io.BytesIO(shot)).convert("RGB")
    image.quantize(256, dither=Image.Dither.NONE).save(PICTURES / name, optimize=True)


def main() -> None:
    if CHROMIUM is None:
        sys.exit("Chromium is not installed: the pictures of the table stay as they are")
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        home, data = played(folder)
        (folder / "game.toml").write_bytes(data)
        games = OpenGames(home, folder)
        path = f"/game/{games.open_path(folder / 'game.toml').name}"
        server, ready = TableServer(Table(games), path), threading.Event()
        thread = threading.Thread(target=server.run, args=(ready.set,))
        thread.start()
        ready.wait()
        try:
            with sync_playwright() as driver:
                browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
                page = browser.new_page(viewport={"width": 1280, "height": 900})
                page.goto(server.url)
                page.locator("[data-card].can-go:not(.open-card)").first.click()
                page.locator("[data-give^='move with']:visible").click()
                page.locator(".pin.can-go").first.click()
                page.locator(".pin .badge").first.wait_for()
                page.wait_for_timeout(1000)  # the dice have fallen
                _keep(page.screenshot(), "table.png")
                page.emulate_media(color_scheme="dark")
                page.set_viewport_size({"width": 400, "height": 1000})
                _keep(page.screenshot(), "table-phone.png")
                browser.close()
        finally:
            server.stop()
            thread.join()


if __name__ == "__main__":
    main()
