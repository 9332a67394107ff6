"""The places of a board in its picture: panels at the spots where they are held, moved apart where
they would meet, and cards in rows. The rules are those of the stage (`templates/stage/camera.js`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from math import hypot
from typing import NamedTuple, TypeAlias

from pbem.games.stage import Point, StageBoard, StagePlace
from pbem.report.picture_parts import (
    Frame,
    Part,
    Symbols,
    below,
    card_part,
    flowing,
    framed,
    in_lines,
    letters,
    pieces_part,
)
from pbem.report.picture_strip import plate

LARGE = (1.0, 0.92, 0.84)
SMALL = (0.76, 0.68, 0.6, 0.52, 0.44, 0.36, 0.28)
"""How large panels are, the first at which they all have room."""
_ROUNDS = 140
"""So often are all panels that meet moved away from each other."""
_FULL = 0.75
"""Panels that take more of the ground than this have no room."""
_CARDS = (84, 70, 58, 48)
"""How wide a card is, the first at which the rows are not too high."""
_HIGHEST_ROWS = 620
_GAP = 12
_BESIDE = 9
_BENDS = (0.18, -0.18, 0.34, -0.34)
"""How far an arrow bends to a side, in lengths of its way."""
_STEPS = 24

OnPicture: TypeAlias = Callable[[Point], Point]
"""Where a spot of the backdrop is in the picture."""


@dataclass
class Panel:
    """A place as it stands in the picture: what is drawn, its corner, and the spot that a line
    leads to."""

    place: StagePlace
    part: Part
    x: float
    y: float
    about: Point | None = None

    @property
    def middle(self) -> Point:
        return self.x + self.part.wide / 2, self.y + self.part.high / 2

    @property
    def lead(self) -> Point:
        """The spot of its edge that is nearest to that."""
        x, y = self.about or self.middle
        return min(max(x, self.x), self.x + self.part.wide), min(
            max(y, self.y), self.y + self.part.high
        )

    def holds(self, x: float, y: float) -> bool:
        return self.x < x < self.x + self.part.wide and self.y < y < self.y + self.part.high


class Arrow(NamedTuple):
    """Which way pieces went: the spots of its path, and the vector of length 1 along its end."""

    source: str
    target: str
    points: Sequence[Point]
    ahead: Point
    times: int = 1


# ---- what a panel holds --------------------------------------------------------------------------


def panel_part(place: StagePlace, size: float, symbols: Symbols) -> Part:
    """A place with its label, its pieces and its note, so many times as large as usual."""
    if place.look == "cards":
        return cards_part(place, 58 * size, symbols, 900)
    is_pin = place.look == "pin"
    name = letters(place.label, (22 if is_pin else 18) * size, "" if is_pin else place.look)
    pieces = [pieces_part(piece, 37 * size, symbols) for piece in place.pieces]
    rows = flowing(pieces, max(name.wide, 160 * size), 7 * size)
    notes = [letters(line, 15 * size, "faint") for line in place.note.split("\n") if line]
    whole = below([name, *([rows] if pieces else []), *notes], 2 * size)
    kind = f"{place.look} marked" if place.marked else place.look
    return framed(whole, kind, 12 * size, round_by=(16 if place.look == "zone" else 8) * size)


def cards_part(place: StagePlace, size: float, symbols: Symbols, width: float) -> Part:
    """A panel of cards side by side."""
    cards = [card_part(piece, size, symbols) for piece in place.pieces]
    rows = flowing(cards, width - 16, 4, is_centred=False)
    name = letters(place.label, max(18, size * 0.3), room=max(rows.wide, width - 16))
    notes = [letters(line, 15, "faint") for line in place.note.split("\n") if line]
    whole = below([name, rows, *notes], 2, is_centred=False)
    return framed(whole, "cards marked" if place.marked else "cards", 14)


# ---- panels on a map -----------------------------------------------------------------------------


def pinned(
    places: Sequence[StagePlace],
    at: OnPicture,
    symbols: Symbols,
    box: tuple[float, float, float, float],
    sizes: Sequence[float],
) -> tuple[list[Panel], bool]:
    """The panels of places that are held at a spot, in the first of these sizes in which all of
    them have room in this box (left, top, right, bottom); and whether there is one."""
    panels: list[Panel] = []
    for size in sizes:
        panels = [_held(place, at, panel_part(place, size, symbols)) for place in places]
        if _moved_apart(panels, box):
            return panels, True
    return panels, False


def _held(place: StagePlace, at: OnPicture, part: Part) -> Panel:
    """A panel where the place is held: by its middle or by an edge, so that it grows away from
    there, and from its anchor if it has one."""
    assert place.at is not None
    x, y = at(place.anchor or place.at)
    gap = 0 if place.anchor is None else _BESIDE
    left = {"left": x + gap, "right": x - gap - part.wide}.get(place.align, x - part.wide / 2)
    top = {"top": y + gap, "bottom": y - gap - part.high}.get(place.align, y - part.high / 2)
    about = None if place.anchor is None else at(place.anchor)
    return Panel(place, part, left, top, about)


def _moved_apart(panels: Sequence[Panel], box: tuple[float, float, float, float]) -> bool:
    """Panels that meet move away from each other, and none leaves the picture; whether that was
    enough."""
    left, top, right, bottom = box
    needed = sum((panel.part.wide + 5) * (panel.part.high + 5) for panel in panels)
    if needed > _FULL * (right - left) * (bottom - top):
        return False
    for _ in range(_ROUNDS):
        is_apart = True
        for one, other in combinations(panels, 2):
            is_apart = not _pushed(one, other) and is_apart
        for panel in panels:
            panel.x = max(left + 5, min(right - 5 - panel.part.wide, panel.x))
            panel.y = max(top + 5, min(bottom - 5 - panel.part.high, panel.y))
        if is_apart:
            return True
    return False


def _pushed(one: Panel, other: Panel) -> bool:
    """Whether two panels meet; then they are pushed apart, the shorter way."""
    a, b, c, d = one.part, other.part, one, other
    across = min(c.x + a.wide, d.x + b.wide) - max(c.x, d.x) + 5
    down = min(c.y + a.high, d.y + b.high) - max(c.y, d.y) + 5
    if across <= 0 or down <= 0:
        return False
    (x, y), (u, v) = one.middle, other.middle
    if across < down:
        by = (across / 2 + 0.3) * (1 if x < u else -1)
        one.x, other.x = one.x - by, other.x + by
    else:
        by = (down / 2 + 0.3) * (1 if y < v else -1)
        one.y, other.y = one.y - by, other.y + by
    return True


# ---- cards in rows -------------------------------------------------------------------------------


class Group(NamedTuple):
    """Places that lie together, each with its corner in the group; `side` says whose shore it
    is."""

    side: str
    wide: float
    high: float
    there: Sequence[tuple[StagePlace, Part, float, float]]


def in_rows(
    board: StageBoard, symbols: Symbols, width: float, top: float
) -> tuple[list[Panel], list[Frame], float]:
    """Panels in rows from edge to edge, as large as leaves them not too high; the shores of those
    who sit round a table, where their plates and their places lie together; and how high all of it
    is."""
    rows: list[list[Group]] = []
    high = 0.0
    for size in _CARDS:
        groups = _groups(board, size, symbols, width)
        rows = in_lines([(group, group.wide) for group in groups], width - 2 * _GAP, _GAP)
        high = sum(max(group.high for group in row) + _GAP for row in rows) + _GAP
        if high <= _HIGHEST_ROWS:
            break
    panels: list[Panel] = []
    shores: list[Frame] = []
    y = top + _GAP
    for row in rows:
        tall = max(group.high for group in row)
        apart = (width - sum(group.wide for group in row)) / (len(row) + 1)
        x = apart
        for group in row:
            if group.side:
                shores.append(Frame(round(x, 1), y, group.wide, tall, "shore", 14))
            for place, part, right, down in group.there:
                panels.append(Panel(place, part, round(x + right, 1), round(y + down, 1)))
            x += group.wide + apart
        y += tall + _GAP
    return panels, shores, high


def _groups(board: StageBoard, size: float, symbols: Symbols, width: float) -> Iterator[Group]:
    """What is nobody's by itself, and each side with what lies before it."""
    most = width - 4 * _GAP
    plates = {item.name: item for item in board.strip}
    for place in board.places:
        if not place.edge:
            part = cards_part(place, size, symbols, most)
            yield Group("", part.wide, part.high, [(place, part, 0, 0)])
    for side in board.edges:
        own = [
            (place, cards_part(place, size, symbols, most))
            for place in board.places
            if place.edge == side[0]
        ]
        # no wider than half of the ground, where one fits there
        room = max([most / 2 - 2 * _GAP, *(part.wide for _, part in own)])
        lines = [
            [(StagePlace(name, name), plate(plates[name], symbols)) for name in side],
            *in_lines([(one, one[1].wide) for one in own], room, _GAP),
        ]
        yield _together(side[0], lines)


def _together(side: str, lines: Sequence[Sequence[tuple[StagePlace, Part]]]) -> Group:
    """Lines of places on one shore."""
    wides = [sum(part.wide + _GAP for _, part in line) - _GAP for line in lines]
    wide = max(wides) + 2 * _GAP
    there = []
    y = float(_GAP)
    for line, own in zip(lines, wides, strict=True):
        x = (wide - own) / 2
        for place, part in line:
            there.append((place, part, x, y))
            x += part.wide + _GAP
        y += max(part.high for _, part in line) + _GAP
    return Group(side, wide, y, there)


# ---- arrows --------------------------------------------------------------------------------------


def arrow(
    names: tuple[str, str],
    starts: Sequence[Point],
    ends: Sequence[Point],
    panels: Sequence[Panel],
    middle: Point,
) -> Arrow | None:
    """An arrow from one of these spots to one of those, bent so that as much of it as can be is
    seen beside the panels, and else towards the middle of the board; what would lie under the
    panels of its own places at its ends is left out."""
    ways = [
        _curve(start, end, bend)
        for start, end in product(starts, ends)
        if hypot(end[0] - start[0], end[1] - start[1]) > 1
        for bend in _BENDS
    ]
    if not ways:
        return None

    def badness(way: Sequence[Point]) -> tuple[int, float]:
        (x, y), (u, v) = way[_STEPS // 2], middle
        return sum(one.holds(*spot) for spot in way for one in panels), hypot(x - u, y - v)

    way = min(ways, key=badness)
    own = [panel for panel in panels if panel.place.name in names]
    free = [not any(panel.holds(*spot) for panel in own) for spot in way]
    first = next((nth for nth, is_free in enumerate(free) if is_free), 0)
    last = next((nth for nth in reversed(range(len(way))) if free[nth]), len(way) - 1)
    if last - first < 3:
        first, last = 0, len(way) - 1
    points = [(round(x, 1), round(y, 1)) for x, y in way[first : last + 1]]
    (x, y), (u, v) = points[-2:]
    length = hypot(u - x, v - y) or 1
    return Arrow(*names, points, (round((u - x) / length, 3), round((v - y) / length, 3)))


def _curve(start: Point, end: Point, bend: float) -> list[Point]:
    """Spots of a curve that bends to one side."""
    (x, y), (u, v) = start, end
    over = (x + u) / 2 + (v - y) * bend, (y + v) / 2 - (u - x) * bend
    steps = [nth / _STEPS for nth in range(_STEPS + 1)]
    return [
        (
            (1 - t) ** 2 * x + 2 * t * (1 - t) * over[0] + t * t * u,
            (1 - t) ** 2 * y + 2 * t * (1 - t) * over[1] + t * t * v,
        )
        for t in steps
    ]
