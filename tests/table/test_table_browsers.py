"""The table in other browsers than the one of the other tests."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from pbem.turn import joining, open_game
from tests.support.browsers import FOLDER, NODE, PROGRAMS, needs_puppeteer
from tests.support.effort import PATIENCE
from tests.support.homes import make_home
from tests.support.table_kit import served


@needs_puppeteer
@pytest.mark.parametrize("browser", ["firefox"])
def test_two_frigates_are_moved_and_the_board_zoomed(tmp_path: Path, browser: str) -> None:
    if PROGRAMS[browser] is None:
        pytest.skip(f"{browser} is not installed")
    ann, ben = make_home(tmp_path / "ann"), make_home(tmp_path / "ben", "Ben")
    path = tmp_path / "game.toml"
    path.write_bytes(
        joining.join(open_game.open_file(joining.invite(ann, "tripoli", None, {}, []), ben), ben)
    )
    with served(ann, tmp_path / "files", path) as server:
        command = [
            str(NODE),
            str(FOLDER / "table.mjs"),
            browser,
            str(PROGRAMS[browser]),
            server.url,
        ]
        run = subprocess.run(
            command, capture_output=True, check=False, timeout=PATIENCE, cwd=FOLDER
        )
        assert run.returncode == 0, run.stderr.decode()
    found = json.loads(run.stdout)
    assert found["said"][1:] == ["1 gibraltar > malta", "1 gibraltar > algiers"]
    assert found["problems"] == []
