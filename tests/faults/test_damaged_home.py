"""Files of a home that are damaged, empty, unreadable or gone: one line with the path and what to
do, and no game but the one they belong to is stopped."""

from __future__ import annotations

import errno
import json
import os
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from examples.correspondence import Player
from pbem import files
from pbem.errors import Conflict, Damaged, Usage
from pbem.fileformat import turnfile
from pbem.games import registry
from pbem.home.home import Home
from pbem.home.memory import Memory
from pbem.turn import open_game, take_turn
from pbem.turn.draft_lines import Intent
from tests.support.begun_game import BegunGame
from tests.support.homes import another_computer
from tests.support.players import Pair
from tests.support.rights import rights_hold

USAGE = 2
POSIX = pytest.mark.skipif(os.name != "posix", reason="rights of files are POSIX's")


def remembered(pair: Pair, seat: int) -> Memory:
    return Memory(pair.homes[seat], pair.ledger().game_id)


@pytest.fixture
def pair(tmp_path: Path) -> Pair:
    return Pair(tmp_path, 91).play(7)


def one_line(player: Player, *command: str) -> str:
    """What a command that must fail says; exit code 2."""
    code, out, err = player.types(*command)
    assert (code, out) == (USAGE, ""), err
    assert err.startswith("pbem: ") and err.count("\n") == 1 and "Traceback" not in err
    return err


# The memory of one game


@pytest.mark.parametrize("rest", ["empty", "half", "bent"])
def test_a_damaged_signed_file_is_mended_from_a_newer_one(pair: Pair, rest: str) -> None:
    seat = pair.turn()
    assert seat is not None
    old, new = pair.data, pair.step()
    number = len(turnfile.read(new).entries) - 1
    path = remembered(pair, seat).folder / "signed" / f"{number:04}.toml"
    damaged = {
        "empty": b"",
        "half": new[: len(new) - 60],
        "bent": new.replace(b'signature]\ned25519 = "', b"x", 1),
    }[rest]
    path.write_bytes(damaged)
    for entered in (["nonsense"], []):
        with pytest.raises(Damaged) as caught:
            take_turn.next_entry(pair.open(seat, old), Intent(entered))
        assert caught.value.exit_code == USAGE and str(path) in str(caught.value)
    opened = pair.open(seat, new)
    assert any("mended" in warning for warning in opened.warnings)
    assert path.read_bytes() == new
    assert rest != "empty" or not path.with_suffix(".damaged").exists()
    assert rest == "empty" or path.with_suffix(".damaged").read_bytes() == damaged
    assert not any("mended" in warning for warning in pair.open(seat, new).warnings)
    assert take_turn.next_entry(pair.open(seat, old), Intent()) == new


def test_another_version_is_not_called_damaged(pair: Pair) -> None:
    """What stands in the memory verifies and is not what the file holds: the player signed two
    versions."""
    seat = pair.turn()
    assert seat is not None
    pair.step()
    other = pair.cheat(message="signed on another machine")
    with pytest.raises(Conflict, match="another version"):
        pair.open(seat, other)


def test_a_damaged_older_file_stops_no_new_turn_and_is_mended(pair: Pair) -> None:
    seat = pair.turn()
    assert seat is not None
    first = min((remembered(pair, seat).folder / "signed").iterdir())
    whole = first.read_bytes()
    first.write_bytes(whole[:100])
    pair.step()
    assert first.read_bytes() == whole


def test_of_damaged_files_those_after_the_newest_turn_alone_are_set_aside(pair: Pair) -> None:
    """On the player's word that nobody has a newer turn; the others are mended from it."""
    old = pair.play(8).data
    pair.play(16)
    memory, entries = remembered(pair, 0), len(turnfile.read(old).entries)
    paths = sorted((memory.folder / "signed").iterdir())
    for path in paths:
        path.write_bytes(path.read_bytes()[:100])
    memory.set_damaged_aside(turnfile.read(old))
    newer = [path for path in paths if int(path.stem) >= entries]
    assert 1 < len(newer) < len(paths) and int(newer[-1].stem) > entries
    assert (
        [path for path in paths if not path.exists()]
        == newer
        == [path.with_suffix(".toml") for path in sorted(memory.folder.glob("signed/*.damaged"))]
    )
    assert len(memory.notes) == len(newer)


def test_signed_turns_that_cannot_be_listed_are_not_taken_for_none(pair: Pair) -> None:
    folder = remembered(pair, 0).folder / "signed"
    folder.rename(folder.with_name("elsewhere"))
    folder.write_bytes(b"")
    with pytest.raises(Damaged, match="signed"):
        remembered(pair, 0).newest_signed()
    with pytest.raises(Damaged):
        pair.open(0)


def test_a_full_disk_shows_the_position_all_the_same(
    pair: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    seat = pair.turn()
    assert seat is not None
    old = pair.data
    pair.open(seat)

    def full(*_given: object, **_more: object) -> None:
        raise OSError(28, "No space left on device")

    new = pair.step()
    monkeypatch.setattr("tempfile.mkstemp", full)
    assert take_turn.next_entry(pair.open(seat, old), Intent()) == new
    opened = pair.open(1 - seat, new)
    assert any(os.strerror(errno.ENOSPC) in warning for warning in opened.warnings)
    with pytest.raises(Usage, match=os.strerror(errno.ENOSPC)):
        take_turn.next_entry(opened, Intent(pair.choose(1 - seat)))


# The commands


def begin_another(begun: BegunGame) -> str:
    """The short name of a second game in Ann's home."""
    file = str(begun.ann.does("new", "tripoli", "--seat", "american", "--no-mail")["file"])
    return file.removesuffix("-0000.toml")


def broken_file(begun: BegunGame) -> Path:
    """The newest signed file of Ann's first game, made unreadable."""
    short = begun.last.split("-")[1]
    (folder,) = [
        path for path in (begun.ann.home / "games").iterdir() if path.name.startswith(short)
    ]
    path = max((folder / "signed").iterdir())
    path.unlink()
    path.mkdir()  # nobody can read it, not even root
    return path


def test_an_unreadable_file_of_one_game_costs_one_line(begun: BegunGame) -> None:
    other, path = begin_another(begun), broken_file(begun)
    code, out, err = begun.ann.types("inbox")
    assert (code, err) == (USAGE, "")
    assert other in out and out.count("damaged ") == 1
    assert f"damaged   {path}: cannot read" in out
    assert begun.ann.types("show", other)[0] == 0
    assert begun.ann.types("show", other.split("-")[1][:6])[0] == 0
    assert begun.ann.types("inbox", other + "-0000.toml")[0] == USAGE
    assert begun.ann.types("show", begun.last)[0] == USAGE
    facts = begun.ann.asks("inbox")
    assert [one["kind"] for one in facts["files"]] == ["damaged"]
    assert other in {game["short"] for game in facts["games"]}


def test_a_game_of_which_nothing_can_be_read_is_named(begun: BegunGame) -> None:
    short = "-".join(begun.last.split("-")[:2])
    (folder,) = (begun.ann.home / "games").iterdir()
    for path in [*folder.glob("*/*.toml")]:
        path.write_bytes(b"")
    said = one_line(begun.ann, "show", short)
    assert str(folder / "signed") in said and "empty" in said
    code, out, _ = begun.ann.types("inbox")
    assert code == USAGE and f"{len(list(folder.glob('*/*.toml')))}" and "No games yet" in out
    assert "empty" in out


@pytest.mark.parametrize("damage", [b"", b"{", b"[" * 90_000, b'{"of": 3}', b"\xff" * 90, b"null"])
def test_a_damaged_summary_is_made_anew(begun: BegunGame, damage: bytes) -> None:
    before = begun.ann.types("inbox")
    (path,) = begun.ann.home.glob("games/*/summary.json")
    written = path.read_bytes()
    path.write_bytes(damage)
    assert begun.ann.types("inbox") == before and path.read_bytes() == written


def test_a_summary_with_one_word_changed_is_not_believed(begun: BegunGame) -> None:
    before = begun.ann.types("inbox")
    (path,) = begun.ann.home.glob("games/*/summary.json")
    for old, new in (("yours", "youts"), ("entry", "entty"), ("1801", "1802")):
        stored = path.read_text()
        assert old in stored
        path.write_text(stored.replace(old, new, 1))
        assert begun.ann.types("inbox") == before


def test_a_summary_that_cannot_be_written_costs_one_line(begun: BegunGame) -> None:
    begun.ann.types("inbox")
    (path,) = begun.ann.home.glob("games/*/summary.json")
    path.unlink()
    path.mkdir()
    code, out, err = begun.ann.types("inbox")
    assert (code, err) == (USAGE, "") and f"damaged   {path}: " in out
    assert "-".join(begun.last.split("-")[:2]) in out, "the game is listed"


@pytest.mark.parametrize(
    "damage", [b"", b"name = ", b"\xff", b"x = " + b"[" * 9000, b'name = 3\nmail = ""\n', None]
)
def test_a_damaged_player_file(begun: BegunGame, damage: bytes | None) -> None:
    path = begun.ann.home / "player.toml"
    path.unlink()
    if damage is not None:
        path.write_bytes(damage)
    for command in (
        ["show", begun.last],
        ["inbox"],
        ["id"],
        ["id", "--name", "Ann"],
        ["new", "tripoli"],
    ):
        said = one_line(begun.ann, *command)
        assert str(path) in said and 'pbem id --name "Ann" --mail' in said
    begun.ann.does("id", "--name", "Ann", "--mail", "ann@example.org")
    assert begun.ann.types("show", begun.last)[0] == 0


@pytest.mark.parametrize(
    "damage", [b"", b"-----BEGIN PRIVATE KEY-----\n", b"\x00" * 100, b"x" * 20_000]
)
def test_a_damaged_key_file(begun: BegunGame, damage: bytes) -> None:
    path = begun.ann.home / "identity.pem"
    whole = path.read_bytes()
    path.write_bytes(damage)
    for command in (
        ["show", begun.last],
        ["inbox"],
        ["id"],
        ["new", "tripoli"],
        ["play", begun.last],
    ):
        said = one_line(begun.ann, *command)
        assert str(path) in said and "your copy" in said
    assert path.read_bytes() == damage
    path.write_bytes(whole)
    assert begun.ann.types("show", begun.last)[0] == 0


def test_a_key_that_is_gone_is_not_replaced_by_another(begun: BegunGame, tmp_path: Path) -> None:
    path = begun.ann.home / "identity.pem"
    copy = tmp_path / "copy.pem"
    shutil.copy(path, copy)
    path.unlink()
    for command in (
        ["id"],
        ["id", "--name", "Ann", "--mail", "a@example.org"],
        ["new", "tripoli"],
        ["inbox"],
    ):
        said = one_line(begun.ann, *command)
        assert str(path) in said and "pbem id --import" in said
    assert not path.exists()
    code, out, _ = begun.ann.types("show", begun.last)
    assert code == 0 and str(path) in out and "pbem id --import" in out
    begun.ann.does("id", "--import", str(copy), "--name", "Ann", "--mail", "ann@example.org")
    assert begun.ann.does("show", begun.last)["warnings"] == []


@pytest.mark.parametrize(
    "damage", [b"x", b"[" * 9000, b"x = " + b"[" * 9000, b"\xff", b'inbox = "here"\n', None]
)
def test_a_damaged_mail_file(begun: BegunGame, damage: bytes | None) -> None:
    path = begun.ann.home / "mail.toml"
    if damage is None:
        path.mkdir()
    else:
        path.write_bytes(damage)
    for command in (["fetch"], ["send", begun.files[2]]):
        assert str(path) in one_line(begun.ann, *command)
    code, out, err = begun.ann.types("inbox")
    assert (code, err) == (USAGE, "") and "Waiting for others" in out and f"damaged   {path}" in out


@POSIX
def test_a_key_that_others_can_read_is_told_once_a_command(begun: BegunGame) -> None:
    path = begun.ann.home / "identity.pem"
    for command in (
        ["show", begun.last],
        ["moves", begun.last],
        ["inbox"],
        ["id"],
        ["play", begun.last, "--dry-run"],
    ):
        path.chmod(0o600)
        assert "chmod" not in begun.ann.types(*command)[2]
        path.chmod(0o640)
        _, out, err = begun.ann.types(*command)
        assert err.count(f" {path} (hint: chmod 600") == 1 and "chmod" not in out
        path.chmod(0o600)


# A full disk, and a home that may only be read


FULL = """
import os, resource, sys
from pbem.cli import app
from pbem.turn import signing
write = signing.write_turn
def full(*given, **more):  # the limit of a file's size stands for the end of the disk
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]), resource.RLIM_INFINITY))
    try:
        return write(*given, **more)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
signing.write_turn = full
app.run(sys.argv[2:])
"""


def on_a_full_disk(player: Player, room: int, *command: str) -> tuple[int, str]:
    done = subprocess.run(
        [sys.executable, "-c", FULL, str(room), *command],
        cwd=player.folder,
        env={
            **os.environ,
            "PBEM_HOME": str(player.home),
            "PYTHONPATH": str(Path(__file__).parents[2]),
        },
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stderr


@POSIX
def test_a_new_game_whose_file_cannot_be_written_is_not_begun(begun: BegunGame) -> None:
    before = sorted((begun.ann.home / "games").iterdir())
    code, err = on_a_full_disk(begun.ann, 100, "new", "tripoli", "--no-mail")
    assert code == USAGE and err.count("\n") == 1
    assert sorted((begun.ann.home / "games").iterdir()) == before
    begun.ann.does("new", "tripoli", "--no-mail", "--my-clock-is-right")
    assert len(sorted((begun.ann.home / "games").iterdir())) == len(before) + 1


@POSIX
def test_a_new_game_whose_summary_alone_cannot_be_written_is_named(
    begun: BegunGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = files.write_new

    def full(path: Path, data: bytes, *, mode: int = 0o644) -> None:
        if path.suffix == ".md":
            raise Usage(
                f"cannot write {path}: No space left on device", hint="make room on the disk"
            )
        whole(path, data, mode=mode)

    monkeypatch.setattr(files, "write_new", full)
    err = one_line(begun.ann, "new", "tripoli", "--no-mail")
    assert "pbem send tripoli-" in err
    assert len(list(begun.folder.glob("tripoli-*-0000.toml"))) == 2


def test_a_home_without_room_begins_no_game(
    begun: BegunGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = sorted((begun.ann.home / "games").iterdir())

    def full(*_given: object, **_more: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("tempfile.mkstemp", full)
        assert "make room" in one_line(begun.ann, "new", "tripoli")
    assert sorted((begun.ann.home / "games").iterdir()) == before


@POSIX
def test_a_home_that_may_only_be_read_is_not_called_damaged(begun: BegunGame) -> None:
    for path in begun.ann.home.glob("games/*/summary.json"):
        path.unlink()
    folders = [begun.ann.home, *(path for path in begun.ann.home.rglob("*") if path.is_dir())]
    with rights_hold() as is_held:
        if not is_held:
            pytest.skip("root reads and writes what nobody may, and cannot be kept from it here")
        for folder in folders:
            folder.chmod(0o500)
        try:
            code, out, _ = begun.ann.types("inbox")
        finally:
            for folder in folders:
                folder.chmod(0o700)
    assert code == USAGE and "damaged" not in out and "remove" not in out
    assert (
        out.count("unkept") == 1 and str(begun.ann.home) in out and os.strerror(errno.EACCES) in out
    )


# A newer program


NEWER = {
    "an unknown key": (b"\nnonce = ", b'\nwhatever = "new"\nnonce = '),
    "a format": (b'format = "pbem/1"', b'format = "pbem/2"'),
    "rules": (b"", b""),
}


@pytest.mark.parametrize("what", NEWER)
def test_turns_of_a_newer_program_are_named_so_and_left_alone(
    begun: BegunGame, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    """As after a home has moved back to a computer with an older pbem."""
    old, new = NEWER[what]
    if what == "rules":  # the files are what they were, and this program lacks their rules
        versions: Any = registry.descriptor("tripoli").rules
        monkeypatch.setitem(versions, 0, versions[1])
        monkeypatch.delitem(versions, 1)
    (game,) = (begun.ann.home / "games").iterdir()
    for path in (*game.glob("signed/*.toml"), *game.glob("read/*.toml")):
        path.write_bytes(path.read_bytes().replace(old, new))
    for path in begun.ann.home.glob("games/*/summary.json"):
        path.unlink()
    before = {path: path.read_bytes() for path in game.rglob("*.toml")}
    code, out, _ = begun.ann.types("inbox")
    facts = json.loads(begun.ann.types("inbox", "--json")[1])
    assert code == USAGE and {one["kind"] for one in facts["files"]} == {"newer"}
    assert not any(word in out for word in ("damaged", "remove", "restore"))
    for command in (["show", game.name], ["play", game.name], ["play", begun.last]):
        code, _, err = begun.ann.types(*command)
        assert (
            code in (2, 3) and "newer pbem" in err and "damaged" not in err and err.count("\n") == 1
        ), err
    assert {path: path.read_bytes() for path in game.rglob("*.toml") if path in before} == before
    assert not list(game.rglob("*.damaged"))


# A lost home


def test_inbox_takes_the_confirmation_for_all_games_or_one(
    begun: BegunGame, tmp_path: Path
) -> None:
    begin_another(begun)
    lost = replace(begun.ann, home=tmp_path / "restored")
    lost.home.mkdir()
    for name in ("identity.pem", "player.toml"):
        shutil.copy(begun.ann.home / name, lost.home)
    short = "-".join(begun.last.split("-")[:2])
    with another_computer():
        code, out, _ = lost.types("inbox", ".")
    assert code == 4 and "--i-have-no-newer-file" in out
    assert not list(lost.home.glob("games/*/signed/*"))
    assert "--i-have-no-newer-file" in one_line(lost, "inbox", "--game", short)
    lost.types("inbox", "--i-have-no-newer-file", "--game", short)
    assert {path.parent.parent.name[:8] for path in lost.home.glob("games/*/signed/*")} == {
        short.split("-")[1]
    }
    assert lost.types("show", short)[0] == 0
    code, out, _ = lost.types("inbox", ".", "--i-have-no-newer-file")
    assert code == 0 and "conflict" not in out
    assert len(list(lost.home.glob("games/*/signed"))) == 2
    assert lost.types("inbox", ".")[0] == 0


@pytest.mark.parametrize("files", [90, pytest.param(300, marks=pytest.mark.slow)])
def test_many_files_are_grouped(begun: BegunGame, tmp_path: Path, files: int) -> None:
    folder = tmp_path / "many"
    folder.mkdir()
    for number in range(files):
        (folder / f"bad{number}.toml").write_bytes(b'format = "pbem/9"\n')
        (folder / f"worse{number}.toml").write_bytes(b'format = "pbem/1"\n' + b"x = 1\n" * number)
        shutil.copy(begun.folder / begun.last, folder / f"same{number}.toml")
    code, out, _ = begun.ann.types("inbox", str(folder))
    assert code == 3 and len(out.splitlines()) < 70
    assert f"{files} files: " in out and f"and {files - 3} more: " in out
    assert len(json.loads(begun.ann.types("inbox", str(folder), "--json")[1])["files"]) == 3 * files


def test_the_home_is_tidied(begun: BegunGame) -> None:
    home = Home(begun.ann.home)
    (game,) = (home.folder / "games").iterdir()
    left = [
        folder / ".pbem-abc.tmp"
        for folder in (home.folder, game, game / "signed", game / "read", begun.folder)
    ]
    for path in left:
        path.write_bytes(b"half")
    begun.ann.does("show", begun.last)
    # nothing was written to the last one yet
    assert [path.exists() for path in left] == [False] * 4 + [True]
    open_game.open_file((begun.folder / begun.last).read_bytes(), home)
    answers = begun.ann.answers(begun.last, lambda options: options[0])
    begun.write("american", "play", begun.last, "; ".join(answers))
    assert not left[-1].exists()
