"""The files of a game that were read, and when each was first: `read/NNNN-<hash>.toml` and
`seen/NNNN-<hash>` in the game's folder (`pbem.home.memory`)."""

from __future__ import annotations

import hashlib
import os
from contextlib import suppress
from pathlib import Path

from pbem import files
from pbem.errors import Conflict, Usage
from pbem.fileformat import turnfile
from pbem.fileformat.turnfile import TurnFile
from pbem.home import clock
from pbem.home.home import Home
from pbem.home.joins import has_gone_on, note_first
from pbem.home.shelf import READ_FILE, read_path


class ReadFiles:
    """What one home has read of the game in this folder. `notes` gets sentences for the player
    about what was damaged."""

    def __init__(self, home: Home, folder: Path, notes: list[str]) -> None:
        self._home, self._folder, self._notes = home, folder, notes

    def keep(self, file: TurnFile) -> None:
        """Remember a file from outside."""
        self._home.make_folder("games", self._folder.name, "read")
        path = self.path_of(file)
        # its name has its digest: what else stands there is damaged
        if not files.holds(path, file.data):
            if (others := self.other_versions(file)) and not has_gone_on(file):
                note_first(self._folder, len(file.entries) - 1, others[0].stem.partition("-")[2])
            files.replace(path, file.data)

        if "clock" in file.entries[0].fields:
            self._keep_time(file)

    def _keep_time(self, file: TurnFile) -> None:
        """Remember when this very file was read first: an entry says so in a game with a clock
        (docs/format.md, section 15)."""
        number = len(file.entries) - 1
        path = self._seen_path(file.data, number)
        if not os.path.lexists(path):
            self._home.make_folder("games", self._folder.name, "seen")
            with suppress(Conflict):  # another process has just seen it
                files.write_new(path, clock.now().encode(), mode=0o600)
        elif not self.first_seen(file.data, number):
            files.replace(path, clock.now().encode())
            self._notes.append(
                f"{files.printable(path)} was damaged: when this file was read first is not known,"
                " and now counts"
            )

    def first_seen(self, data: bytes, number: int) -> str:
        """The date on which this file, which ends with entry `number`, was read first; empty if
        that is not known."""
        try:
            date = files.read_own(self._seen_path(data, number), 100).decode()
        except (Usage, UnicodeDecodeError):
            return ""
        return date if turnfile.is_date(date) else ""

    def _seen_path(self, data: bytes, number: int) -> Path:
        return self._folder / "seen" / f"{number:04}-{hashlib.sha256(data).hexdigest()[:16]}"

    def other_versions(self, file: TurnFile) -> list[Path]:
        """Files that were read and whose newest entry has the same number, but other bytes."""
        mine, number = hashlib.sha256(file.data).hexdigest()[:16], len(file.entries) - 1
        try:
            names = files.listed(self._folder / "read")
        except Usage:  # told already, where the file was to be kept
            return []
        # a copy under another name, as a synchronized folder makes, is no version of its own
        found = [(path, match) for path in names if (match := READ_FILE.match(path.name))]
        return [path for path, match in found if int(match[1]) == number and match[2] != mine]

    def path_of(self, file: TurnFile) -> Path:
        """Where this file lies if it was read."""
        digest = hashlib.sha256(file.data).hexdigest()
        return read_path(self._folder, len(file.entries) - 1, digest)
