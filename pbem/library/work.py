"""What one process makes of one file."""

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
"""What is made of the bytes of one file: a function of a module, whose result can be pickled."""

COLLECT = 50_000
"""Objects that are made in a process before Python looks for circles among them: about half a
game."""
COLLECT_BYTES = 1_000_000
"""Bytes of files after which it looks in any case. An error and the calls that it passed hold each
other, with all that they had read: few objects that Python counts, and many megabytes."""


@dataclass(frozen=True)
class Done(Generic[Result]):
    """What came of one file."""

    found: FoundFile
    result: Result


@dataclass(frozen=True)
class FailedFile:
    """Why nothing came of a file."""

    reason: str


def begin() -> None:
    """What a process does before its first file: what it has loaded is not looked through for
    circles again."""
    gc.set_threshold(COLLECT)
    gc.freeze()


def on_file(work: Work[Result], path: Path) -> bytes | FailedFile:
    """One file read and worked on, and the result as it goes to another process, pickled."""
    data = _without_errors(lambda: read(path))
    return (
        data
        if isinstance(data, FailedFile)
        else on_bytes(lambda data: pickle.dumps(work(data)), data)
    )


_bytes = 0
"""Of files since Python has last looked for circles because of them."""


def on_bytes(work: Work[Result], data: bytes) -> Result | FailedFile:
    """The work on one file that has been read."""
    global _bytes
    made = _without_errors(lambda: work(data))
    _bytes += len(data)
    if _bytes >= COLLECT_BYTES:
        _bytes = 0
        gc.collect()
    return made


def outcome(found: FoundFile, made: Result | FailedFile) -> Done[Result] | Skipped:
    """What came of a file, with its name."""
    return Skipped(found.path, made.reason) if isinstance(made, FailedFile) else Done(found, made)


def _without_errors(work: Callable[[], Result]) -> Result | FailedFile:
    """A fault of ours, or of the machine, costs this file and is told with it."""
    try:
        return work()
    except PbemError as error:
        return FailedFile(str(error))
    except MemoryError:
        return FailedFile("there is not enough memory for it")
    except Exception as error:
        return FailedFile(f"the program failed on it: {type(error).__name__}: {error}")
