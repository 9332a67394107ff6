"""A home that moves: closed behind, opened once, and never open in two places unsaid."""

from __future__ import annotations

import errno
import shutil
import stat
from dataclasses import replace
from pathlib import Path

import pytest

from examples.correspondence import Player
from pbem import files
from pbem.errors import CONFLICT, Conflict, Damaged, Usage
from pbem.home import home_pack, outside, place
from pbem.home.clock import today
from pbem.home.home import Home
from pbem.home.place import Place
from pbem.lock import Lock
from pbem.mail import settings
from tests.support import kill
from tests.support.homes import make_home, seed_of, settle_homes


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """One passphrase, and a key that does not take half a second each time."""
    monkeypatch.setenv("PBEM_PASSPHRASE", "a passphrase")
    monkeypatch.setattr(home_pack, "MEMORY", 8192)


@pytest.fixture
def old(tmp_path: Path) -> Player:
    """Ann at her old computer, with one game."""
    (tmp_path / "mails").mkdir()
    make_home(tmp_path / "old", seed=seed_of("Ann"))
    ann = Player("Ann", tmp_path / "old", tmp_path / "mails", True)
    ann.does("new", "tripoli")
    return ann


def elsewhere(old: Player, name: str = "new") -> Player:
    return Player("Ann", old.home.parent / name, old.folder, True)


def contents(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
        and path.name not in ("place.toml", "contacts.lock")
        and path.parent.name != "cache"
    }


def test_a_home_goes_there_and_back(old: Player) -> None:
    new = elsewhere(old)
    before = contents(old.home)
    told = old.does("home", "move", "ann.home")
    assert told["closed"] and told["moves"] == 1 and "new file" not in str(told)
    code, _, said = old.types("new", "tripoli")
    assert code == 4 and "moved away" in said
    assert old.types("show", "tripoli")[0] == 0
    assert new.does("home", "open", "ann.home")["games"] == 1
    assert contents(new.home) == before
    assert new.types("new", "tripoli")[0] == 0
    new.does("home", "move", "back.home")
    assert new.types("new", "tripoli")[0] == 4
    told = old.does("home", "open", "back.home")
    assert (
        told["moves"] == 2 and told["closed"] is None and Path(told["kept"]).name == "old-closed-1"
    )
    assert old.types("new", "tripoli")[0] == 0
    assert len(list((old.home / "games").iterdir())) == 3


def test_a_closed_home_proposes_nothing_to_send(old: Player) -> None:
    assert "pbem send" in old.types("inbox")[1]
    old.does("home", "move", "ann.home")
    code, said, _ = old.types("inbox")
    assert code == 0 and "The Shores of Tripoli" in said and "send" not in said


def test_a_closed_home_does_not_join_play_or_send_a_draft(old: Player, tmp_path: Path) -> None:
    ben_home = make_home(tmp_path / "ben", "Ben")
    ben = Player("Ben", ben_home.folder, old.folder, True)
    invitation = ben.does("new", "tripoli")["file"]
    joined = ben.does(
        "join",
        next(path.name for path in old.folder.glob("*-0000.toml") if path.name != invitation),
    )
    old.does("home", "move", "ann.home")
    assert old.types("join", invitation)[0] == 4
    assert old.types("play", joined["file"], "event swedish")[0] == 4
    assert old.types("resign", joined["file"], "--yes")[0] == 4
    assert not (old.home / "games").joinpath("nothing").exists()


def test_the_file_of_the_move_does_not_open_the_home_that_it_closed(old: Player) -> None:
    """Else two homes were open that know the same: two versions of the next turn."""
    old.does("home", "move", "ann.home")
    elsewhere(old).does("home", "open", "ann.home")
    code, _, said = old.types("home", "open", "ann.home")
    assert code == 4 and "--nowhere-else" in said
    assert place.read(old.home) == Place(place.machine(), 1, today(), place.folder_number(old.home))
    assert old.types("home", "open", "ann.home", "--nowhere-else")[0] == 0


def test_a_move_that_came_to_nothing_is_taken_back_by_word_only(old: Player) -> None:
    old.does("home", "move", "ann.home")
    assert old.types("home", "keep")[0] == 2
    assert old.types("home", "move", "again.home")[0] == 4
    old.does("home", "keep", "--nowhere-else")
    assert old.types("new", "tripoli")[0] == 0


@pytest.mark.parametrize("step", ["pack", "encrypt", "write"])
def test_a_move_that_fails_leaves_the_home_open(
    old: Player, step: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object, **__: object) -> bytes:
        signing = outside.folder_of(Home(old.home).identity().public) / "signing"
        assert not Lock(signing).take(), "nobody signs while it is packed"
        assert not place.read(old.home).closed  # type: ignore[union-attr]
        raise OSError(errno.ENOSPC, "No space left on device")

    module, name = {
        "pack": (home_pack, "pack"),
        "encrypt": (home_pack, "encrypt"),
        "write": (files, "_write"),
    }[step]
    monkeypatch.setattr(module, name, fails)
    assert old.types("home", "move", "ann.home")[0] == 2
    monkeypatch.undo()
    assert not (old.folder / "ann.home").exists()
    assert old.types("new", "tripoli")[0] == 0


@pytest.mark.dear("kills programs")
def test_a_move_that_is_killed_closes_nothing_before_its_file_is_whole(
    old: Player, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stage = tmp_path / "stage"
    stage.mkdir()
    shutil.move(old.home, stage / "home-of-ann")
    shutil.move(old.folder, stage / "mails")
    settle_homes(stage)
    kept = []
    monkeypatch.setattr(home_pack, "MEMORY", 64 * 1024 * 1024)
    for number in kill.killed_at(stage, tmp_path / "to", ["home", "move", "ann.home"], None):
        folder = tmp_path / "to" / str(number)
        monkeypatch.setenv("PBEM_STATE", str(kill.state_of(folder)))
        ann = Player("Ann", folder / "home-of-ann", folder / "mails", True)
        file = folder / "mails" / "ann.home"
        kept.append(file.exists())
        known = place.read(ann.home)
        assert bool(known is not None and known.closed) == kept[-1]
        code, _, err = ann.types("new", "tripoli")
        assert code == (CONFLICT if kept[-1] else 0), err
        if kept[-1]:
            there = elsewhere(ann, "there")
            there.does("home", "open", str(file))
            file.unlink()
            assert ann.types("new", "tripoli")[0] == CONFLICT, "it was closed for good"
    assert True in kept and False in kept and len(kept) > 10


def test_a_file_of_the_same_name_that_comes_later_closes_nothing(
    old: Player, tmp_path: Path
) -> None:
    known = place.read(old.home)
    assert known is not None
    later = tmp_path / "later.home"
    place.write(old.home, replace(known, leaving=str(later)))
    assert old.types("new", "tripoli")[0] == 0, "the move was killed before its file was there"
    later.write_bytes(b"something else")
    assert old.types("new", "tripoli")[0] == 0


def test_an_archive_goes_into_an_empty_folder_only(old: Player, tmp_path: Path) -> None:
    old.does("home", "move", "ann.home")
    other = elsewhere(old, "other")
    make_home(other.home, "Cleo")
    assert other.types("home", "open", "ann.home")[0] == 4
    for name in ("diary.txt", "cache of mine"):
        full = elsewhere(old, name)
        full.home.mkdir()
        (full.home / name).write_text("dear diary")
        assert full.types("home", "open", "ann.home")[0] == 4
        assert (full.home / name).read_text() == "dear diary"
    empty = elsewhere(old, "empty")
    (empty.home / "cache").mkdir(parents=True)
    assert empty.types("home", "open", "ann.home")[0] == 0
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".pbem-")]


def test_anothers_home_does_not_take_the_place_of_a_closed_one(old: Player) -> None:
    cleo = elsewhere(old, "cleo")
    make_home(cleo.home, "Cleo")
    cleo.does("home", "move", "cleo.home")
    old.does("home", "move", "ann.home")
    code, _, said = old.types("home", "open", "cleo.home", "--nowhere-else")
    assert code == 4 and "another player" in said
    assert Home(old.home).identity().name == "Ann"


def test_a_wrong_passphrase_changes_nothing(old: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    old.does("home", "move", "ann.home")
    monkeypatch.setenv("PBEM_PASSPHRASE", "another")
    new = elsewhere(old)
    assert new.types("home", "open", "ann.home")[0] == 2 and not new.home.exists()


@pytest.mark.parametrize("names", [(), ("identity.pem",), ("place.toml",), ("a",)])
def test_what_is_no_home_is_not_opened(old: Player, names: tuple[str, ...]) -> None:
    """Packed by somebody who knows the passphrase."""
    made = old.folder / "made"
    for name in names:
        made.mkdir(exist_ok=True)
        (made / name).write_bytes(
            (old.home / name).read_bytes() if (old.home / name).exists() else b""
        )
    packed = home_pack.pack(made, {})
    (old.folder / "x.home").write_bytes(
        home_pack.encrypt(packed, "a passphrase", bytes(16), bytes(24))
    )
    new = elsewhere(old)
    assert new.types("home", "open", "x.home")[0] == 3
    assert not new.home.exists()
    (old.folder / "y.home").write_bytes(b"a letter")
    assert new.types("home", "open", "y.home")[0] == 3


def test_nobody_else_reads_what_was_packed_or_unpacked(old: Player) -> None:
    old.does("home", "move", "ann.home")
    new = elsewhere(old)
    new.does("home", "open", "ann.home")
    for path in (old.folder / "ann.home", new.home, *new.home.rglob("*")):
        assert stat.S_IMODE(path.stat().st_mode) == (0o700 if path.is_dir() else 0o600), path
    assert b"PRIVATE KEY" not in (old.folder / "ann.home").read_bytes()


def test_a_copied_home_says_so_on_another_computer(
    old: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert old.types("show", "tripoli")[2] == ""
    monkeypatch.setattr(place, "machine", lambda: "another")
    copy = elsewhere(old, "copy")
    shutil.copytree(old.home, copy.home)
    assert "copied here" in copy.types("show", "tripoli")[2]
    copy.does("home", "keep", "--nowhere-else")
    assert copy.types("show", "tripoli")[2] == ""


def test_a_home_that_was_copied_on_its_own_computer_says_so(old: Player) -> None:
    """The copy, and a home in whose place a copy was put; with or without automatic answers."""
    copy = elsewhere(old, "copy")
    shutil.copytree(old.home, copy.home)
    keep = "pbem home keep --nowhere-else"
    assert keep in copy.types("show", "tripoli")[2] and old.types("show", "tripoli")[2] == ""
    renamed = elsewhere(old, "renamed")
    old.home.rename(renamed.home)
    assert renamed.types("show", "tripoli")[2] == ""
    shutil.copytree(renamed.home, old.home)
    assert keep in old.types("show", "tripoli")[2]
    old.does("home", "keep", "--nowhere-else")
    assert old.types("show", "tripoli")[2] == ""


def test_a_moved_home_is_no_copy(old: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    old.does("home", "move", "ann.home")
    monkeypatch.setattr(place, "machine", lambda: "another")
    new = elsewhere(old)
    new.does("home", "open", "ann.home")
    assert new.types("show", "tripoli")[2] == ""


@pytest.mark.parametrize(
    "content", [b"", b"\xff", b"closed = 3", b"machine = 'x'\nmoves = 'y'\n", b"x" * 2000]
)
def test_a_home_that_does_not_know_whether_it_is_closed_signs_nothing(
    old: Player, content: bytes
) -> None:
    (old.home / "place.toml").write_bytes(content)
    with pytest.raises(Damaged):
        place.check_open(old.home)
    assert old.types("new", "tripoli")[0] == 2
    assert old.types("show", "tripoli")[0] == 0
    old.does("home", "keep", "--nowhere-else")
    assert old.types("new", "tripoli")[0] == 0


def test_a_home_without_the_file_is_an_older_one(old: Player) -> None:
    (old.home / "place.toml").unlink()
    assert place.warning(old.home) is None
    old.does("home", "move", "ann.home")
    with pytest.raises(Conflict):
        place.check_open(old.home)


@pytest.mark.parametrize(
    "entered", [["away"], ["move"], ["open"], ["keep", "file"], ["move", "home/ann.home"]]
)
def test_what_is_not_understood_says_what_is(old: Player, entered: list[str]) -> None:
    if entered[-1].startswith("home/"):
        entered = ["move", str(old.home / "ann.home")]
    assert old.types("home", *entered)[0] == 2
    assert Usage.exit_code == 2


def test_a_machine_is_named_without_telling_which() -> None:
    assert place.machine() == place.machine()
    assert place.machine() == "" or (len(place.machine()) == 32 and place.machine().isalnum())


@pytest.mark.parametrize(
    "line",
    [
        'heartbeat = "https://eve.example.org/"',
        '"heartbeat" = "https://eve.example.org/"',
        "heartbeat='''\nx'''",
    ],
)
def test_what_pbem_watch_fetches_is_never_taken_from_a_pack(old: Player, line: str) -> None:
    (old.home / "mail.toml").write_text(
        f'# mine\nremind-after = 7\n{line}\n[send]\nprogram = ["true"]\n'
    )
    new = elsewhere(old)
    old.does("home", "backup", "ann.home")
    new.does("home", "open", "ann.home")
    text = (new.home / "mail.toml").read_text()
    if "'''" in line:
        with pytest.raises(Usage, match="no TOML"):
            settings.read(Home(new.home))
    else:
        found = settings.read(Home(new.home))
        assert (found.heartbeat, found.remind_after, found.program) == ("", 7, ("true",))
    if line.startswith("heartbeat"):
        assert "# mine\n" in text and f": {line}\n" in text
