"""The work on one file, as one process does it."""

from __future__ import annotations

import gc
import pickle
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

from pbem.errors import PbemError
from pbem.library.walk import FoundFile, Skipped, read

Result = TypeVar("Result")
Work = Callable[[bytes], Result]
"""Makes something of the bytes of one file: a function of a module, whose result can be pickled."""

COLLECT = 50_000
"""Objects that a process makes before Python looks for reference cycles among them: about half a
game."""
COLLECT_BYTES = 1_000_000
"""Bytes of files after which it looks in any case. An exception and the frames of its traceback
refer to each other and to all that was read: few objects for Python's count, and many megabytes."""


@dataclass(frozen=True)
class Done(Generic[Result]):
    """What came of one file."""

    found: FoundFile
    result: Result


@dataclass(frozen=True)
class FailedFile:
    """Why there is no outcome of a file."""

    reason: str


def begin() -> None:
    """Prepare a process for its first file: what it has loaded is not searched for reference cycles
    again."""
    gc.set_threshold(COLLECT)
    gc.freeze()


def on_file(work: Work[Result], path: Path) -> bytes | FailedFile:
    """Read one file and work on it; returns the pickled result, as it goes to another process."""
    data = _without_errors(lambda: read(path))
    return (
        data
        if isinstance(data, FailedFile)
        else on_bytes(lambda data: pickle.dumps(work(data)), data)
    )


_bytes = 0
"""Bytes of the files since Python last looked for reference cycles because of them."""


def on_bytes(work: Work[Result], data: bytes) -> Result | FailedFile:
    """Work on one file that was read already."""
    global _bytes
    made = _without_errors(lambda: work(data))
    _bytes += len(data)
    if _bytes >= COLLECT_BYTES:
        _bytes = 0
        gc.collect()
    return made


def outcome(found: FoundFile, made: Result | FailedFile) -> Done[Result] | Skipped:
    """The outcome of a file, with its path."""
    return Skipped(found.path, made.reason) if isinstance(made, FailedFile) else Done(found, made)


def _without_errors(work: Callable[[], Result]) -> Result | FailedFile:
    """The result of the work; an error of the program or the machine becomes a `FailedFile`."""
    try:
        return work()
    except PbemError as error:
        return FailedFile(str(error))
    except MemoryError:
        return FailedFile("there is not enough memory for it")
    except Exception as error:
        return FailedFile(f"the program failed on it: {type(error).__name__}: {error}")
