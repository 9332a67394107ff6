"""The board of backgammon in a terminal, before whoever looks, in public before whoever is to
play."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.text import Text

View = Mapping[str, Any]

_ROWS = 5
_SIGNS = {"white": "O", "black": "X"}
_PAINT = {"white": "bold", "black": "bold red"}


def board(view: View, before: View | None) -> RenderableType:
    """Both halves of the board, the bar between them, and whose men are whose; a point that changed
    is marked."""
    near = 1 if view["near"] == "black" else 0
    own, other = view["sides"][near], view["sides"][1 - near]
    old = None if before is None or before["game"] != view["game"] else before["sides"]
    was = None if old is None else (old[near], old[1 - near])
    upper = [*range(13, 19), 0, *range(19, 25)]
    lower = [*range(12, 6, -1), 0, *range(6, 0, -1)]
    lines = [_numbers(upper, own, other, was)]
    lines += [_row(upper, row, own, other) for row in range(_ROWS)]
    lines.append(Text(" " * 57))
    lines += [_row(lower, row, own, other) for row in reversed(range(_ROWS))]
    lines.append(_numbers(lower, own, other, was))
    title = f"{view['when']} · {', '.join(view['stakes'])}".capitalize()
    return Panel(Group(*lines, *_words(view, own, other)), title=title, expand=False)


def _stack(number: int, own: View, other: View) -> tuple[str, int]:
    """Whose men stand on a point, and how many; on the bar (0) it is told in words."""
    if number == 0:
        return "white", 0
    mine, theirs = own["points"][number - 1], other["points"][24 - number]
    return (own["seat"], mine) if mine else (other["seat"], theirs)


def _row(points: list[int], row: int, own: View, other: View) -> Text:
    """One row of men, counted from the edge; in the last one more of them are a number."""
    text = Text()
    for number in points:
        seat, count = _stack(number, own, other)
        sign = (
            ""
            if count <= row
            else str(count)
            if row == _ROWS - 1 and count > _ROWS
            else _SIGNS[seat]
        )
        text.append("  |  " if number == 0 else f"{sign:^4}", style=_PAINT[seat] if sign else "")
    return text


def _numbers(points: list[int], own: View, other: View, was: tuple[View, View] | None) -> Text:
    text = Text()
    for number in points:
        changed = (
            number != 0 and was is not None and _stack(number, own, other) != _stack(number, *was)
        )
        text.append(
            "  |  " if number == 0 else f"{number:^4}", style="reverse" if changed else "dim"
        )
    return text


def _words(view: View, own: View, other: View) -> list[Text]:
    """The bar, what is off, the pips, the cube, the score."""
    told = []
    for side in (own, other):
        sign = _SIGNS[side["seat"]]
        turn = " to move" if side["seat"] == view["turn"] else ""
        men = f"bar {side['bar']}, off {side['off']}, pips {side['pips']}"
        facts = f"{sign} {side['seat']}{turn}: {men}, score {side['score']}"
        told.append(Text(facts, style=_PAINT[side["seat"]]))
    owner = next((f"{side['seat']}'s" for side in view["sides"] if side["cube"]), "in the middle")
    cube = (
        f"cube offered at {view['offered']}" if view["offered"] else f"cube {view['cube']}, {owner}"
    )
    dice = f" · dice {' and '.join(map(str, view['dice']))}" if view["dice"] else ""
    ids = f"position ID {view['position_id']}, match ID {view['match_id']}"
    return [*told, Text(cube + dice), Text(ids, style="dim")]
