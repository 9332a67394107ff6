"""Samoa's realm laid out for its picture: a map of hexes where the players' data have one, and a
panel for each group.

Only where things go is decided here; `templates/paradise/picture.svg.j2` draws them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, TypeAlias

WIDTH: Final = 900
_HEAD, _GAP = 130, 12
_COLUMNS: Final = 3
_PANEL: Final = 112
_HIGHEST_MAP: Final = 1500
_LARGEST_HEX: Final = 62.0
_LETTER: Final = 0.62
"""How wide a letter is, in heights of the letter."""

View: TypeAlias = Mapping[str, Any]
Shape: TypeAlias = dict[str, Any]


def layout(view: View, before: View | None, _lines: Iterable[View]) -> Shape:
    """Everything the template draws. `before` is the position at the reader's last turn: what
    differs is marked."""
    known = (
        None
        if before is None
        else {group["name"]: group for group in [*before["realm"], *before["others"]]}
    )
    groups = sorted(
        [*view["realm"], *view["others"]],
        key=lambda group: (not _is_samoan(group), group["from_samoa"]),
    )
    top = float(_HEAD + _GAP)
    hexes, size, top = _hexes(view["hexes"], {group["name"]: group for group in groups}, top)
    panels = [_panel(group, number, top, known) for number, group in enumerate(groups)]
    bottom = max([panel["y"] + _PANEL for panel in panels], default=top)
    cup = view["cup"]
    return {
        "width": WIDTH,
        "height": round(bottom + _GAP),
        "when": view["when"],
        "step": view["step"],
        "waiting": _turn(view.get("waiting")),
        "cup": cup["left"],
        "draws_left": cup["draws_left"],
        "cards": view["cards"]["hidden"] + len(view["cards"]["known"]),
        "points": view["points"],
        "target": view["points_to_win"],
        "practice": view["practice"],
        "own_dice": view["own_dice"],
        "undos": view["undos"],
        "hexes": hexes,
        "size": size,
        "panels": panels,
        "sea_canoes": view["sea_canoes"],
    }


def _turn(waiting: Mapping[str, str] | None) -> str:
    """Whom the game waits for."""
    if waiting is None:
        return ""
    seat = waiting["seat"].capitalize() if waiting["seat"] != "witness" else "the witness"
    return f"{seat} to report" if waiting["what"] == "answer" else f"waits for {seat}"


def _is_samoan(group: Mapping[str, Any]) -> bool:
    return bool(group["villages"] or group["warriors"] or group["war_canoes"] or group["canoe"])


def _panel(group: View, number: int, top: float, known: Mapping[str, View] | None) -> Shape:
    """One group with its boxes and Samoa's pieces; what has come or gone since the reader's last
    turn."""
    width = (WIDTH - (_COLUMNS + 1) * _GAP) / _COLUMNS
    earlier = None if known is None else known.get(group["name"])
    marked = ("villages", "warriors", "war_canoes", "canoe")
    return {
        **group,
        "x": round(_GAP + number % _COLUMNS * (width + _GAP), 1),
        "y": round(top + number // _COLUMNS * (_PANEL + _GAP), 1),
        "w": round(width, 1),
        "h": _PANEL,
        "samoan": _is_samoan(group),
        "squares": [
            {"x": 22 * at, "village": at < group["villages"]} for at in range(group["boxes"])
        ],
        "size": round(
            min(24, (width - 28 - 38 * group["home"]) / (_LETTER * max(1, len(group["name"])))), 1
        ),
        "fresh": known is not None and earlier is None,
        "changed": earlier is not None and any(earlier[key] != group[key] for key in marked),
    }


# ---- the map -------------------------------------------------------------------------------------


def _hexes(
    cells: Sequence[View], groups: Mapping[str, View], top: float
) -> tuple[list[Shape], float, float]:
    """The hexes of the map, flat side up; their size; and where the map ends."""
    if not cells:
        return [], 0, top
    middles = [(1.5 * cell["q"], math.sqrt(3) * (cell["r"] + cell["q"] / 2)) for cell in cells]
    left, right = min(x for x, _ in middles) - 1, max(x for x, _ in middles) + 1
    high, low = min(y for _, y in middles) - 1, max(y for _, y in middles) + 1
    size = min((WIDTH - 2 * _GAP) / (right - left), _HIGHEST_MAP / (low - high), _LARGEST_HEX)
    start = (WIDTH - size * (right - left)) / 2
    found = [
        _hex(
            cell, groups.get(cell["name"]), start + size * (x - left), top + size * (y - high), size
        )
        for cell, (x, y) in zip(cells, middles, strict=True)
    ]
    return found, round(size, 1), round(top + size * (low - high) + _GAP, 1)


def _two_lines(words: list[str]) -> list[str]:
    """A name in at most two lines, about as long as each other: there is no room above the pieces
    for more."""
    if len(words) == 1:
        return words
    splits = [(" ".join(words[:at]), " ".join(words[at:])) for at in range(1, len(words))]
    return list(min(splits, key=lambda lines: max(map(len, lines))))


def _hex(cell: View, group: View | None, x: float, y: float, size: float) -> Shape:
    corners = [
        (x + size * math.cos(math.pi / 3 * at), y + size * math.sin(math.pi / 3 * at))
        for at in range(6)
    ]
    name = _two_lines(cell["name"].split())
    longest = max(map(len, name))
    return {
        "x": round(x, 1),
        "y": round(y, 1),
        "points": " ".join(f"{round(a, 1)},{round(b, 1)}" for a, b in corners),
        "name": name,
        "letters": round(min(size / 3.2, 1.6 * size / (_LETTER * longest)), 1),
        "known": cell["known"],
        "canoe": cell["canoe"],
        "samoan": group is not None and _is_samoan(group),
        "group": group is not None,
        "home": group is not None and group["home"],
        "villages": group["villages"] if group else 0,
        "warriors": group["warriors"] if group else 0,
        "war_canoes": group["war_canoes"] if group else 0,
    }
