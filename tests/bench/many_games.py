"""A folder of many games of The Shores of Tripoli: verified by one process and by two. (What a
library of them costs: `tests.bench.library`.)

`python -m tests.bench.many_games 10000` takes the number of games, and a second word a folder that
keeps them for the next time. Whole runs of the program are measured, so that whatever happens
between the processes counts. Processor time is that of all processes; the largest of them tells how
much memory a worker takes.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from itertools import islice
from pathlib import Path
from time import perf_counter, process_time
from typing import NamedTuple

from pbem.library import pool, runner
from pbem.library.walk import walk

Figure = tuple[str, str, str]
GAMES = 200
"""For `./run bench`, which has other things to measure."""
SCALED = 1000
"""Games at most by which one process is compared with two."""


def main() -> None:
    number = int(sys.argv[1]) if len(sys.argv) > 1 else GAMES
    for what, figure, goal in figures(number, *map(Path, sys.argv[2:3])):
        print(f"{what:62}{figure:>14}   {goal}", flush=True)


def figures(number: int = GAMES, kept: Path | None = None) -> list[Figure]:
    with tempfile.TemporaryDirectory() as temporary:
        folder = kept or Path(temporary) / "games"
        found = [*made(number, folder)]
        number = len(list(folder.rglob("*.toml")))
        found += verified(number, folder, Path(temporary))
        return found + handed_on(folder)


def made(number: int, folder: Path) -> list[Figure]:
    """The games, unless they are there."""
    if len(list(folder.rglob("*.toml"))) >= number:
        return []
    cores = str(runner.count_processors())
    options = ("--games", str(number), "--by-mail", "--keep", str(folder), "--jobs", cores)
    cost = pbem("simulate", "tripoli", *options)
    return [
        (f"{number:,} games made (simulate --by-mail --keep), s", f"{cost.seconds:.1f}", ""),
        ("of these, processor ms a game", f"{1000 * cost.processor / number:.0f}", ""),
    ]


def verified(number: int, folder: Path, temporary: Path) -> list[Figure]:
    """All games by all cores; some of them by one process and by two, one run after the other."""
    cost = pbem("verify", str(folder))
    found = [
        (f"{number:,} games verified, s", f"{cost.seconds:.1f}", ""),
        ("of these, processor ms a game", f"{1000 * cost.processor / number:.1f}", "60"),
        ("the largest process, MB", f"{cost.megabytes:.0f}", "150"),
    ]
    some = temporary / "some"
    some.mkdir()
    count = min(number, SCALED)
    for path in islice(sorted(folder.rglob("*.toml")), count):
        (some / path.name).symlink_to(path.resolve())
    took = {
        jobs: min(pbem("verify", str(some), "--jobs", str(jobs)).seconds for _ in range(2))
        for jobs in (1, 2)
    }
    what = f"{count:,} games, speed of two processes beside twice that of one"
    return [*found, (what, f"{took[1] / (2 * took[2]):.2f}", "0.85 (idle machine)")]


def handed_on(folder: Path) -> list[Figure]:
    """What the process that hands the files out does itself for each: where it is busy all the
    time, more processes make nothing faster."""
    begun, count = process_time(), 0
    with pool.each(len, walk([folder]), 2) as outcomes:
        for _ in outcomes:
            count += 1
    return [
        (
            "handing a file to a process and back, processor µs here",
            f"{1e6 * (process_time() - begun) / count:.0f}",
            "",
        )
    ]


class Cost(NamedTuple):
    """What one command took with all its processes: seconds of the clock and of the processors, and
    the megabytes of the largest process."""

    seconds: float
    processor: float
    megabytes: float


def pbem(*arguments: str) -> Cost:
    """Run a command to its end."""
    begun = perf_counter()
    program = subprocess.Popen(
        [sys.executable, "-m", "pbem", *arguments], stdout=subprocess.DEVNULL
    )
    _, status, used = os.wait4(program.pid, 0)
    assert status == 0, arguments
    program.returncode = 0
    unit = 1e6 if sys.platform == "darwin" else 1e3
    return Cost(perf_counter() - begun, used.ru_utime + used.ru_stime, used.ru_maxrss / unit)


if __name__ == "__main__":
    main()
