"""What is kept of a game that was played for an example."""

from __future__ import annotations

import argparse
import shutil
from collections.abc import Sequence
from pathlib import Path


def options(about: str, *, seed: int, what_for: str, into: Path) -> argparse.ArgumentParser:
    """The command line of a script that plays an example."""
    made = argparse.ArgumentParser(description=about)
    made.add_argument(
        "--seed", type=int, default=seed, help=f"for {what_for}; chance is real anyway"
    )
    made.add_argument(
        "--into", type=Path, default=into, help="folder for the turn file and summaries"
    )
    made.add_argument(
        "--archive", type=Path, help="only copy the last turn file there; nothing is overwritten"
    )
    return made


def keep(
    mails: Path, last: str, summaries: Sequence[str], into: Path, archive: Path | None = None
) -> None:
    """Copy the last turn file, two summaries from the middle of the game, and the last one; or
    only the file to an archive."""
    if archive is not None:
        with archive.open("xb") as file:
            file.write((mails / last).read_bytes())
        return
    shutil.rmtree(into, ignore_errors=True)
    into.mkdir(parents=True)
    middle = len(summaries) // 2
    for name in (last, *summaries[middle : middle + 2], summaries[-1]):
        shutil.copy(mails / name, into)
