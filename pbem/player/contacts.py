"""The players that a home knows: a key under each name, whether its fingerprint was compared, and the games shared.

A name is only what its owner calls himself; the key is who they are. So a name or an address that comes with another
key than before is told wherever names are shown (docs/trust.md). `contacts.toml` in the home keeps, in the order in
which they were met, what the games alone do not tell: whose fingerprint was compared, and who was entered by hand.
"""

from __future__ import annotations

import contextlib
import os
import re
import tomllib
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from pbem import files
from pbem.crypto import group
from pbem.errors import Damaged, PbemError, Refused, Usage
from pbem.fileformat.encoding import b64, fingerprint, unb64
from pbem.player.home import Home, check_line
from pbem.player.identity import is_mail_address

if TYPE_CHECKING:
    from pbem.fileformat.turnfile import Entry, TurnFile
    from pbem.player.identity import Identity

MAX_FILE = 2_000_000
MAX_CONTACTS = 3_000
"""Contacts that are learned from games; more are entered by hand only."""
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}\Z")
_GAME = re.compile(r"[0-9a-f]{32}\Z")
_LEAST_DIGITS = 5


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


class Met(NamedTuple):
    """Somebody in a game, as their first entry says: name, mail address (or nothing) and key."""

    name: str
    mail: str
    key: bytes


@dataclass(frozen=True)
class Doubt:
    """A name or an address that came with another key than the one known under it. `known` is the contact; None where
    it is the player's own name."""

    name: str
    key: bytes
    known: Contact | None

    def __str__(self) -> str:
        new = fingerprint(self.key)
        if self.known is None:
            return f'ANOTHER KEY: "{self.name}" bears your own name or address, with a key that is not yours ({new})'
        what = f'"{self.name}" is not the "{self.known.name}" you know, or has a new key'
        since = f"compared on {self.known.compared}" if self.known.compared else f"known since {self.known.met}"
        ask = "ask by telephone before you believe it; if it is right: pbem contacts FINGERPRINT --compared"
        return f"ANOTHER KEY: {what}: fingerprint {new}, not {self.known.fingerprint} ({since}); {ask}"


class Contacts:
    """The contacts of a home, in the order in which they were met. Raises `Damaged` where `contacts.toml` cannot be
    read: it holds what nothing else does, and is never written over then."""

    def __init__(self, home: Home) -> None:
        self._home = home
        self.path = home.folder / "contacts.toml"
        self.known: dict[bytes, Contact] = {one.key: one for one in _read(self.path)}

    def find(self, who: str) -> Contact:
        """The one contact of this name, address, key or beginning of a fingerprint. Raises `Refused` if there are
        several, `Usage` if there is none."""
        found = self._fitting(who)
        if not found:
            hint = "pbem contacts lists those you know; a new one: pbem contacts NAME --add KEY"
            raise Usage(f'"{who[:60]}" is nobody you know', hint=hint)
        if len(found) > 1:
            several = "; ".join(f"{one.name} {one.fingerprint}" for one in found[:6])
            raise Refused(
                f'{len(found)} contacts fit "{who[:60]}": {several}', hint="type the fingerprint's first digits"
            )
        return found[0]

    def is_known(self, who: str) -> bool:
        """Whether some contact is meant by this name, address, key or beginning of a fingerprint."""
        return bool(self._fitting(who))

    def _fitting(self, who: str) -> list[Contact]:
        digits = who.replace(" ", "")
        is_fingerprint = digits.isascii() and digits.isdigit() and len(digits) >= _LEAST_DIGITS
        return [
            one
            for one in self.known.values()
            if b64(one.key) == who
            or _is_same(one.name, who)
            or _is_same(one.mail, who)
            or (is_fingerprint and one.fingerprint.replace(" ", "").startswith(digits))
        ]

    def doubts(self, players: Iterable[Met], own: Identity | None = None) -> list[Doubt]:
        """The players of a game whose name or address is known with another key; with the home's `own` identity, also
        those who bear its name or address."""
        found: list[Doubt] = []
        for name, mail, key in players:
            if own is not None and key == own.public:
                continue
            if own is not None and (_is_same(name, own.name) or _is_same(mail, own.mail)):
                found.append(Doubt(name, key, None))
            elif (known := self._known_before(name, mail, key)) is not None:
                found.append(Doubt(name, key, known))
        return found

    def _known_before(self, name: str, mail: str, key: bytes) -> Contact | None:
        """A contact of this name or address, with another key, that was compared or met before this key was. A key
        whose fingerprint was compared is beyond doubt."""
        mine = self.known.get(key)
        if mine is not None and mine.compared:
            return None
        order = list(self.known)
        before = order.index(key) if mine is not None else len(order)
        namesakes = [
            (place, one)
            for place, one in enumerate(self.known.values())
            if one.key != key and (_is_same(one.name, name) or _is_same(one.mail, mail))
        ]
        earlier = [one for place, one in namesakes if one.compared or place < before]
        return next((one for one in earlier if one.compared), earlier[0] if earlier else None)

    def meet(self, game: str, players: Iterable[Met], today: str) -> None:
        """Remember the others of a game that this home's player sits in; `game` are 32 digits of its id."""
        new: dict[bytes, Contact] = {}
        for name, mail, key in players:
            mine = self.known.get(key) or Contact(key, name, mail, met=today)
            if game not in mine.games and (key in self.known or len(self.known) + len(new) < MAX_CONTACTS):
                new[key] = replace(mine, mail=mine.mail or mail, games=(*mine.games, game))
        if new:
            self._change(lambda known: known.update({key: _merged(known.get(key), one) for key, one in new.items()}))

    def add(self, name: str, mail: str, key: str, today: str) -> Contact:
        """Enter somebody by hand; of a key that is known, the name and address. Raises `Usage`."""
        check_line(name, "name", 80)
        if mail and not is_mail_address(mail):
            raise Usage(f'"{mail[:80]}" is no plain mail address', hint="as in ben@example.org, or none at all")
        raw = public_key(key)
        before = self.known.get(raw) or Contact(raw, name, mail, met=today)
        return self._put(replace(before, name=name, mail=mail or before.mail))

    def compare(self, who: str, today: str) -> Contact:
        """The player has compared this contact's fingerprint with them."""
        return self._put(replace(self.find(who), compared=today))

    def forget(self, who: str) -> Contact:
        """Know somebody no longer, until the next of their games is opened."""
        gone = self.find(who)
        self._change(lambda known: known.pop(gone.key, None))
        return gone

    def _put(self, one: Contact) -> Contact:
        self._change(lambda known: known.update({one.key: one}))
        return one

    def _change(self, change: Callable[[dict[bytes, Contact]], object]) -> None:
        """Change what is stored now, which another process may have changed meanwhile. Raises `Usage`."""
        self._home.make_folder()
        with _locked(self._home.folder / "contacts.lock"):
            self.known = {one.key: one for one in _read(self.path)}
            change(self.known)
            files.replace(self.path, _written(self.known.values()))


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


def _merged(known: Contact | None, one: Contact) -> Contact:
    """What was stored meanwhile, with the games that were met now."""
    if known is None:
        return one
    return replace(
        known,
        mail=known.mail or one.mail,
        games=(*known.games, *(game for game in one.games if game not in known.games)),
    )


def _is_same(one: str, other: str) -> bool:
    """Whether two names or addresses are one to the eye that reads them: case, accents written in two ways and blanks
    make no difference."""
    return bool(one) and _folded(one) == _folded(other)


def _folded(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold()).split())


def _read(path: Path) -> Iterator[Contact]:
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


def _written(contacts: Iterable[Contact]) -> bytes:
    import tomli_w

    tables = []
    for one in contacts:
        table = {"key": b64(one.key), "name": one.name, "mail": one.mail, "met": one.met, "compared": one.compared}
        tables.append({name: text for name, text in table.items() if text} | {"games": list(one.games)})
    return tomli_w.dumps({"contact": tables}).encode()


@contextlib.contextmanager
def _locked(path: Path) -> Iterator[None]:
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


def players_of(entries: Sequence[Entry]) -> list[Met]:
    """Everybody who has joined, from the first entries of a verified file."""
    first = (entry for entry in entries if "key" in entry.fields)
    return [Met(entry.text("name"), entry.text("mail"), entry.blob("key", 32)) for entry in first]


class Names:
    """The names in files, held against the keys that a home knows. `problem` is what keeps it from doing so."""

    def __init__(self, home: Home, own: Identity) -> None:
        self._own = own
        self._contacts: Contacts | None = None
        self.problem: Damaged | None = None
        try:
            self._contacts = Contacts(home)
        except Damaged as error:
            self.problem = error

    @property
    def compared(self) -> Mapping[str, str]:
        """The days on which fingerprints were compared, by key in base64."""
        known = self._contacts.known.values() if self._contacts is not None else ()
        return {b64(one.key): one.compared for one in known if one.compared}

    def look(self, file: TurnFile) -> list[str]:
        """What is to be told of the names in a verified file."""
        if self._contacts is None:
            return []
        return [str(doubt) for doubt in self._contacts.doubts(players_of(file.entries), self._own)]

    def remember(self, file: TurnFile) -> None:
        """Know the players of a game that the home's player sits in, from now on."""
        if self._contacts is None:
            return
        others = [met for met in players_of(file.entries) if met.key != self._own.public]
        with contextlib.suppress(Usage):  # a full disk keeps nobody from playing
            self._contacts.meet(_id_of(file), others, today())


def today() -> str:
    """The day on which somebody is met or compared."""
    from pbem.player import sign

    return sign.now()[:10]


def _id_of(file: TurnFile) -> str:
    from pbem.ledger.invitation import game_id_of

    first = file.entries[0]
    return game_id_of(first.blob("key", 32), first.blob("nonce", 32)).hex()[:32]
