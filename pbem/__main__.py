"""What `pbem` and `python -m pbem` start: one command, and the end of its process.

A command lives for some tenths of a second. In that time Python would look a dozen times for objects that only refer to
each other, and at the end take everything apart: together a sixth of what a player waits for.
"""

from __future__ import annotations

import contextlib
import gc
import os
import sys
from typing import NoReturn

MADE = 250_000
"""Objects that are made before Python looks for such circles among them: more than a turn makes, while a long
simulation goes on looking."""
FOREIGN = ("simulate", "send", "fetch")
"""Commands that may run other people's code (a policy, a keyring), which may have something to do at the end. So may
any command whose game comes with a plug-in."""


def main() -> NoReturn:
    """Run the command that was typed and leave with its exit code."""
    gc.set_threshold(MADE)
    from pbem.cli.app import run

    code: object = 0
    try:
        run()
    except SystemExit as end:
        code = end.code
    has_plugins = "pbem.games.plugins" in sys.modules
    is_watched = sys.gettrace() is not None or sys.getprofile() is not None
    if is_watched or has_plugins or not set(FOREIGN).isdisjoint(sys.argv[1:2]) or not isinstance(code, int):
        raise SystemExit(code)
    leave(code)


def leave(code: int) -> NoReturn:
    """End the process at once. Our own files are closed when a command is done; what was printed is written out here,
    and what could not be printed was reported before (`pbem.cli.streams`)."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):
            stream.flush()
    os._exit(code)


if __name__ == "__main__":
    main()
