"""How much is kept of what comes in where nobody looks on: so many versions of an entry, so many megabytes a day.

Whoever knows the address of a home that watches can write to it; they cannot fill its disk.
"""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from pbem import files
from pbem.errors import PbemError, Usage
from pbem.fileformat.entries import TurnFile
from pbem.home.game_index import READ_FILE
from pbem.home.store import StateFile

MOST_VERSIONS = 4
"""Files with the same number of entries that are kept of one game."""
MOST_INVITATIONS = 20
"""Games that are new here, a day."""
MOST_A_DAY = 100_000_000
"""Bytes of turn files a day; games that are new here have half of them."""
MOST_MAIL = 500_000_000
"""Bytes of mails that were fetched, in all: they stay until the player removes them."""


class Day(NamedTuple):
    """What was kept on a day (UTC): the bytes of turn files, and the games that were new."""

    date: str
    size: int
    games: int


_DAY = StateFile("day.json", Day, 1000)


class Limits:
    """Counts what is kept on this day (UTC), in a file of the home's folder `watch`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._day = _DAY.read_if_whole(folder) or Day("", 0, 0)

    def refuses(self, folder: Path, file: TurnFile) -> str:
        """Why a verified file is not kept in the folder of its game; nothing if it is."""
        number, newest = len(file.entries) - 1, file.entries[-1].after.hex()[:16]
        names = [match for path in self._listed(folder / "read") if (match := READ_FILE.match(path.name))]
        versions = {match[2] for match in names if int(match[1]) == number}
        if newest in versions:
            return ""
        if len(versions) >= MOST_VERSIONS:
            return f"{len(versions)} versions of turn {number} are kept already"
        today = datetime.now(UTC).date().isoformat()
        day = self._day if self._day.date == today else Day(today, 0, 0)
        is_new_game = not names and not self._listed(folder / "signed")
        if is_new_game and day.games >= MOST_INVITATIONS:
            return f"{MOST_INVITATIONS} new games have come today already: pbem inbox takes it in, or tomorrow"
        most = MOST_A_DAY // 2 if is_new_game else MOST_A_DAY
        if day.size + len(file.data) > most:
            return f"{most // 1_000_000} megabytes were kept today already: pbem inbox takes it in, or tomorrow"
        self._day = Day(today, day.size + len(file.data), day.games + is_new_game)
        with suppress(Usage):
            _DAY.write(self._folder, self._day)
        return ""

    @staticmethod
    def _listed(folder: Path) -> list[Path]:
        try:
            return files.listed(folder)
        except PbemError:
            return []
