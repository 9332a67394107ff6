"""How much is kept of what comes by mail, watched or fetched: so many versions of an entry, games
and megabytes a day.

Whoever knows the address of a home can write to it; they cannot fill its disk or its lists.
"""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from pbem import files
from pbem.errors import Damaged, PbemError, Usage
from pbem.fileformat.encoding import fingerprint
from pbem.fileformat.turnfile import TurnFile
from pbem.home import contacts
from pbem.home.game_index import READ_FILE
from pbem.home.home import Home
from pbem.home.known_names import players_of
from pbem.home.store import StateFile

MOST_VERSIONS = 4
"""Files with the same number of entries that are kept of one game."""
MOST_INVITATIONS = 20
"""Games that are new here, a day: of each contact, and of all strangers together."""
MOST_A_DAY = 100_000_000
"""Bytes of turn files a day; games that are new here have half of them."""


class Day(NamedTuple):
    """What was kept on a day (UTC): the bytes of turn files, and how many games were new, by the
    fingerprint of the contact who invited; those of strangers under `_STRANGERS`."""

    date: str
    size: int
    games: dict[str, int]


_STRANGERS = "strangers"
_DAY = StateFile("day.json", Day, 1_000_000)


class Limits:
    """Counts what is kept on this day (UTC), in a file of the home's folder `watch`; `own` is the
    key of its player. Raises `Usage`."""

    def __init__(self, home: Home, own: bytes) -> None:
        self._home, self._own = home, own
        self._folder = home.make_folder("watch")
        self._day = _DAY.read_if_whole(self._folder) or Day("", 0, {})

    def refuses(self, folder: Path, file: TurnFile) -> str:
        """Why a verified file is not kept in the folder of its game; nothing if it is."""
        number, newest = len(file.entries) - 1, file.entries[-1].after.hex()[:16]
        names = [
            match for path in self._listed(folder / "read") if (match := READ_FILE.match(path.name))
        ]
        versions = {match[2] for match in names if int(match[1]) == number}
        if newest in versions:
            return ""
        if len(versions) >= MOST_VERSIONS:
            return f"{len(versions)} versions of turn {number} are kept already"
        today = datetime.now(UTC).date().isoformat()
        day = self._day if self._day.date == today else Day(today, 0, {})
        players = [met.key for met in players_of(file.entries)]
        is_new_game = not names and not self._listed(folder / "signed") and self._own not in players
        inviter = self._counted_as(players[0]) if is_new_game else ""
        if is_new_game and day.games.get(inviter, 0) >= MOST_INVITATIONS:
            whose = "strangers" if inviter == _STRANGERS else "this player"
            return (
                f"{MOST_INVITATIONS} new games by {whose} have come today already: pbem inbox takes"
                " it in, or tomorrow"
            )
        most = MOST_A_DAY // 2 if is_new_game else MOST_A_DAY
        if day.size + len(file.data) > most:
            return (
                f"{most // 1_000_000} megabytes were kept today already: pbem inbox takes it in, or"
                " tomorrow"
            )
        games = {**day.games, inviter: day.games.get(inviter, 0) + 1} if is_new_game else day.games
        self._day = Day(today, day.size + len(file.data), games)
        with suppress(Usage):
            _DAY.write(self._folder, self._day)
        return ""

    def _counted_as(self, key: bytes) -> str:
        """Under what a new game of this inviter is counted: keys of strangers cost nothing."""
        try:
            return fingerprint(key) if key in contacts.read(self._home.folder) else _STRANGERS
        except Damaged:
            return _STRANGERS

    @staticmethod
    def _listed(folder: Path) -> list[Path]:
        try:
            return files.listed(folder)
        except PbemError:
            return []
