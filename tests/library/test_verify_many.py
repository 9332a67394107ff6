"""`pbem verify` with many files and folders: every file is told of, whatever lies beside it."""

from __future__ import annotations

import errno
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from examples.correspondence import Player
from pbem.cli import verify_many
from pbem.fileformat import armor, turnfile
from pbem.fileformat.encoding import b64, fingerprint, unb64
from pbem.ledger.evidence import NO_ACCUSATION
from pbem.library import runner
from tests.library.test_walk import long_path
from tests.support.effort import PATIENCE
from tests.support.homes import copy_homes
from tests.support.rights import rights_hold
from tests.support.terminal import at_a_terminal

EXAMPLES = Path(__file__).parents[2] / "examples"
TURN = EXAMPLES / "tripoli" / "tripoli-1647fbef-0005.toml"
POSIX = pytest.mark.skipif(os.name != "posix", reason="pipes, signals and these names are POSIX's")


@pytest.fixture
def ann(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Player:
    """Somebody without a home, in a folder with two games that hold, in `games`; one process works
    where they name no number."""
    monkeypatch.setattr(runner, "count_processors", lambda: 1)
    games = tmp_path / "games"
    games.mkdir()
    shutil.copy(TURN, games / "a.toml")
    (games / "z").mkdir()
    shutil.copy(TURN, games / "z" / "b.toml")
    return Player("Ann", tmp_path / "home", tmp_path, in_process=True)


def verdicts(player: Player, *arguments: str) -> tuple[int, dict[str, str], dict[str, str]]:
    """The exit code of `verify`, the verdict of each file, and what is wrong with some of them."""
    code, out, err = player.types("verify", *arguments, "--json")
    assert err == ""
    lines = [json.loads(line) for line in out.splitlines()]
    files = [line for line in lines if "verdict" in line]
    return (
        code,
        {line["file"]: line["verdict"] for line in files},
        {line["file"]: line["error"] for line in files if line["error"]},
    )


def damage(path: Path) -> None:
    path.write_bytes(TURN.read_bytes().replace(b'seat = "american"', b'seat = "tripolitan"', 1))


def test_files_that_hold_are_summed_up(ann: Player) -> None:
    (ann.folder / "saved.txt").write_text(f"Hello Ben,\n\n{armor.wrap(TURN.read_bytes())}\nAnn\n")
    code, out, err = ann.types("verify", "games", "saved.txt")
    assert (code, err) == (0, "")
    head, row, total = out.splitlines()
    assert dict(zip(head.split(), row.split(), strict=True)) == {
        "game": "tripoli",
        "files": "3",
        "entries": "18",
        "rolls": "6",
        "draws": "6",
        "openings": "3",
        "ended": "0",
        "proven": "0",
    }
    assert re.findall(r"\d+", total) == ["3", "3"]
    assert not ann.home.exists(), "to verify needs no home"


@POSIX
def test_a_tree_with_bad_places_is_verified_and_kept_but_for_them(ann: Player) -> None:
    """As an ordinary user: a folder of which only the names may be read, and a path that is too
    long."""
    games = ann.folder / "games"
    shut = games / "shut" / "below"
    shut.mkdir(parents=True)
    shutil.copy(TURN, shut / "c.toml")
    longest = long_path(games, Path("games"))
    (games / "shut").chmod(0o400)
    try:
        with rights_hold() as do_hold:
            if not do_hold:
                pytest.skip("root's rights cannot be laid down here")
            code, files, wrong = verdicts(ann, "games", "--jobs", "1")
            facts = json.loads(ann.types("library", "games", "--jobs", "1", "--json")[1])
    finally:
        (games / "shut").chmod(0o700)
    assert code == 2 and [*files.values()].count("holds") == 2
    assert files["games/shut/below"] == files[str(longest)] == "unread"
    assert wrong == {
        "games/shut/below": os.strerror(errno.EACCES),
        str(longest): os.strerror(errno.ENAMETOOLONG),
    }
    assert (facts["files"], len(facts["skipped"])) == (2, 2)


@POSIX
def test_a_device_is_never_opened(ann: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether it is named alone or among others, and through a link too: to open one may do
    something."""
    opened: list[object] = []
    monkeypatch.setattr(os, "open", watched_open(opened))
    (ann.folder / "link.toml").symlink_to(os.devnull)
    (ann.folder / "games" / "link.toml").symlink_to(os.devnull)
    for named in ([os.devnull], ["link.toml"], ["games", os.devnull, "link.toml", "--jobs", "1"]):
        assert ann.types("verify", *named)[0] == 2, named
    assert [path for path in opened if os.path.realpath(str(path)) == os.devnull] == []


def watched_open(opened: list[object]) -> Callable[..., int]:
    """The system's `open`, which notes what it is given."""
    original = os.open

    def noting(path: Any, *rest: Any, **named: Any) -> int:
        opened.append(path)
        return original(path, *rest, **named)

    return noting


@pytest.mark.dear("verifies folders in processes")
@POSIX
def test_whatever_lies_there_is_told_and_the_rest_is_verified(ann: Player) -> None:
    games = ann.folder / "games"
    damage(games / "b\x1b[2Jad.toml")
    (games / "empty.toml").touch()
    os.mkfifo(games / "pipe.toml")
    (games / "z" / "loop").symlink_to(games)
    (games / "pyproject.toml").write_text('[project]\nname = "other"\n')
    named = ["games", "gone.toml", os.devnull]
    code, out, err = ann.types("verify", *named, "--jobs", "2")
    told = out.splitlines()
    assert (code, err) == (3, "")
    assert [line.partition(": ")[0] for line in told[:7]] == [
        "games/b?[2Jad.toml",
        "games/empty.toml",
        "games/pipe.toml",
        "games/pyproject.toml",
        "games/z/loop",
        "gone.toml",
        os.devnull,
    ]
    assert ["pipe" in told[2], "device" in told[6]] == [True, True]
    assert re.findall(r"\d+", told[-1]) == ["2", "8", "2", "1", "3"]
    assert ann.types("verify", *named, "--jobs", "1") == (code, out, err)
    code, out, _ = ann.types("verify", *named, "--json")
    lines = [json.loads(line) for line in out.splitlines()]
    assert code == 3 and "\x1b" not in out
    kinds = ["holds", "bad", "bad", "unread", "other", "holds", "skipped", "unread", "unread"]
    assert [line["verdict"] for line in lines] == kinds
    assert lines[1]["file"] == "games/b\x1b[2Jad.toml" and lines[1]["verification"]["entry"] == 0
    assert {line["sha256"] for line in lines if line["verdict"] == "holds"} == {lines[0]["sha256"]}
    assert ann.asks("verify", "games/a.toml") == lines[0]["verification"], "as of a single file"


def test_a_file_that_is_named_and_is_no_turn_file_does_not_hold(ann: Player) -> None:
    (ann.folder / "other.toml").write_text("a = 1\n")
    code, files, _ = verdicts(ann, "other.toml", "games/a.toml")
    assert (code, files) == (3, {"other.toml": "bad", "games/a.toml": "holds"})


def test_a_run_in_which_all_that_was_read_holds_does_not_pass_for_whole(ann: Player) -> None:
    assert ann.types("verify", "games", "gone.toml")[0] == 2
    with rights_hold() as hold:
        if not hold:
            pytest.skip("rights do not hold here")
        (ann.folder / "games" / "z").chmod(0)
        try:
            code, files, _ = verdicts(ann, "games")
        finally:
            (ann.folder / "games" / "z").chmod(0o700)
    assert (code, files) == (2, {"games/a.toml": "holds", "games/z": "unread"})


def test_a_folder_without_turn_files_is_no_success(ann: Player) -> None:
    (ann.folder / "empty").mkdir()
    code, out, err = ann.types("verify", "empty")
    assert (code, out) == (2, "") and err
    code, out, err = ann.types("verify", "empty", "--json")
    assert code == 2 and json.loads(out)["exit"] == 2


def test_what_fits_one_file_only_is_refused_for_many(ann: Player) -> None:
    assert ann.types("verify", "games", "--trace", "out")[0] == 2
    assert not (ann.folder / "out").exists()
    assert ann.types("verify", "games", "--jobs", "0")[0] == 2


def test_a_single_file_never_comes_here(ann: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        verify_many, "verify", lambda *_given, **_more: pytest.fail("it is one file")
    )
    assert ann.types("verify", "games/a.toml", "--jobs", "2")[0] == 0


def test_short_names_and_what_is_wrong_with_them_stand_beside_files(ann: Player) -> None:
    ann.does("id", "--name", "Ann")
    short = Path(ann.does("new", "tripoli")["file"]).stem.rpartition("-")[0]
    code, files, _ = verdicts(ann, short, "games/a.toml", "loot-12345678")
    assert code == 2 and sorted(files.values()) == ["holds", "holds", "unread"]
    assert files["loot-12345678"] == "unread"


@POSIX
def test_in_a_terminal_a_bar_runs_below_the_lines(ann: Player) -> None:
    damage(ann.folder / "games" / "bad.toml")
    shown = at_a_terminal(ann.home, ann.folder, ["verify", "games"], columns=200)
    assert "verifying" in shown and "100%" in shown
    assert "games/bad.toml: turn 0, tripolitan: " in shown
    assert re.findall(r"\d+", shown.splitlines()[-1]) == ["2", "3", "1"]


@pytest.mark.dear("verifies folders in processes")
@POSIX
@pytest.mark.parametrize("at_once", [True, False], ids=["while it starts", "while it works"])
def test_an_interrupt_leaves_no_process_and_no_traceback(ann: Player, at_once: bool) -> None:
    games = ann.folder / "games"
    for number in range(400):
        os.link(games / "a.toml", games / f"{number}.toml")
    command = [sys.executable, "-m", "pbem", "verify", "games", "--json", "--jobs", "2"]
    environment = {**os.environ, "PYTHONPATH": str(EXAMPLES.parent), "PYTHONUNBUFFERED": "1"}
    pipe = subprocess.PIPE
    program = subprocess.Popen(
        command,
        cwd=ann.folder,
        env=environment,
        stdout=pipe,
        stderr=pipe,
        process_group=0,
        encoding="utf-8",
    )
    assert program.stdout is not None
    if at_once and not Path("/proc/self/stat").exists():
        program.kill()
        pytest.skip("this system does not tell which processes there are")
    try:
        if at_once:
            wait_for_processes(program.pid)
        else:
            program.stdout.readline()
        os.killpg(program.pid, signal.SIGINT)
        out, err = program.communicate(timeout=PATIENCE)
    finally:
        program.kill()
    assert program.returncode == 1 and err == ""
    assert json.loads(out.splitlines()[-1])["error"].startswith("interrupted after ")
    until = time.monotonic() + PATIENCE
    while is_there(program.pid) and time.monotonic() < until:
        # Python's own process for shared memory ends when it sees that the others have
        time.sleep(0.02)
    assert not is_there(program.pid)


def wait_for_processes(group: int) -> None:
    """Until the program has started another one."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        if any(parent == group for _, parent in processes(group)):
            return
        time.sleep(0.01)


def processes(group: int) -> Iterator[tuple[str, int]]:
    """The state and the parent of each process of a group, as Linux tells them
    (proc_pid_stat(5))."""
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            state, parent, in_group = stat.read_text().rpartition(")")[2].split()[:3]
            if int(in_group) == group:
                yield state, int(parent)


def is_there(group: int) -> bool:
    """Whether a process of this group goes on. One that has ended and that nobody has asked about
    yet does not: whoever inherits it may take seconds."""
    if Path("/proc/self/stat").exists():
        return any(state != "Z" for state, _ in processes(group))
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.fixture
def dora(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Player:
    """Somebody without a home, in a folder with a game in which Ann answered two joins, the second
    with a copy of their home on another machine: the answers are `ben.toml` and `cleo.toml`."""
    ann = Player("Ann", tmp_path / "ann", tmp_path, in_process=True)
    ann.does("id", "--name", "Ann")
    invited = ann.does("new", "tripoli", "--no-mail")["file"]
    homes = {"Ben": ann.home, "Cleo": tmp_path / "copy"}
    copy_homes(homes["Ben"], homes["Cleo"])
    for name, home in homes.items():
        folder = tmp_path / f"with {name}"
        folder.mkdir()
        shutil.copy(tmp_path / invited, folder)
        monkeypatch.setenv("PBEM_STATE", str(folder / "state"))
        guest = Player(name, folder / "home", folder, in_process=True)
        guest.does("id", "--name", name)
        joined = guest.does("join", invited, "--no-mail")["file"]
        shutil.copy(folder / joined, tmp_path / f"joined-{name}.toml")
        told = Player("Ann", home, folder, in_process=True).does(
            "resign", joined, "--yes", "--no-mail"
        )
        shutil.copy(folder / told["file"], tmp_path / f"{name.lower()}.toml")
    return Player("Dora", tmp_path / "none", tmp_path, in_process=True)


def test_two_answers_to_two_joins_are_told(dora: Player, tmp_path: Path) -> None:
    key = b64(turnfile.read((tmp_path / "ben.toml").read_bytes()).entries[0].blob("key", 32))
    digits = fingerprint(unb64(key))
    code, out, err = dora.types("verify", "ben.toml", "cleo.toml")
    assert (code, err) == (4, "")
    _, told, no_accusation = out.splitlines()[2:]
    assert all(part in told for part in (digits, "american", "turn 2", "ben.toml, cleo.toml"))
    assert no_accusation == NO_ACCUSATION
    code, out, err = dora.types("verify", "ben.toml", "cleo.toml", "--json")
    facts = json.loads(out.splitlines()[2])
    assert code == 4 and len(out.splitlines()) == 3
    assert facts == {
        "evidence": "versions",
        "game_id": json.loads(out.splitlines()[0])["verification"]["game_id"],
        "seat": "american",
        "number": 2,
        "key": key,
        "fingerprint": digits,
        "files": ["ben.toml", "cleo.toml"],
    }
    names = {
        str(entry.fields["name"])
        for entry in turnfile.read((tmp_path / "cleo.toml").read_bytes()).entries[:2]
    }
    assert not any(name in out.splitlines()[2] for name in names), (
        "a name is what anybody calls themself"
    )


def evidence(player: Player, *arguments: str) -> tuple[int, list[tuple[int, list[str]]]]:
    """The exit code of `verify`, and the number of the turn and the files of all evidence."""
    code, out, _ = player.types("verify", *arguments, "--json")
    lines = [json.loads(line) for line in out.splitlines()]
    return code, [(line["number"], line["files"]) for line in lines if "evidence" in line]


@pytest.mark.dear("verifies folders in processes")
def test_evidence_is_found_in_folders_and_mails_and_beside_bad_files(
    dora: Player, tmp_path: Path
) -> None:
    mails = tmp_path / "mails"
    mails.mkdir()
    (mails / "a.toml").write_text(
        f"Hello\n{armor.wrap((tmp_path / 'ben.toml').read_bytes())}\nAnn\n"
    )
    (mails / "b.toml").write_bytes((tmp_path / "cleo.toml").read_bytes().replace(b"\n", b"\r\n"))
    assert evidence(dora, "mails", "--jobs", "2") == (4, [(2, ["mails/a.toml", "mails/b.toml"])])
    (mails / "b.toml").write_bytes((tmp_path / "cleo.toml").read_bytes() + b"junk\n")
    assert evidence(dora, "mails") == (3, [(2, ["mails/a.toml", "mails/b.toml"])]), (
        "what comes after it hides nothing"
    )
    named = ("joined-Ben.toml", "joined-Cleo.toml", "ben.toml")
    assert evidence(dora, *named) == (0, []), (
        "two keys in a seat are two joins, an older file is a beginning"
    )
