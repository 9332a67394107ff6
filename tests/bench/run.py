"""All benchmarks, one table: `./run bench`, or those that are named, `./run bench table`. They
print figures and fail nothing; these machines are noisy, so how busy this one was stands above
them.

Each module beside this one that has `figures()` measures: it gives (what, figure, goal) as text.
"""

from __future__ import annotations

import importlib.util
import os
import platform
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

HERE = Path(__file__).parent
LIBRARIES = ("typer", "cryptography", "PyNaCl", "jinja2")


def modules() -> Iterator[str]:
    measuring = [
        path.stem
        for path in HERE.glob("*.py")
        if "\ndef figures()" in path.read_text(encoding="utf-8")
    ]
    yield from sorted(measuring)


def figures_of(name: str) -> list[tuple[str, str, str]]:
    spec = importlib.util.spec_from_file_location(f"bench_{name}", HERE / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    figures: list[tuple[str, str, str]] = module.figures()
    return figures


def main() -> None:
    libraries = ", ".join(f"{name} {version(name)}" for name in LIBRARIES)
    print(
        f"{platform.machine()}, {platform.system()}, Python {platform.python_version()},"
        f" {libraries}"
    )
    load = f", load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    print(f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC{load}; medians")
    for name in sys.argv[1:] or modules():
        print(f"\n{name}", file=sys.stdout)
        for what, figure, goal in figures_of(name):
            print(f"  {what:62}{figure:>14}   {goal}", flush=True)


if __name__ == "__main__":
    main()
