"""The tables as Parquet: the same rows and columns, and nothing of others overwritten."""

from __future__ import annotations

import json
import re
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from pbem.cli import app
from pbem.errors import Conflict, Usage
from pbem.library import database, export, schema
from tests.support.library_kit import ARCHIVE, branch, refreshed, version


def parquet() -> Any:
    return pytest.importorskip(
        "pyarrow.parquet", reason="pyarrow is not installed: pip install 'pbem[parquet]'"
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game that is over, and one that goes on."""
    made = tmp_path_factory.mktemp("games")
    (made / "a.toml").write_bytes((ARCHIVE / "tripoli-1.toml").read_bytes())
    (made / "b.toml").write_bytes(version(branch("b"), 9))
    refreshed(made)
    return made


def exported(folder: Path, out: Path) -> list[Path]:
    with closing(database.to_read(folder)) as connection:
        return export.export(connection, out)


def test_every_table_comes_out_as_it_is(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reader = parquet()
    monkeypatch.setattr(export, "ROWS", 7)
    paths = exported(folder, tmp_path / "deep" / "out")
    assert [path.name for path in paths] == [f"{name}.parquet" for name in schema.TABLES]
    with closing(database.to_read(folder)) as connection:
        for name, path in zip(schema.TABLES, paths, strict=True):
            cursor = connection.execute(f"SELECT * FROM {name}")
            columns = [one[0] for one in cursor.description]
            rows = sorted(cursor.fetchall(), key=repr)
            table = reader.read_table(path)
            assert table.column_names == columns
            assert sorted((tuple(row.values()) for row in table.to_pylist()), key=repr) == rows
            assert rows
    assert sorted(one.name for one in paths[0].parent.iterdir()) == sorted(
        path.name for path in paths
    )


def test_an_earlier_export_is_replaced_and_nothing_else(folder: Path, tmp_path: Path) -> None:
    parquet()
    exported(folder, tmp_path)
    exported(folder, tmp_path)
    (tmp_path / "rolls.parquet").write_bytes(b"my own")
    before = (tmp_path / "games.parquet").read_bytes()
    with pytest.raises(Conflict, match=r"rolls\.parquet"):
        exported(folder, tmp_path)
    assert (tmp_path / "rolls.parquet").read_bytes() == b"my own"
    assert (tmp_path / "games.parquet").read_bytes() == before


def test_a_link_is_not_followed(folder: Path, tmp_path: Path) -> None:
    parquet()
    other = tmp_path / "other"
    other.write_bytes(b"PAR1 of somebody else")
    (tmp_path / "games.parquet").symlink_to(other)
    with pytest.raises(Conflict):
        exported(folder, tmp_path)
    assert other.read_bytes() == b"PAR1 of somebody else"


def test_without_pyarrow_it_says_what_to_install(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(Usage) as caught:
        exported(folder, tmp_path / "out")
    assert "pyarrow" in str(caught.value)
    assert not (tmp_path / "out").exists()


def test_the_command_lists_what_is_wrong_and_is_done(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "torn\x1b[2J.toml").write_bytes(version(branch("b"), 3)[:-9])
    (tmp_path / "pyproject.toml").write_bytes(b"[project]\n")
    for arguments in (["library", str(tmp_path)], ["library", str(tmp_path), "--json"]):
        with pytest.raises(SystemExit) as ended:
            app.run(arguments)
        assert ended.value.code == 0
    said = capsys.readouterr().out.splitlines()
    assert re.findall(r"\d+", said[1]) == ["2", "2", "1"]
    assert "torn?[2J.toml: line " in said[2] and "pyproject.toml" in said[3]
    facts = json.loads(said[-1])
    assert (facts["games"], facts["files"], [bad["file"] for bad in facts["bad"]]) == (
        0,
        2,
        ["torn\x1b[2J.toml"],
    )
