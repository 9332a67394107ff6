"""A home restored from a backup, with the true turn somewhere in reach: it is taken back, and
nothing is signed."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from examples.correspondence import Player
from pbem.fileformat import turnfile
from tests.support.begun_game import BegunGame
from tests.support.homes import copy_homes

CONFLICT = 4


def with_messages(begun: BegunGame) -> tuple[str, str]:
    """Two ways in which Ann may answer the newest file."""
    options = begun.ann.does("moves", begun.last)["options"]
    ways = []
    for wish in (options[0], options[-1]):
        given = [wish]
        while not (facts := begun.ann.does("moves", begun.last, "--after", "; ".join(given)))[
            "complete"
        ]:
            given.append(facts["options"][0])
        ways.append("; ".join(given))
    assert ways[0] != ways[1]
    return ways[0], ways[1]


@pytest.fixture(scope="module")
def _restored(
    _opening: BegunGame, tmp_path_factory: pytest.TempPathFactory
) -> tuple[BegunGame, str, str, str]:
    folder = tmp_path_factory.mktemp("restored")
    begun, backup = _opening.copied(folder / "begun"), folder / "backup"
    shutil.copytree(begun.ann.home, backup)
    first, second = with_messages(begun)
    asked = begun.last
    begun.write("american", "play", asked, first)
    shutil.rmtree(begun.ann.home)
    copy_homes(backup, begun.ann.home)
    return begun, asked, first, second


@pytest.fixture
def signed(
    _restored: tuple[BegunGame, str, str, str], tmp_path: Path
) -> tuple[BegunGame, Path, str, str]:
    """Ann has answered; then her home is what it was before. The file that she answered, and two
    ways to answer it."""
    restored, asked, first, second = _restored
    begun = restored.copied(tmp_path / "begun")
    return begun, begun.folder / asked, first, second


def versions(begun: BegunGame, number: int) -> set[bytes]:
    """Every entry of this number that was signed by Ann, wherever it lies."""
    return {
        file.prefix(number + 1)
        for path in begun.folder.parent.parent.rglob("*.toml")
        if path.read_bytes().startswith(turnfile.START)
        and len((file := turnfile.read(path.read_bytes())).entries) > number
        and file.entries[number].seat == "american"
    }


def beside(_begun: BegunGame, _true: Path, _ann: Player) -> None:
    """The turn lies where it was written."""


def renamed(_begun: BegunGame, true: Path, _ann: Player) -> None:
    true.rename(true.with_name("my turn"))
    for other in (".md", ".eml"):
        true.with_suffix(other).unlink()


def mailed(_begun: BegunGame, true: Path, _ann: Player) -> None:
    true.unlink()
    true.with_suffix(".eml").rename(true.with_name("sent.eml"))
    true.with_suffix(".md").unlink()


def mailed_under_another_number(_begun: BegunGame, true: Path, _ann: Player) -> None:
    """The opponent may have written the header of the mail, and wants two versions of Ann's
    turn."""
    mail = true.with_suffix(".eml").read_bytes()
    lying, count = re.subn(rb"(?m)^(X-PBEM-Game:\s*[0-9a-f]{64}) [0-9]+", rb"\1 0", mail)
    assert count == 1
    true.with_name("mail.eml").write_bytes(lying)
    for suffix in (".toml", ".md", ".eml"):
        true.with_suffix(suffix).unlink()


def with_windows_lines(_begun: BegunGame, true: Path, _ann: Player) -> None:
    true.with_name("w.txt").write_bytes(b"\xef\xbb\xbf" + true.read_bytes().replace(b"\n", b"\r\n"))
    for suffix in (".toml", ".md", ".eml"):
        true.with_suffix(suffix).unlink()


def in_the_inbox(_begun: BegunGame, true: Path, ann: Player) -> None:
    (ann.home / "inbox").mkdir(exist_ok=True)
    true.with_suffix(".eml").rename(ann.home / "inbox" / "1-2.eml")
    for suffix in (".toml", ".md"):
        true.with_suffix(suffix).unlink()


def in_a_maildir(begun: BegunGame, true: Path, ann: Player) -> None:
    place = begun.folder.parent / "Maildir"
    for name in ("cur", "new", "tmp", ".Sent/cur", ".Sent/new"):
        (place / name).mkdir(parents=True)
    (ann.home / "mail.toml").write_text(f'inbox = ["{place}"]\n')
    true.with_suffix(".eml").rename(place / ".Sent" / "cur" / "1234.host:2,S")
    for suffix in (".toml", ".md"):
        true.with_suffix(suffix).unlink()


def in_an_mbox(begun: BegunGame, true: Path, ann: Player) -> None:
    box = begun.folder.parent / "mbox"
    mail = true.with_suffix(".eml").read_bytes()
    box.write_bytes(
        b"From x\nSubject: other\n\nhello\n\nFrom ann\n" + mail.replace(b"\r\n", b"\n") + b"\n"
    )
    (ann.home / "mail.toml").write_text(f'inbox = ["{box}"]\n')
    for suffix in (".toml", ".md", ".eml"):
        true.with_suffix(suffix).unlink()


def answered(begun: BegunGame, true: Path, _ann: Player) -> None:
    """Only the opponent's answer is left, which holds Ann's entry."""
    begun.write(
        "tripolitan",
        "play",
        begun.last,
        "; ".join(begun.ben.answers(begun.last, lambda options: options[0])),
    )
    for suffix in (".toml", ".md", ".eml"):
        true.with_suffix(suffix).unlink()


PLACES = [
    beside,
    renamed,
    mailed,
    mailed_under_another_number,
    with_windows_lines,
    in_the_inbox,
    in_a_maildir,
    in_an_mbox,
    answered,
]


@pytest.mark.dear("plays a game again from every backup")
@pytest.mark.parametrize("put", PLACES, ids=lambda put: put.__name__)
def test_the_true_turn_is_taken_back(
    signed: tuple[BegunGame, Path, str, str], put: Callable[[BegunGame, Path, Player], None]
) -> None:
    begun, asked, first, second = signed
    true = begun.folder / begun.last
    data, number = true.read_bytes(), len(turnfile.read(true.read_bytes()).entries) - 1
    put(begun, true, begun.ann)
    code, out, err = begun.ann.types("play", asked.name, second)
    assert (code, out) == (CONFLICT, "") and f"turn {number} " in err
    assert versions(begun, number) <= {data}
    (kept,) = begun.ann.home.glob(f"games/*/signed/{number:04}.toml")
    assert kept.read_bytes() == data
    assert begun.ann.types("play", asked.name)[0] == 0
    assert true.read_bytes() == data and versions(begun, number) == {data}
    assert begun.ann.types("play", asked.name, first)[0] == 0


def test_it_is_told_and_the_same_bytes_are_written(
    signed: tuple[BegunGame, Path, str, str],
) -> None:
    begun, asked, first, _ = signed
    true = begun.folder / begun.last
    data, elsewhere = true.read_bytes(), begun.folder.parent / "elsewhere"
    elsewhere.mkdir()
    code, _, err = begun.ann.types("play", asked.name, first, "--dir", str(elsewhere))
    assert code == 0 and f"stands in {true.stem}." in err
    assert (elsewhere / true.name).read_bytes() == data


def test_a_dry_run_takes_nothing_back(signed: tuple[BegunGame, Path, str, str]) -> None:
    begun, asked, _, second = signed
    before = begun.listing()
    assert begun.ann.types("play", asked.name, second, "--dry-run")[0] == 0
    assert begun.listing() == before


@pytest.mark.parametrize("damage", ["half", "forged", "words", "folder"])
def test_what_stands_under_the_name_and_is_no_turn_stops_before_signing(
    signed: tuple[BegunGame, Path, str, str], damage: str
) -> None:
    begun, asked, _, second = signed
    true = begun.folder / begun.last
    data, number = true.read_bytes(), len(turnfile.read(true.read_bytes()).entries) - 1
    shutil.rmtree(begun.ann.home / "cache", ignore_errors=True)
    true.unlink()
    true.with_suffix(".eml").unlink()
    made = {
        "half": data[:-50],
        "forged": data.replace(b"swedish", b"x", 1)[:-9] + b'AAAAAA=="\n',
        "words": b"hello",
    }
    if damage == "folder":
        true.mkdir()
    else:
        true.write_bytes(made[damage])
    code, out, err = begun.ann.types("play", asked.name, second)
    assert (code, out) == (CONFLICT, "") and err.count("\n") == 1
    assert not list(begun.ann.home.glob(f"games/*/signed/{number:04}.toml"))


def test_a_turn_of_others_under_another_name_stops_nothing(begun: BegunGame) -> None:
    """Other games, older files and files that do not verify are passed over."""
    first, _ = with_messages(begun)
    for number, name in enumerate(begun.files[:-1]):
        shutil.copy(begun.folder / name, begun.folder / f"old{number}.toml")
    data = (begun.folder / begun.last).read_bytes()
    (begun.folder / "double.toml").write_bytes(data + data[data.rindex(b"\n[[entry]]") :])
    begun.ann.does("new", "tripoli", "--seat", "american")
    code, _, err = begun.ann.types("play", begun.last, first)
    assert (code, err) == (0, "")


def test_a_join_is_taken_back(begun: BegunGame) -> None:
    """Ben joins, their home is restored to what it was before, and they join again."""
    invitation = begun.folder / begun.files[0]
    joined = (begun.folder / begun.files[1]).read_bytes()
    shutil.rmtree(begun.ben.home / "games")
    code, _, err = begun.ben.types("join", invitation.name)
    # and written entry 3 since
    assert code == CONFLICT and err.count("\n") == 1
    shutil.rmtree(begun.ben.home / "games")
    for name in begun.files[2:]:
        for path in begun.folder.glob(f"{Path(name).stem}.*"):
            path.unlink()
    code, _, err = begun.ben.types("join", invitation.name)
    assert code == 0 and err.count("\n") == 1
    assert (begun.folder / begun.files[1]).read_bytes() == joined
    signed = [path.read_bytes() for path in begun.ben.home.glob("games/*/signed/0001.toml")]
    assert signed == [joined]


def test_two_own_versions_are_a_conflict(
    signed: tuple[BegunGame, Path, str, str], tmp_path: Path
) -> None:
    """The restored home has signed a second version out of reach of the first; then both lie in one
    folder."""
    begun, asked, _, second = signed
    away = tmp_path / "away"
    away.mkdir()
    lonely = replace(begun.ann, folder=away)
    shutil.copy(asked, away)
    other = away / lonely.does("play", asked.name, second)["file"]
    code, _, err = begun.ann.types("show", begun.last)
    assert code == CONFLICT and "another version" in err
    shutil.rmtree(begun.ann.home / "games")
    shutil.copy(other, begun.folder / "other.toml")
    code, _, err = begun.ann.types("play", asked.name, second, "--i-have-no-newer-file")
    assert code == CONFLICT and err.count("\n") == 1 and "another version" in err
