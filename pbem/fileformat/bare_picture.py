"""Pictures that go with a turn, without what a camera or a program wrote beside the picture: where
and when it was taken, with what, by whom.

PNG and JPEG are taken apart by their structure and put together again from the parts that hold the
picture, byte for byte; nothing is decoded, so a hostile file finds no decoder here, and no library
is needed. What follows the end of a picture (a film, a second picture) goes too. Sources: PNG
Specification (Third Edition), 5 and 11; ITU-T T.81, B.1; Exif 2.32, 4.6.4 (orientation)."""

from __future__ import annotations

import re
import struct
import zlib
from collections.abc import Iterator
from typing import NamedTuple

PNG = b"\x89PNG\r\n\x1a\n"
JPEG = b"\xff\xd8\xff"
_CHUNKS = (b"IHDR", b"PLTE", b"tRNS", b"IDAT", b"IEND", b"gAMA", b"sRGB", b"cHRM", b"sBIT")
"""What is kept of a PNG: the picture, and its colours where these are numbers."""
_LARGEST_NUMBERS = 32
"""The most bytes of a chunk of numbers about colours: none can hold a text worth telling."""
MOST_DOTS, LONGEST_SIDE = 25_000_000, 10_000
"""Of a picture that a browser is asked to draw."""
MOST_PARTS = 20_000
"""Chunks of a PNG, or segments of a JPEG, that are looked at; real ones have some hundreds."""
MOST_SCANS = 100
"""Scans of a JPEG: those that grow clearer have ten, and each is work for whoever draws it."""
_FRAMES = (0xC0, 0xC1, 0xC2)
_TABLES = (0xC4, 0xDB, 0xDD)
_SCAN, _END, _EXIF, _ADOBE, _COMMENT = 0xDA, 0xD9, 0xE1, 0xEE, 0xFE
_MARKER = re.compile(rb"\xff+([^\x00\xff])")
_AFTER_SCAN = re.compile(rb"\xff+[^\x00\xff\xd0-\xd7]")
"""The next marker behind the data of a scan, in which 0xff is followed by 0 or a restart."""


class NotWhole(ValueError):
    """The file begins like a picture, and is none that can be taken apart."""


def other_kind(data: bytes) -> str:
    """What a picture is called of which nothing can be left out here: HEIC (and AVIF, by its
    brand) and WebP; empty for anything else. Sources: ISO/IEC 14496-12, 4.3; ISO/IEC 23008-12;
    the container specification of WebP."""
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "WebP"
    if data[4:8] != b"ftyp":
        return ""
    brands = {data[8:12], *(data[at : at + 4] for at in range(16, min(64, _number(data, 0)), 4))}
    if brands & {b"avif", b"avis"}:
        return "AVIF"
    return "HEIC" if brands & {b"heic", b"heix", b"hevc", b"mif1", b"msf1", b"heif"} else ""


def bare(data: bytes) -> bytes:
    """The same picture without anything beside it; bytes of another kind as they are. Raises
    `NotWhole`."""
    if data.startswith(PNG):
        return PNG + b"".join(_chunks(data))
    if data.startswith(JPEG):
        return b"".join(_segments(data))
    return data


def size_of(data: bytes) -> tuple[int, int] | None:
    """How many dots a picture is wide and high, as it is looked at: one that is stored on its side
    is turned. None for bytes of another kind, or of which that cannot be read."""
    try:
        if data.startswith(PNG):
            wide, high = struct.unpack_from(">II", next(_chunks(data)), 8)
        elif data.startswith(JPEG):
            wide, high = _size_in_frame(data)
        else:
            return None
    except (NotWhole, struct.error):
        return None
    return (wide, high) if wide and high else None


class BoardPicture(NamedTuple):
    """A picture that may be shown as somebody's board, and how many dots it is wide and high."""

    data: bytes
    size: tuple[int, int]


def as_board(data: bytes) -> BoardPicture | None:
    """These bytes as such a picture; None if they are none."""
    size = board_size(data)
    return None if size is None else BoardPicture(data, size)


def board_size(data: bytes) -> tuple[int, int] | None:
    """The size of a picture that may be shown as somebody's board; None for one that is none, or
    would take too much memory of whoever draws it."""
    size = size_of(data)
    fits = size and max(size) <= LONGEST_SIDE and size[0] * size[1] <= MOST_DOTS
    return size if fits else None


def _size_in_frame(data: bytes) -> tuple[int, int]:
    """The size in the frame of a JPEG. Raises `NotWhole` or `struct.error`."""
    turned = 0
    for segment in _segments(data):
        if segment[1] == _EXIF:
            turned = _orientation(segment[4:])
        elif segment[1] in _FRAMES:
            high, wide = struct.unpack_from(">HH", segment, 5)
            return (high, wide) if turned >= 5 else (wide, high)
    raise NotWhole("there is no picture in it")


def _chunks(data: bytes) -> Iterator[bytes]:
    at, name, parts = len(PNG), b"", 0
    while name != b"IEND":
        parts += 1
        if parts > MOST_PARTS:
            raise NotWhole("it has more parts than a picture has")
        begun, first = at, name == b""
        if at + 12 > len(data):
            raise NotWhole("it breaks off")
        size, name = struct.unpack_from(">I4s", data, at)
        at += 12 + size
        if at > len(data) or zlib.crc32(data[begun + 4 : at - 4]) != _number(data, at - 4):
            raise NotWhole("a part of it is damaged")
        if first != (name == b"IHDR") or (first and size != 13):
            raise NotWhole("its head is damaged")
        if name not in _CHUNKS:
            if not name[0] & 0x20:
                raise NotWhole("it has a part that nobody can leave out")
            continue
        if name not in (b"IDAT", b"PLTE", b"tRNS") and size > _LARGEST_NUMBERS:
            continue
        yield data[begun:at]


def _number(data: bytes, at: int) -> int:
    return int.from_bytes(data[at : at + 4], "big")


def _segments(data: bytes) -> Iterator[bytes]:
    """The segments of a JPEG that are kept. One that is stored turned says so still."""
    at, kept, turned, scans, parts = 2, list[bytes](), 0, 0, 0
    while True:
        marker, at = _marker(data, at)
        parts += 1
        if parts > MOST_PARTS or scans > MOST_SCANS:
            raise NotWhole("it has more parts than a picture has")
        if marker == _END:
            break
        size = int.from_bytes(data[at : at + 2], "big")
        body = data[at + 2 : at + size]
        if size < 2 or len(body) != size - 2:
            raise NotWhole("it breaks off")
        at += size
        if marker == _EXIF:
            turned = turned or _orientation(body)
        elif marker in _FRAMES or marker in _TABLES:
            kept.append(_segment(marker, body))
        elif marker == _ADOBE:
            if body.startswith(b"Adobe") and len(body) == 12:  # how its colours are meant
                kept.append(_segment(marker, body))
        elif marker == _SCAN:
            end = _AFTER_SCAN.search(data, at)
            if end is None:
                raise NotWhole("it breaks off")
            kept.append(_segment(marker, body) + data[at : end.start()])
            at, scans = end.start(), scans + 1
        elif not (0xE0 <= marker <= 0xEF or marker == _COMMENT):
            raise NotWhole("it has a part that nobody can leave out")
    if not scans:
        raise NotWhole("there is no picture in it")
    yield b"\xff\xd8"
    if turned:
        yield _segment(_EXIF, _EXIF_HEAD + struct.pack(">HHIHHI", 0x0112, 3, 1, turned, 0, 0))
    yield from kept
    yield b"\xff\xd9"


def _marker(data: bytes, at: int) -> tuple[int, int]:
    """The marker at this place, before which any number of 0xff may stand, and where it ends."""
    match = _MARKER.match(data, at)
    if match is None:
        raise NotWhole("it breaks off")
    return match[1][0], match.end()


def _segment(marker: int, body: bytes) -> bytes:
    return bytes((0xFF, marker)) + (len(body) + 2).to_bytes(2, "big") + body


_EXIF_HEAD = b"Exif\0\0MM\0\x2a\0\0\0\x08\0\x01"
"""An Exif block of one field, up to that field."""


def _orientation(body: bytes) -> int:
    """How a picture is stored, 2 to 8 of Exif; 0 for upright, or where nothing says so."""
    if not body.startswith((b"Exif\0\0MM\0\x2a", b"Exif\0\0II\x2a\0")):
        return 0
    order, tiff = ">" if body[6:8] == b"MM" else "<", body[6:]
    try:
        (first,) = struct.unpack_from(f"{order}I", tiff, 4)
        (count,) = struct.unpack_from(f"{order}H", tiff, first)
        for field in range(first + 2, first + 2 + 12 * min(count, 100), 12):
            tag, kind, many, value = struct.unpack_from(f"{order}HHIH", tiff, field)
            if (tag, kind, many) == (0x0112, 3, 1):
                return value if 2 <= value <= 8 else 0
    except struct.error:
        pass
    return 0
