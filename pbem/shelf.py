"""What a home holds of its games: the newest file of each, found by a short name in place of a path."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, field
from pathlib import Path

from pbem import files, turnfile
from pbem.errors import Conflict, PbemError, Usage
from pbem.home import Home
from pbem.turnfile import MAX_FILE, TurnFile

_KEPT = re.compile(r"([0-9]{3})(?:-([0-9a-f]{16}))?\.toml\Z")
_SHORT = re.compile(r"(?:[a-z][a-z-]{0,30}-)?([0-9a-f]{4,32})\Z")
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


def newest_path(home: Home | None, name: str) -> Path:
    """The newest file of the game with this short name. Raises `Usage`, or `Conflict` if there are two versions."""
    match = _SHORT.match(name)
    folder = (home or Home()).folder / "games"
    if match is None or not folder.is_dir():
        raise Usage(f'there is no file "{name[:80]}"', hint="pbem inbox lists the games this home knows")
    fitting = [path for path in sorted(folder.iterdir()) if GAME.match(path.name) and path.name.startswith(match[1])]
    shelves = [shelf for path in fitting if (shelf := shelf_of(path)) is not None]
    prefix = name[: match.start(1)]
    shelves = [s for s in shelves if s.file.entries[0].text("game") + "-" == prefix or not prefix]
    if len(shelves) != 1:
        what = "there is no game" if not shelves else f"{len(shelves)} games begin with"
        raise Usage(f'{what} "{name[:80]}"', hint="pbem inbox lists the games this home knows")
    if shelves[0].rivals:
        both = " and ".join(files.shown(path) for path in (shelves[0].path, *shelves[0].rivals))
        raise Conflict(f"there are two versions of this game: {both}", hint="name the one you go on with")
    return shelves[0].path


def is_short(path: Path) -> bool:
    """Whether this is written like a game's short name and not like a file that exists."""
    return _SHORT.match(str(path)) is not None and not path.exists()
