"""The board of The Shores of Tripoli laid out for its picture: every place, every piece, and what
has changed.

Only where things go is decided here; `templates/tripoli/picture.svg.j2` draws them. Each place has
a slot of its own in which its panel stays, however many pieces it holds, so that nothing can ever
lie over anything else.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import ceil
from typing import Any, TypeAlias

from engine.tripoli.pieces import KEYS as PIECE_KEYS
from engine.tripoli.pieces import LIMITS
from engine.tripoli.tables import FIRST_YEAR, GOLD_TO_WIN, SEASONS, SEATS, SINKINGS_TO_WIN
from pbem.games.tripoli.arrows import arrows
from pbem.games.tripoli.chart_map import (
    HEIGHT,
    MAP_HEIGHT,
    SEA,
    SPOTS,
    TITLE,
    WIDTH,
    Box,
    Spot,
    coast,
)

_CELL, _ROW, _TITLE, _PAD = 72.0, 46.0, 30.0, 6.0
OVER = "the game is over"
SIDES = {"american": "America", "tripolitan": "Tripolitania"}

View: TypeAlias = Mapping[str, Any]
Shape: TypeAlias = dict[str, Any]
Counts: TypeAlias = Mapping[str, int]


SIDE_PIECES = (
    (
        "american",
        "America",
        ("us_frigates", "us_gunboats", "marines", "arab_infantry", "swedish_frigates"),
    ),
    (
        "tripolitan",
        "Tripolitania",
        ("tr_frigates", "tr_corsairs", "tr_infantry", "allied_corsairs"),
    ),
)
_SUPPLY_WORDS = {
    "us_frigates": "frigates",
    "us_gunboats": "gunboats",
    "marines": "Marines",
    "arab_infantry": "Arab infantry",
    "swedish_frigates": "Swedish frigates",
    "tr_frigates": "frigates",
    "tr_corsairs": "corsairs",
    "tr_infantry": "infantry",
    "allied_corsairs": "allied corsairs",
}


def layout(view: View, before: View | None, lines: Iterable[View]) -> Shape:
    """Everything the template draws. `before` is the position at the reader's last turn, `lines`
    the story since."""
    old = None if before is None else before["board"]
    boxes: dict[str, Box] = {}
    places = []
    for name, spot in SPOTS.items():
        panel = _panel(
            spot, pieces(view["board"].get(name, {}), None if old is None else old.get(name, {}))
        )
        boxes[name] = panel["box"]
        places.append({"name": name, **panel})
    ways = arrows(lines, boxes)
    return {
        "width": WIDTH,
        "height": HEIGHT,
        "map_height": MAP_HEIGHT,
        "coast": coast(),
        "places": places,
        "arrows": ways,
        "title": TITLE,
        "sea": None if any(way["crosses_sea"] for way in ways) else SEA,
        "season": (season := f"{view['season'].capitalize()} {view['year']}"),
        "season_size": round(min(38, 375 / len(season)), 1),
        "active": turn_words(view),
        "track": _track(view, before),
        "gold": {"held": view["gold"], "of": GOLD_TO_WIN, "change": _change(view, before, "gold")},
        "sunk": {
            "held": view["us_frigates_sunk"],
            "of": SINKINGS_TO_WIN,
            "change": _change(view, before, "us_frigates_sunk"),
        },
        "sides": [side_facts(view, *side) for side in SIDE_PIECES],
    }


def turn_words(view: View) -> str:
    """Whom the game waits for: its turn to play, a decision between, or what needs none."""
    waiting = view.get("waiting")  # a terminal says below the board whom the game waits for
    # else between two seasons
    if view["active"] not in SIDES and (waiting is None or waiting["what"] == "root"):
        return OVER
    if waiting is None or (waiting["seat"] == view["active"] and waiting["what"] == "answer"):
        return f"{SIDES[view['active']]} to play"
    side = SIDES.get(waiting["seat"], f"the {waiting['seat']}")
    return f"{side} to decide" if waiting["what"] == "answer" else f"waits for {side}"


def pieces(now: Counts, before: Counts | None) -> list[Shape]:
    """The groups of one place, with what came and went; a group that has left altogether stays as
    its outline."""
    kinds = [key for key in PIECE_KEYS if now.get(key) or (before is not None and before.get(key))]
    return [
        {
            "kind": key,
            "count": now.get(key, 0),
            "change": 0 if before is None else now.get(key, 0) - before.get(key, 0),
        }
        for key in kinds
    ]


def _panel(spot: Spot, groups: Sequence[Shape]) -> Shape:
    """The panel of a place inside its slot, as large as its pieces need and never larger than the
    slot."""
    slot = spot.slot
    scale, columns = fit(len(groups), slot.w - 2 * _PAD, slot.h - _TITLE - 4)
    columns = min(columns, max(1, len(groups)))
    rows = ceil(len(groups) / columns)
    width = min(
        slot.w,
        max(
            (12.6 if spot.harbor else 8.9) * len(spot.label) + 14,
            columns * _CELL * scale + 2 * _PAD,
        ),
    )
    height = _TITLE + (rows * _ROW * scale + 4 if rows else 2)
    middle = slot.x + slot.w / 2 if spot.harbor is None else spot.harbor[0]
    x = min(max(middle - width / 2, slot.x), slot.x + slot.w - width)
    y = slot.y + slot.h - height if spot.upward else slot.y
    box = Box(round(x, 1), round(y, 1), round(width, 1), round(height, 1))
    left = box.x + (box.w - columns * _CELL * scale) / 2 + 2
    cells = [
        {
            **group,
            "x": round(left + number % columns * _CELL * scale, 1),
            "y": round(box.y + _TITLE + number // columns * _ROW * scale, 1),
            "scale": round(scale, 2),
        }
        for number, group in enumerate(groups)
    ]
    size = 22 if spot.harbor else round(min(17, (box.w - 8) / (0.53 * len(spot.label))), 1)
    shape: Shape = {
        "label": spot.label,
        "size": size,
        "box": box,
        "cells": cells,
        "harbor": spot.harbor,
    }
    if spot.harbor is not None:
        shape["leader"] = _edge(box, spot.harbor)
    return shape


def fit(groups: int, width: float, height: float) -> tuple[float, int]:
    """The largest scale, and the columns, at which so many groups fit into a space."""
    for percent in range(100, 20, -2):
        scale = percent / 100
        columns = int(width / (_CELL * scale))
        if columns and ceil(groups / columns) * _ROW * scale <= height:
            return scale, columns
    return 0.2, int(width / (_CELL * 0.2))


def _edge(box: Box, point: tuple[float, float]) -> tuple[float, float]:
    """The spot of the rectangle that is nearest to a point outside of it."""
    return min(max(point[0], box.x + 8), box.x + box.w - 8), min(
        max(point[1], box.y), box.y + box.h
    )


def _change(view: View, before: View | None, key: str) -> int:
    return 0 if before is None else view[key] - before[key]


def _track(view: View, before: View | None) -> list[Shape]:
    """The six years, the seasons of the present one, and the pieces that wait for theirs."""
    spaces: list[Shape] = []
    for number in range(6):
        year = FIRST_YEAR + number
        name = str(year)
        old = None if before is None else before["board"].get(name, {})
        groups = pieces(view["board"].get(name, {}), old)
        box = Box(10 + number * 147.5, MAP_HEIGHT + 14, 142, 88)
        scale, columns = fit(len(groups), box.w - 8, 50)
        cells = [
            {
                **group,
                "x": box.x + 8 + at % columns * _CELL * scale,
                "y": box.y + 38 + at // columns * _ROW * scale,
                "scale": scale,
            }
            for at, group in enumerate(groups)
        ]
        seasons = (
            [index == SEASONS.index(view["season"]) for index in range(4)]
            if year == view["year"]
            else []
        )
        spaces.append(
            {
                "year": name,
                "box": box,
                "cells": cells,
                "past": year < view["year"],
                "seasons": seasons,
            }
        )
    return spaces


def side_facts(view: View, seat: str, name: str, kinds: Sequence[str]) -> Shape:
    """A side's Supply and its cards."""
    out = {key: LIMITS[PIECE_KEYS.index(key)] for key in kinds}
    for there in view["board"].values():
        for key in kinds:
            out[key] -= there.get(key, 0)
    if "us_frigates" in out:
        out["us_frigates"] -= view["us_frigates_sunk"]
    lines = _card_lines(view, seat)
    supply = [
        {"kind": key, "count": count, "words": _SUPPLY_WORDS[key]} for key, count in out.items()
    ]
    left = SEATS.index(seat) * 450 + 10
    return {
        "name": name,
        "cards": " · ".join(lines),
        "card_lines": lines,
        "supply": supply,
        "left": left,
    }


def _card_lines(view: View, seat: str) -> list[str]:
    """Where a side's cards are. The bot of the solitaire rules has two open lines of cards and no
    hand."""
    cards = view[seat]
    piles = f"pile {cards['draw']} · discard {cards['discard_count']}"
    if seat == "tripolitan" and "event_line" in view:
        return [
            f"event line {len(view['event_line'])} · battle line {len(view['battle_line'])}",
            piles,
        ]
    return [f"hand {cards['hand_count']} · {piles}"]
