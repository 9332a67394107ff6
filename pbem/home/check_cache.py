"""The signatures and proofs that a home has checked: `checked.bin`, 32 bytes each
(`pbem.ledger.signatures`).

The file is the player's own, like the program itself. docs/format.md, section 9.
"""

from __future__ import annotations

import os
from pathlib import Path

from pbem import files
from pbem.errors import Usage
from pbem.fileformat import turnfile
from pbem.home.shelf import shelf_of
from pbem.ledger.gate import LastSeen, extend, follow
from pbem.ledger.ledger import Ledger
from pbem.ledger.signatures import KEEP, Verifier

_SIZE = 32


class CheckCache:
    """The checks that one home remembers: `verifier` knows them, and `keep` adds those that it was
    asked for since. They are only a help: where they cannot be read or written, each check is made
    again, and a damaged file is replaced without a word (docs/format.md, section 9)."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "checked.bin"
        data, self._is_sound = b"", True
        is_there = os.path.lexists(self.path)
        self._is_usable = not is_there or (self.path.is_file() and not self.path.is_symlink())
        if is_there and self._is_usable:
            try:
                data = files.read_own(self.path, 2 * KEEP * _SIZE)
                self._is_sound = len(data) % _SIZE == 0
            except Usage:
                self._is_sound = False
        self._records = len(data) // _SIZE
        digests = [data[start : start + _SIZE] for start in range(0, self._records * _SIZE, _SIZE)]
        self._loaded = dict.fromkeys(digests[-KEEP:])
        self.verifier = Verifier(self._loaded)
        self._newest: tuple[bytes, tuple[Ledger, LastSeen]] | None = None
        self.warning = "" if self._is_usable else _cannot_keep("it is no plain file")
        """Why checks cannot be kept, for the player; empty if they can."""

    def keep(self) -> None:
        """Add what is new at the end of the file. A file that has grown too long, or is not ours,
        is written anew."""
        asked = list(self.verifier.passed)  # at once: the table checks in several threads
        new = [digest for digest in asked if digest not in self._loaded]
        if not new or not self._is_usable:
            return
        self._loaded.update(dict.fromkeys(new))
        self._records += len(new)
        try:
            if self._is_sound and self._records <= 2 * KEEP:
                with open(self.path, "ab", opener=files.private) as file:
                    file.write(b"".join(new))
            else:
                newest = list(self._loaded)[-KEEP:]
                files.replace(self.path, b"".join(newest))
                self._records, self._is_sound = len(newest), True
        except OSError as error:
            self.warning = _cannot_keep(error.strerror or str(error))
        except Usage as error:
            self.warning = _cannot_keep(error.what)

    def follow(self, data: bytes) -> tuple[Ledger, LastSeen]:
        """The game of these bytes, and what each player saw last; both are only to be looked at.
        The newest game is kept in memory, since whoever has just signed a file asks for it again.
        Raises a kind of `Invalid`."""
        if self._newest is None or self._newest[0] != data:
            self._newest = data, follow(turnfile.read(data), self.verifier)
        return self._newest[1]

    def newest_in(self, folder: Path) -> Ledger | None:
        """The game as its newest file in this folder of the memory has it; None if none of its
        files can be read. Raises a kind of `Invalid`."""
        shelf = shelf_of(folder)
        return None if shelf is None else self.follow(shelf.file.data)[0]

    def extend(self, game: Ledger, seen: LastSeen, data: bytes) -> None:
        """Extend the verified game kept last by the newest entry of these bytes, so that nobody
        waits for checks that were made a moment ago. Raises a kind of `Invalid`."""
        extend(game, seen, turnfile.read(data).entries[-1])
        self._newest = data, (game, seen)


def _cannot_keep(why: str) -> str:
    return (
        f"{why}, so every check is made again each time (hint: remove it, or give it back its"
        " rights)"
    )
