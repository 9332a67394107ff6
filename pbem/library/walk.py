"""Finds the files that a command with many files and folders reads, in an order that depends on
their names alone, and reads them.

A path from outside may be anything: a pipe to which nobody writes, a device, a link that leads back
into its own folder, a folder that may not be read. Only regular files are opened, each folder is
read once, and whatever is left out is reported with the reason; `walk` raises nothing.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from pbem import files
from pbem.errors import Usage
from pbem.fileformat.turnfile import BOM, LEAGUE, MAX_MESSAGE, START

ATTEMPTS = 3
"""How often reading a file is tried if it changes meanwhile."""


def read(path: Path) -> bytes:
    """The bytes of a regular file of at most `MAX_MESSAGE` bytes, as they were at one moment.
    Raises `Usage`, whose text leaves out the path."""
    try:
        for _ in range(ATTEMPTS):
            # a pipe may have taken its place since it was found
            with open(path, "rb", opener=files.at_once) as file:
                before = os.fstat(file.fileno())
                if not stat.S_ISREG(before.st_mode):
                    raise Usage("it is no plain file")
                data = file.read(MAX_MESSAGE + 1)
                after = os.fstat(file.fileno())
            if len(data) > MAX_MESSAGE:
                raise Usage(f"it is larger than {MAX_MESSAGE} bytes: this is not a turn file")
            if (before.st_size, before.st_mtime_ns) == (after.st_size, after.st_mtime_ns):
                return data
    except (OSError, ValueError) as error:
        raise Usage(reason_of(error)) from error
    raise Usage("it changes while it is read; once more when nobody writes to it")


def is_turn_file(data: bytes) -> bool:
    """Whether this is, or was, a turn file and not another TOML file that lies beside them. A turn
    file that is damaged, or even empty, still counts as one; a league is none."""
    if data.startswith(LEAGUE.encode()):
        return False
    return data.removeprefix(BOM).startswith(START) or b"[[entry]]" in data or not data.strip()


def reason_of(error: OSError | ValueError) -> str:
    """The system's words for why a path cannot be read."""
    if isinstance(error, OSError):
        return error.strerror or str(error)
    return "it has no usable name"


SUFFIX = ".toml"
"""How the name of a turn file ends, in large or small letters. In a folder only such files are
read, since a mail beside a turn file holds the same turn again."""


@dataclass(frozen=True)
class FoundFile:
    """A regular file to be read; `is_named` if it was asked for by its own name and not found in a
    folder."""

    path: Path
    is_named: bool = False


@dataclass(frozen=True)
class Skipped:
    """What is left out, and why; `is_unread` if there may be games in it."""

    path: Path
    reason: str
    is_unread: bool = True


_Identity = tuple[int, int]
"""Device and inode: the same for every name of a file or folder."""


def walk(given: Iterable[Path]) -> Iterator[FoundFile | Skipped]:
    """The files to be read: paths in the order in which they were given, and for a folder its turn
    files and those of the folders in it, by name. A file that was given stands where it was first
    given and is not found again in a folder, and no folder is read twice under two names."""
    paths = list(dict.fromkeys(given))
    files = {
        identity(status)
        for path in paths
        if (status := _status(path)) and stat.S_ISREG(status.st_mode)
    }
    folders: set[_Identity] = set()
    for path in paths:
        try:
            status = os.stat(path)
        except (OSError, ValueError) as error:
            yield Skipped(path, reason_of(error))
            continue
        if stat.S_ISDIR(status.st_mode):
            yield from _folder(path, status, files, folders)
        else:
            yield _file(path, status, is_named=True)


def identity(status: os.stat_result) -> _Identity:
    """The identity of a file or folder, whatever it is called."""
    return status.st_dev, status.st_ino


def _folder(
    folder: Path, status: os.stat_result, files: set[_Identity], folders: set[_Identity]
) -> Iterator[FoundFile | Skipped]:
    """The turn files of a folder and of those below it, except for `files`. Each folder is added to
    `folders`. This is no recursion, since folders may be nested deeper than Python's stack."""
    waiting: list[Iterator[Path]] = []
    current: tuple[Path, os.stat_result] | None = (folder, status)
    while current or waiting:
        if current:
            if identity(current[1]) in folders:
                yield Skipped(
                    current[0], "this folder was read under another name", is_unread=False
                )
            else:
                folders.add(identity(current[1]))
                names, problem = _names(current[0])
                waiting.append(names)
                if problem:
                    yield problem
            current = None
            continue
        path = next(waiting[-1], None)
        if path is None:
            waiting.pop()
            continue
        is_turn = path.name.lower().endswith(SUFFIX)
        try:
            found = os.stat(path)
        except (OSError, ValueError) as error:
            if is_turn or not isinstance(error, FileNotFoundError) or os.path.islink(path):
                yield Skipped(path, reason_of(error))
            continue
        if stat.S_ISDIR(found.st_mode):
            current = path, found
        elif is_turn and identity(found) not in files:
            yield _file(path, found)


def _names(folder: Path) -> tuple[Iterator[Path], Skipped | None]:
    """What may matter in a folder, by name: folders, links and turn files; and what was wrong with
    reading it."""
    names: list[str] = []
    problem = None
    try:
        with os.scandir(folder) as entries:
            for one in entries:
                if one.name.lower().endswith(SUFFIX) or not _is_plain(one):
                    names.append(one.name)
    except OSError as error:
        problem = Skipped(folder, reason_of(error))
    return (folder / name for name in sorted(names)), problem


def _is_plain(entry: os.DirEntry[str]) -> bool:
    """Whether this is certainly a file and no link. A system that does not know without asking may
    not allow asking either."""
    try:
        return entry.is_file(follow_symlinks=False)
    except OSError:
        return False


def _file(path: Path, status: os.stat_result, *, is_named: bool = False) -> FoundFile | Skipped:
    """The file, or why it is skipped."""
    if stat.S_ISREG(status.st_mode):
        return FoundFile(path, is_named)
    kind = next((word for is_kind, word in _KINDS if is_kind(status.st_mode)), "no plain file")
    return Skipped(path, f"it is {kind}")


_KINDS = (
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
    (stat.S_ISSOCK, "a socket"),
)


def _status(path: Path) -> os.stat_result | None:
    try:
        return os.stat(path)
    except (OSError, ValueError):
        return None
