"""Pieces, names and lines in the letters of a terminal, for all ways to lay out a board."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from rich.console import Console
from rich.text import Text

from pbem.games.stage import StageItem, StagePiece, StagePlace

STYLES = {
    "": "",
    "white": "bold",
    "purple": "bold magenta",
    **{colour: f"bold {colour}" for colour in ("blue", "cyan", "green", "red", "yellow")},
}
CHANGED = "bold reverse"
GAP = 2
"""Columns between what stands side by side."""

Lines: TypeAlias = list[Text]


def piece_text(piece: StagePiece, *, is_brief: bool = False) -> Text:
    """Pieces of a kind: how many, and what they are, in words or by first letters."""
    number = "" if piece.is_single else str(piece.text or piece.count)
    words = f"{number}{sign(piece)}" if is_brief else piece.said
    text = Text(words, style=STYLES[piece.colour])
    if piece.change:
        text.append(f"{'' if is_brief else ' '}({piece.change:+d})", style=CHANGED)
    return text


def sign(piece: StagePiece) -> str:
    return piece.sign or "".join(word[0] for word in piece.words.split()).upper()


def pieces_text(place: StagePlace | StageItem, *, is_brief: bool = False) -> Text:
    between = " " if is_brief else ", "
    return Text(between).join(piece_text(piece, is_brief=is_brief) for piece in place.pieces)


def legend_of(pieces_of: Iterable[StagePlace], distances_of: Iterable[StagePlace]) -> Text:
    """What the signs mean that stand for words in these places. Of signs that a game has made up
    one is read out: the others are like it."""
    found: dict[str, Text] = {}
    for piece in (piece for place in pieces_of for piece in place.pieces):
        key = "made up" if piece.sign else sign(piece)
        found.setdefault(key, Text(sign(piece), STYLES[piece.colour]).append(f" {piece.words}", ""))
    names = dict.fromkeys(name for place in distances_of for name, _ in place.distances)
    away = [Text(f"{name[0]} from {name}") for name in names]
    return Text(", ").join([*(found[key] for key in sorted(found)), *away])


def label_of(place: StagePlace) -> Text:
    return named(place, place.in_letters, "bold underline" if place.pieces else "dim")


def named(place: StagePlace, words: str, style: str) -> Text:
    """The name of a place, marked where something has changed."""
    return Text(f"{words}*" if place.marked else words, CHANGED if place.marked else style)


def beside(parts: Sequence[Text], widths: Sequence[int]) -> Text:
    """Texts side by side in columns of these widths."""
    text = Text()
    at = 0
    for part, wide in zip(parts, widths, strict=True):
        if part.plain:
            text.append(" " * (at - text.cell_len)).append_text(part)
        at += wide + GAP
    return text


def flowing(parts: Sequence[Text], width: int, between: str = "   ") -> Lines:
    """Texts one after the other, in a new line where there is no room."""
    lines: Lines = []
    for part in parts:
        if lines and lines[-1].cell_len + len(between) + part.cell_len <= width:
            lines[-1].append(between).append_text(part)
        else:
            lines[-1:] = [line.append(between.rstrip()) for line in lines[-1:]]
            lines += folded(part, width)
    return lines


def folded(text: Text, width: int, indent: str = "") -> Lines:
    """A text in lines of at most so many columns, those after the first indented."""
    console = Console(width=width)
    if text.cell_len <= width:
        return [text]
    first, *rest = text.wrap(console, width)
    left = Text(" ").join(rest)
    lines = [first, *left.wrap(console, width - len(indent))]
    for line in lines:
        line.rstrip()
    return [lines[0], *(Text(indent).append_text(line) for line in lines[1:])]


def wide_of(lines: Lines) -> int:
    return max((line.cell_len for line in lines), default=0)
