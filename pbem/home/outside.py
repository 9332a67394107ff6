"""Where what is kept of a key outside its homes lies, and the switches: for which games a program
may write by itself.

That is the system's folder for the state of programs (`PBEM_STATE` chooses another), and in it a
folder named by the key, since one machine may have several homes. What was signed is beside the
switches (`pbem.home.signed_here`). docs/mail.md, "Entries that write themselves".
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, NamedTuple

from pbem import files
from pbem.errors import Usage
from pbem.home.store import StateFile
from pbem.lock import Lock

Mark = Literal["on", "by hand"]
ON: Mark = "on"
BY_HAND: Mark = "by hand"


class Newest(NamedTuple):
    """The newest entry that was signed in a game, as an older program noted it beside the switches:
    its number, and the SHA-256 of the file that ends with it."""

    number: int
    file: str


@dataclass(frozen=True)
class Outside:
    """`home`: entries that decide nothing are written by themselves in every game that is not
    marked. `games` marks single games `on` or `by hand`, by the beginning of their ids (32 digits);
    `why` says who marked one by hand, where it was the program. `notes`: an entry may reveal
    private notes by itself. `newest`, by game as in `games`, is written no more; it counts where
    `pbem.home.signed_here` has no file yet."""

    home: bool
    notes: bool
    games: Mapping[str, Mark]
    why: Mapping[str, str]
    newest: Mapping[str, Newest]

    def is_on(self, game: str) -> bool:
        """Whether entries may be written by themselves in a game, as far as the switches say."""
        mark = self.games.get(game)
        return mark == ON or (self.home and mark != BY_HAND)

    def marked(self, game: str, mark: Mark, why: str = "") -> Outside:
        """With a game marked."""
        games = {**self.games, game: mark}
        reasons = {key: value for key, value in self.why.items() if key != game} | (
            {game: why} if why else {}
        )
        return replace(self, games=games, why=reasons)


_OUTSIDE = StateFile(
    "automatic.json",
    Outside,
    largest=10_000_000,
    hint="nothing is answered by itself until you remove it and say pbem auto on again",
)


def folder_of(public: bytes) -> Path:
    """The folder of a key."""
    return files.state_folder() / public.hex()[:32]


def made_folder(public: bytes) -> Path:
    """The folder of a key, made if it is not there. Raises `Usage`."""
    folder = folder_of(public)
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        what = f"cannot make the folder {files.shown(folder)}: {error.strerror}"
        raise Usage(what, hint="check PBEM_STATE") from error
    return folder


def is_kept(public: bytes) -> bool:
    """Whether any switch of this key was ever set."""
    return os.path.lexists(folder_of(public) / _OUTSIDE.name)


def read(public: bytes) -> Outside:
    """What is kept of a key; everything off where nothing is. Raises `Damaged`."""
    kept = _OUTSIDE.read(folder_of(public))
    return Outside(home=False, notes=False, games={}, why={}, newest={}) if kept is None else kept


def change(public: bytes, how: Callable[[Outside], Outside]) -> Outside:
    """Change what is kept, one process at a time; what it is now. Raises `Usage`, `Damaged`."""
    folder = made_folder(public)
    with Lock(folder / "lock"):
        before = read(public)
        after = how(before)
        if after != before or not is_kept(public):
            _OUTSIDE.write(folder, after)
    return after
