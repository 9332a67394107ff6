"""Pauses that grow with every failure in a row, so that nobody calls a server that is down every second."""

from __future__ import annotations

import time

FIRST, LONGEST = 5.0, 900.0
"""Seconds."""


class Pause:
    """Begun with each attempt that failed: 5 seconds, twice as long each time, at most 15 minutes."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self._begun = 0.0

    def begin(self) -> float:
        """One more attempt has failed; how long to wait now, in seconds."""
        self.seconds = min(LONGEST, 2 * self.seconds) if self.seconds else FIRST
        self._begun = time.monotonic()
        return self.seconds

    def end(self) -> None:
        """An attempt went well."""
        self.seconds = 0.0

    def is_over(self) -> bool:
        """Whether the next attempt may be made."""
        return time.monotonic() - self._begun >= self.seconds
