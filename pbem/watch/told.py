"""What was told already: `watch/told.json` of the home, so that each new turn is told exactly once.

What is new follows from the home's memory and this record, never from what one round happened to
take in: a watcher that is killed between the two tells it later. The record is written before the
telling, and whoever tells looks into it first (`pbem.watch.teller`), so that nothing is told twice
and nothing is lost.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from pbem import files
from pbem.home.game_index import READ_FILE, game_folders
from pbem.home.home import Home
from pbem.home.store import StateFile
from pbem.watch.failing import Failing, Failure

MAX_PROBLEMS, MAX_ROUNDS = 2000, 50
"""Of both only the newest are remembered."""


@dataclass(frozen=True)
class Record:
    """What was told: the names of files by game, the digests of problems, the rounds of telling,
    and what fails."""

    games: dict[str, list[str]]
    problems: list[str]
    rounds: list[str]
    failing: dict[str, Failure] = field(default_factory=dict)


_RECORD = StateFile("told.json", Record, 50_000_000)


class NewsRecord:
    """The record of one home. Raises `Usage` if it cannot be written."""

    def __init__(self, home: Home) -> None:
        self.path = home.make_folder("watch") / _RECORD.name
        self._games: dict[str, list[str]] = {}
        self._problems: list[str] = []
        self._rounds: list[str] = []
        self.failing = Failing(self.path.parent)
        self._kept: dict[str, Failure] = {}
        self.is_changed = False
        """Whether there is something that `keep` has to write down, but for what fails."""
        if not self.read():  # the first time: what is here already is no news
            for folder in game_folders(home):
                self._games[folder.name] = names_in(folder)
            self.keep(new_round())

    def untold(self, folder: Path) -> list[str]:
        """The files read in a game that were not told yet, by their names, the oldest entry
        first."""
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

    def is_to_be_kept(self) -> bool:
        """Whether there is anything that `keep` has to write down."""
        return self.is_changed or self._kept != self.failing.kept()

    def keep(self, name: str) -> None:
        """Write it down, and the name of this round, by which whoever tells finds that it was."""
        self._rounds = [*self._rounds, name][-MAX_ROUNDS:]
        self._kept = self.failing.kept()
        _RECORD.write(
            self.path.parent, Record(self._games, self._problems, self._rounds, self._kept)
        )
        self.is_changed = False

    def read(self) -> bool:
        """Go back to what is written down. Whether there is a record that can be read; a damaged
        one begins anew."""
        found = _RECORD.read_if_whole(self.path.parent)
        if found is None:
            return False
        self._games, self._problems, self._rounds = found.games, found.problems, found.rounds
        self._kept, self.is_changed = found.failing, False
        self.failing.go_back(found.failing)
        return True


def new_round() -> str:
    """The name of a round of telling."""
    return secrets.token_hex(8)


def names_in(folder: Path) -> list[str]:
    """The names of the files that were read in a game. Raises `Usage`."""
    return [path.name for path in files.listed(folder / "read") if READ_FILE.match(path.name)]
