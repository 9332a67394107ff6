"""Figures and names as a reader sees them, in a terminal and on a page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pbem.library.chances import LEAST

if TYPE_CHECKING:
    from pbem.library.explore import EndingFacts

_KEY = 8
"""Digits of a key that are enough to tell it from the others at a table."""


def probability(p: float | None) -> str:
    """A p-value, such as `0.034`, `0.00012` or `3e-07`; empty for None."""
    if p is None:
        return ""
    if p <= LEAST:
        return f"< {LEAST:.0e}"
    if p >= 0.1:
        return f"{p:.2f}"
    return f"{p:.2g}" if p >= 0.0001 else f"{p:.0e}"


def percent(part: int, whole: int) -> str:
    """A share, such as `12 %` or `< 1 %`; empty for a share of nothing."""
    if not whole:
        return ""
    return "< 1 %" if 0 < 100 * part < whole else f"{100 * part / whole:.0f} %"


def short_key(key: str) -> str:
    """The first digits of a key."""
    return key[:_KEY]


def whom(name: str, key: str) -> str:
    """A player by name and the first digits of the key, since anybody may take any name."""
    return f"{name} ({short_key(key)})" if name else short_key(key)


def ended_words(ending: EndingFacts) -> str:
    """An ending, in words."""
    if ending.ended is None:
        return "not yet"
    kind = {"rules": "", "draw": "draw agreed", "left": "the others left"}.get(
        ending.ended, ending.ended
    )
    return ": ".join(filter(None, [kind, ending.how]))


def options_words(options: Sequence[str]) -> str:
    """The options of games, in words."""
    return f"with {', '.join(options)}" if options else "without options"
