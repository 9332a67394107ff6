"""The commands that end a game before its rules do: a resignation, and what is said of a draw."""

from __future__ import annotations

from typing import Annotated

import typer

from pbem.cli import sign_entry
from pbem.cli.options import File
from pbem.cli.startup.commands import CommandEntry
from pbem.cli.writing import Writing


def resign(file: File, *, writing: Writing) -> None:
    """Between two sides this ends it. With three or more you leave, and the others play on. What
    becomes readable by it is said before anything is signed."""
    sign_entry.resignation(file, writing)


def draw(
    file: File,
    decline: Annotated[
        bool, typer.Option("--decline", help="Decline the draw that is offered.")
    ] = False,
    offer: Annotated[
        bool, typer.Option("--offer", help="Offer one, also where to draw is a move.")
    ] = False,
    *,
    writing: Writing,
) -> None:
    """What it costs is said before anything is signed."""
    answer = "decline" if decline else "offer" if offer else "answer"
    sign_entry.word_on_draw(file, answer, writing)


COMMANDS = {
    "resign": CommandEntry(resign),
    "draw": CommandEntry(draw),
}
