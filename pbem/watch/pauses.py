"""Pauses that grow with every failure in a row, so that nobody calls a server that is down every
second, and nobody has the same mail a hundred times a day."""

from __future__ import annotations

import time

FIRST, LONGEST = 5.0, 900.0
"""Seconds."""
DAY = 86_400.0
_REFUSED = 60.0
"""Times as long as `FIRST` is the first pause of an address that was refused: five minutes."""


class Pause:
    """Begun with each attempt that failed: 5 seconds, twice as long each time, at most 15
    minutes."""

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


def of_doubtful(tries: int) -> float:
    """Seconds after so many attempts that may have sent a mail: 5, 10, 20, ... up to a day, so
    fifteen on the first day, and then one a day."""
    return min(DAY, FIRST * 2.0 ** min(tries - 1, 40))


def of_refused(tries: int) -> float:
    """Seconds after so many attempts at an address that was refused: 5 minutes, 10, 20, ... up to a
    day."""
    return min(DAY, _REFUSED * FIRST * 2.0 ** min(tries - 1, 40))
