"""What a player calls a game for themselves alone: `called.json` in the game's folder of the
memory."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from pathlib import Path

from pbem.errors import Usage
from pbem.fileformat.characters import is_name
from pbem.fileformat.turnfile import KEYS
from pbem.home.store import StateFile

LONGEST = KEYS["called"][1]
"""Characters of what a game is called, by its inviter or by a player for themselves."""


@dataclass(frozen=True)
class OwnName:
    """A player's own name for a game. Raises `Usage` where no entry 0 could hold it."""

    called: str

    def __post_init__(self) -> None:
        check(self.called)


_OWN = StateFile("called.json", OwnName, 10_000)


def check(called: str) -> None:
    """Raise `Usage` unless a game may be called so (docs/format.md, section 4)."""
    hint = 'as in --called "Winter league 3"'
    if len(called) > LONGEST:
        raise Usage(
            f"a game is called by {LONGEST} characters at most, and these are {len(called)}",
            hint=hint,
        )
    if not is_name(called):
        raise Usage(
            "a game is called by one line of letters that can be seen, with ordinary blanks",
            hint=hint,
        )


def read(folder: Path) -> str:
    """What the player of this home calls the game of this folder; nothing if they have not named
    it."""
    known = _OWN.read_if_whole(folder)
    return "" if known is None else known.called


def write(folder: Path, called: str) -> None:
    """Call a game so; by no name of one's own any more, if there is none. Raises `Usage`."""
    if called:
        _OWN.write(folder, OwnName(called))
        return
    with contextlib.suppress(FileNotFoundError):
        (folder / _OWN.name).unlink()


def begins_so(called: str, wanted: str) -> bool:
    """Whether what a game is called begins with these words, capitals and hyphens aside."""
    return bool(called) and _plain(called).startswith(_plain(wanted))


def _plain(text: str) -> str:
    return " ".join(text.casefold().replace("-", " ").split())
