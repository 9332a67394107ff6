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
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import IntEnum
from io import BytesIO
from typing import NamedTuple, Protocol

from pbem.errors import with_hint
from pbem.fileformat.armor import MAX_BLOCK
from pbem.fileformat.turnfile import BOM, MAX_FILE


@dataclass
class Budget:
    """How much reading one mail may still cost."""

    parts: int = 200
    """Parts, attached mails and files that are opened."""
    delimiters: int = 20_000
    """Lines that begin like the end of a part."""
    markup: int = 1_500_000
    """Bytes of HTML from which tags and entities are taken out."""
    armored: int = MAX_BLOCK
    """Bytes between the marks of armors."""
    unpacked: int = MAX_FILE
    """Bytes that come out of zips and uuencoded blocks."""

    unread: set[int] = field(default_factory=set)
    """The forms in which its parts may hold a turn that cannot be read
    (`pbem.mail.unpack.Form`)."""

    def has_part(self) -> bool:
        """Count one part more; False if it is one too many."""
        self.parts -= 1
        return self.parts >= 0


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


class Form(IntEnum):
    """A form in which a mail or a file may hold a turn that is not read here; of several the first
    is named."""

    WINMAIL = 1
    LOCKED_ZIP = 2
    SEVEN_ZIP = 3
    RAR = 4
    PGP = 5
    SMIME = 6
    CLOUD = 7


_BEGINS = {
    b"\x78\x9f\x3e\x22": Form.WINMAIL,
    b"7z\xbc\xaf\x27\x1c": Form.SEVEN_ZIP,
    b"Rar!\x1a\x07": Form.RAR,
}
_PGP_BYTES = re.compile(rb"(?s)\A(?:[\x84\xc1].\x03|\x85..\x03|\xc1..\x03|[\x8c\xc3].[\x04-\x06])")
"""The packets with which an encrypted message begins: a session key, for a public key or a
passphrase (RFC 9580)."""
_PGP_TEXT = b"-----BEGIN PGP MESSAGE-----"
_CMS = re.compile(
    rb"(?s)\A0.{1,5}\x06(?:\x09\x2a\x86\x48\x86\xf7[\r\n]\x01\x07[\x02\x03]|\x0b\x2a\x86\x48\x86\xf7[\r\n]\x01\x09\x10\x01\x17)"
)
"""The types of signed, enveloped and authenticated enveloped data (RFC 5652, RFC 5083)."""
_CLOUD = re.compile(
    rb"(?i)https?://(?:[a-z0-9-]{1,63}\.){0,4}(?:drive\.google\.com|docs\.google\.com|1drv\.ms|onedrive\.live\.com"
    rb"|sharepoint\.com|dropbox\.com|dropboxusercontent\.com|icloud\.com|box\.com|mega\.nz|wetransfer\.com|we\.tl"
    rb"|pcloud\.link|proton\.me|disk\.yandex\.[a-z]{2,3}|swisstransfer\.com|magentacloud\.de)/"
)
_BY_ITSELF = "ask the sender for the turn file by itself, attached as it is, or in a plain zip"
_OPEN = (
    "ask the sender for a mail that is not encrypted: a turn tells nobody more than the other"
    " player may know"
)
_WORDS = {
    Form.WINMAIL: (
        "its attachments are packed into a winmail.dat, which is not read here",
        (
            "ask the sender to send it as plain text, not as rich text, or to put the turn file"
            " into a zip"
        ),
    ),
    Form.LOCKED_ZIP: (
        "there is an encrypted zip in it, which is not read here",
        f"{_BY_ITSELF} without a password",
    ),
    Form.SEVEN_ZIP: ("there is a 7z archive in it, which is not read here", _BY_ITSELF),
    Form.RAR: ("there is a rar archive in it, which is not read here", _BY_ITSELF),
    Form.PGP: (
        "it is encrypted with PGP, which is not read here",
        f"decrypt it with your own mail program and save the turn file, or {_OPEN}",
    ),
    Form.SMIME: (
        "it is encrypted, or signed as one block, with S/MIME, which is not read here",
        f"open it with your own mail program and save the turn file, or {_OPEN}",
    ),
    Form.CLOUD: (
        "there is a link to files of a cloud drive in it, and nothing is fetched from there",
        "download the turn file and give that, or ask the sender to attach it",
    ),
}


def note(content: bytes, budget: Budget) -> None:
    """Note in the budget of its mail that these bytes have such a form."""
    form = next((form for begin, form in _BEGINS.items() if content.startswith(begin)), None)
    if form is None and (_PGP_TEXT in content or _PGP_BYTES.match(content)):
        form = Form.PGP
    if form is None and _CMS.match(content):
        form = Form.SMIME
    if form is None and b"://" in content and _CLOUD.search(content):
        form = Form.CLOUD
    if form is not None:
        budget.unread.add(form)


def in_words(budget: Budget) -> str:
    """What a mail without a turn holds in its place, and what to do about it; empty if it has none
    of these forms."""
    if not budget.unread:
        return ""
    what, hint = _WORDS[Form(min(budget.unread))]
    return with_hint(what, hint)


UTF16 = (b"\xff\xfe", b"\xfe\xff")
_UNMARKED = "PBEM".encode("utf-16-le")
"""Stands at an even place where the low byte comes first, and at an odd one where it comes
second."""
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
    """The decoded bytes of base64, without padding too; empty if it is damaged otherwise."""
    for tail in (b"", b"=", b"=="):  # a part that was cut off, or that lost its padding
        try:
            return binascii.a2b_base64(b"".join((view, tail)) if tail else view)
        except binascii.Error:
            continue
    return b""


def as_utf8(content: bytes) -> bytes:
    """A text without its byte order mark; out of UTF-16 if its mark says so, or if it names a turn
    in it."""
    if len(content) <= MAX_FILE:
        if content[:2] in UTF16:
            return content.decode("utf-16", "replace").encode("utf-8", "replace")
        if (place := content.find(_UNMARKED)) >= 0:
            encoding = "utf-16-be" if place % 2 else "utf-16-le"
            return content.decode(encoding, "replace").encode("utf-8", "replace")
    return content.removeprefix(BOM)


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
