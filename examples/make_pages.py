"""Writes the page of each example game: `python -m examples.make_pages`, the last part of `./run examples`."""

from __future__ import annotations

from pathlib import Path

from pbem.replay.page import page
from pbem.replay.scenes import Replayed

HERE = Path(__file__).parent
GAMES = ("tripoli", "loot", "solitaire", "paradise")
PAGE = "replay.html"


def newest(game: str) -> Path:
    """The whole turn file of an example game."""
    return max((HERE / game).glob("*-[0-9][0-9][0-9][0-9].toml"), key=lambda path: path.stat().st_size)


def main() -> None:
    for game in GAMES:
        data = newest(game).read_bytes()
        (HERE / game / PAGE).write_text(page(data, Replayed(data)), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
