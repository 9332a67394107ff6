"""What the content of one part of a mail, or of one file, holds: decoded, unpacked, without markup;
within bounds.

Nothing here trusts a size that a mail claims: whatever is made is counted against a `Budget`, and
what is beyond it is not looked at. So a mail costs memory and time in proportion to its own size,
however it is made.
"""

from __future__ import annotations

import binascii
import codecs
import html
import re
from collections.abc import Iterator

from pbem.fileformat.turnfile import BOM, MAX_FILE
from pbem.mail import packed
from pbem.mail.budget import Budget

UTF16 = (b"\xff\xfe", b"\xfe\xff")
_UNMARKED = "PBEM".encode("utf-16-le")
"""At an even place where the low byte comes first, at an odd one in a text the other way round."""
_TAG = re.compile(rb"<[^<>]{0,2000}>")
_BROKEN_TAG = re.compile(rb"[<&][^<>&]{0,2000}\Z")
_PIECE = 1 << 15
_UU_BEGIN = b"begin "
_UU_HEAD = re.compile(rb"begin [0-7]{3,4} [^\r\n]{1,200}\r?\n")
_UU_LINE = 61
"""Characters of a full line."""
_MAX_BEGINS = 2000


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
    """A text without its byte order mark, out of UTF-16 if it is marked so or names a turn in
    it."""
    if len(content) <= MAX_FILE:
        if content[:2] in UTF16:
            return content.decode("utf-16", "replace").encode("utf-8", "replace")
        if (place := content.find(_UNMARKED)) >= 0:
            encoding = "utf-16-be" if place % 2 else "utf-16-le"
            return content.decode(encoding, "replace").encode("utf-8", "replace")
    return content.removeprefix(BOM)


def without_markup(page: bytes, budget: Budget) -> bytes:
    """The text of an HTML page from its first armor or pasted turn on; nothing if there is none.
    Piece by piece, since each tag and entity taken out costs memory many times its size."""
    page = as_utf8(page)
    place = min((found for found in map(page.find, (b"PBEM", b"pbem/")) if found >= 0), default=-1)
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
    """The files in a zip, a tar, or the uuencoded blocks of a text, and what is compressed by
    itself; none if it is none of these, or too much."""
    if packed.is_packed(content):
        yield from packed.files_in(content, budget)
    elif b"begin " in content:
        yield from _uuencoded(content, budget)


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
