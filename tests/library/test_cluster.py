"""Work on a Dask cluster: a scheduler and two workers as processes of their own, and what else may
happen to one."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from pbem.errors import Usage
from pbem.library import cluster
from pbem.library.runner import each
from pbem.library.walk import FoundFile, Skipped
from pbem.library.work import Done
from pbem.version import exact
from tests.library.test_pool import files, told
from tests.library.works import obey
from tests.support.dask_cluster import ROOT
from tests.support.dask_cluster import cluster as dask_cluster
from tests.support.effort import PATIENCE

POSIX = pytest.mark.skipif(os.name != "posix", reason="signals are POSIX's")


@pytest.mark.dear("kills the workers of a cluster")
@POSIX
def test_a_worker_that_is_killed_in_the_middle_loses_nothing_and_nothing_counts_twice(
    tmp_path: Path,
) -> None:
    orders = [f"file {number}" for number in range(60)]
    orders[25] = f"once {tmp_path / 'killed'}"
    found: list[FoundFile | Skipped] = [
        *files(tmp_path, *orders),
        Skipped(tmp_path / "pipe", "it is a pipe"),
    ]
    found.insert(3, FoundFile(tmp_path / "gone.toml"))
    with dask_cluster(tmp_path) as machines:
        with each(obey, found, dask=machines.address) as outcomes:
            got = list(outcomes)
        ended = [worker.poll() for worker in machines.workers]
    expected = [*orders, "it is a pipe"]
    expected.insert(3, "No such file or directory")
    assert [told(one) for one in got] == expected
    assert sorted(map(str, ended)) == ["-9", "None"], (
        "one of the two was killed, and the other one did its work"
    )


@pytest.mark.dear("kills the workers of a cluster")
@POSIX
def test_results_that_lay_on_a_killed_worker_are_made_once_more(tmp_path: Path) -> None:
    """The client is stopped for four seconds, as a laptop is: meanwhile both workers finish what
    they have, and one of them is killed, so that results are lost which the client was told are
    there."""
    names, orders = tmp_path / "told", [f"slow 0.03 {number}" for number in range(160)]
    files(tmp_path, *orders)
    with dask_cluster(tmp_path) as machines:
        with names.open("w") as out:
            command = [sys.executable, "-m", "tests.library.works", str(tmp_path), machines.address]
            client = subprocess.Popen(
                command, stdout=out, env={**os.environ, "PYTHONPATH": str(ROOT)}
            )
        until = time.monotonic() + PATIENCE
        while not names.stat().st_size and time.monotonic() < until:
            time.sleep(0.01)
        client.send_signal(signal.SIGSTOP)
        time.sleep(4)
        machines.workers[0].kill()
        machines.workers[0].wait()
        time.sleep(0.5)
        client.send_signal(signal.SIGCONT)
        assert client.wait(timeout=PATIENCE) == 0
        assert machines.workers[1].poll() is None
    assert names.read_text().splitlines() == orders


@dataclass(eq=False)
class KilledWorker(Exception):
    """As Dask names it."""


@dataclass(eq=False)
class Future:
    """A batch that is done at once; `made` is what comes of it."""

    made: Any
    status: str = "finished"

    def add_done_callback(self, call: Callable[[Any], None]) -> None:
        call(self)

    def result(self, timeout: float) -> Any:
        if isinstance(self.made, Exception):
            raise self.made
        return self.made


class Client:
    """A cluster that does everything itself and at once, but not always."""

    status = "running"

    def __init__(
        self,
        refuse: Callable[[Sequence[bytes]], object] = lambda _files: None,
        status: str = "finished",
        lose: Sequence[str | TimeoutError] = (),
    ) -> None:
        self.refuse = refuse
        self.becomes = status
        self.lose = list(lose)
        self.batches: list[int] = []

    def nthreads(self) -> dict[str, int]:
        return {"worker": 1}

    def submit(self, run: Callable[..., Any], *given: Any, **_how: object) -> Future:
        files = given[2]
        self.batches.append(len(files))
        lost = self.lose.pop(0) if self.lose else None
        if isinstance(lost, TimeoutError):
            return Future(lost)
        return Future(self.refuse(files) or run(*given), lost or self.becomes)

    def cancel(self, futures: Sequence[object], force: bool) -> None:
        assert not futures or self.becomes == "cancelled"

    def close(self, timeout: float) -> None:
        self.status = "closed"


def outcomes(
    client: Client, found: Sequence[FoundFile | Skipped], monkeypatch: pytest.MonkeyPatch
) -> list[Done[tuple[str, int]] | Skipped]:
    monkeypatch.setattr(cluster, "connect", lambda _address: client)
    with each(obey, found, dask="tcp://host:1") as got:
        answers = list(got)
    assert client.status == "closed"
    return answers


def test_files_go_in_batches_and_their_outcomes_come_in_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    orders = [f"{number}" for number in range(40)]
    orders[7], orders[33] = "refuse it is late", "memory"
    large = "x" * (cluster.BATCH_BYTES // 2)
    client = Client()
    got = outcomes(client, files(tmp_path, *orders, large, large, large), monkeypatch)
    orders[7], orders[33] = "it is late", "there is not enough memory for it"
    assert [told(one) for one in got] == [*orders, large, large, large]
    assert client.batches == [16, 16, 10, 1]


def test_no_more_bytes_are_under_way_than_there_is_room_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "AHEAD_BYTES", 1)
    monkeypatch.setattr(cluster, "BATCH_FILES", 1)
    monkeypatch.setattr(cluster, "AHEAD", 100)
    most = 0
    room = cluster._ClusterRun._has_room

    def has_room(run: Any) -> bool:
        nonlocal most
        most = max(most, len(run.futures))
        return room(run)

    monkeypatch.setattr(cluster._ClusterRun, "_has_room", has_room)
    assert [
        told(one) for one in outcomes(Client(), files(tmp_path, *"abcdef"), monkeypatch)
    ] == list("abcdef")
    assert most == 1


def test_a_file_that_kills_each_worker_costs_itself_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = Client(lambda files: KilledWorker() if b"deadly" in files else None)
    got = outcomes(client, files(tmp_path, "a", "b", "deadly", "c"), monkeypatch)
    reason = "the cluster gave it up: each worker that had it was killed"
    assert [told(one) for one in got] == ["a", "b", reason, "c"]


def test_a_worker_of_another_version_is_no_worker(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = Client(lambda _files: cluster.run_batch(obey, "0.0.1", []))
    with pytest.raises(Usage, match=re.escape(exact())):
        outcomes(client, files(tmp_path, "a"), monkeypatch)
    assert client.status == "closed"


def test_a_batch_whose_outcome_is_lost_is_sent_once_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = Client(lose=["lost", "pending", TimeoutError()])
    assert [told(one) for one in outcomes(client, files(tmp_path, *"abc"), monkeypatch)] == [
        "a",
        "b",
        "c",
    ]
    assert client.batches == [3, 3, 3, 3]


def test_an_outcome_that_never_gets_here_costs_its_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = Client(lambda files: TimeoutError() if b"a" in files else None)
    lost, got = outcomes(client, files(tmp_path, *"ab"), monkeypatch)
    assert isinstance(lost, Skipped) and lost.is_unread and told(got) == "b"
    assert client.batches == [2, 2, 2, 1, 1, 1, 1]


def test_a_cluster_that_goes_away_is_told_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = Client(status="cancelled")
    with pytest.raises(Usage, match=" 0 files"):
        outcomes(client, files(tmp_path, "a", "b"), monkeypatch)
    assert client.status == "closed"


@pytest.mark.parametrize(
    "address",
    [
        "",
        "host",
        "inproc://host:1",
        "tcp://host",
        "tcp://a b:1",
        "tcp://\x1b[2J:1",
        "tcp://-:99999999",
    ],
)
def test_what_is_no_address_is_refused_before_dask_sees_it(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "import_module", lambda _name: pytest.fail("it was loaded"))
    with pytest.raises(Usage) as refused:
        cluster.connect(address)
    assert str(refused.value).isprintable()


def test_without_dask_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> object:
        raise ModuleNotFoundError(f"No module named '{name}'")

    monkeypatch.setattr(cluster, "import_module", missing)
    with pytest.raises(Usage) as refused:
        cluster.connect("tls://club.example.org:8786")
    assert "'dask" in str(refused.value)
