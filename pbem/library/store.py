"""Decides which file of a game is in the tables, and writes what changes when a file comes, changes
or goes.

The rules are in docs/library.md, "Which files count". Whoever calls this puts a transaction around
it.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from typing import Any, NamedTuple

from pbem.library import schema
from pbem.library.schema import GameRow, GameRows
from pbem.library.verified import Bad, Read, VerifiedGame

COUNTED, COPY, VERSION, FORK, BAD, OTHER = "counted", "copy", "version", "fork", "bad", "other"

_COLUMN = {COPY: "versions", VERSION: "versions", FORK: "forks"}
"""The column in which a game counts its other files of a kind."""

AGAIN = "sha256 = ''"
"""The condition on `files` for a file that has to be verified once more, whatever its bytes."""


class Stat(NamedTuple):
    """A file as it was found: its size in bytes, when it was last written, and when anything about
    it last changed, in nanoseconds since 1970. A time is None if the next run has to read the file
    again."""

    path: str
    size: int
    mtime: int | None
    ctime: int | None


class _CountedFile(NamedTuple):
    """The file of a game that is in the tables: the game's number, and the file's path, digest and
    number of entries."""

    id: int
    path: str
    sha256: str
    entries: int


class Store:
    """The tables of one library."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._db = connection

    # One file

    def put(self, stat: Stat, read: Read) -> None:
        """Write what came of a file that was read and verified."""
        old = self._db.execute(
            "SELECT verdict, game_id, turn FROM files WHERE path = ?", (stat.path,)
        ).fetchone()
        if old and not (isinstance(read, VerifiedGame) and self._goes_on(old, read.rows)):
            self.forget([stat.path])
        if isinstance(read, VerifiedGame):
            self._place(stat, read)
        elif isinstance(read, Bad):
            self._keep(
                stat, read.sha256, BAD, entry=read.entry, layer=read.layer, reason=read.reason
            )
        else:
            self._keep(stat, read.sha256, OTHER)

    def put_prefix(self, stat: Stat, sha256: str, game_id: str) -> None:
        """Write that a file holds a verified game up to one of its entries, which may be the last.
        If that is no longer so the file is verified by itself."""
        self.forget([stat.path])
        entries, current = self.prefix_of(game_id, sha256), self._current(game_id)
        if entries is None or current is None:
            self._keep(stat._replace(mtime=None), "", OTHER)
            return
        verdict = COPY if current.sha256 == sha256 else VERSION
        self._keep(stat, sha256, verdict, game_id=game_id, turn=sha256, entries=entries)
        self._add(game_id, verdict, 1)

    def touch(self, stat: Stat) -> None:
        """Write the new times of a file whose bytes are the same as before."""
        self._db.execute(
            "UPDATE files SET size = ?, mtime = ?, ctime = ? WHERE path = ?", (*stat[1:], stat.path)
        )

    def has(self, path: str, sha256: str) -> bool:
        """Whether the file of this name had these bytes already."""
        return (
            self._db.execute(
                "SELECT 1 FROM files WHERE path = ? AND sha256 = ?", (path, sha256)
            ).fetchone()
            is not None
        )

    def forget(self, paths: Iterable[str]) -> None:
        """Remove files that are gone. If one of them counted, a copy of it counts now; if there is
        no copy, the game's other files are verified again."""
        for path in paths:
            gone = self._db.execute(
                "SELECT verdict, game_id FROM files WHERE path = ?", (path,)
            ).fetchall()
            self._db.execute("DELETE FROM files WHERE path = ?", (path,))
            for verdict, game_id in gone:
                self._add(game_id, verdict, -1)
                if verdict == COUNTED and not self._promote(game_id):
                    self._db.execute("DELETE FROM games WHERE game_id = ?", (game_id,))
                    self.verify_again("game_id = ?", game_id)

    def verify_again(self, where: str, *values: object) -> None:
        """Have the files for which this condition holds verified again, by this run or the next."""
        self._db.execute(f"UPDATE files SET mtime = NULL, {AGAIN} WHERE {where}", values)

    def prefix_of(self, game_id: str, sha256: str, path: str = "") -> int | None:
        """How many entries of a verified game a file with this digest holds. None if it is not the
        beginning of that game, or if the game was read from the file at this path."""
        found = self._db.execute(
            "SELECT r.number + 1 FROM games g JOIN entry_rows r ON r.id = g.id "
            "WHERE g.game_id = ? AND g.path != ? AND r.prefix = ?",
            (game_id, path, bytes.fromhex(sha256)),
        ).fetchone()
        return found[0] if found else None

    # Which one counts

    def _goes_on(self, old: tuple[str, str | None, str | None], rows: GameRows) -> bool:
        """Whether the old file of this name counted, and the new one continues it."""
        verdict, game_id, turn = old
        return verdict == COUNTED and game_id == rows.game.game_id and turn in _chain(rows)

    def _place(self, stat: Stat, read: VerifiedGame) -> None:
        """Decide what a verified file is to its game, and write that."""
        rows, game = read.rows, read.rows.game
        current = self._current(game.game_id)
        verdict, entry = COUNTED, None
        if current is None:
            self._insert(rows, stat.path)
        elif game.sha256 == current.sha256:
            verdict = COUNTED if stat.path == current.path else COPY
            if verdict == COUNTED:
                self._replace(current, rows, stat.path)
        elif (parts := self._parts(current, rows)) is None:
            verdict = VERSION if game.entries < current.entries else COUNTED
            if verdict == COUNTED:
                self._replace(current, rows, stat.path)
                self._db.execute(
                    "UPDATE files SET verdict = ? WHERE game_id = ? AND verdict IN (?, ?)",
                    (VERSION, game.game_id, COUNTED, COPY),
                )
        elif (-game.entries, game.sha256) < (-current.entries, current.sha256):
            self._replace(current, rows, stat.path)
            self._part(game, _chain(rows), parts)
        else:
            verdict, entry = FORK, parts
        about: dict[str, Any] = {
            "game_id": game.game_id,
            "turn": game.sha256,
            "entries": game.entries,
            "entry": entry,
        }
        self._keep(stat, read.sha256, verdict, **about)
        if verdict == COUNTED:  # its row is new
            self._count(game.game_id)
        else:
            self._add(game.game_id, verdict, 1)

    def _parts(self, current: _CountedFile, rows: GameRows) -> int | None:
        """The number of the first entry in which two files of a game differ; None if one is the
        beginning of the other."""
        found = self._db.execute(
            "SELECT prefix FROM entry_rows WHERE id = ? ORDER BY number", (current.id,)
        )
        for entry, (prefix,) in zip(rows.entries, found, strict=False):
            if entry.prefix != prefix:
                return entry.number
        return None

    def _part(self, game: GameRow, chain: set[str], parts: int) -> None:
        """Let another branch count. Every older file that this branch contains is a version of it,
        all others are forks. Files that were forks before are verified again, to find where they
        stand now."""
        self.verify_again("game_id = ? AND verdict = ?", game.game_id, FORK)
        others = self._db.execute(
            "SELECT path, turn FROM files WHERE game_id = ?", (game.game_id,)
        ).fetchall()
        for path, turn in others:
            verdict, entry = (VERSION, None) if turn in chain else (FORK, parts)
            self._db.execute(
                "UPDATE files SET verdict = ?, entry = ? WHERE path = ?", (verdict, entry, path)
            )

    def _promote(self, game_id: str) -> bool:
        """Let a copy count from now on; False if there is none."""
        copy = self._db.execute(
            "SELECT path FROM files WHERE game_id = ? AND verdict = ? ORDER BY path LIMIT 1",
            (game_id, COPY),
        ).fetchone()
        if copy is None:
            return False
        self._db.execute("UPDATE files SET verdict = ? WHERE path = ?", (COUNTED, *copy))
        self._db.execute("UPDATE games SET path = ? WHERE game_id = ?", (*copy, game_id))
        self._add(game_id, COPY, -1)
        return True

    # Rows

    def _current(self, game_id: str) -> _CountedFile | None:
        """The file of a game that counts."""
        found = self._db.execute(
            "SELECT id, path, sha256, entries FROM games WHERE game_id = ?", (game_id,)
        ).fetchone()
        return _CountedFile(*found) if found else None

    def _insert(self, rows: GameRows, path: str, number: int | None = None) -> None:
        """Write all rows of a game."""
        game = (number, path, *rows.game)
        columns = ", ".join(("id", "path", *schema.columns(GameRow)))
        made = self._db.execute(f"INSERT INTO games ({columns}) VALUES ({_marks(len(game))})", game)
        for name, kind in schema.ROWS.items():
            into = (
                f"INSERT INTO {schema.table_behind(name)} VALUES ({_marks(len(kind._fields) + 1)})"
            )
            self._db.executemany(into, ((made.lastrowid, *row) for row in getattr(rows, name)))

    def _replace(self, current: _CountedFile, rows: GameRows, path: str) -> None:
        """Replace the rows of a game by those of this file, under the same number."""
        self._db.execute("DELETE FROM games WHERE id = ?", (current.id,))
        self._insert(rows, path, current.id)

    def _keep(self, stat: Stat, sha256: str, verdict: str, **about: Any) -> None:
        """Write the row of a file."""
        values = {**stat._asdict(), "sha256": sha256, "verdict": verdict, **about}
        self._db.execute(
            f"INSERT OR REPLACE INTO files ({', '.join(values)}) VALUES ({_marks(len(values))})",
            (*values.values(),),
        )

    def _add(self, game_id: str | None, verdict: str, number: int) -> None:
        """Add to the number of a game's other files of a kind. Counting all of them each time would
        take too long."""
        if column := _COLUMN.get(verdict):
            self._db.execute(
                f"UPDATE games SET {column} = {column} + ? WHERE game_id = ?", (number, game_id)
            )

    def _count(self, game_id: str) -> None:
        """Count a game's other files anew."""
        others = (
            "(SELECT count(*) FROM files f WHERE f.game_id = games.game_id AND f.verdict IN ({}))"
        )
        self._db.execute(
            f"UPDATE games SET versions = {others.format('?, ?')}, forks = {others.format('?')}"
            " WHERE game_id = ?",
            (COPY, VERSION, FORK, game_id),
        )


def _marks(number: int) -> str:
    return ", ".join("?" * number)


def _chain(rows: GameRows) -> set[str]:
    """The digests of all versions that a file contains."""
    return {entry.prefix.hex() for entry in rows.entries}
