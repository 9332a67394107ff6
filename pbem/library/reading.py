"""The bytes of one file, read once, as it stands at one moment."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from pbem import files
from pbem.errors import Usage
from pbem.fileformat.turnfile import BOM, MAX_MESSAGE, START

ATTEMPTS = 3
"""How often a file is read that changes meanwhile."""


def read(path: Path) -> bytes:
    """The bytes of a regular file of at most `MAX_MESSAGE`. Raises `Usage` without its path, which
    whoever tells of it puts before the reason."""
    try:
        for _ in range(ATTEMPTS):
            # a pipe may have taken its place since it was found
            with open(path, "rb", opener=files.at_once) as file:
                before = os.fstat(file.fileno())
                if not stat.S_ISREG(before.st_mode):
                    raise Usage("it is no plain file")
                data = file.read(MAX_MESSAGE + 1)
                after = os.fstat(file.fileno())
            if len(data) > MAX_MESSAGE:
                raise Usage(f"it is larger than {MAX_MESSAGE} bytes: this is not a turn file")
            if (before.st_size, before.st_mtime_ns) == (after.st_size, after.st_mtime_ns):
                return data
    except (OSError, ValueError) as error:
        raise Usage(reason_of(error)) from error
    raise Usage("it changes while it is read; once more when nobody writes to it")


def is_turn_file(data: bytes) -> bool:
    """Whether this is, or was, a turn file, and not another TOML file that lies beside them. What a
    turn file has lost, even all of it, makes it no other file."""
    return data.removeprefix(BOM).startswith(START) or b"[[entry]]" in data or not data.strip()


def reason_of(error: OSError | ValueError) -> str:
    """The system's word for why a path cannot be read."""
    if isinstance(error, OSError):
        return error.strerror or str(error)
    return "it has no usable name"
