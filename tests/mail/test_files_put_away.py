"""Files that went with turns are kept beside a game that is archived or exported, and held against
their digests there."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from pbem.turn import files_beside
from tests.mail.test_files_with_turns import NAME, SAVED, Table
from tests.mail.test_files_with_turns import table as table


@pytest.fixture
def over(table: Table) -> Path:
    """A match that is over, of which turn 2 brought a file; the file lies in Ann's home alone."""
    table.saved()
    table.sends(NAME)
    (table.mails / NAME).unlink()
    table.path(2, ".eml").unlink()
    table.ben.does("inbox", table.path(2).name)
    table.ben.does("resign", table.game, "--yes")
    table.ann.does("inbox", table.path(3).name)
    return table.mails.parent / "archive"


def kept_in(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob(f"*{NAME}") if path.is_file())


def attached_state(found: dict[str, object]) -> list[str]:
    turns = found["attached"]
    assert isinstance(turns, list)
    return [one["state"] for turn in turns for one in turn["files"]]


def test_an_archived_game_has_its_files_beside_it(table: Table, over: Path) -> None:
    found = table.ann.does("archive", table.game, str(over))
    assert attached_state(found) == ["here"]
    (kept,) = kept_in(over)
    assert kept.read_bytes() == SAVED and kept.parent.name == f"{found['game']}-files"
    turn = str(over / f"{found['game']}.toml")
    assert attached_state(table.ben.does("verify", turn)) == ["here"]
    last = table.ben.types("verify", str(over), "--json")[1].splitlines()[-1]
    assert json.loads(last)["state"] == "here"
    again = table.ann.types("archive", table.game, str(over))[1]
    assert f"{NAME}, 12 kB (turn 2): here" in again and kept_in(over) == [kept]


def test_a_file_that_has_not_come_is_told_and_taken_later(table: Table, over: Path) -> None:
    assert attached_state(table.ben.does("archive", table.path(3).name, str(over))) == ["missing"]
    assert "missing" in table.ben.types("archive", table.path(3).name, str(over))[1]
    assert list(over.glob("*-files")) == []
    (table.mails / "under another name").write_bytes(SAVED)
    assert attached_state(table.ben.does("archive", table.path(3).name, str(over))) == ["here"]
    (table.mails / "under another name").unlink()
    assert attached_state(table.ben.does("archive", table.path(3).name, str(over))) == ["here"]


def test_one_that_was_changed_in_the_archive_is_told_and_mended(table: Table, over: Path) -> None:
    table.ann.does("archive", table.game, str(over))
    (kept,) = kept_in(over)
    kept.write_bytes(SAVED[::-1])
    turn = str(next(over.glob("*.toml")))
    verdict = table.ben.does("verify", turn)
    assert verdict["ok"] and attached_state(verdict) == ["missing"]
    assert attached_state(table.ben.does("archive", turn, str(over))) == ["other"]
    assert kept.read_bytes() == SAVED[::-1], "nothing is taken away"
    assert attached_state(table.ann.does("archive", table.game, str(over))) == ["here"]
    assert kept.read_bytes() == SAVED


def test_an_archive_that_was_given_away_still_has_them(table: Table, over: Path) -> None:
    table.ann.does("archive", table.game, str(over))
    copied = shutil.copytree(over, over.parent / "copy")
    shutil.rmtree(over)
    (turn,) = copied.glob("*.toml")
    found = table.ben.does("archive", str(turn), str(over))
    assert attached_state(found) == ["here"] and kept_in(over)[0].read_bytes() == SAVED


@pytest.mark.parametrize("form", ["json", "md", "html"])
def test_an_exported_game_has_its_files_beside_it(table: Table, over: Path, form: str) -> None:
    over.mkdir()
    out = over / f"game.{form}"
    _, said, _ = table.ann.types("export", table.game, "--format", form, "--out", str(out))
    (kept,) = kept_in(over)
    assert kept.read_bytes() == SAVED and kept.parent == over / "game-files"
    assert f"{NAME}, 12 kB (turn 2): here" in said
    if form == "json":
        scenes = json.loads(out.read_text())["scenes"]
        assert [one["name"] for one in scenes[2]["files"]] == [NAME]


def test_a_game_on_standard_output_puts_nothing_anywhere(table: Table, over: Path) -> None:
    before = sorted(table.mails.rglob("*"))
    _, said, _ = table.ann.types("export", table.game, "--format", "json")
    assert json.loads(said)["scenes"][2]["files"][0]["size"] == len(SAVED)
    assert sorted(table.mails.rglob("*")) == before and not over.exists()


def test_a_link_is_no_folder_to_look_in() -> None:
    assert files_beside.places_of(Path("https://example.org/#turn")) == [
        Path("https://example.org/#turn")
    ]
