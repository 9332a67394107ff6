"""Which version of the program wrote a home last (`program.toml`), and whether this version may
write there.

A later version may keep things in ways that this one does not know, and would lose or spoil. The
number of its layout tells this one; then it reads and writes nothing there.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from pbem.errors import Conflict, Typed
from pbem.home.store import StateFile

LAYOUT = 1
"""The number of the layout of a home's files. It grows when an older program must not touch a home
any more. A new file or field that older programs pass over is no reason."""


@dataclass(frozen=True)
class Writer:
    """The version of the program that wrote a home, to the commit, and its layout."""

    program: str
    layout: int


_FILE = StateFile("program.toml", Writer, largest=1000)


def read(folder: Path) -> Writer | None:
    """Who wrote the home last; None if nothing tells."""
    return _FILE.read_if_whole(folder)


def note(folder: Path) -> None:
    """Note that this version has written the home. Raises `Usage`."""
    from pbem.version import exact  # asks git in a checkout: for whoever writes alone

    writer = Writer(exact(), LAYOUT)
    if read(folder) != writer:
        _FILE.write(folder, writer)


def check(folder: Path) -> None:
    """Raise `Conflict` if a later version keeps things in this home that this one does not know."""
    writer = read(folder)
    if writer is not None and writer.layout > LAYOUT:
        raise Conflict(
            f"this home was written by a newer program, pbem {writer.program}, and this one would"
            " spoil it",
            hint=Typed(
                "install that version or a newer one, or choose another folder with PBEM_HOME"
            ),
        )
