"""Which files in the home's own inbox were taken in, so that a growing folder is not read from the start each time.

A file is known by name, size and time of change. What could not be read, lacked its turn or contradicted something is
looked at, and told, again.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from pbem import files
from pbem.errors import Usage
from pbem.home.game_index import game_folders
from pbem.home.home import Home

_INDEX = "taken-in.json"


class TakenIn:
    """What is remembered of the folder `inbox` of a home. Raises `Usage` if the home's games cannot be listed."""

    def __init__(self, home: Home) -> None:
        self.folder = home.folder / "inbox"
        self._games = {path.name[:8] for path in game_folders(home)}
        self._known = self._read()
        self._there: dict[str, list[object]] = {}

    def new(self) -> Iterator[Path]:
        """What was not taken in yet: files, and folders inside it. Raises `Usage`."""
        for path in files.listed(self.folder):
            if path.name.startswith(".") or path.suffix == ".json":
                continue
            known = self._known.get(path.name)
            if isinstance(known, list) and known[:2] == _state(path) and self._games.issuperset(known[2:]):
                self._there[path.name] = known
            else:
                yield path

    def settle(self, path: Path, games: list[str]) -> None:
        """Remember that all in this file was taken in, for games with these short names."""
        if (state := _state(path)) is not None:
            self._there[path.name] = [*state, *{name.rpartition("-")[2] for name in games if name}]

    def keep(self) -> None:
        """Write it all down. Only ever a help: where it cannot be written, the files are read again."""
        if self._there != self._known and self.folder.is_dir():
            with suppress(Usage):
                files.replace(self.folder / _INDEX, json.dumps(self._there).encode())

    def _read(self) -> dict[str, object]:
        try:
            known = json.loads(files.read_own(self.folder / _INDEX, 10_000_000))
        except (Usage, ValueError, RecursionError):
            return {}
        entries = known.items() if isinstance(known, dict) else ()
        return {name: what for name, what in entries if isinstance(what, list) and all(map(_is_plain, what))}


def _is_plain(value: object) -> bool:
    return isinstance(value, str | int)


def _state(path: Path) -> list[object] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return [found.st_size, found.st_mtime_ns] if path.is_file() else None
