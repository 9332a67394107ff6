"""Work on many files in several processes of this machine.

Each process has a wire of its own to this one, so that a process which is killed in the middle of anything blocks none
of the others: it costs the file it had. What is kept here at a time is bounded, however many files there are.
"""

from __future__ import annotations

import os
import pickle
import signal
from collections import deque
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from multiprocessing import get_context, resource_tracker
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from typing import Generic

from pbem.errors import Usage
from pbem.library.walk import Found, Skipped
from pbem.library.work import Done, Result, Work, serve

AHEAD = 2
"""Files that a process has at a time: the one it works on, and the next."""
WINDOW = 32
"""Files for each process whose outcomes may wait for that of an earlier file."""
WAITING = 64_000_000
"""Bytes of such outcomes, pickled: those of two thousand games of common length, or of a few files as large as
the format allows. From then on only the outcome that they wait for is taken, and the processes keep theirs."""
MOST = 60
"""Processes at a time: Windows waits for no more wires at once."""
ATTEMPTS = 3
"""Processes one after the other that end before they have begun until it is told that none can be started."""
_FEWER = "fewer processes with --jobs, or less other work on this machine"


def count_processors() -> int:
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@contextmanager
def each(
    work: Work[Result], found: Iterable[Found | Skipped], jobs: int | None = None
) -> Iterator[Iterator[Done[Result] | Skipped]]:
    """The outcomes of the files in the order in which they were found, as they come; when the context is left no
    process is. What cannot be read or worked on, and what a process had that was killed, is skipped with the reason.

    `jobs` is the number of processes, by default that of the processors. Raises `Usage` if no process can be started.
    """
    pool = _Pool(work, min(jobs or count_processors(), MOST))
    outcomes = pool.outcomes(iter(found))
    try:
        yield outcomes
    finally:
        outcomes.close()
        pool.close()


@dataclass
class _Worker:
    """One process, its wire, and the files it has, that which it works on first."""

    process: SpawnProcess
    wire: Connection
    held: deque[tuple[int, Found]] = field(default_factory=deque)
    is_ready: bool = False


class _Pool(Generic[Result]):
    def __init__(self, work: Work[Result], jobs: int) -> None:
        self._work = work
        self._jobs = jobs
        self._context = get_context("spawn")
        self._workers: list[_Worker] = []
        self._again: deque[tuple[int, Found]] = deque()
        """Files that a killed process had not begun with."""
        self._outcomes: dict[int, bytes | Skipped] = {}
        """What came of files behind one that is not done, by their numbers, as it was sent."""
        self._waiting = 0
        """The bytes of these."""
        self._told = 0
        self._taken = 0
        self._failed_starts = 0
        self._is_exhausted = False

    def outcomes(self, found: Iterator[Found | Skipped]) -> Generator[Done[Result] | Skipped]:
        while True:
            self._hand_out(found)
            while self._told in self._outcomes:
                yield self._tell(self._outcomes.pop(self._told))
            if self._told < self._taken:
                self._receive()
            elif self._is_exhausted:
                return

    def _tell(self, outcome: bytes | Skipped) -> Done[Result] | Skipped:
        """The next outcome, as it came from its process."""
        self._told += 1
        if isinstance(outcome, Skipped):
            return outcome
        self._waiting -= len(outcome)
        made: Done[Result] | Skipped = pickle.loads(outcome)
        return made

    def close(self) -> None:
        """End every process, whatever it is doing."""
        with _interrupts_blocked():
            for worker in self._workers:
                worker.process.kill()
            for worker in self._workers:
                worker.process.join()
                worker.process.close()
                worker.wire.close()
            self._workers.clear()

    def _hand_out(self, found: Iterator[Found | Skipped]) -> None:
        """Give every process as many files as it may have, evenly; start processes as long as there are files."""
        while (worker := self._least_busy()) or len(self._workers) < self._jobs:
            task = self._again.popleft() if self._again else self._next(found)
            if task is None:
                return
            worker = worker or self._start()
            if worker is None or not self._sent(worker, task):
                self._again.appendleft(task)

    def _sent(self, worker: _Worker, task: tuple[int, Found]) -> bool:
        """Whether a process has taken a file; it has not if it was killed meanwhile."""
        try:
            worker.wire.send(task[1])
        except OSError:
            self._bury(worker)
            return False
        worker.held.append(task)
        return True

    def _least_busy(self) -> _Worker | None:
        """A process that may have one more file: one with nothing to do, as long as more processes can be started."""
        least = min(self._workers, key=lambda worker: len(worker.held), default=None)
        most = AHEAD if len(self._workers) >= self._jobs else 1
        return least if least and len(least.held) < most else None

    def _start(self) -> _Worker | None:
        """One more process; none if the system has no room for more. Raises `Usage` if there is no other one either.

        An interrupt from the terminal goes to every process, and is this one's business alone: it is blocked while the
        others are started, which hands the block down to them.
        """
        ours, theirs = self._context.Pipe()
        process = self._context.Process(target=serve, args=(self._work, theirs), daemon=True)
        try:
            with _interrupts_blocked():
                process.start()
                self._workers.append(worker := _Worker(process, ours))
        except OSError as error:
            ours.close()
            if not self._workers:
                raise Usage(f"cannot start a process: {error.strerror or error}", hint=_FEWER) from error
            self._jobs = len(self._workers)
            return None
        finally:
            theirs.close()
        return worker

    def _receive(self) -> None:
        """Take what the processes have sent, once at least one has."""
        by_wire = {worker.wire: worker for worker in self._asked()}
        for wire in wait(list(by_wire)):
            worker = by_wire[wire]  # type: ignore[index]
            try:
                sent = worker.wire.recv_bytes()
            except (EOFError, OSError):
                self._bury(worker)
                continue
            if not worker.is_ready:  # this says no more than that it is
                worker.is_ready, self._failed_starts = True, 0
                continue
            number, _ = worker.held.popleft()
            self._outcomes[number] = sent
            self._waiting += len(sent)
            if self._waiting >= WAITING:
                return

    def _asked(self) -> list[_Worker]:
        """The processes that may send: all of them, or only the one that has the file for which too much waits."""
        if self._waiting >= WAITING:
            for worker in self._workers:
                if any(number == self._told for number, _ in worker.held):
                    return [worker]
        return self._workers

    def _bury(self, worker: _Worker) -> None:
        """A process has ended by itself: the file that it worked on is skipped, the next one goes to another process.
        Raises `Usage` if none has begun to work for some time."""
        self._workers.remove(worker)
        worker.process.kill()
        worker.process.join()
        if worker.is_ready and worker.held:
            number, one = worker.held.popleft()
            reason = f"the process that worked on it {_ended(worker.process.exitcode)}"
            self._outcomes[number] = Skipped(one.path, reason)
        self._again.extendleft(reversed(worker.held))
        worker.wire.close()
        worker.process.close()
        self._failed_starts += not worker.is_ready
        if self._failed_starts >= ATTEMPTS:
            raise Usage("the processes that should work end before they begin", hint=_FEWER)

    def _next(self, found: Iterator[Found | Skipped]) -> tuple[int, Found] | None:
        """The next file that is to be worked on, if one more may be waited for."""
        while self._taken < self._told + WINDOW * self._jobs:
            one = next(found, None)
            if one is None:
                self._is_exhausted = True
                return None
            number, self._taken = self._taken, self._taken + 1
            if isinstance(one, Found):
                return number, one
            self._outcomes[number] = one
        return None


@contextmanager
def _interrupts_blocked() -> Iterator[None]:
    """Ctrl-C waits, and processes that are started meanwhile never hear of it."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # when it starts, it ends the block
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _ended(code: int | None) -> str:
    """How a process ended."""
    if code is None or code >= 0:
        return f"ended with exit code {code}"
    with suppress(ValueError):
        return f"was killed ({signal.Signals(-code).name})"
    return f"was killed (signal {-code})"
