"""A Dask scheduler and workers, each a process of its own."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.support.effort import PATIENCE

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Cluster:
    """Where the scheduler is, and its process and those of the workers."""

    address: str
    scheduler: subprocess.Popen[bytes]
    workers: list[subprocess.Popen[bytes]]


@contextlib.contextmanager
def cluster(folder: Path, workers: int = 2) -> Iterator[Cluster]:
    """A cluster of this machine whose workers are all there; no process is left of it."""
    import distributed  # half a second, which only whoever wants a cluster waits for

    told = folder / "scheduler.json"
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": folder}
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}

    def start(module: str, *options: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", f"distributed.cli.{module}", "--no-dashboard", *options]
        return subprocess.Popen(command, env=environment, **quiet)  # type: ignore[call-overload, no-any-return]

    started = [
        start("dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--scheduler-file", str(told))
    ]
    try:
        until = time.monotonic() + PATIENCE
        while not told.exists() and time.monotonic() < until:
            time.sleep(0.02)
        address = json.loads(told.read_text())["address"]
        own = ("--nthreads", "1", "--no-nanny", "--local-directory", str(folder))
        started += [start("dask_worker", address, *own) for _ in range(workers)]
        with distributed.Client(address, set_as_default=False) as client:
            client.wait_for_workers(workers, timeout=PATIENCE)
        yield Cluster(address, started[0], started[1:])
    finally:
        for process in started:
            process.kill()
        for process in started:
            process.wait()
