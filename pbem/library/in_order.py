"""Files that are worked on in any order, and what came of them in the order in which they were
found."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Generic, TypeVar

from pbem.library.walk import FoundFile, Skipped

Outcome = TypeVar("Outcome")


class InOrder(Generic[Outcome]):
    """Gives each file a number when it is taken, and keeps what came of it until that of all
    earlier files is told."""

    def __init__(self, found: Iterator[FoundFile | Skipped]) -> None:
        self._found = found
        self._kept: dict[int, Outcome | Skipped] = {}
        self._taken = 0
        self._is_exhausted = False
        self.told = 0
        """How many outcomes were told."""

    def take(self, window: int) -> tuple[int, FoundFile] | None:
        """The next file that is to be worked on, with its number; None at the end, or where so many
        files are taken and not told. What was left out on the way to it has its outcome."""
        while not self._is_exhausted and self._taken < self.told + window:
            one = next(self._found, None)
            if one is None:
                self._is_exhausted = True
                return None
            number, self._taken = self._taken, self._taken + 1
            if isinstance(one, FoundFile):
                return number, one
            self._kept[number] = one
        return None

    def put(self, number: int, outcome: Outcome | Skipped) -> None:
        """What came of a file."""
        self._kept[number] = outcome

    def ready(self) -> Iterator[Outcome | Skipped]:
        """The outcomes that wait for no earlier one."""
        while self.told in self._kept:
            self.told += 1
            yield self._kept.pop(self.told - 1)

    def is_done(self) -> bool:
        """Whether every file is told."""
        return self._is_exhausted and self.told == self._taken
