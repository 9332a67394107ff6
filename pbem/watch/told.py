"""What was told already: `watch/told.json` of the home, so that each new turn is told exactly once.

What is new follows from the home's memory and this record, never from what one round happened to take in: a watcher
that is killed between the two tells it later. The record is written before the telling, and whoever tells looks into it
first (`pbem.watch.teller`), so that nothing is told twice and nothing is lost.
"""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from pbem import files
from pbem.errors import Usage
from pbem.home.game_index import game_folders
from pbem.home.home import Home
from pbem.watch.gather import KEPT

_FILE = "told.json"
MAX_PROBLEMS, MAX_ROUNDS = 2000, 50
"""Of both only the newest are remembered."""


class Told:
    """The record of one home. Raises `Usage` if it cannot be written."""

    def __init__(self, home: Home) -> None:
        self.path = home.make_folder("watch") / _FILE
        self._games: dict[str, list[str]] = {}
        self._problems: list[str] = []
        self._rounds: list[str] = []
        self.is_changed = False
        """Whether there is something that `keep` has to write down."""
        if not self.read():  # the first time: what is here already is no news
            for folder in game_folders(home):
                self._games[folder.name] = names_in(folder)
            self.keep(new_round())

    def untold(self, folder: Path) -> list[str]:
        """The files read in a game that were not told yet, by their names, the oldest entry first."""
        known = set(self._games.get(folder.name, ()))
        return [name for name in names_in(folder) if name not in known]

    def newest(self, game: str) -> int:
        """The number of the newest entry that was told of a game; -1 if none was."""
        return max((int(name[:4]) for name in self._games.get(game, ())), default=-1)

    def add(self, game: str, names: Iterable[str]) -> None:
        """These files are told, or need not be. `keep` writes it down."""
        added = list(names)
        if added:
            self._games[game] = [*self._games.get(game, ()), *added]
            self.is_changed = True

    def add_problem(self, text: str) -> bool:
        """Whether this is new; it counts as told then."""
        digest = hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:16]
        if digest in self._problems:
            return False
        self._problems = [*self._problems, digest][-MAX_PROBLEMS:]
        return True

    def keep(self, name: str) -> None:
        """Write it down, and the name of this round, by which whoever tells finds that it was."""
        self._rounds = [*self._rounds, name][-MAX_ROUNDS:]
        table = {"games": self._games, "problems": self._problems, "rounds": self._rounds}
        files.replace(self.path, json.dumps(table).encode())
        self.is_changed = False

    def read(self) -> bool:
        """Go back to what is written down. Whether there is a record that can be read; a damaged one begins anew."""
        try:
            table: dict[str, Any] = json.loads(files.read_own(self.path, 50_000_000))
            games = {str(game): [str(name) for name in names] for game, names in table["games"].items()}
            problems, rounds = ([str(text) for text in table[key]] for key in ("problems", "rounds"))
        except (Usage, ValueError, TypeError, KeyError, AttributeError, RecursionError):
            return False
        self._games, self._problems, self._rounds, self.is_changed = games, problems, rounds, False
        return True


def new_round() -> str:
    """The name of a round of telling."""
    return secrets.token_hex(8)


def names_in(folder: Path) -> list[str]:
    """The names of the files that were read in a game. Raises `Usage`."""
    return [path.name for path in files.listed(folder / "read") if KEPT.match(path.name)]
