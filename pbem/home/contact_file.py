"""The file `contacts.toml` of a home: the players it knows, in the order in which they were met."""

from __future__ import annotations

import contextlib
import os
import re
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pbem import files
from pbem.crypto import group
from pbem.errors import Damaged, PbemError, Usage
from pbem.fileformat.encoding import b64, fingerprint, unb64
from pbem.home.home import check_line

MAX_FILE = 2_000_000
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}\Z")
_GAME = re.compile(r"[0-9a-f]{32}\Z")


@dataclass(frozen=True)
class Contact:
    """A key that this home knows: the name and address it was first met with, the day of that, the day on which the
    player compared the fingerprint (empty: never), and the games they share, each by 32 digits of its id."""

    key: bytes
    name: str
    mail: str = ""
    met: str = ""
    compared: str = ""
    games: tuple[str, ...] = ()

    @property
    def fingerprint(self) -> str:
        """Thirty digits, to be compared by telephone."""
        return fingerprint(self.key)


def public_key(text: str) -> bytes:
    """The key that `pbem id` shows. Raises `Usage`."""
    hint = "it is what `pbem id` shows its owner"
    try:
        key = unb64(text, 32)
    except ValueError as error:
        raise Usage(f'"{text[:60]}" is no public key', hint=hint) from error
    if not group.is_point(key):
        raise Usage(f'"{text[:60]}" is no public key', hint=hint)
    return key


def read(path: Path) -> Iterator[Contact]:
    """Raises `Damaged`."""
    hint = "restore it from your copy, or move it away: pbem contacts makes it anew, without what you compared"
    try:
        data = files.read_own(path, MAX_FILE) if path.exists() or path.is_symlink() else b""
        table = tomllib.loads(data.decode())
        if set(table) - {"contact"}:
            raise ValueError("another table")
        return iter([_contact(one) for one in table.get("contact", [])])
    except Usage as error:
        raise Damaged(error.what, hint=hint) from error
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError, PbemError) as error:
        raise Damaged("the contacts cannot be read", where=files.shown(path), hint=hint) from error


def _contact(table: dict[str, Any]) -> Contact:
    name, mail = table["name"], table.get("mail", "")
    check_line(name, "name", 80)
    check_line(mail, "mail address", 200)
    met, compared, games = table["met"], table.get("compared", ""), tuple(table.get("games", ()))
    if not _DATE.match(met) or (compared and not _DATE.match(compared)) or not all(map(_GAME.match, games)):
        raise ValueError("a date or a game")
    return Contact(public_key(table["key"]), name, mail, met, compared, games)


def written(contacts: Iterable[Contact]) -> bytes:
    import tomli_w

    tables = []
    for one in contacts:
        table = {"key": b64(one.key), "name": one.name, "mail": one.mail, "met": one.met, "compared": one.compared}
        tables.append({name: text for name, text in table.items() if text} | {"games": list(one.games)})
    return tomli_w.dumps({"contact": tables}).encode()


@contextlib.contextmanager
def locked(path: Path) -> Iterator[None]:
    """One process at a time, where the system has locks."""
    if files.fcntl is None:
        yield
        return
    try:
        with open(path, "ab", opener=lambda name, flags: os.open(name, flags, 0o600)) as handle:
            files.fcntl.flock(handle, files.fcntl.LOCK_EX)
            yield
    except OSError as error:
        raise Usage(f"cannot write {files.shown(path)}: {error.strerror or error}", hint="check the home") from error
