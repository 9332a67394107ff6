"""How long a test waits, and what a piece of work costs, on a machine that may be busy with other
things."""

from __future__ import annotations

import os
import time
from collections.abc import Callable

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


def examples(count: int) -> settings:
    """How many examples a property test has: three times as many in `./run slow`, which has others
    with each run."""
    return settings(max_examples=count if settings.default.derandomize else 3 * count)
