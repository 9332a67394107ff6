"""The files of a place where turns may lie: a folder, and the Maildirs in it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from pbem import files
from pbem.errors import Usage


class NoPlace(Usage):
    """There is no such file or folder, or it cannot be read."""


def is_file(path: Path) -> bool:
    """Whether there is a file that can be read to its end: neither a device nor a name that no file
    can have."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def folders_in(folder: Path) -> Iterator[Path]:
    """A folder, the Maildirs inside it, and those inside them. Raises `NoPlace` if the folder
    itself cannot be listed."""
    yield folder
    for path in _paths_in(folder):
        if files.is_folder(path) and not path.is_symlink() and is_maildir(path):
            with suppress(NoPlace):  # told where its files are listed
                yield from folders_in(path)


def files_in(folder: Path) -> Iterator[Path]:
    """The files of one folder that are looked at: all that are not hidden, or the mails of a
    Maildir. Raises `NoPlace`."""
    found = [path for path in _paths_in(folder) if not path.name.startswith(".")]
    if is_maildir(folder):
        found = [*_paths_in(folder / "cur"), *_paths_in(folder / "new")]
    yield from (path for path in found if is_file(path))


def is_maildir(folder: Path) -> bool:
    return files.is_folder(folder / "cur") and files.is_folder(folder / "new")


def _paths_in(folder: Path) -> list[Path]:
    try:
        return sorted(folder.iterdir())
    except OSError as error:
        what = f"cannot read the folder {files.printable(folder)}: {error.strerror}"
        raise NoPlace(what, hint="check the path") from error
