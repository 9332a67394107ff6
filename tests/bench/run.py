"""All benchmarks, one table: `./run bench`. They print figures and fail nothing; these machines are noisy.

Each module beside this one has `figures()`, which gives (what, figure, goal) as text.
"""

from __future__ import annotations

import importlib.util
import platform
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

HERE = Path(__file__).parent
LIBRARIES = ("typer", "cryptography", "PyNaCl", "jinja2")


def modules() -> Iterator[str]:
    yield from sorted(path.stem for path in HERE.glob("*.py") if path.stem != "run")


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
    print(f"{platform.machine()}, {platform.system()}, Python {platform.python_version()}, {libraries}")
    print(f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC; medians")
    for name in modules():
        print(f"\n{name}", file=sys.stdout)
        for what, figure, goal in figures_of(name):
            print(f"  {what:62}{figure:>14}   {goal}", flush=True)


if __name__ == "__main__":
    main()
