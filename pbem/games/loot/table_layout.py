"""What the boards of Loot call its seats: its players play for themselves, so by their names (the
view's `called`), else by the words of their seats (first, second …); and who fights for a ship."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

View = Mapping[str, Any]


def name_of(view: View, seat: str) -> str:
    """The name of the player in a seat, where the view has names (`called`); else the seat's own
    word."""
    name: str = view.get("called", {}).get(seat, seat)
    return name


def each(view: View, side: str) -> str:
    """The names of a side, a seat or a pair ("first and third")."""
    return " and ".join(name_of(view, seat) for seat in side.split(" and "))


Shape: TypeAlias = dict[str, Any]


def fighters(ship: View) -> list[Shape]:
    """One row for each side that attacks, and one for a trump of somebody who has no pirate
    there."""
    rows: list[Shape] = []
    for attacker in ship["attackers"]:
        seats = {pirate["seat"] for pirate in attacker["pirates"]}
        trumps = [
            trump["card"]
            for trump in ship["trumps"]
            if trump["seat"] in attacker["side"].split(" and ")
        ]
        rows.append(
            {**attacker, "pirates": len(attacker["pirates"]), "trumps": trumps, "seats": seats}
        )
    fought = {seat for row in rows for seat in row["side"].split(" and ")}
    for trump in ship["trumps"]:
        if trump["seat"] not in fought:
            rows.append(
                {
                    "side": trump["seat"],
                    "colour": None,
                    "strength": 0,
                    "pirates": 0,
                    "trumps": [trump["card"]],
                }
            )
    return rows
