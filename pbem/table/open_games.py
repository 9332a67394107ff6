"""The games that are open at the table: each with its newest file, and the turn that is being made.

A game is read again when its home holds a newer file, or when its next entry was signed elsewhere:
in another tab, on the command line, or in a mail that `pbem inbox` took in. The player is told then
what has happened.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from pbem import files
from pbem.english import numbered
from pbem.errors import Conflict, PbemError, Refused
from pbem.fileformat.turnfile import MAX_FILE
from pbem.home import game_index
from pbem.home.home import Home
from pbem.ledger.ledger import Ledger
from pbem.turn import open_game
from pbem.turn.draft import Draft
from pbem.turn.open_game import OpenFile
from pbem.turn.signing import WrittenTurn

_DIGITS = 32
"""Digits of a game's id in the addresses of its pages. So many, because whoever invites can make
two games whose ids begin alike."""
_SETTLED = 1_000_000_000
"""Nanoseconds after which a folder tells every change by its time."""
MAX_OPEN = 8
"""Games that are kept open at once; when there are more, the one that was not asked for longest is
closed."""


@dataclass
class OpenGame:
    """A game at the table. `draft` is the player's next entry, None if it is not theirs to write.
    `notices` are shown to the player once: what has happened since the page was made. `written` are
    the files of the entry that was signed here last."""

    name: str
    data: bytes
    opened: OpenFile
    draft: Draft | None
    notices: list[str] = field(default_factory=list)
    written: WrittenTurn | None = None

    def mark(self) -> str:
        """A digest of all that a button acts on or signs: the file, and the line that is being
        tried."""
        tried = "" if self.draft is None else repr((self.draft.chosen, self.draft.line))
        return hashlib.sha256(
            self.data[-200:] + len(self.data).to_bytes(8, "big") + tried.encode()
        ).hexdigest()[:16]


def page_name(game: str, game_id: bytes) -> str:
    """The name of a game in the addresses of its pages."""
    return f"{game}-{game_id.hex()[:_DIGITS]}"


class OpenGames:
    """The games of one home. `before_join` says what to tell whoever joins one, and raises what
    speaks against it: what leagues say, where leagues are known."""

    def __init__(
        self,
        home: Home,
        folder: Path,
        before_join: Callable[[Home, Ledger], list[str]] = lambda _home, _game: [],
    ) -> None:
        self.home = home
        self.folder = folder
        self.before_join = before_join
        self._open: dict[str, OpenGame] = {}
        self._given: dict[str, bytes] = {}
        self._found: dict[str, tuple[Path, bytes, list[int]]] = {}

    def open_data(self, data: bytes) -> OpenGame:
        """The game of a turn file that the player named: from that file, or from the home if it
        holds more entries of the game. Raises what the commands raise."""
        game = self._read(data)
        self._given[game.name] = data
        self._open[game.name] = game
        return self.find(game.name)

    def find(self, name: str) -> OpenGame:
        """The game with this page name or short name, with the newest entries that the home has.
        Raises what the commands raise."""
        name, newest = self._newest(name)
        game = self._open.pop(name, None)
        if game is None:
            game = self._read(newest)
        elif game.data != newest:
            game = self._reread(game, newest)
        self._open[game.name] = game
        while len(self._open) > MAX_OPEN:
            del self._open[next(iter(self._open))]
        return game

    def brief_name(self, game: OpenGame) -> str:
        """The short name of a game, for an address that is to be short; the page name where the
        home does not know the game by that."""
        brief = game_index.short_name(game.opened.ledger)
        try:
            return brief if self._newest(brief)[0] == game.name else game.name
        except PbemError:
            return game.name

    def newest(self, name: str) -> bytes:
        """The newest file of a game; nothing is opened. Raises what the commands raise."""
        return self._newest(name)[1]

    def make_spare(self) -> None:
        """Make ready what the next answer in the game that was asked for last needs: a person
        thinks meanwhile."""
        if self._open:
            self._open[next(reversed(self._open))].opened.make_spare()

    def close(self, name: str) -> None:
        """Close a game, so that it is opened anew: its player has said something about it that the
        file does not show. Raises what the commands raise."""
        self._open.pop(self._newest(name)[0], None)

    def signed(self, game: OpenGame, written: WrittenTurn, data: bytes) -> OpenGame:
        """The game after its next entry was signed at the table."""
        self._given.pop(game.name, None)
        fresh = self._read(data)
        fresh.written = written
        self._open[game.name] = fresh
        return fresh

    def _newest(self, name: str) -> tuple[str, bytes]:
        """The page name of a game, and its newest file."""
        given = self._given.get(name)
        try:
            path, data = self._kept(name)
        except PbemError:
            if given is None:
                raise
            return name, given
        name = f"{name.rpartition('-')[0]}-{path.parent.parent.name}"
        given = self._given.get(name)
        return name, data if given is None or data.startswith(given) else given

    def _kept(self, name: str) -> tuple[Path, bytes]:
        """The newest file that the home holds of a game. A home whose folders are as they were is
        not looked through again: each click asks. Raises `PbemError`."""
        path, data, times = self._found.pop(name, (None, b"", []))
        if path is not None and _changed(path) == times and files.holds(path, data):
            self._found[name] = path, data, times
            return path, data
        now = time.time_ns()
        path = game_index.newest_path(self.home, name.rpartition("-")[2], asks=False)
        data, times = files.read_own(path, MAX_FILE), _changed(path)
        if max(times) < now - _SETTLED:
            self._found[name] = path, data, times
        while len(self._found) > MAX_OPEN:
            del self._found[next(iter(self._found))]
        return path, data

    def _reread(self, before: OpenGame, data: bytes) -> OpenGame:
        game = self._read(data)
        number = len(game.opened.file.entries) - 1
        ledger = game.opened.ledger
        is_own = ledger.seat_of(ledger.entries[-1]) == game.opened.seat
        if data.startswith(before.data):
            where = (
                "was signed meanwhile, in another window or by another command"
                if is_own
                else "has come meanwhile"
            )
            named = numbered(number, ledger.rules.measure).capitalize()
            game.notices.append(f"{named} {where}: this is the game with it.")
        else:
            game.notices.append(
                "The home holds another version of this game now: this is the one it goes on with."
            )
        return game

    def _read(self, data: bytes) -> OpenGame:
        opened = open_game.open_file(data, self.home)
        name = page_name(opened.ledger.rules.name, opened.ledger.game_id)
        game = OpenGame(name, data, opened, None)
        try:
            if opened.ledger.playing is not None:
                game.draft = Draft(opened)
                game.notices += game.draft.news()
        except (Refused, Conflict):
            pass  # not theirs to write: the page says whose turn it is
        return game


def _changed(path: Path) -> list[int]:
    """When the folders that a game's newest file is looked for in were changed."""
    games = path.parents[2]
    folders = (games, path.parents[1] / "signed", path.parents[1] / "read")
    return [folder.stat().st_mtime_ns if folder.is_dir() else 0 for folder in folders]
