"""Each picture is drawn once in a process: most games of the tests begin with the same positions.
Mails are given one that only looks like a picture from outside, but for the tests that ask for
`true_pictures`.

A picture follows from its drawing and its width alone, and from the library, which some tests take
away or replace. To draw one takes longer than all the rest of a turn, and nearly every mail of a
test has another.
"""

from __future__ import annotations

import re
import struct
import sys
import zlib
from functools import lru_cache
from typing import Any

from pbem.mail import compose
from pbem.report import picture
from tests.support.effort import UNAIDED

KEPT = 256
"""Pictures that are remembered; one takes about 60 kB."""

LIBRARIES = ("resvg", "resvg_py")

PROGRAM = (
    "from tests.support import known_pictures; known_pictures.install(); from pbem.__main__ import"
    " main; main()"
)
"""`python -c PROGRAM ...` from the root of the checkout is `python -m pbem ...` that draws no
picture for a mail."""

_draw = picture.png
true_drawn = compose._png
"""What a mail is given by the program."""


@lru_cache(KEPT)
def _png(drawing: str, width: int, _used: tuple[Any, ...]) -> bytes:
    return _draw(drawing, width)


def _png_once(drawing: str, width: int = picture.PNG_WIDTH) -> bytes:
    missing = [name for name in LIBRARIES if name in sys.modules and sys.modules[name] is None]
    return _png(drawing, width, (picture._drawer, picture._with_palette, *missing))


@lru_cache(KEPT)
def _like_a_picture(drawing: str | None, width: int) -> bytes | None:
    """A white PNG of the size in dots that the drawing would have, and about as many bytes. A
    drawing that cannot be drawn is refused as ever."""
    if drawing is None:
        return None
    try:
        picture._check(drawing, width)
    except ValueError:
        return true_drawn(drawing, width)
    across, down = (
        float(found) for found in re.findall(r'(?:width|height)="([0-9.]+)', drawing)[:2]
    )
    height = max(1, round(down * width / across))
    rows = zlib.compress(bytes((1 + (width + 7) // 8) * height))
    length = round(min(62 * height, 4 * len(drawing) * width / picture.PNG_WIDTH))
    head = struct.pack(">IIBBBBB", width, height, 1, 3, 0, 0, 0)
    chunks = [
        (b"IHDR", head),
        (b"PLTE", b"\xff\xff\xff"),
        (b"tsTs", bytes(length)),
        (b"IDAT", rows),
        (b"IEND", b""),
    ]
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(name, data) for name, data in chunks)


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def install() -> None:
    """From now on, in this process, unless the run is unaided."""
    if UNAIDED:
        return
    picture.png = _png_once
    compose._png = _like_a_picture
