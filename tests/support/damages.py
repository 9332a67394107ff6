"""A home with everything in it, and every way in which a file or folder of it can be damaged."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from examples.correspondence import Player
from pbem.errors import PbemError
from pbem.fileformat import turnfile
from tests.support.begun_game import BegunGame, begin
from tests.support.homes import copy_homes, go_to_another_computer

MAIL_TOML = """
[send]
program = ["true"]

[fetch]
host = "127.0.0.1"
port = 1
security = "none"
user = "ann"
password-command = ["echo", "secret"]
"""
OPENING = ("event thomas jefferson; 3 gibraltar > tripoli zone; done", "event murad")
FETCHED = '{"ann@127.0.0.1:1/INBOX": {"validity": "7", "last": 0}}'


@dataclass(frozen=True, eq=False)
class Stage:
    """A folder with Ann's home and three games: in the first she is to answer; in the second she
    has, and only her home remembers it; the third she has joined, and only her home remembers
    that."""

    folder: Path
    waiting: list[str]
    answered: list[str]
    joined: str

    @property
    def home(self) -> Path:
        return self.folder / "home-of-ann"

    @property
    def ann(self) -> Player:
        return Player("Ann", self.home, self.folder / "mails", in_process=True)

    @property
    def game(self) -> Path:
        """The folder of the second game in the memory."""
        short = self.answered[0].split("-")[1]
        return next(
            path for path in sorted((self.home / "games").iterdir()) if path.name.startswith(short)
        )

    def copied(self, to: Path) -> Stage:
        copy_homes(self.folder, to)
        go_to_another_computer()
        return replace(self, folder=to)


def make(folder: Path) -> Stage:
    """The stage, played through the real commands."""
    begun = begin(folder)
    _go_on(begun)
    waiting = list(begun.files)
    begun.files.clear()
    begun.write("american", "new", "tripoli", "--seat", "american")
    begun.write("tripolitan", "join", begun.last)
    _go_on(begun)
    answered = list(begun.files)
    begun.write("american", "play", begun.last, "event swedish")
    _forget(begun.folder, begun.files[-1])
    joined = str(begun.ben.does("new", "tripoli", "--seat", "american")["file"])
    _forget(begun.folder, str(begun.ann.does("join", joined)["file"]))
    home = begun.ann.home
    (home / "mail.toml").write_text(MAIL_TOML)
    (home / "inbox").mkdir(mode=0o700)
    (home / "inbox" / "fetched.json").write_text(FETCHED)
    shutil.copy(begun.folder / waiting[3].replace(".toml", ".eml"), home / "inbox" / "old.eml")
    for command in (["show", waiting[-1]], ["show", waiting[-1], "--format", "md"], ["inbox"]):
        begun.ann.does(*command)
        begun.ann.types(*command)
    stage = Stage(folder, waiting, answered, joined)
    _thin_out(stage, begun.ben.home)
    return stage


def _thin_out(stage: Stage, other: Path) -> None:
    """Remove what no command of Ann's reads or makes anew without a word: the stage is copied some
    hundred times."""
    shutil.rmtree(other)
    for path in stage.folder.glob("mails/*.md"):
        path.unlink()
    for path in stage.folder.glob("mails/*.eml"):
        if path.stem not in (Path(name).stem for name in stage.waiting[2:]):
            path.unlink()
    for path in sorted((stage.home / "cache").iterdir(), key=lambda path: path.stat().st_size)[:-1]:
        path.unlink()


def _go_on(begun: BegunGame) -> None:
    for seat, answers in zip(("american", "tripolitan"), OPENING, strict=True):
        begun.write(seat, "play", begun.last, answers)


def _forget(folder: Path, file: str) -> None:
    for path in folder.glob(file.replace(".toml", ".*")):
        path.unlink()


# What is damaged, and how

FILES: dict[str, Callable[[Stage], Path]] = {
    "identity.pem": lambda stage: stage.home / "identity.pem",
    "player.toml": lambda stage: stage.home / "player.toml",
    "mail.toml": lambda stage: stage.home / "mail.toml",
    "checked.bin": lambda stage: stage.home / "checked.bin",
    "fetched.json": lambda stage: stage.home / "inbox" / "fetched.json",
    "inbox/old.eml": lambda stage: stage.home / "inbox" / "old.eml",
    "cache/*": lambda stage: max(
        (stage.home / "cache").iterdir(), key=lambda path: path.stat().st_size
    ),
    "signed/newest": lambda stage: stage.game / "signed" / "0004.toml",
    "signed/older": lambda stage: stage.game / "signed" / "0002.toml",
    "read/newest": lambda stage: next(iter((stage.game / "read").glob("0003-*"))),
    "summary.json": lambda stage: stage.game / "summary.json",
    "a join": lambda stage: next(
        iter(stage.home.glob(f"games/{stage.joined.split('-')[1]}*/signed/0001.toml"))
    ),
}
FOLDERS: dict[str, Callable[[Stage], Path]] = {
    "home": lambda stage: stage.home,
    "games": lambda stage: stage.home / "games",
    "games/*": lambda stage: stage.game,
    "signed": lambda stage: stage.game / "signed",
    "read": lambda stage: stage.game / "read",
    "cache": lambda stage: stage.home / "cache",
    "inbox": lambda stage: stage.home / "inbox",
    "templates": lambda stage: stage.home / "templates",
}


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def _fill(data: Callable[[bytes], bytes]) -> Callable[[Path], None]:
    def fill(path: Path) -> None:
        before = path.read_bytes() if path.is_file() else b""
        _remove(path)
        path.write_bytes(data(before))
        path.chmod(0o600)

    return fill


def _folder(path: Path) -> None:
    _remove(path)
    path.mkdir()


def _pipe(path: Path) -> None:
    _remove(path)
    os.mkfifo(path)


def _link(path: Path) -> None:
    _remove(path)
    path.symlink_to("nowhere-at-all")


def _mode(file: int, folder: int) -> Callable[[Path], None]:
    def mode(path: Path) -> None:
        if path.exists():
            path.chmod(folder if path.is_dir() else file)

    return mode


_RANDOM = bytes((number * number * 37 + number * 11) % 256 for number in range(500))
IN_PLACE: dict[str, Callable[[Path], None]] = {"pipe": _pipe, "link": _link}
RIGHTS: dict[str, Callable[[Path], None]] = {
    "unreadable": _mode(0, 0),
    "read-only": _mode(0o400, 0o500),
}
DAMAGES: dict[str, Callable[[Path], None]] = {
    "empty": _fill(lambda data: b""),
    "half": _fill(lambda data: data[: len(data) // 2]),
    "random": _fill(lambda data: _RANDOM),
    "not UTF-8": _fill(lambda data: data[: len(data) // 3] + b"\xff\xfe" + data[len(data) // 3 :]),
    "folder": _folder,
    **IN_PLACE,
    **RIGHTS,
}
FOLDER_DAMAGES: dict[str, Callable[[Path], None]] = {
    "file": _fill(lambda data: b"x"),
    **IN_PLACE,
    **RIGHTS,
}
CELLS = [(target, damage) for target in FILES for damage in DAMAGES] + [
    (target, damage) for target in FOLDERS for damage in FOLDER_DAMAGES
]


def damage(stage: Stage, target: str, how: str) -> Path:
    """Damage it; its path."""
    if target in FILES:
        path = FILES[target](stage)
        DAMAGES[how](path)
    else:
        path = FOLDERS[target](stage)
        FOLDER_DAMAGES[how](path)
    return path


def repaired(path: Path) -> None:
    """Give the rights back, so that everything can be looked at and removed."""
    if not path.is_symlink() and path.exists():
        path.chmod(0o700 if path.is_dir() else 0o600)


def signed(stage: Stage, before: Signed | None = None) -> Signed:
    """Every entry that Ann's key has signed, by game and number, in the folder of turn files and in
    the home; to those that were there `before`, if any are given."""
    found = Signed({}, set()) if before is None else Signed(dict(before.entries), before.known)
    for path in (*stage.folder.glob("mails/*.toml"), *stage.home.glob("games/*/signed/*.toml")):
        data = path.read_bytes() if path.is_file() else b""
        if data in found.known:
            continue
        try:
            file = turnfile.read(data)
        except PbemError:
            continue
        if before is None:
            found.known.add(data)
        seats = {entry.seat for entry in file.entries if entry.text("name") == "Ann"}
        for entry in file.entries:
            if entry.seat in seats:
                key = file.entries[0].text("nonce"), entry.number
                found.entries[key] = found.entries.get(key, frozenset()) | {
                    file.prefix(entry.number + 1)
                }
    return found


class Signed(NamedTuple):
    """The versions of each entry, by the game's first nonce and the entry's number, and the files
    they stand in."""

    entries: dict[tuple[str, int], frozenset[bytes]]
    known: set[bytes]
