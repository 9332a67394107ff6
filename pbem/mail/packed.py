"""Files in a zip or a tar, and what gzip, bzip2 or xz made of one: each as much as the budget of
its mail allows.

What comes out is bounded before it is made, and so is the memory that it takes to make it.
"""

from __future__ import annotations

import bz2
import lzma
import zipfile
import zlib
from collections.abc import Callable, Iterator
from io import BytesIO
from typing import NamedTuple, Protocol

from pbem.mail.budget import Budget
from pbem.mail.unread_forms import Form

_ZIP, _ZIP_END, _ZIP64 = b"PK\x03\x04", b"PK\x05\x06", b"PK\x06\x07"
_ZIP_LIST = 10_000
"""Bytes of the list at the end of a zip: room for some hundred names."""
_END_SIZE, _LOCATOR_SIZE, _LONGEST_COMMENT = 22, 20, 65_535
_STORED, _DEFLATED, _BZIP2, _LZMA = 0, 8, 12, 14
_TAR, _TAR_BLOCK = b"ustar", 512
_MEMORY = 1 << 26
"""Bytes of the dictionary that LZMA may ask for: what its programs take at most."""
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
    """What the libraries' objects have that make a file of a compressed one."""

    @property
    def eof(self) -> bool: ...
    def decompress(self, data: bytes, max_length: int = -1) -> bytes: ...


class _Stream(NamedTuple):
    """A way to compress one file: how its bytes begin, and what unpacks them."""

    magic: bytes
    unpacker: Callable[[], _Unpacker]


_STREAMS = (
    _Stream(b"\x1f\x8b\x08", lambda: zlib.decompressobj(31)),
    _Stream(b"BZh", bz2.BZ2Decompressor),
    _Stream(b"\xfd7zXZ\0", lambda: lzma.LZMADecompressor(lzma.FORMAT_XZ, _MEMORY)),
)


def is_packed(content: bytes) -> bool:
    """Whether these bytes begin as a file of one of these kinds does."""
    return content.startswith((_ZIP, *(stream.magic for stream in _STREAMS))) or _is_tar(content)


def files_in(content: bytes, budget: Budget) -> Iterator[bytes]:
    """The files in it; none if it is damaged, locked, or too much."""
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
    """What comes out; None if it is more than may come."""
    made = unpacker.decompress(data, max(1, budget.unpacked + 1))
    budget.unpacked -= len(made)
    return made if budget.unpacked >= 0 else None


def _zipped(content: bytes, budget: Budget) -> Iterator[bytes]:
    """Only plain zips: a short list, the end where it says it is, and without the extensions for
    large ones, whose numbers the library would believe."""
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
    """The plain files of a tar, one header after the other (POSIX.1-1988): the library's reader
    takes very long over headers that are made for it."""
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
