"""The tables of `library.sqlite` and their rows.

A row has the fields of one table in the order of its columns; docs/library.md says what each of
them means. A list is JSON text, a digest of a whole file is hexadecimal text, and a digest that is
only compared is 16 bytes. Nothing in a row is known to one seat alone.

The rows of a game are kept under the game's number in this database. They are read through a view
that puts the game's id, its file digest and its name before every row.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import NoneType
from typing import Any, Literal, NamedTuple, TypeAlias, get_args, get_type_hints

_ESCAPED = re.compile(r"\\(?:\\|x([0-9a-f]{2}))")


def name_of(folder: Path, path: Path) -> str:
    """A path below the folder: a backslash doubled, a byte that is no UTF-8 as `\\xff`. Raises
    `ValueError` if it cannot be written so."""
    # relative_to takes eight times as long, and each question asks this of every file
    start = folder.parts
    if path.parts[: len(start)] != start:
        raise ValueError(f"{path} is not in {folder}")
    text = "/".join(path.parts[len(start) :]).replace("\\", "\\\\") or "."
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def read(folder: Path, name: str) -> Path:
    """The path with this name: the opposite of `name_of`."""
    return folder / _ESCAPED.sub(
        lambda match: chr(0xDC00 + int(match[1], 16)) if match[1] else "\\", name
    )


Role: TypeAlias = Literal["player", "witness", "rules"]
Result: TypeAlias = Literal["won", "drew", "lost", "open"]
Ended: TypeAlias = Literal["rules", "resignation", "draw", "left"]
Known: TypeAlias = Literal["opened", "root", "hidden"]


class GameRow(NamedTuple):
    """A game: what was agreed, how far it is, and how it ended."""

    game_id: str
    sha256: str
    game: str
    rules: int
    package: str
    options: str
    seats: str
    began: str
    last: str
    days: float
    entries: int
    decisions: int
    periods: int
    witnessed: int
    over: int
    proven: int
    ended: Ended | None
    how: str | None
    winners: str


class PlayerRow(NamedTuple):
    """A seat and who plays it."""

    number: int
    seat: str
    side: int
    role: Role
    key: str | None
    name: str | None
    result: Result | None
    points: int | None
    has_left: int


class EntryRow(NamedTuple):
    """A signed entry."""

    number: int
    seat: str
    date: str
    days: float | None
    answers: str
    orders: str
    draw: str | None
    resigned: int
    prefix: bytes


class RollRow(NamedTuple):
    """Dice that were thrown."""

    number: int
    entry: int
    settled: int
    period: str
    seat: str
    kind: str
    reason: str
    sides: int
    hits: str
    dice: str
    thrown: int
    got: int | None
    witnesses: str


class TallyRow(NamedTuple):
    """All rolls of one kind in a game by one seat, added up."""

    number: int
    seat: str
    kind: str
    sides: int
    hits: str
    rolls: int
    thrown: int
    faces: str
    got: int | None


class CardRow(NamedTuple):
    """Something that happened to a card."""

    number: int
    entry: int
    seat: str
    back: str
    card: str | None
    known: Known
    done: str


class PositionRow(NamedTuple):
    """A question of the game, the position in which it was asked, and the answer."""

    number: int
    entry: int
    seat: str
    position: bytes
    line: bytes
    question: str
    answer: str
    move: str
    card: str | None
    ordered: int


class GameRows(NamedTuple):
    """All rows of one game."""

    game: GameRow
    players: Sequence[PlayerRow]
    entries: Sequence[EntryRow]
    rolls: Sequence[RollRow]
    tallies: Sequence[TallyRow]
    cards: Sequence[CardRow]
    positions: Sequence[PositionRow]


FILE = "library.sqlite"
APPLICATION = 0x7062656D
"""SQLite's application id in the header of the database, `pbem` in ASCII: it says that the file is
ours."""
VERSION = 2
"""Increased with every change of a table; a database of another version is made anew."""

ROWS: Mapping[str, type[Any]] = {
    "players": PlayerRow,
    "entries": EntryRow,
    "rolls": RollRow,
    "tallies": TallyRow,
    "cards": CardRow,
    "positions": PositionRow,
}
"""The views by their names, and the rows that each has."""
TABLES = ("games", *ROWS)
"""The names of everything that can be asked and is exported."""

_SQL = {str: "TEXT", int: "INTEGER", float: "REAL", bytes: "BLOB"}


def columns(row: type[Any]) -> dict[str, str]:
    """The columns for such rows, each with its type in SQL."""
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
    """The statements that make an empty library, in order."""
    made = [
        "CREATE TABLE library (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
        f"CREATE TABLE games ({_fields(GAME_COLUMNS)}, UNIQUE (game_id))",
        f"CREATE TABLE files ({_fields(FILE_COLUMNS)}) WITHOUT ROWID",
        "CREATE INDEX files_of_game ON files (game_id)",
    ]
    for name, row in ROWS.items():
        made.append(
            f"CREATE TABLE {table_behind(name)} (id INTEGER NOT NULL REFERENCES games (id)"
            f" ON DELETE CASCADE, {_fields(columns(row))}, PRIMARY KEY (id, number)) WITHOUT ROWID"
        )
        own = ", ".join(f'r."{column}"' for column in columns(row))
        made.append(
            f"CREATE VIEW {name} AS SELECT g.id, g.game_id, g.sha256, g.game, {own} "
            f"FROM {table_behind(name)} r JOIN games g ON g.id = r.id"
        )
    return [
        *made,
        "CREATE INDEX keys ON player_rows (key)",
        "CREATE INDEX position_digests ON position_rows (position)",
        "CREATE INDEX lines ON position_rows (line)",
    ]


def table_behind(name: str) -> str:
    """The table behind a view."""
    return {"entries": "entry_rows", "tallies": "tally_rows"}.get(name, f"{name[:-1]}_rows")
