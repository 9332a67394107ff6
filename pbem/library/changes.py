"""What lies in a folder now beside what its library has read: files that are new, changed or gone.

What was found stands in temporary tables of the database, so that a folder with a million files
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
"""Nanoseconds: a file that was changed so shortly before it was found is read again by the next
run, for there are systems that count times in steps of two seconds, on which a second change would
not show."""
_LARGEST = 2**63
"""What SQLite keeps is smaller."""
_CHUNK = 500


class Changes:
    """The files of one folder as they are found by this run."""

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
        """Go through the folder; how many files there are. What is left out is told."""
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
        """Set out what is to be read: how many files. The larger come first, for the longest
        version of a game spares the work on all others. `again`: only those that are to be verified
        once more."""
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
        """The files that are to be read. Others may write to the database meanwhile."""
        last = 0
        while rows := self._db.execute(
            "SELECT t.number, n.* FROM todo t JOIN found n USING (path) WHERE t.number > ? ORDER BY"
            " t.number LIMIT ?",
            (last, _CHUNK),
        ).fetchall():
            last = rows[-1][0]
            yield from (Stat(*row[1:]) for row in rows)

    def stat(self, name: str) -> Stat:
        """A file as it was found."""
        return Stat(*self._db.execute("SELECT * FROM found WHERE path = ?", (name,)).fetchone())


def stat_of(folder: Path, path: Path) -> Stat:
    """A file as it is now. Raises `OSError`, or `ValueError` if its name cannot be kept."""
    status = os.stat(path)
    old = time.time_ns() - YOUNG
    times = [
        moment if -_LARGEST < moment < old else None
        for moment in (status.st_mtime_ns, status.st_ctime_ns)
    ]
    return Stat(schema.name_of(folder, path), status.st_size, *times)
