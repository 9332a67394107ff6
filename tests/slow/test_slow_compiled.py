"""The wheel whose engine/ mypyc has compiled (`./run wheel --compiled`): it verifies games, and the
rules of every game are tested on it. Its build takes minutes, and a release makes it once."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import venv
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from release import compiled

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.slow
PATIENCE = 3600
"""Seconds after which the tests of all rules cannot be at work any more."""
RULES = (
    "tests/tripoli",
    "tests/solitaire",
    "tests/loot",
    "tests/paradise",
    "tests/backgammon",
    "tests/golden",
    "tests/games/test_games_counted.py",
    "tests/ledger/orders",
    "tests/simulate/test_simulate.py",
    "tests/slow/test_slow_conformance.py",
    "tests/games/test_notation.py",
    "tests/test_requirements.py",
)
"""What tests the rules, the golden playthroughs, and the recorded games in ../shared/conformance
(where they are not there, these tests say so and are skipped)."""
PLUGIN = """
import sys

def pytest_sessionfinish(session):
    files = {name: str(module.__file__) for name, module in sys.modules.items() if name.split(".")[0] == "engine"}
    pure = sorted(name for name, file in files.items() if not file.endswith((".so", ".pyd")))
    print(f"\\n{len(files)} modules of engine, not compiled: {pure}")
    if pure != ["engine.rules"] or len(files) < 50:
        session.exitstatus = 9
"""  # noqa: E501
Record = Callable[[str, object], None]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The Python of an empty environment with the compiled wheel, in a folder beside which there is
    no source of ours. The libraries that the program and the tests need are those of this
    environment."""
    if os.name == "posix" and compiled.compiler() is None:
        pytest.skip("there is no C compiler here (Debian: gcc)")
    work = tmp_path_factory.mktemp("compiled")
    wheel = compiled.build_compiled(work)
    venv.create(work / "venv", with_pip=False, symlinks=os.name == "posix")
    python = work / "venv" / ("Scripts" if os.name == "nt" else "bin") / "python"
    where = {"base": str(work / "venv"), "platbase": str(work / "venv")}
    target = Path(sysconfig.get_path("purelib", "venv", vars=where))
    install = ["install", "--quiet", "--no-deps", "--no-index", "--target", str(target), str(wheel)]
    subprocess.run([sys.executable, "-m", "pip", *install], check=True, timeout=PATIENCE)
    (target / "libraries.pth").write_text(f"{sysconfig.get_path('purelib')}\n", encoding="utf-8")
    yield python
    shutil.rmtree(work, ignore_errors=True)


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tests and what they read, without the program."""
    work = tmp_path_factory.mktemp("without")
    there = work / "checkout"
    for name in ("tests", "docs", "examples", "templates"):
        shutil.copytree(
            ROOT / name,
            there / name,
            ignore=shutil.ignore_patterns("__pycache__", "node_modules", "pictures"),
        )
    shutil.copy(ROOT / "pyproject.toml", there)
    (there / "only_compiled.py").write_text(PLUGIN, encoding="utf-8")
    shared = ROOT.parent / "shared" / "conformance"
    if shared.exists():
        shutil.copytree(shared, work / "shared" / "conformance")
    return there


def run(python: Path, folder: Path, *arguments: str) -> str:
    """What a program of that environment printed; it ends with 0."""
    environment = {
        name: value
        for name, value in os.environ.items()
        if name not in ("PYTHONPATH", "PYTHONHOME", "PYTEST_ADDOPTS")
    }
    command = [str(python), *arguments]
    ran = subprocess.run(
        command,
        cwd=folder,
        env=environment,
        capture_output=True,
        encoding="utf-8",
        timeout=PATIENCE,
    )
    assert ran.returncode == 0, (ran.stdout + ran.stderr)[-4000:]
    return ran.stdout


def test_the_engine_that_is_imported_is_the_compiled_one(installed: Path, tmp_path: Path) -> None:
    code = (
        "import json, engine.flow, pbem; print(json.dumps([engine.flow.__file__, pbem.__file__]))"
    )
    flow, program = json.loads(run(installed, tmp_path, "-c", code))
    assert flow.endswith((".so", ".pyd")) and not Path(flow).is_relative_to(ROOT)
    assert program.endswith("__init__.py") and not Path(program).is_relative_to(ROOT)


def test_it_verifies_the_example_games(installed: Path, checkout: Path) -> None:
    said = run(installed, checkout, "-m", "pbem", "verify", "examples")
    assert re.search(r"^6 of \d files hold; 1 is no turn file", said, re.MULTILINE), said


def test_rules_recorded_games_and_golden_playthroughs_hold(
    installed: Path, checkout: Path, record_property: Record
) -> None:
    chosen = [
        "-q",
        "-W",
        "error",
        "-p",
        "only_compiled",
        "-p",
        "no:cacheprovider",
        "-o",
        "addopts=",
        *RULES,
    ]
    told = run(installed, checkout, "-m", "pytest", *chosen)
    found = re.search(r"(\d+) modules of engine, not compiled: \['engine.rules'\]", told)
    passed = re.search(r"\d+ passed.*", told)
    assert found is not None and passed is not None, told[-2000:]
    record_property(
        "figure", f"on the compiled wheel, {found[1]} modules of engine: {passed[0].strip('= ')}"
    )


def test_how_fast_it_plays_at_random(
    installed: Path, checkout: Path, record_property: Record
) -> None:
    told = run(installed, checkout, "-m", "tests.bench.random_games")
    assert re.search(r"engine/ +compiled", told)
    for line in told.splitlines()[1:]:
        record_property("figure", f"compiled: {' '.join(line.split())}")
