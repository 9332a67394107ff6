"""What is kept of a key outside of its homes: the switches for automatic entries, and the newest
turn that the key has signed in each game on this computer.

It lies in the system's folder for the state of programs (`PBEM_STATE` chooses another), there in a
folder named by the key, since one machine may have several homes. docs/mail.md, "Entries that write
themselves", explains the switches.

A home remembers its own signatures only. A home that was copied, or put back from a copy, knows
less than its key has signed; the numbers kept here show that. Each game of a key has a file of its
own, `signed/<first 32 digits of the game id>.json`. docs/format.md, section 9; `pbem.home.memory`
says when it is read and written.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from pbem import files
from pbem.errors import Typed, Usage
from pbem.fileformat.turnfile import MAX_ENTRIES
from pbem.home.store import StateFile
from pbem.lock import Lock

Mark = Literal["on", "by hand"]
ON: Mark = "on"
BY_HAND: Mark = "by hand"


@dataclass(frozen=True)
class Outside:
    """The switches. `home`: entries that decide nothing are written by themselves in every game
    that is not marked. `games` marks single games `on` or `by hand`, by the first 32 digits of
    their ids; `why` says why the program has set a mark. `notes`: an entry may reveal private notes
    by itself; `prepared`: a turn that its player has prepared may be written by itself."""

    home: bool
    notes: bool
    games: Mapping[str, Mark]
    why: Mapping[str, str]
    prepared: bool = False

    def is_on(self, game: str) -> bool:
        """Whether the switches let entries be written by themselves in a game."""
        mark = self.games.get(game)
        return mark == ON or (self.home and mark != BY_HAND)

    def with_mark(self, game: str, mark: Mark, why: str = "") -> Outside:
        """The switches with a game marked."""
        games = {**self.games, game: mark}
        reasons = {key: value for key, value in self.why.items() if key != game} | (
            {game: why} if why else {}
        )
        return replace(self, games=games, why=reasons)


_OUTSIDE = StateFile(
    "automatic.json",
    Outside,
    largest=10_000_000,
    hint=Typed("nothing is answered by itself until you remove it and say pbem auto on again"),
)


def folder_of(public: bytes) -> Path:
    """The folder of a key."""
    return files.state_folder() / public.hex()[:32]


def make_folder(public: bytes) -> Path:
    """The folder of a key, made if it is not there. Raises `Usage`."""
    folder = folder_of(public)
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        what = f"cannot make the folder {files.printable(folder)}: {error.strerror}"
        raise Usage(what, hint=Typed("check PBEM_STATE")) from error
    return folder


def is_kept(public: bytes) -> bool:
    """Whether any switch of this key has ever been set."""
    return os.path.lexists(folder_of(public) / _OUTSIDE.name)


def read(public: bytes) -> Outside:
    """The switches of a key; all are off if nothing is kept. Raises `Damaged`."""
    kept = _OUTSIDE.read(folder_of(public))
    return Outside(home=False, notes=False, games={}, why={}) if kept is None else kept


def change(public: bytes, how: Callable[[Outside], Outside]) -> Outside:
    """Change the switches, one process at a time; returns them as they are now. Raises `Usage`,
    `Damaged`."""
    folder = make_folder(public)
    with Lock(folder / "lock"):
        before = read(public)
        after = how(before)
        if after != before or not is_kept(public):
            _OUTSIDE.write(folder, after)
    return after


_LONGEST_PATH = 4096


@dataclass(frozen=True)
class SignedTurn:
    """The newest turn of a game that was signed: its number (-1: none that ever left this
    computer), the SHA-256 of the file that ends with it, and the folder of the home that signed it
    first (empty: not known)."""

    number: int
    file: str
    home: str = ""

    def __post_init__(self) -> None:
        is_digest = len(self.file) == 64 and set(self.file) <= set("0123456789abcdef")
        if not -1 <= self.number < MAX_ENTRIES or not (is_digest or self.number == -1):
            raise ValueError("no turn has such a number and digest")

    def is_end_of(self, data: bytes) -> bool:
        """Whether this file ends with the turn."""
        return hashlib.sha256(data).hexdigest() == self.file


NO_TURN = SignedTurn(-1, "")


class SignedHere:
    """The newest turn of a game that a key has signed on this computer; `home` is the folder of the
    home that asks."""

    def __init__(self, public: bytes, game: str, home: Path) -> None:
        self._public, self._home = public, home
        self._folder = folder_of(public) / "signed"
        self._file = StateFile(
            f"{game}.json", SignedTurn, largest=20_000, damage="no turn is noted in this file"
        )

    @property
    def path(self) -> Path:
        """The file of the game."""
        return self._folder / self._file.name

    def read(self) -> SignedTurn:
        """The newest turn; `NO_TURN` if none is known. Raises `Damaged`."""
        return self._file.read(self._folder) or NO_TURN

    def write(self, number: int, data: bytes) -> None:
        """Note a turn, and the file that ends with it. Raises `Usage`."""
        where = os.path.realpath(self._home)[:_LONGEST_PATH]
        self._write(
            SignedTurn(
                number, hashlib.sha256(data).hexdigest(), where.encode(errors="replace").decode()
            )
        )

    def clear(self) -> None:
        """Note that no turn has left this computer. Raises `Usage`."""
        self._write(NO_TURN)

    def forget(self) -> None:
        """Forget the game: nothing that was signed in it has been given to anybody."""
        with contextlib.suppress(OSError):
            self.path.unlink()

    def _write(self, known: SignedTurn) -> None:
        make_folder(self._public)
        try:
            self._folder.mkdir(exist_ok=True, mode=0o700)
        except OSError as error:
            what = f"cannot make the folder {files.printable(self._folder)}: {error.strerror}"
            raise Usage(what, hint=Typed("check PBEM_STATE")) from error
        self._file.write(self._folder, known)

    def lock(self) -> contextlib.AbstractContextManager[None]:
        """A context in which nobody else on this computer reads or signs with this key, unless no
        lock can be written."""
        return nobody_signs(self._public)


@contextlib.contextmanager
def nobody_signs(public: bytes) -> Iterator[None]:
    """A context in which nobody else on this computer reads or signs with this key, unless no lock
    can be written."""
    lock = Lock(folder_of(public) / "signing")
    try:
        # whoever signs by hand is told that nothing can be noted either
        with contextlib.suppress(Usage):
            make_folder(public)
            lock.take(wait=True)
        yield
    finally:
        lock.release()
