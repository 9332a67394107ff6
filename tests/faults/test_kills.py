"""Commands that are killed at every change they make to a file or folder: the next one works, and
signs no second version of what the killed one signed."""

from __future__ import annotations

import os
import shutil
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

import pytest

from tests.support import damages, kill
from tests.support.damages import Stage

pytestmark = pytest.mark.skipif(
    not hasattr(os, "fork"), reason="a process that is killed is forked from this one"
)

DONE, CONFLICT = 0, 4
COMMANDS = {
    "play": (
        ["play", "{waiting}", "event swedish", "--no-mail"],
        ["play", "{waiting}", "event swedish", "-m", "Other words", "--no-mail"],
    ),
    "resign": (
        ["resign", "{waiting}", "--no-mail", "--yes"],
        ["play", "{waiting}", "event swedish", "--no-mail"],
    ),
    "join": (["join", "{invited}", "--no-mail"], ["join", "{invited}", "--no-mail"]),
    "new": (
        ["new", "tripoli", "--seat", "american", "--no-mail"],
        ["new", "tripoli", "--seat", "american", "--no-mail"],
    ),
    "inbox": (["inbox"], ["inbox"]),
    "show": (["show", "{waiting}"], ["play", "{waiting}", "event swedish", "--no-mail"]),
}
"""Each command that is killed, and the next one in its home: the same with other answers, where it
takes any."""


@pytest.fixture(scope="module")
def prepared(pristine: Stage, tmp_path_factory: pytest.TempPathFactory) -> Stage:
    """As in the matrix; Ann's home has derived nothing yet, and knows nothing of the game she is
    invited to."""
    stage = pristine.copied(tmp_path_factory.mktemp("stage") / "prepared")
    for path in (stage.home / "checked.bin", *stage.home.glob("games/*/summary.json")):
        path.unlink()
    for folder in stage.home.glob(f"games/{stage.joined.split('-')[1]}*"):
        shutil.rmtree(folder)
    return stage


def words(stage: Stage, command: list[str]) -> list[str]:
    return [word.format(waiting=stage.waiting[3], invited=stage.joined) for word in command]


def check(prepared: Stage, folder: Path, name: str) -> None:
    """What a killed command left: the next one works, and nothing is signed twice."""
    stage = replace(prepared, folder=folder)
    first, then = (words(stage, command) for command in COMMANDS[name])
    before = damages.signed(prepared)
    left = damages.signed(stage, before).entries.keys() - before.entries.keys()
    code, out, err = stage.ann.types(*then)
    is_signed = first[0] == "resign" and bool(left)
    assert code == (CONFLICT if is_signed else DONE), (first, folder.name, code, out, err)
    assert "Traceback" not in err
    if is_signed:  # without answers the signed entry is written again, as it was
        assert stage.ann.types("play", first[1])[0] == DONE
    for command in (["inbox"], ["show", stage.waiting[3]]):
        code, out, err = stage.ann.types(*command)
        assert code == DONE, (command, folder.name, out, err)
    found = damages.signed(stage, before)
    assert all(len(versions) == 1 for versions in found.entries.values()), (first, folder.name)
    assert not list(stage.home.rglob(".pbem-*")), "what was killed is tidied"


def killed(prepared: Stage, tmp_path: Path, name: str, steps: list[int] | None) -> list[int]:
    done = kill.killed_at(prepared.folder, tmp_path, words(prepared, COMMANDS[name][0]), steps)
    for number in done:
        folder = tmp_path / str(number)
        with patch.dict(os.environ, PBEM_STATE=str(kill.state_of(folder))):
            check(prepared, folder, name)
    return done


@pytest.mark.slow
@pytest.mark.parametrize("name", COMMANDS)
def test_killed_at_every_step(prepared: Stage, tmp_path: Path, name: str) -> None:
    assert len(killed(prepared, tmp_path, name, None)) > 5


@pytest.mark.dear("kills programs")
@pytest.mark.parametrize("name", ["play", "join"])
def test_killed_at_some_steps(prepared: Stage, tmp_path: Path, name: str) -> None:
    assert len(killed(prepared, tmp_path, name, list(range(1, 60, 7)))) > 5
