"""Compares the files of a folder with those that its library has read: which are new, changed or
gone.

What is found goes into temporary tables of the database, so that a folder with a million files
takes no more memory than one with ten.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import chain
from pathlib import Path

from pbem.library import schema
from pbem.library.store import AGAIN, Stat
from pbem.library.walk import FoundFile, Skipped, walk

YOUNG = 2_000_000_000
"""Nanoseconds. The time of a file that was changed this shortly before is not kept, so that the
next run reads the file again: some systems count times in steps of two seconds, and a second change
within one step would not be seen."""
_LARGEST = 2**63
"""Integers that SQLite can store are smaller."""
_CHUNK = 500


class Changes:
    """The files of one folder as this run finds them."""

    def __init__(self, connection: sqlite3.Connection, folder: Path) -> None:
        self._db = connection
        self._folder = folder
        for statement in (
            (
                "CREATE TEMP TABLE found (path TEXT PRIMARY KEY, size INTEGER, mtime INTEGER, ctime"
                " INTEGER) WITHOUT ROWID"
            ),
            "CREATE TEMP TABLE unread (path TEXT PRIMARY KEY) WITHOUT ROWID",
            "CREATE TEMP TABLE todo (number INTEGER PRIMARY KEY, path TEXT)",
        ):
            connection.execute(statement)

    def look(self, skip: Callable[[Skipped], object]) -> int:
        """Go through the folder; returns how many files there are. `skip` is called for whatever is
        left out."""
        self._db.execute("BEGIN")
        count = 0
        for one in walk([self._folder]):
            try:
                count += self._note(one, skip)
            except ValueError:
                skip(Skipped(one.path, "it has no usable name"))
        self._db.execute("COMMIT")
        return count

    def _note(self, one: FoundFile | Skipped, skip: Callable[[Skipped], object]) -> bool:
        """Note a file; whether it is one to be read."""
        if isinstance(one, Skipped):
            skip(one)
            if one.is_unread:
                self._db.execute(
                    "INSERT OR IGNORE INTO unread VALUES (?)",
                    (schema.name_of(self._folder, one.path),),
                )
            return False
        with suppress(OSError):  # it went since it was found
            stat = stat_of(self._folder, one.path)
            self._db.execute("INSERT OR IGNORE INTO found VALUES (?, ?, ?, ?)", stat)
            return True
        return False

    def gone(self) -> Iterator[str]:
        """The files that were there once and are not now. What lies where nobody could look is not
        gone."""
        found = self._db.execute(
            "SELECT path FROM files f WHERE NOT EXISTS (SELECT 1 FROM found n WHERE n.path ="
            " f.path) AND NOT EXISTS (SELECT 1 FROM unread u WHERE u.path IN ('.', f.path) OR"
            " substr(f.path, 1, length(u.path) + 1) = u.path || '/')"
        )
        return chain.from_iterable(found.fetchall())

    def plan(self, *, again: bool = False) -> int:
        """Plan which files are to be read; returns how many. The larger come first, for the longest
        version of a game spares the work on all shorter ones. `again`: only those that have to be
        verified once more."""
        changed = (
            "f.mtime IS NULL OR f.ctime IS NULL OR f.size IS NOT n.size OR f.mtime IS NOT n.mtime "
            "OR f.ctime IS NOT n.ctime"
        )
        self._db.execute("BEGIN")
        self._db.execute("DELETE FROM todo")
        made = self._db.execute(
            "INSERT INTO todo (path) SELECT n.path FROM found n LEFT JOIN files f ON f.path ="
            f" n.path WHERE {AGAIN if again else changed} ORDER BY n.size DESC, n.path"
        )
        self._db.execute("COMMIT")
        return made.rowcount

    def queue(self) -> Iterator[Stat]:
        """The files that are to be read. The database may be written to meanwhile."""
        last = 0
        while rows := self._db.execute(
            "SELECT t.number, n.* FROM todo t JOIN found n USING (path) WHERE t.number > ? ORDER BY"
            " t.number LIMIT ?",
            (last, _CHUNK),
        ).fetchall():
            last = rows[-1][0]
            yield from (Stat(*row[1:]) for row in rows)

    def stat(self, name: str) -> Stat:
        """The size and times of a file when it was found."""
        return Stat(*self._db.execute("SELECT * FROM found WHERE path = ?", (name,)).fetchone())


def stat_of(folder: Path, path: Path) -> Stat:
    """The size and times of a file now. Raises `OSError`, or `ValueError` if its name cannot be
    kept."""
    status = os.stat(path)
    old = time.time_ns() - YOUNG
    times = [
        moment if -_LARGEST < moment < old else None
        for moment in (status.st_mtime_ns, status.st_ctime_ns)
    ]
    return Stat(schema.name_of(folder, path), status.st_size, *times)
