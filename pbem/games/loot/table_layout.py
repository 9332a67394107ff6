"""Loot's table laid out for its picture: the ships in play, who fights for them, what everybody has taken.

Only where things go is decided here; `templates/loot/picture.svg.j2` draws them. Seats go by their words (first,
second …), never by the names of players.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

WIDTH = 900
_HEAD, _GAP = 96, 12
_CARD, _COLUMN, _TOP = (64, 92), 70, 42
"""A card, how far apart the attacks on a ship lie, and the line above them."""
_SHIP_HEIGHT = _TOP + _CARD[1] + 40
_SEAT_HEIGHT = 92
_PURSE = 82
"""How wide the gold of a pair stands, at the right of its panel."""

View: TypeAlias = Mapping[str, Any]
Shape: TypeAlias = dict[str, Any]


def layout(view: View, before: View | None, _lines: Iterable[View]) -> Shape:
    """Everything the template draws. `before` is the position at the reader's last turn; the story is not needed."""
    if view["active"] and view.get("waiting"):  # whom the game waits for, as the words of the mail say
        view = {**view, "active": view["waiting"]["seat"]}
    panels = _panels(view, before)
    y = max(panel["y"] for panel in panels) + _SEAT_HEIGHT + 2 * _GAP
    ships, bottom = _ships(view, before, y)
    active = view["active"]
    return {
        "width": WIDTH,
        "height": bottom + _GAP,
        "when": view["when"],
        "active": _turn(active, view.get("waiting")) if active else "the game is over" if view["points"] else "",
        "active_seat": active,
        "pile": view["pile"],
        "discard": len(view["discard"]),
        "panels": panels,
        "seats": [{**_scored(panel), **seat} for panel in panels for seat in panel["seats"]],
        "ships": ships,
        "empty_at": y + 40,
    }


def _turn(active: str, waiting: Mapping[str, str] | None) -> str:
    return f"{active} to play" if waiting is None or waiting["what"] == "answer" else f"waits for {active}"


def _scored(panel: Shape) -> Shape:
    return {key: panel[key] for key in ("gold", "change", "points")}


def _panels(view: View, before: View | None) -> list[Shape]:
    """A panel for each side, a player or a pair: the cards in each hand, what the side has captured, and its points
    once they are counted. A pair's gold is one heap and shown once."""
    sides = view["captured"]
    columns = {2: 2, 4: 2 if view["partners"] else 4, 8: 4}.get(len(sides), 3)
    width = (WIDTH - 2 * _GAP - (columns - 1) * _GAP) / columns
    hands = {hand["seat"]: hand["count"] for hand in view["hands"]}
    points = dict(zip(view["seats"], view["points"] or (), strict=False))
    panels: list[Shape] = []
    for number, side in enumerate(sides):
        members = side["side"].split(" and ")
        earlier = side["gold"] if before is None else before["captured"][number]["gold"]
        x = round(_GAP + number % columns * (width + _GAP), 1)
        block = (width - _PURSE) / len(members) if len(members) > 1 else 0
        panels.append(
            {
                "x": x,
                "y": _HEAD + number // columns * (_SEAT_HEIGHT + _GAP),
                "w": round(width, 1),
                "h": _SEAT_HEIGHT,
                "seats": [
                    {"seat": seat, "x": round(x + at * block, 1), "hand": hands[seat], "active": seat == view["active"]}
                    for at, seat in enumerate(members)
                ],
                "size": 25 if width > 400 or not block else 20,
                "purse": round(x + width - _PURSE if block else x + 84, 1),
                "gold": side["gold"],
                "change": side["gold"] - earlier,
                "points": points.get(members[0]),
                "active": view["active"] in members,
            }
        )
    return panels


def _ships(view: View, before: View | None, y: float) -> tuple[list[Shape], float]:
    """The ships two in a row, each a merchant card with the attacks on it beside; and where the last row ends."""
    old = {ship["number"]: ship for ship in before["ships"]} if before is not None else None
    width = (WIDTH - 3 * _GAP) / 2
    shown: list[Shape] = []
    bottom = y + (0 if view["ships"] else 80)
    for start in range(0, len(view["ships"]), 2):
        for column, ship in enumerate(view["ships"][start : start + 2]):
            earlier = None if old is None else old.get(ship["number"])
            place = {"x": _GAP + column * (width + _GAP), "y": y, "w": width, "h": _SHIP_HEIGHT}
            shown.append(_ship(ship, place, earlier, old is not None))
        y += _SHIP_HEIGHT + _GAP
        bottom = y
    return shown, bottom


def _fighters(ship: Mapping[str, Any]) -> list[Shape]:
    """One row for each side that attacks, and one for a trump of somebody who has no pirate there."""
    rows: list[Shape] = []
    for attacker in ship["attackers"]:
        seats = {pirate["seat"] for pirate in attacker["pirates"]}
        trumps = [trump["card"] for trump in ship["trumps"] if trump["seat"] in attacker["side"].split(" and ")]
        rows.append({**attacker, "pirates": len(attacker["pirates"]), "trumps": trumps, "seats": seats})
    fought = {seat for row in rows for seat in row["side"].split(" and ")}
    for trump in ship["trumps"]:
        if trump["seat"] not in fought:
            rows.append({"side": trump["seat"], "colour": None, "strength": 0, "pirates": 0, "trumps": [trump["card"]]})
    return rows


def _ship(ship: Mapping[str, Any], place: Shape, earlier: Mapping[str, Any] | None, marking: bool) -> Shape:
    was = {row["side"]: row for row in _fighters(earlier)} if earlier is not None else {}
    rows = []
    for number, row in enumerate(_fighters(ship)):
        old = was.get(row["side"], {"strength": 0, "trumps": []})
        rows.append(
            {
                **row,
                "names": row["side"].split(" and "),
                "x": round(place["x"] + 12 + _COLUMN * (number + 1), 1),
                "y": place["y"] + _TOP,
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
