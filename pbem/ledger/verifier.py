"""Signatures and proofs that were checked before, so that nobody waits for the same check twice.

A program checks a file each time it reads or writes it, and a game of weeks comes back with every turn. What was found
true stays true: a digest of the whole statement is kept in memory, and in the player's home (`checked.bin`, 32 bytes
each), which is the player's own like the program itself. All that a file says is still gone through each time;
`pbem verify` uses nothing that is kept and checks everything.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Sequence
from itertools import count
from pathlib import Path

from pbem import files
from pbem.errors import Usage
from pbem.fileformat.encoding import framed

CHECKS = b"pbem checks 1"
"""Stands in every statement. A release that mends a check takes the next number: then nothing that the faulty one took
for true is believed any longer."""
_KEEP = 8192
"""About sixty games of sixty entries. The oldest are forgotten, and if need be checked again."""
_SIZE = 32
_known: dict[bytes, int] = {}
"""Statements that were found true, each with the moment in this process at which it was last asked for."""
_moments = count(1)


def once(statement: Sequence[bytes], check: Callable[[], object]) -> None:
    """Run the check of a statement unless it passed before. What it raises is raised, and not remembered."""
    digest = hashlib.sha256(framed(CHECKS, *statement)).digest()
    if digest not in _known:
        check()
    _known.pop(digest, None)
    _known[digest] = next(_moments)
    while len(_known) > _KEEP:
        del _known[next(iter(_known))]


def forget() -> None:
    """Check everything anew from here on."""
    _known.clear()


class Store:
    """The checks that one home remembers; `keep` adds those asked for since. Only ever a help: where they cannot be
    read or written, they are made again. A file that is damaged is written anew without a word (docs/format.md, section
    9)."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "checked.bin"
        data, self._is_sound = b"", True
        is_there = os.path.lexists(self.path)
        self._is_usable = not is_there or (self.path.is_file() and not self.path.is_symlink())
        if is_there and self._is_usable:
            try:
                data = files.read_own(self.path, 2 * _KEEP * _SIZE)
                self._is_sound = len(data) % _SIZE == 0
            except Usage:
                self._is_sound = False
        self._records = len(data) // _SIZE
        stored = [data[start : start + _SIZE] for start in range(0, self._records * _SIZE, _SIZE)]
        self._loaded = dict.fromkeys(stored[-_KEEP:])
        for digest in self._loaded:
            _known.setdefault(digest, 0)
        self._since = next(_moments)
        self.warning = "" if self._is_usable else _cannot_keep("it is no plain file")
        """What keeps the checks from being kept, for the player; nothing if nothing does."""

    def keep(self) -> None:
        """Write down what is new, at the end; a file that has grown too long, or is none of ours, is written anew."""
        new = [digest for digest, asked in _known.items() if asked > self._since and digest not in self._loaded]
        if not new or not self._is_usable:
            return
        self._loaded.update(dict.fromkeys(new))
        self._records += len(new)
        try:
            if self._is_sound and self._records <= 2 * _KEEP:
                with open(os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600), "ab") as file:
                    file.write(b"".join(new))
            else:
                newest = list(self._loaded)[-_KEEP:]
                files.replace(self.path, b"".join(newest))
                self._records, self._is_sound = len(newest), True
        except OSError as error:
            self.warning = _cannot_keep(error.strerror or str(error))
        except Usage as error:
            self.warning = _cannot_keep(error.what)


def _cannot_keep(why: str) -> str:
    return f"{why}, so every check is made again each time (hint: remove it, or give it back its rights)"
