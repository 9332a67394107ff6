"""Writes the summaries and stories of the example games anew: `python -m examples.make_summaries`,
part of `./run golden`. The games stay as they are; how a program of today tells them follows from
their turn files."""

from __future__ import annotations

import tempfile
from pathlib import Path

from examples.correspondence import Player
from examples.make_pages import GAMES, HERE, newest
from pbem.fileformat import turnfile
from pbem.home.home import Home
from pbem.ledger import gate
from pbem.ledger.ledger import Ledger
from pbem.turn import signing

STORY = "story.md"


def made(folder: Path) -> dict[Path, str]:
    """Each summary that lies in the folder of a game, and its story if it lies there, as they
    should be."""
    last = newest(folder)
    stem, texts, game = last.stem.rpartition("-")[0], {}, Ledger()
    with tempfile.TemporaryDirectory() as nowhere:
        stranger = Player("Cleo", Path(nowhere) / "home", folder, in_process=True)
        for entry in turnfile.read(last.read_bytes()).entries:
            gate.admit(game, entry)
            if (path := folder / f"{stem}-{entry.number:04}.md").is_file():
                texts[path] = signing.public_summary(game, Home(stranger.home))
        if (path := folder / STORY).is_file():
            texts[path] = stranger.types("log", last.name, "--public", "--format", "md")[1]
    return texts


def main() -> None:
    for name in GAMES:
        for path, text in made(HERE / name).items():
            path.write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
