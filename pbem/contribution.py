"""What an entry is to the referee, whether it stands in a file (`pbem.recorded`) or is being written (`pbem.draft`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from engine.flow import Answer, Ask, Card, Handle, Seal, Seat
from engine.orders import Order

if TYPE_CHECKING:
    from pbem.commondeck import Part
    from pbem.referee import Referee


class Contribution(Protocol):
    """What one entry brings, asked for piece by piece; None where it brings no such thing."""

    number: int
    seat: Seat

    @property
    def common(self) -> Part: ...

    def proof(self, alpha: bytes) -> bytes | None: ...

    def opening(self, handle: Handle) -> tuple[Card, bytes] | None: ...

    def seals(self, seal: Seal) -> tuple[bytes, ...] | None: ...

    def answer(self, referee: Referee, ask: Ask) -> Answer | None: ...

    def orders(self, referee: Referee) -> list[Order]: ...
