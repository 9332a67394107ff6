"""What an entry is to the referee, whether it stands in a file (`pbem.ledger.file_entry`) or is
being written (`pbem.turn.draft_entry`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from engine.flow import Answer, Ask, Card, Handle, Seal, Seat
from engine.orders import Order
from engine.rules import Game
from pbem.ledger.sealed_choices import Commitment, OpenedChoice, SealedChoice

if TYPE_CHECKING:
    from pbem.ledger.common_deck import EntryPart  # only a game with a common deck needs it


class NotInEntry(Exception):
    """Not an error: the rules wait for something that the present entry does not hold."""


class Nothing:
    """No entry: what the rules can go on with is what everybody computes (docs/format.md, section
    8)."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.seat = -1
        self.draw = ""
        self.resigns = False

    @property
    def common(self) -> EntryPart:
        raise AssertionError("nobody shuffles or gives shares here")

    def proof(self, alpha: bytes) -> bytes | None:
        return None

    def opening(self, handle: Handle) -> tuple[Card, bytes] | None:
        return None

    def seals(self, seal: Seal) -> tuple[bytes, ...] | None:
        return None

    def answer(self, position: Game, ask: Ask) -> Answer | None:
        return None

    def choice(self, position: Game, ask: Ask) -> Commitment | None:
        return None

    def chosen(self, choice: SealedChoice) -> OpenedChoice | None:
        return None

    def orders(self) -> list[Order]:
        return []

    def root(self) -> bytes | None:
        return None


class EntrySource(Protocol):
    """What one entry holds, asked for piece by piece; None where it holds no such thing. `draw` is
    what it says of a draw ("offer", "accept", "decline" or nothing), `resigns` whether its seat
    resigns. An answer is asked for at a `position` of the game."""

    number: int
    seat: Seat
    draw: str
    resigns: bool

    @property
    def common(self) -> EntryPart: ...

    def proof(self, alpha: bytes) -> bytes | None: ...

    def opening(self, handle: Handle) -> tuple[Card, bytes] | None: ...

    def seals(self, seal: Seal) -> tuple[bytes, ...] | None: ...

    def answer(self, position: Game, ask: Ask) -> Answer | None: ...

    def choice(self, position: Game, ask: Ask) -> Commitment | None: ...

    def chosen(self, choice: SealedChoice) -> OpenedChoice | None: ...

    def orders(self) -> list[Order]: ...

    def root(self) -> bytes | None: ...
