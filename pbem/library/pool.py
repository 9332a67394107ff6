"""Works on many files in several processes of this machine, and returns the outcomes in the order
in which the files were found.

Each process is a Pebble pool with a single process. So a process that is killed, even while it
sends, blocks none of the others and costs only the file that it had. The memory used here is
bounded, however many files there are.
"""

from __future__ import annotations

import pickle
import signal
import threading
from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import Future, InvalidStateError
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing, contextmanager, suppress
from multiprocessing import get_context, resource_tracker
from queue import Empty, SimpleQueue
from types import FrameType
from typing import Generic, TypeAlias, TypeVar

from pebble import ProcessExpired, ProcessPool

from pbem.errors import Typed, Usage
from pbem.library.walk import FoundFile, Skipped
from pbem.library.work import Done, FailedFile, Result, Work, begin, on_file, outcome

Outcome = TypeVar("Outcome")


class InOrder(Generic[Outcome]):
    """Numbers the files as they are taken, and keeps each outcome until those of all earlier files
    were returned."""

    def __init__(self, found: Iterator[FoundFile | Skipped]) -> None:
        self._found = found
        self._outcomes: dict[int, Outcome | Skipped] = {}
        self._next_number = 0
        self._is_exhausted = False
        self.count = 0
        """How many outcomes were returned."""

    def take(self, window: int) -> tuple[int, FoundFile] | None:
        """The next file to work on, with its number; None at the end, or if `window` files were
        taken whose outcomes were not returned yet. A path that was skipped on the way is its own
        outcome."""
        while not self._is_exhausted and self._next_number < self.count + window:
            one = next(self._found, None)
            if one is None:
                self._is_exhausted = True
                return None
            number, self._next_number = self._next_number, self._next_number + 1
            if isinstance(one, FoundFile):
                return number, one
            self._outcomes[number] = one
        return None

    def put(self, number: int, outcome: Outcome | Skipped) -> None:
        """Add the outcome of a file."""
        self._outcomes[number] = outcome

    def ready(self) -> Iterator[Outcome | Skipped]:
        """The outcomes that need not wait for an earlier one."""
        while self.count in self._outcomes:
            self.count += 1
            yield self._outcomes.pop(self.count - 1)

    def is_done(self) -> bool:
        """Whether the outcomes of all files were returned."""
        return self._is_exhausted and self.count == self._next_number


WINDOW = 32
"""Files, for each process, whose outcomes may wait for that of an earlier file."""
WAITING = 64_000_000
"""Bytes of pickled outcomes that wait: those of two thousand games of common length, or of a few as
large as the format allows. From then on no further file is begun, so only those under way can add
to it."""
MOST = 60
"""Processes at a time: more would gain nothing (docs/library.md), and each takes three threads
here."""
ATTEMPTS = 3
"""If so many processes in a row end before they begin, none can be started."""
LOOK = 1
"""Seconds without an outcome after which it is checked whether the processes are still there."""
_FEWER = Typed("fewer processes with --jobs, or less other work on this machine")


@contextmanager
def each(
    work: Work[Result], found: Iterable[FoundFile | Skipped], jobs: int
) -> Iterator[Iterator[Done[Result] | Skipped]]:
    """The outcomes of the files, in the order in which they were found, as they come. When the
    context is left, no process is left. A file that cannot be read or worked on, or whose process
    was killed, is skipped with the reason.

    `jobs` is the number of processes at most. Raises `Usage` if none can be started.
    """
    interrupts = _Interrupts()
    with interrupts.held_back():
        run = _PoolRun(work, min(jobs, MOST), interrupts)
        try:
            with closing(run.outcomes(iter(found))) as outcomes:
                yield outcomes
        finally:
            run.close()


_Task: TypeAlias = tuple[int, FoundFile]
_Made: TypeAlias = "tuple[FoundFile, bytes | FailedFile]"


class _Interrupts:
    """Ctrl-C while there are processes. `KeyboardInterrupt` is raised only where nothing is half
    done, so that each process that was started is known and gets ended; anywhere else it waits.
    After the first one all others wait until the processes have ended."""

    def __init__(self) -> None:
        self._may_be_raised = False
        self._was_raised = False
        self._waits = False

    @contextmanager
    def held_back(self) -> Iterator[None]:
        """Inside, an interrupt waits, except inside `may_be_raised`. One that still waits at the
        end is raised then."""
        before = signal.getsignal(signal.SIGINT)
        if threading.current_thread() is not threading.main_thread() or not callable(before):
            yield  # it is raised in no other thread, and not where it is ignored
            return
        signal.signal(signal.SIGINT, self._receive)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, before)
            if self._waits and not self._was_raised:
                raise KeyboardInterrupt

    def _receive(self, _number: int, _frame: FrameType | None) -> None:
        self._waits = True
        if self._may_be_raised:
            self._raise()

    @contextmanager
    def may_be_raised(self) -> Iterator[None]:
        """Inside, an interrupt is raised at once."""
        self._may_be_raised = not self._was_raised
        if self._waits and self._may_be_raised:
            self._raise()
        try:
            yield
        finally:
            self._may_be_raised = False

    def _raise(self) -> None:
        self._may_be_raised, self._was_raised = False, True
        raise KeyboardInterrupt


class _PoolRun(Generic[Result]):
    """The processes, and the files that they work on."""

    def __init__(self, work: Work[Result], jobs: int, interrupts: _Interrupts) -> None:
        self._work = work
        self._jobs = jobs
        self._interrupts = interrupts
        self._idle: list[ProcessPool] = []
        self._busy: dict[Future[bytes | FailedFile], tuple[ProcessPool, _Task]] = {}
        self._results: SimpleQueue[Future[bytes | FailedFile]] = SimpleQueue()
        self._again: list[_Task] = []
        """Files that were given to a process that had ended."""
        self._waiting = 0
        """Bytes of the outcomes that wait for that of an earlier file."""
        self._failed_starts = 0

    def outcomes(self, found: Iterator[FoundFile | Skipped]) -> Generator[Done[Result] | Skipped]:
        """The outcomes of the files in the order in which they were found."""
        order = InOrder[_Made](found)
        while not order.is_done():
            while len(self._busy) < self._jobs and (task := self._next(order)):
                self._submit(task)
            for one in order.ready():
                made = one if isinstance(one, Skipped) else self._unpickle(*one)
                with self._interrupts.may_be_raised():
                    yield made
            if self._busy:
                self._receive(order)

    def _next(self, order: InOrder[_Made]) -> _Task | None:
        """The next file to work on; None if there is none, or too many outcomes wait already."""
        if self._again:
            return self._again.pop()
        if self._waiting >= WAITING:
            return None
        # folders without turn files are gone through on the way to it
        with self._interrupts.may_be_raised():
            return order.take(WINDOW * self._jobs)

    def _unpickle(self, found: FoundFile, made: bytes | FailedFile) -> Done[Result] | Skipped:
        """The outcome of a file, for whoever asked for it."""
        if isinstance(made, FailedFile):
            return outcome(found, made)
        self._waiting -= len(made)
        return Done(found, pickle.loads(made))

    def _submit(self, task: _Task) -> None:
        """Give a file to an idle process, or to a new one. Raises `Usage` if the system can start
        none.

        Ctrl-C goes to every process of a terminal, and only this one is to handle it. So it is
        blocked while the others are started, which inherit the block.
        """
        idle = self._idle.pop() if self._idle else None
        pool = idle or ProcessPool(1, initializer=begin, context=get_context("spawn"))
        try:
            with _interrupts_blocked():
                future = pool.schedule(on_file, (self._work, task[1].path))
                self._busy[future] = pool, task
        # so Pebble says that the process has ended, or that none was started
        except RuntimeError as error:
            _end(pool)
            if idle:
                self._again.append(task)
            elif self._busy and isinstance(error.__cause__, OSError):
                self._jobs = len(self._busy)
                self._again.append(task)
            else:
                self._not_begun(task, error.__cause__ or error)
            return
        future.add_done_callback(self._results.put)

    def _receive(self, order: InOrder[_Made]) -> None:
        """Take the outcome of one file, as soon as there is one."""
        try:
            with self._interrupts.may_be_raised():
                future = self._results.get(timeout=LOOK)
        except Empty:
            for future, (pool, _) in self._busy.items():
                if not pool.active:  # it ended while the file was on its way to it
                    with suppress(InvalidStateError):  # something came of it after all
                        future.set_exception(BrokenProcessPool())
            return
        pool, (number, found) = self._busy.pop(future)
        error = future.exception()
        if error is None:
            made = future.result()
            self._idle.append(pool)
            self._waiting += len(made) if isinstance(made, bytes) else 0
            order.put(number, (found, made))
        else:
            _end(pool)
            if isinstance(error, BrokenProcessPool):
                self._not_begun((number, found), error)
                return
            order.put(number, Skipped(found.path, _reason(error)))
        self._failed_starts = 0

    def _not_begun(self, task: _Task, error: BaseException) -> None:
        """Queue a file whose process ended before it began. Raises `Usage` if no process can be
        started, or several in a row ended so."""
        if isinstance(error, OSError):
            raise Usage(
                f"cannot start a process: {error.strerror or error}", hint=_FEWER
            ) from error
        self._again.append(task)
        self._failed_starts += 1
        if self._failed_starts >= ATTEMPTS:
            raise Usage(
                "the processes that should work end before they begin", hint=_FEWER
            ) from error

    def close(self) -> None:
        """End every process, whatever it is doing."""
        _end(*self._idle, *(pool for pool, _ in self._busy.values()))


def _end(*pools: ProcessPool) -> None:
    for pool in pools:
        pool.stop()  # type: ignore[no-untyped-call]
    for pool in pools:
        pool.join()


@contextmanager
def _interrupts_blocked() -> Iterator[None]:
    """Inside, Ctrl-C is blocked; processes that are started here never get it."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # when it starts, it ends the block
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _reason(error: BaseException) -> str:
    """Why a file has no outcome though a process had begun with it."""
    if not isinstance(error, ProcessExpired):
        return f"the process that worked on it failed: {type(error).__name__}: {error}"
    code = error.exitcode
    if code is None or code >= 0:
        return f"the process that worked on it ended with exit code {code}"
    with suppress(ValueError):
        return f"the process that worked on it was killed ({signal.Signals(-code).name})"
    return f"the process that worked on it was killed (signal {-code})"
