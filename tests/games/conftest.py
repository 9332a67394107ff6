from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.plugins import Site


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
