"""Writes the page of each example game: `python -m examples.make_pages`; an example that is made
anew gets its own."""

from __future__ import annotations

from pathlib import Path

from pbem.replay.page import page
from pbem.replay.scenes import Replayed

HERE = Path(__file__).parent
GAMES = ("tripoli", "loot", "solitaire", "paradise", "backgammon")
PAGE = "replay.html"


def newest(folder: Path) -> Path:
    """The whole turn file of the game in a folder."""
    return max(folder.glob("*-[0-9][0-9][0-9][0-9].toml"), key=lambda path: path.stat().st_size)


def write(folder: Path) -> None:
    """The page of the game in a folder, beside its turn file."""
    data = newest(folder).read_bytes()
    (folder / PAGE).write_text(page(data, Replayed(data)), encoding="utf-8", newline="\n")


def main() -> None:
    for game in GAMES:
        write(HERE / game)


if __name__ == "__main__":
    main()
