"""Works on many files with a Dask cluster, for archives that are too large for one machine.

The files are read here and their bytes sent to the workers, so that a worker needs this program and
no folder that all machines share. What the scheduler and the workers say is believed: whoever runs
them could have them say anything, and run programs here (docs/library.md).
"""

from __future__ import annotations

import logging
import re
import warnings
from collections import deque
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from importlib import import_module
from queue import Empty, SimpleQueue
from time import monotonic
from typing import Any, Generic
from uuid import uuid4

from pbem.errors import PbemError, Typed, Usage
from pbem.library.pool import InOrder
from pbem.library.walk import FoundFile, Skipped, read
from pbem.library.work import Done, FailedFile, Result, Work, on_bytes, outcome
from pbem.version import exact

BATCH_FILES, BATCH_BYTES = 16, 1_000_000
"""Files and bytes that a worker gets at a time: enough for the sending to cost little beside the
work, and few enough to share out."""
AHEAD = 2
"""Batches that are under way at a time, for each thread of the cluster."""
AHEAD_BYTES = 100_000_000
"""Bytes of files that are under way at a time, however large the cluster is."""
WINDOW = 4
"""Batches, for each thread, whose outcomes may wait for that of an earlier file."""
CONNECT, ALONE = 15, 60
"""Seconds to wait until a cluster answers and has a worker, and seconds without any worker after
which it is given up."""
LOOK = 2
"""Seconds without an outcome after which the cluster is asked whether it is still there."""
FETCH, LATE = 20, 3
"""Seconds to wait for the outcome of a batch before it is sent again, and how often that may
happen."""
_DONE = ("finished", "error")
"""What Dask calls a batch that has an outcome, as long as the worker that holds it is there."""
_REASONS = {
    "KilledWorker": "each worker that had it was killed",
    "TimeoutError": "what came of it did not get here",
}
_ADDRESS = re.compile(r"(?:(?:tcp|tls)://)?(?:\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+):[0-9]{1,5}/?")
_TLS = "Dask's own configuration names the certificates: docs/library.md"
_LOGGERS = ("distributed", "tornado", "asyncio")


@dataclass(frozen=True)
class OtherVersion:
    """The answer of a worker that has another version of this program."""

    version: str


@dataclass
class Batch:
    """Files that are sent together, each with its number, path and bytes; `late`: how often their
    outcome did not arrive in time."""

    files: list[tuple[int, FoundFile, bytes]] = field(default_factory=list)
    size: int = 0
    late: int = 0

    def add(self, number: int, found: FoundFile, data: bytes) -> None:
        """Add a file."""
        self.files.append((number, found, data))
        self.size += len(data)

    def is_full(self) -> bool:
        """Whether the next file goes with another one."""
        return len(self.files) >= BATCH_FILES or self.size >= BATCH_BYTES


def run_batch(
    work: Work[Result], version: str, files: Sequence[bytes]
) -> list[Result | FailedFile] | OtherVersion:
    """What a worker does."""
    if version != exact():
        return OtherVersion(exact())
    return [on_bytes(work, data) for data in files]


@contextmanager
def each(
    work: Work[Result], found: Iterable[FoundFile | Skipped], address: str
) -> Iterator[Iterator[Done[Result] | Skipped]]:
    """The outcomes of the files in the order in which they were found, from the cluster whose
    scheduler has this address.

    A worker that is killed costs nothing: another one does its batch again, and of each file one
    outcome counts. A file that kills every worker that gets it is skipped. Raises `Usage` if there
    is no such cluster, if it is not made for this work, or when it goes away.
    """
    client = connect(address)
    run = _ClusterRun(client, work, address)
    try:
        with closing(run.outcomes(iter(found))) as outcomes:
            yield outcomes
    finally:
        with suppress(Exception):  # whatever it is, the cluster is left
            client.cancel(list(run.futures), force=True)
        with suppress(Exception):
            client.close(timeout=LOOK)


def connect(address: str) -> Any:
    """A client of the cluster, which has at least one worker. Raises `Usage`."""
    if not _ADDRESS.fullmatch(address):
        raise Usage(
            "this is no address of a Dask scheduler",
            hint=Typed("--dask tcp://host:8786, or tls://host:8786"),
        )
    try:
        distributed = import_module("distributed")
    except ImportError as error:
        raise Usage(
            f"Dask is not installed: {error}", hint="pipx inject pbem 'dask[distributed]'"
        ) from error
    for name in [one for one in logging.root.manager.loggerDict if one.startswith(_LOGGERS)]:
        # what goes wrong is told here, in one line
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    where = f"the Dask cluster at {address}"
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # versions that differ: what matters is looked at below
            client = distributed.Client(address, timeout=CONNECT, set_as_default=False, name="pbem")
    except Exception as error:  # a name, a port, a certificate: Dask has a kind of error for each
        hint = (
            _TLS
            if address.startswith("tls")
            else "start it with: dask scheduler; its first lines tell the address"
        )
        raise Usage(f"cannot reach {where}: {error or type(error).__name__}", hint=hint) from error
    try:
        client.wait_for_workers(1, timeout=CONNECT)
    except Exception as error:
        client.close(timeout=LOOK)
        raise Usage(
            f"{where} has no worker", hint=f"start some: dask worker {address} --nthreads 1"
        ) from error
    return client


class _ClusterRun(Generic[Result]):
    """The batches that are under way on a cluster."""

    def __init__(self, client: Any, work: Work[Result], address: str) -> None:
        self._client = client
        self._work = work
        self._where = f"the Dask cluster at {address}"
        self._threads = 1
        self._name = f"pbem-{uuid4().hex}"
        self._sent = self._count = 0
        self.futures: dict[Any, Batch] = {}
        self._results: SimpleQueue[Any] = SimpleQueue()
        self._again: deque[Batch] = deque()
        self._alone_since: float | None = None

    def outcomes(self, found: Iterator[FoundFile | Skipped]) -> Generator[Done[Result] | Skipped]:
        """The outcomes of the files in the order in which they were found."""
        self._look()
        order = InOrder[Done[Result]](found)
        while not order.is_done():
            while self._has_room() and (batch := self._next(order)):
                self._submit(batch)
            yield from order.ready()
            self._count = order.count
            if self.futures:
                self._receive(order)

    def _has_room(self) -> bool:
        """Whether the cluster may have one more batch."""
        size = sum(batch.size for batch in self.futures.values())
        return len(self.futures) < AHEAD * self._threads and size < AHEAD_BYTES

    def _next(self, order: InOrder[Done[Result]]) -> Batch | None:
        """The next batch to be sent; None if there is none, or too many outcomes wait already."""
        if self._again:
            return self._again.popleft()
        batch = Batch()
        while not batch.is_full() and (task := order.take(WINDOW * BATCH_FILES * self._threads)):
            number, found = task
            try:
                batch.add(number, found, read(found.path))
            except PbemError as error:
                order.put(number, Skipped(found.path, str(error)))
        return batch if batch.files else None

    def _submit(self, batch: Batch) -> None:
        """Send a batch."""
        self._sent += 1
        files, key = [data for *_, data in batch.files], f"{self._name}-{self._sent}"
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # that a file of many megabytes is large
            future = self._client.submit(run_batch, self._work, exact(), files, key=key, pure=False)
        self.futures[future] = batch
        future.add_done_callback(self._results.put)

    def _receive(self, order: InOrder[Done[Result]]) -> None:
        """Take the outcome of a batch, as soon as there is one. Raises `Usage` if the cluster is
        gone."""
        try:
            future = self._results.get(timeout=LOOK)
        except Empty:
            self._look()
            return
        self._alone_since = None
        batch = self.futures.pop(future)
        if future.status == "cancelled":
            raise self._gone()
        if future.status not in _DONE:  # what came of it lay on a worker that is not there any more
            self._once_more(batch)
            return
        try:
            made = future.result(timeout=FETCH)
        except Exception as error:
            batch.late += isinstance(error, TimeoutError)
            if isinstance(error, TimeoutError) and batch.late < LATE:
                self._once_more(batch)
            else:
                self._give_up(batch, error, order)
            return
        if isinstance(made, OtherVersion):
            what = f"a worker of {self._where} has pbem {made.version}, and this is {exact()}"
            raise Usage(what, hint="the same version on all machines")
        for (number, found, _), one in zip(batch.files, made, strict=True):
            order.put(number, outcome(found, one))

    def _once_more(self, batch: Batch) -> None:
        """Queue a batch whose outcome was lost. Raises `Usage` if the cluster is gone."""
        self._look()
        self._again.append(batch)

    def _give_up(self, batch: Batch, error: Exception, order: InOrder[Done[Result]]) -> None:
        """Handle a batch on which the cluster has given up: its files are sent one by one, and a
        file that was alone already is skipped."""
        if self._client.status != "running":
            raise self._gone() from error
        if len(batch.files) > 1:
            self._again.extend(Batch([one], len(one[2])) for one in batch.files)
            return
        [(number, found, _)] = batch.files
        reason = _REASONS.get(type(error).__name__, f"{type(error).__name__}: {error}")
        order.put(number, Skipped(found.path, f"the cluster gave it up: {reason}"))

    def _look(self) -> None:
        """Ask the cluster whether it is still there, and how many threads it has now. Raises
        `Usage` if it is gone, or has had no worker for too long."""
        try:
            threads = sum(self._client.nthreads().values())
        except Exception as error:
            raise self._gone() from error
        if self._client.status != "running":
            raise self._gone()
        self._threads = max(1, threads)
        if threads:
            self._alone_since = None
            return
        self._alone_since = self._alone_since or monotonic()
        if monotonic() - self._alone_since > ALONE:
            raise Usage(
                f"{self._where} has had no worker for {ALONE} seconds",
                hint="start some, and this once more",
            )

    def _gone(self) -> Usage:
        """The error for a cluster that is gone."""
        return Usage(
            f"{self._where} has gone away after {self._count:,} files",
            hint="the same command begins anew",
        )
