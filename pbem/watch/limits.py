"""How much is kept of what comes in where nobody looks on: so many versions of an entry, so many megabytes a day.

Whoever knows the address of a home that watches can write to it; they cannot fill its disk.
"""

from __future__ import annotations

import json
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from pbem import files
from pbem.errors import PbemError, Usage
from pbem.fileformat.entries import TurnFile
from pbem.watch.gather import KEPT

MOST_VERSIONS = 4
"""Files with the same number of entries that are kept of one game."""
MOST_INVITATIONS = 20
"""Games that are new here, a day."""
MOST_A_DAY = 100_000_000
"""Bytes of turn files a day."""
MOST_MAIL = 500_000_000
"""Bytes of mails that were fetched, in all: they stay until the player removes them."""
_FILE = "day.json"


class Limits:
    """Counts what is kept on this day (UTC), in a file of the home's folder `watch`."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / _FILE
        self._day, self._bytes, self._games = self._read()

    def refuses(self, folder: Path, file: TurnFile) -> str:
        """Why a verified file is not kept in the folder of its game; nothing if it is."""
        number, newest = len(file.entries) - 1, file.entries[-1].after.hex()[:16]
        names = [match for path in self._listed(folder / "read") if (match := KEPT.match(path.name))]
        versions = {match[2] for match in names if int(match[1]) == number}
        if newest in versions:
            return ""
        if len(versions) >= MOST_VERSIONS:
            return f"{len(versions)} versions of entry {number} are kept already"
        today = datetime.now(UTC).date().isoformat()
        if today != self._day:
            self._day, self._bytes, self._games = today, 0, 0
        is_new_game = not names and not self._listed(folder / "signed")
        if is_new_game and self._games >= MOST_INVITATIONS:
            return f"{MOST_INVITATIONS} new games have come today already: pbem inbox takes it in, or tomorrow"
        if self._bytes + len(file.data) > MOST_A_DAY:
            return f"{MOST_A_DAY // 1_000_000} megabytes were kept today already: pbem inbox takes it in, or tomorrow"
        self._bytes += len(file.data)
        self._games += is_new_game
        with suppress(Usage):
            files.replace(self._path, json.dumps([self._day, self._bytes, self._games]).encode())
        return ""

    def room_for_mail(self, inbox: Path) -> int:
        """Bytes of mails that may yet be fetched into this folder."""
        used = 0
        for path in self._listed(inbox):
            with suppress(OSError):
                used += path.stat().st_size
        return MOST_MAIL - used

    @staticmethod
    def _listed(folder: Path) -> list[Path]:
        try:
            return files.listed(folder)
        except PbemError:
            return []

    def _read(self) -> tuple[str, int, int]:
        try:
            day, size, games = json.loads(files.read_own(self._path, 1000))
            return str(day), int(size), int(games)
        except (Usage, ValueError, TypeError):
            return "", 0, 0
