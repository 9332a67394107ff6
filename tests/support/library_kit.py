"""Folders of games for the tests of the library: versions, copies and forks of one game, and files
that do not hold."""

from __future__ import annotations

import pickle
import random
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any

from engine.rules import Rules
from pbem.fileformat import turnfile
from pbem.fileformat.encoding import b64, unb64
from pbem.games import registry
from pbem.library import database, schema, update
from pbem.library.update import LibraryFacts
from pbem.library.verified import Read
from pbem.library.walk import FoundFile, Skipped
from pbem.library.work import Done, FailedFile, on_file, outcome
from pbem.simulate.by_mail import play_by_mail
from pbem.simulate.policies import RandomPolicy

ARCHIVE = Path(__file__).parents[1] / "archive"


@lru_cache(maxsize=8)
def branch(seed: str, other: str = "") -> bytes:
    """A whole random game of The Shores of Tripoli. With the same seed it is the same game by the
    same players, and with `other` they answer otherwise: a fork."""

    class Other(RandomPolicy):
        def __init__(self, rules: Rules, _rng: random.Random) -> None:
            super().__init__(rules, random.Random(f"{seed} {other}"))

    return play_by_mail(registry.newest("tripoli"), {}, Other, seed).data


def version(data: bytes, entries: int) -> bytes:
    """The file as it was with that many entries."""
    return turnfile.read(data).prefix(entries)


def spoiled(data: bytes) -> bytes:
    """A file whose last signature is none for its bytes."""
    signature = data.rstrip(b"\n").rsplit(b'"', 2)[1]
    return data.replace(signature, b64(unb64(signature.decode())[::-1]).encode())


@contextmanager
def here(
    work: Callable[[bytes], Read], found: Iterable[FoundFile | Skipped]
) -> Iterator[Iterator[Done[Read] | Skipped]]:
    """The work done in this process."""

    def done(one: FoundFile) -> Done[Read] | Skipped:
        made = on_file(work, one.path)
        return outcome(one, made if isinstance(made, FailedFile) else pickle.loads(made))

    yield (done(one) if isinstance(one, FoundFile) else one for one in found)


def refreshed(folder: Path, **how: Any) -> LibraryFacts:
    """The library of a folder, brought up to date in this process."""
    return update.update(folder, how.pop("each", here), lambda _done, _total: None, **how)


def asked(folder: Path, question: str, *values: object) -> list[tuple[Any, ...]]:
    """What the library of a folder answers."""
    with (
        closing(database.to_read(folder)) as connection,
        database.errors_in_words(database.path_in(folder)),
    ):
        return connection.execute(question, values).fetchall()


def whole(folder: Path) -> dict[str, list[tuple[Any, ...]]]:
    """Everything that a library holds, without what depends on when it was made."""
    with closing(database.to_read(folder)) as connection:
        tables = {name: _rows(connection, name) for name in schema.TABLES}
        files = (
            "SELECT path, sha256, verdict, game_id, turn, entries, entry, layer, reason FROM files"
            " ORDER BY path"
        )
        return tables | {"files": connection.execute(files).fetchall()}


def _rows(connection: sqlite3.Connection, name: str) -> list[tuple[Any, ...]]:
    found = connection.execute(f"SELECT * FROM {name}").fetchall()
    return sorted((row[1:] for row in found), key=repr)
