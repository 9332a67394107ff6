"""The mails of a file that holds many, read one by one, however long the file is: mbox in its
variants, and MMDF.

A mail begins at a line `From ` with a date, as RFC 4155, appendix A, describes, with headers below
it: a body may have a line `From ` too, which not every program quotes. Content-Length is believed
where another mail, or the end of the file, stands where it says.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, NamedTuple

from pbem.fileformat.turnfile import MAX_MESSAGE

MMDF = b"\x01\x01\x01\x01"
"""The line before and after each mail of an MMDF file."""
_BEGINS = (b"From ", MMDF)
_LINE = 1 << 20
_DATED = re.compile(
    rb"From (?:[^\r\n]{0,200}[ \t])??(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),?[ \t]{1,3}"
    rb"[^\r\n]{0,40}[0-9]{1,2}:[0-9]{2}[^\r\n]{0,200}\r?\n"
)
_DATELESS = re.compile(rb"From [^\s]{1,200}[ \t]*\r?\n")
"""How every mail begins in a file whose first one begins so."""
_FIELD = re.compile(rb"(?:>?From |[!-9;-~]{1,80}[ \t]*:)")
_LENGTH = re.compile(rb"(?im)^content-length[ \t]*:[ \t]*([0-9]{1,12})[ \t]*\r?$")


class Message(NamedTuple):
    """One mail: its bytes, none of those past the limit for mails with a turn, and how many it
    has."""

    data: bytes
    size: int


def is_mbox(begin: bytes) -> bool:
    """Whether a file that begins so holds many mails."""
    return begin.lstrip(b"\r\n").startswith(_BEGINS)


def messages(path: Path) -> Iterator[Message]:
    """The mails of the file. Raises `OSError`."""
    with path.open("rb") as file:
        yield from messages_in(file)


def messages_in(file: BinaryIO) -> Iterator[Message]:
    """The mails of a file that is open."""
    message, size = bytearray(), 0
    ends = _Ends()
    is_head = False
    while line := file.readline(_LINE):
        if line.startswith(_BEGINS) and (
            line.rstrip(b"\r\n") == MMDF or ends.begins_here(line, file)
        ):
            if size:
                yield Message(bytes(message), size)
            message, size = bytearray(), 0
            is_head = line.startswith(b"From ")
            ends.is_mmdf = ends.is_mmdf or not is_head
            ends.before = line if is_head else b""
            if not is_head:
                is_head = True
                continue
        ends.before = line
        size += len(line)
        if size <= MAX_MESSAGE:
            message += line
        if is_head and not line.strip():
            is_head = False
            if body := ends.body(bytes(message), file):
                size += len(body)
                message += body
                ends.before = b""
    if size:
        yield Message(bytes(message), size)


class _Ends:
    """Where mails of a file end. `before` is the line before the one that is looked at, empty where
    a mail may begin without one."""

    def __init__(self) -> None:
        self.before = b""
        self.is_mmdf = False
        self._is_first = True
        self._first_has_date = True

    def begins_here(self, line: bytes, file: BinaryIO) -> bool:
        """Whether a mail begins with this line, behind which the file is at."""
        if self.is_mmdf or not line.startswith(b"From "):
            return False
        if self._is_first:
            self._is_first, self._first_has_date = False, _DATED.match(line) is not None
            return True
        if self.before.strip() and not self.before.startswith(b"--"):
            return False
        if _DATED.match(line) is None:
            return not self._first_has_date and _DATELESS.match(line) is not None
        place = file.tell()
        following = file.readline(_LINE)
        file.seek(place)
        return _FIELD.match(following) is not None

    def body(self, head: bytes, file: BinaryIO) -> bytes:
        """The body that Content-Length in these headers says, if that is true; else empty."""
        lengths = set(_LENGTH.findall(head))
        if len(lengths) != 1 or not 0 < (length := int(lengths.pop())) <= MAX_MESSAGE:
            return b""
        place = file.tell()
        file.seek(place + length)
        behind = file.read(1000).lstrip(b"\r\n")
        is_cut = not behind and file.seek(0, 2) < place + length
        file.seek(place)
        is_true = not behind or behind.startswith(MMDF) or _DATED.match(behind) is not None
        return file.read(length) if is_true and not is_cut else b""
