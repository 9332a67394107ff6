"""Opens `library.sqlite`, for whoever refreshes it or asks it.

A file of that name may come from anywhere. It is opened only if its header says that it is ours,
and asked only if it has exactly our tables; a file that is not ours is never overwritten.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from urllib.parse import quote

from pbem import files
from pbem.errors import Damaged, Do, Hint, Usage
from pbem.library import schema
from pbem.library.schema import APPLICATION, FILE, VERSION

_HEADER = 100
_MAGIC = b"SQLite format 3\0"
WAIT = 60
"""Seconds to wait for another program that reads or writes the database."""

LONGEST = 1_000_000
"""Bytes of a row at most, five times what the longest entry takes: more is damage."""
CACHE = 32_000
"""Kilobytes of the database that its writer keeps in memory: digests of positions come in random
order."""


def path_in(folder: Path) -> Path:
    """Where the library of a folder lies."""
    return folder / FILE


def to_read(folder: Path) -> sqlite3.Connection:
    """The library of a folder, for questions only. Raises `Usage` if there is none that can be
    asked."""
    path = path_in(folder)
    if not is_ours(path):
        what = f"there is no library in {files.printable(folder)}"
        raise Usage(what, hint=Do("library", files.printable(folder), does="makes it"))
    with errors_in_words(path), _connection(path) as connection:
        connection.execute("PRAGMA query_only = ON")
        if not is_current(connection):
            what = f"{files.printable(path)} was made by another version of pbem"
            raise Usage(what, hint=Do("library", files.printable(folder), does="makes it anew"))
        return connection


def to_write(path: Path) -> sqlite3.Connection:
    """The database for writing; an empty one gets our tables. Raises `Damaged`."""
    with errors_in_words(path), _connection(path) as connection:
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute(f"PRAGMA cache_size = -{CACHE}")
        if not connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
            # all tables at once or none, and the header that says whose they are
            connection.execute("BEGIN IMMEDIATE")
            for statement in schema.statements():
                connection.execute(statement)
            connection.execute(f"PRAGMA application_id = {APPLICATION}")
            connection.execute(f"PRAGMA user_version = {VERSION}")
            connection.execute("COMMIT")
        return connection


def is_ours(path: Path) -> bool:
    """Whether a database of ours lies there; False if there is nothing, or an empty file. Raises
    `Usage` if it is something else."""
    try:
        if not stat.S_ISREG(os.lstat(path).st_mode):
            raise _not_ours(path, "no plain file")
        with open(path, "rb") as file:
            head = file.read(_HEADER)
    except FileNotFoundError:
        return False
    except (OSError, ValueError) as error:
        reason = (
            error.strerror
            if isinstance(error, OSError) and error.strerror
            else "it has no usable name"
        )
        raise Usage(
            f"cannot read {files.printable(path)}: {reason}", hint="check the path"
        ) from error
    if head and (not head.startswith(_MAGIC) or head[68:72] != APPLICATION.to_bytes(4, "big")):
        raise _not_ours(path, "no library of pbem")
    return bool(head)


def _not_ours(path: Path, what: str) -> Usage:
    hint = (
        "nothing was overwritten",
        Do("library", does="makes its own", when="move it away, then"),
    )
    return Usage(f"{files.printable(path)} is {what}", hint=hint)


def is_current(connection: sqlite3.Connection) -> bool:
    """Whether it holds our tables of this version and nothing else, such as somebody else's trigger
    or view."""
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    return version == VERSION and _master(connection) == _our_tables()


def remove(path: Path) -> None:
    """Delete a database of ours, to make it anew. Raises `Usage`."""
    try:
        for ending in ("-journal", "-wal", "-shm", ""):
            with contextlib.suppress(FileNotFoundError):
                os.unlink(f"{path}{ending}")
    except OSError as error:
        raise Usage(
            f"cannot remove {files.printable(path)}: {error.strerror}", hint="check the folder"
        ) from error


@contextmanager
def errors_in_words(path: Path) -> Iterator[None]:
    """Inside, an error of SQLite about this database becomes `Damaged`, or `Usage` where the
    database itself is whole."""
    try:
        yield
    except sqlite3.OperationalError as error:
        hint: Hint = "check the folder and the disk"
        if error.sqlite_errorcode == sqlite3.SQLITE_FULL:
            hint = (
                "make room on the disk; what was written stays, and the next run goes on from there"
            )
        raise Usage(f"cannot use {files.printable(path)}: {error}", hint=hint) from error
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
        hint = Do(
            "library", "FOLDER", "--anew", when="nothing is lost, it is made of the turn files"
        )
        raise Damaged(
            f"the library is damaged: {error}", where=files.printable(path), hint=hint
        ) from error


@contextmanager
def _connection(path: Path) -> Iterator[sqlite3.Connection]:
    """A connection for reading, and for writing where that is allowed; it is closed if something
    fails inside. What a killed process left half done is undone by SQLite when it first reads."""
    uri = f"file:{quote(os.fsencode(path.absolute()))}?mode={'rw' if path.exists() else 'rwc'}"
    connection = sqlite3.connect(uri, uri=True, timeout=WAIT, isolation_level=None)
    try:
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST)
        connection.execute("PRAGMA trusted_schema = OFF")
        connection.execute("PRAGMA cell_size_check = ON")
        yield connection
    except BaseException:
        connection.close()
        raise


_Master = list[tuple[str, str, str]]


def _master(connection: sqlite3.Connection) -> _Master:
    """Everything that a database defines, except for SQLite's statistics."""
    found = (
        "SELECT type, name, coalesce(sql, '') FROM sqlite_master WHERE name NOT LIKE 'sqlite_stat%'"
        " ORDER BY 1, 2"
    )
    return connection.execute(found).fetchall()


@lru_cache(maxsize=1)
def _our_tables() -> _Master:
    """Everything that a library of this version defines."""
    with contextlib.closing(sqlite3.connect(":memory:", isolation_level=None)) as made:
        for statement in schema.statements():
            made.execute(statement)
        return _master(made)
