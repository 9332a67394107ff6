"""Where a home is in use: `place.toml` names the computer and the folder; a home that was moved away signs nothing.

One key in two places is a second throw of every die: each home remembers its own signatures only (docs/trust.md). So a
move closes the home it leaves, and a home that finds itself on another computer, or in another folder than the one it
was made in, says so: a folder that is renamed or moved on its disk stays the same one, its copy is another.
"""

from __future__ import annotations

import os
import sys
import tomllib
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from pbem import files
from pbem.errors import Conflict, Damaged, Usage
from pbem.fileformat.encoding import tagged_hash

NAME = "place.toml"
_MACHINE_ID = Path("/etc/machine-id")
_RANDOM_NODE = 1 << 40
"""The bit that marks a network address as one that was made up for this process alone."""


@dataclass(frozen=True)
class Place:
    """What a home knows of where it is. `machine` names the computer it was made on or moved to (empty: not known),
    `moves` counts the moves so far, `closed` is the day on which it was moved away (empty: it is in use), `folder` the
    number that the file system gives to the home's folder (empty: not known)."""

    machine: str = ""
    moves: int = 0
    closed: str = ""
    folder: str = ""


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
    """What stands in the home; None if nothing does, as in one that an older program made. Raises `Damaged`."""
    path = folder / NAME
    if not os.path.lexists(path):
        return None
    hint = "if you use this home nowhere else: pbem home keep --nowhere-else"
    try:
        table = tomllib.loads(files.read_own(path, 1000).decode())
        place = Place(table["machine"], table["moves"], table.get("closed", ""), table.get("folder", ""))
    except Usage as error:
        raise Damaged(error.what, hint=hint) from error
    except (ValueError, KeyError, TypeError) as error:
        raise Damaged("where this home is in use cannot be read", where=files.shown(path), hint=hint) from error
    texts = (place.machine, place.closed, place.folder)
    if type(place.moves) is not int or not all(isinstance(text, str) for text in texts):
        raise Damaged("where this home is in use cannot be read", where=files.shown(path), hint=hint)
    return place


def write(folder: Path, place: Place) -> None:
    """Raises `Usage`."""
    files.replace(folder / NAME, written(place))


def written(place: Place) -> bytes:
    """The bytes of the file."""
    import tomli_w

    return tomli_w.dumps(asdict(place)).encode()


def settle(folder: Path) -> None:
    """The home is in use here, and nowhere else. Raises `Usage`."""
    try:
        before = read(folder) or Place()
    except Damaged:
        before = Place()
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
