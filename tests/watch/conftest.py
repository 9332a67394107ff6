"""Each test of the watcher has a state of its own: games that several tests play have one key and
one id, and what is noted of them outside their homes would tell one test of the entries of
another."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def own_state(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is kept of keys outside their homes (`pbem.home.outside`)."""
    monkeypatch.setenv("PBEM_STATE", str(tmp_path_factory.mktemp("state")))
