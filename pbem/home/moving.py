"""Moves a home to another computer: it is packed, and closed here (`pbem.home.opening` unpacks it
there). Also makes a backup of it, which closes nothing.

The order of work keeps a home from being open twice and from being closed for nothing: nobody signs
with its key while it is packed, the pack gets its name when it is whole, and then the home is
closed. What is noted before that lets a home whose move was killed tell by the file whether it is
closed (`pbem.home.place`). The key lies in the pack without a passphrase of its own. The
passphrase of the pack protects it, and a browser's page can open it too (docs/format.md, section
17).
"""

from __future__ import annotations

import contextlib
import os
import secrets
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from pbem import files
from pbem.english import counted
from pbem.errors import Conflict, PbemError, Refused, Usage
from pbem.fileformat import armor
from pbem.fileformat.encoding import fingerprint
from pbem.home import home_pack, outside, place
from pbem.home.clock import today
from pbem.home.home import KEY_FILE, Home
from pbem.home.identity import is_encrypted, write_pem
from pbem.home.make_identity import new_passphrase
from pbem.home.place import Place
from pbem.lock import Lock


@dataclass(frozen=True)
class HomeFacts:
    """What `pbem home` tells: the folder, the fingerprint of its key (null: it has none yet), how
    many games it holds, how often it was moved, the day on which it was moved away (null: it is in
    use), the day of the backup that it was put back from and that is not confirmed (null: none),
    and the archive that was written or opened (null: none). `kept` is where the home lies that
    another one took the place of (null: nowhere)."""

    home: str
    fingerprint: str | None
    games: int
    moves: int
    closed: str | None
    restored: str | None
    archive: str | None
    kept: str | None


def facts(home: Home, archive: Path | None = None, kept: Path | None = None) -> HomeFacts:
    """What there is to know of a home, and where it is in use."""
    known = place.read(home.folder) or place.NOWHERE
    games = [path for path in files.listed(home.folder / "games") if path.is_dir()]
    key = fingerprint(home.identity().public) if home.has_identity() else None
    archive_path, beside = [None if path is None else str(path) for path in (archive, kept)]
    days = known.closed or None, known.restored or None
    return HomeFacts(str(home.folder), key, len(games), known.moves, *days, archive_path, beside)


def in_words(facts: HomeFacts, action: str) -> str:
    """Where a home is in use, in sentences for the player, after what they have done with it."""
    games = counted(facts.games, "game")
    if action == "move":
        return (
            f"{facts.archive}\nThe home is packed ({games}) and closed: it signs nothing here any"
            " more. On the other computer: pbem home open FILE. Then delete the file: it holds"
            " your key."
        )
    if action == "backup":
        return (
            f"{facts.archive}\nThe home is copied into it ({games}), and goes on here as before."
            " Keep it where only you can read it: it holds your key. If the home is lost: pbem"
            " home open FILE."
        )
    lines = [
        f"{facts.home}, {games}, fingerprint {facts.fingerprint or 'none: it has no identity yet'}"
    ]
    if facts.closed:
        lines.append(f"Moved away on {facts.closed}: it signs nothing here.")
    if facts.restored:
        lines.append(
            f"It was put back from the backup of {facts.restored}, and signs nothing yet. Take in"
            " the newest files of your games with pbem inbox; then, if you signed nothing that is"
            " not here, and use this home nowhere else: pbem home keep --nowhere-else"
        )
    elif action == "open":
        lines.append("The home is in use here now. Delete the packed file: it holds your key.")
    if facts.kept:
        lines.append(
            f"The home that was here before lies in {facts.kept}: delete it when all is well."
        )
    return "\n".join(lines)


def move(home: Home, target: Path) -> None:
    """Pack the home into a new file, as text if its name ends in `.txt`, and close it. Raises
    `Conflict` if it was moved away before, or if the file exists."""
    _check_target(home, target)
    with close_while_moving(home, target.absolute()) as goes:
        _write(target, pack_home(home, home_pack.MOVED, goes, _ask_for_file()))


def backup(home: Home, target: Path) -> None:
    """Copy the home into a new file, as text if its name ends in `.txt`; it stays open. Raises
    `Conflict` if it signs nothing here, or if the file exists."""
    _check_target(home, target)
    _write(target, pack_backup(home, _ask_for_file()))


def _ask_for_file() -> str:
    return new_passphrase("Passphrase for the file: ", if_none="")


def pack_backup(home: Home, passphrase: str, *, locked: bool = False) -> bytes:
    """A backup of the home; once opened, it signs nothing until its player confirms it. `locked`:
    the home lies in something that is under a passphrase, as a key file may be. Raises `Conflict`
    if this home signs nothing here."""
    place.check_open(home.folder)
    before = place.read(home.folder) or Place("", 0)
    return pack_home(
        home, home_pack.BACKUP, replace(before, restored=today(), locked=locked), passphrase
    )


@contextlib.contextmanager
def close_while_moving(home: Home, target: Path | None = None) -> Iterator[Place]:
    """A context in which a home is packed, into `target` if that is a file, while nobody signs with
    its key; it is closed at the end, and stays open if something fails. Gives what the moved home
    is to know of itself. Raises `Conflict` if this home signs nothing here."""
    place.check_open(home.folder)
    watch_lock = Lock(home.folder / "watch" / "lock")
    if watch_lock.path.exists() and not watch_lock.take():
        raise Refused(
            "pbem watch has this home and may sign in it", hint="end it first; nothing was moved"
        )
    try:
        with outside.nobody_signs(home.identity().public):
            before = place.read(home.folder) or Place(place.machine(), 0)
            goes = replace(before, moves=before.moves + 1)
            if target is not None:
                place.write(home.folder, replace(before, leaving=str(target)))
            try:
                yield goes
            except (PbemError, OSError):
                place.write(home.folder, before)
                raise
            place.write(home.folder, replace(goes, closed=today()))
    finally:
        watch_lock.release()


def pack_home(home: Home, kind: bytes, goes: Place, passphrase: str) -> bytes:
    """A file of this kind that holds the home; `goes` is what the packed home knows of itself.
    Raises `Usage`."""
    locked = goes.locked or is_encrypted(home.key_pem())
    known = replace(goes, machine="", folder="", locked=locked)
    instead = {place.NAME: place.to_bytes(known), KEY_FILE: write_pem(home.seed())}
    contents = home_pack.pack(home.folder, instead)
    if len(contents) > home_pack.MAX_ARCHIVE:
        raise Usage("this home is too large to be packed", hint="move away what its inbox holds")
    return home_pack.encrypt(
        contents, passphrase, secrets.token_bytes(16), secrets.token_bytes(24), kind
    )


def _check_target(home: Home, target: Path) -> None:
    home.identity()
    place.check_open(home.folder)
    if os.path.lexists(target):
        raise Conflict(
            f"{files.printable(target)} exists", hint="nothing was packed; choose another name"
        )
    if home.folder.resolve() in target.resolve().parents:
        raise Usage(
            "the file would lie in the home itself",
            hint="name a place outside, a USB stick for example",
        )


def _write(target: Path, data: bytes) -> None:
    if target.suffix.lower() == ".txt":
        data = armor.wrap_home(data).encode()
        if len(data) > home_pack.MAX_TEXT:
            raise Usage(
                "this home is too large to be a text",
                hint="give the file a name that does not end in .txt",
            )
    files.write_new(target, data, mode=0o600)
