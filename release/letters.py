"""Writes pbem/report/data/ChartSans-Bold.woff, the letters of the page that replays a game, from
the TrueType file beside it: `python -m release.letters`.

WOFF 1.0 (W3C Recommendation of 2012, sections 3 to 5) holds the same tables, each packed by zlib:
the page is 15 kB shorter. The file is kept, and not made with each page, because not every zlib
packs the same way.
"""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

LETTERS = Path(__file__).parents[1] / "pbem" / "report" / "data" / "ChartSans-Bold.ttf"
_HEADER, _ENTRY = struct.Struct(">4sIIHHIHHIIIII"), struct.Struct(">4sIIII")


def tables(ttf: bytes) -> list[tuple[bytes, int, bytes]]:
    """The tables of a TrueType file in the order of their tags: tag, checksum, contents."""
    count = struct.unpack_from(">H", ttf, 4)[0]
    found = [struct.unpack_from(">4sIII", ttf, 12 + 16 * number) for number in range(count)]
    return sorted(
        (tag, checksum, ttf[start : start + length]) for tag, checksum, start, length in found
    )


def woff(ttf: bytes) -> bytes:
    """The same font as WOFF."""
    found = tables(ttf)
    start = _HEADER.size + _ENTRY.size * len(found)
    directory, body, whole = b"", b"", 12 + 16 * len(found)
    for tag, checksum, data in found:
        contents = min(zlib.compress(data, 9), data, key=len)
        directory += _ENTRY.pack(tag, start + len(body), len(contents), len(data), checksum)
        body += contents + bytes(-len(contents) % 4)
        whole += len(data) + -len(data) % 4
    header = (
        b"wOFF",
        *struct.unpack_from(">I", ttf),
        start + len(body),
        len(found),
        0,
        whole,
        1,
        0,
        0,
        0,
        0,
        0,
        0,
    )
    return _HEADER.pack(*header) + directory + body


if __name__ == "__main__":
    LETTERS.with_suffix(".woff").write_bytes(woff(LETTERS.read_bytes()))
