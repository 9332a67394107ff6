"""The position in a terminal: the same facts as the picture, in tables and colours. Shapes and
words carry everything; colour only helps. Each game draws its own board
(`pbem.games.descriptor.TerminalBoard`)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.console import Console, RenderableType
from rich.text import Text

from pbem.english import folded
from pbem.games import registry
from pbem.games.descriptor import load

View = Mapping[str, Any]


def board(
    game: str,
    view: View,
    before: View | None,
    width: int = 80,
    names: Mapping[str, str] | None = None,
    *,
    brief: bool = False,
) -> RenderableType | None:
    """The position of a game, with what changed since `before`; None for a game that draws nothing
    for a terminal of that width, or nothing `brief`. The board finds the names of the players, by
    seat, as `called` in the view."""
    drawn = registry.descriptor(game).board
    if drawn is None:
        return None
    draw = drawn.draw if width >= drawn.columns else drawn.narrow
    if brief:
        draw = drawn.brief
    found: RenderableType | None = (
        None if draw is None else load(draw)({**view, "called": names or {}}, before)
    )
    return found


def width() -> int:
    """The width of the terminal in columns."""
    return Console().width


def print_report(
    head: str,
    position: RenderableType,
    tail: str,
    brief: str = "",
    rest: str = "",
    console: Console | None = None,
) -> None:
    """A report: text that was rendered already, with the position between its halves.

    With a `brief` second half, what has no room in the terminal is left out, and the line `rest`
    says where it is: the position, then what `brief` lacks, then the oldest lines of the first half
    but for its first one.
    """
    console = console or Console(highlight=False, markup=False, emoji=False)
    texts = head.rstrip("\n"), tail.strip("\n"), brief.strip("\n")
    head, tail, brief = (folded(text, console.width) for text in texts)
    forms: list[tuple[RenderableType, ...]] = [(Text(head), position, Text(tail))]
    if brief:
        title, *lines = head.split("\n")
        forms.append((Text("\n".join((title, rest, *lines))), Text(tail)))
        forms += [
            (Text("\n".join((title, rest, *lines[left:]))), Text(brief))
            for left in range(len(lines) + 1)
        ]
    form = next(
        (
            form
            for form in forms
            if sum(len(console.render_lines(part)) for part in form) < console.height
        ),
        forms[-1],
    )
    for part in form:
        console.print(part)
