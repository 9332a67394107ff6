"""The position in a terminal: the same facts as the picture, in tables and colours. Shapes and words carry everything;
colour only helps. Each game draws its own board (`pbem.games.descriptor.TerminalBoard`)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.console import Console, RenderableType
from rich.text import Text

from pbem.games import registry
from pbem.games.descriptor import load

View = Mapping[str, Any]


def board(game: str, view: View, before: View | None, width: int = 80) -> RenderableType | None:
    """The position of a game, with what changed since `before`; None for a game that draws nothing for a terminal of
    that width."""
    drawn = registry.descriptor(game).board
    if drawn is None:
        return None
    draw = drawn.draw if width >= drawn.columns else drawn.narrow
    found: RenderableType | None = None if draw is None else load(draw)(view, before)
    return found


def width() -> int:
    """The width of the terminal in columns."""
    return Console().width


def print_report(head: str, position: RenderableType, tail: str, console: Console | None = None) -> None:
    """A report: text that was rendered already, with the position between its halves."""
    console = console or Console(highlight=False, markup=False, emoji=False)
    console.print(Text(head.rstrip("\n")))
    console.print(position)
    console.print(Text(tail.strip("\n")))
