from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

from engine.rules import Rules
from tests.support.plugins import BOARDS, Site


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    folder = tmp_path / "site-packages"
    folder.mkdir()
    made = Site(folder, monkeypatch)
    yield made
    monkeypatch.undo()
    made.forget()


@pytest.fixture
def boards(site: Site) -> None:
    """The games of `examples/boards`, as they are installed."""
    site.install_boards()


@pytest.fixture
def go(monkeypatch: pytest.MonkeyPatch) -> Rules:
    """The rules of Go, from where they are written."""
    monkeypatch.syspath_prepend(str(BOARDS))
    rules: Rules = import_module("pbem_go.game").RULES
    return rules
