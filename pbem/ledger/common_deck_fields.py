"""What an entry of a file holds for the common deck: its fields to bytes and back, in one spelling.

docs/format.md, section 13. Two fields are long and stand as lists of lines of 960 characters:
`pile` and `shuffle`, in a first entry as are `elgamal` and `boxkey`. The others are one line, in
any entry: `shares`, `box` and `decryption`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from engine.cards import Deck, write_handle
from engine.flow import Handle, Seat
from engine.rules import Rules, Settings
from pbem.crypto.group import SIZE
from pbem.errors import Malformed, RulesBroken
from pbem.fileformat.encoding import b64, unb64
from pbem.fileformat.turnfile import Entry
from pbem.games.registry import common_index, partners

if TYPE_CHECKING:
    from pbem.crypto.shuffle_proof import ShuffleStep
    from pbem.ledger.common_deck import CommonDeck, DeckKeys

KEY_FIELDS = ("elgamal", "boxkey", "pile", "shuffle")
"""What a first entry holds for the common deck, `boxkey` only where the seat has a partner."""
_ROW = 720
"""Bytes in one line of a long field."""


def write_rows(data: bytes) -> list[str]:
    """A long field as lines."""
    return [b64(data[start : start + _ROW]) for start in range(0, len(data), _ROW)]


def read_rows(texts: Sequence[str], where: str, name: str) -> bytes:
    """The opposite of `write_rows`. Raises `Malformed`."""
    try:
        data = b"".join(unb64(text) for text in texts)
    except ValueError as error:
        raise Malformed(f"{name}: {error}", where=where) from error
    if write_rows(data) != list(texts):
        raise Malformed(f"{name}: not in lines of {_ROW} bytes", where=where)
    return data


def read_keys(
    entry: Entry, rules: Rules, settings: Settings, decks: Sequence[Deck], seat: Seat
) -> DeckKeys | None:
    """The keys for the common deck in a seat's first entry, not checked yet (`Layers.join`); None
    in a game without such a deck. Raises `Malformed` or `RulesBroken`.
    """
    given = [name for name in KEY_FIELDS if name in entry.fields]
    needed: list[str] = []
    if common_index(decks) is not None:
        needed = [
            name for name in KEY_FIELDS if name != "boxkey" or partners(rules, settings, seat)
        ]
    if given != needed:
        raise RulesBroken(
            "a first entry of this game holds for the common deck:"
            f" {', '.join(needed) or 'nothing'}"
        )
    if not needed:
        return None
    from pbem.ledger.common_deck import DeckKeys  # only a game with a common deck needs it

    return DeckKeys(
        entry.blob("elgamal", SIZE), entry.blob("boxkey", SIZE) if "boxkey" in given else b""
    )


class CommonDeckFields:
    """What one entry of a file holds for the common deck."""

    def __init__(self, entry: Entry, where: str) -> None:
        self.before = entry.before
        self._where = where
        self._entry = entry
        self._left = [name for name in ("shares", "box", "decryption") if name in entry.fields]

    def layer(self, step: ShuffleStep) -> tuple[bytes, bytes]:
        """The new pile and its proof. Raises `Malformed`."""
        pile, proof = (
            read_rows(self._entry.list(name), self._where, name) for name in ("pile", "shuffle")
        )
        return pile, proof

    def shares(
        self, deck: CommonDeck, owed: Sequence[Handle], opened: Sequence[Handle]
    ) -> tuple[list[bytes], bytes]:
        """Exactly the shares that are owed, and the proof. Raises `RulesBroken` if there are more
        or fewer."""
        # only a game with a common deck needs it
        from pbem.crypto.decryption_shares import SHARES_PROOF_SIZE

        text = self._entry.text("shares")
        if not self._take("shares", [text]):
            backs = ", ".join(write_handle(deck.decks, handle) for handle in (*owed, *opened))
            raise RulesBroken(f"the shares or their proof are left out, for {backs}")
        data = _blob(text, self._where, "shares")
        points = [
            data[start : start + SIZE] for start in range(0, len(data) - SHARES_PROOF_SIZE, SIZE)
        ]
        if len(data) != SIZE * len(owed) + SHARES_PROOF_SIZE:
            backs = ", ".join(write_handle(deck.decks, handle) for handle in owed) or "none"
            raise RulesBroken(f"{len(points)} shares where {len(owed)} are owed: {backs}")
        return points, data[-SHARES_PROOF_SIZE:]

    def boxes(
        self, deck: CommonDeck, handles: Sequence[Handle], partners: Sequence[Seat]
    ) -> list[bytes]:
        """A box for each partner, one after the other. Raises `RulesBroken`."""
        from pbem.crypto.sealed_box import box_size  # only a game with a common deck needs it

        text = self._entry.text("box")
        if not self._take("box", [text]):
            raise RulesBroken("the box that shows the partner what was drawn is left out")
        data, size = _blob(text, self._where, "box"), box_size(len(handles))
        if len(data) != size * len(partners):
            raise RulesBroken(
                f"a box of {len(data)} bytes where {len(handles)} cards are to be shown"
            )
        return [data[start : start + size] for start in range(0, len(data), size)]

    def decryption(self) -> bytes:
        """The secret key of a seat that leaves. Raises `RulesBroken` or `Malformed`."""
        if not self._take("decryption", [self._entry.text("decryption")]):
            raise RulesBroken("the decryption key of the seat that leaves is left out")
        return self._entry.blob("decryption", SIZE)

    def check_all_used(self) -> None:
        """Raise `RulesBroken` if something is left that was not owed."""
        if self._left:
            what = {"shares": "shares that are", "box": "a box that is"}.get(
                self._left[0], "a decryption key that is"
            )
            raise RulesBroken(f"{what} not owed", where=self._where, layer="share")

    def _take(self, name: str, value: list[str]) -> list[str]:
        if name not in self._left:
            return []
        self._left.remove(name)
        return value


def _blob(text: str, where: str, name: str) -> bytes:
    try:
        return unb64(text)
    except ValueError as error:
        raise Malformed(f"{name}: {error}", where=where) from error
