"""What a player says of their next entry: answers, orders, a message, and what decides nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pbem.turn.extras import Extras

NO_EXTRAS = Extras()


@dataclass(frozen=True)
class Intent:
    """What goes into an entry besides what it holds anyway. `answers` and `orders` are in the player's words; `draw` is
    "offer", "accept", "decline", "answer" (accept the offer that stands, or make one) or nothing."""

    answers: Sequence[str] = ()
    orders: Sequence[str] = ()
    message: str = ""
    draw: str = ""
    resign: bool = False
    extras: Extras = NO_EXTRAS
