"""Refreshes the library of a folder: what is new or changed is read and verified, and what is gone
leaves the tables.

If it is killed at any moment the next run continues: what came of some files is written in one
transaction, and a file that has its row is done.
"""

from __future__ import annotations

import hashlib
import re
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TypeAlias

from pbem.errors import Usage
from pbem.fileformat.encoding import unb64
from pbem.ledger.invitation import game_id_of
from pbem.library import schema, verified
from pbem.library.changes import Changes
from pbem.library.store import Stat, Store
from pbem.library.verified import PROGRAM, Bad, Other, Read, VerifiedGame
from pbem.library.walk import FoundFile, Skipped, is_turn_file, read
from pbem.library.work import Done

Each: TypeAlias = Callable[
    [Callable[[bytes], Read], Iterable[FoundFile | Skipped]],
    AbstractContextManager[Iterator[Done[Read] | Skipped]],
]
"""Does a work on many files, as `pbem.library.runner.each` does: in processes of this machine, or
on a cluster."""
Progress: TypeAlias = Callable[[int, int], object]
"""Called with how many files are done, and how many there are to do."""

BATCH = 64
"""Changes that are written in one transaction."""
ROWS = 50_000
"""Rows that wait to be written, at most: those of a hundred and fifty games, or of a single very
long one."""
BYTES = 32_000_000
"""Bytes of the files whose rows wait to be written, at most: those of a thousand games, or of a few
as large as the format allows."""
SECONDS = 2.0
"""Seconds that a change waits at most before it is written, as long as others come."""
ROUNDS = 5
"""How often files are verified once more because another file of their game is gone. Once is enough
unless files change meanwhile."""
_BAD_VALUES = (
    OverflowError,
    UnicodeError,
    sqlite3.DataError,
    sqlite3.InterfaceError,
    sqlite3.ProgrammingError,
)
"""What SQLite raises for a value that it cannot store."""
_FIRST = re.compile(rb'^(nonce|key) = "([A-Za-z0-9+/]{43}=)"$', re.MULTILINE)
_HEAD = 100_000
"""Bytes in which the first entry names its game."""


@dataclass
class RefreshFacts:
    """What a run did: how many files were read, verified, and gone, and those that could not be
    read, each with the reason."""

    read: int = 0
    verified: int = 0
    gone: int = 0
    skipped: dict[Path, Skipped] = field(default_factory=dict)

    def skip(self, one: Skipped) -> None:
        """Note that a file or folder was left out."""
        self.skipped[one.path] = one


def refresh(
    connection: sqlite3.Connection, folder: Path, each: Each, progress: Progress
) -> RefreshFacts:
    """Read what is new or changed in the folder and below. Raises `sqlite3.Error`, and what `each`
    raises."""
    run = _Run(connection, folder)
    run.changes.look(run.facts.skip)
    run.forget(list(run.changes.gone()))
    total = run.changes.plan()
    for _ in range(ROUNDS):
        if not total:
            break
        run.go_through(each, progress, total)
        total = run.changes.plan(again=True)
    return run.facts


class _Run:
    """One run: what it found, and what it has written."""

    def __init__(self, connection: sqlite3.Connection, folder: Path) -> None:
        self.folder = folder
        self.changes = Changes(connection, folder)
        self.facts = RefreshFacts()
        self._store = Store(connection)
        self._db = connection
        self._waiting: list[Callable[[], object]] = []
        self._coming: set[bytes] = set()
        """The digests of all versions of the games whose rows wait to be written."""
        self._since = 0.0
        self._rows = self._bytes = 0
        self._done = 0

    def forget(self, paths: list[str]) -> None:
        """Remove files that are gone."""
        self.facts.gone += len(paths)
        for path in paths:
            self._later(partial(self._store.forget, [path]))
        self._write()

    def go_through(self, each: Each, progress: Progress, total: int) -> None:
        """Read and verify what is planned, `total` files."""
        self._done = 0
        with each(verified.read, self._new()) as outcomes:
            for outcome in outcomes:
                self._take(outcome)
                self._done += 1
                progress(self._done, total)
        self._write()

    def _new(self) -> Iterator[FoundFile | Skipped]:
        """The files that have to be verified. Those that need not are noted on the way."""
        for stat in self.changes.queue():
            path = schema.read(self.folder, stat.path)
            try:
                data = read(path)
            except Usage as error:
                yield Skipped(path, str(error))
                continue
            self.facts.read += 1
            sha256 = hashlib.sha256(data).hexdigest()
            game_id = game_of(data)
            if self._store.has(stat.path, sha256):
                self._later(partial(self._store.touch, stat))
            elif game_id and self._is_verified(stat.path, game_id, sha256):
                self._later(partial(self._store.put_prefix, stat, sha256, game_id))
            elif not is_turn_file(data):
                self._later(partial(self._put, stat, Other(sha256)))
            else:
                yield FoundFile(path)
                continue
            self._done += 1

    def _is_verified(self, path: str, game_id: str, sha256: str) -> bool:
        """Whether another file that was verified begins with the bytes of this one."""
        return (
            bytes.fromhex(sha256) in self._coming
            or self._store.prefix_of(game_id, sha256, path) is not None
        )

    def _take(self, outcome: Done[Read] | Skipped) -> None:
        """Take the outcome of a file."""
        if isinstance(outcome, Skipped):
            self.facts.skip(outcome)
            return
        self.facts.verified += 1
        stat = self.changes.stat(schema.name_of(self.folder, outcome.found.path))
        if isinstance(outcome.result, VerifiedGame):
            rows = outcome.result.rows
            self._rows += sum(map(len, rows[1:]))
            self._bytes += stat.size
            self._coming.update(entry.prefix for entry in rows.entries)
        self._later(partial(self._put, stat, outcome.result))

    def _put(self, stat: Stat, found: Read) -> None:
        """Write what came of one file. The rules of a plug-in may have made a value that no
        database can store: then the file counts as bad."""
        self._db.execute("SAVEPOINT file")
        try:
            self._store.put(stat, found)
        except _BAD_VALUES as error:
            self._db.execute("ROLLBACK TO file")
            self._store.put(
                stat, Bad(found.sha256, None, PROGRAM, f"its rows cannot be kept: {error}")
            )
        self._db.execute("RELEASE file")

    # Transactions

    def _later(self, change: Callable[[], object]) -> None:
        """Queue a change for the next transaction, which comes when there are many changes or when
        the first has waited long enough."""
        if not self._waiting:
            self._since = time.monotonic()
        self._waiting.append(change)
        is_much = len(self._waiting) >= BATCH or self._rows >= ROWS or self._bytes >= BYTES
        if is_much or time.monotonic() - self._since > SECONDS:
            self._write()

    def _write(self) -> None:
        """Write all changes that wait, in one transaction."""
        with transaction(self._db):
            for change in self._waiting:
                change()
        self._waiting.clear()
        self._coming.clear()
        self._rows = self._bytes = 0


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """Inside, everything is written, or nothing."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        if connection.in_transaction:  # of a full disk SQLite has undone it already
            connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


def game_of(data: bytes) -> str | None:
    """The id of the game that a file seems to hold, from the fields of its first entry and without
    verifying anything: only a hint where to look."""
    fields = {match[1]: match[2] for match in reversed(list(_FIRST.finditer(data[:_HEAD])))}
    if len(fields) < 2:
        return None
    try:
        return game_id_of(*(unb64(fields[name].decode(), 32) for name in (b"key", b"nonce"))).hex()
    except ValueError:
        return None
