"""The players that a home knows, in the order in which they were met (`contacts.toml`): each with
name, key, the day on which the fingerprint was compared, and the games shared.

A name is only what its owner chose; the key is who they are. So a name or an address that comes
with another key than before, or only looks like a known one, is told wherever names are shown
(`pbem.home.known_names`, docs/trust.md). What the games alone do not tell is kept
(`pbem.home.contacts`): whose fingerprint was compared, and who was entered by hand."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec
from msgspec.structs import replace

from pbem.crypto import group
from pbem.english import listed
from pbem.errors import Do, Refused, Usage, advice
from pbem.fileformat.characters import is_same, looks_like, strange_letters
from pbem.fileformat.encoding import b64, fingerprint, unb64
from pbem.home.home import Home, check_line
from pbem.home.identity import as_written_in_mails, mail_address
from pbem.home.store import StateFile
from pbem.lock import Lock

if TYPE_CHECKING:
    from pbem.home.identity import Identity


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
    """The key in a text, as `pbem id` shows it. Raises `Usage`."""
    hint = ("ask its owner for it", Do("id", does="shows it to them"))
    try:
        key = unb64(text, 32)
    except ValueError as error:
        raise Usage(f'"{text[:60]}" is no public key', hint=hint) from error
    if not group.is_point(key):
        raise Usage(f'"{text[:60]}" is no public key', hint=hint)
    return key


class _Contacts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The tables of the file. Raises `ValueError` or `Usage` where one of them is not a contact."""

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
        "restore it from your copy, or move it away",
        Do("contacts", does="makes it anew, without what you compared"),
    ),
)


def read(folder: Path) -> dict[bytes, Contact]:
    """The contacts of a home by their keys. Raises `Damaged`."""
    kept = _FILE.read(folder) or _Contacts()
    return {one.key: one for one in kept.contact}


def write(folder: Path, contacts: Iterable[Contact]) -> None:
    """Raises `Usage`."""
    _FILE.write(folder, _Contacts(tuple(contacts)))


MAX_CONTACTS = 3_000
"""Contacts that are learned from games; more are entered by hand only."""
_LEAST_DIGITS = 5


class Met(NamedTuple):
    """Somebody in a game, as their first entry says: name, mail address (or nothing) and key."""

    name: str
    mail: str
    key: bytes


@dataclass(frozen=True)
class Doubt:
    """A name or an address that came with another key than the one known under it, or under one
    that looks like it. `known` is the contact; None where it is the player's own name."""

    player: Met
    own: Identity | None
    known: Contact | None

    @property
    def key(self) -> bytes:
        """The key that is in doubt."""
        return self.player.key

    def __str__(self) -> str:
        (name, _, key), known = self.player, self.known
        new, looks = fingerprint(key), self._looks()
        if known is None:
            bears = (
                f"only looks like your own name or address{looks}"
                if looks
                else "bears your own name or address"
            )
            return f'ANOTHER KEY: "{name}" {bears}, with a key that is not yours ({new})'
        what = f'"{name}" is not the "{known.name}" you know, or has a new key'
        if looks:
            what = f'"{name}" only looks like the "{known.name}" you know{looks}'
        met = f"known since {known.met}" if known.met else "who plays in this game too"
        since = f"compared on {known.compared}" if known.compared else met
        hint = (
            "ask by telephone before you believe it",
            Do("contacts", "FINGERPRINT", "--compared", when="if it is right"),
        )
        return (
            f"ANOTHER KEY: {what}: fingerprint {new}, not {known.fingerprint} ({since});"
            f" {advice(hint)}"
        )

    def _looks(self) -> str:
        """By which letters a name or address differs from the known one; empty if it is the
        same."""
        known = self.known or self.own
        assert known is not None
        name, mail, _ = self.player
        if is_same(name, known.name) or is_same(mail, known.mail):
            return ""
        is_name = looks_like(name, known.name)
        letters = (
            strange_letters(name, known.name) if is_name else strange_letters(mail, known.mail)
        )
        return (
            f" (it is written with {listed(letters[:3])})"
            if letters
            else " (it is written with other letters)"
        )


class Contacts:
    """The contacts of a home, in the order in which they were met. Raises `Damaged` if
    `contacts.toml` cannot be read; such a file is never overwritten, for it holds what nothing else
    does."""

    def __init__(self, home: Home) -> None:
        self._home = home
        self.known = read(home.folder)

    def find(self, who: str) -> Contact:
        """The one contact of this name, address, key or beginning of a fingerprint. Raises
        `Refused` if there are several, `Usage` if there is none."""
        found = matching(who, self.known.values())
        if not found:
            hint = (
                Do("contacts", does="lists those you know"),
                Do("contacts", "NAME", "--add", "KEY", when="a new one"),
            )
            raise Usage(f'"{who[:60]}" is nobody you know', hint=hint)
        if len(found) > 1:
            several = "; ".join(f"{one.name} {one.fingerprint}" for one in found[:6])
            raise Refused(
                f'{len(found)} contacts fit "{who[:60]}": {several}',
                hint="type the fingerprint's first digits",
            )
        return found[0]

    def is_known(self, who: str) -> bool:
        """Whether this name, address, key or beginning of a fingerprint is that of a contact."""
        return bool(matching(who, self.known.values()))

    def doubts(self, players: Iterable[Met], own: Identity | None = None) -> list[Doubt]:
        """The players of a game whose name or address is known with another key, or looks like one
        that is. With the home's `own` identity: also those who use its name or address, or one that
        looks like it."""
        found: list[Doubt] = []
        beside: list[Contact] = []
        for name, mail, key in players:
            if own is not None and key == own.public:
                continue
            player = Met(name, mail, key)
            if own is not None and _bears(player, own):
                found.append(Doubt(player, own, None))
            elif (known := self._known_before(player, beside)) is not None:
                found.append(Doubt(player, own, known))
            if key not in self.known:
                beside.append(Contact(key, name, mail))
        return found

    def _known_before(self, player: Met, beside: Iterable[Contact]) -> Contact | None:
        """A contact with another key, but the same name or address or one that looks like it, who
        was compared or met before this player. If there is none, such a player who came into the
        same game earlier and is not a contact yet (`beside`). A key whose fingerprint was compared
        is beyond doubt."""
        key = player.key
        mine = self.known.get(key)
        if mine is not None and mine.compared:
            return None
        order = list(self.known)
        before = order.index(key) if mine is not None else len(order)
        namesakes = [
            (place, one)
            for place, one in enumerate(self.known.values())
            if one.key != key and _bears(player, one)
        ]
        earlier = [one for place, one in namesakes if one.compared or place < before]
        earlier += [one for one in beside if one.key != key and _bears(player, one)]
        return next((one for one in earlier if one.compared), earlier[0] if earlier else None)

    def meet(self, game: str, players: Iterable[Met], today: str) -> None:
        """Remember the others of a game that this home's player sits in; `game` are 32 digits of
        its id."""
        new: dict[bytes, Contact] = {}
        for name, mail, key in players:
            mine = self.known.get(key) or Contact(key, name, mail, met=today)
            if game not in mine.games and (
                key in self.known or len(self.known) + len(new) < MAX_CONTACTS
            ):
                new[key] = replace(mine, mail=mine.mail or mail, games=(*mine.games, game))
        if new:
            self._change(
                lambda known: known.update(
                    {key: _merge(known.get(key), one) for key, one in new.items()}
                )
            )

    def add(self, name: str, mail: str, key: str, today: str) -> Contact:
        """Enter somebody by hand; of a key that is known, the name and address. Raises `Usage`."""
        check_line(name, "name", 80)
        if mail := mail.strip():
            mail = mail_address(mail, "as in ben@example.org, or none at all")
        raw = public_key(key)
        before = self.known.get(raw) or Contact(raw, name, mail, met=today)
        return self._put(replace(before, name=name, mail=mail or before.mail))

    def compare(self, who: str, today: str) -> Contact:
        """The player has compared this contact's fingerprint with them."""
        return self._put(replace(self.find(who), compared=today))

    def forget(self, who: str) -> Contact:
        """Remove a contact; they come back when the next of their games is opened."""
        gone = self.find(who)
        self._change(lambda known: known.pop(gone.key, None))
        return gone

    def _put(self, one: Contact) -> Contact:
        self._change(lambda known: known.update({one.key: one}))
        return one

    def _change(self, change: Callable[[dict[bytes, Contact]], object]) -> None:
        """Change what is stored now, which another process may have changed meanwhile. Raises
        `Usage`."""
        self._home.make_folder()
        with Lock(self._home.folder / "contacts.lock"):
            self.known = read(self._home.folder)
            change(self.known)
            write(self._home.folder, self.known.values())


def matching(who: str, contacts: Iterable[Contact]) -> list[Contact]:
    """The contacts with this name, address, key or beginning of a fingerprint."""
    digits = who.replace(" ", "")
    is_fingerprint = digits.isascii() and digits.isdigit() and len(digits) >= _LEAST_DIGITS
    return [
        one
        for one in contacts
        if b64(one.key) == who
        or is_same(one.name, who)
        or is_same(one.mail, as_written_in_mails(who))
        or (is_fingerprint and one.fingerprint.replace(" ", "").startswith(digits))
    ]


def _merge(known: Contact | None, one: Contact) -> Contact:
    """The contacts that were stored meanwhile, with the games that were met now."""
    if known is None:
        return one
    return replace(
        known,
        mail=known.mail or one.mail,
        games=(*known.games, *(game for game in one.games if game not in known.games)),
    )


def _bears(player: Met, known: Contact | Identity) -> bool:
    """Whether somebody's name or address is that of a contact, or looks like it."""
    return looks_like(player.name, known.name) or looks_like(player.mail, known.mail)
