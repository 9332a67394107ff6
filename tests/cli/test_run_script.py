"""`run`, the one door to a checkout: what it says where it cannot help."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.bench.run import modules

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.skipif(os.name != "posix", reason="run is a script for POSIX systems")


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout with nothing installed, and a folder of programs in which every Python is too
    old."""
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
    for name in ("python3.14", "python3.13", "python3.12", "python3.11", "python3", "python"):
        (programs / name).write_text("#!/bin/sh\nexit 1\n")
        (programs / name).chmod(0o755)
    return folder


def _run(folder: Path, *arguments: str, **environment: str) -> tuple[int, str, str]:
    given = {name: value for name, value in os.environ.items() if name != "PBEM_TESTS_UNAIDED"}
    done = subprocess.run(
        [str(folder / "run"), *arguments],
        env={**given, **environment},
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


def test_a_python_that_is_named_is_taken_and_no_other(checkout: Path) -> None:
    path = str(checkout.parent / "programs")
    (checkout.parent / "programs" / "python3.13").write_text("#!/bin/sh\nexit 0\n")
    code, _, err = _run(checkout, "pbem", PATH=path, PYTHON="python3.12")
    assert code == 1 and "none of python3.12 is" in err
    code, _, err = _run(checkout, "pbem", PATH=path, PYTHON="python3.13")
    assert code == 1 and "making .venv" in err


def test_it_says_so_when_there_is_no_such_command(checkout: Path) -> None:
    code, out, err = _run(checkout, "dance")
    assert (code, out) == (2, "")
    assert "./run COMMAND" in err
    assert not (checkout / ".venv").exists(), "nothing is set up for a slip of the pen"


def test_help_sets_nothing_up(checkout: Path) -> None:
    for arguments in ([], ["help"], ["--help"]):
        code, out, err = _run(checkout, *arguments)
        assert (code, err) == (0, "")
        for command in ("demo", "test", "slow", "bench", "golden", "examples", "pbem"):
            assert f"\n  {command} " in out
    assert not (checkout / ".venv").exists()


def test_the_program_is_compiled_where_it_is_installed(checkout: Path) -> None:
    """Once, not at every start."""
    tools, log = checkout / ".venv" / "bin", checkout / "log"
    tools.mkdir(parents=True)
    (tools / "python").write_text(f'#!/bin/sh\n[ "$1" = -c ] && exit 0\necho "$@" >>"{log}"\n')
    (tools / "python").chmod(0o755)
    for _ in range(2):
        assert _run(checkout, "pbem", "--version")[0] == 0
    install, compiled, *rest = log.read_text().splitlines()
    assert install.startswith("-m pip install ")
    assert compiled.startswith("-m compileall -q ") and compiled.endswith(
        f"{checkout}/.venv/lib pbem engine"
    )
    assert rest == ["-m pbem --version", "-m pbem --version"]


def _calls(checkout: Path, *arguments: str, failing: str = "") -> tuple[int, list[str]]:
    """The exit code, and what was called of the tools, one of which may fail."""
    tools, log = checkout / ".venv" / "bin", checkout / "log"
    tools.mkdir(parents=True, exist_ok=True)
    for tool in ("ruff", "mypy", "python"):
        words = f'{tool} "$@" ${{PBEM_TESTS_UNAIDED:+alone}}'
        script = f'#!/bin/sh\n[ "$1" = -c ] && exit 0\necho {words} >>"{log}"\n'
        (tools / tool).write_text(script + ("exit 1\n" if tool == failing else ""))
        (tools / tool).chmod(0o755)
    (checkout / ".venv" / ".installed").touch()
    log.write_text("")
    return _run(checkout, *arguments)[0], log.read_text().splitlines()


def test_a_failing_tool_fails_the_checks(checkout: Path) -> None:
    """ruff stops the run when it fails; mypy and pytest work side by side, and either can fail
    it."""
    assert _calls(checkout, "test", failing="ruff") == (1, ["ruff check --quiet ."])
    first = ["mypy --strict", "python -m pytest -n 2 --dist worksteal -m not slow and not dear"]
    dear = "python -m pytest -n 2 --dist worksteal -m dear and not slow"
    for failing in ("mypy", "python", ""):
        for given, tests in (([], first), (["--all"], [*first, dear])):
            code, called = _calls(checkout, "test", *given, failing=failing)
            assert code == (1 if failing else 0)
            assert called[:2] == ["ruff check --quiet .", "ruff format --quiet --check ."]
            assert sorted(called[2:]) == sorted(tests)


def test_its_first_line_says_how_long_it_takes_and_what_it_leaves_out(checkout: Path) -> None:
    _calls(checkout, "test")
    said = _run(checkout, "test")[1].splitlines()[0]
    assert "four minutes" in said and "Left out: " in said and "./run test --all" in said
    said = _run(checkout, "test", "--all")[1].splitlines()[0]
    assert "nine minutes" in said and "./run slow" in said


def test_all_and_a_part_are_no_command(checkout: Path) -> None:
    assert _calls(checkout, "test", "--all", "tests/mail") == (1, [])
    assert "--all stands alone" in _run(checkout, "test", "--all", "tests/mail")[2]


def test_a_part_of_the_tests_runs_alone(checkout: Path) -> None:
    for part in (["tests/cli/test_cli_start.py"], ["-k", "a name"], ["-x", "tests/mail"]):
        assert _calls(checkout, "test", *part) == (0, [f"python -m pytest {' '.join(part)}"])
        assert _calls(checkout, "slow", *part) == (
            0,
            [f"python -m pytest -m slow {' '.join(part)}"],
        )
        assert _calls(checkout, "test", *part, failing="python")[0] == 1


def test_slow_comparisons_come_with_new_examples(checkout: Path) -> None:
    code, calls = _calls(checkout, "slow")
    assert code == 0 and len(calls) == 11
    assert all(call.startswith("python -m pytest -n 2 -m slow tests/") for call in calls[:-2])
    assert calls[-2] == "python -m pytest -n 2 -m hypothesis --hypothesis-profile new tests"
    assert calls[-1] == "python -m pytest -n 2 -m not slow and not dear tests alone"
    assert _calls(checkout, "slow", failing="python") == (1, calls), "one failing part stops none"


def _files_of(call: str) -> set[Path]:
    """The files of tests that pytest is given; each place that is named is there."""
    names, left = call.split()[7:], set[Path]()
    found: set[Path] = set()
    for name in names:
        if name.startswith("--ignore-glob="):
            left |= {*ROOT.glob(name.partition("=")[2])}
            continue
        places = [*ROOT.glob(name)]
        assert places, name
        for place in places:
            found |= {place} if place.is_file() else {*place.rglob("test_*.py")}
    return found - left


def test_slow_comparisons_run_in_parts_that_can_be_named(checkout: Path) -> None:
    """Every slow test is in one of them."""
    parts = "web page messenger table verifiers faults games rules rest"
    named = {part: _calls(checkout, "slow", part)[1] for part in parts.split()}
    files = [_files_of(call) for calls in named.values() for call in calls]
    assert len(files) == len(named)
    for path in (ROOT / "tests").rglob("test_*.py"):
        if (
            "pytest.mark.slow" in path.read_text(encoding="utf-8")
            and path.name != Path(__file__).name
        ):
            assert sum(path in some for some in files) == 1, path
    assert _calls(checkout, "slow", "web", "games")[1] == [*named["web"], *named["games"]]
    _, out, _ = _run(checkout, "slow", "games")
    assert re.fullmatch(r"slow games: \d+ min \d+ s", out.splitlines()[-1])
    code, _, err = _run(checkout, "slow", "web", "dance")
    assert code == 1 and 'no part "dance"' in err


def test_every_command_is_listed_and_explained(checkout: Path) -> None:
    code, out, _ = _run(checkout, "help")
    script = (ROOT / "run").read_text(encoding="utf-8")
    (known,) = re.findall(r"(?m)^ +([a-z |]+)\) set_up ;;", script)
    listed = re.findall(r"(?m)^  ([a-z]+) ", out)
    assert code == 0
    assert sorted(listed) == sorted(["packages", *known.split(" | ")])
    told = (ROOT / "docs" / "contributing.md").read_text(encoding="utf-8")
    for command in listed:
        assert re.search(rf"(?m)^ +{command}\)", script), command
        assert f"./run {command}" in told or command == "help", command


def test_every_benchmark_is_found_and_nothing_else() -> None:
    found = list(modules())
    assert {"loot", "table", "tripoli"} <= set(found) and "__init__" not in found
