"""A player's memory: one entry a game and number, ever, whatever happens to files, processes and
power."""

from __future__ import annotations

import errno
import hashlib
import os
import random
import re
import shutil
import stat
import subprocess
import time
from pathlib import Path

import pytest

from pbem import files
from pbem.errors import Conflict, Damaged, Refused, Usage
from pbem.fileformat import turnfile
from pbem.home import clock, make_identity
from pbem.home.game_index import game_folders
from pbem.home.home import Home
from pbem.home.identity import Identity
from pbem.home.memory import ForgottenTurn, Memory
from pbem.home.outside import SignedHere
from pbem.home.shelf import shelf_of
from pbem.turn import joining, open_game, questions, take_turn
from pbem.turn.draft_lines import Intent
from tests.support import known_templates, starter
from tests.support.fixed import FixedRandom, fixed
from tests.support.homes import another_computer, copy_homes
from tests.support.players import Pair, make_home, refused, retouch

POSIX = pytest.mark.skipif(os.name != "posix", reason="modes and signals are POSIX's")


@pytest.fixture
def pair(tmp_path: Path) -> Pair:
    return Pair(tmp_path, 94).play(7)


def seat_of(pair: Pair) -> int:
    seat = pair.turn()
    assert seat is not None
    return seat


def deciding(pair: Pair) -> list[str]:
    """Go on until the seat in turn has a choice; one of the ways to answer."""
    while not (answers := pair.choose(seat_of(pair))):
        pair.step()
    return answers


def other_answers(pair: Pair, first: list[str]) -> list[str]:
    for _ in range(50):
        if (other := pair.choose(seat_of(pair))) and other != first:
            return other
    raise AssertionError("there is no other way to answer")


# One entry a number


def test_asked_again_it_gives_the_same_bytes(pair: Pair) -> None:
    answers, old, seat = deciding(pair), pair.data, seat_of(pair)
    new = pair.step(answers)
    for entered in (answers, []):
        assert take_turn.next_entry(pair.open(seat, old), Intent(entered)) == new
        assert (
            take_turn.next_entry(pair.open(seat, old), Intent(entered, message="another one"))
            == new
        )


def test_other_answers_are_a_conflict(pair: Pair) -> None:
    answers = deciding(pair)
    other, old, seat = other_answers(pair, answers), pair.data, seat_of(pair)
    new = pair.step(answers)
    for entered in (other, [*answers, "pass"], answers[:-1] or ["nonsense"], ["nonsense"]):
        with pytest.raises(Conflict) as caught:
            take_turn.next_entry(pair.open(seat, old), Intent(entered))
        assert caught.value.exit_code == 4
    for what in ({"resign": True}, {"draw": "offer"}, {"draw": "answer"}, {"draw": "decline"}):
        with pytest.raises(Conflict):
            take_turn.next_entry(pair.open(seat, old), Intent(**what))  # type: ignore[arg-type]
    assert (
        Memory(pair.homes[seat], pair.ledger().game_id).signed(len(turnfile.read(old).entries))
        == new
    )


def test_a_resignation_is_not_taken_back_by_answers(pair: Pair) -> None:
    answers, old, seat = deciding(pair), pair.data, seat_of(pair)
    new = pair.step([], resign=True)
    for entered in (answers, ["nonsense"]):
        with pytest.raises(Conflict):
            take_turn.next_entry(pair.open(seat, old), Intent(entered))
    assert take_turn.next_entry(pair.open(seat, old), Intent(resign=True)) == new
    assert take_turn.next_entry(pair.open(seat, old), Intent()) == new


def test_looking_ahead_signs_nothing_and_leaves_the_verified_game_as_it_is(
    pair: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A draft runs on a copy of the game; `show`, `moves` and `--dry-run` end before the
    signature."""

    def state() -> object:
        game = opened.ledger
        chance = game.begun().referee.randomness
        return (
            game.position_digest(),
            len(game.entries),
            chance.newest,
            list(chance.authors),
            game.begun().outcome,
        )

    answers, opened = deciding(pair), pair.open(seat_of(pair))
    before = state()
    monkeypatch.setattr(Identity, "sign", lambda *_: pytest.fail("signed"))
    assert questions.moves(opened, []).options
    tried = take_turn.tried_entry(opened, Intent(answers))
    assert len(tried.entries) == len(opened.ledger.entries) + 1
    assert tried.position_digest() != opened.ledger.position_digest()
    assert state() == before


def test_a_dry_run_is_not_remembered(pair: Pair) -> None:
    answers, seat = deciding(pair), seat_of(pair)
    other = other_answers(pair, answers)
    take_turn.tried_entry(pair.open(seat), Intent(answers))
    data = take_turn.next_entry(pair.open(seat), Intent(other))
    assert take_turn.next_entry(pair.open(seat), Intent()) == data


# Old files and other versions


def test_an_old_file_is_shown_and_not_answered(pair: Pair) -> None:
    seat = seat_of(pair)
    old = pair.data
    pair.step()
    while seat_of(pair) != seat:
        pair.step()
    pair.step()
    numbers = [
        e.number for e in turnfile.read(pair.data).entries if pair.ledger().seat_of(e) == seat
    ]
    for number in numbers[:-1]:
        prefix = turnfile.read(pair.data).prefix(number + 1)
        opened = pair.open(seat, prefix)
        assert opened.stale and opened.draft() is None
    assert pair.open(seat, old).stale
    before = turnfile.read(old).prefix(len(turnfile.read(old).entries) - 1)
    with pytest.raises((Conflict, Refused)):
        take_turn.next_entry(pair.open(seat, before), Intent())


def test_a_second_version_of_an_answered_turn(pair: Pair) -> None:
    """The opponent signs another version of what was answered: exit 4, and both versions are
    kept."""
    opponent = seat_of(pair)
    pair.step()
    while seat_of(pair) == opponent:
        pair.step()
    first, me = pair.data, seat_of(pair)
    second = pair.cheat(message="or rather this")
    assert not pair.open(me, second).stale  # not answered yet: it may be looked at
    assert any("another version" in warning for warning in pair.open(me, first).warnings)
    pair.step()
    for data in (second, pair.cheat(second, message="or that")):
        with pytest.raises(Conflict) as caught:
            pair.open(me, data)
        assert caught.value.exit_code == 4
    kept = {
        path.read_bytes()
        for path in Memory(pair.homes[me], pair.ledger().game_id).folder.glob("read/*.toml")
    }
    assert {first, second} <= kept


def test_my_own_entry_in_another_version(pair: Pair) -> None:
    """A file that holds an entry of mine which is not the one I signed here."""
    me = seat_of(pair)
    pair.step()
    with pytest.raises(Conflict, match="another version"):
        pair.open(me, pair.cheat(message="signed on another machine"))
    with pytest.raises(Conflict, match="another version"):
        open_game.open_file(pair.cheat(message="again"), pair.homes[me], nothing_newer=True)


def test_entries_that_are_not_remembered(pair: Pair, tmp_path: Path) -> None:
    """A home restored on another computer: the key is there, the memory is not."""
    restored = make_home(tmp_path / "restored", "Ann")
    with another_computer():
        with pytest.raises(Conflict, match=r"your turn 0\b") as caught:
            open_game.open_file(pair.data, restored)
        assert caught.value.exit_code == 4 and "--i-have-no-newer-file" in str(caught.value)
        opened = open_game.open_file(pair.data, restored, nothing_newer=True)
    assert opened.seat == 0 and not opened.stale
    assert not open_game.open_file(pair.data, restored).stale
    own = [e.number for e in turnfile.read(pair.data).entries if e.seat == "american"]
    assert Memory(restored, pair.ledger().game_id).newest_signed() == own[-1]
    old = turnfile.read(pair.data).prefix(own[-1])
    assert open_game.open_file(old, restored).stale


@pytest.mark.parametrize("noted", ["the newest turn", "an older turn", "another version"])
def test_what_is_noted_outside_gives_back_that_very_turn_and_those_before_it(
    pair: Pair, tmp_path: Path, noted: str
) -> None:
    """A home without memory on a computer that has noted a turn of the player, who may have signed
    more than that elsewhere, or something else."""
    restored, file = make_home(tmp_path / "restored", "Ann"), turnfile.read(pair.data)
    *_, older, newest = [entry.number for entry in file.entries if entry.seat == "american"]
    number, end = {
        "the newest turn": (newest, newest + 1),
        "an older turn": (older, older + 1),
        "another version": (newest, older + 1),
    }[noted]
    memory = Memory(restored, pair.ledger().game_id)
    with another_computer():
        note = SignedHere(restored.identity().public, memory.game, restored.folder)
        note.write(number, file.prefix(end))
        if noted == "the newest turn":
            assert open_game.open_file(pair.data, restored).seat == 0
            assert memory.newest_signed() == newest
            return
        with pytest.raises(ForgottenTurn, match=r"your turn 0\b"):
            open_game.open_file(pair.data, restored)
    assert memory.newest_signed() is None


def test_an_invitation_that_another_home_has_signed_is_missed(tmp_path: Path) -> None:
    """Of a home with a long name its beginning is told."""
    ann = make_home(tmp_path / ("h" * 220), "Ann")
    copy_homes(ann.folder, tmp_path / "copy")
    invitation = joining.invite(ann, joining.NewGame("tripoli"))
    copied = Memory(Home(tmp_path / "copy"), open_game.open_file(invitation, ann).ledger.game_id)
    assert f" in the home {str(ann.folder)[:200]}, and" in copied.missing_turn()
    with pytest.raises(ForgottenTurn, match="turn 0 of this game"):
        copied.check_here()


@pytest.mark.parametrize("stored", ["the turn", "signed by another key", "a later turn"])
def test_nothing_but_the_players_own_turn_of_that_number_is_noted(pair: Pair, stored: str) -> None:
    memory, file = Memory(pair.homes[0], pair.ledger().game_id), turnfile.read(pair.data)
    *_, older, newest = (entry.number for entry in file.entries if entry.seat == "american")
    folder = memory.folder / "signed"
    (folder / f"{newest:04}.toml").unlink()
    data = {
        "the turn": file.prefix(older + 1),
        "signed by another key": retouch(file.prefix(older + 1), pair.identities[1]),
        "a later turn": file.prefix(newest + 1),
    }[stored]
    (folder / f"{older:04}.toml").write_bytes(data)
    with another_computer():
        assert memory.note_here() == ""
        note = SignedHere(pair.identities[0].public, memory.game, memory.home.folder).read()
    assert note.number == (older if stored == "the turn" else -1)


def test_what_is_taken_back_is_told_once(pair: Pair, tmp_path: Path) -> None:
    """Only the newest turn counts, and only where it was not remembered."""
    file = turnfile.read(pair.data)
    own = [entry.number for entry in file.entries if entry.seat == "american"]
    with another_computer():
        memory = Memory(make_home(tmp_path / "restored", "Ann"), pair.ledger().game_id)
        memory.take_back(file, own, "found.toml")
        (note,) = memory.notes
        assert note.startswith(f"your turn {own[-1]} stands in found.toml: ")
        memory.take_back(file, own, "found.toml")
        memory.take_back(turnfile.read(file.prefix(own[-1])), own[:-1], "older.toml")
    assert memory.notes == [note] and memory.newest_signed() == own[-1]


def test_a_lost_turn_is_remembered_again_beside_newer_ones(pair: Pair) -> None:
    memory = Memory(pair.homes[0], pair.ledger().game_id)
    first, *_, last = sorted((memory.folder / "signed").iterdir())
    assert last > first
    first.unlink()
    open_game.open_file(pair.data, pair.homes[0], nothing_newer=True)
    assert first.read_bytes() == turnfile.read(pair.data).prefix(1)


def test_nothing_is_signed_beside_a_damaged_turn_that_has_come_meanwhile(pair: Pair) -> None:
    """Nobody can tell on which branch it was."""
    memory = Memory(pair.homes[0], pair.ledger().game_id)
    number = len(turnfile.read(pair.data).entries)
    (memory.folder / "signed" / f"{number + 2:04}.toml").write_bytes(b"torn")
    with pytest.raises(Damaged, match=f"signed as turn {number + 2} is damaged"):
        memory.sign_once(number, pair.next(), clock.now())
    assert not (memory.folder / "signed" / f"{number:04}.toml").exists()


def test_a_game_of_which_nothing_is_left_is_given_up_in_silence(tmp_path: Path) -> None:
    memory = Memory(make_home(tmp_path, "Ann"), bytes(32))
    memory.give_up()
    assert not memory.folder.exists()


def test_an_onlooker_is_not_stopped(pair: Pair, tmp_path: Path) -> None:
    eve = make_home(tmp_path / "eve", "Eve")
    opened = open_game.open_file(pair.data, eve)
    assert opened.seat is None and not opened.stale
    with pytest.raises(Refused) as caught:
        take_turn.next_entry(opened, Intent())
    assert caught.type is Refused, "and no more answers are asked for"


# Joining


def test_an_invitation_takes_one_join(tmp_path: Path) -> None:
    pair = Pair(tmp_path, 92)
    invitation, ben = pair.data, pair.homes[1]
    joined = joining.join(open_game.open_file(invitation, ben), ben)
    assert joining.join(open_game.open_file(invitation, ben), ben) == joined
    eve = make_home(tmp_path / "eve", "Eve")
    for data, home, seat in ((joined, ben, 1), (invitation, pair.homes[0], 0), (joined, eve, None)):
        opened = open_game.open_file(data, home)
        assert opened.seat == seat
        with pytest.raises(Refused):
            joining.join(opened, home)
    assert not list(eve.folder.glob("games/*/signed/*"))


def test_a_join_that_the_inviter_did_not_answer(tmp_path: Path) -> None:
    """Two joins: the one the inviter answers counts; until then the other player's home says that
    there are two, and from then on it shows a game without them."""
    pair = Pair(tmp_path, 93)
    invitation = pair.data
    eve = make_home(tmp_path / "eve", "Eve")
    own = joining.join(open_game.open_file(invitation, eve), eve)
    pair.play(3)
    assert open_game.open_file(invitation, eve).seat is None
    with pytest.raises(Conflict):
        open_game.open_file(turnfile.read(pair.data).prefix(2), eve)
    opened = open_game.open_file(pair.data, eve)
    assert opened.seat is None and opened.to_play() is None and not opened.stale
    assert opened.warnings
    with pytest.raises(Conflict):
        joining.join(opened, eve)
    (folder,) = game_folders(eve)
    shelf = shelf_of(folder)
    assert shelf is not None and shelf.file.data == pair.data and shelf.rivals == []
    assert open_game.open_file(own, eve).seat is not None


def test_who_joins_too_late_in_a_game_of_three_joins_further_on(tmp_path: Path) -> None:
    """Two sign on the invitation; exactly one of them may sign on the other's file too, once."""
    ann, ben, cleo = (make_home(tmp_path / name, name) for name in ("Ann", "Ben", "Cleo"))
    invitation = joining.invite(ann, joining.NewGame("loot", options={"players": 3}))
    joins = [joining.join(open_game.open_file(invitation, one), one) for one in (ben, cleo)]
    first, late = sorted(joins, key=lambda data: hashlib.sha256(data).digest())
    stays, gives_way = (ben, cleo) if first == joins[0] else (cleo, ben)
    with pytest.raises(Conflict):
        open_game.open_file(late, stays)
    opened = open_game.open_file(first, gives_way)
    assert opened.seat is None and opened.warnings
    (folder,) = game_folders(gives_way)
    shelf = shelf_of(folder)
    assert shelf is not None and shelf.file.data == first, "so its commands go on there"
    full = joining.join(opened, gives_way)
    assert (
        full.startswith(first)
        and joining.join(open_game.open_file(first, gives_way), gives_way) == full
    )
    with pytest.raises(Conflict):
        joining.join(open_game.open_file(invitation, gives_way), gives_way)
    assert [path.stem for path in sorted((folder / "signed").iterdir())] == ["0001", "0002"]
    assert open_game.open_file(full, stays).seat is not None
    dora = make_home(tmp_path / "Dora", "Dora")
    other = joining.join(open_game.open_file(late, dora), dora)
    with pytest.raises(Conflict):  # nothing but what lies furthest on
        open_game.open_file(other, gives_way)


def test_two_versions_of_an_invitation_or_of_a_join_by_one_key_are_named_with_both_files(
    tmp_path: Path,
) -> None:
    """Nobody joined instead: one key signed entry 0, or entry 1 in a game of three, twice."""
    eve = make_home(tmp_path / "eve", "Eve")
    invitations = []
    for number in range(2):
        ann = make_home(tmp_path / f"ann{number}", "Ann")  # a copy of Ann's home has the same key
        with another_computer(), fixed(FixedRandom("the same nonce")):
            invitations.append(
                joining.invite(
                    ann,
                    joining.NewGame(
                        "loot", options={"players": 3}, clock={"clock": f"3{number}+3"}
                    ),
                )
            )
    ben = [make_home(tmp_path / f"ben{number}", "Ben") for number in range(2)]
    joins = []
    for home in ben:
        with another_computer():
            joins.append(joining.join(open_game.open_file(invitations[0], home), home))
    cleo = make_home(tmp_path / "cleo", "Cleo")
    for number, home, versions in ((0, eve, invitations), (1, cleo, joins)):
        joining.join(open_game.open_file(versions[0], home), home)
        with pytest.raises(Conflict) as caught:
            open_game.open_file(versions[1], home)
        told = str(caught.value)
        assert f"turn {number} " in told and f" {('Ann', 'Ben')[number]} (" in told
        paths = [Path(path) for path in re.findall(r"/\S+\.toml", told)]
        contents = [path.read_bytes() for path in paths]
        assert contents[0].startswith(versions[0]) and contents[1] == versions[1], (
            "both files are there"
        )


def test_an_invitation_for_somebody_else(tmp_path: Path) -> None:
    ann, ben, eve = (make_home(tmp_path / name, name) for name in ("Ann", "Ben", "Eve"))
    key = make_identity.identify(ben, None, None, False, None, None).key
    data = joining.invite(ann, joining.NewGame("tripoli", seat="tripolitan", opponents=[key]))
    with pytest.raises(Refused):
        joining.join(open_game.open_file(data, eve), eve)
    assert joining.join(open_game.open_file(data, ben), ben)


def test_every_invitation_is_another_game(tmp_path: Path) -> None:
    ann = make_home(tmp_path, "Ann")
    made = [joining.invite(ann, joining.NewGame("tripoli")) for _ in range(5)]
    assert len({open_game.open_file(data, ann).ledger.game_id for data in made}) == 5


# Bad files leave no trace


def test_what_does_not_verify_is_not_remembered(pair: Pair) -> None:
    seat = seat_of(pair)
    folder = Memory(pair.homes[seat], pair.ledger().game_id).folder
    pair.open(seat)
    before = sorted(folder.rglob("*"))
    bent = pair.data.replace(b"Ann", b"Eve", 1)
    refused(bent, "signature")
    with pytest.raises(Exception, match="signature"):
        open_game.open_file(bent, pair.homes[seat])
    assert sorted(folder.rglob("*")) == before


# Files


def test_the_newest_of_thousands_of_entries_is_found(tmp_path: Path) -> None:
    memory, data = Memory(make_home(tmp_path, "Ann"), bytes(32)), b"x"
    for number in (7, 998, 1000, 9998):
        memory.sign_once(number, data * (number + 1), clock.now())
    assert memory.newest_signed() == 9998
    assert (memory.folder / "signed" / "1000.toml").read_bytes() == data * 1001
    names = sorted(path.name for path in (memory.folder / "signed").iterdir())
    assert names == ["0007.toml", "0998.toml", "1000.toml", "9998.toml"]


def test_nothing_is_ever_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "file"
    files.write_new(path, b"one")
    files.write_new(path, b"one")
    with pytest.raises(Conflict):
        files.write_new(path, b"two")
    assert path.read_bytes() == b"one"
    with pytest.raises(Conflict, match="exists"):
        files.write_new(tmp_path, b"one")
    assert [p.name for p in tmp_path.iterdir()] == ["file"]


@POSIX
@pytest.mark.skipif(hasattr(os, "geteuid") and os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(Usage, match="cannot write"):
            files.write_new(tmp_path / "file", b"one")
        with pytest.raises(Usage, match="cannot write"):
            files.replace(tmp_path / "file", b"one")
        with pytest.raises(Usage, match=re.escape(str(tmp_path / "home"))):
            make_home(tmp_path / "home", "Ann")
    finally:
        tmp_path.chmod(0o700)


def test_a_full_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the system refuses becomes one line for the player, and what stood there stands."""
    files.replace(tmp_path / "file", b"old")

    def full(_handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    for write in (files.write_new, files.replace):
        with pytest.raises(Usage, match=os.strerror(errno.ENOSPC)):
            write(tmp_path / "file", b"new")
    assert (tmp_path / "file").read_bytes() == b"old"


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(Usage, match="cannot write"):
        files.write_new(tmp_path / "nowhere" / "file", b"one")
    with pytest.raises(Usage, match="cannot write"):
        files.replace(tmp_path / "nowhere" / "file", b"one")
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(Usage, match=re.escape(str(tmp_path / "file"))):
        make_home(tmp_path / "file" / "home", "Ann")


@POSIX
def test_the_home_is_private(pair: Pair) -> None:
    umask = os.umask(0)
    try:
        pair.step()
    finally:
        os.umask(umask)
    for home in pair.homes:
        for path in (home.folder, *home.folder.rglob("*")):
            mode = stat.S_IMODE(path.stat().st_mode)
            assert mode == (0o700 if path.is_dir() else 0o600), path


@POSIX
def test_a_new_home_is_private_from_the_first_byte(tmp_path: Path) -> None:
    umask = os.umask(0)
    try:
        home = make_home(tmp_path / "home", "Ann")
        home.make_folder("games", "x", "signed")
    finally:
        os.umask(umask)
    for path in (home.folder, *home.folder.rglob("*")):
        assert stat.S_IMODE(path.stat().st_mode) == (0o700 if path.is_dir() else 0o600), path


# Two processes, and none that survives

WORK = """
import sys, random
from pathlib import Path
from pbem.turn import open_game, take_turn
from pbem.errors import PbemError
from pbem.home.game_index import game_folders
from pbem.home.shelf import shelf_of
from pbem.home.home import Home
from pbem.turn.draft_lines import Intent

data, home = Path(sys.argv[1]).read_bytes(), Home(Path(sys.argv[2]))
answers = sys.argv[3].split(";")
print("ready", flush=True)
sys.stdin.readline()
try:
    sys.stdout.buffer.write(take_turn.next_entry(open_game.open_file(data, home), Intent(answers)))
except PbemError as error:
    sys.exit(error.exit_code)
"""


def test_two_processes_sign_one_version(pair: Pair, tmp_path: Path) -> None:
    """Started on the same turn at the same time with different answers: every file they give is the
    same one."""
    answers = deciding(pair)
    both, seat = [answers, other_answers(pair, answers)], seat_of(pair)
    turn = tmp_path / "turn.toml"
    turn.write_bytes(pair.data)
    started = [
        starter.start(
            ["-c", WORK, str(turn), str(pair.homes[seat].folder), ";".join(both[number % 2])],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        for number in range(4)
    ]
    for process in started:
        assert process.stdout is not None and process.stdout.readline() == b"ready\n"
    for process in started:
        assert process.stdin is not None
        process.stdin.write(b"go\n")
        process.stdin.flush()
    given = []
    for process in started:
        out, errors = process.communicate()
        assert process.returncode in (0, 4), errors
        if process.returncode == 0:
            given.append(out)
    assert given and len(set(given)) == 1
    assert take_turn.next_entry(pair.open(seat), Intent()) == given[0]


KILLED = """
import os, signal, sys
left = int(sys.argv.pop(1))

def counted(function):
    def call(*arguments, **more):
        global left
        left -= 1
        if left < 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return function(*arguments, **more)
    return call

for name in ("open", "write", "fsync", "link", "unlink", "replace", "mkdir", "chmod", "close", "fdopen"):
    setattr(os, name, counted(getattr(os, name)))

from pbem.cli.app import run
from tests.support import known_pictures
known_pictures.install()
try:
    run()
finally:
    print(left, file=sys.stderr)
"""  # noqa: E501


def play(
    code: list[str], home: Home, turn: Path, answers: list[str], *more: str
) -> subprocess.Popen[bytes]:
    return starter.start(
        [*code, "play", str(turn), "; ".join(answers), *more],
        env={**os.environ, "PBEM_HOME": str(home.folder)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def whole_files(folder: Path, pair: Pair, seat: int) -> None:
    """Every file with a name of its own is whole: a turn file that verifies, or a summary; others
    are leftovers."""
    for path in [*folder.glob("*.toml"), *pair.homes[seat].folder.glob("games/*/*/*.toml")]:
        open_game.open_file(path.read_bytes(), None)


@pytest.mark.dear("kills programs")
@POSIX
def test_killed_at_any_step(pair: Pair, tmp_path: Path) -> None:
    """`kill -9` after so many calls that touch files: the old state or the new, and one version.
    Some steps come before the storing of the signed entry, the rest after it, before all files of
    the turn are there."""
    answers, old, seat = deciding(pair), pair.data, seat_of(pair)
    folder = tmp_path / "turns"
    folder.mkdir()
    turn = folder / "turn.toml"
    turn.write_bytes(old)
    number = len(turnfile.read(old).entries)
    memory = Memory(pair.homes[seat], pair.ledger().game_id)
    signed: set[bytes] = set()
    before, after, most = 0, 0, 10_000
    for place in (tmp_path / "first", tmp_path / "second"):  # which finds the templates compiled
        copy_homes(pair.homes[seat].folder, place / "home")
        shutil.copy(turn, place)
        with another_computer():
            process = play(
                ["-c", KILLED, str(most)], Home(place / "home"), place / turn.name, answers
            )
        steps = most - int(process.communicate()[1].splitlines()[-1])
        known_templates.learn(place / "home")
        cache = pair.homes[seat].folder / known_templates.FOLDER
        shutil.copytree(place / "home" / known_templates.FOLDER, cache, dirs_exist_ok=True)
    # once it is stored, fewer steps are left to do
    for step in (1, *range(steps // 6, steps // 2, 3), most):
        process = play(["-c", KILLED, str(step)], pair.homes[seat], turn, answers)
        _, errors = process.communicate()
        assert process.returncode == (-9 if step < most and process.returncode else 0), errors
        whole_files(folder, pair, seat)
        if (now := memory.signed(number)) is not None:
            signed.add(now)
        is_whole = any(folder.glob("*.eml"))
        before += process.returncode == -9 and now is None
        after += process.returncode == -9 and now is not None and not is_whole
        assert turn.read_bytes() == old
    assert before > 2 and after > 2 and len(signed) == 1
    (written,) = folder.glob(f"tripoli-*-{number:04}.toml")
    assert {written.read_bytes()} == signed
    assert (folder / f"{written.stem}.md").is_file()
    assert take_turn.next_entry(pair.open(seat, old), Intent()) == written.read_bytes()


@pytest.mark.dear("kills programs")
@POSIX
def test_killed_at_any_moment(pair: Pair, tmp_path: Path) -> None:
    answers, old, seat = deciding(pair), pair.data, seat_of(pair)
    folder = tmp_path / "turns"
    folder.mkdir()
    turn = folder / "turn.toml"
    turn.write_bytes(old)
    chance = random.Random(94)
    known_templates.lay_in(pair.homes[seat].folder)
    start = time.perf_counter()
    play(["-m", "pbem"], pair.homes[seat], turn, answers, "--dry-run").communicate()
    longest = time.perf_counter() - start
    for _ in range(4):
        process = play(["-m", "pbem"], pair.homes[seat], turn, answers)
        time.sleep(chance.uniform(0.2, 1.4) * longest)
        process.kill()
        process.communicate()
        whole_files(folder, pair, seat)
    process = play(["-m", "pbem"], pair.homes[seat], turn, answers)
    _, errors = process.communicate()
    assert process.returncode == 0, errors
    (written,) = folder.glob("tripoli-*.toml")
    assert take_turn.next_entry(pair.open(seat, old), Intent()) == written.read_bytes()
