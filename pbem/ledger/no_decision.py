"""Which entries decide nothing: what they hold was settled by earlier entries and by keys (docs/format.md, section 6).

Such an entry can be written by a program alone (`pbem.watch`), and `pbem simulate --by-mail` counts them.
"""

from __future__ import annotations

from collections.abc import Iterable

ALLOWED = frozenset(
    ("seat", "date", "nonce", "received", "proof", "openings", "chosen", "shares", "box", "root", "end", "position"),
)
"""The fields of an entry that decides nothing. Every other field is a decision, or words of a player: a first entry,
answers, choices, orders, seals (due or ahead), a draw, a resignation, leave, a message."""


def decides_nothing(fields: Iterable[str]) -> bool:
    """Whether an entry with these fields, empty ones left out, decides nothing."""
    return ALLOWED.issuperset(fields)
