"""A folder of many games of The Shores of Tripoli: made, verified by one process and by two, and made a library.

`python -m tests.bench.many_games 10000` takes the number of games, and a second word a folder that keeps them for the
next time. Whole runs of the program are measured, so that whatever happens between the processes counts. Processor
time is that of all processes; the largest of them tells how much memory a worker takes.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from itertools import islice
from pathlib import Path
from time import perf_counter, process_time

from pbem.library import pool
from pbem.library.walk import walk
from tests.bench.processes import used

Figure = tuple[str, str, str]
GAMES = 600
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
        found += verified(number, folder, Path(temporary))
        found += handed_on(folder)
        return found + listed(number, folder)


def made(number: int, folder: Path) -> list[Figure]:
    """The games, unless they are there."""
    if len(list(folder.rglob("*.toml"))) >= number:
        return []
    cores = str(pool.count_processors())
    options = ("--games", str(number), "--by-mail", "--keep", str(folder), "--jobs", cores)
    seconds, spent = pbem("simulate", "tripoli", *options)
    return [
        (f"{number:,} games made (simulate --by-mail --keep), s", f"{seconds:.1f}", ""),
        ("of these, processor ms a game", f"{1000 * spent / number:.0f}", ""),
    ]


def verified(number: int, folder: Path, temporary: Path) -> list[Figure]:
    """All games by all cores; some of them by one process and by two, one run after the other."""
    seconds, spent = pbem("verify", str(folder))
    found = [
        (f"{number:,} games verified, s", f"{seconds:.1f}", ""),
        ("of these, processor ms a game", f"{1000 * spent / number:.1f}", "60"),
        ("the largest process, MB", f"{largest():.0f}", "150"),
    ]
    some = temporary / "some"
    some.mkdir()
    count = min(number, SCALED)
    for path in islice(sorted(folder.rglob("*.toml")), count):
        (some / path.name).symlink_to(path.resolve())
    took = {jobs: min(pbem("verify", str(some), "--jobs", str(jobs))[0] for _ in range(2)) for jobs in (1, 2)}
    what = f"{count:,} games, speed of two processes beside twice that of one"
    return [*found, (what, f"{took[1] / (2 * took[2]):.2f}", "0.85 (idle machine)")]


def handed_on(folder: Path) -> list[Figure]:
    """What the process that hands the files out does itself for each: where it is busy all the time, more processes
    make nothing faster."""
    begun, count = process_time(), 0
    with pool.each(len, walk([folder]), 2) as outcomes:
        for _ in outcomes:
            count += 1
    return [
        ("handing a file to a process and back, processor µs here", f"{1e6 * (process_time() - begun) / count:.0f}", "")
    ]


def listed(number: int, folder: Path) -> list[Figure]:
    """The library, cold and refreshed warm."""
    tables = folder / "library.sqlite"
    tables.unlink(missing_ok=True)
    cold, spent = pbem("library", str(folder))
    largest_of_all = largest()
    warm, again = pbem("library", str(folder))
    return [
        (f"{number:,} games, library made cold, s", f"{cold:.1f}", ""),
        ("of these, processor ms a game", f"{1000 * spent / number:.1f}", ""),
        ("the largest process so far, MB", f"{largest_of_all:.0f}", "150 (workers)"),
        ("library refreshed warm, nothing changed, s", f"{warm:.2f}", ""),
        ("of these, processor s", f"{again:.2f}", ""),
        ("the database, kB a game", f"{tables.stat().st_size / 1000 / number:.0f}", ""),
    ]


def pbem(*arguments: str) -> tuple[float, float]:
    """Seconds of the clock, and of the processors, of one command."""
    begun, before = perf_counter(), used()
    subprocess.run([sys.executable, "-m", "pbem", *arguments], check=True, stdout=subprocess.DEVNULL, env=os.environ)
    return perf_counter() - begun, used() - before


def largest() -> float:
    """Megabytes of the largest process that was started here or by such a one."""
    try:
        import resource
    except ImportError:  # Windows
        return float("nan")
    unit = 1e6 if sys.platform == "darwin" else 1e3
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / unit


if __name__ == "__main__":
    main()
