"""What stands below the board in its picture, or beside the places at an edge of a table: values of
the strip, players with what they have, and trays."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from pbem.games.stage import StageItem, StageTray
from pbem.report.picture_parts import (
    Disc,
    Frame,
    Part,
    Symbols,
    badge,
    below,
    beside,
    fitting,
    flowing,
    framed,
    letters,
    paragraph,
    pieces_part,
)

_GAP = 12
_MOST_DISCS = 12
"""A value that counts up to no more than this is a row of discs as well."""
_IN_A_ROW = 4
_SIZE = 30
"""How large pieces are."""
_PLATE = 190
"""How wide what stands on a plate is at most."""


def below_board(
    strip: Sequence[StageItem], trays: Sequence[StageTray], symbols: Symbols, wide: float
) -> Part:
    """The strip in rows, and the trays side by side."""
    rows: list[Part] = []
    for kind, items in groupby(strip, _kind_of):
        group = list(items)
        if kind == "value":
            rows.append(
                flowing([_value(one, symbols) for one in group], wide, 24, is_centred=False)
            )
            continue
        most = _IN_A_ROW if kind == "player" else len(group)
        for first in range(0, len(group), most):
            rows.append(_boxes(group[first : first + most], wide, symbols))
    shown = [
        StageTray(tray.title, kept)
        for tray in trays
        if (kept := [item for item in tray.items if not item.unpictured])
    ]
    for first in range(0, len(shown), 2):
        pair = shown[first : first + 2]
        each = (wide - _GAP * (len(pair) - 1)) / len(pair)
        inside = [_tray(tray, each - 24, symbols) for tray in pair]
        high = max(part.high for part in inside)
        boxes = [framed(Part(each - 24, high, one.drawn), "cards", 12, wide=each) for one in inside]
        rows.append(beside(boxes, _GAP))
    return below(rows, _GAP, is_centred=False)


def _kind_of(item: StageItem) -> str:
    return "player" if item.player else "box" if item.name and not item.value else "value"


def _boxes(items: Sequence[StageItem], wide: float, symbols: Symbols) -> Part:
    """Values that are places, or players, side by side in boxes that are alike."""
    gap = 8
    each = (wide - gap * (len(items) - 1)) / len(items)
    inside = [_in_box(item, each - 24, symbols) for item in items]
    high = max(part.high for part in inside)
    alike = [Part(each - 24, high, part.drawn) for part in inside]
    boxes = [_framed(item, part, each) for item, part in zip(items, alike, strict=True)]
    return beside(boxes, gap)


def plate(item: StageItem, symbols: Symbols) -> Part:
    """What a player has, where they sit at an edge of the table."""
    return _framed(item, _in_box(item, _PLATE, symbols))


def _framed(item: StageItem, part: Part, wide: float = 0) -> Part:
    kind = "now" if item.is_now else "past" if item.minor else "cards"
    return _with_side(item.side, framed(part, kind, 12, wide=wide))


def _with_side(side: str, box: Part) -> Part:
    """A box with the colour of a side at its edge."""
    if not side:
        return box
    return box._replace(drawn=(*box.drawn, Frame(0, 4, 7, box.high - 8, f"side-{side}", 2)))


def _in_box(item: StageItem, room: float, symbols: Symbols) -> Part:
    label = fitting(item.label, 20, room)
    pieces = [pieces_part(piece, _SIZE, symbols) for piece in item.pieces]
    value = [letters(_reached(item), 22)] if item.value else []
    facts = [_value(fact, symbols, 17) for fact in item.facts if not fact.unpictured]
    held = flowing([*pieces, *value, *facts], room, 14, is_centred=False)
    return below([label, held], 3, is_centred=False)


def _reached(item: StageItem) -> str:
    return f"{item.value} / {item.of}" if item.of > _MOST_DISCS else item.value


def _value(item: StageItem, symbols: Symbols, size: float = 20) -> Part:
    """A value with its label; one that counts up to a few is a row of discs as well."""
    parts = [letters(item.label, size)]
    if item.value:
        parts.append(letters(_reached(item), size + 3))
    if 0 < item.of <= _MOST_DISCS and item.value.isdecimal():
        held, step = int(item.value), round(size * 1.05)
        discs = tuple(
            Disc(step * (nth + 0.5), step / 2, size * 0.42, "full" if nth < held else "empty")
            for nth in range(item.of)
        )
        parts.append(Part(step * item.of, step, discs))
    if item.change:
        parts.append(badge(item.change, max(15, size * 0.8)))
    parts += [pieces_part(piece, _SIZE, symbols) for piece in item.pieces]
    return beside(parts, 8)


def _tray(tray: StageTray, room: float, symbols: Symbols) -> Part:
    """What lies in a tray, below its title."""
    parts = [letters(tray.title, 22)]
    for item in tray.items:
        words = ": ".join(filter(None, (item.label, item.value)))
        pieces = [pieces_part(piece, _SIZE, symbols) for piece in item.pieces]
        if pieces:
            said = letters(words, 17, "faint")
            parts.append(flowing([said, *pieces], room, 12, lines=5, is_centred=False))
        else:
            parts.append(paragraph(words, 17, room))
    return below(parts, 4, is_centred=False)
