"""What `pbem` and `python -m pbem` start: one command, and the end of its process.

A command lives for some tenths of a second. In that time Python would look a dozen times for objects that only refer to
each other, and at the end take everything apart: together a sixth of what a player waits for.
"""

from __future__ import annotations

import gc
import os
import sys
from typing import NoReturn

OBJECTS = 250_000
"""Made before Python looks for such objects again: more than a turn makes; long simulations go on looking."""


def main() -> NoReturn:
    """Run the command that was typed and leave with its exit code."""
    gc.set_threshold(OBJECTS)
    from pbem.cli import run

    try:
        run()
    except SystemExit as end:
        leave(end.code)
    leave(0)


def leave(code: object) -> NoReturn:
    """End the process at once. Every file is closed when a command is done; what was printed is written out here. What
    cannot be written out is left to Python, which says so."""
    if not isinstance(code, int):
        raise SystemExit(code)
    try:
        for stream in (sys.stdout, sys.stderr):
            if stream is not None and not stream.closed:
                stream.flush()
    except OSError as error:
        raise SystemExit(code) from error
    os._exit(code)


if __name__ == "__main__":
    main()
