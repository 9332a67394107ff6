"""How a command starts and ends: arguments are read, each entry is checked once, and what it says
is said or refused. `test_cli_loads.py` looks at what it loads."""

from __future__ import annotations

import errno
import json
import os
import re
import subprocess
import sys
from collections import Counter
from importlib import import_module
from pathlib import Path
from typing import Annotated, NamedTuple

import pytest
import typer

from pbem.cli import app, show
from pbem.cli.startup.parameters import Command, one_by_one
from pbem.fileformat.turnfile import Entry
from pbem.home.home import Home
from pbem.ledger import gate
from pbem.ledger.ledger import Ledger
from pbem.turn import open_game, own_report, signing
from tests.support import known_templates, starter
from tests.support.begun_game import BegunGame


class Taken(NamedTuple):
    """What a command takes as one value."""

    often: Annotated[int, typer.Option("--often")] = 1
    where: Annotated[Path | None, typer.Option("--where")] = None


def test_the_fields_of_a_tuple_are_options_of_a_command() -> None:
    found: list[object] = []

    def command(word: str, *, taken: Taken, loud: bool = False) -> None:
        found.extend((word, taken, loud))

    alone = typer.Typer(add_completion=False)
    alone.command(cls=Command)(one_by_one(command))
    alone(["a", "--where", "b", "--loud", "--often", "3"], standalone_mode=False)
    assert found == ["a", Taken(3, Path("b")), True]
    alone(["c"], standalone_mode=False)
    assert found[3:] == ["c", Taken(), False]


def test_paths_numbers_and_lists_are_what_commands_take(begun: BegunGame, tmp_path: Path) -> None:
    other = tmp_path / "other place"
    other.mkdir()
    options = ["--option", "hidden-discard", "--option", "quick-hand-limit", "--dir", str(other)]
    assert Path(begun.ann.does("new", "tripoli", *options)["file"]).parent == other
    assert begun.ann.does("new", "loot", "--players", "5")["to_act"] == "second"
    assert begun.ann.does("new", "loot", "--players=3", "--start", "2")["to_act"] == "second"
    assert begun.ann.does("inbox", str(other), begun.last)["games"]


@pytest.mark.parametrize(
    ("entered", "words"),
    [
        (["new", "loot", "--players", "many"], '--players.*"many" is no whole number'),
        (["simulate", "tripoli", "--games", "1.5"], '--games.*"1.5" is no whole number'),
    ],
)
def test_what_is_no_number_is_refused_by_name(
    begun: BegunGame, entered: list[str], words: str
) -> None:
    code, out, err = begun.ann.types(*entered)
    assert (code, out) == (2, "")
    assert err.startswith("pbem: ") and err.count("\n") == 1
    assert re.search(words, err), err


AT_THE_IMPORT = """
import signal, sys
class Finder:
    def find_spec(name, *_):
        if name == "typer":
            signal.raise_signal(signal.SIGINT)
sys.meta_path.insert(0, Finder)
from pbem.__main__ import main
main()
"""


def test_ctrl_c_while_the_program_is_loaded_is_one_line() -> None:
    environment = {**os.environ, "PYTHONPATH": starter.ROOT}
    done = subprocess.run(
        [sys.executable, "-c", AT_THE_IMPORT, "--version"], env=environment, capture_output=True
    )
    assert (done.returncode, done.stdout, done.stderr.split()) == (
        1,
        b"",
        [b"pbem:", b"interrupted"],
    )


@pytest.fixture
def checked(monkeypatch: pytest.MonkeyPatch) -> Counter[int]:
    """How often each entry has passed the gate."""
    counted: Counter[int] = Counter()
    admit = gate.admit

    def counting(ledger: Ledger, entry: Entry) -> None:
        counted[entry.number] += 1
        admit(ledger, entry)

    monkeypatch.setattr(gate, "admit", counting)
    return counted


def test_a_turn_is_checked_once_as_it_comes_and_once_as_it_goes(
    begun: BegunGame, checked: Counter[int]
) -> None:
    """Once as it came and once as a copy for the draft; the signed file adds its own entry only,
    and summary and mail need no further time."""
    written = begun.ann.does("play", begun.last, "event swedish")
    assert written["mail"]
    assert checked == {0: 2, 1: 2, 2: 2, 3: 2, 4: 1}


def test_a_terminal_shows_what_was_checked_once(
    begun: BegunGame, checked: Counter[int], capsys: pytest.CaptureFixture[str]
) -> None:
    home = Home(begun.ann.home)
    opened = open_game.open_file((begun.folder / begun.last).read_bytes(), home)
    facts, _ = own_report.facts_for(opened, public=False)
    assert show.print_position(opened, facts, home)
    assert "Tripoli" in capsys.readouterr().out
    assert checked == {0: 2, 1: 2, 2: 2, 3: 2}, "as it came, and as a copy that the draft runs on"


def ends(begun: BegunGame, out: Path, *entered: str, **environment: str) -> tuple[int, str]:
    """The exit code and the error text of a process of its own whose output goes to a file."""
    with out.open("wb") as stream:
        done = starter.run(
            ["-m", "pbem", *entered],
            cwd=begun.folder,
            env={**plain_environment(begun), **environment},
            stdout=stream,
            stderr=subprocess.PIPE,
            text=True,
        )
    return done.returncode, done.stderr


def plain_environment(begun: BegunGame) -> dict[str, str]:
    """The environment with Ann's home, and Python as it comes: whether it buffers its output is for
    a test to say."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    known_templates.lay_in(begun.ann.home)
    return {**kept, "PBEM_HOME": str(begun.ann.home)}


def test_a_process_that_leaves_at_once_has_said_everything(
    begun: BegunGame, tmp_path: Path
) -> None:
    out = tmp_path / "said.json"
    assert ends(begun, out, "moves", begun.last, "--json") == (0, "")
    assert len(json.loads(out.read_text())["options"]) > 1
    code, err = ends(begun, out, "verify", "no-such-file.toml")
    assert (code, out.read_text()) == (2, "")
    assert "no-such-file.toml" in err and err.count("\n") == 1


full_device = pytest.mark.skipif(
    not Path("/dev/full").exists(), reason="no device here is always full"
)
buffering = pytest.mark.parametrize(
    "environment", [{}, {"PYTHONUNBUFFERED": "1"}], ids=["buffered", "unbuffered"]
)


@pytest.mark.dear("starts a program for each command")
@full_device
@buffering
@pytest.mark.parametrize(
    "entered", [["show"], ["show", "--json"], ["show", "--format", "md"], ["verify"], ["play"]]
)
def test_what_cannot_be_printed_is_one_line_and_a_failure(
    begun: BegunGame, environment: dict[str, str], entered: list[str]
) -> None:
    """And nothing of Python's own, which says "Exception ignored" and ends with 120."""
    answers = ["event swedish", "--no-mail"] if entered == ["play"] else []
    code, err = ends(
        begun, Path("/dev/full"), entered[0], begun.last, *entered[1:], *answers, **environment
    )
    assert (code, err.count("\n")) == (2, 1), err
    assert os.strerror(errno.ENOSPC) in err and "(hint: " in err
    assert len(list(begun.folder.glob("*-0004.toml"))) == len(answers[:1])


@full_device
@buffering
@pytest.mark.parametrize(
    "entered",
    [["--help"], ["--version"], ["fetch", "--json"], ["simulate", "tripoli", "--games", "1"]],
)
def test_a_command_of_any_kind_says_that_it_cannot_print(
    begun: BegunGame, environment: dict[str, str], entered: list[str]
) -> None:
    code, err = ends(begun, Path("/dev/full"), *entered, **environment)
    assert code == 2 and err.startswith("pbem: ") and err.count("\n") == 1, err


@pytest.mark.dear("starts a program for each command")
@buffering
def test_closed_streams_lose_nothing_but_words(
    begun: BegunGame, environment: dict[str, str]
) -> None:
    """As `>&-` in a shell: whoever started us gave no place for the output."""
    entered = [sys.executable, "-m", "pbem", "play", begun.last, "event swedish", "--no-mail"]
    for closing, told in (
        (">&- 2>&-", ""),
        (">&-", "pbem: standard output is closed: nothing was printed\n"),
    ):
        closed = ["sh", "-c", f'exec "$0" "$@" {closing}', *entered]
        env = {**plain_environment(begun), **environment}
        done = subprocess.run(
            closed, cwd=begun.folder, env=env, check=False, capture_output=True, text=True
        )
        assert (
            done.returncode == 0 and done.stderr.endswith(told) and bool(done.stderr) is bool(told)
        )
        assert len(list(begun.folder.glob("*-0004.toml"))) == 1


POLICY = """
import atexit
from pbem.simulate.policies import RandomPolicy

log = open("log.txt", "w")
atexit.register(lambda: open("learned.txt", "w").write("much"))


class Mine(RandomPolicy):
    def choose(self, game, ask, answers):
        log.write("asked\\n")
        return super().choose(game, ask, answers)
"""


def test_what_a_policy_writes_is_kept(tmp_path: Path) -> None:
    """Only a command that runs no other people's code leaves at once."""
    (tmp_path / "mine.py").write_text(POLICY.replace("\\\\", "\\"))
    command = [
        sys.executable,
        "-m",
        "pbem",
        "simulate",
        "tripoli",
        "--games",
        "2",
        "--policy",
        "mine:Mine",
        "--json",
    ]
    environment = {**os.environ, "PYTHONPATH": f"{Path(__file__).parents[2]}{os.pathsep}{tmp_path}"}
    subprocess.run(command, cwd=tmp_path, env=environment, check=True, capture_output=True)
    assert (tmp_path / "learned.txt").read_text() == "much"
    assert len((tmp_path / "log.txt").read_text().splitlines()) > 50


@buffering
@pytest.mark.parametrize("as_json", [[], ["--json"]], ids=["words", "json"])
def test_a_turn_whose_words_nobody_reads_is_done(
    begun: BegunGame, environment: dict[str, str], as_json: list[str]
) -> None:
    """Exit code 1 would say that it was refused."""
    env = {**plain_environment(begun), **environment}
    command = ["-m", "pbem", "play", begun.last, "event swedish", "--no-mail", *as_json]
    read, write = os.pipe()
    os.close(read)
    done = starter.run(command, cwd=begun.folder, env=env, stdout=write, stderr=subprocess.PIPE)
    os.close(write)
    assert (done.returncode, done.stderr) == (0, b"")
    assert len(list(begun.folder.glob("*-0004.toml"))) == 1


def test_a_folder_that_takes_no_file_is_found_before_anything_is_signed(
    begun: BegunGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(signing.os, "access", lambda path, mode: False)
    before = begun.listing()
    assert begun.ann.types("play", begun.last, "event swedish")[0] == 2
    assert begun.listing() == before
    assert begun.ann.types("play", begun.last, "event swedish", "--dry-run")[0] == 0


def test_every_command_of_a_module_is_placed() -> None:
    placed = {
        (one.module, name) for commands in app.SECTIONS.values() for name, one in commands.items()
    }
    tables = {module: import_module(f"pbem.cli.{module}").COMMANDS for module, _ in placed}
    assert placed == {(module, name) for module, table in tables.items() for name in table}
    with_tables = [
        path.stem
        for path in Path(app.__file__).parent.glob("*.py")
        if "\nCOMMANDS = {" in path.read_text()
    ]
    assert sorted(with_tables) == sorted(tables)


def test_the_commands_of_every_day_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        app.run(["--help"])
    lines = capsys.readouterr().out.splitlines()
    assert "Every day:" in lines
    for name in app.EVERY_DAY:
        text = next(found[name].text for found in app.SECTIONS.values() if name in found)
        assert any(line.startswith(f"  {name} ") and text[:30] in line for line in lines)
    assert not any(line.startswith("  complete ") for line in lines), "what only shells call"


def test_a_word_that_is_no_command_gets_those_like_it(capsys: pytest.CaptureFixture[str]) -> None:
    for word, told in (
        ("shwo", "Did you mean 'show'?"),
        ("xyzzy", "No such command 'xyzzy'. (hint"),
    ):
        with pytest.raises(SystemExit) as end:
            app.run([word])
        assert end.value.code == 2 and told in capsys.readouterr().err
