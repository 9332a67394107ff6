"""`pbem verify --dask` with real games: one worker is killed from outside in the middle, and
nothing differs."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import zlib
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from pbem.games import registry
from pbem.simulate.by_mail import play_by_mail
from pbem.simulate.policies import RandomPolicy
from tests.support.dask_cluster import ROOT, cluster
from tests.support.effort import PATIENCE

pytestmark = pytest.mark.slow
PLAYED, COPIES = 12, 25
PBEM = [sys.executable, "-m", "pbem"]


def rows(tables: Path) -> dict[str, tuple[int, int]]:
    """How many rows each table of a library has, and a checksum of them without the game's
    number."""
    with closing(sqlite3.connect(tables)) as database:
        found = {}
        for table in ("games", "players", "entries", "rolls", "cards", "positions", "files"):
            lines = sorted(
                repr(row[table != "files" :]) for row in database.execute(f"SELECT * FROM {table}")
            )
            found[table] = len(lines), zlib.crc32("\n".join(lines).encode())
    return found


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
    command = [*PBEM, "verify", "games", "--json"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    there = {"cwd": tmp_path, "env": environment, "encoding": "utf-8"}
    alone = subprocess.run(command, stdout=subprocess.PIPE, check=False, timeout=PATIENCE, **there)  # type: ignore[call-overload]
    tables = tmp_path / "games" / "library.sqlite"
    subprocess.run([*PBEM, "library", "games"], check=False, stdout=subprocess.DEVNULL, **there)  # type: ignore[call-overload]
    made = rows(tables)
    tables.unlink()
    with cluster(tmp_path) as machines:
        with subprocess.Popen(  # type: ignore[call-overload]
            [*command, "--dask", machines.address],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            **there,
        ) as client:
            first = client.stdout.readline()
            machines.workers[0].kill()
            rest, wrong = client.stdout.read(), client.stderr.read()
            client.wait(timeout=PATIENCE)
        again = [*PBEM, "library", "games", "--dask", machines.address]
        subprocess.run(again, check=False, stdout=subprocess.DEVNULL, **there)  # type: ignore[call-overload]
    assert rows(tables) == made and made["games"][0] == PLAYED
    assert (first + rest, wrong, client.returncode) == (
        alone.stdout,
        "",
        alone.returncode,
    ) and alone.returncode == 3
    lines = alone.stdout.splitlines()
    assert len(lines) == PLAYED * COPIES and sum('"bad"' in line for line in lines) == PLAYED
    record_property(
        "figure",
        f"{len(lines)} games on a cluster of two workers, one killed: told as one machine tells",
    )
