"""The names in turn files, held against the keys that a home knows, wherever names are shown
(docs/trust.md)."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pbem.errors import Damaged, PbemError, Usage
from pbem.fileformat.encoding import b64, fingerprint, unb64
from pbem.home.clock import today
from pbem.home.contacts import Contacts, Met
from pbem.home.home import Home
from pbem.home.identity import is_encrypted

if TYPE_CHECKING:
    from pbem.fileformat.turnfile import Entry, TurnFile
    from pbem.home.identity import Identity


def players_of(entries: Sequence[Entry]) -> list[Met]:
    """Everybody who has joined, from the first entries of a verified file."""
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
    """What this home knows of keys; nothing where there is none, or its key is protected by a
    passphrase that would have to be asked for."""
    with contextlib.suppress(PbemError):
        if home.has_identity() and (home.unlocked is not None or not is_encrypted(home.key_pem())):
            own = home.identity()
            return keys_of(own, Names(home, own).compared)
    return None


def keys_of(own: Identity, compared: Mapping[str, str]) -> KnownKeys:
    """What a player knows of keys who compared those in base64 on these days."""
    return KnownKeys(
        fingerprint(own.public), {fingerprint(unb64(key)): day for key, day in compared.items()}
    )


class Names:
    """The names in files, held against the keys that a home knows. `problem` is what keeps it from
    doing so."""

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


def _id_of(file: TurnFile) -> str:
    from pbem.ledger.invitation import game_id_of

    first = file.entries[0]
    return game_id_of(first.blob("key", 32), first.blob("nonce", 32)).hex()[:32]
