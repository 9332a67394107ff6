"""What else may lie where the library belongs, and which names files may have."""

from __future__ import annotations

import os
import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.errors import Damaged, Usage
from pbem.library import changes, database, schema
from pbem.library.schema import PlayerRow
from pbem.library.store import Stat, Store
from pbem.library.verified import VerifiedGame, read
from tests.support.library_kit import asked, branch, refreshed, version


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(changes, "YOUNG", 0)
    (tmp_path / "a.toml").write_bytes(version(branch("a"), 4))
    return tmp_path


def library(folder: Path, *statements: str) -> Path:
    """Our database, after somebody else has been at it."""
    path = folder / schema.FILE
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for statement in statements:
            connection.execute(statement)
    return path


def of_text(path: Path) -> None:
    path.write_bytes(b"my notes")


def of_another_program(path: Path) -> None:
    library(path.parent, "CREATE TABLE notes (text TEXT)", "INSERT INTO notes VALUES ('mine')")


def a_link(path: Path) -> None:
    path.symlink_to(path.parent / "elsewhere.sqlite")


def a_folder(path: Path) -> None:
    path.mkdir()


def a_pipe(path: Path) -> None:
    os.mkfifo(path)


def seen(path: Path) -> tuple[object, ...]:
    """What stands there, and since when."""
    status = path.lstat()
    return (
        status.st_mode,
        status.st_ino,
        status.st_mtime_ns,
        path.read_bytes() if path.is_file() else b"",
    )


@pytest.mark.parametrize("kind", [of_text, of_another_program, a_link, a_folder, a_pipe])
def test_what_is_not_ours_is_left_alone(folder: Path, kind: Callable[[Path], None]) -> None:
    path = folder / schema.FILE
    kind(path)
    before = seen(path)
    for how in ({}, {"anew": True}):
        with pytest.raises(Usage, match=r"library\.sqlite"):
            refreshed(folder, **how)
    with pytest.raises(Usage):
        database.to_read(folder)
    assert seen(path) == before
    assert sorted(one.name for one in folder.iterdir()) == ["a.toml", schema.FILE]


def test_an_empty_file_is_filled(folder: Path) -> None:
    (folder / schema.FILE).touch()
    assert refreshed(folder).made == "new"
    assert asked(folder, "SELECT path FROM games") == [("a.toml",)]


def test_questions_need_a_library(folder: Path) -> None:
    with pytest.raises(Usage):
        database.to_read(folder)
    assert not (folder / schema.FILE).exists()


def test_questions_change_nothing(folder: Path) -> None:
    refreshed(folder)
    with (
        closing(database.to_read(folder)) as connection,
        pytest.raises(sqlite3.OperationalError, match="readonly"),
    ):
        connection.execute("DELETE FROM games")


@pytest.mark.parametrize(
    "statement",
    [
        "PRAGMA user_version = 99",
        "CREATE TRIGGER t AFTER INSERT ON games BEGIN DELETE FROM games; END",
        "CREATE VIEW v AS SELECT 1",
        "DROP TABLE roll_rows",
    ],
)
def test_one_with_other_tables_is_asked_nothing_and_made_anew(folder: Path, statement: str) -> None:
    refreshed(folder)
    library(folder, statement)
    with pytest.raises(Usage):
        database.to_read(folder)
    facts = refreshed(folder)
    assert facts.made.startswith("anew: ") and (facts.games, facts.verified) == (1, 1)


def test_a_copy_is_believed_in_nothing(folder: Path) -> None:
    refreshed(folder)
    path = library(folder, "UPDATE games SET winners = '[\"american\"]'")
    path.rename(folder / "kept")
    path.write_bytes((folder / "kept").read_bytes())
    facts = refreshed(folder)
    assert facts.made.startswith("anew: ") and facts.verified == 1
    assert asked(folder, "SELECT winners FROM games") == [("[]",)]


@pytest.mark.parametrize(
    "damage", [lambda d: d[:5000], lambda d: d[:4096] + b"\xff" * (len(d) - 4096)]
)
def test_a_damaged_one_is_told_and_made_anew_when_asked(
    folder: Path, damage: Callable[[bytes], bytes]
) -> None:
    refreshed(folder)
    path = folder / schema.FILE
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises((Damaged, Usage), match=r"--anew|another version"):
        asked(folder, "SELECT * FROM games")
    with pytest.raises(Damaged, match="--anew"):
        refreshed(folder)
    facts = refreshed(folder, anew=True)
    assert facts.made.startswith("anew: ") and facts.games == 1


def test_rows_that_no_database_takes_cost_their_file(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = read((folder / "a.toml").read_bytes())
    assert isinstance(found, VerifiedGame)
    player: PlayerRow = found.rows.players[0]._replace(points=2**70)
    strange = found._replace(rows=found.rows._replace(players=[player, *found.rows.players[1:]]))
    monkeypatch.setattr("pbem.library.verified.read", lambda _data: strange)
    facts = refreshed(folder)
    assert (facts.games, [(bad.file, bad.layer) for bad in facts.bad]) == (
        0,
        [("a.toml", "program")],
    )
    assert asked(folder, "SELECT count(*) FROM entry_rows") == [(0,)]


def test_a_full_disk_is_called_so_and_the_next_run_goes_on(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    refreshed(folder)
    for number in range(3):
        (folder / f"{number}.toml").write_bytes(branch(f"{number}"))
    opened = database.to_write

    def full(path: Path) -> sqlite3.Connection:
        connection = opened(path)
        connection.execute("PRAGMA max_page_count = 1")  # so many as it has
        return connection

    monkeypatch.setattr(database, "to_write", full)
    with pytest.raises(Usage, match="disk"):
        refreshed(folder)
    monkeypatch.setattr(database, "to_write", opened)
    assert asked(folder, "SELECT path FROM games") == [("a.toml",)]
    assert refreshed(folder).games == 4


def test_copies_of_a_game_cost_the_same_however_many_there_are(folder: Path) -> None:
    """Steps of SQLite's machine, for copies that come and go."""
    refreshed(folder)
    [(game_id, sha256)] = asked(folder, "SELECT game_id, sha256 FROM games")
    steps = dict[int, int]()
    for number in (100, 800):
        count = 0

        def step() -> None:
            nonlocal count
            count += 1

        with closing(database.to_write(folder / schema.FILE)) as connection:
            store = Store(connection)
            connection.execute("BEGIN")
            connection.set_progress_handler(step, 10)
            names = [f"{copy:04}.toml" for copy in range(number)]
            for name in names:
                store.put_prefix(Stat(name, 1, 1, 1), sha256, game_id)
            [(versions,)] = connection.execute("SELECT versions FROM games").fetchall()
            store.forget(["a.toml", *names[:-1]])
            [(path, left)] = connection.execute("SELECT path, versions FROM games").fetchall()
            connection.set_progress_handler(None, 0)
            connection.execute("ROLLBACK")
        assert (versions, path, left) == (number, names[-1], 0)
        steps[number] = count
    assert steps[800] < 12 * steps[100], steps


def test_words_of_others_are_kept_as_they_are(folder: Path) -> None:
    refreshed(folder)
    found = read((folder / "a.toml").read_bytes())
    assert isinstance(found, VerifiedGame)
    name = "Ben'); DROP TABLE games; --\x00\u202e"
    rows = found.rows._replace(players=[found.rows.players[0]._replace(name=name)])
    with closing(database.to_write(folder / schema.FILE)) as connection:
        Store(connection).put(Stat("b';--.toml", 1, 1, 1), found._replace(rows=rows))
        Store(connection).put(Stat("a.toml", 1, 1, 1), found._replace(rows=rows))
    assert asked(folder, "SELECT name FROM players") == [(name,)]
    assert asked(folder, "SELECT path FROM files") == [("a.toml",), ("b';--.toml",)]


@given(st.lists(st.binary(min_size=1, max_size=12), min_size=1, max_size=3))
def test_every_name_is_written_and_read_back(parts: list[bytes]) -> None:
    folder = Path("/games")
    clean = [part.replace(b"/", b"_").replace(b"\0", b"_") for part in parts]
    path = folder.joinpath(*(os.fsdecode(part) for part in clean if part not in (b".", b"..")))
    name = schema.name_of(folder, path)
    name.encode("utf-8")
    assert schema.read(folder, name) == path


@pytest.mark.parametrize("path", ["/games2/a.toml", "/a.toml", "games/a.toml", "/"])
def test_what_is_not_in_the_folder_has_no_name(path: str) -> None:
    with pytest.raises(ValueError, match=re.escape(path)):
        schema.name_of(Path("/games"), Path(path))


@given(st.binary(min_size=1, max_size=6), st.binary(min_size=1, max_size=6))
def test_two_files_have_two_names(one: bytes, other: bytes) -> None:
    folder = Path("/games")
    paths = [
        folder / os.fsdecode(name.replace(b"/", b"_").replace(b"\0", b"_")) for name in (one, other)
    ]
    assert (paths[0] == paths[1]) == (
        schema.name_of(folder, paths[0]) == schema.name_of(folder, paths[1])
    )


@pytest.mark.skipif(os.name != "posix", reason="names are text here")
def test_files_of_any_name_are_found_again(folder: Path) -> None:
    for number, name in enumerate((b"\xff.toml", b"a\\b.toml", b"new\nline.toml", b"%3f?#.toml")):
        (folder / os.fsdecode(name)).write_bytes(version(branch("b"), 2 + number))
    refreshed(folder)
    facts = refreshed(folder)
    assert (facts.games, facts.files, facts.read, facts.gone) == (2, 5, 0, 0)
    found = {path for (path,) in asked(folder, "SELECT path FROM files")}
    assert found == {"a.toml", r"\xff.toml", r"a\\b.toml", "new\nline.toml", "%3f?#.toml"}


@pytest.mark.skipif(os.name != "posix", reason="names are text here")
def test_a_folder_of_any_name_has_a_library(tmp_path: Path) -> None:
    folder = tmp_path / os.fsdecode(b"\xff?mode=ro#%00")
    folder.mkdir()
    (folder / "a.toml").write_bytes(version(branch("a"), 2))
    assert refreshed(folder).games == 1
    assert asked(folder, "SELECT count(*) FROM games") == [(1,)]
    assert (folder / schema.FILE).is_file()
