"""The board of backgammon laid out for its picture.

The board lies before whoever looks, in public before whoever is to play: their home board is at the
lower right, and the points bear the numbers that they write. `templates/backgammon/picture.svg.j2`
draws it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeAlias

from engine.backgammon.tables import BAR, OFF
from pbem.games.backgammon.arrows import arrows

View: TypeAlias = Mapping[str, Any]
Shape: TypeAlias = dict[str, Any]

WIDTH, HEIGHT = 900, 690
_LEFT, _BAR, RIGHT = 24, 56, 92
_STEP = (WIDTH - _LEFT - _BAR - RIGHT) / 12
TOP, BOTTOM = 96, HEIGHT - 78
_MAN = 46
"""Dots from the middle of a man to that of the next one."""
_STACKED = 5
"""Men that are drawn on a point; more are a number on the last one."""


def layout(view: View, before: View | None, lines: Iterable[View]) -> Shape:
    """Everything the template draws. Points whose men have changed since the reader's last turn are
    marked, and the newest play has arrows."""
    near = 1 if view["near"] == "black" else 0
    own, other = view["sides"][near], view["sides"][1 - near]
    old = None if before is None or before["game"] != view["game"] else before["sides"]
    return {
        "width": WIDTH,
        "height": HEIGHT,
        "title": _title(view),
        "points": list(_points(own, other, None if old is None else (old[near], old[1 - near]))),
        "bar": [
            _pile(side["bar"], side["seat"], is_near)
            for side, is_near in ((own, True), (other, False))
        ],
        "bar_x": _x(6) - _STEP / 2 - _BAR,
        "off": [_off(side, is_near) for side, is_near in ((own, True), (other, False))],
        "cube": _cube(view, own["seat"]),
        "dice": [
            {"x": WIDTH / 2 + 90 + 74 * number, "pips": die, "seat": view["turn"]}
            for number, die in enumerate(view["dice"])
        ],
        "sides": [own, other],
        "arrows": list(arrows(view, lines, _place, (TOP + BOTTOM) / 2)),
        "middle": (TOP + BOTTOM) / 2,
    }


def _title(view: View) -> str:
    crawford = ", Crawford" if view["crawford"] else ""
    score = " : ".join(str(side["score"]) for side in view["sides"])
    waiting = view.get("waiting")
    turn = "" if waiting is None else f" · {_turn(waiting['seat'], waiting['what'])}"
    return f"{view['stakes'][0]}{crawford} · white {score} black{turn}"


def _turn(seat: str, what: str) -> str:
    """Whom the game waits for, as the words beside the picture say."""
    side = seat.capitalize()
    return f"{side} to play" if what == "answer" else f"waits for {side}"


def _x(number: int) -> float:
    """The middle of the column of a point, from 1 at the lower right to 24 at the upper right."""
    column = number - 1 if number <= 12 else 24 - number
    right = WIDTH - RIGHT - (column + 0.5) * _STEP
    return right if column < 6 else right - _BAR


def _points(own: View, other: View, old: tuple[View, View] | None) -> Iterator[Shape]:
    for number in range(1, 25):
        is_near = number <= 12
        mine, theirs = own["points"][number - 1], other["points"][24 - number]
        changed = old is not None and (
            old[0]["points"][number - 1],
            old[1]["points"][24 - number],
        ) != (mine, theirs)
        seat, count = (own["seat"], mine) if mine else (other["seat"], theirs)
        yield {
            "number": number,
            "x": _x(number),
            "y": BOTTOM if is_near else TOP,
            "tip": BOTTOM - 230 if is_near else TOP + 230,
            "left": _x(number) - _STEP / 2,
            "right": _x(number) + _STEP / 2,
            "dark": number % 2 == 0,
            "label": BOTTOM + 30 if is_near else TOP - 12,
            "changed": changed,
            "men": _men(count, seat, BOTTOM if is_near else TOP, upwards=is_near),
            "count": count,
        }


def _men(count: int, seat: str, edge: float, *, upwards: bool) -> list[Shape]:
    """The men of a stack from the edge inwards; the last that is drawn bears the number of all, if
    there are more."""
    way = -1 if upwards else 1
    visible = min(count, _STACKED)
    return [
        {
            "y": edge + way * (_MAN / 2 + _MAN * place),
            "seat": seat,
            "count": count if place == visible - 1 and count > _STACKED else 0,
        }
        for place in range(visible)
    ]


def _pile(count: int, seat: str, is_near: bool) -> Shape:
    """Men on the bar: each player's on the side of the other's home board, where they enter."""
    return {"men": _men(count, seat, _bar_edge(is_near), upwards=is_near)}


def _place(number: int, is_near: bool, nth: int) -> tuple[float, float]:
    """The middle of the nth man (from 0) of a player on a point, counted from their own side."""
    way = -1 if is_near else 1
    if number == BAR:
        return _x(6) - _STEP / 2 - _BAR / 2, _bar_edge(is_near) + way * _MAN / 2
    if number == OFF:
        return WIDTH - RIGHT + 46, (BOTTOM if is_near else TOP) + way * _MAN / 2
    from_near = number if is_near else BAR - number
    edge, way = (BOTTOM, -1) if from_near <= 12 else (TOP, 1)
    return _x(from_near), edge + way * _MAN * (min(nth, _STACKED - 1) + 0.5)


def _bar_edge(is_near: bool) -> float:
    return (TOP + BOTTOM) / 2 + (-64 if is_near else 64)


def _off(side: View, is_near: bool) -> Shape:
    """The tray of men that were borne off."""
    return {
        "seat": side["seat"],
        "count": side["off"],
        "x": WIDTH - RIGHT + 14,
        "y": BOTTOM - 230 if is_near else TOP,
        "bars": [
            (BOTTOM - 14 * (number + 1) if is_near else TOP + 14 * number)
            for number in range(side["off"])
        ],
    }


def _cube(view: View, near: str) -> Shape:
    """The cube: beside whoever owns it, in the middle while both may turn it."""
    owner = next((side["seat"] for side in view["sides"] if side["cube"]), None)
    y = (TOP + BOTTOM) / 2
    if owner is not None:
        y = BOTTOM - 30 if owner == near else TOP + 30
    return {
        "value": view["offered"] or (view["cube"] if view["cube"] > 1 else 64),
        "y": y,
        "offered": bool(view["offered"]),
    }
