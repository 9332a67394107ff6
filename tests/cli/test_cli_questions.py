"""`pbem luck`, `explore` and `stats` as commands, on a library of real files, and what they tell a
newcomer."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.support.begun_game import BegunGame
from tests.support.library_kit import refreshed


@pytest.fixture
def club(begun: BegunGame) -> Path:
    """A folder with the game of the begun and its library."""
    folder = begun.folder / "club"
    folder.mkdir()
    shutil.copy(begun.folder / begun.last, folder / "game.toml")
    refreshed(folder)
    return folder


def test_a_position_of_another_game_is_found(begun: BegunGame, club: Path) -> None:
    second = begun.ann.does("new", "tripoli", "--seat", "american")["file"]
    second = begun.ben.does("join", second)["file"]
    first = begun.ann.does("explore", second, "--library", "club")
    assert [(move["move"], move["games"], move["open"]) for move in first["moves"]] == [
        ("event Thomas Jefferson", 1, 1)
    ]
    then = begun.ann.does("explore", second, "--library", "club", "--after", "event thomas")
    assert then["after"] == ["event Thomas Jefferson"]
    assert [move["move"] for move in then["moves"]] == ["3 gibraltar > tripoli zone"]
    code, _, said = begun.ann.types(
        "explore", second, "--library", "club", "--after", "event thomas; castle"
    )
    assert code == 1 and "castle" in said
    code, _, said = begun.ben.types("explore", second, "--library", "club")
    assert code == 2 and "asks nobody" in said


def test_answers_from_the_start(begun: BegunGame, club: Path) -> None:
    line = "event thomas jefferson; 3 gibraltar > tripoli zone; done"
    for player in (begun.ann, begun.ben, begun.stranger_with_key()):
        found = player.does("explore", "tripoli", "--after", line, "--library", "club", "--own")
        assert [move["move"] for move in found["moves"]] == (
            ["event Murad Reis Breaks Out"] if player in (begun.ann, begun.ben) else []
        )
    code, said, _ = begun.ann.types("explore", "tripoli", "--after", line, "--library", "club")
    assert code == 0 and "3 gibraltar > tripoli zone; done" in said and "Murad Reis" in said


@pytest.mark.parametrize("command", [("luck",), ("explore", "tripoli"), ("stats",)])
def test_tables_and_pages(begun: BegunGame, club: Path, command: tuple[str, ...]) -> None:
    code, said, wrong = begun.ann.types(*command, "--library", "club")
    assert code == 0 and "club" in said.splitlines()[0] and not wrong
    code, said, _ = begun.ann.types(*command, "--library", "club", "--html", "page.html")
    assert code == 0 and said.startswith("page.html\n")
    page = (begun.folder / "page.html").read_text(encoding="utf-8")
    assert page.startswith("<!DOCTYPE html>") and str(begun.folder.parent) not in page
    (begun.folder / "page.html").write_text("my own")
    code, _, wrong = begun.ann.types(*command, "--library", "club", "--html", "page.html")
    assert code == 4 and "page.html" in wrong
    assert (begun.folder / "page.html").read_text() == "my own"


def test_dice_of_unfinished_games_are_no_test_but_asked_for(begun: BegunGame, club: Path) -> None:
    facts = begun.ann.does("luck", "--library", "club")
    assert (facts["games"], facts["tests"], facts["apart"][0]["why"]) == (0, 0, "unfinished")
    assert begun.ann.does("luck", "--library", "club", "--unfinished")["games"] == 1


def test_who_has_no_library_or_an_old_one_is_told_what_to_do(begun: BegunGame, club: Path) -> None:
    for command in (("luck",), ("stats", "tripoli"), ("explore", "tripoli")):
        code, _, said = begun.ann.types(*command)
        assert code == 2 and "pbem library ." in said
    for name in ("luck", "stats"):
        code, _, said = begun.ann.types(name, "club")
        assert code == 2 and "--library club" in said
    shutil.copy(begun.folder / begun.files[1], club / "new.toml")
    code, _, said = begun.ann.types("stats", "--library", "club")
    assert code == 0 and "pbem library club" in said, "a file came"
    begun.ann.does("library", "club")
    assert begun.ann.types("stats", "--library", "club")[2] == ""
    (club / "new.toml").unlink()
    (club / "game.toml").unlink()
    code, _, said = begun.ann.types("stats", "--library", "club")
    assert code == 0 and "pbem library club" in said, "two files went"


def test_a_file_that_only_looks_like_a_library_is_never_asked(begun: BegunGame) -> None:
    folder = begun.folder / "hostile"
    folder.mkdir()
    (folder / "library.sqlite").write_bytes(b"SQLite format 3\0" + bytes(4080))
    before = (folder / "library.sqlite").read_bytes()
    assert begun.ann.types("luck", "--library", "hostile")[0] == 2
    assert (folder / "library.sqlite").read_bytes() == before


def test_a_stranger_without_a_key_has_no_own_games(begun: BegunGame, club: Path) -> None:
    assert begun.stranger().types("stats", "--own", "--library", "club")[0] == 2
