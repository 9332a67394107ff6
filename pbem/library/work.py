"""What one process makes of one file."""

from __future__ import annotations

import gc
import signal
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Generic, TypeVar

from pbem.errors import PbemError
from pbem.library.reading import read
from pbem.library.walk import Found, Skipped

Result = TypeVar("Result")
Work = Callable[[bytes], Result]
"""What is made of the bytes of one file: a function of a module, whose result can be pickled."""

COLLECT = 50_000
"""Objects that are made in a process before Python looks for circles among them: about half a game."""


@dataclass(frozen=True)
class Done(Generic[Result]):
    """What came of one file."""

    found: Found
    result: Result


def serve(work: Work[Result], wire: Connection) -> None:
    """What a process does: say that it is there, then one file after the other until nobody sends any more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # where a block is not handed down
    gc.set_threshold(COLLECT)
    with suppress(EOFError, OSError):
        wire.send(None)
        while True:
            wire.send(outcome_of(work, wire.recv()))


def outcome_of(work: Work[Result], found: Found) -> Done[Result] | Skipped:
    """One file read and worked on."""
    return outcome(found, guarded(lambda: work(read(found.path))))


@dataclass(frozen=True)
class Failure:
    """Why nothing came of a file."""

    reason: str


def guarded(work: Callable[[], Result]) -> Result | Failure:
    """The work on one file. A fault of ours, or of the machine, costs this file and is told with it."""
    try:
        return work()
    except PbemError as error:
        return Failure(str(error))
    except MemoryError:
        return Failure("there is not enough memory for it")
    except Exception as error:
        return Failure(f"the program failed on it: {type(error).__name__}: {error}")


def outcome(found: Found, made: Result | Failure) -> Done[Result] | Skipped:
    """What came of a file, with its name."""
    return Skipped(found.path, made.reason) if isinstance(made, Failure) else Done(found, made)
