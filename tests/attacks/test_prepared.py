"""Whoever tries several versions of a turn on somebody who has prepared their answers learns one of
them: by two files at once, after a kill anywhere, or from a copy of the home."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

import pytest

from pbem.fileformat import turnfile
from tests.support import kill
from tests.support.hex_match import HexMatch, hex_installed, other_version
from tests.support.homes import another_computer, copy_homes

TREE = "b2 then b3; d4 then d5; swap then a1"
BEFORE = ["0000.toml", "0002.toml"]
CONFLICT = 4


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HexMatch]:
    """Ann has laid a stone and prepared three answers, and Ben has signed one turn; each turn of
    his that a test sends is in a file of its own."""
    with hex_installed(tmp_path_factory.mktemp("site-packages")), another_computer():
        folder = tmp_path_factory.mktemp("hex")
        match = HexMatch(folder / "match").begin()
        match.write(match.ann, "play", match.last, "c3", "--if", TREE)
        versions = {
            answer: other_version(match, folder / f"ben-{answer}", answer)
            for answer in ("b2", "d4", "e5")
        }
        for answer, made in versions.items():
            shutil.copy(made, match.ann.folder / f"{answer}.toml")
        yield match


@pytest.fixture
def match(begun: HexMatch, tmp_path: Path) -> Iterator[HexMatch]:
    with another_computer():
        yield begun.copied(tmp_path / "match")


def answered(match: HexMatch) -> list[str]:
    """The answers of Ann that anybody could get out of her home."""
    found = []
    for path in match.ann.home.glob("games/*/signed/0004*"):
        found += turnfile.read(path.read_bytes()).entries[-1].list("answers")
    return found


def test_of_two_versions_that_come_together_none_is_answered(match: HexMatch) -> None:
    code, said, _ = match.ann.types("inbox", "b2.toml", "d4.toml")
    assert code == CONFLICT and "held" in said
    assert answered(match) == []
    match.ann.types("inbox", "d4.toml")
    assert answered(match) == [] and match.signed(match.ann) == BEFORE


def test_a_second_version_after_the_answer_gets_no_other(match: HexMatch) -> None:
    assert match.ann.types("inbox", "b2.toml")[0] == 0
    assert answered(match) == ["b3"]
    for version in ("d4", "e5", "d4"):
        assert match.ann.types("inbox", f"{version}.toml")[0] == CONFLICT
        assert match.ann.types("play", f"{version}.toml", "e1")[0] == CONFLICT
    assert answered(match) == ["b3"] and match.signed(match.ann) == [*BEFORE, "0004.toml"]


def test_a_version_that_fits_nothing_opens_no_way_to_another(match: HexMatch) -> None:
    assert match.ann.types("inbox", "e5.toml")[0] == 0
    assert not match.prepared_file(match.ann).exists()
    match.ann.types("inbox", "b2.toml")
    assert answered(match) == []


def test_a_copy_of_the_home_answers_no_other_version(match: HexMatch, tmp_path: Path) -> None:
    copy_homes(match.folder, tmp_path / "copy")
    copy = HexMatch(tmp_path / "copy", match.files)
    assert match.ann.types("inbox", "b2.toml")[0] == 0
    code, said, _ = copy.ann.types("inbox", "d4.toml")
    assert "held" in said and answered(copy) == [], (code, said)
    assert copy.signed(copy.ann) == BEFORE
    code, said, _ = copy.ann.types("inbox", "d4.toml", "--i-have-no-newer-file")
    assert answered(copy) == [], "a word about all games passes none"


def test_a_home_put_back_from_a_copy_answers_no_other_version(
    match: HexMatch, tmp_path: Path
) -> None:
    copy_homes(match.ann.home, tmp_path / "older")
    assert match.ann.types("inbox", "b2.toml")[0] == 0
    shutil.rmtree(match.ann.home)
    shutil.copytree(tmp_path / "older", match.ann.home)
    assert match.prepared_file(match.ann).exists()
    assert "held" in match.ann.types("inbox", "d4.toml")[1]
    assert answered(match) == []


def test_where_nothing_can_be_noted_none_is_answered(match: HexMatch) -> None:
    state = Path(os.environ["PBEM_STATE"])
    shutil.rmtree(state, ignore_errors=True)
    state.write_text("no folder")
    assert "held" in match.ann.types("inbox", "b2.toml")[1]
    assert answered(match) == []


def check_killed(stage: HexMatch, folder: Path) -> str:
    """What a killed inbox left, when another version of the turn comes: one answer at most."""
    left = HexMatch(folder, stage.files)
    left.ann.types("inbox", "d4.toml")
    first = answered(left)
    assert len(first) <= 1, first
    for version in ("b2", "d4", "e5"):
        code, _, err = left.ann.types("inbox", f"{version}.toml")
        assert "Traceback" not in err and code in (0, CONFLICT)
    assert answered(left) == first, "nor is one answered once two are known"
    assert not list(left.ann.home.rglob("games/**/.pbem-*"))
    return "".join(first)


def killed(match: HexMatch, tmp_path: Path, steps: list[int] | None) -> set[str]:
    found = set()
    for number in kill.killed_at(match.folder, tmp_path / "k", ["inbox", "b2.toml"], steps):
        folder = tmp_path / "k" / str(number)
        with patch.dict(os.environ, PBEM_STATE=str(kill.state_of(folder))):
            found.add(check_killed(match, folder))
    return found


@pytest.mark.skipif(not hasattr(os, "fork"), reason="a process that is killed is forked")
@pytest.mark.dear("kills programs")
def test_an_inbox_that_is_killed_gives_one_answer(match: HexMatch, tmp_path: Path) -> None:
    """At some of its steps: before the file was kept, between the match and the signature, and
    after it."""
    assert killed(match, tmp_path, [2, 20, 40, 50, *range(56, 96, 4)]) >= {"", "b3"}


@pytest.mark.skipif(not hasattr(os, "fork"), reason="a process that is killed is forked")
@pytest.mark.slow
def test_an_inbox_that_is_killed_at_every_step_gives_one_answer(
    match: HexMatch, tmp_path: Path
) -> None:
    assert killed(match, tmp_path, None) >= {"", "b3"}
