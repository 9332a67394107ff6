"""What one part of a mail, or one file, holds: decoded, unpacked, without markup, and within
bounds.

No size that a mail claims is trusted. Whatever is unpacked is counted against a `Budget`, and what
exceeds it is not looked at. So the memory and time that a mail costs are in proportion to its size,
however it is made.
"""

from __future__ import annotations

import binascii
import bz2
import codecs
import html
import lzma
import re
import string
import zipfile
import zlib
from collections.abc import Callable, Iterator
from io import BytesIO
from typing import NamedTuple, Protocol

from pbem.fileformat.turnfile import BOM, MAX_FILE, START
from pbem.mail.unread_forms import Budget, Form

_ZIP, _ZIP_END, _ZIP64 = b"PK\x03\x04", b"PK\x05\x06", b"PK\x06\x07"
_ZIP_LIST = 10_000
"""Bytes of the list at the end of a zip: room for some hundred names."""
_END_SIZE, _LOCATOR_SIZE, _LONGEST_COMMENT = 22, 20, 65_535
_STORED, _DEFLATED, _BZIP2, _LZMA = 0, 8, 12, 14
_TAR, _TAR_BLOCK = b"ustar", 512
_MEMORY = 1 << 26
"""Bytes of the dictionary that LZMA may ask for: as much as its usual programs ever take."""
_DAMAGED = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    RuntimeError,
    EOFError,
    OSError,
    ValueError,
)


class _Unpacker(Protocol):
    """What the objects of the libraries have in common that decompress one file."""

    @property
    def eof(self) -> bool: ...
    def decompress(self, data: bytes, max_length: int = -1) -> bytes: ...


class _Stream(NamedTuple):
    """A compression of single files: how its bytes begin, and what decompresses them."""

    magic: bytes
    unpacker: Callable[[], _Unpacker]


_STREAMS = (
    _Stream(b"\x1f\x8b\x08", lambda: zlib.decompressobj(31)),
    _Stream(b"BZh", bz2.BZ2Decompressor),
    _Stream(b"\xfd7zXZ\0", lambda: lzma.LZMADecompressor(lzma.FORMAT_XZ, _MEMORY)),
)


def is_packed(content: bytes) -> bool:
    """Whether these bytes begin as a zip, a tar or a compressed file does."""
    return content.startswith((_ZIP, *(stream.magic for stream in _STREAMS))) or _is_tar(content)


def members_of(content: bytes, budget: Budget) -> Iterator[bytes]:
    """The files in it; none if it is damaged, encrypted, or too large."""
    try:
        if content.startswith(_ZIP):
            yield from _zipped(content, budget)
        elif _is_tar(content):
            yield from _tarred(content, budget)
        else:
            unpacker = next(
                stream.unpacker for stream in _STREAMS if content.startswith(stream.magic)
            )
            if budget.has_part() and (data := _unpacked(unpacker(), content, budget)) is not None:
                yield data
    except _DAMAGED:
        return


def _unpacked(unpacker: _Unpacker, data: bytes, budget: Budget) -> bytes | None:
    """The decompressed bytes; None if they exceed the budget."""
    made = unpacker.decompress(data, max(1, budget.unpacked + 1))
    budget.unpacked -= len(made)
    return made if budget.unpacked >= 0 else None


def _zipped(content: bytes, budget: Budget) -> Iterator[bytes]:
    """The files of a plain zip only: its list is short, its end is where it says, and it has none
    of the extensions for large zips, whose numbers the library would believe."""
    end = content.rfind(_ZIP_END, max(0, len(content) - _END_SIZE - _LONGEST_COMMENT))
    record = content[end : end + _END_SIZE]
    if (
        end < 0
        or len(record) < _END_SIZE
        or int.from_bytes(record[20:22], "little") != len(content) - end - _END_SIZE
    ):
        return
    if (
        _ZIP64 in content[max(0, end - _LOCATOR_SIZE) : end]
        or int.from_bytes(record[12:16], "little") > _ZIP_LIST
    ):
        return
    with zipfile.ZipFile(BytesIO(content)) as archive:
        for info in archive.infolist():
            if info.flag_bits & 1:
                budget.unread.add(Form.LOCKED_ZIP)
            if info.is_dir() or info.flag_bits & 1 or not budget.has_part():
                continue
            data = None
            if info.compress_type in (_STORED, _DEFLATED):
                with archive.open(info) as file:
                    data = file.read(budget.unpacked + 1)
                budget.unpacked -= len(data)
            elif info.compress_type in (_BZIP2, _LZMA):  # of these the library makes all at once
                data = _one_zipped(content, info, budget)
            if budget.unpacked < 0:
                return
            if data is not None:
                yield data


def _one_zipped(content: bytes, info: zipfile.ZipInfo, budget: Budget) -> bytes | None:
    """A file in a zip that LZMA or bzip2 has made (APPNOTE.TXT, sections 4.3.7 and 5.8)."""
    head = info.header_offset
    lengths = [
        int.from_bytes(content[head + place : head + place + 2], "little") for place in (26, 28)
    ]
    start = head + 30 + sum(lengths)
    packed = content[start : start + info.compress_size]
    if info.compress_type == _BZIP2:
        return _unpacked(bz2.BZ2Decompressor(), packed, budget)
    if len(packed) < 9 or packed[2:4] != b"\x05\0":
        return None
    first, size = packed[4], int.from_bytes(packed[5:9], "little")
    if size > _MEMORY or first >= 9 * 5 * 5:
        return None
    chosen = {
        "id": lzma.FILTER_LZMA1,
        "dict_size": size,
        "lc": first % 9,
        "lp": first // 9 % 5,
        "pb": first // 45,
    }
    return _unpacked(lzma.LZMADecompressor(lzma.FORMAT_RAW, filters=[chosen]), packed[9:], budget)


def _is_tar(content: bytes) -> bool:
    return content[257:262] == _TAR


def _tarred(content: bytes, budget: Budget) -> Iterator[bytes]:
    """The plain files of a tar, read header by header (POSIX.1-1988): the library's reader takes
    very long over hostile headers."""
    place = 0
    while content[place + 257 : place + 262] == _TAR:
        size = int(content[place + 124 : place + 136].split(b"\0")[0].strip() or b"0", 8)
        begin = place + _TAR_BLOCK
        if size < 0 or not budget.has_part():
            return
        if content[place + 156 : place + 157] in (b"0", b"\0"):
            budget.unpacked -= size
            if budget.unpacked < 0:
                return
            yield content[begin : begin + size]
        place = begin + -(-size // _TAR_BLOCK) * _TAR_BLOCK


UTF16 = (b"\xff\xfe", b"\xfe\xff")
_WIDE = {
    b"\xff\xfe\0\0": "utf-32",
    b"\0\0\xfe\xff": "utf-32",
    UTF16[0]: "utf-16",
    UTF16[1]: "utf-16",
}
"""Encodings by the marks with which their texts begin; the longer marks first."""
_WIDE_UNMARKED = {
    re.compile(rb"(?:[\n\r -~]\0\0\0){8}"): "utf-32-le",
    re.compile(rb"(?:\0\0\0[\n\r -~]){8}"): "utf-32-be",
    re.compile(rb"(?:[\n\r -~]\0){8}"): "utf-16-le",
    re.compile(rb"(?:\0[\n\r -~]){8}"): "utf-16-be",
}
_UNMARKED = "PBEM".encode("utf-16-le")
"""Stands at an even place where the low byte comes first, and at an odd one where it comes
second."""
_LETTERS = string.ascii_letters + string.digits + "+/"
_NO_LETTERS = bytes(set(range(256)) - set(_LETTERS.encode()))
_BASE64_RUN = re.compile(rb"[A-Za-z0-9+/\s>|]+")
_MAX_RUNS = 5


class _Needle(NamedTuple):
    """How a text stands in base64 behind so many other bytes that its first letters depend on
    them: the letters that do not, and those that stand `before` them behind zero bytes."""

    before: bytes
    letters: bytes

    @classmethod
    def of(cls, text: bytes, behind: int) -> _Needle:
        whole = b"\0" * behind + text
        made = binascii.b2a_base64(whole[: len(whole) // 3 * 3], newline=False)
        first = (0, 2, 3)[behind]
        return cls(made[:first], made[first:])


_TURN_IN_BASE64 = [
    _Needle.of(text, behind)
    for text in (START, b"-----BEGIN PBEM TURN-----")
    for behind in range(3)
]
_TURN_IN_BASE64_TWICE = [
    _Needle.of(binascii.b2a_base64(START[: len(START) // 3 * 3], newline=False), behind)
    for behind in range(3)
]
"""As where a whole mail with an attachment was put into base64."""
_TAG = re.compile(rb"<[^<>]{0,2000}>")
_BROKEN_TAG = re.compile(rb"[<&][^<>&]{0,2000}\Z")
_PIECE = 1 << 15
_UU_BEGIN = b"begin "
_UU_HEAD = re.compile(rb"begin [0-7]{3,4} [^\r\n]{1,200}\r?\n")
_UU_LINE = 61
"""Characters of a full line."""
_MAX_BEGINS = 2000


def decoded(data: bytes, start: int, end: int, encoding: str) -> bytes:
    """The content of a part as it was before it was encoded for the mail; as much of it as is
    whole."""
    view = memoryview(data)[start:end]
    if encoding == "base64":
        return _base64(view)
    if encoding == "quoted-printable":
        return binascii.a2b_qp(view)
    return view.tobytes()


def _base64(view: memoryview) -> bytes:
    """The decoded bytes of base64: as much as is whole, if it was cut off or lost its padding."""
    try:
        return binascii.a2b_base64(view)
    except binascii.Error:
        letters = bytes(view).translate(None, _NO_LETTERS)
        letters = letters[: len(letters) - (len(letters) % 4 == 1)]
        return binascii.a2b_base64(letters + b"=" * (-len(letters) % 4))


def turns_in_base64(text: bytes, budget: Budget, *, twice: bool = False) -> Iterator[bytes]:
    """What stands in base64 in a text that nobody says is base64, from the beginning of a turn
    file or an armor on; with `twice`, also from that of a turn file in base64 on."""
    for needle in [*_TURN_IN_BASE64, *(_TURN_IN_BASE64_TWICE if twice else [])]:
        place = text.find(needle.letters)
        for _ in range(_MAX_RUNS):
            if place < 0 or budget.unpacked <= 0:
                break
            end = place + budget.unpacked // 3 * 4
            run = _BASE64_RUN.match(text, place, end)
            letters = needle.before + (b"" if run is None else run[0])
            budget.unpacked -= len(letters)
            yield _base64(memoryview(letters)).lstrip(b"\0")
            place = text.find(needle.letters, place + len(letters))


def as_utf8(content: bytes) -> bytes:
    """A text without its byte order mark; out of UTF-16 or UTF-32 if its mark or its first letters
    say so, or if it names a turn in UTF-16."""
    if len(content) <= MAX_FILE:
        if (encoding := _wide_encoding(content)) is not None:
            return content.decode(encoding, "replace").encode("utf-8", "replace").removeprefix(BOM)
        if (place := content.find(_UNMARKED)) >= 0:
            encoding = "utf-16-be" if place % 2 else "utf-16-le"
            return content.decode(encoding, "replace").encode("utf-8", "replace")
    return content.removeprefix(BOM)


def _wide_encoding(text: bytes) -> str | None:
    """The encoding of a text in which each letter has two bytes or four; None if they have one."""
    begin = text[:4]
    if b"\0" not in begin and begin[:2] not in UTF16:
        return None
    marked = (name for mark, name in _WIDE.items() if begin.startswith(mark))
    unmarked = (name for pattern, name in _WIDE_UNMARKED.items() if pattern.match(text))
    return next(marked, None) or next(unmarked, None)


def without_markup(page: bytes, budget: Budget) -> bytes:
    """The text of an HTML page from its first armor or pasted turn on; empty if there is none. It
    is made piece by piece, since each tag and entity that is taken out costs memory many times its
    size."""
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
    """The error handler that writes as UTF-8 what does not fit into one byte."""
    assert isinstance(error, UnicodeEncodeError)
    return error.object[error.start : error.end].encode("utf-8", "replace"), error.end


_UTF8_ELSE = "pbem-utf8-else"
"""With this error handler bytes stay as they are, and what an entity stands for becomes UTF-8."""
codecs.register_error(_UTF8_ELSE, _in_utf8)


def files_in(content: bytes, budget: Budget) -> Iterator[bytes]:
    """The files in a zip or a tar, a file that is compressed by itself, or those in the uuencoded
    blocks of a text; none if it is none of these, or too large."""
    if is_packed(content):
        yield from members_of(content, budget)
    elif b"begin " in content:
        yield from _uuencoded(content, budget)


def _uuencoded(content: bytes, budget: Budget) -> Iterator[bytes]:
    """The files in the uuencoded blocks of a text."""
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
    """The decoded lines from here to `end`; None if one of them does not belong to such a block."""
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
