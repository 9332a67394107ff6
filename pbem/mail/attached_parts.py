"""Finds files that go with a turn (docs/format.md, section 22) where they come: beside turn files
in a folder, or as parts of mails. A file is known by its size and digest; of those that have only
the name of one that is awaited it is told."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from pbem import files
from pbem.fileformat.attached import AttachedFile
from pbem.fileformat.turnfile import MAX_MESSAGE
from pbem.mail import bounded_mime, mbox
from pbem.mail.folders import NoPlace, files_in, folders_in, is_file
from pbem.mail.lost_turns import UNREADABLE
from pbem.mail.unread_forms import Budget


class CameFile(NamedTuple):
    """A file that was found, in words where: the one that is awaited (`is_it`), or `other` bytes
    under its name."""

    where: str
    file: AttachedFile
    data: bytes
    is_it: bool


def in_place(place: Path, wanted: Collection[AttachedFile]) -> Iterator[CameFile]:
    """Those of the wanted files that lie in a file, a mail, or a folder of these. What cannot be
    read is passed over: looking for turns has told it."""
    if not wanted:
        return
    if not files.is_folder(place):
        yield from in_file(place, wanted)
        return
    with suppress(NoPlace):
        for folder in folders_in(place):
            for path in files_in(folder):
                yield from in_file(path, wanted)


def beside(place: Path, wanted: Collection[AttachedFile]) -> Iterator[CameFile]:
    """Those of the wanted files that lie beside a file, under their names, as somebody saves what
    comes with a mail. Another file of that name is nobody's business."""
    if files.is_folder(place):
        return
    for file in wanted:
        for came in in_file(place.with_name(file.name), {file}):
            if came.is_it:
                yield came


def in_file(path: Path, wanted: Collection[AttachedFile]) -> Iterator[CameFile]:
    """Those of the wanted files that this file is, or that a mail in it carries; there is one at
    least."""
    where = files.printable(path)
    least, names = min(one.size for one in wanted), {one.name for one in wanted}
    try:
        if not is_file(path) or (path.stat().st_size < least and path.name not in names):
            return
        with path.open("rb") as file:
            begin = file.read(64)
        if mbox.is_mbox(begin):
            for message in mbox.messages(path):
                if least <= message.size <= MAX_MESSAGE:
                    yield from in_mail(message.data, where, wanted)
        elif path.stat().st_size <= MAX_MESSAGE:
            yield from in_bytes(path.read_bytes(), where, wanted, path.name)
    except (OSError, MemoryError):
        return


def in_bytes(
    data: bytes, where: str, wanted: Collection[AttachedFile], name: str = ""
) -> Iterator[CameFile]:
    """Those of the wanted files that these bytes are, or that they carry as a mail; `name` is that
    of their file where it is not in `where`."""
    if wanted:
        yield from _told(where, name or where, data, wanted)
        yield from in_mail(data, where, wanted)


def in_mail(data: bytes, where: str, wanted: Collection[AttachedFile]) -> Iterator[CameFile]:
    """Those of the wanted files that a mail carries, however it is made."""
    budget = Budget()
    with suppress(*UNREADABLE, MemoryError):
        for part in bounded_mime.named_parts(data, budget):
            yield from _told(where, part.name, part.content, wanted)


def _told(
    where: str, name: str, data: bytes, wanted: Collection[AttachedFile]
) -> Iterator[CameFile]:
    """What these bytes are of what is wanted. Mail programs change the line ends of a text that
    they do not encode, and end it with one."""
    text = data.removesuffix(b"\r")
    by_size = {len(one): one for one in (text.replace(b"\r\n", b"\n"), text, data)}
    digests = dict[int, bytes]()
    for file in wanted:
        same = by_size.get(file.size)
        if same is not None and file.size not in digests:
            digests[file.size] = sha256(same).digest()
        if same is not None and digests[file.size] == file.digest:
            yield CameFile(where, file, same, is_it=True)
        elif name == file.name:
            yield CameFile(where, file, b"", is_it=False)
