"""Files that go with turns: signed by name, size and digest, brought by the mail, taken in by
digest alone, kept under the turn, and never needed."""

from __future__ import annotations

import json
import os
import random
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from email.message import EmailMessage
from hashlib import sha256
from pathlib import Path

import pytest

from examples.correspondence import Player
from pbem.errors import CONFLICT, REFUSED, USAGE, Refused
from pbem.fileformat import attached, turnfile
from pbem.fileformat.attached import MOST_BYTES, MOST_FILES, AttachedFile
from pbem.home import attached_files
from pbem.home.home import Home
from pbem.mail import attached_parts, bounded_mime
from pbem.mail.unread_forms import Budget
from pbem.turn import inbox, open_game
from pbem.turn.draft import Draft
from pbem.turn.inbox import Inbox, Limits

SAVED = random.Random(55).randbytes(12_000)
"""A game as VASSAL saves one: no program here knows what is in it."""
NAME = "battle.vsav"


@dataclass
class Table:
    """A match of backgammon: Ann has invited, Ben has joined, and it is hers to write."""

    ann: Player
    ben: Player
    game: str
    mails: Path

    def path(self, number: int, suffix: str = ".toml") -> Path:
        return self.mails / f"{self.game}-{number:04}{suffix}"

    def folder(self, player: Player) -> Path:
        (folder,) = (player.home / "games").iterdir()
        return folder

    def kept(self, player: Player) -> list[Path]:
        return sorted((self.folder(player) / "files").glob("*"))

    def awaited(self, player: Player) -> list[str]:
        (game,) = player.does("inbox")["games"]
        return [one["name"] for one in game["awaited"]]

    def states(self, player: Player, number: int = 2) -> list[str]:
        entries = player.does("show", self.game)["entries"]
        return [one["state"] for entry in entries for one in entry["files"]]

    def saved(self, name: str = NAME, data: bytes = SAVED) -> Path:
        path = self.mails / name
        path.write_bytes(data)
        return path

    def sends(self, *names: str) -> None:
        """Ann's turn, with these files: a move if the first throw was hers."""
        found = self.ann.does("moves", self.game)
        move = "" if found["complete"] else found["options"][0]
        self.ann.does(
            "play", self.game, move, *(part for name in names for part in ("--with", name))
        )


@pytest.fixture
def table(tmp_path: Path) -> Table:
    mails = tmp_path / "mails"
    mails.mkdir()
    ann, ben = (Player(name, tmp_path / name, mails, in_process=True) for name in ("Ann", "Ben"))
    for player in (ann, ben):
        player.does("id", "--name", player.name, "--mail", f"{player.name.lower()}@example.org")
    file = Path(ann.does("new", "backgammon")["file"]).name
    ben.does("join", file)
    ann.does("inbox", ".")
    return Table(ann, ben, file.removesuffix("-0000.toml"), mails)


def last_entry(table: Table, number: int = 2) -> turnfile.Entry:
    return turnfile.read(table.path(number).read_bytes()).entries[-1]


def test_a_file_goes_with_a_turn_by_mail(table: Table) -> None:
    saved = table.saved()
    table.sends(NAME)
    saved.unlink()
    (named,) = attached.files_of(last_entry(table))
    assert named == (NAME, len(SAVED), sha256(SAVED).digest())
    assert [path.read_bytes() for path in table.kept(table.ann)] == [SAVED]
    found = table.ben.does("inbox", table.path(2, ".eml").name)
    assert [one["kind"] for one in found["files"]] == ["new", "file"]
    (kept,) = table.kept(table.ben)
    assert kept.read_bytes() == SAVED and kept.name.startswith("0002-") and NAME in kept.name
    assert str(kept) in found["files"][1]["reason"]
    assert table.states(table.ben) == ["here"] and table.awaited(table.ben) == []


@pytest.mark.parametrize("how", ["beside", "later", "in another mail", "before it"])
def test_it_may_come_in_any_other_way(table: Table, how: str) -> None:
    saved = table.saved("a.vsav")
    table.sends("a.vsav")
    place = table.mails.parent / "came"
    place.mkdir()
    turn = shutil.copy(table.path(2), place)
    if how in ("later", "in another mail"):
        table.ben.does("inbox", turn)
        assert table.states(table.ben) == ["missing"] and table.awaited(table.ben) == ["a.vsav"]
        assert table.kept(table.ben) == []
    if how == "in another mail":
        mail = EmailMessage()
        mail["From"], mail["Subject"] = "ann@example.org", "I forgot"
        mail.set_content("here it is\n")
        mail.add_attachment(SAVED, "image", "png", filename="renamed by a program.png")
        (place / "mail.eml").write_bytes(mail.as_bytes())
    else:
        shutil.copy(saved, place / ("0.vsav" if how == "before it" else "z.vsav"))
    table.ben.does("inbox", str(place))
    assert table.states(table.ben) == ["here"] and table.awaited(table.ben) == []


def test_it_may_lie_beside_the_turn_that_is_named(table: Table) -> None:
    """As somebody saves what is attached to a mail, and then names the turn."""
    saved = table.saved()
    table.saved("other.vsav", data=SAVED[::-1])
    table.sends(NAME)
    place = table.mails.parent / "downloads"
    place.mkdir()
    turn = shutil.copy(table.path(2), place)
    (place / NAME).write_bytes(SAVED[::-1])
    found = table.ben.does("inbox", str(turn))
    assert [one["kind"] for one in found["files"]] == ["new"], "another one is nobody's business"
    assert table.states(table.ben) == ["missing"] and table.kept(table.ben) == []
    shutil.copy(saved, place)
    found = table.ben.does("inbox", str(turn))
    assert [one["kind"] for one in found["files"]] == ["duplicate", "file"]
    assert table.states(table.ben) == ["here"] and len(table.kept(table.ben)) == 1


def test_another_file_of_that_name_is_told_and_not_kept(table: Table) -> None:
    saved = table.saved()
    table.sends(NAME)
    saved.unlink()
    table.ben.does("inbox", table.path(2).name)
    table.saved(data=SAVED[:-1] + b"x")
    found = table.ben.does("inbox", NAME)
    assert [one["kind"] for one in found["files"]] == ["other"]
    assert table.kept(table.ben) == [] and table.states(table.ben) == ["missing"]
    assert not any(one["is_mistake"] for one in found["files"])


def test_the_game_goes_on_without_it(table: Table) -> None:
    saved = table.saved()
    table.sends(NAME)
    saved.unlink()
    table.ben.does("inbox", table.path(2).name)
    assert table.states(table.ben) == ["missing"]
    answers = table.ben.answers(table.game, lambda options: options[0])
    table.ben.does("play", table.game, "; ".join(answers))
    table.ann.does("inbox", table.path(3).name)
    assert table.ann.does("verify", table.path(3).name)["ok"]


def test_a_file_that_was_changed_in_the_home_is_another_one(table: Table) -> None:
    table.saved()
    table.sends(NAME)
    (kept,) = table.kept(table.ann)

    def own_states() -> list[str]:
        return [
            one.state
            for one in attached_files.files_with(table.folder(table.ann), last_entry(table))
        ]

    assert own_states() == ["here"]
    kept.write_bytes(b"x" * len(SAVED))
    assert own_states() == ["other"]
    (table.ann.home / "mail.toml").write_text("[send]\nprogram = ['/bin/true']\n")
    _, _, told = table.ann.types("send", table.game)
    assert NAME in told
    kept.unlink()
    assert own_states() == ["missing"]


@pytest.mark.dear("verifies a game a dozen times")
def test_verify_finds_it_by_its_digest(table: Table) -> None:
    saved = table.saved()
    table.sends(NAME)
    turn, folder = table.path(2).name, table.mails.parent / "apart"
    assert table.ben.does("verify", turn)["attached"][0]["files"][0]["state"] == "here"
    folder.mkdir()
    shutil.copy(table.path(2), folder)
    shutil.copy(saved, folder / "whatever it is called now")

    def state() -> dict[str, str]:
        lines = table.ben.types("verify", str(folder), "--json")[1].splitlines()
        found: dict[str, str] = json.loads(lines[-1])
        return found

    assert state()["state"] == "here" and state()["path"].endswith("called now")
    (folder / "whatever it is called now").unlink()
    assert state()["state"] == "missing"
    (folder / NAME).write_bytes(b"something else")
    assert state()["state"] == "other"
    alone = folder / table.path(2).name
    assert table.ben.does("verify", str(alone))["attached"][0]["files"][0]["state"] == "other"
    assert "another file of that name" in table.ben.types("verify", str(alone))[1]


def not_there(path: Path) -> None:
    path.unlink()


def a_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def a_pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def empty(path: Path) -> None:
    path.write_bytes(b"")


def too_large(path: Path) -> None:
    path.write_bytes(bytes(MOST_BYTES + 1))


@pytest.mark.parametrize("make", [not_there, a_folder, a_pipe, empty, too_large])
def test_what_cannot_go_with_a_turn_is_refused_in_a_line(
    table: Table, make: Callable[[Path], None]
) -> None:
    make(table.saved())
    code, said, told = table.ann.types("play", table.game, "", "--with", NAME)
    assert code in (REFUSED, USAGE) and said == "" and NAME in told
    assert told.count("\n") == 1 and "Traceback" not in told
    assert not table.path(2).exists()


@pytest.mark.parametrize("name", [".bashrc", "-rf", "con.vsav", "a\u202eb", "a:b", "x" * 101])
def test_a_name_that_is_none_on_every_system_is_refused(table: Table, name: str) -> None:
    table.saved(name)
    code, _, told = table.ann.types("play", table.game, "", "--with", f"./{name}")
    assert code == REFUSED and told.isprintable() is False and told.count("\n") == 1
    assert not table.path(2).exists()


def test_devices_are_never_opened(table: Table) -> None:
    code, _, told = table.ann.types("play", table.game, "", "--with", "/dev/zero")
    assert code in (REFUSED, USAGE) and "device" in told


def test_so_many_and_no_more(table: Table) -> None:
    names = [f"{number}.vsav" for number in range(MOST_FILES + 1)]
    for name in names:
        table.saved(name, name.encode())
    code, _, _ = table.ann.types("play", table.game, "", *(f"--with={name}" for name in names))
    assert code == REFUSED
    for size in (MOST_BYTES - 1, 2):
        table.saved(f"{size}.bin", bytes(size))
    two = [f"--with={size}.bin" for size in (MOST_BYTES - 1, 2)]
    assert table.ann.types("play", table.game, "", *two)[0] == REFUSED
    table.saved("A.vsav")
    table.saved("a.vsav")
    assert table.ann.types("play", table.game, "", "--with=a.vsav", "--with=A.vsav")[0] == REFUSED
    table.sends(*names[:MOST_FILES])
    assert len(table.kept(table.ann)) == MOST_FILES


def test_a_signed_turn_gets_no_other_file(table: Table) -> None:
    table.saved()
    table.sends(NAME)
    signed = table.path(2).read_bytes()
    table.saved("other.vsav", b"other")
    _, _, told = table.ann.types("play", table.path(1).name, "", "--with", "other.vsav")
    assert "files" in told and table.path(2).read_bytes() == signed
    assert len(table.kept(table.ann)) == 1


def draft_of(table: Table) -> Draft:
    home = Home(table.ann.home)
    return Draft(open_game.open_file(table.path(1).read_bytes(), home))


def test_a_draft_keeps_what_was_chosen(table: Table) -> None:
    path = table.saved()
    draft = draft_of(table)
    draft.attach(attached_files.chosen(path))
    path.unlink()
    again = draft_of(table)
    assert [attached.read_line(line, "").name for line in again.line.files] == [NAME]
    again.detach(0)
    assert draft_of(table).line.files == () and table.kept(table.ann) == []
    again.attach(attached_files.chosen_bytes(NAME, SAVED))
    again.attach(attached_files.chosen_bytes(NAME, SAVED[1:]))
    assert len(again.line.files) == 1, "one of a name"
    data = again.sign()
    (named,) = attached.files_of(turnfile.read(data).entries[-1])
    assert named.size == len(SAVED) - 1
    assert [path.read_bytes() for path in table.kept(table.ann)] == [SAVED[1:]]


@pytest.mark.parametrize("change", ["changed", "gone"])
def test_nothing_is_signed_with_what_is_not_there_as_it_was_chosen(
    table: Table, change: str
) -> None:
    draft = draft_of(table)
    draft.attach(attached_files.chosen(table.saved()))
    (kept,) = table.kept(table.ann)
    if change == "gone":
        kept.unlink()
    else:
        kept.write_bytes(SAVED[::-1])
    with pytest.raises(Refused):
        draft.sign()
    assert not list((table.folder(table.ann) / "signed").glob("0002*"))


# Hostile mails


def awaits(table: Table, *files: tuple[str, bytes]) -> Home:
    """Ben's home, which awaits these files of Ann's."""
    for name, data in files:
        table.saved(name, data)
    table.sends(*(name for name, _ in files))
    for name, _ in files:
        (table.mails / name).unlink()
    table.ben.does("inbox", table.path(2).name)
    return Home(table.ben.home)


def mail_with(*parts: tuple[str, bytes]) -> bytes:
    mail = EmailMessage()
    mail["From"], mail["Subject"] = "mallory@example.org", "files"
    mail.set_content("x\n")
    for name, data in parts:
        mail.add_attachment(data, "application", "octet-stream", filename=name)
    return mail.as_bytes()


def test_no_name_in_a_mail_decides_anything(table: Table) -> None:
    """The right bytes under hostile names, and other bytes under the right one, twice."""
    home = awaits(table, (NAME, SAVED))
    path = table.mails / "m.eml"
    names = ("../../../evil", "/etc/passwd", "con", "\u202egpj.exe", "")
    others = ((one, b"c") for one in names)
    path.write_bytes(mail_with((NAME, SAVED[::-1]), (NAME, b"b"), *others))
    box = Inbox(home)
    box.take_files(path)
    assert {one.kind for one in box.items} == {"other"} and table.kept(table.ben) == []
    path.write_bytes(mail_with((NAME, b"a"), ("../../../evil", SAVED)))
    box = Inbox(home)
    box.take_files(path)
    assert [one.kind for one in box.items] == ["file"]
    (kept,) = table.kept(table.ben)
    assert kept.name.endswith(f"-{NAME}")


def test_of_a_mail_with_very_many_parts_some_are_looked_at(table: Table) -> None:
    home = awaits(table, (NAME, SAVED))
    path = table.mails / "m.eml"
    path.write_bytes(mail_with(*((NAME, bytes(3)) for _ in range(2000)), (NAME, SAVED)))
    box = Inbox(home)
    box.take_files(path)
    assert [one.kind for one in box.items] == ["other"] and table.kept(table.ben) == []


@pytest.mark.parametrize("depth", [3, 500])
def test_mails_in_mails(table: Table, depth: int) -> None:
    data = mail_with((NAME, SAVED))
    for number in range(depth):
        head = f'From: a@b\nContent-Type: multipart/mixed; boundary="{number}"\n\n'
        data = f"{head}--{number}\nContent-Type: message/rfc822\n\n".encode() + data
        data += f"\n--{number}--\n".encode()
    parts = [one.content for one in bounded_mime.named_parts(data, Budget())]
    assert (SAVED in parts) == (depth < 10)


@pytest.mark.parametrize("encoding", ["base64", "quoted-printable", "7bit"])
@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_a_text_is_known_however_a_mail_program_wrote_it(encoding: str, ends: str) -> None:
    text = b"a line\nanother one\nno end"
    mail = EmailMessage()
    mail["From"] = "a@example.org"
    mail.set_content("x\n")
    mail.add_attachment(text.decode(), filename="log.txt", cte=encoding)
    data = mail.as_bytes().replace(b"\n", ends.encode())
    file = AttachedFile("log.txt", len(text), sha256(text).digest())
    longer = AttachedFile("log.txt", len(text) + 1, sha256(text + b"\n").digest())
    (came,) = [one for one in attached_parts.in_mail(data, "", {file, longer}) if one.is_it]
    assert came.data.startswith(text)


def test_what_is_kept_in_a_day_is_bounded(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    home = awaits(table, ("a", bytes(4000)), ("b", bytes(5000)))
    monkeypatch.setattr(inbox, "MOST_A_DAY", 8000)
    path = table.mails / "m.eml"
    path.write_bytes(mail_with(("a", bytes(4000)), ("b", bytes(5000))))
    box = Inbox(home, limits=Limits(home, home.identity().public))
    box.take_files(path)
    assert sorted(one.kind for one in box.items) == ["file", "unkept"]
    assert len(table.kept(table.ben)) == 1


def test_a_home_awaits_so_many_files(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(attached_files, "MOST_AWAITED", 2)
    home = awaits(table, ("a", b"a"), ("b", b"b"), ("c", b"c"))
    assert [one.name for one in attached_files.awaited(home)] == ["b", "c"]
    (home.folder / "awaited-files.json").write_bytes(b"{nonsense")
    assert attached_files.awaited(home) == []
    table.ben.does("inbox", table.path(2).name)
    assert len(attached_files.awaited(home)) == 2, "it is made anew"


def test_only_what_a_verified_turn_names_is_awaited(table: Table) -> None:
    table.saved()
    table.sends(NAME)
    data = table.path(2).read_bytes()
    forged = table.mails / "forged.toml"
    forged.write_bytes(data.replace(NAME.encode(), b"cattle.vsav"))
    code, _, _ = table.ben.types("inbox", forged.name)
    assert code not in (0, CONFLICT) and not (table.ben.home / "awaited-files.json").exists()


def test_the_mail_of_a_turn_is_as_long_as_its_files_and_itself(table: Table) -> None:
    """The largest that may go: it fits into what mail services take."""
    table.saved(data=random.Random(1).randbytes(MOST_BYTES))
    table.sends(NAME)
    assert table.path(2, ".eml").stat().st_size < 7_200_000
    table.ben.does("inbox", table.path(2, ".eml").name)
    assert table.states(table.ben) == ["here"]
