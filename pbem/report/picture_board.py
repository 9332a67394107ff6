"""The picture of any game from its board and its backdrop alone (docs/design.md, "A board is
described once"): whose turn it is, the ground with the places on it, which way pieces went, and
below it the strip and the trays. `templates/picture.svg.j2` draws it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from pbem.games.stage import Point, StageBoard, StageItem, StagePlace
from pbem.report.model import Waiting
from pbem.report.picture_parts import (
    Drawn,
    Frame,
    Symbol,
    Symbols,
    Words,
    letters,
    moved,
    wide_of,
)
from pbem.report.picture_places import LARGE, SMALL, Arrow, Panel, arrow, in_rows, pinned
from pbem.report.picture_strip import below_board

WIDTH = 900
_HEAD = 82
_PAD = 12
_HIGHS = (620, 760, 940, 1120, 1300)
"""How high the ground may be; a board that may turn lies on its side in the higher ones, the first
in which its panels need not be small."""
_LOWEST = 300
_SCENE = 0.5
"""How much of the width of a board with panels is seen where there is little room: letters on them
can be read then."""
_CUT = 3
"""How many pieces one would do without for a panel that is not cut off there."""
MOST_STANDING = 5
"""Pieces of a stack that are drawn; more are a number on the last one."""

_OPENING = re.compile(r"\A.*?<svg\b[^>]*>", re.DOTALL)
FINE = re.compile(r'<g class="(?:[\w-]+ )*fine\b[^>]*>.*?</g>', re.DOTALL)
"""What of a backdrop is left out where it has to be small: groups of the class `fine`, without
groups in them."""
_SYMBOL = re.compile(r'\bid="([^"]+)"(?: data-high="(\d+)")?')
_SCALED = re.compile(r"max\(([\d.]+)px, calc\(([\d.]+)px / var\(--scale, 1\)\)\)")
_FONT = re.compile(r"font: (italic )?(bold )?([\d.]+)px (\"[^\"]+\")")
_UPRIGHT = re.compile(r'(<(?:text|g) class="[^"]*\bupright\b[^"]*"[^>]*>(?:<text[^>]*>)?)')


class Ground(NamedTuple):
    """The backdrop, and the part of it that is seen, in its units and in dots of the picture."""

    drawing: str
    seen: tuple[float, float, float, float]
    high: float
    scale: float
    is_turned: bool = False

    def at(self, spot: Point) -> Point:
        """Where a spot of the backdrop is in the picture."""
        x, y = (-spot[1], spot[0]) if self.is_turned else spot
        return (x - self.seen[0]) * self.scale, (y - self.seen[1]) * self.scale + _HEAD

    @property
    def box(self) -> tuple[float, float, float, float]:
        """The corners of the ground in the picture."""
        return 0, _HEAD, WIDTH, _HEAD + self.high


@dataclass(frozen=True)
class BoardPicture:
    """Everything that the template draws."""

    width: int
    height: int
    title: str
    drawn: Sequence[Drawn]
    ground: Ground
    standing: Sequence[Drawn]
    spots: Sequence[Frame]
    panels: Sequence[Panel]
    arrows: Sequence[Arrow]
    below: Sequence[Drawn]
    head: int = _HEAD

    def scene(self, ratio: float) -> tuple[float, float, float, float]:
        """The part of the ground for where there is little room, so many times as wide as high:
        left, top, width and height. It shows whole as many as can be of the panels in which
        something has changed, and of pieces; a ground in which the pieces stand is seen whole."""
        _, top, right, bottom = self.ground.box
        if not self.panels:
            return 0, top, right, round(bottom - top, 1)
        wide = min(_SCENE * right, (bottom - top) * ratio)
        high = wide / ratio
        weights = [_weight(panel) for panel in self.panels]
        across = _parts_of([(one.x, one.part.wide) for one in self.panels], wide, 0, right)
        down = _parts_of([(one.y, one.part.high) for one in self.panels], high, top, bottom)

        def worth(shown: Sequence[float]) -> float:
            return sum(
                weight if share > 0.999 else -_CUT
                for weight, share in zip(weights, shown, strict=True)
                if share
            )

        _, x, y = max(
            (worth([one * other for one, other in zip(beside, below, strict=True)]), x, y)
            for x, beside in across.items()
            for y, below in down.items()
        )
        return round(x, 1), round(y, 1), round(wide, 1), round(high, 1)


def _parts_of(
    panels: Sequence[tuple[float, float]], size: float, first: float, last: float
) -> dict[float, list[float]]:
    """Where a part of this size may begin, so that a panel begins or ends at its edge, and how
    much of each panel (where it begins, and its size) it shows then, from 0 to 1."""
    ends = [at for start, wide in panels for at in (start - _PAD, start + wide + _PAD - size)]
    return {
        at: [
            max(0.0, min(start + wide, at + size) - max(start, at)) / wide for start, wide in panels
        ]
        for at in (min(max(first, end), last - size) for end in ends)
    }


def _weight(panel: Panel) -> int:
    """How much somebody wants to see a panel: what has changed before all that has not."""
    pieces = panel.place.pieces
    has_changed = panel.place.marked or any(piece.change for piece in pieces)
    return 1 + sum(piece.count for piece in pieces) + (1000 if has_changed else 0)


def board_picture(
    board: StageBoard, backdrop: str, title: str, turn: str, whole_high: float | None = None
) -> BoardPicture:
    """A board as it is drawn; `turn` says whom the game waits for. `whole_high`: how high a whole
    board's ground is; as high as is good for its pieces without."""
    board = replace(board, places=[one for one in board.places if not one.unpictured])
    symbols = {kind: int(high or 40) for kind, high in _SYMBOL.findall(backdrop)}
    head, strip = _parted(board.strip)
    if all(place.at is None for place in board.places):
        panels, shores, high = in_rows(board, symbols, WIDTH, _HEAD)
        ground = Ground(backdrop, (-WIDTH / 2, -high / 2, WIDTH, high), high, 1.0)
    else:
        ground, panels = _on_ground(board, backdrop, symbols, whole_high)
        shores = []
    seated = {name for side in board.edges for name in side}
    rest = [item for item in strip if not (item.unpictured or item.name in seated)]
    foot = below_board(rest, board.trays, symbols, WIDTH - 2 * _PAD)
    return BoardPicture(
        WIDTH,
        round(_HEAD + ground.high + foot.high + (2 * _PAD if foot.high else 0)),
        title,
        _head(title, head, turn),
        ground._replace(drawing=_for_a_picture(ground)),
        list(_standing(board, ground)),
        [*shores, *_marked(board, ground)],
        panels,
        list(_arrows(board, ground, panels)),
        moved(foot, _PAD, _HEAD + ground.high + _PAD),
    )


def turn_words(waiting: Waiting | None, names: Mapping[str, str]) -> str:
    """Whom the game waits for."""
    if waiting is None:
        return ""
    if waiting.what in ("root", "choices"):
        return "the game is over"
    who = names.get(waiting.seat) or waiting.seat.capitalize()
    return f"{who} to play" if waiting.what == "answer" else f"waits for {who}"


# ---- the head ------------------------------------------------------------------------------------


def _parted(strip: Sequence[StageItem]) -> tuple[list[StageItem], list[StageItem]]:
    """What a strip begins with, which says when it is, and the rest of it."""
    plain = [not (one.name or one.pieces or one.player or one.of) for one in strip]
    first = next((nth for nth, is_plain in enumerate(plain) if not is_plain), len(strip))
    return list(strip[:first]), list(strip[first:])


def _head(title: str, items: Sequence[StageItem], turn: str) -> Sequence[Drawn]:
    """The name of the game, when it is, and whose turn."""
    name = letters(title, 24, "serif")
    waits = letters(turn, 25, room=WIDTH / 2)
    room = WIDTH - 3 * _PAD - waits.wide
    when = " · ".join(f"{one.label} {one.value}".strip() for one in items)
    size = min(30.0, round(30 * room / max(1, wide_of(when, 30)), 1))
    return [
        *moved(name, _PAD, 4),
        *moved(letters(when, max(20, size), room=room), _PAD, 36),
        *moved(waits, WIDTH - _PAD - waits.wide, 40),
    ]


# ---- the ground ----------------------------------------------------------------------------------


def _on_ground(
    board: StageBoard, backdrop: str, symbols: Symbols, whole_high: float | None
) -> tuple[Ground, list[Panel]]:
    """The part of the backdrop that the board takes, and the panels on it."""
    held = [place for place in board.places if place.at and not place.box]
    if whole_high is not None and not held:
        return _seen(board, backdrop, whole_high, lowest=whole_high), []
    ways = [(_HIGHS[-1], False), *((high, True) for high in _HIGHS if board.turns)]
    for high, is_turned in ways:
        ground = _seen(board, backdrop, high, is_turned=is_turned)
        panels, fits = pinned(held, ground.at, symbols, ground.box, LARGE)
        if fits:
            return ground, panels
    return ground, pinned(held, ground.at, symbols, ground.box, SMALL)[0]


def _seen(
    board: StageBoard,
    backdrop: str,
    highest: float,
    *,
    lowest: float = _LOWEST,
    is_turned: bool = False,
) -> Ground:
    """The part of a backdrop that the board takes, from edge to edge of the picture."""
    left, top, wide, high = board.whole
    if is_turned:
        left, top, wide, high = -top - high, left, high, wide
    scale = min(WIDTH / wide, highest / high)
    across, down = WIDTH / scale, max(high, lowest / scale)
    seen = (left - (across - wide) / 2, top - (down - high) / 2, across, down)
    return Ground(backdrop, seen, down * scale, scale, is_turned)


def _for_a_picture(ground: Ground) -> str:
    """A backdrop without its frame, and without what is too fine for a small file. Its styles say
    how large letters are on a stage of any scale: here the scale is known, and whoever draws files
    knows simple values only."""
    inner = FINE.sub("", _OPENING.sub("", ground.drawing).rpartition("</svg>")[0])

    def size(match: re.Match[str]) -> str:
        return f"{max(float(match[1]), 17 / ground.scale):.1f}px"

    def font(match: re.Match[str]) -> str:
        style, weight = match[1] or "normal", match[2] or "normal"
        size = f"font-size: {match[3]}px; font-family: {match[4]}"
        return f"font-style: {style}; font-weight: {weight}; {size}"

    inner = _FONT.sub(font, _SCALED.sub(size, inner))
    return _UPRIGHT.sub(_upright, inner) if ground.is_turned else inner


def _upright(match: re.Match[str]) -> str:
    """Letters that stand upright on a board that lies on its side, about the first of them."""
    x = re.search(r'\bx="([-\d.]+)"', match[1])
    y = re.search(r'\by="([-\d.]+)"', match[1])
    about = f"{x[1] if x else 0} {y[1] if y else 0}"
    return match[0].replace(">", f' transform="rotate(-90 {about})">', 1)


def _standing(board: StageBoard, ground: Ground) -> Iterator[Drawn]:
    """Pieces that stand in the backdrop, one beside the other."""
    scale = board.piece_size / 40 * ground.scale
    for place in board.places:
        for piece in place.pieces if place.stack else ():
            (x, y), (right, down) = (place.stack or {})[piece.kind]
            shown = min(piece.count, MOST_STANDING)
            for nth in range(shown):
                u, v = ground.at((x + right * nth, y + down * nth))
                corner = round(u - 20 * scale, 1), round(v - 20 * scale, 1)
                yield Symbol(*corner, round(scale, 3), piece.kind, gone=place.spent)
                number = piece.text or (str(piece.count) if piece.count > shown else "")
                if number and nth == shown - 1:
                    size = 21 * ground.scale
                    yield Words(u, v + size * 0.36, size, number, f"count {piece.kind}")


def _marked(board: StageBoard, ground: Ground) -> Iterator[Frame]:
    """Spots of the backdrop where something has changed."""
    for place in board.places:
        if place.marked and place.box is not None and place.at is not None:
            (x, y), wide, high = ground.at(place.at), *place.box
            if ground.is_turned:
                wide, high = high, wide
            wide, high = wide * ground.scale, high * ground.scale
            yield Frame(round(x - wide / 2, 1), round(y - high / 2, 1), wide, high, "spot", 6)


def _arrows(board: StageBoard, ground: Ground, panels: Sequence[Panel]) -> Iterator[Arrow]:
    """The moves: from where a piece stood to where it stands now."""
    places = {place.name: place for place in board.places}
    middles = {panel.place.name: panel.middle for panel in panels}
    middle = WIDTH / 2, _HEAD + ground.high / 2
    counts: Counter[tuple[str, str]] = Counter()
    for way in board.ways:
        counts[way.source, way.target] += way.count or 1
    for (source, target), count in counts.items():
        if source not in places or target not in places:
            continue
        starts = _ends_of(places[source], ground, middles, is_gone=True)
        ends = _ends_of(places[target], ground, middles, is_gone=False)
        if found := arrow((source, target), starts, ends, panels, middle):
            yield found._replace(times=count)


def _ends_of(
    place: StagePlace, ground: Ground, middles: Mapping[str, Point], *, is_gone: bool
) -> list[Point]:
    """Where an arrow may begin or end: at the next piece of a stack, at what a
    panel leads to, or at the panel."""
    if place.stack:
        kind, count = next(((one.kind, one.count) for one in place.pieces), ("", 0))
        (x, y), (right, down) = place.stack.get(kind) or next(iter(place.stack.values()))
        nth = max(0, min(count, MOST_STANDING) - (0 if is_gone else 1))
        return [ground.at((x + right * nth, y + down * nth))]
    about = [] if place.anchor is None else [ground.at(place.anchor)]
    return [*about, middles.get(place.name) or ground.at(place.at or (0, 0))]
