"""Each picture is drawn once in a process: most games of the tests begin with the same positions.

A picture follows from its drawing and its width alone, and from the library, which some tests take away or replace.
"""

from __future__ import annotations

import sys
from functools import lru_cache
from typing import Any

from pbem.report import picture

KEPT = 256
"""Pictures that are remembered; one takes about 60 kB."""

LIBRARIES = ("resvg", "resvg_py")

_draw = picture.png


@lru_cache(KEPT)
def _png(drawing: str, width: int, _used: tuple[Any, ...]) -> bytes:
    return _draw(drawing, width)


def _png_once(drawing: str, width: int = picture.PNG_WIDTH) -> bytes:
    missing = [name for name in LIBRARIES if name in sys.modules and sys.modules[name] is None]
    return _png(drawing, width, (picture._drawer, picture._with_palette, *missing))


def install() -> None:
    """From now on, in this process."""
    picture.png = _png_once
