"""A library of many games of The Shores of Tripoli: made cold, refreshed warm, asked.

`python -m tests.bench.library 10000 [FOLDER]` makes so many games by mail, on all cores (a folder
that has them already is used as it is), and prints the figures; `./run bench` does it with few
games. Nothing fails for speed.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from pbem.library import database, schema

Figure = tuple[str, str, str]
FEW = 100
_ONES_GAMES = (
    "SELECT game, result, count(*) FROM players WHERE key = (SELECT min(key) FROM player_rows)"
    " GROUP BY 1, 2"
)
_QUESTIONS = {
    "how games ended": "SELECT game, ended, how, count(*) FROM games GROUP BY game, ended, how",
    "hits of each player, by kind of roll": (
        "SELECT p.key, t.kind, t.hits, sum(t.thrown), sum(t.got) FROM tallies t JOIN players p ON"
        " p.id = t.id AND p.seat = t.seat WHERE t.got IS NOT NULL GROUP BY p.key, t.kind, t.hits"
    ),
    "what was played next from the first position": (
        "SELECT move, count(*) FROM position_rows WHERE position = (SELECT position FROM"
        " position_rows LIMIT 1) GROUP BY move"
    ),
    "the games of one player": _ONES_GAMES,
}
_COMMANDS = (("luck",), ("explore", "tripoli"), ("stats",))


class Cost(NamedTuple):
    """What a command took: seconds by the clock, seconds of all its processes, and what it
    printed."""

    clock: float
    processor: float
    said: str


def figures() -> list[Figure]:
    with tempfile.TemporaryDirectory() as folder:
        return of(Path(folder), FEW)


def of(folder: Path, number: int) -> list[Figure]:
    """The figures of a library of so many games."""
    cores, figures = len(os.sched_getaffinity(0)), []
    if len(list(folder.glob("*.toml"))) < number:
        made = _pbem(
            "simulate", "tripoli", "--by-mail", "--games", str(number), "--keep", str(folder)
        )
        figures.append(
            (f"{number} games by mail made, seconds on {cores} cores", f"{made.clock:.0f}", "")
        )
    files = list(folder.glob("*.toml"))
    cold, warm = _pbem("library", str(folder), "--anew"), _pbem("library", str(folder))
    files[0].write_bytes(files[0].read_bytes())
    one = _pbem("library", str(folder))
    bytes_read, size = (
        sum(file.stat().st_size for file in files),
        (folder / schema.FILE).stat().st_size,
    )
    rows = {name: _ask(folder, f"SELECT count(*) FROM {name}")[1] for name in schema.TABLES}
    figures += [
        ("games, megabytes", f"{len(files)}, {bytes_read / 1e6:.0f}", ""),
        ("cold: processor ms a game", f"{cold.processor * 1000 / len(files):.0f}", "120"),
        (f"cold: seconds on {cores} cores", f"{cold.clock:.0f}", ""),
        ("cold: megabytes of the largest process", f"{_peak():.0f}", "150"),
        ("warm, nothing new: seconds", f"{warm.clock:.2f}", ""),
        ("warm, one file written: seconds", f"{one.clock:.2f}", ""),
        (
            "the database: megabytes, and for a game kilobytes",
            f"{size / 1e6:.0f}, {size / 1e3 / len(files):.0f}",
            "",
        ),
        ("rows", ", ".join(f"{count} {name}" for name, count in rows.items()), ""),
    ]
    figures += [
        (f"asked {what}: ms", f"{_ask(folder, sql)[0] * 1000:.0f}", "1000")
        for what, sql in _QUESTIONS.items()
    ]
    for command in _COMMANDS:
        clock, processor, _ = _pbem(*command, "--library", str(folder))
        figures.append(
            (f"pbem {' '.join(command)}: seconds, of a core", f"{clock:.2f}, {processor:.2f}", "1")
        )
    return figures


def _pbem(*arguments: str) -> Cost:
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-m", "pbem", *arguments], check=True, capture_output=True, text=True
    )
    clock, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    return Cost(
        clock, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, done.stdout
    )


def _peak() -> float:
    """Megabytes of the largest process so far, those that it had started among them."""
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024


def _ask(folder: Path, question: str) -> tuple[float, int]:
    """Seconds that a question takes, and the first number of its answer."""
    with closing(database.to_read(folder)) as connection:
        start = time.perf_counter()
        rows = connection.execute(question).fetchall()
        return time.perf_counter() - start, (
            rows[0][0] if rows and isinstance(rows[0][0], int) else len(rows)
        )


def main(arguments: Sequence[str]) -> None:
    number = int(arguments[0]) if arguments else FEW
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(arguments[1]) if len(arguments) > 1 else Path(scratch)
        for what, figure, goal in of(folder, number):
            print(f"  {what:62}{figure:>14}   {goal}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
