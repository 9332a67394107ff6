"""A backup of a home: it closes nothing, and what comes out of it signs nothing until its player
confirms it."""

from __future__ import annotations

import os
import stat
import tomllib
from pathlib import Path

import pytest

from examples.correspondence import Player, preferring
from pbem.fileformat import armor
from pbem.home import home_pack, place
from pbem.home.clock import today
from pbem.home.home import Home
from pbem.home.identity import is_encrypted, write_pem
from tests.support.homes import another_computer, make_home, seed_of


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """One passphrase, and a key that does not take long each time."""
    monkeypatch.setenv("PBEM_PASSPHRASE", "a passphrase")
    monkeypatch.setattr(home_pack, "MEMORY", 8192)


@pytest.fixture
def ann(tmp_path: Path) -> Player:
    """Ann, with one game."""
    (tmp_path / "mails").mkdir()
    make_home(tmp_path / "ann", seed=seed_of("Ann"))
    player = Player("Ann", tmp_path / "ann", tmp_path / "mails", True)
    player.does("new", "tripoli")
    return player


def elsewhere(of: Player, name: str = "new") -> Player:
    return Player("Ann", of.home.parent / name, of.folder, True)


def contents(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
        and path.name not in ("place.toml", "contacts.lock")
        and path.parent.name != "cache"
    }


@pytest.mark.parametrize("name", ["ann.home", "ann.txt"])
def test_a_backup_closes_nothing_and_signs_nothing_until_it_is_confirmed(
    ann: Player, name: str
) -> None:
    told = ann.does("home", "backup", name)
    assert (
        told["closed"] is None
        and told["restored"] is None
        and told["games"] == 1
        and told["moves"] == 0
    )
    before = contents(ann.home)
    assert ann.types("new", "tripoli")[0] == 0
    new = elsewhere(ann)
    told = new.does("home", "open", name)
    assert told["restored"] == today() and told["closed"] is None
    assert contents(new.home) == before
    code, _, said = new.types("new", "tripoli")
    assert code == 4 and "pbem home keep --nowhere-else" in said
    code, _, said = new.types("show", "tripoli")
    assert code == 0 and "pbem home keep --nowhere-else" in said
    code, said, _ = new.types("inbox")
    assert code == 0 and "pbem send" not in said
    assert new.types("home", "keep")[0] == 2
    assert new.types("new", "tripoli")[0] == 4
    assert new.does("home", "keep", "--nowhere-else")["restored"] is None
    assert new.types("new", "tripoli")[0] == 0
    assert "pbem home keep" not in new.types("show", "tripoli")[2]


def test_an_opened_backup_joins_plays_resigns_and_packs_nothing(
    ann: Player, tmp_path: Path
) -> None:
    ben_home = make_home(tmp_path / "ben", "Ben")
    ben = Player("Ben", ben_home.folder, ann.folder, True)
    invitation = ben.does("new", "tripoli")["file"]
    joined = ben.does(
        "join",
        next(path.name for path in ann.folder.glob("*-0000.toml") if path.name != invitation),
    )
    ann.does("home", "backup", "ann.home")
    new = elsewhere(ann)
    new.does("home", "open", "ann.home")
    assert new.types("join", invitation)[0] == 4
    assert new.types("play", joined["file"], "event swedish")[0] == 4
    assert new.types("resign", joined["file"], "--yes")[0] == 4
    assert new.types("home", "move", "again.home")[0] == 4
    assert new.types("home", "backup", "again.home")[0] == 4
    assert not (ann.folder / "again.home").exists()
    assert new.types("inbox", joined["file"])[0] == 0, "what has come is taken in all the same"


def test_no_pack_holds_what_names_the_computer(ann: Player) -> None:
    for action, name in (("backup", "a.home"), ("move", "b.home")):
        ann.does("home", action, name)
        packed = home_pack.decrypt((ann.folder / name).read_bytes(), "a passphrase")
        (inside,) = [one.data for one in home_pack.unpack(packed) if one.name == "place.toml"]
        known = tomllib.loads(inside.decode())
        assert known["machine"] == "" and known["folder"] == ""
        assert bool(known["restored"]) == (action == "backup")


def test_a_text_is_armored_and_any_other_name_is_bytes(ann: Player) -> None:
    ann.does("home", "backup", "ann.TXT")
    ann.does("home", "backup", "ann.pbem")
    assert (ann.folder / "ann.TXT").read_text().startswith(armor.BEGIN_HOME + "\n")
    assert (ann.folder / "ann.pbem").read_bytes().startswith(b"pbem backup 1\n")
    ann.does("home", "move", "moved.txt")
    data = home_pack.out_of_text((ann.folder / "moved.txt").read_bytes())
    assert data.startswith(b"pbem home 2\n")
    pasted = ("Hello me,\n" + (ann.folder / "moved.txt").read_text()).replace("\n", "\r\n> ")
    (ann.folder / "pasted.txt").write_text(pasted, newline="")
    assert elsewhere(ann).does("home", "open", "pasted.txt")["restored"] is None


def test_a_backup_takes_the_place_of_a_closed_home_and_signs_nothing_either(ann: Player) -> None:
    ann.does("home", "backup", "ann.home")
    ann.does("home", "move", "moved.home")
    told = ann.does("home", "open", "ann.home")
    assert Path(told["kept"]).name == "ann-closed-1"
    assert ann.types("new", "tripoli")[0] == 4


@pytest.fixture
def joined(ann: Player, tmp_path: Path) -> str:
    """The file of Ann's game with Ben's join, on which she writes next."""
    ben = Player("Ben", make_home(tmp_path / "ben", "Ben").folder, ann.folder, True)
    return str(ben.does("join", next(ann.folder.glob("*-0000.toml")).name)["file"])


def sign(player: Player, joined: str, wish: str) -> bytes:
    """Sign a turn that begins with this answer, if none was signed; what the home remembers
    then."""
    answers = (
        []
        if list(player.home.glob("games/*/signed/0002.toml"))
        else player.answers(joined, preferring(wish))
    )
    (player.folder / wish).mkdir(exist_ok=True)
    assert player.types("play", joined, "; ".join(answers) or wish, "--dir", wish)[0] in (0, 4)
    (signed,) = player.home.glob("games/*/signed/0002.toml")
    return signed.read_bytes()


def test_a_home_that_an_older_backup_takes_the_place_of_leaves_its_signatures(
    ann: Player, joined: str
) -> None:
    """Who confirms that nothing newer was signed, and is wrong, signs no turn again that was signed
    in this place."""
    ann.does("home", "backup", "ann.home")
    first = sign(ann, joined, "event swedish")
    ann.does("home", "move", "moved.home")
    ann.does("home", "open", "ann.home")
    if os.name == "posix":
        assert stat.S_IMODE(max(ann.home.glob("games/*/signed/*.toml")).stat().st_mode) == 0o600
    ann.does("home", "keep", "--nowhere-else")
    assert sign(ann, joined, "build") == first
    assert ann.types("play", joined, "--dir", "build")[0] == 0
    assert [path.read_bytes() for path in (ann.folder / "build").glob("*.toml")] == [first]


def test_whoever_opened_the_wrong_backup_opens_the_right_one_in_its_place(
    ann: Player, joined: str
) -> None:
    """Nothing was confirmed, so nothing can have been signed in it; once it was, it is a home in
    use."""
    ann.does("home", "backup", "older.home")
    first = sign(ann, joined, "event swedish")
    ann.does("home", "backup", "newer.home")
    new = elsewhere(ann)
    new.does("home", "open", "older.home")
    told = new.does("home", "open", "newer.home")
    assert Path(told["kept"]).name == "new-closed-1" and told["restored"] == today()
    # the wrong one again: what the other knew is not forgotten
    new.does("home", "open", "older.home")
    new.does("home", "keep", "--nowhere-else")
    assert sign(new, joined, "build") == first
    assert new.types("home", "open", "newer.home")[0] == 4


def test_a_pack_with_another_version_of_a_turn_takes_no_place(ann: Player, joined: str) -> None:
    ann.does("home", "backup", "ann.home")
    first = sign(ann, joined, "event swedish")
    ann.does("home", "move", "moved.home")
    new = elsewhere(ann)
    with another_computer():
        new.does("home", "open", "ann.home")
        new.does("home", "keep", "--nowhere-else")
        assert sign(new, joined, "build") != first
        new.does("home", "move", "back.home")
    code, _, said = ann.types("home", "open", "back.home", "--nowhere-else")
    assert code == 4 and "another version" in said and "turn 2" in said
    assert sign(ann, joined, "build") == first
    assert ann.types("home", "open", "moved.home", "--nowhere-else")[0] == 0


@pytest.mark.parametrize("place_of_it", ["here", "in the pack"])
def test_a_damaged_signature_counts_for_nothing_beside_a_whole_one(
    ann: Player, joined: str, place_of_it: str
) -> None:
    first = sign(ann, joined, "event swedish")
    (signed,) = ann.home.glob("games/*/signed/0002.toml")
    if place_of_it == "in the pack":
        signed.write_bytes(b"")
    ann.does("home", "move", "moved.home")
    signed.write_bytes(first if place_of_it == "in the pack" else first[:-30])
    ann.does("home", "open", "moved.home", "--nowhere-else")
    assert sign(ann, joined, "build") == first


def test_a_backup_does_not_take_the_place_of_a_home_in_use_or_of_anothers(ann: Player) -> None:
    cleo = elsewhere(ann, "cleo")
    make_home(cleo.home, "Cleo")
    ann.does("home", "backup", "ann.home")
    assert ann.types("home", "open", "ann.home")[0] == 4
    cleo.does("home", "move", "cleo.home")
    code, _, said = cleo.types("home", "open", "ann.home")
    assert code == 4 and "another player" in said


def test_a_move_that_is_called_a_backup_is_no_home(ann: Player) -> None:
    """What is packed has to agree with the line that begins the file, whoever packed it."""
    ann.does("home", "move", "ann.home")
    packed = home_pack.decrypt((ann.folder / "ann.home").read_bytes(), "a passphrase")
    made = home_pack.encrypt(packed, "a passphrase", bytes(16), bytes(24), home_pack.BACKUP)
    (ann.folder / "x.home").write_bytes(made)
    new = elsewhere(ann)
    assert new.types("home", "open", "x.home")[0] == 3
    assert not new.home.exists()


def test_the_passphrase_of_a_key_is_asked_for_anew_where_the_home_is_opened(
    ann: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The pack holds the key without it, as a page in a browser reads no other; on the disk it
    never lies so."""
    (ann.home / "identity.pem").write_bytes(write_pem(seed_of("Ann"), "a passphrase"))
    ann.does("home", "backup", "ann.home")
    packed = home_pack.decrypt((ann.folder / "ann.home").read_bytes(), "a passphrase")
    (pem,) = [one.data for one in home_pack.unpack(packed) if one.name == "identity.pem"]
    assert not is_encrypted(pem)
    written: list[bytes] = []
    write_below = home_pack.write_below
    monkeypatch.setattr(
        home_pack, "write_below", lambda to, one: (written.append(one.data), write_below(to, one))
    )
    new = elsewhere(ann)
    new.does("home", "open", "ann.home")
    assert is_encrypted((new.home / "identity.pem").read_bytes()) and pem not in written
    assert Home(new.home).seed() == seed_of("Ann")
    assert place.read(new.home).locked is False  # type: ignore[union-attr]


def test_a_key_gets_a_passphrase_where_its_player_likes(ann: Player) -> None:
    ann.does("home", "move", "ann.home")
    new = elsewhere(ann)
    new.does("home", "open", "ann.home", "--passphrase")
    assert is_encrypted((new.home / "identity.pem").read_bytes())
    assert new.types("home", "keep", "--passphrase")[0] == 2
    assert new.types("new", "tripoli")[0] == 0


def test_a_pack_whose_key_has_a_passphrase_of_its_own_is_no_home(ann: Player) -> None:
    pem = write_pem(seed_of("Ann"), "a passphrase")
    known = place.to_bytes(place.Place("", 1))
    packed = home_pack.pack(ann.home, {"identity.pem": pem, "place.toml": known})
    made = home_pack.encrypt(packed, "a passphrase", bytes(16), bytes(24))
    (ann.folder / "ann.home").write_bytes(made)
    new = elsewhere(ann)
    code, _, said = new.types("home", "open", "ann.home")
    assert code == 3 and "no home" in said and not (new.home / "identity.pem").exists()


def test_no_pack_without_a_passphrase(ann: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_PASSPHRASE", "")
    for action in ("backup", "move"):
        assert ann.types("home", action, "ann.home")[0] == 2
    assert not (ann.folder / "ann.home").exists() and ann.types("new", "tripoli")[0] == 0
