"""Makes the pictures that README.md and docs/mail.md show: ./run pictures

The boards are the same every time: those of The Shores of Tripoli come from the archived game, that
of Loot from a game which chance plays from a fixed seed. The pictures of whole mails are
screenshots and need Chromium; without it they stay as they are.
"""

from __future__ import annotations

import contextlib
import email
import email.policy
import io
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from email.message import EmailMessage
from pathlib import Path
from typing import Any

from engine.loot.game import RULES as LOOT
from engine.rules import Rules
from engine.table import OpenTable
from pbem.fileformat.turnfile import read
from pbem.ledger.gate import follow
from pbem.mail import compose
from pbem.replay import page as replay_page
from pbem.replay.scenes import Replayed
from pbem.report import picture

ROOT = Path(__file__).parents[1]
PICTURES = ROOT / "docs/pictures"
ARCHIVED = ROOT / "tests" / "archive" / "tripoli-1.toml"

NAMES = ("Ann", "Ben", "Cleo", "Dora")
CHROMIUM = (
    shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
)
FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *(
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--hide-scrollbars",
    ),
)


class Enough(Exception):
    """The game has come as far as the picture wants it."""


def drawing(
    rules: Rules,
    options: dict[str, int],
    seed: int,
    decisions: int,
    since: int,
    wishes: tuple[str, ...],
) -> str:
    """The picture of a game after so many decisions, with what changed in the last `since` of
    them."""
    dice = random.Random(seed)
    table = OpenTable(rules, options, dice)
    story: list[tuple[Any, ...]] = []
    table.game.story = story
    moments: list[tuple[dict[str, Any], int]] = []

    def choose(game: Any, _ask: Any, legal: Any) -> Any:
        moments.append((game.view(None, {}), len(story)))
        if len(moments) == decisions:
            raise Enough
        wishes_met = [one for one in legal if str(one.option[0]).startswith(wishes)]
        return dice.choice(wishes_met if wishes_met and dice.random() < 0.7 else legal)

    with contextlib.suppress(Enough):
        table.play(choose)
    before, since_line = moments[-since]
    lines = [rules.tell(event) for event in story[since_line:]]
    names = dict(zip(moments[-1][0].get("seats", ()), NAMES, strict=False))
    svg = picture.svg(rules.name, moments[-1][0], before, lines, names=names)
    assert svg is not None
    return svg


def archived_game(entry: int) -> bytes:
    """The archived game of The Shores of Tripoli up to an entry: it stays as it is for as long as
    there are games."""
    return read(ARCHIVED.read_bytes()).prefix(entry + 1)


def chart_of(data: bytes) -> str:
    """The picture in the mail that brings this file."""
    game, moments = follow(read(data))
    mail, before = compose.facts_of(game, moments)
    facts = mail.report
    svg = picture.svg(
        facts.about.game,
        facts.position.view,
        before,
        [
            line
            for turn in facts.position.entries
            for line in turn.lines
            if isinstance(line, Mapping)
        ],
        waiting=facts.turn.asked,
    )
    assert svg is not None
    return svg


def page_of(data: bytes, folder: Path) -> Path:
    """The HTML part of the mail that brings this file, as a page with its picture beside it."""
    made = compose.turn_mail(read(data), "turn.toml")
    assert made is not None
    message = email.message_from_bytes(made, policy=email.policy.default)
    assert isinstance(message, EmailMessage)
    html = message.get_body(("html",))
    assert isinstance(html, EmailMessage)
    (image,) = [part for part in message.walk() if part.get_content_type() == "image/png"]
    content = image.get_payload(decode=True)
    assert isinstance(content, bytes)
    (folder / "board.png").write_bytes(content)
    page = folder / "mail.html"
    page.write_text(
        html.get_content().replace(f"cid:{image['Content-ID'][1:-1]}", "board.png"),
        encoding="utf-8",
    )
    return page


def replay_page_of(folder: Path) -> Path:
    """The page of the archived game."""
    data = ARCHIVED.read_bytes()
    page = folder / "replay.html"
    page.write_text(replay_page.page(data, Replayed(data)), encoding="utf-8")
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
    command = [
        CHROMIUM,
        *FLAGS,
        *night,
        profile,
        *size,
        "--virtual-time-budget=20000",
        f"--screenshot={shot}",
    ]
    subprocess.run(
        [*command, frame.as_uri()],
        check=True,
        capture_output=True,
        timeout=60,
    )
    out = io.BytesIO()
    image = Image.open(shot).convert("RGB").crop((0, 0, int(width * 1.5), int(height * 1.5)))
    image.quantize(128).save(out, "PNG", optimize=True)
    return out.getvalue()


def boards() -> dict[str, str]:
    """The pictures of boards, by the names of their files."""
    return {
        "tripoli.png": chart_of(archived_game(19)),
        "loot.png": drawing(
            LOOT, {"players": 4}, 40, 22, 6, ("merchant", "attack", "captain", "admiral")
        ),
    }


def main() -> None:
    for name, svg in boards().items():
        (PICTURES / name).write_bytes(picture.png(svg, 900))
    if CHROMIUM is None:
        sys.exit("Chromium is not installed: the pictures of mails and pages stay as they are")
    with tempfile.TemporaryDirectory() as folder:
        page = page_of(archived_game(3), Path(folder))
        (PICTURES / "mail-phone.png").write_bytes(screenshot(page, 390, 1080, dark=False))
        (PICTURES / "mail-night.png").write_bytes(screenshot(page, 680, 1180, dark=True))


if __name__ == "__main__":
    main()
