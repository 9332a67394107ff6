"""`pbem library FOLDER`: makes or refreshes the library of a folder and reports what it holds."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from pbem import __version__, files
from pbem.english import counted, listed
from pbem.errors import Refused, Usage
from pbem.games import plugins
from pbem.ledger.signatures import CHECKS
from pbem.library import database, leagues, schema
from pbem.library.leagues import HeldLeague
from pbem.library.refresh import Each, Progress, RefreshFacts, refresh, transaction
from pbem.library.store import BAD, COPY, FORK, OTHER, VERSION, Store
from pbem.lock import Lock


@dataclass(frozen=True)
class BadFile:
    """A file that does not verify: where it fails, and what `pbem verify` prints."""

    file: str
    entry: int | None
    layer: str
    error: str


@dataclass(frozen=True)
class ForkedFile:
    """A file that differs, from an entry on, from the file of the same game that counts."""

    file: str
    entry: int
    counts: str


@dataclass(frozen=True)
class SkippedFile:
    """A file or folder that was left out, with the reason; `is_unread` if there may be games in
    it."""

    file: str
    reason: str
    is_unread: bool


@dataclass(frozen=True)
class LibraryFacts:
    """What a library holds after a run, and what the run did. `made` says what became of the
    database: `kept`, `new`, or why it was made anew. Of `files`, `read` were read now and
    `verified` verified; `gone` are gone. `leagues` lie in the folder too. `exported` are the files
    to which the tables were exported."""

    library: str
    made: str
    games: int
    ended: int
    files: int
    read: int
    verified: int
    gone: int
    versions: int
    copies: int
    bad: Sequence[BadFile]
    forks: Sequence[ForkedFile]
    others: Sequence[str]
    skipped: Sequence[SkippedFile]
    exported: Sequence[str] = ()
    leagues: Sequence[HeldLeague] = ()


def update(
    folder: Path, each: Each, progress: Progress, *, anew: bool = False, reread: bool = False
) -> LibraryFacts:
    """Make or refresh the library of a folder. `reread`: read every file, whatever its size and
    times; `anew`: forget everything and verify every file. Raises `Usage`, `Damaged` or
    `Refused`."""
    path = database.path_in(folder)
    if not files.is_folder(folder):
        raise Usage(
            f"there is no folder {files.printable(folder)}",
            hint="name the folder your turn files are in",
        )
    with _alone(folder), database.errors_in_words(path):
        made, connection = _open(path, anew)
        with closing(connection):
            _prepare(connection, reread)
            run = refresh(connection, folder, each, progress)
            facts = _facts(connection, path, made, run)
            found, others = leagues.held(connection, folder, facts.others)
            return replace(facts, leagues=found, others=others)


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Inside, no other process refreshes this library. The lock ends with the process, however that
    ends."""
    lock = Lock(folder / f"{schema.FILE}-lock", passing=True)
    if not lock.take():
        hint = "wait until it is done; questions can be asked meanwhile"
        raise Refused(
            f"another process refreshes the library of {files.printable(folder)} now", hint=hint
        )
    with lock:
        yield


def _open(path: Path, anew: bool) -> tuple[str, sqlite3.Connection]:
    """What became of the database, and a connection to it. A database that was made elsewhere is
    not believed: the number of its inode, which no copy has, shows that."""
    made = "kept" if database.is_ours(path) else "new"
    if anew and made == "kept":
        database.remove(path)
        made = "anew: as you asked"
    connection = database.to_write(path)
    marks = {"inode": str(os.stat(path).st_ino), "checks": CHECKS.decode()}
    if made == "kept":
        reason = ""
        if not database.is_current(connection):
            reason = "anew: another version of pbem made it"
        elif _mark(connection, "checks") != marks["checks"]:
            reason = "anew: this version of pbem checks more"
        elif _mark(connection, "inode") != marks["inode"]:
            reason = "anew: it is a copy, and a copy proves nothing"
        if reason:
            connection.close()
            database.remove(path)
            return reason, _open(path, False)[1]
    if any(_mark(connection, name) != value for name, value in marks.items()):
        with transaction(connection):
            connection.executemany("INSERT OR REPLACE INTO library VALUES (?, ?)", marks.items())
    return made, connection


def _mark(connection: sqlite3.Connection, name: str) -> str | None:
    """What the library notes about itself under a name."""
    found = connection.execute("SELECT value FROM library WHERE name = ?", (name,)).fetchone()
    return found[0] if found else None


def _prepare(connection: sqlite3.Connection, reread: bool) -> None:
    """Mark the files that have to be read again: all of them with `reread`. If the program or a
    plug-in has another version now, also files that did not verify, and the games of plug-ins that
    have changed."""
    packages = sorted(map(str, plugins.distributions()))
    programs = listed([f"pbem {__version__}", *packages])
    with transaction(connection):
        if reread:
            connection.execute("UPDATE files SET mtime = NULL")
        if _mark(connection, "programs") not in (None, programs):
            store = Store(connection)
            store.verify_again("verdict = ?", BAD)
            for game_id, package in connection.execute(
                "SELECT game_id, package FROM games"
            ).fetchall():
                if package not in packages and not package.startswith("pbem "):
                    store.verify_again("game_id = ?", game_id)
        connection.execute("INSERT OR REPLACE INTO library VALUES ('programs', ?)", (programs,))


def _facts(
    connection: sqlite3.Connection, path: Path, made: str, run: RefreshFacts
) -> LibraryFacts:
    """The facts about the library after a run."""

    def count(verdict: str) -> int:
        found = connection.execute(
            "SELECT count(*) FROM files WHERE verdict = ?", (verdict,)
        ).fetchone()
        return int(found[0])

    bad = "SELECT path, entry, layer, reason FROM files WHERE verdict = ? ORDER BY path"
    forks = (
        "SELECT f.path, f.entry, g.path FROM files f JOIN games g ON g.game_id = f.game_id WHERE"
        " f.verdict = ? ORDER BY f.path"
    )
    others = "SELECT path FROM files WHERE verdict = ? ORDER BY path"
    games, ended = connection.execute(
        "SELECT count(*), coalesce(sum(over), 0) FROM games"
    ).fetchone()
    return LibraryFacts(
        library=str(path),
        made=made,
        games=games,
        ended=ended,
        files=connection.execute("SELECT count(*) FROM files").fetchone()[0],
        read=run.read,
        verified=run.verified,
        gone=run.gone,
        versions=count(VERSION),
        copies=count(COPY),
        bad=[BadFile(*row) for row in connection.execute(bad, (BAD,))],
        forks=[ForkedFile(*row) for row in connection.execute(forks, (FORK,))],
        others=[row[0] for row in connection.execute(others, (OTHER,))],
        skipped=[
            SkippedFile(files.printable(one.path), one.reason, one.is_unread)
            for one in run.skipped.values()
        ],
    )


def in_words(facts: LibraryFacts) -> str:
    """What `pbem library` prints."""
    lines = (
        [facts.library]
        if facts.made in ("kept", "new")
        else [f"{facts.library} (made {facts.made})"]
    )
    open_games = facts.games - facts.ended
    goes_on = f", {open_games} not ended" if open_games else ""
    beside = [(facts.versions, "earlier version", ""), (facts.copies, "copy", "copies")]
    besides = listed([counted(*one) for one in beside if one[0]])
    lines.append(
        f"{counted(facts.games, 'game') if facts.games else 'No game'}{goes_on}, from"
        f" {counted(facts.files, 'file')}"
        + (f" with {besides}" if besides else "")
        + f"; {facts.read} read now, {facts.verified} verified"
        + (f", {facts.gone} gone." if facts.gone else ".")
    )
    lines += [f"does not verify: {one.file}: {one.error}" for one in facts.bad]
    lines += [
        f"fork: {one.file} parts at turn {one.entry} from {one.counts}, which counts"
        for one in facts.forks
    ]
    lines += [leagues.in_words(one) for one in facts.leagues]
    lines += [f"no turn file: {one}" for one in facts.others]
    lines += [f"not read: {one.file}: {one.reason}" for one in facts.skipped]
    lines += list(facts.exported)
    return "\n".join("".join(c if c.isprintable() else "?" for c in line) for line in lines)
