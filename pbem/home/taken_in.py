"""Which files in the home's own inbox were taken in, so that a growing folder is not read from the
start each time.

A mail that was fetched leaves the folder as soon as all in it is in the home: the server has it
still, and the home has its turn. What the player put there stays, and is known by name, size and
time of change. A file that could not be read, lacked its turn or contradicted something stays, and
is read, and reported, again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from pbem import files
from pbem.errors import Usage
from pbem.home.game_index import game_folders
from pbem.home.home import Home
from pbem.home.store import StateFile


class TakenFile(NamedTuple):
    """A file as it was when all in it was taken in: its size in bytes, the time of its change in
    nanoseconds, and the games that it was for, by the first eight digits of their ids."""

    size: int
    changed: int
    games: Sequence[str]


_INDEX = StateFile("taken-in.json", dict[str, TakenFile], 10_000_000)
SENDERS = StateFile("senders.json", dict[str, str], 20_000_000)
"""Who sent each mail that was fetched, by the name of its file."""
WANTED = ".wanted"
"""How the name of a file ends that was fetched because it goes with a turn."""
_FETCHED = re.compile(r"[0-9a-f]{8}-[0-9]+-[0-9]+(?:-[0-9]+)?\.(?:eml|toml|wanted)\Z")
"""The names that `pbem.mail.fetch` gives: account, UIDVALIDITY, UID, and which turn, or file that
goes with one, of a mail that is not kept whole."""


class TakenIn:
    """What is remembered of the folder `inbox` of a home. Raises `Usage` if the home's games cannot
    be listed."""

    def __init__(self, home: Home) -> None:
        self.folder = home.folder / "inbox"
        self._games = {path.name[:8] for path in game_folders(home)}
        self._known = _INDEX.read_if_whole(self.folder) or {}
        self._there: dict[str, TakenFile] = {}

    def new(self) -> Iterator[Path]:
        """What was not taken in yet: files, and folders inside it. A fetched mail that
        was kept, and whose games are in the home now, is removed. Raises `Usage`."""
        for path in files.listed(self.folder):
            if path.name.startswith(".") or path.suffix == ".json":
                continue
            known = self._known.get(path.name)
            if (
                known is not None
                and known[:2] == _state(path)
                and self._games.issuperset(known.games)
            ):
                if not _remove_fetched(path):
                    self._there[path.name] = known
            else:
                yield path

    def settle(self, path: Path, games: list[str], *, is_in_the_home: bool) -> str:
        """Note that all in this file was taken in, for games with these short names. A mail that
        was fetched and whose turns are in the home is removed: returns whose mail it was, in words;
        empty for any other file."""
        if is_in_the_home and _remove_fetched(path):
            return f"a mail of {self._senders.get(path.name) or 'a sender without an address'}"
        if (state := _state(path)) is not None:
            self._there[path.name] = TakenFile(
                *state, sorted({name.rpartition("-")[2] for name in games if name})
            )
        return ""

    @cached_property
    def _senders(self) -> dict[str, str]:
        return SENDERS.read_if_whole(self.folder) or {}

    def keep(self) -> None:
        """Write it all down. This is only a help: where it cannot be written, the files are read
        again."""
        if self._there != self._known and self.folder.is_dir():
            with suppress(Usage):
                _INDEX.write(self.folder, self._there)


def _remove_fetched(path: Path) -> bool:
    """Remove a file if it is a mail that was fetched; whether it is gone."""
    if _FETCHED.match(path.name) is None:
        return False
    with suppress(OSError):
        path.unlink()
        return True
    return False


def _state(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return (found.st_size, found.st_mtime_ns) if path.is_file() else None
