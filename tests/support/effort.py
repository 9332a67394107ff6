"""How long a test waits, and what a piece of work costs, on a machine that may be busy with other
things."""

from __future__ import annotations

import contextlib
import ctypes
import gc
import os
import re
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path

from hypothesis import settings

PATIENCE = 600
"""Seconds after which a program that does not end is given up."""
UNAIDED = bool(os.environ.get("PBEM_TESTS_UNAIDED"))
"""Whether nothing of `tests/support/known_*` is in place, as in `./run slow unaided`: each proof is
made and checked, each picture drawn, each template compiled as often as the program does it."""


def processor_seconds(work: Callable[[], object]) -> float:
    """What this process itself spends on the work; how long that takes depends on who else uses the
    machine."""
    start = time.process_time()
    work()
    return time.process_time() - start


def processor_seconds_and_bytes(work: Callable[[], object]) -> tuple[float, int]:
    """What the work costs this process, and by how much its memory grows meanwhile at the most.

    Linux says the most memory of a process since that was forgotten last (proc(5), clear_refs).
    What earlier work has freed and the allocator has kept is given back before, since work that is
    served from it grows nothing: glibc keeps up to 64 MB (mallopt(3), M_TRIM_THRESHOLD).
    Elsewhere Python counts what it allocates, and is slower by ten times while it does."""
    if not _FORGET.exists():
        tracemalloc.start()
        spent = processor_seconds(work)
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return spent, most
    gc.collect()
    with contextlib.suppress(AttributeError):  # another C library, that has none
        ctypes.CDLL(None).malloc_trim(0)
    _FORGET.write_text("5")
    before = _most_memory()
    spent = processor_seconds(work)
    return spent, _most_memory() - before


_FORGET = Path("/proc/self/clear_refs")


def _most_memory() -> int:
    (kilobytes,) = re.findall(r"VmHWM:\s+(\d+) kB", Path("/proc/self/status").read_text("ascii"))
    return 1024 * int(kilobytes)


def examples(count: int) -> settings:
    """How many examples a property test has: three times as many in `./run slow`, which has others
    with each run."""
    return settings(max_examples=count if settings.default.derandomize else 3 * count)
