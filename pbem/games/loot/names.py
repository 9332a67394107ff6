"""What the boards of Loot call its seats: its players play for themselves, so by their names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

View = Mapping[str, Any]


def name_of(view: View, seat: str) -> str:
    """The name of the player in a seat, where the view has names (`called`); else the seat's own
    word."""
    name: str = view.get("called", {}).get(seat, seat)
    return name


def each(view: View, side: str) -> str:
    """The names of a side, a seat or a pair ("first and third")."""
    return " and ".join(name_of(view, seat) for seat in side.split(" and "))
