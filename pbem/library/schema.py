"""The tables of `library.sqlite`, each column of which docs/library.md explains.

What belongs to a game is kept under the game's number in this database, and read through a view
that puts the game's id, its file digest and its name before every row.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import NoneType
from typing import Any, get_args, get_type_hints

from pbem.library.rows import CardRow, EntryRow, GameRow, PlayerRow, PositionRow, RollRow, TallyRow

FILE = "library.sqlite"
APPLICATION = 0x7062656D
"""`pbem` in the header of the database (SQLite's application id): it is ours."""
VERSION = 2
"""Raised with every change of a table; a database of another version is made anew."""

ROWS: Mapping[str, type[Any]] = {
    "players": PlayerRow,
    "entries": EntryRow,
    "rolls": RollRow,
    "tallies": TallyRow,
    "cards": CardRow,
    "positions": PositionRow,
}
"""What is read under which name, and the rows that stand in it."""
TABLES = ("games", *ROWS)
"""What is exported, and what questions are asked of."""

_SQL = {str: "TEXT", int: "INTEGER", float: "REAL", bytes: "BLOB"}


def columns(row: type[Any]) -> dict[str, str]:
    """The columns that hold these rows, each with its type in SQL."""
    return {name: _kind(hint) for name, hint in get_type_hints(row).items()}


def _kind(hint: Any) -> str:
    """`TEXT NOT NULL` for `str`, `TEXT` for `str | None`; the words of a `Literal` are text."""
    several = [one for one in get_args(hint) if one is not NoneType]
    is_optional = NoneType in get_args(hint)
    kind = several[0] if is_optional else hint
    return _SQL.get(kind, "TEXT") + ("" if is_optional else " NOT NULL")


def _fields(columns: Mapping[str, str]) -> str:
    return ", ".join(f'"{name}" {kind}' for name, kind in columns.items())


GAME_COLUMNS: Mapping[str, str] = {
    "id": "INTEGER PRIMARY KEY",
    "path": "TEXT NOT NULL",
    **columns(GameRow),
    "versions": "INTEGER NOT NULL DEFAULT 0",
    "forks": "INTEGER NOT NULL DEFAULT 0",
}
FILE_COLUMNS: Mapping[str, str] = {
    "path": "TEXT PRIMARY KEY",
    "size": "INTEGER NOT NULL",
    "mtime": "INTEGER",
    "ctime": "INTEGER",
    "sha256": "TEXT NOT NULL",
    "verdict": "TEXT NOT NULL",
    "game_id": "TEXT",
    "turn": "TEXT",
    "entries": "INTEGER",
    "entry": "INTEGER",
    "layer": "TEXT",
    "reason": "TEXT",
}


def statements() -> list[str]:
    """What makes an empty library, in order."""
    made = [
        "CREATE TABLE library (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
        f"CREATE TABLE games ({_fields(GAME_COLUMNS)}, UNIQUE (game_id))",
        f"CREATE TABLE files ({_fields(FILE_COLUMNS)}) WITHOUT ROWID",
        "CREATE INDEX files_of_game ON files (game_id)",
    ]
    for name, row in ROWS.items():
        made.append(
            f"CREATE TABLE {kept(name)} (id INTEGER NOT NULL REFERENCES games (id) ON DELETE"
            f" CASCADE, {_fields(columns(row))}, PRIMARY KEY (id, number)) WITHOUT ROWID"
        )
        own = ", ".join(f'r."{column}"' for column in columns(row))
        made.append(
            f"CREATE VIEW {name} AS SELECT g.id, g.game_id, g.sha256, g.game, {own} "
            f"FROM {kept(name)} r JOIN games g ON g.id = r.id"
        )
    return [
        *made,
        "CREATE INDEX keys ON player_rows (key)",
        "CREATE INDEX position_digests ON position_rows (position)",
        "CREATE INDEX lines ON position_rows (line)",
    ]


def kept(name: str) -> str:
    """The table behind a view."""
    return {"entries": "entry_rows", "tallies": "tally_rows"}.get(name, f"{name[:-1]}_rows")
