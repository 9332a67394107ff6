"""Writes the page of the example game that has one in the repository: `python -m
examples.make_pages`. The site (release/site.py) has such a page of each game, made when it is
built."""

from __future__ import annotations

from pathlib import Path

from pbem.replay.page import page
from pbem.replay.scenes import Replayed

HERE = Path(__file__).parent
GAMES = ("tripoli", "loot", "solitaire", "paradise", "backgammon")
KEPT = HERE / "tripoli" / "replay.html"
"""The page that lies beside its game."""


def newest(folder: Path) -> Path:
    """The whole turn file of the game in a folder."""
    return max(folder.glob("*-[0-9][0-9][0-9][0-9].toml"), key=lambda path: path.stat().st_size)


def write(folder: Path, target: Path) -> None:
    """Write the page of the game in a folder to this file."""
    data = newest(folder).read_bytes()
    target.write_text(page(data, Replayed(data)), encoding="utf-8", newline="\n")


def main() -> None:
    write(KEPT.parent, KEPT)


if __name__ == "__main__":
    main()
