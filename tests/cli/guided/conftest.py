from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.plugins import Site

collect_ignore_glob = ["test_*.py"] if sys.platform == "win32" else []
"""There is no pseudo-terminal on that system."""


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    folder = tmp_path / "site-packages"
    folder.mkdir()
    made = Site(folder, monkeypatch)
    yield made
    monkeypatch.undo()
    made.forget()
