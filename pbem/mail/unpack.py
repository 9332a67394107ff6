"""What the content of one part of a mail, or of one file, holds: decoded, unzipped, without markup; within bounds.

Nothing here trusts a size that a mail claims: whatever is made is counted against a `Budget`, and what is beyond it is
not looked at. So a mail costs memory and time in proportion to its own size, however it is made.
"""

from __future__ import annotations

import binascii
import codecs
import html
import re
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO

from pbem.fileformat.armor import MAX_BLOCK
from pbem.fileformat.turnfile import BOM, MAX_FILE

_UTF16 = (b"\xff\xfe", b"\xfe\xff")
_TAG = re.compile(rb"<[^<>]{0,2000}>")
_BROKEN_TAG = re.compile(rb"[<&][^<>&]{0,2000}\Z")
_PIECE = 1 << 15
_UU_BEGIN = b"begin "
_UU_HEAD = re.compile(rb"begin [0-7]{3,4} [^\r\n]{1,200}\r?\n")
_UU_LINE = 61
"""Characters of a full line."""
_MAX_BEGINS = 2000
_ZIP, _ZIP_END, _ZIP64 = b"PK\x03\x04", b"PK\x05\x06", b"PK\x06\x07"
_ZIP_LIST = 10_000
"""Bytes of the list at the end of a zip: room for some hundred names."""
_STORED, _DEFLATED = 0, 8


@dataclass
class Budget:
    """What one mail may still cost."""

    parts: int = 200
    """Parts, attached mails and files that are opened."""
    delimiters: int = 20_000
    """Lines that begin like the end of a part."""
    markup: int = 1_500_000
    """Bytes of HTML whose tags and entities are taken out."""
    armored: int = MAX_BLOCK
    """Bytes between the marks of armors."""
    unpacked: int = MAX_FILE
    """Bytes that come out of zips and uuencoded blocks."""

    def has_part(self) -> bool:
        """Count one part more; False if it is one too many."""
        self.parts -= 1
        return self.parts >= 0


def decoded(data: bytes, start: int, end: int, encoding: str) -> bytes:
    """A part's content as it was before it was encoded for the mail; as much of it as is whole."""
    view = memoryview(data)[start:end]
    if encoding == "base64":
        return _base64(view)
    if encoding == "quoted-printable":
        return binascii.a2b_qp(view)
    return view.tobytes()


def _base64(view: memoryview) -> bytes:
    for tail in (b"", b"=", b"=="):  # a part that was cut off, or that lost its padding
        try:
            return binascii.a2b_base64(b"".join((view, tail)) if tail else view)
        except binascii.Error:
            continue
    return b""


def as_utf8(content: bytes) -> bytes:
    """A text without its byte order mark, out of UTF-16 if it is marked so."""
    if content[:2] in _UTF16 and len(content) <= MAX_FILE:
        return content.decode("utf-16", "replace").encode("utf-8", "replace")
    return content.removeprefix(BOM)


def without_markup(page: bytes, budget: Budget) -> bytes:
    """The text of an HTML page from its first armor on; nothing if there is none. Piece by piece, since each tag and
    entity taken out costs memory many times its size."""
    place = page.find(b"PBEM")
    if place < 0 or budget.markup <= 0:
        return b""
    start = max(0, place - 2000)
    end = min(len(page), start + budget.markup)
    budget.markup -= end - start
    text = bytearray()
    carried = b""
    for first in range(start, end, _PIECE):
        piece = carried + page[first : min(first + _PIECE, end)]
        broken = _BROKEN_TAG.search(piece[-2001:])
        carried = broken[0] if broken else b""
        text += _plain(piece[: len(piece) - len(carried)])
    return bytes(text + _plain(carried))


def _plain(piece: bytes) -> bytes:
    return html.unescape(_TAG.sub(b"\n", piece).decode("latin-1")).encode("latin-1", _UTF8_ELSE)


def _in_utf8(error: UnicodeError) -> tuple[bytes, int]:
    assert isinstance(error, UnicodeEncodeError)
    return error.object[error.start : error.end].encode("utf-8", "replace"), error.end


_UTF8_ELSE = "pbem-utf8-else"
"""Bytes stay as they are; what an entity stands for becomes UTF-8."""
codecs.register_error(_UTF8_ELSE, _in_utf8)


def files_in(content: bytes, budget: Budget) -> Iterator[bytes]:
    """The files in a zip, or in the uuencoded blocks of a text; none if it is neither, or too much."""
    if content.startswith(_ZIP):
        yield from _zipped(content, budget)
    elif b"begin " in content:
        yield from _uuencoded(content, budget)


def _zipped(content: bytes, budget: Budget) -> Iterator[bytes]:
    """Only plain zips: their list at the very end, short, and without the extensions for large ones, whose numbers
    the library would believe."""
    tail = content[-42:]
    if tail[-22:-18] != _ZIP_END or tail[:4] == _ZIP64 or int.from_bytes(tail[-10:-6], "little") > _ZIP_LIST:
        return
    try:
        with zipfile.ZipFile(BytesIO(content)) as archive:
            for info in archive.infolist():
                if info.is_dir() or info.compress_type not in (_STORED, _DEFLATED) or not budget.has_part():
                    continue
                with archive.open(info) as file:
                    data = file.read(budget.unpacked + 1)
                budget.unpacked -= len(data)
                if budget.unpacked < 0:
                    return
                yield data
    except (zipfile.BadZipFile, zlib.error, RuntimeError, NotImplementedError, EOFError, OSError, ValueError):
        return  # damaged or locked: there is no turn to be had from it


def _uuencoded(content: bytes, budget: Budget) -> Iterator[bytes]:
    place = -1
    for _ in range(_MAX_BEGINS):
        place = content.find(_UU_BEGIN, place + 1)
        if place < 0:
            return
        head = _UU_HEAD.match(content, place)
        if head is None or not budget.has_part():
            continue
        data = _uu_block(content, head.end(), budget)
        if data is not None:
            yield data


def _uu_block(content: bytes, place: int, budget: Budget) -> bytes | None:
    """The lines from here to `end`; None if one of them is none of such a block."""
    found = bytearray()
    while (line_end := content.find(b"\n", place, place + 200)) >= 0:
        line = content[place:line_end].rstrip(b"\r")
        place = line_end + 1
        if line == b"end":
            return bytes(found)
        budget.unpacked -= _UU_LINE
        if budget.unpacked < 0:
            return None
        try:
            found += binascii.a2b_uu(line)
        except binascii.Error:
            return None
    return None
