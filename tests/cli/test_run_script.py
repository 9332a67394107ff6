"""`run`, the one door to a checkout: what it says where it cannot help."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.skipif(os.name != "posix", reason="run is a script for POSIX systems")


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout with nothing installed, and a folder of programs in which every Python is too old."""
    folder = tmp_path / "a checkout"
    folder.mkdir()
    shutil.copy(ROOT / "run", folder)
    (folder / "pyproject.toml").touch()
    programs = tmp_path / "programs"
    programs.mkdir()
    for tool in ("sh", "dirname", "find", "rm", "cat"):
        found = shutil.which(tool)
        assert found is not None
        (programs / tool).symlink_to(found)
    for name in ("python3.13", "python3.12", "python3.11", "python3", "python"):
        (programs / name).write_text("#!/bin/sh\nexit 1\n")
        (programs / name).chmod(0o755)
    return folder


def _run(folder: Path, *arguments: str, **environment: str) -> tuple[int, str, str]:
    done = subprocess.run(
        [str(folder / "run"), *arguments],
        env={**os.environ, **environment},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        check=False,
        cwd="/",
    )
    return done.returncode, done.stdout, done.stderr


def test_it_says_so_when_no_python_is_new_enough(checkout: Path) -> None:
    for command in ("test", "demo", "pbem"):
        code, out, err = _run(checkout, command, PATH=str(checkout.parent / "programs"))
        assert (code, out) == (1, "")
        assert "needs Python 3.11 or newer" in err and err.count("\n") == 1
        assert not (checkout / ".venv").exists()


def test_it_says_so_when_there_is_no_such_command(checkout: Path) -> None:
    code, out, err = _run(checkout, "dance")
    assert (code, out) == (2, "")
    assert "./run COMMAND" in err
    assert not (checkout / ".venv").exists(), "nothing is set up for a slip of the pen"


def test_help_sets_nothing_up(checkout: Path) -> None:
    for arguments in ([], ["help"], ["--help"]):
        code, out, err = _run(checkout, *arguments)
        assert (code, err) == (0, "")
        for command in ("demo", "test", "bench", "golden", "examples", "pbem"):
            assert f"\n  {command} " in out
    assert not (checkout / ".venv").exists()


def test_a_failing_tool_fails_the_checks(checkout: Path) -> None:
    """Each of the four checks stops the run when it fails, and pytest speaks last."""
    tools = checkout / ".venv" / "bin"
    tools.mkdir(parents=True)
    log = checkout / "log"
    for failing in ("ruff", "mypy", "python", "none"):
        for tool in ("ruff", "mypy", "python"):
            script = f'#!/bin/sh\n[ "$1" = -c ] && exit 0\necho {tool} "$@" >>"{log}"\n'
            (tools / tool).write_text(script + ("exit 1\n" if tool == failing else ""))
            (tools / tool).chmod(0o755)
        (checkout / ".venv" / ".installed").touch()
        log.write_text("")
        code, _, err = _run(checkout, "test", "-x")
        assert code == (0 if failing == "none" else 1), err
        lines = log.read_text().splitlines()
        pytest_call = "python -m pytest -W error -n 2 --dist worksteal -x"
        expected = ["ruff check .", "ruff format --check .", "mypy --strict", pytest_call]
        assert lines == expected[: {"ruff": 1, "mypy": 3, "python": 4, "none": 4}[failing]]


def test_every_command_is_listed_and_explained(checkout: Path) -> None:
    code, out, _ = _run(checkout, "help")
    script = (ROOT / "run").read_text(encoding="utf-8")
    (known,) = re.findall(r"(?m)^ +([a-z |]+)\) set_up ;;", script)
    listed = re.findall(r"(?m)^  ([a-z]+) ", out)
    assert code == 0
    assert sorted(listed) == sorted(known.split(" | "))
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for command in listed:
        assert re.search(rf"(?m)^ +{command}\)", script), command
        assert f"./run {command}" in readme, command
