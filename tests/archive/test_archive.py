"""Archived games of each kind and option: they must verify for ever.

From the first tag on the files are frozen: a file that stands in `SHA256SUMS` is never made anew or
taken away, nor is its line in `results.json`, what came of it by the program that wrote it. A
changed rule gets a new version (`pbem.games.registry`), a changed format a new number, and with it
new files here, whose names begin with the game and the version of its rules (`make.py` plays them).
"""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

import pytest

from pbem.fileformat import turnfile
from pbem.games import registry
from tests.archive import make

HERE = Path(__file__).parent
SUMS = dict(
    reversed(line.split("  "))
    for line in (HERE / "SHA256SUMS").read_text(encoding="ascii").splitlines()
    if line
)


def of_archive(name: str) -> bytes:
    """A file of the archive."""
    data = (HERE / name).read_bytes()
    assert hashlib.sha256(data).hexdigest() == SUMS[name], "an archived game is never changed"
    return data


def first_entry(name: str) -> turnfile.Entry:
    return turnfile.read((HERE / name).read_bytes()).entries[0]


def fields() -> set[str]:
    """Every field that an entry of an archived game has."""
    files = [turnfile.read((HERE / name).read_bytes()) for name in SUMS]
    return {field for file in files for entry in file.entries for field in entry.fields}


def test_every_file_has_its_sum() -> None:
    assert {path.name for path in HERE.glob("*.toml")} == set(SUMS) == set(make.results())


@pytest.mark.dear("replays every archived game")
@pytest.mark.parametrize("name", sorted(SUMS))
def test_an_archived_game_still_verifies(name: str) -> None:
    """Every die, card and point is what it was when the game was archived."""
    found = make.result_of(of_archive(name))
    assert found == make.results()[name]
    assert found["proven"] is not found["by hand"] and not found["unproven"]
    assert found["winners"] or re.match("agreed by all|neither side has won", found["how"])
    assert name.startswith(f"{found['game']}-{found['rules']}")


def test_every_rules_version_has_its_game() -> None:
    firsts = [first_entry(name) for name in SUMS]
    archived = {(first.text("game"), first.fields["rules"]) for first in firsts}
    assert archived == set(registry.versions())


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


def test_every_way_to_end_has_its_game() -> None:
    results = make.results().values()
    for way in ("agreed", "resign"):
        assert any(way in result["how"] for result in results), way
    assert any(result["unaudited"] for result in results), "somebody left"
