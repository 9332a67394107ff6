"""What a player has looked at: how far in each game, and whether the film of what is new starts by
itself.

This is only a help: where it is not known, the newest turn counts as new.
"""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from pathlib import Path

from pbem.errors import Usage
from pbem.home.store import StateFile


@dataclass(frozen=True)
class Progress:
    """The player has looked at so many entries of a game: `looked.json` in its folder of the
    memory."""

    entries: int


@dataclass(frozen=True)
class Habits:
    """How the player likes the table: `table.json` in the home."""

    film_starts: bool


_LOOKED = StateFile("looked.json", Progress, 1_000, is_help=True)
_HABITS = StateFile("table.json", Habits, 1_000)


def entries_looked_at(folder: Path) -> int:
    """How many entries of the game of this folder the player has looked at; 0 where that is not
    known."""
    known = _LOOKED.read_if_whole(folder)
    return 0 if known is None else known.entries


def keep(folder: Path, entries: int) -> None:
    """Note that the player has looked at so many entries of the game of this folder."""
    if entries > entries_looked_at(folder):
        with contextlib.suppress(Usage):  # a full disk keeps nobody from playing
            _LOOKED.write(folder, Progress(entries))


def film_starts(home: Path) -> bool:
    """Whether the film starts by itself where something is new."""
    known = _HABITS.read_if_whole(home)
    return known is not None and known.film_starts


def let_film_start(home: Path, *, starts: bool) -> None:
    """Let the film start by itself from now on, or not. Raises `Usage`."""
    _HABITS.write(home, Habits(starts))
