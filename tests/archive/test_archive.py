"""Archived games of each kind and option: they must verify for ever.

The files are frozen: a file that stands in `SHA256SUMS` is never made anew or taken away. A changed
rule gets a new version (`pbem.games.registry`), a changed format a new number, and with it new
files here, whose names begin with the game and the version of its rules (`make.py` plays them).
"""

from __future__ import annotations

import functools
import hashlib
import re
from pathlib import Path

import pytest

from pbem.fileformat import turnfile
from pbem.games import registry
from pbem.report import verification

HERE = Path(__file__).parent
SUMS = dict(
    reversed(line.split("  "))
    for line in (HERE / "SHA256SUMS").read_text(encoding="ascii").splitlines()
    if line
)


@functools.cache
def verified(name: str) -> verification.VerifiedGame:
    """What a file of the archive proves."""
    data = (HERE / name).read_bytes()
    assert hashlib.sha256(data).hexdigest() == SUMS[name], "an archived game is never changed"
    facts, failure = verification.verify(data)
    assert failure is None and isinstance(facts, verification.VerifiedGame)
    return facts


def first_entry(name: str) -> turnfile.Entry:
    return turnfile.read((HERE / name).read_bytes()).entries[0]


def fields() -> set[str]:
    """Every field that an entry of an archived game has."""
    files = [turnfile.read((HERE / name).read_bytes()) for name in SUMS]
    return {field for file in files for entry in file.entries for field in entry.fields}


def test_every_file_has_its_sum() -> None:
    assert {path.name for path in HERE.glob("*.toml")} == set(SUMS)


@pytest.mark.dear("replays every archived game")
@pytest.mark.parametrize("name", sorted(SUMS))
def test_an_archived_game_still_verifies(name: str) -> None:
    facts = verified(name)
    assert facts.ok is True and facts.result is not None
    assert facts.result.proven is not facts.result.by_hand and not facts.result.unproven
    assert facts.result.winners or re.match("agreed by all|neither side has won", facts.result.how)
    assert name.removesuffix(".toml").startswith(f"{facts.game}-{facts.rules}")


@pytest.mark.dear("replays every archived game")
def test_every_rules_version_has_its_game() -> None:
    assert {(verified(name).game, verified(name).rules) for name in SUMS} >= set(
        registry.versions()
    )


def test_every_option_has_its_game() -> None:
    """Each setting of each game stands in the invitation of one."""
    chosen: dict[str, set[str]] = {}
    for name in SUMS:
        entry = first_entry(name)
        chosen.setdefault(entry.text("game"), set()).update(entry.list("options"))
    for game, _ in registry.versions():
        missing = set(registry.newest(game).settings) - {
            option.partition(" ")[0] for option in chosen[game]
        }
        assert not missing, f"{game}: {missing}"


def test_every_field_of_the_format_stands_in_one() -> None:
    known = set(turnfile.KEYS)
    assert known - fields() == set()


@pytest.mark.dear("replays every archived game")
def test_every_way_to_end_has_its_game() -> None:
    results = [result for name in SUMS if (result := verified(name).result) is not None]
    for way in ("agreed", "resign"):
        assert any(way in result.how for result in results), way
    assert any(result.unaudited for result in results), "somebody left"
