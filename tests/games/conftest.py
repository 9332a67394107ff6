from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.games import plugins
from pbem.report import render
from tests.support.plugins import BOARD_GAMES, BOARDS, Site


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    folder = tmp_path / "site-packages"
    folder.mkdir()
    made = Site(folder, monkeypatch)
    yield made
    monkeypatch.undo()
    made.forget()


@pytest.fixture
def boards(site: Site) -> Iterator[None]:
    """The games of `examples/boards`, as they are installed."""
    for game, package in BOARD_GAMES.items():
        unwanted = shutil.ignore_patterns("__pycache__")
        shutil.copytree(BOARDS / package, site.folder / package, ignore=unwanted)
        site.register(game, f"{package}:GAME")
    plugins.forget()
    yield
    for name in [name for name in sys.modules if name.partition(".")[0] in BOARD_GAMES.values()]:
        del sys.modules[name]
    render._environment.cache_clear()
