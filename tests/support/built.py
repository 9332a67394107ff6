"""The program as somebody gets it: a folder without what only its authors need, and a wheel built
of that."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).parents[2]
PARTS = (
    *("pbem", "engine", "templates", "docs", "share", "pyproject.toml", "README.md", "LICENSE"),
    "release/hatch_hook.py",
)


def copy_parts(source: Path, to: Path, *parts: str) -> Path:
    """A copy of these parts of a folder, without pictures and bytecode."""
    to.mkdir()
    for part in parts:
        if (source / part).is_dir():
            shutil.copytree(
                source / part, to / part, ignore=shutil.ignore_patterns("__pycache__", "pictures")
            )
        else:
            (to / part).parent.mkdir(exist_ok=True)
            shutil.copy(source / part, to / part)
    return to


def run(words: list[str], folder: Path, environment: Mapping[str, str] | None = None) -> str:
    """What a command prints that comes to a good end. It is asked by nobody; without an environment
    it has that of the tests."""
    done = subprocess.run(
        words,
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, (words, done.stdout, done.stderr)
    return done.stdout


def wheel_of(folder: Path, source: Path, *parts: str) -> Path:
    """Build a wheel of a copy of these parts, without a network."""
    copy, out = copy_parts(source, folder / source.name, *parts), folder / f"dist-of-{source.name}"
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(out)]
    run(command, copy)
    (wheel,) = out.glob("*.whl")
    return wheel
