"""The ways to lay out the places of a board in the letters of a terminal: stacks in columns, panels
about as they lie on a map, cards side by side, and lists."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Literal, TypeAlias

from rich.text import Text

from pbem.games.stage import GridGround, StageBoard, StagePiece, StagePlace
from pbem.report.terminal_letters import (
    GAP,
    STYLES,
    Lines,
    beside,
    flowing,
    folded,
    label_of,
    legend_of,
    named,
    piece_text,
    pieces_text,
    sign,
    wide_of,
)

Kind: TypeAlias = Literal["roomy", "plain", "last"]
"""How good a layout is: `roomy` where there is air, `last` where no other has room."""
_CELL = 4
"""Columns of a place where pieces are stacked."""
_STACKS = (5, 4, 3, 2)
"""Pieces of a stack that stand in rows of their own; more of them are a number."""
_PANELS = (34, 27, 22, 18)
"""How wide a panel of the map is at most."""
_ROWS_APART = 0.07
"""Places of the map that are nearer to each other, in heights of the board, stand in one row."""
_BLOCK = 36
"""How wide a place of cards is at least, where several stand side by side."""
_MOST_COLUMNS = 4
"""Columns of a list."""


# ---- pieces in stacks ----------------------------------------------------------------------------


def stacks(board: StageBoard, width: int) -> Iterator[tuple[Lines, Kind]]:
    """Spots in columns as they lie from left to right, and the stacks of both halves from the edges
    to the middle, each with its name at its edge. A pile that lies close is a number."""
    spots = [spot for spot in board.places if spot.at and spot.box and spot.label]
    columns = sorted({_across(spot) for spot in spots})
    if len(columns) * _CELL > width:
        return
    for rows in _STACKS:
        yield _grid(board, spots, columns, rows), "plain" if rows > _STACKS[-1] else "last"


def _grid(
    board: StageBoard, spots: Sequence[StagePlace], columns: Sequence[float], rows: int
) -> Lines:
    _, top, _, height = board.whole
    middle = top + height / 2
    last = 2 * rows + 2
    cells: dict[tuple[int, int], Text] = {}
    for spot in (one for one in board.places if not one.silent):
        column = min(range(len(columns)), key=lambda nth: abs(columns[nth] - _across(spot)))
        if spot.label:
            is_lower = _down(spot) > middle
            cells[last if is_lower else 0, column] = named(spot, spot.label, "dim")
        for piece in spot.pieces:
            (_, start), (_, step) = (spot.stack or {})[piece.kind]
            first = _first_row(start < middle, step, rows)
            for row, text in _stack(piece, rows if abs(step) >= board.piece_size else 1):
                cells[first + (row if step > 0 else -row), column] = text
    walls = [any(_across(spot) == x and _is_tall(board, spot) for spot in spots) for x in columns]
    return [_row(cells, row, walls) for row in range(last + 1)]


def _first_row(is_upper: bool, step: float, rows: int) -> int:
    """The row in which a stack begins: at an edge, or at the middle where it leads away from
    there; the middle row has what is no stack."""
    if not step:
        return rows + 1
    if is_upper:
        return 1 if step > 0 else rows
    return 2 * rows + 1 if step < 0 else rows + 2


def _stack(piece: StagePiece, rows: int) -> Iterator[tuple[int, Text]]:
    """Pieces one after the other; the last of so many rows has the number where there are more."""
    style = STYLES[piece.colour]
    for row in range(min(piece.count, rows)):
        is_number = row == rows - 1 and piece.count > rows
        number = f"{piece.count}{sign(piece) if rows == 1 else ''}"
        yield row, Text(number if is_number else sign(piece), style=style)


def _is_tall(board: StageBoard, spot: StagePlace) -> bool:
    return spot.box is not None and spot.box[1] > board.whole[3] / 2


def _row(cells: Mapping[tuple[int, int], Text], row: int, walls: Sequence[bool]) -> Text:
    """A row of the grid, with walls beside what is as high as the board."""
    text = Text()
    for column, is_walled in enumerate(walls):
        cell = cells.get((row, column), Text())
        before = (_CELL - cell.cell_len) // 2
        text.append("│" if is_walled else "", style="dim")
        text.append(" " * before).append_text(cell)
        text.append(" " * (_CELL - before - cell.cell_len))
        text.append("│" if is_walled and column + 1 < len(walls) else "", style="dim")
    text.rstrip()
    return text


# ---- a grid of fields ----------------------------------------------------------------------------


def fields(board: StageBoard, ground: GridGround, width: int) -> Iterator[tuple[Lines, Kind]]:
    """Fields as they lie, each a sign, with the letters and numbers that name them beside: an empty
    one is a dot, one where something changed has a star. Rows of hexes lie further right each."""
    cells = {place.name: _content(place) for place in board.places}
    most = max(one.cell_len for one in cells.values())
    left = max(len(name) for name in cells)
    is_slanted = ground.fields == "hexes"
    room = (width - left) / (ground.columns + (len(cells) / ground.columns / 2) * is_slanted)
    wides = [wide for wide in ((4, 2) if is_slanted else (most + 1, most)) if most <= wide <= room]
    if not wides:
        return
    wide, step = wides[0], wides[0] // 2 * is_slanted
    down = sorted({_down(place) for place in board.places})
    rows = [sorted((one for one in board.places if _down(one) == y), key=_across) for y in down]
    head = Text(" " * left)
    for place in rows[0]:
        head.append(f"{place.name[0]:<{wide}}", style="dim")
    head.rstrip()
    lines = [head]
    for nth, row in enumerate(rows):
        text = Text(f"{row[0].name[1:]:>{left - 1}} ", style="dim").append(" " * (step * nth), "")
        for place in row:
            one = cells[place.name]
            text.append_text(one).append(" " * (wide - one.cell_len), style="")
        text.rstrip()
        lines.append(text)
    kinds = {piece.kind: piece for place in board.places for piece in place.pieces}
    signs = [
        Text(sign(one), STYLES[one.colour]).append(f" {one.words}", "") for one in kinds.values()
    ]
    yield [*lines, *folded(Text(", ").join(signs), width)], "plain"


def _content(place: StagePlace) -> Text:
    """What stands on a field: signs, with how many where there are several, and a star where it
    changed and has no other mark."""
    text = Text()
    for piece in place.pieces:
        count = str(piece.count) if piece.count > 1 else ""
        text.append(f"{count}{sign(piece)}", style=STYLES[piece.colour])
    if not place.pieces:
        text.append("·", style="dim")
    if place.marked and len(place.pieces) < 2:
        text.append("*", style="bold")
    return text


# ---- a map ---------------------------------------------------------------------------------------


def maps(board: StageBoard, width: int) -> Iterator[tuple[Lines, Kind]]:
    """Panels about as they lie on the map: rows of them from north to south, and in each row from
    west to east."""
    for are_letters in (False, True):
        rows = [_panels(row, are_letters, width) for row in _rows(board)]
        if any(row is None for row in rows):
            continue
        drawn = [list(_side_by_side(board, row, width)) for row in rows if row is not None]
        if not are_letters:
            yield [line for row in drawn for line in (*row, Text())][:-1], "roomy"
        legend = folded(legend_of(board.places, ()), width) if are_letters else []
        lines = [line for row in drawn for line in row]
        yield [*lines, *legend], "last" if are_letters else "plain"


def _rows(board: StageBoard) -> list[list[StagePlace]]:
    """The places in rows: a new one begins where there is room between north and south."""
    rows: list[list[StagePlace]] = []
    last = float("-inf")
    for place in sorted(board.places, key=_down):
        if not rows or _down(place) - last > _ROWS_APART * board.whole[3]:
            rows.append([])
        rows[-1].append(place)
        last = _down(place)
    return [sorted(row, key=_across) for row in rows]


def _across(place: StagePlace) -> float:
    return 0.0 if place.at is None else place.at[0]


def _down(place: StagePlace) -> float:
    return 0.0 if place.at is None else place.at[1]


def _panels(
    row: Sequence[StagePlace], are_letters: bool, width: int
) -> list[tuple[StagePlace, Lines]] | None:
    """The panels of a row, as wide as there is room for all of them; None where there is none."""
    for most in _PANELS:
        panels = [(place, _panel(place, most, are_letters)) for place in row]
        if sum(wide_of(panel) + GAP for _, panel in panels) - GAP <= width:
            return panels
    return None


def _panel(place: StagePlace, most: int, are_letters: bool) -> Lines:
    pieces = [piece_text(piece, is_brief=are_letters) for piece in place.pieces]
    return [label_of(place), *flowing(pieces, most, " " if are_letters else ", ")]


def _side_by_side(
    board: StageBoard, row: Sequence[tuple[StagePlace, Lines]], width: int
) -> Iterator[Text]:
    """Panels side by side, each as near to where it lies as the others leave room."""
    left, _, across, _ = board.whole
    starts: list[int] = []
    free = 0
    for place, panel in row:
        wanted = round((_across(place) - left) / across * width - wide_of(panel) / 2)
        starts.append(max(free, wanted))
        free = starts[-1] + wide_of(panel) + GAP
    end = width
    for number in reversed(range(len(row))):
        wide = wide_of(row[number][1])
        starts[number] = min(starts[number], end - wide)
        end = starts[number] - GAP
    for line in zip_longest(*(panel for _, panel in row), fillvalue=Text()):
        text = Text()
        for start, part in zip(starts, line, strict=True):
            if part.plain:
                text.append(" " * (start - text.cell_len)).append_text(part)
        yield text


# ---- cards, and lists ----------------------------------------------------------------------------


def blocks_of(places: Sequence[StagePlace], width: int) -> Lines:
    """Places of cards side by side, as many as there is room for."""
    columns = max(1, min(len(places), (width + GAP) // (_BLOCK + GAP)))
    most = (width - GAP * (columns - 1)) // columns
    blocks = [_block(place, most) for place in places]
    wide = max(map(wide_of, blocks), default=0)
    return [
        beside(row, [wide] * len(row))
        for first in range(0, len(blocks), columns)
        for row in zip_longest(*blocks[first : first + columns], fillvalue=Text())
    ]


def _block(place: StagePlace, most: int) -> Lines:
    """A place of cards: its name beside the first of them, the others with that which leads
    marked, and what else is to be said."""
    first, *others = map(piece_text, place.pieces)
    marks = ["▸ " if piece.leads else "  " for piece in place.pieces[1:]]
    parts = [
        Text("  ").join((label_of(place), first)),
        *(
            Text(mark, style="bold").append_text(one)
            for mark, one in zip(marks, others, strict=True)
        ),
        *([Text(f"  {place.aside}", style="dim")] if place.aside else []),
    ]
    return [line for part in parts for line in folded(part, most, "    ")]


def lists(places: Sequence[StagePlace], width: int) -> Iterator[tuple[Lines, Kind]]:
    """A line for each place where anything lies, in one column or in several; last by first
    letters. The others are named in one line."""
    held = [place for place in places if place.pieces]
    if not any(place.look == "spot" for place in places):
        held.sort(key=_across)
    empty = [place.name for place in places if not place.pieces and place.look in ("pin", "zone")]
    nobody = folded(Text(f"Nothing in {', '.join(empty)}", style="dim"), width) if empty else []
    for are_letters, are_near in ((False, False), (False, True), (True, True)):
        if are_letters and any(place.look == "cards" for place in held):
            return
        kind: Kind = "last" if are_letters else "plain"
        entries = [_entry(place, are_letters, are_near) for place in held]
        legend = legend_of(held if are_letters else (), held if are_near else ())
        below = [*nobody, *folded(legend, width)] if legend.plain else nobody
        whole = [Text("  ").join(part for part in entry if part.plain) for entry in entries]
        if _in_columns(entries, 1, width) is None:
            rows = [line for one in whole for line in folded(one, width, "    ")]
            yield [*rows, *below], kind
        for columns in range(1, _MOST_COLUMNS + 1):
            if lines := _in_columns(entries, columns, width):
                yield [*lines, *below], kind
        if are_letters:
            yield [*flowing(whole, width), *below], kind


def _entry(place: StagePlace, are_letters: bool, are_near: bool) -> tuple[Text, Text, Text]:
    """The parts of a line of a list: the name of the place, its pieces, and where it lies."""
    called = place.name if place.look in ("zone", "spot") else place.in_letters
    name = named(place, called, "bold")
    far = [
        f"{where[0]}{count}" if are_near else f"{count} from {where}"
        for where, count in place.distances
    ]
    rest = [(" " if are_near else ", ").join(far), place.note, place.aside]
    words = Text("; ".join(filter(None, rest)), style="dim")
    return name, pieces_text(place, is_brief=are_letters), words


def _in_columns(
    entries: Sequence[tuple[Text, Text, Text]], columns: int, width: int
) -> Lines | None:
    """Entries in so many columns, their parts below each other; None where there is no room."""
    rows = max(1, -(-len(entries) // columns))
    stripes = [entries[first : first + rows] for first in range(0, len(entries), rows)]
    widths = [
        [max(entry[part].cell_len for entry in stripe) for part in range(3)] for stripe in stripes
    ]
    flat = [wide for stripe in widths for wide in stripe]
    if sum(flat) + GAP * (sum(map(bool, flat)) - 1) > width:
        return None
    empty = (Text(), Text(), Text())
    lines = []
    for row in zip_longest(*stripes, fillvalue=empty):
        parts = [part for entry in row for part in entry]
        held = [(part, wide) for part, wide in zip(parts, flat, strict=True) if wide]
        lines.append(beside([part for part, _ in held], [wide for _, wide in held]))
    return lines
