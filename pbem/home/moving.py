"""A home goes to another computer: packed and closed here, unpacked and opened there.

The order of work keeps a home from being open twice. It is closed before anything is packed, and opened again if
packing fails. It is unpacked beside its place, and takes it in one step when it is whole.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
from dataclasses import dataclass, replace
from pathlib import Path

from pbem import files
from pbem.english import counted
from pbem.errors import Conflict, Malformed, Refused, Usage
from pbem.fileformat.encoding import fingerprint
from pbem.home import home_pack, place
from pbem.home.clock import today
from pbem.home.home import Home, ask_passphrase
from pbem.home.identity import Identity
from pbem.home.make_identity import new_passphrase
from pbem.home.place import Place
from pbem.lock import Lock

_LEFT_OVER = ("cache", "checked.bin", "contacts.lock")
"""What may lie in a folder in which nobody plays, beside what killed processes have left: it is made anew anywhere."""


@dataclass(frozen=True)
class HomeFacts:
    """What `pbem home` tells: the folder, the fingerprint of its key (null: it has none yet), how many games it holds,
    how often it was moved, the day on which it was moved away (null: it is in use), and the archive that was written
    or opened (null: none). `kept` is where the home lies that another one took the place of (null: nowhere)."""

    home: str
    fingerprint: str | None
    games: int
    moves: int
    closed: str | None
    archive: str | None
    kept: str | None


def facts(home: Home, archive: Path | None = None, kept: Path | None = None) -> HomeFacts:
    """What there is to know of a home and where it is in use."""
    known = place.read(home.folder) or place.NOWHERE
    games = [path for path in files.listed(home.folder / "games") if path.is_dir()]
    key = fingerprint(home.identity().public) if home.has_identity() else None
    paths = [None if path is None else str(path) for path in (archive, kept)]
    return HomeFacts(str(home.folder), key, len(games), known.moves, known.closed or None, *paths)


def in_words(told: HomeFacts, action: str) -> str:
    """Where a home is in use, for the player, after what they did with it."""
    games = counted(told.games, "game")
    if action == "move":
        return (
            f"{told.archive}\nThe home is packed ({games}) and closed: it signs nothing here any more. "
            "On the other computer: pbem home open FILE. Then delete the file: it holds your key."
        )
    lines = [f"{told.home}, {games}, fingerprint {told.fingerprint or 'none: it has no identity yet'}"]
    if told.closed:
        lines.append(f"Moved away on {told.closed}: it signs nothing here.")
    if action == "open":
        lines.append("The home is in use here now. Delete the packed file: it holds your key.")
    if told.kept:
        lines.append(f"The home that was closed here lies in {told.kept}: delete it when all is well.")
    return "\n".join(lines)


def move(home: Home, target: Path) -> None:
    """Pack the home into a new file, and close it. Raises `Conflict` if it was moved away before, or if the file
    exists."""
    home.identity()
    place.check_open(home.folder)
    if os.path.lexists(target):
        raise Conflict(f"{files.shown(target)} exists", hint="nothing was moved; choose another name")
    if _is_within(target, home.folder):
        raise Usage("the file would lie in the home itself", hint="name a place outside, a USB stick for example")
    watched = Lock(home.folder / "watch" / "lock")
    if watched.path.exists() and not watched.take():
        raise Refused("pbem watch has this home and may sign in it", hint="end it first; nothing was moved")
    passphrase = new_passphrase().encode()
    before = place.read(home.folder) or Place(place.machine(), 0)
    goes = replace(before, moves=before.moves + 1, closed="")
    place.write(home.folder, replace(goes, closed=today()))
    try:
        packed = home_pack.pack(home.folder, {place.NAME: place.written(replace(goes, machine="", folder=""))})
        if len(packed) > home_pack.MAX_ARCHIVE:
            raise Usage("this home is too large to be packed", hint="move away what its inbox holds")
        salt, nonce = secrets.token_bytes(16), secrets.token_bytes(24)
        files.write_new(target, home_pack.encrypt(packed, passphrase, salt, nonce), mode=0o600)
    except BaseException:
        place.write(home.folder, before)
        raise
    finally:
        watched.release()


def open_packed(home: Home, source: Path, *, nowhere_else: bool = False) -> Path | None:
    """Unpack a home into the folder of this one, in which nobody plays yet or which was moved away; where the closed
    home lies then, if there was one. `nowhere_else`: its player says that it was opened nowhere before.

    Raises `Conflict` if somebody plays here, or if the archive is as old as the move that closed this home."""
    closed = _closed_here(home)
    data = files.read_bytes(source, home_pack.MAX_ARCHIVE)
    if not data.startswith(home_pack.FORMAT):
        raise Malformed("this is no packed home", where=files.shown(source), hint="pbem home move FILE writes one")
    packed = home_pack.decrypt(data, ask_passphrase("Passphrase of the file: ").encode())
    parent = home.folder.parent
    try:
        parent.mkdir(parents=True, exist_ok=True)
        fresh = parent / f".pbem-home-{secrets.token_hex(8)}"
        fresh.mkdir(mode=0o700)
    except OSError as error:
        raise Usage(f"cannot write to {files.shown(parent)}: {error.strerror}", hint="check PBEM_HOME") from error
    try:
        for one in home_pack.unpack(packed):
            home_pack.write_below(fresh, one)
        _check(Home(fresh), closed, nowhere_else=nowhere_else)
        place.settle(fresh)
        files.sync_all()
        return _take_place(fresh, home.folder)
    finally:
        shutil.rmtree(fresh, ignore_errors=True)


def _closed_here(home: Home) -> tuple[Place, Identity] | None:
    """The home that was moved away from here; None if nobody has played here. Raises `Conflict` if somebody does."""
    home.check()
    if home.has_identity():
        known = place.read(home.folder)
        if known is None or not known.closed:
            what = "this home is in use, and another one cannot take its place"
            raise Conflict(what, hint="choose an empty folder with PBEM_HOME")
        return known, home.identity()
    found = files.listed(home.folder)
    if other := [path for path in found if path.name not in _LEFT_OVER and not path.name.startswith(".pbem-")]:
        raise Conflict(f"{files.shown(other[0])} lies there already", hint="choose an empty folder with PBEM_HOME")
    return None


def _check(fresh: Home, closed: tuple[Place, Identity] | None, *, nowhere_else: bool) -> None:
    """Whether the unpacked home may be opened here. Raises `Malformed` or `Conflict`."""
    known = place.read(fresh.folder)
    if not fresh.has_identity() or known is None or known.closed:
        raise Malformed("what is packed in it is no home", hint="nothing was unpacked")
    if closed is None:
        return
    here, identity = closed
    if fresh.identity().public != identity.public:
        raise Conflict("another player's home lies here", hint="choose an empty folder with PBEM_HOME")
    if known.moves <= here.moves and not nowhere_else:
        raise Conflict(
            "this is the file with which the home was moved away from here, or an older one",
            hint="move it back: pbem home move where it is used; if it was opened nowhere: --nowhere-else",
        )


def _take_place(fresh: Path, folder: Path) -> Path | None:
    """Put the unpacked home in its place; where the closed home lies now that was there."""
    kept = None
    try:
        if folder.is_dir() and any(path.name == "identity.pem" for path in folder.iterdir()):
            kept = next(path for number in range(1, 1000) if not (path := _beside(folder, number)).exists())
            os.rename(folder, kept)
        elif folder.is_dir():
            for name in folder.iterdir():
                shutil.rmtree(name, ignore_errors=True) if name.is_dir() else name.unlink()
            folder.rmdir()
        try:
            os.rename(fresh, folder)
        except OSError:
            if kept is not None:
                with contextlib.suppress(OSError):
                    os.rename(kept, folder)
            raise
    except OSError as error:
        what = f"cannot put the home into {files.shown(folder)}: {error.strerror}"
        raise Usage(what, hint="check PBEM_HOME and the folder it lies in") from error
    return kept


def _beside(folder: Path, number: int) -> Path:
    return folder.with_name(f"{folder.name}-closed-{number}")


def keep(home: Home, *, nowhere_else: bool) -> None:
    """The home goes on being used here: one that was closed for a move that came to nothing, or a copy in whose place
    nothing else is used. Raises `Usage` unless the player says so."""
    home.identity()
    if not nowhere_else:
        hint = "if it is so: pbem home keep --nowhere-else"
        raise Usage("a home is used in one place: say that you use it nowhere else", hint=hint)
    place.settle(home.folder)


def _is_within(path: Path, folder: Path) -> bool:
    return folder.resolve() in path.resolve().parents
