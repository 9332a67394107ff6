"""Signatures and proofs that were checked before, so that nobody waits for the same check twice.

A program checks a file each time it reads or writes it, and a game of weeks comes back with every turn. What was found
true stays true: a digest of the whole statement is kept in memory, and in the player's home (`checked.bin`, 32 bytes
each), which is as private as the key. All that a file says is still gone through each time; `pbem verify` does not read
what is kept and checks everything.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections.abc import Callable, Sequence
from itertools import count
from pathlib import Path

from pbem import files
from pbem.encoding import framed
from pbem.errors import Usage

_KEEP = 8192
"""About sixty games of The Shores of Tripoli. The oldest are forgotten, and if need be checked again."""
_SIZE = 32
_known: dict[bytes, int] = {}
"""Statements that were found true, each with the moment it was last asked for; the newest last."""
_moments = count(1)


def once(statement: Sequence[bytes], check: Callable[[], object]) -> None:
    """Run the check of a statement unless it passed before. What it raises is raised, and not remembered."""
    digest = hashlib.sha256(framed(*statement)).digest()
    if digest not in _known:
        check()
    _known.pop(digest, None)
    _known[digest] = next(_moments)
    while len(_known) > _KEEP:
        del _known[next(iter(_known))]


def forget() -> None:
    """Check everything anew from here on."""
    _known.clear()


class Checked:
    """The checks that one home remembers; `keep` adds those asked for since. Only ever a help: where they cannot be
    read or written, they are made again."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / "checked.bin"
        data = b""
        with contextlib.suppress(OSError):
            data = self._path.read_bytes()
        self._is_torn = len(data) % _SIZE != 0
        whole = range(0, len(data) // _SIZE * _SIZE, _SIZE)
        self._stored = dict.fromkeys(data[start : start + _SIZE] for start in whole)
        for digest in list(self._stored)[-_KEEP:]:
            _known.setdefault(digest, 0)
        self._opened = next(_moments)

    def keep(self) -> None:
        """Write down what is new."""
        new = [digest for digest, asked in _known.items() if asked > self._opened and digest not in self._stored]
        if not new:
            return
        self._stored.update(dict.fromkeys(new))
        with contextlib.suppress(OSError, Usage):
            if self._is_torn or len(self._stored) > 2 * _KEEP:
                files.replace(self._path, b"".join(list(self._stored)[-_KEEP:]))
                self._is_torn = False
            else:
                with open(os.open(self._path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600), "ab") as file:
                    file.write(b"".join(new))
