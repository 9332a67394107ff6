"""How long a test waits, and what a piece of work costs, on a machine that may be busy with other
things."""

from __future__ import annotations

import time
from collections.abc import Callable

from hypothesis import settings

PATIENCE = 600
"""Seconds after which a program that does not end is given up."""


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
