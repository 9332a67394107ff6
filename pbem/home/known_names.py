"""Compares the names in turn files with the keys that a home knows, wherever names are shown
(docs/trust.md). Also what `pbem contacts` lists, and opponents who are named as contacts."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pbem.english import counted
from pbem.errors import Damaged, Do, PbemError, Usage
from pbem.fileformat.encoding import b64, fingerprint, unb64
from pbem.home.clock import today
from pbem.home.contacts import Contact, Contacts, Met, public_key
from pbem.home.game_index import game_folders
from pbem.home.home import Home
from pbem.home.identity import is_encrypted
from pbem.home.shelf import shelf_of
from pbem.ledger.invitation import id_of_game

if TYPE_CHECKING:
    from pbem.fileformat.turnfile import Entry, TurnFile
    from pbem.home.identity import Identity


def players_of(entries: Sequence[Entry]) -> list[Met]:
    """Everybody who has joined, by the first entries of a verified file."""
    first = (entry for entry in entries if "key" in entry.fields)
    return [Met(entry.text("name"), entry.text("mail"), entry.blob("key", 32)) for entry in first]


@dataclass(frozen=True)
class KnownKeys:
    """What a home knows of keys, by fingerprint: its own, and the days on which others were
    compared."""

    own: str
    compared: Mapping[str, str]

    def of(self, fingerprint: str) -> str:
        """What is known of a key, in words."""
        if fingerprint == self.own:
            return "your own key"
        day = self.compared.get(fingerprint)
        return f"you compared this key on {day}" if day else "you have never compared this key"


def known_keys(home: Home) -> KnownKeys | None:
    """What this home knows of keys; nothing for a home without a key, or whose passphrase would
    have to be asked for."""
    own = identity_at_hand(home)
    return None if own is None else keys_of(own, Names(home, own).compared)


def identity_at_hand(home: Home) -> Identity | None:
    """The player of this home; nothing for a home without a key, or whose passphrase would have to
    be asked for."""
    with contextlib.suppress(PbemError):
        if home.has_identity() and (home.unlocked is not None or not is_encrypted(home.key_pem())):
            return home.identity()
    return None


def keys_of(own: Identity, compared: Mapping[str, str]) -> KnownKeys:
    """What a player knows of keys: their own, and those in base64 that they compared on these
    days."""
    return KnownKeys(
        fingerprint(own.public), {fingerprint(unb64(key)): day for key, day in compared.items()}
    )


class Names:
    """Compares the names in files with the keys that a home knows. `problem` says why it cannot."""

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
        """What to tell the player of the names in a verified file."""
        if self._contacts is None:
            return []
        return [str(doubt) for doubt in self._contacts.doubts(players_of(file.entries), self._own)]

    def remember(self, file: TurnFile) -> None:
        """Remember the players of a game in which the home's player has a seat."""
        if self._contacts is None:
            return
        others = [met for met in players_of(file.entries) if met.key != self._own.public]
        with contextlib.suppress(Usage):  # a full disk keeps nobody from playing
            game = id_of_game(file.entries[0]).hex()[:32]
            self._contacts.meet(game, others, today())


def from_games(home: Home) -> Contacts:
    """The contacts of a home, with everybody whom its games hold. Raises `Usage`."""
    own, contacts = home.identity().public, Contacts(home)
    for folder in game_folders(home):
        shelf = shelf_of(folder)
        players = [] if shelf is None else players_of(shelf.file.entries)
        if own in [met.key for met in players]:
            contacts.meet(folder.name, [met for met in players if met.key != own], today())
    return contacts


def opponents_of(home: Home, texts: Sequence[str]) -> tuple[list[str], list[str]]:
    """The public keys of players who are given by key or as contacts, and what to tell about the
    contacts. Raises `Usage` or `Refused`."""
    keys, notes = [], []
    for who in texts:
        try:
            keys.append(b64(public_key(who)))
            continue
        except Usage:
            known = from_games(home)
        if not known.is_known(who):
            hint = (
                "ask them for it",
                Do("id", does="shows everybody their own"),
                Do("contacts", does="lists those you know"),
            )
            raise Usage(f'"{who[:60]}" is no public key, and nobody you know', hint=hint)
        one = known.find(who)
        keys.append(b64(one.key))
        how = f"compared on {one.compared}" if one.compared else "which you never compared"
        notes.append(f"the seat is kept for {one.name}, fingerprint {one.fingerprint}, {how}")
    return keys, notes


@dataclass(frozen=True)
class ContactFacts:
    """A player this home knows: the key in base64, the days on which they were met and their
    fingerprint was compared (null: never), the number of games shared, and what is wrong where the
    name or address is known with another key (empty: nothing)."""

    name: str
    mail: str | None
    key: str
    fingerprint: str
    met: str
    compared: str | None
    games: int
    doubt: str


@dataclass(frozen=True)
class ContactList:
    """The players this home knows, in the order in which they were met; or the one that the command
    was about."""

    contacts: Sequence[ContactFacts]


def contact_facts(one: Contact, known: Contacts) -> ContactFacts:
    """What `pbem contacts` tells of one contact."""
    doubts = known.doubts([Met(one.name, one.mail, one.key)])
    return ContactFacts(
        name=one.name,
        mail=one.mail or None,
        key=b64(one.key),
        fingerprint=one.fingerprint,
        met=one.met,
        compared=one.compared or None,
        games=len(one.games),
        doubt=str(doubts[0]) if doubts else "",
    )


def in_words(facts: ContactList, *, is_forgotten: bool = False) -> str:
    """The known players as lines of text."""
    if not facts.contacts:
        return (
            "Nobody yet: whoever you play with is known from then on; pbem contacts NAME --add KEY"
            " enters somebody."
        )
    lines = []
    for one in facts.contacts:
        how = f"compared on {one.compared}" if one.compared else "never compared"
        games = counted(one.games, "game")
        address = f" <{one.mail}>" if one.mail else ""
        lines.append(f"{one.name}{address}{', forgotten' if is_forgotten else ''}")
        lines.append(f"  fingerprint {one.fingerprint}, {how}")
        lines.append(f"  key         {one.key}")
        lines.append(f"  {games}, known since {one.met}")
    return "\n".join(lines)
