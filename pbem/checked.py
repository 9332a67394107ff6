"""Proofs of shuffle that were checked before, so that nobody waits for the same check twice.

A program checks a file each time it reads or writes it, and a shuffle takes a fifth of a second. What was found true
stays true: a digest of the whole statement is kept in memory, and in the player's home (`checked.bin`, 32 bytes each),
which is as private as the key. `pbem verify` does not read it.
"""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path

from pbem import files
from pbem.encoding import framed

_KEEP = 4096
_known: dict[bytes, None] = {}


def once(statement: Sequence[bytes], check: Callable[[], None]) -> None:
    """Run the check of a statement unless it passed before. What it raises is raised, and not remembered."""
    digest = hashlib.sha256(framed(*statement)).digest()
    if digest in _known:
        return
    check()
    _known[digest] = None
    while len(_known) > _KEEP:
        del _known[next(iter(_known))]


def forget() -> None:
    """Check everything anew from here on."""
    _known.clear()


class Checked:
    """The checks that one home remembers; `keep` adds those made since."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / "checked.bin"
        data = b""
        with contextlib.suppress(OSError):
            data = self._path.read_bytes()
        self._stored = [data[start : start + 32] for start in range(0, len(data) // 32 * 32, 32)][-_KEEP:]
        _known.update(dict.fromkeys(self._stored))
        self._before = set(_known)

    def keep(self) -> None:
        """Write down what is new."""
        new = [digest for digest in _known if digest not in self._before]
        if new:
            self._stored = [*self._stored, *new][-_KEEP:]
            files.replace(self._path, b"".join(self._stored))
