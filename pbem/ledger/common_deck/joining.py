"""The pile of a common deck while seats join: each first entry adds the seat's key to it and shuffles.

docs/format.md, section 13, "Joining and shuffling in one entry". The pile begins without a key, so that everybody sees
it is the right deck; the seats follow each other in the order of joining, and each proves its step. Nothing is drawn
before the last seat has joined (`pbem.ledger.common_deck.deck`).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple, Protocol

from engine.cards import Deck
from engine.flow import Seat
from pbem import FORMAT
from pbem.crypto import elgamal, shuffle_proof
from pbem.crypto.elgamal import Pair
from pbem.crypto.group import IDENTITY, ProofError, read_point
from pbem.crypto.sealed_box import check_box_key
from pbem.crypto.shuffle_proof import ShuffleStep
from pbem.errors import Forged
from pbem.ledger.verifier import Verifier


class DeckKeys(NamedTuple):
    """What a seat's first entry holds for the common deck: its part of the joint key, and its key for boxes (empty
    for a seat without a partner)."""

    key: bytes
    box: bytes


class JoinPart(Protocol):
    """What a first entry holds for the common deck. `before` is the digest of the file before that entry."""

    before: bytes

    def layer(self, step: ShuffleStep) -> tuple[bytes, bytes]:
        """The pile that the seat makes of the one it found, and the proof."""


class Joined(NamedTuple):
    """A layer and a shuffle that were proven: what the seat started from, and the pile it made."""

    seat: Seat
    step: ShuffleStep
    after: tuple[Pair, ...]


class Layers:
    """The pile of one game from entry 0 to the last join."""

    def __init__(
        self, game_id: bytes, seats: Sequence[str], deck: Deck, names: Sequence[str], verifier: Verifier
    ) -> None:
        self.game_id = game_id
        self._verifier = verifier
        self.seats = tuple(seats)
        self.keys: dict[Seat, DeckKeys] = {}
        self.joined: list[Joined] = []
        self.joint = IDENTITY
        self.pile = _starting_pile(tuple(names[card] for card in deck.contents))

    def context(self, before: bytes, seat: Seat, what: bytes) -> bytes:
        """What a proof of this seat is bound to in the entry after a file with the digest `before`."""
        return elgamal.context(FORMAT.encode(), self.game_id, before, self.seats[seat].encode(), what)

    def join(self, seat: Seat, keys: DeckKeys, part: JoinPart) -> None:
        """The next seat adds its key and shuffles. Raises `Forged`."""
        try:
            read_point(keys.key, "the key")
            if keys.box:
                check_box_key(keys.box)
            step = ShuffleStep(self.context(part.before, seat, b"shuffle"), keys.key, self.joint, self.pile)
            joint = step.joint
        except ProofError as error:
            raise Forged(f"the key for the common deck: {error}") from error
        data, proof = part.layer(step)
        try:
            after = _read_pile(data, len(self.pile))
            statement = (b"shuffle", *step.parts(), elgamal.write_pile(after), proof)
            self._verifier.once(statement, lambda: shuffle_proof.verify(step, after, proof))
        except ProofError as error:
            raise Forged(f"the shuffle: {error}") from error
        self.joined.append(Joined(seat, step, after))
        self.keys[seat], self.joint, self.pile = keys, joint, after


@lru_cache(maxsize=16)
def _starting_pile(names: tuple[str, ...]) -> tuple[Pair, ...]:
    return tuple(elgamal.starting_pile(names))


@lru_cache(maxsize=64)
def _read_pile(data: bytes, size: int) -> tuple[Pair, ...]:
    return tuple(elgamal.read_pile(data, size))
