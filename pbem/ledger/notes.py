"""The notes of a game: sealed while they wait for their author's root, checked and read when it
comes.

docs/format.md, section 16.
"""

from __future__ import annotations

from typing import NamedTuple

from engine.flow import Seat
from pbem.crypto import notes
from pbem.crypto.notes import COMMITMENT_SIZE, SIZES, NotePlace
from pbem.errors import Forged, Malformed, RulesBroken, failing_as
from pbem.fileformat.turnfile import Entry


class SealedNote(NamedTuple):
    """A note as its entry holds it."""

    number: int
    seat: Seat
    place: NotePlace
    note: bytes


class Notes:
    """The notes of a game. `texts` are those of seats whose root is revealed, by the number of
    their entry; one that is no text is empty."""

    def __init__(self) -> None:
        self.sealed: list[SealedNote] = []
        self.texts: dict[int, str] = {}

    def take(self, entry: Entry, seat: Seat, game_id: bytes, *, allowed: bool) -> None:
        """Remember the note of an entry, if it holds one; `allowed`: its seat will reveal a root,
        and this is not its first entry. Raises `Malformed` or `RulesBroken`."""
        if "note" not in entry.fields:
            return
        if not allowed:
            raise RulesBroken(
                "a note stands in a later entry of a seat that reveals a root when the game is over"
            )
        size = len(entry.text("note")) // 4 * 3
        if size - COMMITMENT_SIZE not in SIZES:
            raise Malformed("a note has 288, 1056 or 4128 bytes", where=entry.where)
        place = NotePlace(game_id, entry.seat, entry.before, entry.blob("nonce", 32))
        self.sealed.append(SealedNote(entry.number, seat, place, entry.blob("note", size)))

    @failing_as("note")
    def reveal(self, seat: Seat, root: bytes) -> None:
        """Read all notes of a seat from its root. Raises `Forged` if one of them is not what the
        root gives."""
        for one in self.sealed:
            if one.seat == seat and one.number not in self.texts:
                padded = notes.unseal(root, one.place, one.note)
                if padded is None:
                    raise Forged(f"the root does not give the note of entry {one.number}")
                self.texts[one.number] = notes.text_of(padded)

    def read_own(self, seat: Seat, root: bytes) -> dict[int, str]:
        """The notes of a seat, for its player, who has the root; what is not theirs is left out."""
        own = (
            (one.number, notes.unseal(root, one.place, one.note))
            for one in self.sealed
            if one.seat == seat
        )
        return {number: notes.text_of(padded) for number, padded in own if padded is not None}
