"""Ann and Ben at Hex, or at another game of `examples/boards`: two homes, and the mails between
them."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from examples.correspondence import Player
from tests.support.homes import another_computer, copy_homes
from tests.support.plugins import EXAMPLE, Site

BOARDS = EXAMPLE.parent / "boards"


@contextmanager
def hex_installed(folder: Path, game: str = "hex") -> Iterator[Site]:
    """Hex, or another game, is installed inside, in this folder of packages; in programs that are
    started, too."""
    package = f"pbem_{game}"
    with pytest.MonkeyPatch.context() as monkeypatch:
        site = Site(folder, monkeypatch)
        unwanted = shutil.ignore_patterns("__pycache__")
        shutil.copytree(BOARDS / package, folder / package, ignore=unwanted)
        site.register(game, f"{package}:GAME")
        monkeypatch.setenv("PYTHONPATH", str(folder))
        yield site
    for name in [name for name in sys.modules if name.partition(".")[0] == package]:
        del sys.modules[name]
    site.forget()


@dataclass
class HexMatch:
    """A game of Ann, red, who has invited, and Ben, blue, and its files, the newest last."""

    folder: Path
    files: list[str] = field(default_factory=list)

    @property
    def ann(self) -> Player:
        return Player("Ann", self.folder / "home-of-ann", self.folder / "mails", in_process=True)

    @property
    def ben(self) -> Player:
        return Player("Ben", self.folder / "home-of-ben", self.folder / "mails", in_process=True)

    @property
    def last(self) -> str:
        return self.files[-1]

    @property
    def game(self) -> str:
        """The short name of the game."""
        return self.last.rpartition("-")[0]

    def write(self, player: Player, *command: str) -> str:
        """A command that writes a turn file; its name."""
        self.files.append(Path(player.does(*command, "--no-mail")["file"]).name)
        return self.last

    def begin(self, *command: str) -> HexMatch:
        """An invitation, to a board of five hexes a side unless another game is named, and a
        join."""
        (self.folder / "mails").mkdir(parents=True)
        for player in (self.ann, self.ben):
            player.does("id", "--name", player.name, "--mail", f"{player.name.lower()}@example.org")
        self.write(self.ann, "new", *(command or ("hex", "--size", "5")))
        self.write(self.ben, "join", self.last)
        return self

    def copied(self, to: Path) -> HexMatch:
        copy_homes(self.folder, to)
        return replace(self, folder=to, files=[*self.files])

    def signed(self, player: Player) -> list[str]:
        """The names of the files with what a player has signed."""
        return sorted(path.name for path in player.home.glob("games/*/signed/*.toml"))

    def newest(self, player: Player) -> bytes:
        """The newest file that a player has signed."""
        return max(player.home.glob("games/*/signed/*.toml")).read_bytes()

    def prepared_file(self, player: Player) -> Path:
        """Where a player's home keeps what they have prepared."""
        (folder,) = (player.home / "games").iterdir()
        return folder / "prepared.json"


def other_version(match: HexMatch, folder: Path, answer: str) -> Path:
    """Ben's next turn once more, with another answer: signed in a copy of his home, on a computer
    where nothing is known of the first one."""
    made = match.copied(folder)
    with another_computer():
        made.write(made.ben, "play", made.last, answer)
    return made.ben.folder / made.last
