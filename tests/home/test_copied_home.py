"""Several homes of one player on one computer: what one of them has signed the others do not sign
anew."""

from __future__ import annotations

import errno
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from examples.correspondence import Player
from pbem import files
from pbem.home import home_pack, outside
from pbem.home.home import Home
from pbem.home.memory import Memory
from pbem.home.outside import SignedHere
from tests.support.begun_game import BegunGame, begin
from tests.support.homes import copy_homes
from tests.support.rights import rights_hold
from tests.support.table_kit import Client, served

CONFLICT = 4


@pytest.fixture(scope="module")
def _begun(tmp_path_factory: pytest.TempPathFactory) -> BegunGame:
    return begin(tmp_path_factory.mktemp("begun"))


@pytest.fixture(scope="module")
def ways(_begun: BegunGame) -> list[str]:
    """Three ways in which Ann may answer the newest file."""
    options = _begun.ann.does("moves", _begun.last)["options"]
    found = []
    for first in (options[0], options[-1], options[len(options) // 2]):
        given = [first]
        while not (facts := _begun.ann.does("moves", _begun.last, "--after", "; ".join(given)))[
            "complete"
        ]:
            given.append(facts["options"][0])
        found.append("; ".join(given))
    assert len(set(found)) == 3
    return found


@pytest.fixture
def begun(_begun: BegunGame, tmp_path: Path) -> BegunGame:
    return _begun.copied(tmp_path / "begun")


def copy_of(ann: Player, name: str) -> Player:
    """A copy of a player's home, who types in a folder of their own there, with the newest turn."""
    folder = ann.folder.parent / f"mails-{name}"
    shutil.copytree(ann.folder, folder)
    copy_homes(ann.home, ann.home.with_name(name))
    return Player(ann.name, ann.home.with_name(name), folder, True)


def game_of(player: Player) -> Memory:
    (folder,) = (player.home / "games").iterdir()
    return Memory(Home(player.home), bytes.fromhex(folder.name))


def signed(player: Player) -> list[str]:
    return sorted(path.name for path in player.home.glob("games/*/signed/*.toml"))


def noted(player: Player) -> Path:
    """Where the newest turn of the player's game is noted outside of their home."""
    (folder,) = (player.home / "games").iterdir()
    return SignedHere(Home(player.home).identity().public, folder.name, player.home).path


def test_three_copies_sign_one_version_of_a_turn(begun: BegunGame, ways: list[str]) -> None:
    one = begun.ann
    others = [copy_of(one, name) for name in ("second", "third")]
    assert one.types("play", begun.last, ways[0])[0] == 0
    for number, other in enumerate(others, start=1):
        code, out, err = other.types("play", begun.last, ways[number])
        assert (code, out) == (CONFLICT, "") and signed(other) == ["0000.toml"]
        assert all(word in err for word in ("turn 2 ", str(one.home), "--i-have-no-newer-file"))
        assert not list(other.folder.glob("*0002*"))
        for more in (["resign", begun.last, "--yes"], ["draw", begun.last, "--offer"]):
            assert other.types(*more)[0] == CONFLICT
        assert other.types("show", begun.last)[0] == 0, "it may be looked at"
    assert signed(one) == ["0000.toml", "0002.toml"]


def test_a_copy_goes_on_once_it_has_read_the_turn(begun: BegunGame, ways: list[str]) -> None:
    one, other = begun.ann, copy_of(begun.ann, "second")
    begun.write("american", "play", begun.last, ways[0])
    shutil.copy(begun.folder / begun.last, other.home.parent / "from-ann.toml")
    assert other.types("inbox", str(other.home.parent / "from-ann.toml"))[0] == 0
    assert signed(other) == signed(one) == ["0000.toml", "0002.toml"]
    code, _, err = other.types("play", begun.files[1], ways[1])
    assert code == CONFLICT and "signed turn 2 already" in err
    begun.write(
        "tripolitan",
        "play",
        begun.last,
        "; ".join(begun.ben.answers(begun.last, lambda all_: all_[0])),
    )
    shutil.copy(begun.folder / begun.last, other.folder)
    answers = "; ".join(other.answers(begun.last, lambda options: options[0]))
    assert other.types("play", begun.last, answers)[0] == 0
    code, _, err = one.types("play", begun.last, answers)
    assert code == CONFLICT and str(other.home) in err, "and now the first home lacks one"


def test_one_word_of_the_player_passes_it_and_no_other_copy(
    begun: BegunGame, ways: list[str]
) -> None:
    one, other, third = begun.ann, copy_of(begun.ann, "second"), copy_of(begun.ann, "third")
    assert one.types("play", begun.last, ways[0])[0] == 0
    digest = json.loads(noted(one).read_text())["file"]
    code, _, err = other.types("play", begun.last, ways[1], "--i-have-no-newer-file")
    assert code == 0 and digest[:16] in err
    assert signed(other) == ["0000.toml", "0002.toml"]
    assert third.types("play", begun.last, ways[2])[0] == CONFLICT
    assert one.types("play", begun.last)[0] == CONFLICT, "nor is the turn given that never left"


def test_a_word_about_all_games_passes_none(begun: BegunGame, ways: list[str]) -> None:
    other = copy_of(begun.ann, "second")
    assert begun.ann.types("play", begun.last, ways[0])[0] == 0
    short = begun.last.rpartition("-")[0]
    other.types("inbox", "--i-have-no-newer-file")
    assert other.types("play", begun.last, ways[1])[0] == CONFLICT
    other.types("inbox", "--i-have-no-newer-file", "--game", short)
    assert other.types("play", begun.last, ways[1])[0] == 0


def test_a_game_that_is_known_from_before_is_noted_when_it_is_opened(
    begun: BegunGame, ways: list[str]
) -> None:
    other = copy_of(begun.ann, "second")
    assert not noted(begun.ann).exists()
    begun.ann.does("show", begun.last)
    assert json.loads(noted(begun.ann).read_text())["number"] == 0
    begun.write("american", "play", begun.last, ways[0])
    assert other.types("play", begun.files[1], ways[1])[0] == CONFLICT


def test_a_home_that_moves_there_and_back_is_asked_nothing(
    begun: BegunGame, ways: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PBEM_PASSPHRASE", "a passphrase")
    monkeypatch.setattr(home_pack, "MEMORY", 8192)
    ann = begun.ann
    there = Player("Ann", ann.home.with_name("there"), ann.folder, True)
    ann.does("home", "move", "ann.home")
    there.does("home", "open", "ann.home")
    code, _, err = there.types("play", begun.last, ways[0])
    assert (code, err) == (0, "")
    there.does("home", "move", "back.home")
    ann.does("home", "open", "back.home")
    newest = max(ann.folder.glob("tripoli-*-0002.toml")).name
    begun.files.append(newest)
    begun.write(
        "tripolitan",
        "play",
        newest,
        "; ".join(begun.ben.answers(newest, lambda options: options[0])),
    )
    code, _, err = ann.types(
        "play", begun.last, "; ".join(ann.answers(begun.last, lambda options: options[0]))
    )
    assert (code, err) == (0, "")


def test_several_people_do_not_meet(begun: BegunGame, ways: list[str]) -> None:
    begun.write("american", "play", begun.last, ways[0])
    begun.write(
        "tripolitan",
        "play",
        begun.last,
        "; ".join(begun.ben.answers(begun.last, lambda all_: all_[0])),
    )
    assert noted(begun.ann) != noted(begun.ben)
    for player in (begun.ann, begun.ben):
        assert noted(player).stat().st_mode & 0o077 == 0
        assert noted(player).parent.stat().st_mode & 0o077 == 0


def test_links_and_other_spellings_of_a_home_are_one_home(
    begun: BegunGame, ways: list[str]
) -> None:
    ann = begun.ann
    (ann.home.parent / "linked").symlink_to(ann.home)
    assert ann.types("play", begun.last, ways[0])[0] == 0
    first = max(ann.folder.glob("*-0002.toml")).read_bytes()
    for spelling in (ann.home.parent / "linked", ann.home.parent / "x" / ".." / ann.home.name):
        again = Player("Ann", spelling, ann.folder, True)
        (ann.home.parent / "x").mkdir(exist_ok=True)
        assert again.types("play", begun.last)[0] == 0
        assert max(ann.folder.glob("*-0002.toml")).read_bytes() == first


def test_the_table_asks_on_a_page_of_its_own(begun: BegunGame, ways: list[str]) -> None:
    other = copy_of(begun.ann, "second")
    with served(Home(other.home), other.folder, other.folder / begun.last) as server:
        client = Client(server)
        client.enter()
        place = urlsplit(server.url).path
        shown = client.ask("GET", place).body.decode()
        for answer in ways[1].split("; "):
            shown = client.post(f"{place}/do", mark=mark_of(shown), answer=answer).body.decode()
        assert begun.ann.types("play", begun.last, ways[0])[0] == 0
        refused = client.post(f"{place}/do", mark=mark_of(shown), sign="yes")
        said = refused.body.decode()
        assert "/remember" in said and signed(other) == ["0000.toml"]
        client.post(f"{place}/remember")
        assert (
            "/remember" in client.post(f"{place}/do", mark=mark_of(shown), sign="yes").body.decode()
        )
        client.post(f"{place}/remember", sure="yes")
        shown = client.ask("GET", place).body.decode()
        assert not game_of(other).missing_turn()
        assert (
            "data-file="
            in client.post(f"{place}/do", mark=mark_of(shown), sign="yes").body.decode()
        )
    assert signed(other) == ["0000.toml", "0002.toml"]


def test_the_table_tells_of_it_until_its_player_has_said_so(
    begun: BegunGame, ways: list[str]
) -> None:
    other = copy_of(begun.ann, "second")
    assert begun.ann.types("play", begun.last, ways[0])[0] == 0
    with served(Home(other.home), other.folder, other.folder / begun.last) as server:
        client = Client(server)
        client.enter()
        place = urlsplit(server.url).path
        lacking = game_of(other).missing_turn()
        assert lacking and lacking in client.ask("GET", place).body.decode()
        client.post(f"{place}/remember", sure="yes")
        assert lacking not in client.ask("GET", place).body.decode()


def mark_of(page: str) -> str:
    return page.partition('data-mark="')[2][:16]


# The folder outside of homes


def cannot_be_made(folder: Path) -> None:
    folder.parent.mkdir(exist_ok=True)
    folder.write_text("a file")


def lacks_its_lock(folder: Path) -> None:
    """Nothing can be written, not even the lock: a folder stands in each place."""
    (folder / "signing").mkdir(parents=True)
    (folder / "signed").write_text("no folder")


@pytest.mark.parametrize("spoil", [cannot_be_made, lacks_its_lock])
def test_where_nothing_can_be_noted_signing_goes_on_with_one_line(
    begun: BegunGame, ways: list[str], spoil: Callable[[Path], None]
) -> None:
    spoil(outside.folder_of(Home(begun.ann.home).identity().public))
    code, _, err = begun.ann.types("play", begun.last, ways[0])
    assert code == 0 and err.count("\n") == 1 and "not noted" in err
    assert signed(begun.ann) == ["0000.toml", "0002.toml"]
    code, _, err = begun.ann.types("new", "tripoli", "--no-mail")
    assert code == 0 and err.count("not noted") == 1


def test_a_folder_that_may_only_be_read_still_tells(begun: BegunGame, ways: list[str]) -> None:
    other = copy_of(begun.ann, "second")
    assert begun.ann.types("play", begun.last, ways[0])[0] == 0
    folder = noted(begun.ann).parent
    with rights_hold():
        folder.chmod(0o500)
        folder.parent.chmod(0o500)
        try:
            assert other.types("play", begun.last, ways[1])[0] == CONFLICT
            begun.files.append(max(begun.folder.glob("*-0002.toml")).name)
        finally:
            folder.parent.chmod(0o700)
            folder.chmod(0o700)


def test_a_full_folder_is_told_with_the_turn(
    begun: BegunGame, ways: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    begun.ann.does("show", begun.last)
    whole, folder = files.replace, noted(begun.ann).parent

    def full(path: Path, data: bytes, *, mode: int = 0o600, survives: bool = True) -> None:
        if path.parent == folder:
            raise files.Usage(
                f"cannot write {path}: {os.strerror(errno.ENOSPC)}", hint="make room on the disk"
            )
        whole(path, data, mode=mode, survives=survives)

    with monkeypatch.context() as patch:
        patch.setattr(files, "replace", full)
        code, _, err = begun.ann.types("play", begun.last, ways[0])
        assert code == 0 and err.count("\n") == 1 and os.strerror(errno.ENOSPC) in err
    assert not game_of(begun.ann).is_noted_here()
    begun.ann.does("show", max(begun.folder.glob("*-0002.toml")).name)
    assert game_of(begun.ann).is_noted_here(), "it is noted as soon as it can be"


HOSTILE = {
    "empty": b"",
    "no json": b"[[[",
    "another type": b'{"number": "2", "file": "", "home": ""}',
    "a huge number": b'{"number": 99999999999999999999, "file": "' + b"ab" * 32 + b'", "home": ""}',
    "below all": b'{"number": -7, "file": "' + b"ab" * 32 + b'", "home": ""}',
    "no digest": b'{"number": 2, "file": "../../x", "home": ""}',
    "too long": b'{"number": 2, "file": "' + b"ab" * 32 + b'", "home": "' + b"x" * 50_000 + b'"}',
}


@pytest.mark.parametrize("data", HOSTILE.values(), ids=HOSTILE)
def test_a_damaged_note_is_told_and_mended_by_the_next_turn(
    begun: BegunGame, ways: list[str], data: bytes
) -> None:
    other = copy_of(begun.ann, "second")
    begun.ann.does("show", begun.last)
    noted(begun.ann).write_bytes(data)
    code, _, err = begun.ann.types("play", begun.last, ways[0])
    assert code == 0 and err.count("\n") == 1 and noted(begun.ann).name in err
    assert not game_of(begun.ann).missing_turn() and game_of(begun.ann).is_noted_here()
    assert other.types("play", begun.last, ways[1])[0] == CONFLICT


def test_what_stands_in_a_note_gives_the_terminal_no_orders(
    begun: BegunGame, ways: list[str]
) -> None:
    begun.ann.does("show", begun.last)
    home = "/a\x1b[2J\u202e\nb" + "x" * 3000
    noted(begun.ann).write_text(json.dumps({"number": 2, "file": "ab" * 32, "home": home}))
    code, _, err = begun.ann.types("play", begun.last, ways[0])
    assert (
        code == CONFLICT
        and err.count("\n") == 1
        and "\x1b" not in err
        and "\u202e" not in err
        and len(err) < 900
    )


@pytest.mark.parametrize("instead", ["folder", "pipe", "link to nothing"])
def test_something_else_in_the_place_of_a_note_stops_nobody(
    begun: BegunGame, ways: list[str], instead: str
) -> None:
    begun.ann.does("show", begun.last)
    path = noted(begun.ann)
    path.unlink()
    if instead == "folder":
        path.mkdir()
    elif instead == "pipe":
        os.mkfifo(path)
    else:
        path.symlink_to(path.with_name("nothing"))
    code, _, err = begun.ann.types("play", begun.last, ways[0])
    assert code == 0 and err.count("\n") == 1


def test_a_missing_folder_is_made_anew(begun: BegunGame, ways: list[str]) -> None:
    other = copy_of(begun.ann, "second")
    begun.ann.does("show", begun.last)
    shutil.rmtree(os.environ["PBEM_STATE"])
    assert begun.ann.types("play", begun.last, ways[0])[0] == 0
    assert other.types("play", begun.last, ways[1])[0] == CONFLICT


# At once, and killed


AT_ONCE = """
import os, sys
from pathlib import Path
from urllib.parse import urlsplit
from pbem.cli import app
from pbem.home import memory
look = memory.Memory.check_here
def late(self):  # the look before the draft is over when the other one has signed
    look(self)
    print("looked", flush=True)
    sys.stdin.readline()
memory.Memory.check_here = late
app.run(sys.argv[1:])
"""


def test_of_two_copies_at_once_one_signs(begun: BegunGame, ways: list[str]) -> None:
    """Each is past its first look before the other signs."""
    players = [begun.ann, copy_of(begun.ann, "second")]
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", AT_ONCE, "play", begun.last, step, "--no-mail"],
            cwd=player.folder,
            env={
                **os.environ,
                "PBEM_HOME": str(player.home),
                "PYTHONPATH": str(Path(__file__).parents[2]),
            },
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for player, step in zip(players, ways, strict=False)
    ]
    for process in processes:
        assert process.stdout is not None and process.stdout.readline() == "looked\n"
    for process in processes:  # both go on at once, each through the look under the lock as well
        assert process.stdin is not None
        process.stdin.write("go\n" * 9)
        process.stdin.flush()
    said = [process.communicate() for process in processes]
    assert sorted(process.returncode for process in processes) == [0, CONFLICT], said
    assert sorted(len(signed(player)) for player in players) == [1, 2]


@pytest.mark.skipif(
    not hasattr(os, "fork"), reason="a process that is killed is forked from this one"
)
@pytest.mark.parametrize("place", ["stored", "noted"])
def test_a_turn_of_a_killed_program_is_finished_with_the_same_bytes(
    begun: BegunGame, ways: list[str], monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    """Killed after the turn was stored and before it was noted, or after that and before it was
    seen."""
    other, child = copy_of(begun.ann, "second"), os.fork()
    if child == 0:
        write = SignedHere.write

        def last(self: SignedHere, number: int, data: bytes) -> None:
            if number == 2:
                if place == "noted":
                    write(self, number, data)
                os.kill(os.getpid(), signal.SIGKILL)
            write(self, number, data)

        SignedHere.write = last  # type: ignore[method-assign]
        begun.ann.types("play", begun.last, ways[0])
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL
    assert signed(begun.ann) == ["0000.toml", "0002.toml"] and not list(
        begun.folder.glob("*-0002.toml")
    )
    kept = (game_of(begun.ann).folder / "signed" / "0002.toml").read_bytes()
    code, _, err = begun.ann.types("play", begun.last)
    assert code == 0 and "signed before" in err
    assert max(begun.folder.glob("*-0002.toml")).read_bytes() == kept
    assert other.types("play", begun.last, ways[1])[0] == CONFLICT


def test_a_stored_turn_that_another_home_overtook_is_not_given(
    begun: BegunGame, ways: list[str]
) -> None:
    """The first program was killed before it could note its turn; then the copy signed another
    one."""
    other = copy_of(begun.ann, "second")
    state = Path(os.environ["PBEM_STATE"])
    begun.ann.does("show", begun.last)
    shutil.copytree(state, state.with_name("before"))
    assert begun.ann.types("play", begun.last, ways[0], "--no-mail")[0] == 0
    for path in begun.folder.glob("*-0002.*"):
        path.unlink()
    shutil.rmtree(state)
    state.with_name("before").rename(state)
    assert other.types("play", begun.last, ways[1])[0] == 0
    (begun.ann.home / "mail.toml").write_text('[send]\nprogram = ["true"]\n')
    short = begun.last.rpartition("-")[0]
    for command in (
        ["play", begun.last],
        ["send", short],
        ["remind", short, "--send"],
        ["remind", short],
    ):
        assert begun.ann.types(*command)[0] == CONFLICT
    assert not list(begun.folder.glob("*-0002.*"))


def test_a_join_is_signed_by_one_copy(tmp_path: Path) -> None:
    mails = tmp_path / "mails"
    mails.mkdir()
    ann, ben = (Player(name, tmp_path / name, mails, True) for name in ("Ann", "Ben"))
    for player in (ann, ben):
        player.does("id", "--name", player.name)
    invitation = str(ann.does("new", "tripoli", "--seat", "american", "--no-mail")["file"])
    other = copy_of(ben, "second")
    assert ben.types("join", invitation)[0] == 0
    code, _, err = other.types("join", invitation)
    assert code == CONFLICT and str(ben.home) in err and signed(other) == []
