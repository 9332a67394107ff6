"""What a player means to write with their next entry, before anything is checked or signed."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Intent:
    """What goes into an entry besides what it holds anyway, said on a command line, in a led turn
    or at the table, and kept in the home while it is tried.

    `answers` and `orders` are in the player's words, `message` goes to the others. `draw` is
    "offer", "accept", "decline", "answer" (accept the offer that stands, or make one) or nothing.
    What decides nothing (docs/format.md, 15 and 16): a private `note`, the last day of an absence
    in `leave` (`2026-12-31`), and in `grant` days for the others on the clock; empty or 0 where
    there is none."""

    answers: tuple[str, ...] = ()
    orders: tuple[str, ...] = ()
    message: str = ""
    draw: str = ""
    resign: bool = False
    note: str = ""
    leave: str = ""
    grant: int = 0

    def is_empty(self) -> bool:
        """Whether the player has said nothing yet."""
        return self == Intent()
