"""The newest turn that a key has signed in each game on this computer, kept outside of every home.

A home remembers its own signatures only. Put back from a copy, or copied, it knows less than the
key has signed: these numbers tell. Each key and game has a file of its own, `signed/<first 32
digits of the game id>.json`, in the folder of the key (`pbem.home.outside.folder_of`).
docs/format.md, section 9; `pbem.home.memory` says when it is read and written.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pbem import files
from pbem.errors import Damaged, Usage
from pbem.fileformat.turnfile import MAX_ENTRIES
from pbem.home import outside
from pbem.home.store import StateFile
from pbem.lock import Lock

_LONGEST_PATH = 4096


@dataclass(frozen=True)
class Signed:
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
        """Whether this is the file that ends with the turn."""
        return hashlib.sha256(data).hexdigest() == self.file


NOTHING = Signed(-1, "")


class SignedHere:
    """What is kept of a game and a key; `home` is the folder of the home that looks."""

    def __init__(self, public: bytes, game: str, home: Path) -> None:
        self._public, self._game, self._home = public, game, home
        self._key_folder = outside.folder_of(public)
        self._file = StateFile(
            f"{game}.json", Signed, largest=20_000, damage="no turn is noted in this file"
        )

    @property
    def path(self) -> Path:
        """The file of the game."""
        return self._folder / self._file.name

    @property
    def _folder(self) -> Path:
        return self._key_folder / "signed"

    def read(self) -> Signed:
        """What is known; `NOTHING` if nothing is. What an older program has noted counts where
        there is no newer file. Raises `Damaged`."""
        known = self._file.read(self._folder)
        if known is None and outside.is_kept(self._public):
            with contextlib.suppress(Damaged):  # `pbem auto` tells of it
                before = outside.read(self._public).newest.get(self._game)
                with contextlib.suppress(ValueError):
                    known = None if before is None else Signed(before.number, before.file)
        return known or NOTHING

    def write(self, number: int, data: bytes) -> None:
        """Note a turn, and the file that ends with it. Raises `Usage`."""
        where = os.path.realpath(self._home)[:_LONGEST_PATH]
        self._write(
            Signed(
                number, hashlib.sha256(data).hexdigest(), where.encode(errors="replace").decode()
            )
        )

    def clear(self) -> None:
        """Note that no turn has left this computer. Raises `Usage`."""
        self._write(NOTHING)

    def forget(self) -> None:
        """Forget the game, of which nothing that was signed has been given to anybody."""
        with contextlib.suppress(OSError):
            self.path.unlink()

    def _write(self, known: Signed) -> None:
        outside.made_folder(self._public)
        try:
            self._folder.mkdir(exist_ok=True, mode=0o700)
        except OSError as error:
            what = f"cannot make the folder {files.shown(self._folder)}: {error.strerror}"
            raise Usage(what, hint="check PBEM_STATE") from error
        self._file.write(self._folder, known)

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """Nobody else on this computer looks and signs with this key inside, unless no lock can be
        written."""
        lock = Lock(self._key_folder / "signing")
        try:
            # whoever signs by hand is told that nothing can be noted either
            with contextlib.suppress(Usage):
                outside.made_folder(self._public)
                lock.take(wait=True)
            yield
        finally:
            lock.release()
