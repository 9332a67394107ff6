"""`pbem verify --dask` with real games: one worker is killed from outside in the middle, and nothing differs."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from pbem.games import registry
from pbem.simulate.by_mail import play_by_mail
from pbem.simulate.policies import RandomPolicy
from tests.support.dask_cluster import ROOT, cluster
from tests.support.effort import PATIENCE

pytestmark = pytest.mark.slow
PLAYED, COPIES = 12, 25


@pytest.mark.skipif(os.name != "posix", reason="signals are POSIX's")
def test_a_worker_killed_in_the_middle_changes_nothing_of_what_is_told(
    tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    rules, games = registry.newest("tripoli"), tmp_path / "games"
    games.mkdir()
    for number in range(PLAYED):
        data = play_by_mail(rules, {}, RandomPolicy, f"{number}").data
        for copy in range(COPIES):
            changed = data if copy else data.replace(b"nonce", b"nunce", 1)
            (games / f"{copy:02}-{number:02}.toml").write_bytes(changed)
    command = [sys.executable, "-m", "pbem", "verify", "games", "--json"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    there = {"cwd": tmp_path, "env": environment, "encoding": "utf-8"}
    alone = subprocess.run(command, stdout=subprocess.PIPE, check=False, timeout=PATIENCE, **there)  # type: ignore[call-overload]
    with cluster(tmp_path) as machines:
        client = subprocess.Popen(  # type: ignore[call-overload]
            [*command, "--dask", machines.address], stdout=subprocess.PIPE, stderr=subprocess.PIPE, **there
        )
        first = client.stdout.readline()
        machines.workers[0].kill()
        rest, wrong = client.communicate(timeout=PATIENCE)
    assert (first + rest, wrong, client.returncode) == (alone.stdout, "", alone.returncode) and alone.returncode == 3
    lines = alone.stdout.splitlines()
    assert len(lines) == PLAYED * COPIES and sum('"bad"' in line for line in lines) == PLAYED
    record_property("figure", f"{len(lines)} games on a cluster of two workers, one killed: told as one machine tells")
