"""Opens a home that was packed elsewhere: it is unpacked beside its place, and takes the place in
one step once it is whole. A home that was moved is in use from then on; one out of a backup signs
nothing until its player confirms it."""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pbem import files
from pbem.errors import Conflict, Do, Malformed, Typed, Usage
from pbem.home import home_pack, place
from pbem.home.game_index import GAME
from pbem.home.home import KEY_FILE, Home, ask_passphrase
from pbem.home.identity import Identity, is_encrypted, read_pem, write_pem
from pbem.home.make_identity import new_passphrase
from pbem.home.memory import Memory
from pbem.home.place import Place
from pbem.home.store import StateFile

_LEFT_OVER = ("cache", "checked.bin", "contacts.lock")
"""Files of a folder in which nobody plays that do not count, besides leftovers of killed processes:
they are made anew anywhere."""
_ELSEWHERE = ("nothing was changed here", Typed("choose an empty folder with PBEM_HOME"))
_MAIL = StateFile("mail.toml", dict[str, Any], 100_000)
_HEARTBEAT = re.compile(rb"(?m)^[ \t]*heartbeat[ \t]*=")
NewPassphrase = Callable[[], str]
"""Asks for the passphrase of a key file."""


def open_file(
    home: Home, source: Path, *, nowhere_else: bool = False, protect: bool = False
) -> Path | None:
    """Open the packed home in a file (`open_packed`), as text or not; `protect`: its key gets a
    passphrase here even if it had none."""
    closed = _out_of_use(home)
    data = home_pack.out_of_text(files.read_bytes(source, home_pack.MAX_ARCHIVE + 1000))
    home_pack.kind_of(data)
    passphrase = ask_passphrase("Passphrase of the file: ")

    def ask() -> str:
        if protect:
            return new_passphrase("New passphrase for the key here: ")
        return new_passphrase("New passphrase for the key here (empty: none): ", if_none="")

    return _open(
        home, data, passphrase, closed, nowhere_else=nowhere_else, ask=ask, protect=protect
    )


def open_packed(
    home: Home,
    data: bytes,
    passphrase: str,
    *,
    nowhere_else: bool = False,
    ask: NewPassphrase | None = None,
) -> Path | None:
    """Unpack a home into the folder of this one: nobody plays in it yet, or it was moved away, or
    put back from a backup and not confirmed. Returns where the home that was there lies now, if
    there was one. `nowhere_else`: the player says that a moved home was opened nowhere before.
    `ask` gives the passphrase of a key that had one; None where no key file can have one. Raises
    `Conflict` if somebody plays here, if what is opened is as old as the move that closed this
    home, or if it has signed another version of a turn than that home."""
    return _open(
        home, data, passphrase, _out_of_use(home), nowhere_else=nowhere_else, ask=ask, protect=False
    )


def _open(
    home: Home,
    data: bytes,
    passphrase: str,
    closed: tuple[Place, Identity] | None,
    *,
    nowhere_else: bool,
    ask: NewPassphrase | None,
    protect: bool,
) -> Path | None:
    is_backup = home_pack.kind_of(data) == home_pack.BACKUP
    packed = home_pack.decrypt(data, passphrase)
    fresh = Home(_folder_beside(home.folder))
    try:
        known, pem = _unpack(fresh.folder, packed, is_backup=is_backup)
        fresh.unlocked = pem, read_pem(pem)
        if closed is not None:
            _check(fresh.unlocked[1], known, closed, nowhere_else=nowhere_else)
            # whatever was signed here counts in the home that comes in this place, perhaps an older
            # one
            for folder in files.listed(home.folder / "games"):
                if GAME.match(folder.name):
                    game = bytes.fromhex(folder.name)
                    Memory(fresh, game).take_over(Memory(home, game))
        if ask is not None and (known.locked or protect):
            pem = write_pem(fresh.unlocked[1], ask())
        files.write_new(fresh.folder / KEY_FILE, pem, mode=0o600)
        place.settle(fresh.folder, restored=known.restored, locked=known.locked and ask is None)
        files.sync_all()
        kept = _take_place(fresh.folder, home.folder)
    finally:
        shutil.rmtree(fresh.folder, ignore_errors=True)
    home.unlocked = pem, fresh.unlocked[1]
    return kept


def _folder_beside(folder: Path) -> Path:
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        fresh = folder.parent / f".pbem-home-{secrets.token_hex(8)}"
        fresh.mkdir(mode=0o700)
    except OSError as error:
        what = f"cannot write to {files.printable(folder.parent)}: {error.strerror}"
        raise Usage(what, hint=Typed("check PBEM_HOME")) from error
    return fresh


def _unpack(fresh: Path, packed: bytes, *, is_backup: bool) -> tuple[Place, bytes]:
    """Write what is packed into a folder, without the key file. Returns what the home knows of
    itself, and the key file: if it is to get a passphrase, it never lies on the disk without.
    Raises `Malformed` if this is no home."""
    pem = b""
    for one in home_pack.unpack(packed):
        if one.name == KEY_FILE:
            pem = one.data[:10_000]
        elif one.name.casefold() == _MAIL.name:
            home_pack.write_below(fresh, one._replace(data=_without_heartbeat(one.data)))
        else:
            home_pack.write_below(fresh, one)
    known = place.read(fresh)
    if (
        not pem
        or is_encrypted(pem)
        or known is None
        or known.closed
        or bool(known.restored) != is_backup
    ):
        raise Malformed("what is packed in it is no home", hint="nothing was unpacked")
    return known, pem


def _without_heartbeat(data: bytes) -> bytes:
    """A packed mail.toml without the address that `pbem watch` fetches: by it whoever packed the
    home could learn where and when it is used. The line stays as a comment."""
    data = _HEARTBEAT.sub(
        rb"# from a packed home, unused until you take these words away: \g<0>", data
    )
    try:
        table = _MAIL.decode(data)
    except ValueError:  # no TOML: its player is told so, and mends it by hand
        return data
    others = {key: value for key, value in table.items() if key != "heartbeat"}
    return data if others == table else _MAIL.encode(others)


def _out_of_use(home: Home) -> tuple[Place, Identity] | None:
    """The home here, if it signs nothing because it was moved away or is an unconfirmed backup;
    None if nobody has played here. Raises `Conflict` if somebody plays here."""
    home.check()
    if home.has_identity():
        known = place.read(home.folder)
        if known is None or not (known.closed or known.restored):
            what = "this home is in use, and another one cannot take its place"
            raise Conflict(what, hint=_ELSEWHERE)
        return known, home.identity()
    found = files.listed(home.folder)
    if other := [
        path for path in found if path.name not in _LEFT_OVER and not path.name.startswith(".pbem-")
    ]:
        raise Conflict(f"{files.printable(other[0])} lies there already", hint=_ELSEWHERE)
    return None


def _check(
    seed: bytes, known: Place, closed: tuple[Place, Identity], *, nowhere_else: bool
) -> None:
    """Raise `Conflict` if the unpacked home with this key may not take the place of the one that
    was closed here."""
    here, identity = closed
    if Identity("", "", seed).public != identity.public:
        raise Conflict("another player's home lies here", hint=_ELSEWHERE)
    if known.moves <= here.moves and not known.restored and not nowhere_else:
        raise Conflict(
            "this is the file with which the home was moved away from here, or an older one",
            hint=(
                "nothing was changed",
                "move it back from where it is used",
                Typed("if it was opened nowhere: --nowhere-else"),
            ),
        )


def _take_place(fresh: Path, folder: Path) -> Path | None:
    """Put the unpacked home in its place. Returns where the closed home lies now that was there."""
    kept = None
    try:
        if folder.is_dir() and any(path.name == KEY_FILE for path in folder.iterdir()):
            names = (f"{folder.name}-closed-{number}" for number in range(1, 1000))
            kept = next(path for name in names if not (path := folder.with_name(name)).exists())
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
        what = f"cannot put the home into {files.printable(folder)}: {error.strerror}"
        raise Usage(what, hint=Typed("check PBEM_HOME and the folder it lies in")) from error
    return kept


def keep(home: Home, *, nowhere_else: bool) -> None:
    """Go on using this home here: after a move that came to nothing, for a copy in whose place
    nothing else is used, or for one that was put back from a backup if nothing newer was signed.
    Raises `Usage` unless the player says so."""
    home.identity()
    if not nowhere_else:
        hint = Do("home keep", "--nowhere-else", when="if it is so")
        raise Usage("a home is used in one place: say that you use it nowhere else", hint=hint)
    place.settle(home.folder)
