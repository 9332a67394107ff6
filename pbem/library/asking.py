"""A library that is asked a question: opened for reading only, with what its reader should know of
it.

Every value of a question goes to SQLite as a parameter. What comes back was read from files that
verify, and words in it are still somebody's.
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
from pbem.errors import Damaged, Usage
from pbem.library import database, schema
from pbem.library.walk import FoundFile, walk

MOST_LOOKED_AT = 20_000
"""Files of a folder that a question still compares with the library; more would take longer than
the answer."""
LONGEST = 30_000
"""Characters of a text that a question reads, at most: longer than all options that a game can
have."""


@dataclass(frozen=True)
class OpenLibrary:
    """A library that is open to be asked. Raises `Damaged` where its rows are not what the program
    writes."""

    folder: Path
    connection: sqlite3.Connection

    def rows(self, question: str, values: Sequence[object] = ()) -> list[Any]:
        """What a question in SQL gives."""
        return list(self.stream(question, values))

    def stream(self, question: str, values: Sequence[object] = ()) -> Iterator[Any]:
        """What a question in SQL gives, one row after the other."""
        with self.row_errors():
            for row in self.connection.execute(question, values):
                check(row)
                yield row

    @contextmanager
    def row_errors(self) -> Iterator[None]:
        """Inside, rows that cannot be read are told as damage of the library."""
        path = database.path_in(self.folder)
        try:
            with database.errors_in_words(path):
                yield
        except (ValueError, TypeError, LookupError, AttributeError) as error:
            hint = (
                f"pbem library {files.shown(self.folder)} --anew makes it anew from the turn files"
            )
            raise Damaged(
                f"a row of the library cannot be read: {error}", where=files.shown(path), hint=hint
            ) from error

    def name_of_game(self, game: str | None) -> str | None:
        """The game that a question is about, None for all. Raises `Usage` if the library holds none
        of it."""
        if game is None:
            return None
        known = [row[0] for row in self.rows("SELECT DISTINCT game FROM games ORDER BY game")]
        if game not in known:
            have = f"it holds {', '.join(known)}" if known else "it holds no game yet"
            raise Usage(
                f'the library in {files.shown(self.folder)} has no game of "{game[:40]}"', hint=have
            )
        return game

    def names(self) -> dict[str, str]:
        """What each key was called last."""
        found = self.rows(
            "SELECT p.key, p.name, max(g.last) FROM player_rows p JOIN games g ON g.id = p.id "
            "WHERE p.key IS NOT NULL GROUP BY p.key"
        )
        return {key: name or "" for key, name, _ in found}

    def old_warning(self) -> str | None:
        """What is to be said where the folder holds other files than those that were read into the
        library, or where nobody has looked whether it does."""
        where, hint = (
            files.shown(self.folder),
            f"(hint: pbem library {files.shown(self.folder)} reads them)",
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
    """Whether a file is not what was read. A time that is missing was too young to be kept. Takes
    what is known of it out, so that what remains is gone."""
    try:
        status, name = os.stat(path), schema.name_of(folder, path)
    except (OSError, ValueError):
        return False
    size, mtime = known.pop(name, (None, None))
    return size != status.st_size or mtime not in (None, status.st_mtime_ns)


@contextmanager
def asked(folder: Path) -> Iterator[OpenLibrary]:
    """The library of a folder. Raises `Usage` if there is none that can be asked."""
    with closing(database.to_read(folder)) as connection:
        yield OpenLibrary(folder, connection)


def check(row: Iterable[object]) -> None:
    """A database that somebody else made may hold anything in any column. Raises `ValueError` for
    bytes and infinite numbers, which no answer could show, and for texts without end."""
    for value in row:
        kind = type(value)
        if kind is str and len(value) > LONGEST:  # type: ignore[arg-type]
            raise ValueError(f"there is a text of {len(value):,} characters")  # type: ignore[arg-type]
        if kind is bytes or (kind is float and value in _INFINITE):
            raise ValueError("there are bytes, or no number, where words and numbers belong")


_INFINITE = (float("inf"), float("-inf"))


T = TypeVar("T")


def list_in(text: str, kind: type[T]) -> list[T]:
    """A list as the library keeps it, JSON text. Raises `ValueError` for anything else."""
    try:
        found = json.loads(text) if type(text) is str else None
    except RecursionError:  # a list in a list in a list
        found = None
    if not isinstance(found, list) or not {*map(type, found)} <= {kind}:
        raise ValueError(f"{text[:40]!r} is no list of {kind.__name__}")
    return found
