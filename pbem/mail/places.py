"""Folders in which mails and turn files lie: Maildirs, Maildirs in them, and any others. They are
only read."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from pbem import files
from pbem.errors import Usage


class NoPlace(Usage):
    """There is no such file or folder, or it cannot be read."""


def is_file(path: Path) -> bool:
    """Whether a file can be read there to its end: no device, and no name that no file can have."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def folders_in(folder: Path) -> Iterator[Path]:
    """A folder and the Maildirs inside it, and inside those. Raises `NoPlace` if it cannot be
    listed."""
    yield folder
    for path in _listed(folder):
        if files.is_folder(path) and not path.is_symlink() and is_maildir(path):
            with suppress(NoPlace):  # told where its files are listed
                yield from folders_in(path)


def files_in(folder: Path) -> Iterator[Path]:
    """The files that are looked at in one folder: all that are not hidden, or the mails of a
    Maildir. Raises `NoPlace`."""
    found = [path for path in _listed(folder) if not path.name.startswith(".")]
    if is_maildir(folder):
        found = [*_listed(folder / "cur"), *_listed(folder / "new")]
    yield from (path for path in found if is_file(path))


def is_maildir(folder: Path) -> bool:
    return files.is_folder(folder / "cur") and files.is_folder(folder / "new")


def _listed(folder: Path) -> list[Path]:
    try:
        return sorted(folder.iterdir())
    except OSError as error:
        what = f"cannot read the folder {files.shown(folder)}: {error.strerror}"
        raise NoPlace(what, hint="check the path") from error
