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
    own, other = _sides(view)
    lines = _points(view, before, own, other, _ROWS)
    lines.insert(_ROWS + 1, Text(" " * 57))
    title = f"{view['when']} · {', '.join(view['stakes'])}".capitalize()
    return Panel(Group(*lines, *_words(view, own, other)), title=title, expand=False)


def brief_board(view: View, before: View | None) -> RenderableType:
    """The same without a frame, in as many rows as the highest stack has, and without the IDs."""
    own, other = _sides(view)
    highest = max(_stack(number, own, other)[1] for number in range(1, 25))
    rows = min(_ROWS, highest)
    lines = _points(view, before, own, other, rows)
    lines.insert(rows + 1, Text(""))
    return Group(*lines, *_words(view, own, other)[:-1])


def _sides(view: View) -> tuple[View, View]:
    """The side before which the board lies, and the other one."""
    near = 1 if view["near"] == "black" else 0
    return view["sides"][near], view["sides"][1 - near]


def _points(view: View, before: View | None, own: View, other: View, rows: int) -> list[Text]:
    """Both halves of the board with the numbers of their points, in so many rows each."""
    near = view["sides"].index(own)
    old = None if before is None or before["game"] != view["game"] else before["sides"]
    was = None if old is None else (old[near], old[1 - near])
    upper = [*range(13, 19), 0, *range(19, 25)]
    lower = [*range(12, 6, -1), 0, *range(6, 0, -1)]
    return [
        _numbers(upper, own, other, was),
        *(_row(upper, row, rows, own, other) for row in range(rows)),
        *(_row(lower, row, rows, own, other) for row in reversed(range(rows))),
        _numbers(lower, own, other, was),
    ]


def _stack(number: int, own: View, other: View) -> tuple[str, int]:
    """Whose men stand on a point, and how many; on the bar (0) it is told in words."""
    if number == 0:
        return "white", 0
    mine, theirs = own["points"][number - 1], other["points"][24 - number]
    return (own["seat"], mine) if mine else (other["seat"], theirs)


def _row(points: list[int], row: int, rows: int, own: View, other: View) -> Text:
    """One of so many rows of men, counted from the edge; in the last one more are a number."""
    text = Text()
    for number in points:
        seat, count = _stack(number, own, other)
        sign = _SIGNS[seat] if count > row else ""
        if row == rows - 1 and count > rows:
            sign = str(count)
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


def _name(view: View, seat: str) -> str:
    """How the player is called; the seat where nobody is."""
    return str(view.get("called", {}).get(seat) or seat)


def _words(view: View, own: View, other: View) -> list[Text]:
    """The bar, what is off, the pips, the cube, the score."""
    text = []
    for side in (own, other):
        seat = side["seat"]
        turn = ", to move" if seat == view["turn"] else ""
        way = "from 24 down" if side is own else "from 1 up"
        men = f"bar {side['bar']}, off {side['off']}, pips {side['pips']}"
        facts = f"{_SIGNS[seat]} {_name(view, seat)}, {way}{turn}: {men}, score {side['score']}"
        text.append(Text(facts, style=_PAINT[seat]))
    owners = [f"{_name(view, side['seat'])}'s" for side in view["sides"] if side["cube"]]
    owner = owners[0] if owners else "in the middle"
    cube = (
        f"cube offered at {view['offered']}" if view["offered"] else f"cube {view['cube']}, {owner}"
    )
    dice = f" · dice {' and '.join(map(str, view['dice']))}" if view["dice"] else ""
    ids = f"position ID {view['position_id']}, match ID {view['match_id']}"
    return [*text, Text(cube + dice), Text(ids, style="dim")]
