"""Archived games, one for each version of each game's rules: they must replay for ever.

The files are never made anew. A changed rule gets a new version (`pbem.games.registry`), and with it a new file here:
finish a game with it and keep its last turn file, for example by `.venv/bin/python -m examples.make --archive
tests/archive/tripoli-2.toml`; then add its SHA-256 to `SHA256SUMS`. Until the format is frozen a change makes them
anew (`make_loot.py` for Loot).
"""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from pbem.games import registry
from pbem.report import verification

HERE = Path(__file__).parent
SUMS = dict(
    reversed(line.split("  ")) for line in (HERE / "SHA256SUMS").read_text(encoding="ascii").splitlines() if line
)


def test_every_rules_version_has_its_game() -> None:
    known = {f"{name}-{version}.toml" for name, version in registry.versions()}
    assert {path.name for path in HERE.glob("*.toml")} == set(SUMS) == known


@pytest.mark.parametrize("name", sorted(SUMS))
def test_an_archived_game_still_verifies(name: str) -> None:
    data = (HERE / name).read_bytes()
    assert hashlib.sha256(data).hexdigest() == SUMS[name], "an archived game is never changed"
    facts, failure = verification.verify(data)
    assert failure is None
    assert facts.ok is True and facts.result.proven is True and facts.result.winners
    assert f"{facts.game}-{facts.rules}.toml" == name
    assert facts.rolls + facts.shuffles > 3 and (facts.openings > 10 or facts.game == "paradise")
