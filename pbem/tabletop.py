"""Loot's table laid out for its picture: the ships in play, who fights for them, what everybody has taken.

Only where things go is decided here; `templates/loot/picture.svg.j2` draws them. Seats go by their words (first,
second …), never by the names of players.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

WIDTH = 900
_HEAD, _GAP, _ROW, _TOP = 96, 12, 46, 46
_SEAT_HEIGHT = 92

Facts: TypeAlias = dict[str, Any]


def layout(view: Facts, before: Facts | None, _lines: Iterable[Facts]) -> Facts:
    """Everything the template draws. `before` is the position at the reader's last turn; the story is not needed."""
    seats = _seats(view, before)
    y = max(seat["y"] for seat in seats) + _SEAT_HEIGHT + 2 * _GAP
    ships, bottom = _ships(view, before, y)
    active = view["active"]
    return {
        "width": WIDTH,
        "height": bottom + _GAP,
        "when": view["when"],
        "active": f"{active} to play" if active else "the game is over" if view["points"] else "",
        "pile": view["pile"],
        "discard": len(view["discard"]),
        "seats": seats,
        "ships": ships,
        "empty_at": y + 40,
    }


def _seats(view: Facts, before: Facts | None) -> list[Facts]:
    """A panel for each seat: cards in hand, gold of its side, points once they are counted."""
    count = len(view["seats"])
    columns = {2: 2, 4: 4, 8: 4}.get(count, 3)
    width = (WIDTH - 2 * _GAP - (columns - 1) * _GAP) / columns
    panels: list[Facts] = []
    for number, seat in enumerate(view["seats"]):
        side = number // 2 if view["partners"] else number
        taken = view["captured"][side]
        earlier = taken["gold"] if before is None else before["captured"][side]["gold"]
        panels.append(
            {
                "seat": seat,
                "x": round(_GAP + number % columns * (width + _GAP), 1),
                "y": _HEAD + number // columns * (_SEAT_HEIGHT + _GAP),
                "w": round(width, 1),
                "h": _SEAT_HEIGHT,
                "hand": view["hands"][number]["count"],
                "gold": taken["gold"],
                "taken": len(taken["ships"]),
                "change": taken["gold"] - earlier,
                "points": view["points"][number] if view["points"] else None,
                "active": seat == view["active"],
            }
        )
    return panels


def _ships(view: Facts, before: Facts | None, y: float) -> tuple[list[Facts], float]:
    """The ships two in a row, each row as high as the larger fight in it; and where the last row ends."""
    old = {ship["number"]: ship for ship in before["ships"]} if before is not None else None
    width = (WIDTH - 3 * _GAP) / 2
    shown: list[Facts] = []
    bottom = y + (0 if view["ships"] else 80)
    for start in range(0, len(view["ships"]), 2):
        pair = view["ships"][start : start + 2]
        height = _TOP + 14 + _ROW * max(1, *(len(_fighters(ship)) for ship in pair))
        for column, ship in enumerate(pair):
            earlier = None if old is None else old.get(ship["number"])
            place = {"x": _GAP + column * (width + _GAP), "y": y, "w": width, "h": height}
            shown.append(_ship(ship, place, earlier, old is not None))
        y += height + _GAP
        bottom = y
    return shown, bottom


def _fighters(ship: Mapping[str, Any]) -> list[Facts]:
    """One row for each side that attacks, and one for a trump of somebody who has no pirate there."""
    rows: list[Facts] = []
    for attacker in ship["attackers"]:
        seats = {pirate["seat"] for pirate in attacker["pirates"]}
        trumps = [trump["card"] for trump in ship["trumps"] if trump["seat"] in attacker["side"].split(" and ")]
        rows.append({**attacker, "pirates": len(attacker["pirates"]), "trumps": trumps, "seats": seats})
    fought = {seat for row in rows for seat in row["side"].split(" and ")}
    for trump in ship["trumps"]:
        if trump["seat"] not in fought:
            rows.append({"side": trump["seat"], "colour": None, "strength": 0, "pirates": 0, "trumps": [trump["card"]]})
    return rows


def _ship(ship: Mapping[str, Any], place: Facts, earlier: Mapping[str, Any] | None, marking: bool) -> Facts:
    was = {row["side"]: row for row in _fighters(earlier)} if earlier is not None else {}
    rows = []
    for number, row in enumerate(_fighters(ship)):
        old = was.get(row["side"], {"strength": 0, "trumps": []})
        rows.append(
            {
                **row,
                "names": row["side"].split(" and "),
                "y": place["y"] + _TOP + 6 + _ROW * number,
                "leads": row["side"] == ship["leader"] or row["side"] in str(ship["leader"]).split(" and "),
                "change": row["strength"] - old["strength"] if marking else 0,
                "fresh": marking and len(row["trumps"]) > len(old["trumps"]),
            }
        )
    return {
        **place,
        "number": ship["number"],
        "gold": ship["gold"],
        "owner": ship["owner"],
        "rows": rows,
        "fresh": marking and earlier is None,
    }
