"""A game of three at the points where somebody may cheat."""

from pathlib import Path

import pytest

from tests.support.loot_forging import deciding, joining, sharing

__all__ = ["deciding", "joining", "sharing"]


@pytest.fixture(autouse=True)
def state_of_this_test(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each test begins with the players, keys and nonces of the same few games and goes on in its
    own way, which what is kept outside of homes would take for a second version of a turn."""
    monkeypatch.setenv("PBEM_STATE", str(tmp_path / "state"))
