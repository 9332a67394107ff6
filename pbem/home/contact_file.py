"""The file `contacts.toml` of a home: the players it knows, in the order in which they were met."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

import msgspec

from pbem.crypto import group
from pbem.errors import Usage
from pbem.fileformat.encoding import fingerprint, unb64
from pbem.home.home import check_line
from pbem.home.store import StateFile

_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}\Z")
_GAME = re.compile(r"[0-9a-f]{32}\Z")


class Contact(msgspec.Struct, frozen=True, omit_defaults=True):
    """A key that this home knows: the name and address it was first met with, the day of that, the
    day on which the player compared the fingerprint (empty: never), and the games they share, each
    by 32 digits of its id."""

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
    hint = "ask its owner for it; pbem id shows it to them"
    try:
        key = unb64(text, 32)
    except ValueError as error:
        raise Usage(f'"{text[:60]}" is no public key', hint=hint) from error
    if not group.is_point(key):
        raise Usage(f'"{text[:60]}" is no public key', hint=hint)
    return key


class _Contacts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The tables of the file. Raises `ValueError` or `Usage` where one of them is no contact."""

    contact: tuple[Contact, ...] = ()

    def __post_init__(self) -> None:
        for one in self.contact:
            check_line(one.name, "name", 80)
            check_line(one.mail, "mail address", 200)
            if not group.is_point(one.key):
                raise ValueError("no public key")
            if not all(map(_DATE.match, [one.met, one.compared or one.met])) or not all(
                map(_GAME.match, one.games)
            ):
                raise ValueError("a date or a game")


_FILE = StateFile(
    "contacts.toml",
    _Contacts,
    largest=2_000_000,
    damage="the contacts cannot be read",
    hint=(
        "restore it from your copy, or move it away; pbem contacts makes it anew, without what you"
        " compared"
    ),
)


def read(folder: Path) -> dict[bytes, Contact]:
    """The contacts of a home by their keys. Raises `Damaged`."""
    kept = _FILE.read(folder) or _Contacts()
    return {one.key: one for one in kept.contact}


def write(folder: Path, contacts: Iterable[Contact]) -> None:
    """Raises `Usage`."""
    _FILE.write(folder, _Contacts(tuple(contacts)))
