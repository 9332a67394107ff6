"""The names in turn files, held against the keys that a home knows, wherever names are shown (docs/trust.md)."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from pbem.errors import Damaged, Usage
from pbem.fileformat.encoding import b64
from pbem.home.clock import today
from pbem.home.contacts import Contacts, Met
from pbem.home.home import Home

if TYPE_CHECKING:
    from pbem.fileformat.entries import Entry, TurnFile
    from pbem.home.identity import Identity


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


def _id_of(file: TurnFile) -> str:
    from pbem.ledger.invitation import game_id_of

    first = file.entries[0]
    return game_id_of(first.blob("key", 32), first.blob("nonce", 32)).hex()[:32]
