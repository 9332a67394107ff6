"""What the boards of Loot call its seats: its players play for themselves, so by their names.

Loot's table laid out for its picture: the ships in play, who fights for them, what everybody has
taken.

Only where things go is decided here; `templates/loot/picture.svg.j2` draws them. Players go by the
names that the view gives (`called`), cut short where there is no room, and else by the words of
their seats (first, second …)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
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


WIDTH = 900
_HEAD, _GAP = 96, 12
_CARD, _TOP = (64, 92), 42
"""A card, and the line above it."""
_COLUMN, _WIDE_COLUMN = 70, 118
"""How far apart the attacks on a ship lie, at least and at most: names stand below them."""
_SHIP_HEIGHT = _TOP + _CARD[1] + 40
_SEAT_HEIGHT = 92
_PURSE = 82
"""How wide the gold of a pair stands, at the right of its panel."""
_LETTERS = {**dict.fromkeys("MWmw", 1.11), **dict.fromkeys("IJfijlrt '-", 0.5)}
_CAPITAL, _SMALL = 0.85, 0.72
"""How wide letters of the font are at most, in its sizes."""
_LARGER = 1.5
"""By how much a ship is larger that is alone at the table."""
Shape: TypeAlias = dict[str, Any]


def layout(view: View, before: View | None, _lines: Iterable[View]) -> Shape:
    """Everything the template draws. `before` is the position at the reader's last turn; the story
    is not needed."""
    # whom the game waits for, as the words of the mail say
    if view["active"] and view.get("waiting"):
        view = {**view, "active": view["waiting"]["seat"]}
    panels = _panels(view, before)
    y = max(panel["y"] for panel in panels) + _SEAT_HEIGHT + 2 * _GAP
    ships, bottom = _ships(view, before, y)
    active, over = view["active"], "the game is over" if view["points"] else ""
    return {
        "width": WIDTH,
        "height": round(bottom + _GAP),
        "when": view["when"],
        "active": _turn(view, active) if active else over,
        "pile": view["pile"],
        "discard": len(view["discard"]),
        "panels": panels,
        "seats": [{**_scored(panel), **seat} for panel in panels for seat in panel["seats"]],
        "ships": ships,
        "empty_at": y + 40,
    }


def _turn(view: View, active: str) -> str:
    name, waiting = _short(name_of(view, active), 300, 24), view.get("waiting")
    return (
        f"{name} to play" if waiting is None or waiting["what"] == "answer" else f"waits for {name}"
    )


def _short(name: str, room: float, size: float) -> str:
    """A name, cut short where it does not fit into so many dots in letters of a size."""
    if _wide(name) * size <= room:
        return name
    while len(name) > 1 and _wide(f"{name}…") * size > room:
        name = name[:-1].rstrip()
    return f"{name}…"


def _wide(text: str) -> float:
    return sum(_LETTERS.get(c, _SMALL if c.islower() else _CAPITAL) for c in text)


def _scored(panel: Shape) -> Shape:
    return {key: panel[key] for key in ("gold", "change", "points")}


def _panels(view: View, before: View | None) -> list[Shape]:
    """A panel for each side, a player or a pair: the cards in each hand, what the side has
    captured, and its points once they are counted. A pair's gold is one heap and shown once."""
    sides = view["captured"]
    columns = {2: 2, 4: 2 if view["partners"] else 4, 8: 4}.get(len(sides), 3)
    hands = {hand["seat"]: hand["count"] for hand in view["hands"]}
    points = dict(zip(view["seats"], view["points"] or (), strict=False))
    panels: list[Shape] = []
    for number, side in enumerate(sides):
        members = side["side"].split(" and ")
        earlier = side["gold"] if before is None else before["captured"][number]["gold"]
        in_row = min(columns, len(sides) - number // columns * columns)
        width = (WIDTH - _GAP) / in_row - _GAP
        x = round(_GAP + number % columns * (width + _GAP), 1)
        block = (width - _PURSE) / len(members) if len(members) > 1 else 0
        size = 25 if width > 400 or not block else 20
        badge = 60 if side["gold"] != earlier else 0
        if points:
            badge = 90
        room = block - 26 if block else width - 26 - badge
        panels.append(
            {
                "x": x,
                "y": _HEAD + number // columns * (_SEAT_HEIGHT + _GAP),
                "w": round(width, 1),
                "h": _SEAT_HEIGHT,
                "seats": [
                    {
                        "seat": seat,
                        "name": _short(name_of(view, seat), room, size),
                        "x": round(x + at * block, 1),
                        "hand": hands[seat],
                        "active": seat == view["active"],
                    }
                    for at, seat in enumerate(members)
                ],
                "size": size,
                "purse": round(x + width - _PURSE if block else x + 84, 1),
                "gold": side["gold"],
                "change": side["gold"] - earlier,
                "points": points.get(members[0]),
                "active": view["active"] in members,
            }
        )
    return panels


def _ships(view: View, before: View | None, y: float) -> tuple[list[Shape], float]:
    """The ships two in a row, each a merchant card with the attacks on it beside; and where the
    last row ends. One that is alone in its row takes all of it, and one that is alone at the table
    is drawn larger."""
    old = {ship["number"]: ship for ship in before["ships"]} if before is not None else None
    ships, half, whole = view["ships"], (WIDTH - 3 * _GAP) / 2, WIDTH - 2 * _GAP
    shapes: list[Shape] = []
    bottom = y + (0 if ships else 80)
    scale = _LARGER if len(ships) == 1 else 1.0
    for start in range(0, len(ships), 2):
        row = ships[start : start + 2]
        width = whole if len(row) == 1 else half
        for column, ship in enumerate(row):
            earlier = None if old is None else old.get(ship["number"])
            place = {
                "x": _GAP + column * (half + _GAP),
                "y": y,
                "w": width,
                "h": _SHIP_HEIGHT * scale,
            }
            drawn = _ship(view, ship, width / scale, earlier, old is not None)
            shapes.append({**place, "scale": scale, **drawn})
        y += _SHIP_HEIGHT * scale + _GAP
        bottom = y
    return shapes, bottom


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


def _ship(
    view: View,
    ship: Mapping[str, Any],
    width: float,
    earlier: Mapping[str, Any] | None,
    marking: bool,
) -> Shape:
    """A ship and the attacks on it, as seen from the corner of its panel, which is so wide before
    it is scaled."""
    was = {row["side"]: row for row in fighters(earlier)} if earlier is not None else {}
    fighting = fighters(ship)
    column = min(_WIDE_COLUMN, max(_COLUMN, (width - 24 - _CARD[0]) / max(1, len(fighting))))
    rows = []
    for number, row in enumerate(fighting):
        old = was.get(row["side"], {"strength": 0, "trumps": []})
        seats = row["side"].split(" and ")
        letters = 15 if len(seats) == 1 else 14
        rows.append(
            {
                **row,
                "names": [_short(name_of(view, seat), column - 6, letters) for seat in seats],
                "letters": letters,
                "wide": column - 5,
                "x": round(12 + _CARD[0] + (column - 57) / 2 + column * number, 1),
                "y": _TOP,
                "leads": row["side"] == ship["leader"]
                or row["side"] in str(ship["leader"]).split(" and "),
                "change": row["strength"] - old["strength"] if marking else 0,
                "fresh": marking and len(row["trumps"]) > len(old["trumps"]),
            }
        )
    return {
        "inside": {"w": round(width, 1), "h": _SHIP_HEIGHT},
        "number": ship["number"],
        "gold": ship["gold"],
        "owner": _short(name_of(view, ship["owner"]), width - 130, 21),
        "rows": rows,
        "fresh": marking and earlier is None,
    }
