"""The one entrance for every command that works on many files: it chooses where the work is
done."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager

from pbem.library import pool
from pbem.library.walk import FoundFile, Skipped
from pbem.library.work import Done, Result, Work


def count_processors() -> int:
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def each(
    work: Work[Result],
    found: Iterable[FoundFile | Skipped],
    jobs: int | None = None,
    dask: str | None = None,
) -> AbstractContextManager[Iterator[Done[Result] | Skipped]]:
    """The outcomes of the files, in the order in which they were found, as they come: from `jobs`
    processes of this machine, by default one for each processor (`pbem.library.pool.each`), or from
    the Dask cluster at this address (`pbem.library.cluster.each`).

    Use it as `with each(work, walk(paths)) as outcomes:`; leaving the context ends every process,
    or leaves the cluster. `work` is a function of a module, which gets the bytes of one file.
    Raises `Usage`.
    """
    if dask is not None:
        from pbem.library import cluster  # only where a cluster does the work

        return cluster.each(work, found, dask)

    return pool.each(work, found, jobs or count_processors())
