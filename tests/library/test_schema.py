"""The tables of the library are those that docs/library.md explains, column by column."""

from __future__ import annotations

import re
import sqlite3
from pathlib import Path

import pytest

from pbem.library import schema

PAGE = (Path(__file__).parents[2] / "docs" / "library.md").read_text("utf-8")
FIRST = ["id", "game_id", "sha256", "game"]


def explained(heading: str) -> list[str]:
    """The columns of the table below a heading of the page, in their order."""
    section = PAGE.split(f"\n{heading}\n", 1)[1].split("\n#", 1)[0]
    cells = re.findall(r"^\| (`[^|]+`) \|", section, re.MULTILINE)
    return [name for cell in cells for name in re.findall(r"`([^`]+)`", cell)]


@pytest.fixture(scope="module")
def empty() -> sqlite3.Connection:
    made = sqlite3.connect(":memory:")
    for statement in schema.statements():
        made.execute(statement)
    return made


@pytest.mark.parametrize("name", [*schema.TABLES, "files"])
def test_every_column_is_explained(empty: sqlite3.Connection, name: str) -> None:
    columns = [one[0] for one in empty.execute(f"SELECT * FROM {name}").description]
    own = columns if name == "files" else [column for column in columns if column not in FIRST]
    assert explained(f"### {name}") == own


def test_every_row_begins_with_the_game_and_the_file(empty: sqlite3.Connection) -> None:
    assert explained("## The tables")[:4] == FIRST
    for name in schema.ROWS:
        assert [one[0] for one in empty.execute(f"SELECT * FROM {name}").description][:4] == FIRST


def test_the_version_that_the_page_promises(empty: sqlite3.Connection) -> None:
    assert f"`PRAGMA user_version` is {schema.VERSION}." in PAGE
