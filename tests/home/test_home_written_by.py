"""A home says which version of the program wrote it last, and an older one leaves it alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.errors import Conflict
from pbem.home import written_by
from pbem.home.home import Home
from pbem.home.written_by import LAYOUT, Writer
from pbem.version import exact
from tests.support.starter import types

NEWER = f'program = "9.0.0"\nlayout = {LAYOUT + 1}\n'


def test_a_new_home_names_its_program(tmp_path: Path) -> None:
    home = Home(tmp_path / "ann")
    assert written_by.read(home.folder) is None
    home.create("Ann", "ann@example.org", bytes(range(32)), "")
    assert written_by.read(home.folder) == Writer(exact(), LAYOUT)


def test_a_home_of_an_older_program_is_taken_over_with_the_next_turn(tmp_path: Path) -> None:
    home = Home(tmp_path / "ann")
    home.create("Ann", "ann@example.org", bytes(range(32)), "")
    for text in (None, 'program = "0.0.9"\nlayout = 0\n', "nonsense"):
        path = home.folder / "program.toml"
        path.unlink() if text is None else path.write_text(text, encoding="utf-8")
        home.check()
        written_by.note(home.folder)
        assert written_by.read(home.folder) == Writer(exact(), LAYOUT)


def test_an_older_program_does_nothing_in_a_home_of_a_newer_one(tmp_path: Path) -> None:
    home = Home(tmp_path / "ann")
    home.create("Ann", "ann@example.org", bytes(range(32)), "")
    (home.folder / "program.toml").write_text(NEWER, encoding="utf-8")
    before = kept(home.folder)
    with pytest.raises(Conflict, match=r"pbem 9\.0\.0"):
        home.check()
    for command in (["new", "backgammon"], ["inbox"], ["table"]):
        code, _, err = types(home.folder, tmp_path, *command)
        assert code == 4 and "pbem 9.0.0" in err, command
    assert before == kept(home.folder)


def kept(folder: Path) -> dict[Path, bytes]:
    """The files of a home, but for the compiled templates, which any program may throw away."""
    paths = [path for path in folder.rglob("*") if path.is_file()]
    return {path: path.read_bytes() for path in paths if path.parent.name != "cache"}
