from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.plugins import Site


@pytest.fixture(autouse=True)
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    """Morra comes through the door that plug-ins use."""
    folder = tmp_path / "site-packages"
    folder.mkdir()
    made = Site(folder, monkeypatch)
    made.register("morra", "morra:GAME")
    yield made
    monkeypatch.undo()
    made.forget()
