"""How the process of a command begins and ends.

Imported before everything else, so it loads nothing itself.
"""

from __future__ import annotations

import contextlib
import gc
import os
import sys
from typing import NoReturn

MADE = 250_000
"""Objects that are made before Python looks for circles among them, that is for objects that only
refer to each other: more than a turn makes, while a long simulation goes on looking."""
FOREIGN = ("simulate", "send", "fetch")
"""Commands that may run other people's code (a policy, a keyring), which may have something to do
at the end. So may any command whose game comes with a plug-in."""


def collect_rarely() -> None:
    """From here on Python looks for circles once where it would look a dozen times."""
    gc.set_threshold(MADE)


def end(code: object) -> NoReturn:
    """End the process with this exit code, at once if nobody else's code is in it."""
    has_plugins = "pbem.games.plugins" in sys.modules
    is_watched = sys.gettrace() is not None or sys.getprofile() is not None
    if (
        is_watched
        or has_plugins
        or not set(FOREIGN).isdisjoint(sys.argv[1:2])
        or not isinstance(code, int)
    ):
        raise SystemExit(code)
    leave(code)


def leave(code: int) -> NoReturn:
    """End the process at once, where Python would take everything apart first. Our own files are
    closed when a command is done; what was printed is written out here, and what could not be
    printed was reported before (`pbem.cli.streams`)."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):
            stream.flush()
    os._exit(code)
