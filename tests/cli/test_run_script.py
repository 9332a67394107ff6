"""`run`, the one door to a checkout: what it says where it cannot help."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.bench.run import modules
from tests.support.effort import PATIENCE

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
    for tool in ("sh", "dirname", "rm", "cat", "cksum"):
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
    (checkout.parent / "programs" / "python3.13").write_text('#!/bin/sh\n[ "$1" != -m ]\n')
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


INSTALLED = "-m pip --python {bin}/python install --disable-pip-version-check --no-compile -e "


@pytest.fixture
def tools(checkout: Path) -> Path:
    """The checkout with a Python that is new enough, does nothing, and writes down what it is asked
    for; and no uv. `-m venv` makes one of its kind."""
    programs, log = checkout.parent / "programs", checkout / "log"
    for tool in ("sleep", "mkdir", "mktemp", "cp"):
        found = shutil.which(tool)
        assert found is not None
        (programs / tool).symlink_to(found)
    (programs / "python3.13").write_text(
        f"""#!/bin/sh
case "$1 $2" in
    -c*) exit 0 ;;
    --version*) echo Python 3.13.0 && exit ;;
    "-m venv") mkdir -p "$4/bin" && cp "$0" "$4/bin/python" ;;
    *) case "$*" in *--version) [ -e "{checkout}/no-pip" ] && exit 1 ;; esac ;;
esac
echo "$@" >>"{log}"
case "$*" in *" install "*)
    echo WARNING: Location is ignored
    [ ! -e "{checkout}/stopped" ] || kill -9 $(cat "{checkout}/.venv.busy")
    [ ! -e "{checkout}/offline" ] || exit 1 ;;
esac
"""
    )
    return programs


def _asked(checkout: Path, command: str = "pbem", **more: str) -> tuple[int, str, list[str]]:
    """One command with the tools above: exit code, what it says, and what was asked for but the
    questions whether there is pip."""
    log = checkout / "log"
    log.write_text("")
    path = {"PATH": str(checkout.parent / "programs"), "PYTHONDONTWRITEBYTECODE": ""}
    code, _, err = _run(checkout, command, **{**path, **more})
    lines = log.read_text().splitlines()
    return code, err, [line for line in lines if not line.endswith(" --version")]


def _extras(calls: list[str]) -> list[str]:
    return [line.split()[-1] for line in calls if " install " in line]


def test_each_command_adds_what_it_needs_when_it_is_first_called(
    checkout: Path, tools: Path
) -> None:
    """One line says so, and no word of the installer's; the second time there is nothing to do.
    What pyproject.toml asks for is installed again when it has changed, however old the file."""
    for command, extra in (("demo", "."), ("site", ".[site]"), ("web", ".[build]")):
        code, err, calls = _asked(checkout, command)
        assert (code, _extras(calls), err.count("\n")) == (0, [extra], 1)
        assert f"./run {command}" in err
        code, err, calls = _asked(checkout, command)
        assert (code, err, _extras(calls)) == (0, "", [])
    assert _extras(_asked(checkout, "bench")[2]) == [".[dev]"]
    (checkout / "pyproject.toml").write_text("[project]\n")
    os.utime(checkout / "pyproject.toml", (0, 0))
    assert _extras(_asked(checkout, "bench")[2]) == [".[dev]"]
    for command in ("demo", "site", "web", "pbem"):
        assert _extras(_asked(checkout, command)[2]) == [], "dev has it all"


def test_uv_installs_where_it_is_and_pip_where_it_is_not_or_fails(
    checkout: Path, tools: Path
) -> None:
    def uv(code: int) -> list[str]:
        text = f'#!/bin/sh\necho uv "$@" >>"{checkout}/log"\nexit {code}\n'
        (tools / "uv").write_text(text)
        (tools / "uv").chmod(0o755)
        shutil.rmtree(checkout / ".venv", ignore_errors=True)
        code_, _, calls = _asked(checkout)
        assert code_ == 0
        return [line for line in calls if " install " in line]

    asked = f"uv pip install --python {checkout}/.venv/bin/python -e ."
    by_pip = INSTALLED.format(bin=f"{checkout}/.venv/bin") + "."
    assert uv(0) == [asked]
    assert uv(1) == [asked, by_pip]
    (checkout / "no-pip").touch()
    _, own = uv(1)
    assert own == "-m pip install --disable-pip-version-check --no-compile -e ."


def test_what_fails_is_told_whole_and_goes_on_from_there(checkout: Path, tools: Path) -> None:
    (checkout / "offline").touch()
    code, err, _ = _asked(checkout)
    assert code == 1 and "WARNING: Location is ignored" in err and "call ./run again" in err
    (checkout / "offline").unlink()
    code, err, calls = _asked(checkout)
    assert code == 0 and _extras(calls) == ["."] and "WARNING" not in err
    assert not list(checkout.glob(".venv.*"))


def test_what_was_stopped_amid_is_made_anew(checkout: Path, tools: Path) -> None:
    (checkout / "stopped").touch()
    assert _asked(checkout)[0] not in (0, 1)
    (checkout / "stopped").unlink()
    (checkout / ".venv" / "half").touch()
    code, _, calls = _asked(checkout)
    assert code == 0 and _extras(calls) == ["."]
    assert not (checkout / ".venv" / "half").exists() and not (checkout / ".venv.busy").exists()


def test_two_at_a_time_wait_for_each_other(checkout: Path, tools: Path) -> None:
    with subprocess.Popen(["sleep", "1000"]) as other:
        (checkout / ".venv.busy").write_text(f"{other.pid}\n")
        command = [str(checkout / "run"), "pbem"]
        environment = {**os.environ, "PATH": str(tools), "PYTHONDONTWRITEBYTECODE": ""}
        with subprocess.Popen(
            command, env=environment, stderr=subprocess.PIPE, encoding="utf-8"
        ) as waiting:
            assert waiting.stderr is not None
            assert f"process {other.pid}" in waiting.stderr.readline()
            (checkout / ".venv.busy").unlink()
            other.kill()
            assert waiting.wait(PATIENCE) == 0
    assert (checkout / ".venv" / ".has-program").exists()


def test_it_compiles_before_where_that_saves_more_than_it_costs(
    checkout: Path, tools: Path
) -> None:
    """What tests start hundreds of times, and where Python keeps nothing that it compiles."""

    def compiled(command: str, **environment: str) -> list[str]:
        calls = _asked(checkout, command, **environment)[2]
        return [line for line in calls if "compileall" in line]

    assert not compiled("pbem")
    (line,) = compiled("bench")
    assert line.startswith("-m compileall -q ") and line.endswith(".venv/lib pbem engine")
    assert not compiled("bench")
    shutil.rmtree(checkout / ".venv")
    assert compiled("pbem", PYTHONDONTWRITEBYTECODE="1") == [line]


def _calls(
    checkout: Path, *arguments: str, failing: str = "", **environment: str
) -> tuple[int, list[str]]:
    """The exit code, and what was called of the tools, one of which may fail."""
    tools, log = checkout / ".venv" / "bin", checkout / "log"
    tools.mkdir(parents=True, exist_ok=True)
    for tool in ("ruff", "mypy", "python"):
        words = f'{tool} "$@" ${{PBEM_TESTS_UNAIDED:+alone}} ${{UNKEPT:+${{{UNKEPT}:-kept}}}}'
        script = f'#!/bin/sh\n[ "$1" = -c ] && exit 0\necho {words} >>"{log}"\n'
        (tools / tool).write_text(script + ("exit 1\n" if tool == failing else ""))
        (tools / tool).chmod(0o755)
    with (checkout / "pyproject.toml").open() as asked:
        stamp = subprocess.run(["cksum"], stdin=asked, capture_output=True, check=True)
    (checkout / ".venv" / ".has-dev").write_bytes(stamp.stdout)
    log.write_text("")
    return _run(checkout, *arguments, **environment)[0], log.read_text().splitlines()


FIRST, DEAR = "not slow and not dear", "dear and not slow"
UNKEPT = "PYTHONDONTWRITEBYTECODE"


def test_a_failing_tool_fails_the_checks(checkout: Path) -> None:
    """ruff stops the run when it fails; mypy and pytest work side by side, and either can fail it.
    With --all the dear tests come last."""
    assert _calls(checkout, "test", failing="ruff") == (1, ["ruff check --quiet ."])
    for failing in ("mypy", "python", ""):
        for given, parts in (([], [FIRST]), (["--all"], [FIRST, DEAR])):
            tests = [
                "mypy --strict",
                *(f"python -m pytest -n 3 --dist worksteal -m {part}" for part in parts),
                *(["python -m tests.support.web_kit"] if given else []),
            ]
            code, called = _calls(checkout, "test", *given, failing=failing)
            assert code == (1 if failing else 0)
            assert called[:2] == ["ruff check --quiet .", "ruff format --quiet --check ."]
            assert sorted(called[2:]) == sorted(tests)


def test_what_pytest_compiles_is_kept_for_its_other_processes(checkout: Path) -> None:
    """Also where Python is told to keep nothing: it takes twelve processor seconds each."""
    _, calls = _calls(checkout, "test", "--all", **{UNKEPT: "1", "UNKEPT": "asked"})
    halves = [call for call in calls if call.startswith("python -m pytest ")]
    assert len(halves) == 2 and all(call.endswith(" kept") for call in halves)


def test_its_first_line_says_how_long_it_takes_and_what_it_leaves_out(checkout: Path) -> None:
    _calls(checkout, "test")
    said = _run(checkout, "test")[1].splitlines()[0]
    assert "four minutes" in said and "Left out: " in said and "./run test --all" in said
    said = _run(checkout, "test", "--all")[1].splitlines()[0]
    assert "ten minutes" in said and "./run slow" in said


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
    known = re.findall(r"(?m)^ +([a-z |]+)\) set_up \w+ ;;", script)
    listed = re.findall(r"(?m)^  ([a-z]+) ", out)
    assert code == 0
    assert sorted(listed) == sorted(
        ["packages", *(name for names in known for name in names.split(" | "))]
    )
    told = (ROOT / "docs" / "contributing.md").read_text(encoding="utf-8")
    for command in listed:
        assert re.search(rf"(?m)^ +{command}\)", script), command
        assert f"./run {command}" in told or command == "help", command


def test_every_benchmark_is_found_and_nothing_else() -> None:
    found = list(modules())
    assert {"loot", "table", "tripoli"} <= set(found) and "__init__" not in found
