"""A library opened for questions, for reading only.

Every value in a question goes to SQLite as a parameter. The rows were read from files that verify,
but the words in them are still other people's.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from pbem import files
from pbem.english import counted
from pbem.errors import Damaged, Do, Usage
from pbem.library import database, schema
from pbem.library.walk import FoundFile, walk

MOST_LOOKED_AT = 20_000
"""Files of a folder that are still compared with the library at every question; with more that
would take longer than the answer."""
LONGEST = 30_000
"""Characters of a text in an answer at most; more than all options that a game can have."""


@dataclass(frozen=True)
class OpenLibrary:
    """A library that is open for questions. They raise `Damaged` where its rows are not what the
    program writes."""

    folder: Path
    connection: sqlite3.Connection

    def rows(self, question: str, values: Sequence[object] = ()) -> list[Any]:
        """The rows that answer a question in SQL."""
        return list(self.stream(question, values))

    def stream(self, question: str, values: Sequence[object] = ()) -> Iterator[Any]:
        """The rows that answer a question in SQL, one after the other."""
        with self.row_errors():
            for row in self.connection.execute(question, values):
                check(row)
                yield row

    @contextmanager
    def row_errors(self) -> Iterator[None]:
        """Inside, rows that cannot be read raise `Damaged`."""
        path = database.path_in(self.folder)
        try:
            with database.errors_in_words(path):
                yield
        except (ValueError, TypeError, LookupError, AttributeError) as error:
            folder = files.printable(self.folder)
            hint = Do("library", folder, "--anew", does="makes it anew from the turn files")
            raise Damaged(
                f"a row of the library cannot be read: {error}",
                where=files.printable(path),
                hint=hint,
            ) from error

    def name_of_game(self, game: str | None) -> str | None:
        """The game that a question is about, None for all games. Raises `Usage` if the library
        holds no such game."""
        if game is None:
            return None
        known = [row[0] for row in self.rows("SELECT DISTINCT game FROM games ORDER BY game")]
        if game not in known:
            have = f"it holds {', '.join(known)}" if known else "it holds no game yet"
            raise Usage(
                f'the library in {files.printable(self.folder)} has no game of "{game[:40]}"',
                hint=have,
            )
        return game

    def names(self) -> dict[str, str]:
        """The newest name of each key."""
        found = self.rows(
            "SELECT p.key, p.name, max(g.last) FROM player_rows p JOIN games g ON g.id = p.id "
            "WHERE p.key IS NOT NULL GROUP BY p.key"
        )
        return {key: name or "" for key, name, _ in found}

    def old_warning(self) -> str | None:
        """A warning where the files of the folder are not those that were read into the library, or
        where they are too many to compare; None if all is well."""
        where, hint = (
            files.printable(self.folder),
            f"(hint: pbem library {files.printable(self.folder)} reads them)",
        )
        [(number,)] = self.rows("SELECT count(*) FROM files")
        if number > MOST_LOOKED_AT:
            what = (
                f"the library in {where} may be old: of {number:,} files it is not looked whether"
                " any has changed"
            )
            return f"{what} (hint: pbem library {where} looks)"
        known = {
            path: size_and_time
            for path, *size_and_time in self.rows("SELECT path, size, mtime FROM files")
        }
        changes = 0
        for one in walk([self.folder]):
            if isinstance(one, FoundFile):
                changes += _is_other(self.folder, one.path, known)
            if changes > MOST_LOOKED_AT:
                return (
                    f"the library in {where} is old: more than {counted(changes - 1, 'file')} came"
                    f" or changed {hint}"
                )
        if not changes and not known:
            return None
        parts = [f"{counted(changes, 'file')} in it came or changed since"] if changes else []
        parts += [f"{counted(len(known), 'file')} went"] if known else []
        return f"the library in {where} is old: {' and '.join(parts)} {hint}"


def _is_other(folder: Path, path: Path, known: dict[str, list[Any]]) -> bool:
    """Whether a file is not the one that was read, and take it out of `known`: what remains there
    at the end is gone. A time that is missing was too recent to be kept, so it is not compared."""
    try:
        status, name = os.stat(path), schema.name_of(folder, path)
    except (OSError, ValueError):
        return False
    size, mtime = known.pop(name, (None, None))
    return size != status.st_size or mtime not in (None, status.st_mtime_ns)


@contextmanager
def asked(folder: Path) -> Iterator[OpenLibrary]:
    """The library of a folder, opened. Raises `Usage` if there is none that can be asked."""
    with closing(database.to_read(folder)) as connection:
        yield OpenLibrary(folder, connection)


def check(row: Iterable[object]) -> None:
    """Check a row, for a database that somebody else made may hold anything. Raises `ValueError`
    for bytes and infinite numbers, which no answer could show, and for texts that are too long."""
    for value in row:
        if isinstance(value, str) and len(value) > LONGEST:
            raise ValueError(f"there is a text of {len(value):,} characters")
        if isinstance(value, bytes) or (isinstance(value, float) and value in _INFINITE):
            raise ValueError("there are bytes, or no number, where words and numbers belong")


_INFINITE = (float("inf"), float("-inf"))


T = TypeVar("T")


def list_in(text: str, kind: type[T]) -> list[T]:
    """A list that the library keeps as JSON text. Raises `ValueError` for anything else."""
    try:
        found = json.loads(text) if type(text) is str else None
    except RecursionError:  # a list in a list in a list
        found = None
    if not isinstance(found, list) or not {*map(type, found)} <= {kind}:
        raise ValueError(f"{text[:40]!r} is no list of {kind.__name__}")
    return found
