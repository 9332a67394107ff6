"""What pictures of boards are put together from: letters, symbols of pieces and marks of change,
beside and below each other.

A `Part` is a rectangle with what is drawn in it, in dots from its corner. Letters have the widths
of the fonts that ship with the program, so what is measured here is drawn so on every machine.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, TypeAlias, TypeVar

from pbem.games.stage import StagePiece

T = TypeVar("T")

# fmt: off
_SANS = (
    31, 41, 47, 75, 63, 90, 78, 28, 41, 41, 47, 75, 34, 37, 34, 33, 63, 63, 63, 63, 63, 63, 63,
    63, 63, 63, 36, 36, 75, 75, 75, 52, 90, 70, 69, 66, 75, 61, 61, 74, 75, 33, 33, 70, 57, 90,
    75, 76, 66, 76, 69, 65, 61, 73, 70, 99, 69, 65, 65, 41, 33, 41, 75, 45, 45, 61, 64, 53, 64,
    61, 39, 64, 64, 31, 31, 60, 31, 94, 64, 62, 64, 64, 44, 54, 43, 64, 59, 83, 58, 59, 52, 64,
    33, 64, 75,
)
# fmt: on
"""How wide the letters of ASCII are in Chart Sans, in hundredths of their size."""
_WIDEST = 99
_PLAIN = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "–": "-", "\n": " "})
"""Letters that the fonts do not have, and what stands for them."""
_SMALLEST = 13
"""Letters of names that are made smaller to fit."""
_LINE, _BASE = 1.18, 0.9
"""The height of a line, and where letters stand in it, in sizes of the letters."""
MOST_COUNTED = 6
"""Pieces that are drawn one by one; more are a number."""
_ROW = 4.3
"""How wide pieces of a kind stand side by side, in widths of one; more of them overlap."""


class Words(NamedTuple):
    """Letters from the spot (x, y) on, or about it; `kind` is their class in the template. They are
    so `wide` in whichever font a browser has: a picture that is an image of its own knows none of
    the page's."""

    x: float
    y: float
    size: float
    words: str
    kind: str = ""
    wide: float = 0
    tag: str = "words"


class Symbol(NamedTuple):
    """The symbol of a kind of piece, with its upper left corner at (x, y), so many times as large
    as in the backdrop. `gone`: the last piece of the kind has left, or is used up."""

    x: float
    y: float
    scale: float
    kind: str
    gone: bool = False
    tag: str = "symbol"


class Frame(NamedTuple):
    """A rectangle; `kind` is its class in the template."""

    x: float
    y: float
    wide: float
    high: float
    kind: str
    round: float = 8
    tag: str = "frame"


class Disc(NamedTuple):
    """One of the things that a value counts up to."""

    x: float
    y: float
    size: float
    kind: str
    tag: str = "disc"


class Star(NamedTuple):
    """A star in letters of a size, which the fonts do not have."""

    x: float
    y: float
    size: float
    tag: str = "star"


Drawn: TypeAlias = Words | Symbol | Frame | Disc | Star


class Part(NamedTuple):
    """A rectangle of a picture, and what is drawn in it."""

    wide: float = 0
    high: float = 0
    drawn: tuple[Drawn, ...] = ()


Symbols: TypeAlias = Mapping[str, int]
"""The symbols of a backdrop: how high each is, where a piece is 40 wide."""


# ---- putting parts together ----------------------------------------------------------------------


def moved(part: Part, x: float, y: float) -> tuple[Drawn, ...]:
    """What is drawn in a part whose corner lies there."""
    return tuple(one._replace(x=round(one.x + x, 1), y=round(one.y + y, 1)) for one in part.drawn)


def beside(parts: Sequence[Part], gap: float) -> Part:
    """Parts in a row, about its middle."""
    high = max((part.high for part in parts), default=0)
    drawn: list[Drawn] = []
    x = 0.0
    for part in parts:
        drawn += moved(part, x, (high - part.high) / 2)
        x += part.wide + gap
    return Part(max(0, x - gap), high, tuple(drawn))


def below(parts: Sequence[Part], gap: float = 0, *, is_centred: bool = True) -> Part:
    """Parts one under the other."""
    wide = max((part.wide for part in parts), default=0)
    drawn: list[Drawn] = []
    y = 0.0
    for part in parts:
        drawn += moved(part, (wide - part.wide) / 2 if is_centred else 0, y)
        y += part.high + gap
    return Part(wide, max(0, y - gap), tuple(drawn))


def flowing(
    parts: Iterable[Part], width: float, gap: float, *, lines: float = 2, is_centred: bool = True
) -> Part:
    """Parts in rows, a new one where there is no room."""
    rows = in_lines([(part, part.wide) for part in parts], width, gap)
    return below([beside(row, gap) for row in rows], lines, is_centred=is_centred)


def in_lines(things: Iterable[tuple[T, float]], room: float, gap: float) -> list[list[T]]:
    """Things, each with its width, in lines of so much room: a new one where there is none left.
    One that is wider than a line has a line of its own."""
    lines: list[list[T]] = []
    left = 0.0
    for thing, wide in things:
        if not lines or wide > left:
            lines.append([])
            left = room
        lines[-1].append(thing)
        left -= wide + gap
    return lines


def framed(part: Part, kind: str, pad: float, *, wide: float = 0, round_by: float = 8) -> Part:
    """A part with a frame around it, at least so wide."""
    across = max(wide, part.wide + 2 * pad)
    frame = Frame(0, 0, round(across, 1), round(part.high + pad, 1), kind, round_by)
    return Part(across, part.high + pad, (frame, *moved(part, (across - part.wide) / 2, pad / 2)))


# ---- letters -------------------------------------------------------------------------------------


def drawable(words: str) -> str:
    """Words in the letters that the fonts have."""
    return words.translate(_PLAIN)


def wide_of(words: str, size: float) -> float:
    """How wide words are in letters of a size."""
    codes = (ord(letter) - 32 for letter in words)
    return sum(_SANS[code] if 0 <= code < len(_SANS) else _WIDEST for code in codes) * size / 100


def letters(words: str, size: float, kind: str = "", room: float = 0) -> Part:
    """A line of words; where it is to have `room`, it is cut short if it is longer."""
    if words.startswith("★ "):
        star = Part(size, size, (Star(size / 2, size / 2, size),))
        return beside(
            [star, letters(words[2:], size, kind, room and room - size * 1.3)], size * 0.3
        )
    words = drawable(words)
    if room and wide_of(words, size) > room:
        while len(words) > 1 and wide_of(f"{words}…", size) > room:
            words = words[:-1].rstrip()
        words += "…"
    high = _LINE * size
    wide = wide_of(words, size)
    told = 0 if kind == "serif" else round(wide, 1)
    return Part(wide, high, (Words(0, _BASE * size, size, words, kind, told),))


def fitting(words: str, size: float, room: float, kind: str = "") -> Part:
    """A line of words in smaller letters where it is too long, and cut short if need be."""
    smaller = size * room / max(room, wide_of(drawable(words), size))
    line = letters(words, round(max(_SMALLEST, smaller), 1), kind, room)
    return Part(line.wide, _LINE * size, moved(line, 0, (_LINE * size - line.high) / 2))


def paragraph(words: str, size: float, width: float, kind: str = "") -> Part:
    """Words in as many lines as they take."""
    lines: list[str] = []
    for word in drawable(words).split():
        if lines and wide_of(f"{lines[-1]} {word}", size) <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return below([letters(line, size, kind, width) for line in lines], is_centred=False)


# ---- pieces --------------------------------------------------------------------------------------


def badge(change: int, size: float) -> Part:
    """So many more, or fewer."""
    said = letters(f"{'+' if change > 0 else '-'}{abs(change)}", size, "hot-ink")
    return framed(said, "hot", size / 3, round_by=size / 3)


def pieces_part(piece: StagePiece, size: float, symbols: Symbols) -> Part:
    """All pieces of a kind: one by one where they are few, else one and their number; the text of
    their own in place of both; and how many have come or gone."""
    if piece.kind not in symbols:
        said = letters(piece.said, size * 0.55)
        return beside([said, *([badge(piece.change, 14)] if piece.change else [])], size / 9)
    is_counted = not piece.text and not piece.is_single and 1 < piece.count <= MOST_COUNTED
    drawn = piece.count if is_counted else 1
    scale, step = size / 40, size * min(1.04, (_ROW - 1) / max(1, drawn - 1))
    stack = Part(
        size + step * (drawn - 1),
        scale * symbols[piece.kind],
        tuple(
            Symbol(round(step * nth, 1), 0, round(scale, 3), piece.kind, not piece.count)
            for nth in range(drawn)
        ),
    )
    is_number = piece.count > MOST_COUNTED or not (piece.count or piece.change)
    number = piece.text or (piece.count if is_number and not piece.is_single else "")
    parts = [stack]
    if number != "":
        parts.append(letters(str(number), size * 0.62))
    if piece.change:
        parts.append(badge(piece.change, max(13, size * 0.42)))
    return beside(parts, size / 9)


def card_part(piece: StagePiece, size: float, symbols: Symbols) -> Part:
    """Pieces that lie like a card, their text on it and whose they are below; several are a
    stack."""
    if piece.kind not in symbols:
        return pieces_part(piece, 37, symbols)
    scale = size / 40
    high = scale * symbols[piece.kind]
    drawn: list[Drawn] = [
        Symbol(round(2.5 * nth, 1), round(-2.5 * nth, 1), round(scale, 3), piece.kind)
        for nth in reversed(range(min(piece.count, 3)))
    ]
    if number := piece.text or piece.value or (str(piece.count) if piece.count > 1 else ""):
        letter = size * 0.38
        drawn.append(Words(size / 2, high * 0.608 + letter * 0.36, letter, number, "on-card"))
    if piece.change:
        mark = badge(piece.change, max(13, size * 0.27))
        drawn += moved(mark, size - mark.wide * 0.7, -6)
    card = Part(size, high, tuple(drawn))
    lines, letter = [line for line in piece.label.split("\n") if line], max(14, size * 0.24)
    widest = max((wide_of(drawable(line), letter) for line in lines), default=0)
    room = max(size + 16, min(size * 1.7, widest))
    names = [fitting(line, letter, room, "hot-ink" if piece.leads else "") for line in lines]
    whole = below([Part(room, 6), card, *names])
    return framed(whole, "hot" if piece.leads else "tie" if piece.ties else "none", 6)
