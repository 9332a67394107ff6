"""What lies in a place, file by file and mail by mail, for whoever looks for something else than
turns: seeks, leagues and joins. Nothing is looked into here, and everything is only read."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from pbem import files
from pbem.errors import Usage
from pbem.fileformat.turnfile import MAX_MESSAGE
from pbem.mail import mbox
from pbem.mail.folders import NoPlace, files_in, folders_in, is_file
from pbem.mail.turn_files import no_place


class Content(NamedTuple):
    """The bytes of a file, or of one mail of an mbox file (`is_of_mbox`), and where they lie; or
    why a file could not be read."""

    where: str
    data: bytes
    is_of_mbox: bool = False
    problem: str = ""


def contents(place: Path) -> Iterator[Content]:
    """What a file holds, or the files of a folder and of the Maildirs below it. A Maildir that
    cannot be listed is passed over. Raises `NoPlace` if the path cannot be read."""
    if files.is_folder(place):
        for path in _paths(place):
            yield from _of_file(path)
    elif is_file(place):
        yield from _of_file(place)
    else:
        raise no_place(place)


def _paths(folder: Path) -> Iterator[Path]:
    for below in folders_in(folder):
        try:
            yield from files_in(below)
        except NoPlace:
            if below == folder:
                raise


def _of_file(path: Path) -> Iterator[Content]:
    where = files.printable(path)
    try:
        with path.open("rb") as file:
            start = file.read(64)
        if mbox.is_mbox(start):
            for message in mbox.messages(path):
                yield Content(where, message.data, is_of_mbox=True)
            return
        data = files.read_bytes(path, MAX_MESSAGE)
    except (OSError, Usage) as error:
        reason = error.what if isinstance(error, Usage) else error.strerror
        yield Content(
            where, b"", problem=f"{where} cannot be read: {reason or 'it has no usable name'}"
        )
        return
    yield Content(where, data)
