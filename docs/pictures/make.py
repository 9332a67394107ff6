"""Makes the pictures that README.md and docs/mail.md show: python docs/pictures/make.py

Positions come from games that chance plays from a fixed seed, so the boards are the same every time. The pictures of
whole mails are screenshots and need Chromium; without it they stay as they are.
"""

from __future__ import annotations

import contextlib
import io
import random
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE.parent.parent), str(HERE.parent.parent / "tests" / "mail")]

from engine.loot.rules import RULES as LOOT  # noqa: E402
from engine.rules import Rules  # noqa: E402
from engine.table import Table  # noqa: E402
from engine.tripoli import RULES as TRIPOLI  # noqa: E402
from pbem import picture  # noqa: E402

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync", "--hide-scrollbars"),
)


class Enough(Exception):
    """The game has come as far as the picture wants it."""


def drawing(
    rules: Rules, options: dict[str, int], seed: int, decisions: int, since: int, wishes: tuple[str, ...]
) -> str:
    """The picture of a game after so many decisions, with what changed in the last `since` of them."""
    dice = random.Random(seed)
    table = Table(rules, options, dice)
    story: list[tuple[Any, ...]] = []
    table.game.story = story
    seen: list[tuple[dict[str, Any], int]] = []

    def choose(game: Any, _ask: Any, legal: Any) -> Any:
        seen.append((rules.view(game, None, {}), len(story)))
        if len(seen) == decisions:
            raise Enough
        wished = [one for one in legal if str(one.option[0]).startswith(wishes)]
        return dice.choice(wished if wished and dice.random() < 0.7 else legal)

    with contextlib.suppress(Enough):
        table.play(choose)
    before, told = seen[-since]
    lines = [rules.tell(event) for event in story[told:]]
    drawn = picture.svg(rules.name, seen[-1][0], before, lines)
    assert drawn is not None
    return drawn


def mails(folder: Path) -> Path:
    """A page of HTML as a mail program lays it out, from a game that chance plays."""
    from mail_kit import body, go_on, mail_of, parsed, start

    game = go_on(start(folder / "game", names=("Ann", "Bob")), 9, seed=11)
    go_on(game, 1, seed=4, message="The wind is with us.\nYour move, and mind the corsairs!")
    message = parsed(mail_of(game.newest))
    html = body(message, "html")
    (image,) = [part for part in message.walk() if part.get_content_type() == "image/png"]
    content = image.get_payload(decode=True)
    assert isinstance(content, bytes)
    (folder / "board.png").write_bytes(content)
    page = folder / "mail.html"
    page.write_text(html.replace(f"cid:{image['Content-ID'][1:-1]}", "board.png"), encoding="utf-8")
    return page


def screenshot(page: Path, width: int, height: int, dark: bool) -> bytes:
    from PIL import Image

    assert CHROMIUM is not None
    frame = page.with_name("frame.html")
    inner = f"<iframe src='{page.name}' width={width} height={height} style='border:0'></iframe>"
    frame.write_text(f"<body style='margin:0'>{inner}")
    shot = page.with_name("shot.png")
    night = ["--blink-settings=preferredColorScheme=0"] if dark else []
    profile = f"--user-data-dir={page.parent / 'profile'}"
    size = ["--force-device-scale-factor=1.5", f"--window-size={max(width, 500)},{height}"]
    subprocess.run(
        [CHROMIUM, *FLAGS, *night, profile, *size, f"--screenshot={shot}", frame.as_uri()],
        check=True,
        capture_output=True,
        timeout=60,
    )
    out = io.BytesIO()
    image = Image.open(shot).convert("RGB").crop((0, 0, int(width * 1.5), int(height * 1.5)))
    image.quantize(128).save(out, "PNG", optimize=True)
    return out.getvalue()


def main() -> None:
    boards = {
        "tripoli.png": drawing(TRIPOLI, {}, 10, 80, 7, ("move", "event", "build", "raid", "frigate")),
        "loot.png": drawing(LOOT, {"players": 4}, 40, 22, 6, ("merchant", "attack", "captain", "admiral")),
    }
    for name, drawn in boards.items():
        (HERE / name).write_bytes(picture.png(drawn, 900))
    if CHROMIUM is None:
        sys.exit("Chromium is not installed: the pictures of whole mails stay as they are")
    with tempfile.TemporaryDirectory() as folder:
        page = mails(Path(folder))
        (HERE / "mail-phone.png").write_bytes(screenshot(page, 390, 1080, dark=False))
        (HERE / "mail-night.png").write_bytes(screenshot(page, 680, 1180, dark=True))


if __name__ == "__main__":
    main()
