"""A board in the letters of a terminal, drawn from its description alone (`pbem.games.stage`).

One board has several forms, from the roomiest to the one of fewest rows, and whoever shows it
takes the first that has room. Each says all that stands on the board; what lies in trays is told
in words below it (`pbem.report.board_words`). Signs, counts and words carry everything, colour only
helps; what has come or gone is marked (+1, -1), and a place where something changed has a star.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from rich.cells import cell_len
from rich.text import Text

from pbem.english import counted
from pbem.games.stage import GridGround, StageBoard, StageItem, StagePlace
from pbem.report.terminal_layouts import Kind, blocks_of, fields, lists, maps, stacks
from pbem.report.terminal_letters import (
    CHANGED,
    STYLES,
    Lines,
    beside,
    flowing,
    folded,
    pieces_text,
    sign,
    wide_of,
)

_LONGEST_BAR = 12
"""A value that counts up to no more than this is a row of discs as well."""
_KINDS: Sequence[Kind] = ("roomy", "plain", "last")


class Form(NamedTuple):
    """A board as it may stand in a terminal: `roomy`, with air; plain; or a `last` one, good where
    no other has room: a list of what else is a picture, or first letters for words."""

    text: Text
    kind: Kind = "plain"

    @property
    def rows(self) -> int:
        return self.text.plain.count("\n") + 1


def forms(board: StageBoard, width: int) -> list[Form]:
    """The board in a terminal of so many columns: each form has fewer rows than the one before."""
    strips = [_strip(board, items, width) for items in (board.strip, _needed(board.strip))]
    bodies = list(_bodies(board, width))
    dice = _thrown(board, width)
    found: list[tuple[Lines, Kind]] = [(_framed([*strips[0], *bodies[0][0], *dice]), "roomy")]
    for body, kind in bodies:
        least = min(len(lines) for lines, _ in found)
        if kind == "plain" or (kind == "last" and len(strips[1]) + len(body) < least):
            found += [([*strip, *body, *more], kind) for strip in strips for more in (dice, [])]
    kept: list[tuple[Lines, Kind]] = []
    for lines, kind in sorted(found, key=lambda one: (_KINDS.index(one[1]), -len(one[0]))):
        if not kept or len(lines) < len(kept[-1][0]):
            kept.append((lines, kind))
    return [Form(Text("\n").join(lines), kind) for lines, kind in kept]


def _thrown(board: StageBoard, width: int) -> Lines:
    """The dice of the newest event in columns: who threw them, what fell, what it came to; and what
    all of it decides."""
    if board.thrown is None:
        return []
    rows = [
        (f"  {one.words}", " ".join(map(str, one.dice)), one.says or counted(one.hits, "hit"))
        for one in board.thrown.throws
    ]
    widths = [max(map(cell_len, column)) for column in zip(*rows, strict=True)]
    text = [Text(board.thrown.title, style="bold")]
    text += [beside([Text(part) for part in row], widths) for row in rows]
    text += [Text(f"  {board.thrown.says}")] if board.thrown.says else []
    return [line for one in text for line in folded(one, width, "    ")]


def _framed(lines: Lines) -> Lines:
    rule = Text("─" * wide_of(lines), style="dim")
    return [rule, *lines, rule]


def _bodies(board: StageBoard, width: int) -> Iterator[tuple[Lines, Kind]]:
    """What stands below the strip, in one way after the other."""
    drawn: list[tuple[Lines, Kind]] = []
    if all(place.at is None for place in board.places):
        drawn = [(blocks_of(_not_in_strip(board), width), "plain")]
    elif not any(place.look == "spot" for place in board.places):
        drawn = list(maps(board, width))
    elif isinstance(board.ground, GridGround):
        drawn = list(fields(board, board.ground, width))
    elif all(place.look == "spot" for place in board.places):
        drawn = list(stacks(board, width))
    yield from drawn
    for lines, kind in lists(_not_in_strip(board), width):
        yield lines, "last" if drawn else kind


def _strip(board: StageBoard, items: Sequence[StageItem], width: int) -> Lines:
    """Values one after the other, and places of cards that have nothing but a number."""
    counts = [
        Text(place.in_letters, style="bold").append(" ").append_text(pieces_text(place))
        for place in board.places
        if place.is_a_count
    ]
    return flowing([*map(_item, items), *counts], width)


def _not_in_strip(board: StageBoard) -> list[StagePlace]:
    return [place for place in board.places if not (place.silent or place.is_a_count)]


def _needed(items: Sequence[StageItem]) -> list[StageItem]:
    """The values without those that matter less, and without places where nothing lies."""
    return [
        replace(item, facts=[fact for fact in item.facts if not fact.minor])
        for item in items
        if not item.minor and (item.is_now or item.value or item.pieces or not item.name)
    ]


def _item(item: StageItem) -> Text:
    """A value of the strip: its label, what it is, what it counts up to, and the pieces there."""
    is_empty = item.name and not item.pieces and not item.value
    style = "dim" if is_empty else "bold"
    if item.is_now:
        style = "bold reverse"
    text = Text("▸" if item.is_now and item.player else "", style="bold")
    of_it = [piece for piece in item.pieces if piece.is_single]
    for piece in of_it:
        text.append(f"{sign(piece)} ", style=STYLES[piece.colour])
    text.append(item.label, style=style).append_text(_counted(item))
    if len(of_it) < len(item.pieces):
        text.append(": ").append_text(pieces_text(item))
    if item.facts:
        facts = [Text(fact.label).append_text(_counted(fact)) for fact in item.facts]
        text.append(": ").append_text(Text(", ").join(facts))
    return text


def _counted(item: StageItem) -> Text:
    """How much of a value there is, as a row of discs too where it counts up to a little."""
    text = Text("")
    if item.value:
        of = f" of {item.of}" if item.of else ""
        text.append(f" {item.value}{of}")
    if item.change:
        text.append(f" ({item.change:+d})", style=CHANGED)
    if item.aside:
        text.append(f", {item.aside}")
    if item.of and item.of <= _LONGEST_BAR and item.value.isdecimal():
        held = min(int(item.value), item.of)
        text.append(f" {'●' * held}{'○' * (item.of - held)}")
    return text
