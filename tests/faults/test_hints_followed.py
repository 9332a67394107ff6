"""Somebody who does what a hint says, and nothing else, plays on: nothing is lost, and nobody waits
for somebody who waits for them."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

import pytest

from examples.correspondence import Player
from pbem.fileformat import turnfile
from pbem.home.home import Home
from pbem.home.memory import Memory
from pbem.turn import open_game
from tests.faults.test_damaged_home import POSIX, on_a_full_disk, one_line
from tests.support.begun_game import BegunGame


def short(begun: BegunGame) -> str:
    return "-".join(begun.last.split("-")[:2])


def folder_of_game(player: Player) -> Path:
    (folder,) = (player.home / "games").iterdir()
    return folder


def newest_read(player: Player) -> Path:
    return max((folder_of_game(player) / "read").glob("*.toml"))


def played(begun: BegunGame, entries: int = 2) -> Player:
    """The player whose turn it is after some more turns, which they have taken in."""
    begun.go_on(random.Random(5), entries)
    player = begun.players[begun.ann.does("show", begun.last)["to_act"]]
    player.does("inbox", begun.last)
    return player


def other_of(begun: BegunGame, player: Player) -> Player:
    return begun.ben if player is begun.ann else begun.ann


def plays_on(begun: BegunGame, player: Player, file: str) -> None:
    """The player writes a turn, and the other one takes it in."""
    opened = open_game.open_file((begun.folder / file).read_bytes(), Home(player.home))
    assert opened.to_play() is not None, "it is not their turn"
    answers = player.answers(file, lambda options: options[0])
    made = player.does("play", file, "; ".join(answers), "--no-mail")["file"]
    assert other_of(begun, player).types("show", made)[0] == 0


@pytest.mark.parametrize("rest", [0, 40])
def test_a_turn_that_came_and_is_damaged_is_taken_in_again(begun: BegunGame, rest: int) -> None:
    player = played(begun)
    name, path = short(begun), newest_read(player)
    path.write_bytes(path.read_bytes()[:rest])
    number = len(begun.files) - 1
    code, out, _ = player.types("inbox")
    assert code == 2 and "remove" not in out and str(path) in out
    assert f"turn {number} " in out
    for command in (["play", name], ["show", name], ["send", name]):
        said = one_line(player, *command)
        assert str(path) in said and "pbem inbox FILE" in said
    player.types("inbox", begun.last)
    assert player.types("inbox")[0] == 0 and path.stat().st_size
    plays_on(begun, player, begun.last)


def test_a_turn_that_came_and_is_damaged_is_sent_again_by_its_author(
    begun: BegunGame, tmp_path: Path
) -> None:
    player = played(begun)
    newest_read(player).write_bytes(b"")
    for path in begun.folder.iterdir():
        path.unlink()
    author = other_of(begun, player)
    data = max((folder_of_game(author) / "signed").glob("*.toml")).read_bytes()
    (begun.folder / begun.last).write_bytes(data)
    player.types("inbox", begun.last)
    assert player.types("inbox")[0] == 0
    plays_on(begun, player, begun.last)


def test_a_damaged_copy_that_the_game_has_passed_may_be_removed(begun: BegunGame) -> None:
    """Of somebody who has signed nothing yet every file that was read is tried."""
    dora = begun.stranger_with_key()
    invitation = begun.ann.does("new", "tripoli", "--seat", "american", "--no-mail")["file"]
    dora.does("inbox", invitation)
    (first,) = (folder_of_game(dora) / "read").glob("*.toml")
    joined = begun.ben.does("join", invitation, "--no-mail")["file"]
    dora.does("show", joined)
    (second,) = (folder_of_game(dora) / "read").glob("0001-*.toml")
    whole = second.read_bytes()
    second.write_bytes(b"")
    assert "turn 1 " in dora.types("inbox")[1]
    second.write_bytes(whole)
    first.write_bytes(b"")
    code, said, _ = dora.types("inbox")
    assert code == 2 and f"damaged   {first}: " in said
    assert dora.types("show", joined[:-10])[0] == 0
    first.unlink()
    code, said, _ = dora.types("inbox")
    assert code == 0 and "turn 1" in said


@pytest.mark.parametrize("rest", [0, 40])
def test_a_signed_turn_that_is_damaged_is_mended_from_the_file_beside_it(
    begun: BegunGame, rest: int
) -> None:
    waiting = other_of(begun, played(begun))
    path = max((folder_of_game(waiting) / "signed").glob("*.toml"))
    whole = path.read_bytes()
    path.write_bytes(whole[:rest])
    code, out, _ = waiting.types("inbox")
    assert code == 2 and "pbem inbox FILE" in out
    waiting.types("inbox", begun.last)
    assert path.read_bytes() == whole and waiting.types("inbox")[0] == 0


@pytest.mark.parametrize("rest", [0, 40])
def test_a_signed_turn_that_nobody_has_is_left_behind_on_the_players_word(
    begun: BegunGame, rest: int
) -> None:
    author = other_of(begun, played(begun))
    lost = begun.last
    path = max((folder_of_game(author) / "signed").glob("*.toml"))
    path.write_bytes(path.read_bytes()[:rest])
    # it never left this computer: the other one has only the turn before it
    name, other = short(begun), other_of(begun, author)
    newest_read(other).unlink()
    for left in begun.folder.glob(f"{Path(lost).stem}.*"):
        left.unlink()
    for summary in folder_of_game(author).glob("read/*.toml"):
        if len(turnfile.read(summary.read_bytes()).entries) > int(path.stem):
            summary.unlink()
    assert "--i-have-no-newer-file" in one_line(author, "show", name)
    code, out, err = author.types("show", name, "--i-have-no-newer-file")
    assert code == 0, err
    assert not path.exists() and str(path.with_suffix(".damaged")) in out + err
    assert path.with_suffix(".damaged").stat().st_size == rest
    plays_on(begun, author, begun.files[-2])


def test_what_is_set_aside_is_found_again_where_it_lies(begun: BegunGame) -> None:
    """Whoever says so wrongly signs no second version if the turn is in sight."""
    author = other_of(begun, played(begun))
    path = max((folder_of_game(author) / "signed").glob("*.toml"))
    whole = path.read_bytes()
    path.write_bytes(b"")
    author.types("show", begun.files[-2], "--i-have-no-newer-file")
    answers = author.answers(begun.files[-2], lambda options: options[-1])
    author.types("play", begun.files[-2], "; ".join(answers), "--no-mail")
    assert path.read_bytes() == whole


# A full disk


@POSIX
@pytest.mark.dear("starts a process for each size of the disk")
@pytest.mark.parametrize("room", [0, 100])
def test_a_turn_signed_on_a_full_disk_is_written_by_the_same_command(
    begun: BegunGame, room: int
) -> None:
    player = played(begun)
    name = short(begun)
    answers = "; ".join(player.answers(begun.last, lambda options: options[0]))
    code, err = on_a_full_disk(player, room, "play", name, answers)
    number = len(begun.files)
    assert f"turn {number} " in err and err.count("\n") == 1
    assert f"pbem play {name}" in err and f"pbem send {name}" in err
    file = begun.folder / f"{name}-{number:04}.toml"
    assert not file.exists()
    # other answers are refused, and nothing is signed
    assert player.types("play", name, "nonsense")[0] in (1, 4) and not file.exists()
    code, out, err = player.types("play", name, answers)
    assert code == 0 and err and file.name in out
    signed = folder_of_game(player) / "signed" / f"{number:04}.toml"
    assert file.read_bytes() == signed.read_bytes()
    assert all(file.with_suffix(suffix).exists() for suffix in (".md", ".eml"))
    assert player.types("play", name)[0] == 1, "it is told once what there is to do"
    assert other_of(begun, player).types("show", file.name)[0] == 0


@POSIX
def test_a_turn_signed_on_a_full_disk_is_written_where_no_answer_is_entered_again(
    begun: BegunGame,
) -> None:
    player = played(begun)
    name = short(begun)
    answers = "; ".join(player.answers(begun.last, lambda options: options[0]))
    on_a_full_disk(player, 100, "play", begun.last, answers)
    assert "pbem play GAME" in player.types("send", name)[2]
    assert player.types("play", name)[0] == 0
    assert (begun.folder / f"{name}-{len(begun.files):04}.eml").exists()


@POSIX
def test_a_join_signed_on_a_full_disk_is_written_by_the_same_command(begun: BegunGame) -> None:
    invitation = begun.ann.does("new", "tripoli", "--seat", "american")["file"]
    name = invitation.removesuffix("-0000.toml")
    assert on_a_full_disk(begun.ben, 100, "join", invitation)[0] == 2
    assert not (begun.folder / f"{name}-0001.toml").exists()
    assert begun.ben.types("play", name)[0] == 0
    joined = (begun.folder / f"{name}-0001.toml").read_bytes()
    assert begun.ben.types("join", invitation)[0] == 0
    assert (begun.folder / f"{name}-0001.toml").read_bytes() == joined
    assert begun.ann.types("show", f"{name}-0001.toml")[0] == 0


# Conflicts


def test_a_conflict_copy_of_the_same_bytes_is_no_other_version(begun: BegunGame) -> None:
    player = played(begun)
    path = newest_read(player)
    for name in (".sync-conflict-20261127-101010-ABCDEFG.toml", " (1).toml", " (conflict).toml"):
        shutil.copy(path, path.with_name(path.stem + name))
    assert "another version" not in player.types("show", begun.last)[2]
    assert "ersions" not in "".join(player.types("inbox")[1:])
    memory = Memory(Home(player.home), bytes.fromhex(folder_of_game(player).name))
    assert memory.read.other_versions(turnfile.read(path.read_bytes())) == []


@pytest.mark.dear("plays a game for each command and name")
@pytest.mark.parametrize(
    ("command", "suffix"),
    [
        ("play", ".toml"),
        ("play", ".md"),
        ("play", ".eml"),
        ("join", ".md"),
        ("join", ".eml"),
        ("resign", ".eml"),
    ],
)
def test_a_foreign_file_in_the_way_is_moved_away_and_the_turn_is_written(
    begun: BegunGame, suffix: str, command: str
) -> None:
    player, given, arguments = begun.ben, begun.last, ["--yes"]
    if command == "join":
        given, arguments = begun.ann.does("new", "tripoli", "--seat", "american")["file"], []
    else:
        player = played(begun)
        given = begun.last
    if command == "play":
        arguments = ["; ".join(player.answers(given, lambda options: options[0]))]
    number = int(given[-9:-5]) + 1
    file = begun.folder / f"{given[:-9]}{number:04}{suffix}"
    file.write_text("hello\n")
    before = begun.listing()
    code, out, err = player.types(command, given, *arguments)
    assert (code, out) == (4, "") and file.name in err
    assert file.read_text() == "hello\n" and begun.listing() == before
    file.rename(file.with_suffix(".old"))
    code, out, _ = player.types(command, given, *arguments)
    assert code == 0 and file.name in out and file.read_text() != "hello\n"
    assert player.types(command, given, *arguments)[0] == 0, "the same bytes are no conflict"


def test_a_foreign_mail_is_not_told_as_what_to_send_again(begun: BegunGame) -> None:
    invitation = begun.ann.does("new", "tripoli", "--seat", "american")["file"]
    begun.ben.does("join", invitation)
    draft = begun.folder / f"{invitation[:-9]}0001.eml"
    draft.write_text("hello\n")
    code, out, err = begun.ben.types("join", invitation)
    assert code == 0 and draft.name not in out and draft.name in err
    assert begun.ben.does("join", invitation)["mail"] is None
    assert begun.ben.does("join", invitation, "--no-mail")["mail"] is None
