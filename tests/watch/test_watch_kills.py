"""A watcher that is killed anywhere: no entry is signed twice, none is lost, none is sent twice but
with the same bytes, and each new turn is told exactly once."""

from __future__ import annotations

import os
import random
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from pbem.fileformat import turnfile
from pbem.turn import open_game, take_turn
from pbem.turn.draft_lines import Intent
from tests.support import read_game
from tests.support.kill_watch import killed_looks
from tests.support.mail_kit import attachment, parsed
from tests.support.watch_kit import Correspondent, Stage, solitaire, tripoli

pytestmark = pytest.mark.skipif(
    not sys.platform.startswith("linux"),
    reason="what a killed process has started is waited for as Linux can",
)
LAST = 90
"""Steps that each look has at least; a step is a change of a file or folder
(tests/support/kill.py)."""
KILLS = 67
"""Of each kind of entry in `./run slow`: two hundred in all."""
NAMES = ("witness", "proof", "root")


def prepared(folder: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> Correspondent:
    """A home that has been watched, with a new turn in its Maildir that it may answer by itself."""
    monkeypatch.setenv("PBEM_STATE", str(folder / "state"))
    stage, data = solitaire(folder) if name == "witness" else tripoli(folder)
    who = stage.other
    if name == "witness":
        data = stage.write(stage.one, data)
    else:
        data, who = stage.to_a_proof(data)
        if name == "root":
            data, who = _to_a_root(stage, data)
    who.look()
    who.restart()
    told = folder / f"told-to-{who.name.lower()}"
    with (who.home.folder / "mail.toml").open("r+") as file:
        rest = file.read()
        file.seek(0)
        file.write(f'notify = ["sh", "-c", "echo \\"$1\\" >> {told}", "sh", "{{text}}"]\n{rest}')
    who.receive(data)
    if name == "root":  # it came two days ago: that much is all that is left to wait for
        open_game.open_file(data, who.home)
        for path in who.home.folder.glob("games/*/read/*"):
            os.utime(path, (path.stat().st_mtime - 200_000,) * 2)
    return who


def _to_a_root(stage: Stage, data: bytes) -> tuple[bytes, Correspondent]:
    who, other = (
        (stage.one, stage.other)
        if read_game.replay_bytes(data).to_act() == 0
        else (stage.other, stage.one)
    )
    return take_turn.next_entry(open_game.open_file(data, who.home), Intent(resign=True)), other


def check(folder: Path, name: str, before: list[Path]) -> None:
    """What two looks, the first one killed, have left."""
    home = folder / f"home-of-{name}"
    known = {path.name for path in before}
    (entry,) = [path for path in home.glob("games/*/signed/*.toml") if path.name not in known]
    mails = {path.read_bytes() for path in (folder / f"sent-by-{name}").iterdir()}
    assert len(mails) == 1, "sent, and with the same bytes wherever twice"
    assert attachment(parsed(mails.pop())) == entry.read_bytes()
    told = folder / f"told-to-{name}"
    lines = told.read_text().splitlines() if told.exists() else []
    number = len(turnfile.read(entry.read_bytes()).entries) - 2
    assert len([line for line in lines if f"turn {number} by" in line]) == 1, lines
    assert not [*home.glob("games/*/outgoing/*.eml")]


def kill_and_check(tmp_path: Path, who: Correspondent, stage: Path, steps: list[int]) -> int:
    """How often the watcher was killed."""
    before = [*who.home.folder.glob("games/*/signed/*.toml")]
    name = who.name.lower()
    killed = killed_looks(stage, tmp_path / "killed", who.name, steps)
    for number in killed:
        check(tmp_path / "killed" / str(number), name, before)
    return len(killed)


@pytest.mark.dear("kills watchers")
def test_a_killed_watcher_signs_sends_and_tells_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    who = prepared(tmp_path / "stage", monkeypatch, "witness")
    steps = sorted(random.Random(14).sample(range(LAST), 5))
    assert kill_and_check(tmp_path, who, tmp_path / "stage", steps) == 5


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_a_watcher_killed_at_random_steps(
    name: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    record_property: Callable[[str, object], None],
) -> None:
    who = prepared(tmp_path / "stage", monkeypatch, name)
    steps = sorted(random.Random().sample(range(LAST), KILLS))
    killed = kill_and_check(tmp_path, who, tmp_path / "stage", steps)
    record_property(
        "figure",
        f"a watcher with a {name} to write, killed at {killed} steps: nothing twice, nothing lost",
    )
    assert killed == KILLS, steps
