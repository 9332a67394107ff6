"""Where a home is in use: `place.toml` names the computer and the folder; a home that was moved away signs nothing.

One key in two places is a second throw of every die: each home remembers its own signatures only (docs/trust.md). So a
move closes the home it leaves, and a home that finds itself on another computer, or in another folder than the one it
was made in, says so: a folder that is renamed or moved on its disk stays the same one, its copy is another.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from pathlib import Path

from pbem.errors import Conflict, Damaged
from pbem.fileformat.encoding import tagged_hash
from pbem.home.store import StateFile

NAME = "place.toml"
_MACHINE_ID = Path("/etc/machine-id")
_RANDOM_NODE = 1 << 40
"""The bit that marks a network address as one that was made up for this process alone."""


@dataclass(frozen=True)
class Place:
    """What a home knows of where it is. `machine` names the computer it was made on or moved to (empty: not known),
    `moves` counts the moves so far, `closed` is the day on which it was moved away (empty: it is in use), `folder` the
    number that the file system gives to the home's folder (empty: not known)."""

    machine: str
    moves: int
    closed: str = ""
    folder: str = ""


NOWHERE = Place("", 0)
"""What a home knows that nothing stands in, as in one that an older program made."""
_PLACE = StateFile(
    NAME,
    Place,
    largest=1000,
    damage="where this home is in use cannot be read",
    hint="if you use this home nowhere else: pbem home keep --nowhere-else",
)


def machine() -> str:
    """A name for this computer that tells nothing about it; empty where there is none that lasts."""
    if sys.platform.startswith("linux"):
        try:
            number = _MACHINE_ID.read_bytes().strip()
        except OSError:
            return ""
    else:
        import uuid  # only these systems need it

        node = uuid.getnode()
        number = b"" if node & _RANDOM_NODE else node.to_bytes(6, "big")
    return tagged_hash("pbem place", number).hex()[:32] if number else ""


def folder_number(folder: Path) -> str:
    """The number of the home's folder in its file system, which a copy does not share; empty where there is none."""
    try:
        number = folder.stat().st_ino
    except OSError:
        return ""
    return str(number) if number else ""


def read(folder: Path) -> Place | None:
    """What stands in the home; None if nothing does. Raises `Damaged`."""
    return _PLACE.read(folder)


def write(folder: Path, place: Place) -> None:
    """Raises `Usage`."""
    _PLACE.write(folder, place)


def written(place: Place) -> bytes:
    """The bytes of the file."""
    return _PLACE.encoded(place)


def settle(folder: Path) -> None:
    """The home is in use here, and nowhere else. Raises `Usage`."""
    try:
        before = read(folder) or NOWHERE
    except Damaged:
        before = NOWHERE
    write(folder, replace(before, machine=machine(), closed="", folder=folder_number(folder)))


def is_closed(folder: Path) -> bool:
    """Whether this home was moved away, as far as it can be read."""
    try:
        known = read(folder)
    except Damaged:
        return False
    return known is not None and bool(known.closed)


def check_open(folder: Path) -> None:
    """Raise `Conflict` if this home was moved away: it signs nothing until it is moved back. `Damaged` if that cannot
    be told."""
    place = read(folder)
    if place is not None and place.closed:
        raise Conflict(
            f"this home was moved away on {place.closed[:10]}, and signs nothing here",
            hint="back: pbem home move there, pbem home open here; opened nowhere: pbem home keep --nowhere-else",
        )


def warning(folder: Path) -> str:
    """What the player should know of where their home is; nothing if all is well."""
    try:
        place = read(folder)
    except Damaged as error:
        return str(error)
    if place is None:
        return ""
    if place.closed:
        return f"this home was moved away on {place.closed[:10]}: it shows games and signs nothing"
    here = machine()
    if place.machine and here and place.machine != here:
        return (
            "this home was made on another computer and copied here: one key in two places signs two versions of a "
            "turn (hint: pbem home move moves it; if the other is used no more: pbem home keep --nowhere-else)"
        )
    number = folder_number(folder)
    if place.folder and number and place.folder != number:
        return (
            "this home is a copy, or was put back from one: one key in two places signs two versions of a turn "
            "(hint: if you use no other copy: pbem inbox takes in the newest files, then pbem home keep --nowhere-else)"
        )
    return ""
