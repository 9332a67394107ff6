"""The games of `examples/boards` as somebody gets them: their wheel beside that of pbem, in an
environment with nothing else, played by clicks at two tables, and in pages that check them."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.support.built import PARTS, ROOT, run, wheel_of
from tests.support.effort import PATIENCE
from tests.support.plugins import BOARD_GAMES, BOARDS
from tests.support.table_kit import Visitor, needs_browser
from tests.table.test_table_four_games import Clicks, check_page, clicked

pytestmark = [pytest.mark.dear("installs wheels and drives a browser"), needs_browser]

TURNS: dict[str, tuple[tuple[str, ...], list[Clicks]]] = {
    "chess": (
        (),
        [Clicks(one) for one in (("f2", "f3"), ("e7", "e5"), ("g2", "g4"), ("d8", "h4"))],
    ),
    "go": (("--size", "9"), [Clicks((one,)) for one in ("e5", "c3", "g7", "pass")]),
    "hex": (("--size", "5"), [Clicks((one,)) for one in ("b2", "swap", "c3", "d4")]),
    "einstein": ((), [Clicks()] * 4),
}
"""The options of a game, and its turns after the joining; chess ends with the last one."""


@dataclass(frozen=True)
class Installed:
    """The program of an environment, in a folder where turn files lie."""

    program: Path
    folder: Path

    def environment(self, who: str) -> dict[str, str]:
        places = {"PBEM_HOME": str(self.folder.parent / who), "PYTHONUTF8": "1"}
        return {**os.environ, **places, "PBEM_STATE": str(self.folder.parent / "state")}

    def does(self, who: str, *words: str) -> Any:
        command = [str(self.program), *words, "--json"]
        return json.loads(run(command, self.folder, self.environment(who)))

    @contextmanager
    def table(self, who: str) -> Iterator[str]:
        """Their `pbem table`; its address."""
        command = [str(self.program), "table", "--json", "--no-browser"]
        process = subprocess.Popen(
            command, cwd=self.folder, env=self.environment(who), stdout=subprocess.PIPE, text=True
        )
        try:
            assert process.stdout is not None
            yield json.loads(process.stdout.readline())["url"]
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=PATIENCE)
            assert process.returncode == 0
        finally:
            process.kill()
            process.communicate()


@pytest.fixture
def installed(tmp_path: Path) -> Installed:
    """What the program needs besides is lent by the environment of the tests; neither the checkout
    nor the games are to be found there."""
    run([sys.executable, "-m", "venv", "venv"], tmp_path)
    scripts = tmp_path / "venv" / ("Scripts" if os.name == "nt" else "bin")
    packages = ("pyproject.toml", *BOARD_GAMES.values())
    wheels = [wheel_of(tmp_path, ROOT, *PARTS), wheel_of(tmp_path, BOARDS, *packages)]
    quietly = ["--no-deps", "--no-index", "--no-compile", "--disable-pip-version-check"]
    run([str(scripts / "python"), "-m", "pip", "install", *quietly, *map(str, wheels)], tmp_path)
    (site,) = (tmp_path / "venv").glob("lib/*/site-packages")
    (site / "lent.pth").write_text(sysconfig.get_path("purelib") + "\n")
    where = "import pbem, pbem_chess; print(pbem.__file__, pbem_chess.__file__)"
    told = run([str(scripts / "python"), "-c", where], tmp_path)
    assert all(Path(one).is_relative_to(site) for one in told.split()), told
    (tmp_path / "files").mkdir()
    return Installed(scripts / "pbem", tmp_path / "files")


def test_each_is_played_by_clicks_and_its_page_verifies(
    chromium: Any, tmp_path: Path, installed: Installed
) -> None:
    for who in ("Ann", "Ben"):
        installed.does(who, "id", "--name", who, "--mail", f"{who.lower()}@example.org")
    with installed.table("Ann") as ann, installed.table("Ben") as ben:
        tables = {
            who: Visitor(chromium, SimpleNamespace(url=url), beside=True)
            for who, url in (("Ann", ann), ("Ben", ben))
        }
        for game, (options, turns) in TURNS.items():
            file = installed.does("Ann", "new", game, *options, "--no-mail")["file"]
            file = installed.does("Ben", "join", file, "--no-mail")["file"]
            for turn in turns:
                file = played(installed, tables, file, turn)
            assert installed.does("Ben", "verify", file)["ok"] is True
            page = tmp_path / f"{game}.html"
            installed.does("Ann", "replay", file, "--html", str(page))
            check_page(chromium, page)
        for visitor in tables.values():
            assert visitor.problems == []
            visitor.close()


def played(installed: Installed, tables: dict[str, Visitor], file: str, turn: Clicks) -> str:
    """The next turn, by whoever is asked, once they have taken in the file; the new one."""
    told = installed.does("Ann", "show", file)
    (who,) = [one["name"] for one in told["players"] if one["seat"] == told["to_act"]]
    page = tables[who].page
    page.goto(page.url.partition("/game/")[0])
    page.locator("#take-file").set_input_files(installed.folder / Path(file).name)
    page.get_by_role("button", name="Take it in").click()
    page.get_by_role("link", name="open this game").click()
    written = clicked(tables[who], turn)
    assert (installed.folder / written).is_file()
    return written
