"""What the player of a home calls a game, `called.json` in its folder of the memory, and what a
title may be."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from pathlib import Path

from pbem.errors import Do, Typed, Usage
from pbem.fileformat.characters import is_name
from pbem.fileformat.turnfile import KEYS
from pbem.home.store import StateFile

LONGEST = KEYS["called"][1]
"""The most characters of a game's title, whether its inviter or a player gives it."""


@dataclass(frozen=True)
class OwnName:
    """A player's own name for a game. Raises `Usage` if an entry 0 could not hold it."""

    called: str

    def __post_init__(self) -> None:
        check(self.called)


_OWN = StateFile(
    "called.json",
    OwnName,
    10_000,
    damage="what you call this game cannot be read",
    hint=("name it anew", Do("name", "GAME", "NAME", does="does, or --forget")),
)


def check(title: str) -> None:
    """Raise `Usage` unless a game may have this title (docs/format.md, section 4)."""
    hint = Typed('as in --called "Winter league 3"')
    if len(title) > LONGEST:
        raise Usage(
            f"a game is called by {LONGEST} characters at most, and these are {len(title)}",
            hint=hint,
        )
    if not is_name(title):
        raise Usage(
            "a game is called by one line of letters that can be seen, with ordinary blanks",
            hint=hint,
        )


def read(folder: Path) -> str:
    """What the player of this home calls the game of this folder; empty if they have not named
    it."""
    known = _OWN.read_if_whole(folder)
    return "" if known is None else known.called


def check_readable(folder: Path) -> None:
    """Raise `Damaged` if the player has named the game of this folder, and that cannot be read."""
    _OWN.read(folder)


def write(folder: Path, title: str) -> None:
    """Give a game this name of one's own; an empty one takes it away. Raises `Usage`."""
    if title:
        _OWN.write(folder, OwnName(title))
        return
    with contextlib.suppress(FileNotFoundError):
        (folder / _OWN.name).unlink()


def begins_so(title: str, beginning: str) -> bool:
    """Whether a game's title begins with these words, whatever the capitals and hyphens."""
    return bool(title) and _plain(title).startswith(_plain(beginning))


def _plain(text: str) -> str:
    return " ".join(text.casefold().replace("-", " ").split())
