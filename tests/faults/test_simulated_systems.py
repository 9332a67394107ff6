"""Simulated: what the program meets on Windows and macOS, as far as Linux can be made to
(`tests.support.other_system`). What passes here is not tried there; `.github/workflows/test.yml`
tries it there."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from pbem import lock

ROOT = Path(__file__).parents[2]
RESERVED = {
    "con",
    "prn",
    "aux",
    "nul",
    *(f"{one}{n}" for one in ("com", "lpt") for n in range(1, 10)),
}
pytestmark = pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="it makes Linux look like the others"
)


class Computer:
    """One that is like another system, with a folder for all who play there."""

    def __init__(self, system: str, root: Path) -> None:
        self.root = root
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.support.other_system", system, str(root)],
            env={**os.environ, "PBEM_STATE": str(root / "state"), "PYTHONUTF8": "0"},
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            encoding="ascii",
        )

    def runs(self, home: Path, command: Sequence[str]) -> dict[str, Any]:
        """What came of a command."""
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(f"{json.dumps([str(home), list(command)])}\n")
        self._process.stdin.flush()
        answer: dict[str, Any] = json.loads(self._process.stdout.readline())
        return answer

    def close(self) -> None:
        self._process.kill()
        self._process.communicate()


@dataclass(frozen=True)
class Player:
    """Somebody who types there."""

    computer: Computer
    home: Path

    def types(self, *command: str) -> dict[str, Any]:
        return self.computer.runs(self.home, command)

    def reads(self, *command: str) -> str:
        done = self.types(*command)
        assert done["code"] == 0, (command, done)
        return str(done["out"])

    def does(self, *command: str) -> dict[str, Any]:
        facts: dict[str, Any] = json.loads(self.reads(*command, "--json"))
        return facts


@pytest.fixture
def computer(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Computer]:
    there = Computer(request.param, tmp_path)
    yield there
    there.close()


@pytest.mark.dear("starts programs on simulated systems")
@pytest.mark.parametrize("computer", ["windows", "macos"], indirect=True)
def test_simulated_two_players_begin_a_game_and_check_it(
    computer: Computer, tmp_path: Path
) -> None:
    mails = tmp_path / "Eigene Dateien Müller"
    mails.mkdir()
    ann = Player(computer, tmp_path / "Ann Müller" / "pbem home")
    ben = Player(computer, tmp_path / "Bén")
    ann.does("id", "--name", "Ann Müller", "--mail", "ann@example.org")
    ben.does("id", "--name", "Ben Łukasz", "--mail", "ben@example.org")
    made = ann.does("new", "backgammon", "--match", "1", "--dir", str(mails))
    joined = ben.does("join", str(mails / made["file"]).swapcase().replace(
        str(tmp_path).swapcase(), str(tmp_path)), "--dir", str(mails))  # fmt: skip
    last, seat = mails / joined["file"], joined["to_act"]
    assert seat
    for _ in range(3):
        writer = ann if ann.types("moves", str(last))["code"] == 0 else ben
        answers: list[str] = []
        while not (asked := writer.does("moves", str(last), "--after", "; ".join(answers)))[
            "complete"
        ]:
            answers.append(asked["options"][0])
        said = "--message", "Ærø grüßt 🚢", "--dir", str(mails)
        last = mails / writer.does("play", str(last), "; ".join(answers), *said)["file"]
    assert ann.does("verify", str(last))["ok"] is True
    assert "Müller" in ann.reads("inbox", str(mails))
    assert "Müller" in ben.reads("show", str(last))
    page = mails / "game.html"
    ann.reads("replay", str(last), "--html", str(page))
    assert page.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert ann.reads("home")
    for path in tmp_path.rglob("*"):
        name = path.name
        assert not set(name) & set('<>:"|?*\\') and name.isprintable(), path
        assert name[-1] not in ". " and name.split(".")[0].casefold() not in RESERVED, path
    for folder in (path for path in tmp_path.rglob("*") if path.is_dir()):
        names = [path.name.casefold() for path in folder.iterdir()]
        assert len(names) == len(set(names)), folder


@pytest.mark.dear("starts programs on simulated systems")
@pytest.mark.parametrize("computer", ["windows"], indirect=True)
def test_simulated_names_of_windows_say_what_is_wrong(computer: Computer, tmp_path: Path) -> None:
    """A path of that system that leads nowhere is a refusal with a reason, whatever it is made
    of."""
    ann = Player(computer, tmp_path / "home")
    ann.does("id", "--name", "Ann", "--mail", "ann@example.org")
    for name in (r"C:\Users\Ann Müller\game-0001.toml", r"\\server\share\x.toml"):
        done = ann.types("verify", name)
        assert done["code"] == 2 and "cannot read" in done["err"], (name, done)


def test_simulated_a_lock_that_takes_long_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Windows gives up after ten seconds, and the program asks again; any other error is one."""
    tries: list[int] = []

    class Msvcrt:
        LK_LOCK, LK_NBLCK = 1, 2

        def locking(self, _handle: int, mode: int, _bytes: int) -> None:
            tries.append(mode)
            if mode == self.LK_NBLCK or len(tries) < 3:
                raise OSError(errno.EDEADLK if mode == self.LK_LOCK else errno.EACCES, "locked")

    monkeypatch.setattr(lock.files, "fcntl", None)
    monkeypatch.setattr(lock, "msvcrt", Msvcrt())
    assert not lock.Lock(tmp_path / "held").take() and tries == [2]
    tries.clear()
    assert lock.Lock(tmp_path / "held").take(wait=True) and tries == [1, 1, 1]
