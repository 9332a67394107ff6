"""Paths as the library keeps them: seen from its folder, with `/` between, in text that every
program can read."""

from __future__ import annotations

import re
from pathlib import Path

_ESCAPED = re.compile(r"\\(?:\\|x([0-9a-f]{2}))")


def written(folder: Path, path: Path) -> str:
    """A path below the folder: a backslash doubled, a byte that is no UTF-8 as `\\xff`. Raises
    `ValueError` if it cannot be written so."""
    # relative_to takes eight times as long, and each question asks this of every file
    start = folder.parts
    if path.parts[: len(start)] != start:
        raise ValueError(f"{path} is not in {folder}")
    text = "/".join(path.parts[len(start) :]).replace("\\", "\\\\") or "."
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def read(folder: Path, name: str) -> Path:
    """The opposite of `written`."""
    return folder / _ESCAPED.sub(
        lambda match: chr(0xDC00 + int(match[1], 16)) if match[1] else "\\", name
    )
