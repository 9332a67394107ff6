"""Exports the tables of a library as Parquet files, one for each table, for programs that read
columns."""

from __future__ import annotations

import os
import sqlite3
import stat
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from pbem import files
from pbem.errors import Conflict, Usage
from pbem.library import schema

ROWS = 20_000
"""Rows that are in memory at a time; each so many make a row group of the file."""
_MAGIC = b"PAR1"
_FIRST = {
    "id": "INTEGER NOT NULL",
    "game_id": "TEXT NOT NULL",
    "sha256": "TEXT NOT NULL",
    "game": "TEXT NOT NULL",
}
_INSTALL = "pipx inject pbem pyarrow, or whatever installs pyarrow beside pbem"


def export(connection: sqlite3.Connection, folder: Path) -> list[Path]:
    """Write every table to the folder as TABLE.parquet, replacing an earlier one; returns the
    files. Raises `Usage` or `Conflict`."""
    arrow, parquet = _arrow()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        paths = [folder / f"{name}.parquet" for name in schema.TABLES]
        for path in paths:
            _check_place(path)
        for name, path in zip(schema.TABLES, paths, strict=True):
            _write(connection, name, path, arrow, parquet)
    except OSError as error:
        raise Usage(
            f"cannot write to {files.printable(folder)}: {error.strerror or error}",
            hint="check the folder",
        ) from error
    return paths


def _arrow() -> tuple[Any, Any]:
    """The modules `pyarrow` and `pyarrow.parquet`. Raises `Usage`."""
    try:
        return import_module("pyarrow"), import_module("pyarrow.parquet")
    except ImportError as error:
        raise Usage(f"writing Parquet needs pyarrow: {error}", hint=_INSTALL) from error


def _check_place(path: Path) -> None:
    """Raise `Conflict` if a file lies there that is no Parquet file."""
    if not os.path.lexists(path):
        return
    if stat.S_ISREG(os.lstat(path).st_mode):
        with open(path, "rb") as file:
            if file.read(len(_MAGIC)) == _MAGIC:
                return
    what = f"{files.printable(path)} exists and is no Parquet file"
    raise Conflict(what, hint="nothing was overwritten; move it away or choose another folder")


def _write(connection: sqlite3.Connection, name: str, path: Path, arrow: Any, parquet: Any) -> None:
    """Write one table, row group by row group, under another name until it is whole."""
    cursor = connection.execute(
        f"SELECT * FROM {name} ORDER BY id{', number' if name in schema.ROWS else ''}"
    )
    columns = [one[0] for one in cursor.description]
    shape = _shape(name, columns, arrow)
    with (
        files.made_beside(path) as half,
        parquet.ParquetWriter(half, shape, compression="zstd") as writer,
    ):
        while rows := cursor.fetchmany(ROWS):
            writer.write_table(arrow.table(list(map(list, zip(*rows, strict=True))), schema=shape))


def _shape(name: str, columns: Sequence[str], arrow: Any) -> Any:
    """The schema of a table: the type of each column, and whether it may be empty."""
    kinds = {
        "TEXT": arrow.string(),
        "INTEGER": arrow.int64(),
        "REAL": arrow.float64(),
        "BLOB": arrow.binary(),
    }
    own = schema.columns(schema.ROWS[name]) if name in schema.ROWS else schema.GAME_COLUMNS
    types = {**_FIRST, **own}
    return arrow.schema(
        [
            arrow.field(
                column,
                kinds[types[column].split()[0]],
                nullable="NOT NULL" not in types[column],
            )
            for column in columns
        ]
    )
