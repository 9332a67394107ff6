"""What a home holds of its games: the newest file of each, found by a short name in place of a path."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, field
from pathlib import Path

from pbem import files
from pbem.errors import Conflict, PbemError, Usage
from pbem.fileformat import turnfile
from pbem.fileformat.turnfile import MAX_FILE, TurnFile
from pbem.ledger.ledger import Ledger
from pbem.player.home import Home

_KEPT = re.compile(r"([0-9]{4})(?:-([0-9a-f]{16}))?\.toml\Z")
_SHORT = re.compile(r"[a-z][a-z0-9-]{0,63}\Z|[0-9a-f]{4,32}\Z")
MAX_NAMED = 6
"""Games that a message names; `pbem inbox` lists them all."""
GAME = re.compile(r"[0-9a-f]{32}\Z")
"""The name of a game's folder in the memory."""


@dataclass
class Shelf:
    """What a home holds of one game: the newest file, and others that are neither part of it nor settled."""

    path: Path
    file: TurnFile
    rivals: list[Path] = field(default_factory=list)


def shelf_of(folder: Path) -> Shelf | None:
    """The newest file of a game in its folder of the memory; None if there is none that can be read."""
    kept = [(int(m[1]), path) for path in _kept(folder) if (m := _KEPT.match(path.name))]
    kept.sort(key=lambda pair: (-pair[0], pair[1].parent.name == "read", pair[1].name))
    signed = next((path for _, path in kept if path.parent.name == "signed"), None)
    own = files.read_bytes(signed, MAX_FILE) if signed is not None else b""
    for _, path in kept:
        data = files.read_bytes(path, MAX_FILE)
        if not data.startswith(own):
            continue
        try:
            file = turnfile.read(data)
        except PbemError:
            continue
        rivals = [other for _, other in kept if other.parent.name == "read" and _is_rival(other, file, own)]
        return Shelf(path, file, rivals)
    return None


def _is_rival(path: Path, newest: TurnFile, own: bytes) -> bool:
    """Whether a kept file is no part of the newest one, and not decided by what the player has signed since."""
    match = _KEPT.match(path.name)
    assert match is not None
    number = int(match[1])
    if number < len(newest.entries):
        known = hashlib.sha256(newest.prefix(number + 1)).hexdigest()[:16]
        if known == match[2]:
            return False
    return files.read_bytes(path, MAX_FILE).startswith(own)


def _kept(folder: Path) -> list[Path]:
    return [
        path for name in ("signed", "read") if (folder / name).is_dir() for path in sorted((folder / name).iterdir())
    ]


def short_name(game: Ledger) -> str:
    """`GAME-1a2b3c4d`, which the commands take in place of a file."""
    return f"{game.rules.name}-{game.game_id.hex()[:8]}"


def newest_path(home: Home | None, name: str) -> Path:
    """The newest file of the game whose short name, or number, begins so. Raises `Usage` if there is none or if there
    are several, or `Conflict` if there are two versions of it."""
    folder = (home or Home()).folder / "games"
    known = sorted(path for path in folder.iterdir() if GAME.match(path.name)) if folder.is_dir() else []
    fitting = [path for path in known if path.name.startswith(name)] or known
    shelves = [shelf for path in fitting if (shelf := shelf_of(path)) is not None]
    found = [shelf for shelf in shelves if _is_meant(shelf, name)]
    if not found:
        raise Usage(f'there is no file "{name}", and no game of this home begins so', hint=_known(shelves))
    if len(found) > 1:
        raise Usage(f'{len(found)} games begin with "{name}": {_named(found)}', hint="type more of the name")
    if found[0].rivals:
        both = " and ".join(files.shown(path) for path in (found[0].path, *found[0].rivals))
        raise Conflict(f"there are two versions of this game: {both}", hint="name the one you go on with")
    return found[0].path


def _is_meant(shelf: Shelf, name: str) -> bool:
    number = _folder_of(shelf).name
    return number.startswith(name) or f"{shelf.file.entries[0].text('game')}-{number}".startswith(name)


def _folder_of(shelf: Shelf) -> Path:
    return shelf.path.parent.parent


def _known(shelves: list[Shelf]) -> str:
    if not shelves:
        return "pbem inbox PLACE takes in the turns that lie there"
    return f"pbem inbox lists the games this home knows: {_named(shelves)}"


def _named(shelves: list[Shelf]) -> str:
    """A few games by their short names, and who sits in each."""
    told = []
    for shelf in shelves[:MAX_NAMED]:
        first = shelf.file.entries[0]
        players = ", ".join(entry.text("name")[:30] for entry in shelf.file.entries if "key" in entry.fields)
        told.append(f"{first.text('game')}-{_folder_of(shelf).name[:8]} ({players})")
    more = f" and {len(shelves) - MAX_NAMED} more" if len(shelves) > MAX_NAMED else ""
    return ", ".join(told) + more


def is_short(path: Path) -> bool:
    """Whether this is written like the beginning of a game's short name and not like a file that exists."""
    return _SHORT.match(str(path)) is not None and not path.exists()
