"""Replay recorded games of an independent implementation and compare every position.

    python -m tests.support.conformance FILE...

Files are JSON lines, plain or gzipped. Prints `games=… states=… mismatches=…` and the first
mismatch in full; the exit code is 1 if anything differs, also when one of our rules refuses a
recorded answer.
"""

from __future__ import annotations

import gzip
import importlib
import json
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

Replay = Callable[[dict[str, Any]], tuple[int, list[str]]]
"""Plays one recorded game; returns how many states it compared, and what differed."""


def is_loot(record: dict[str, Any]) -> bool:
    return "players" in record


def is_tripoli(record: dict[str, Any]) -> bool:
    return "players" not in record


REPLAYERS: tuple[tuple[Callable[[dict[str, Any]], bool], str], ...] = (
    (is_loot, "tests.support.conformance_loot"),
    (is_tripoli, "tests.support.conformance_tripoli"),
)
"""Which module replays which records; each is imported when first needed."""


def replayer_of(record: dict[str, Any]) -> Replay:
    """The `replay` function for the game of this record."""
    name = next(module for fits, module in REPLAYERS if fits(record))
    replay: Replay = importlib.import_module(name).replay
    return replay


def read(path: Path) -> Iterator[dict[str, Any]]:
    """The records of one file."""
    with (
        gzip.open(path, "rt", encoding="utf-8")
        if path.suffix == ".gz"
        else path.open(encoding="utf-8") as lines
    ):
        for line in lines:
            if line.strip():
                yield json.loads(line)


def compare(records: Iterable[dict[str, Any]]) -> tuple[int, int, list[str]]:
    """Games, states, and every mismatch."""
    games = states = 0
    mismatches: list[str] = []
    for record in records:
        compared, wrong = replayer_of(record)(record)
        games += 1
        states += compared
        mismatches += [f"game {record['id']}: {text}" for text in wrong]
    return games, states, mismatches


def main(paths: list[str]) -> int:
    if not paths:
        print("usage: python -m tests.support.conformance FILE...", file=sys.stderr)
        return 2
    try:
        games, states, mismatches = compare(record for path in paths for record in read(Path(path)))
    except (OSError, ValueError) as error:
        print(f"conformance: {error}", file=sys.stderr)
        return 2
    print(f"games={games} states={states} mismatches={len(mismatches)}")
    if mismatches:
        print(mismatches[0])
    return 1 if mismatches else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
