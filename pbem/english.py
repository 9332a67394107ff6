"""English for numbers and lists: shared by the templates and by what commands print themselves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable


def counted(number: int, one: str, many: str = "") -> str:
    """`1 entry`, `2 entries`."""
    return f"{number} {one}" if number == 1 else f"{number} {many or one + 's'}"


def tallied(things: Iterable[str]) -> list[str]:
    """`2 × ace`, `king`: in alphabetical order, equal ones once."""
    return [name if number == 1 else f"{number} × {name}" for name, number in sorted(Counter(things).items())]


def listed(things: Iterable[object]) -> str:
    """`first`, `first and second`, `first, second and third`."""
    *others, last = [str(thing) for thing in things] or [""]
    return f"{', '.join(others)} and {last}" if others else last
