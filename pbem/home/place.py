"""Where a home is in use: `place.toml` names the computer and the folder. A home that was moved
away signs nothing; nor does one that was put back from a backup, until its player has confirmed it.

One key in two places is a second throw of every die, since each home remembers its own signatures
only (docs/trust.md). So a move closes the home it leaves. A home that finds itself on another
computer, or in another folder than the one it was made in, says so. A folder that is renamed or
moved on its disk stays the same one; its copy is another.
"""

from __future__ import annotations

import os
import sys
import uuid
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from pbem.errors import Conflict, Damaged, Do, Notice
from pbem.fileformat.encoding import tagged_hash
from pbem.home import written_by
from pbem.home.store import StateFile

NAME = "place.toml"
_MACHINE_ID = Path("/etc/machine-id")
BROWSER = "emscripten"
"""Python's name for the system where it runs in a browser. Whoever starts it there writes a number
of that browser's storage in the place of a computer's number. Files lie in memory there, so their
own numbers do not last."""
_RANDOM_NODE = 1 << 40
"""The bit of a network address that says that it was made up for this process alone."""


@dataclass(frozen=True)
class Place:
    """What a home knows of where it is. `machine` names the computer it was made on or moved to
    (empty: not known), `moves` counts the moves so far, `closed` is the day on which it was moved
    away (empty: it is in use), `folder` the number that the file system gives to the home's folder
    (empty: not known). `restored` is the day of the backup that the home was put back from (empty:
    from none, or its player has confirmed it), and `locked` says in a packed home that its key had
    a passphrase where it was packed, and is to get one where a key file can have one. `leaving` is
    the file into which the home was being packed when it was seen last (empty: none): if that file
    is there, the home is in it, and closed here."""

    machine: str
    moves: int
    closed: str = ""
    folder: str = ""
    restored: str = ""
    locked: bool = False
    leaving: str = ""


NOWHERE = Place("", 0)
"""The place of a home without a `place.toml`: nothing is known."""
_PLACE = StateFile(
    NAME,
    Place,
    largest=10_000,
    damage="where this home is in use cannot be read",
    hint=("confirm that you use this home nowhere else", Do("home keep", "--nowhere-else")),
)


def machine() -> str:
    """A name for this computer that tells nothing about it; empty if there is none that lasts."""
    if sys.platform.startswith("linux") or sys.platform == BROWSER:
        try:
            number = _MACHINE_ID.read_bytes().strip()
        except OSError:
            return ""
    else:
        node = uuid.getnode()
        number = b"" if node & _RANDOM_NODE else node.to_bytes(6, "big")
    return tagged_hash("pbem place", number).hex()[:32] if number else ""


def folder_number(folder: Path) -> str:
    """The number of the home's folder in its file system, which a copy does not have; empty if no
    such number lasts."""
    if sys.platform == BROWSER:
        return ""
    try:
        number = folder.stat().st_ino
    except OSError:
        return ""
    return str(number) if number else ""


def read(folder: Path) -> Place | None:
    """The place that is written in the home; None if none is. A home whose move was killed once its
    file was whole is closed. Raises `Damaged`."""
    known = _PLACE.read(folder)
    if known is None or not known.leaving or known.closed:
        return known
    try:
        written = datetime.fromtimestamp(os.lstat(known.leaving).st_mtime, UTC)
    except (OSError, ValueError):
        return replace(known, leaving="")
    return replace(known, closed=written.date().isoformat())


def write(folder: Path, place: Place) -> None:
    """Raises `Usage`."""
    _PLACE.write(folder, place)


def to_bytes(place: Place) -> bytes:
    """The bytes of `place.toml`."""
    return _PLACE.encode(place)


def settle(folder: Path, *, restored: str = "", locked: bool = False) -> None:
    """Note that the home is in use here and nowhere else; with the day of a backup, that it was put
    back from it and is still to be confirmed. Raises `Usage`."""
    try:
        before = read(folder) or NOWHERE
    except Damaged:
        before = NOWHERE
    here = replace(before, machine=machine(), closed="", folder=folder_number(folder), leaving="")
    write(folder, replace(here, restored=restored, locked=locked))


def signs_nothing(folder: Path) -> bool:
    """Whether this home was moved away or is still to be confirmed, as far as its place can be
    read."""
    try:
        known = read(folder)
    except Damaged:
        return False
    return known is not None and bool(known.closed or known.restored)


def check_open(folder: Path) -> None:
    """Raise `Conflict` if this home was moved away: it signs nothing until it is moved back; or if
    it was put back from a backup and its player has not confirmed it; or if a later version of the
    program wrote it (`written_by`). `Damaged` if that cannot be
    told."""
    written_by.check(folder)
    place = read(folder)
    if place is not None and place != _PLACE.read(folder):
        write(folder, replace(place, leaving=""))  # the file may be taken away
    if place is not None and place.closed:
        raise Conflict(
            f"this home was moved away on {place.closed[:10]}, and signs nothing here",
            hint=(
                "bring it back, or go on here if it was opened nowhere",
                Do(
                    "home move",
                    does="there and pbem home open here, or pbem home keep --nowhere-else",
                ),
            ),
        )
    if place is not None and place.restored:
        raise Conflict(_put_back(place), hint=_CONFIRM)


_CONFIRM = (
    "take in the newest files of your games, then confirm that you signed nothing that is not here"
    " and use this home nowhere else",
    Do("inbox", does="does the one, and pbem home keep --nowhere-else the other"),
)
"""The hint for confirming a home that was put back from a backup."""


def _put_back(place: Place) -> str:
    return (
        f"this home was put back from the backup of {place.restored[:10]}, and signs nothing until"
        " you confirm it"
    )


_TWICE = "one key in two places signs two versions of a turn"


def warning(folder: Path) -> Notice | None:
    """What the player should know about where their home is; None if all is well."""
    try:
        place = read(folder)
    except Damaged as error:
        return Notice(f"{error.where}: {error.what}" if error.where else error.what, error.hint)
    if place is None:
        return None
    if place.closed:
        return Notice(
            f"this home was moved away on {place.closed[:10]}: it shows games and signs nothing"
        )
    if place.restored:
        return Notice(_put_back(place), _CONFIRM)
    here = machine()
    if place.machine and here and place.machine != here:
        what = f"this home was made on another computer and copied here: {_TWICE}"
        return Notice(
            what,
            (
                Do("home move", does="moves it"),
                Do("home keep", "--nowhere-else", when="if the other is used no more"),
            ),
        )
    number = folder_number(folder)
    if place.folder and number and place.folder != number:
        what = f"this home is a copy, or was put back from one: {_TWICE}"
        return Notice(
            what,
            (
                Do(
                    "inbox",
                    when="if you use no other copy",
                    does="takes in the newest files, then pbem home keep --nowhere-else",
                )
            ),
        )
    return None
