"""The command that answers what a game asks and signs the turn."""

from __future__ import annotations

from typing import Annotated

import typer

from pbem.cli.game_options import OrderCommand
from pbem.cli.options import File
from pbem.cli.startup.commands import CommandEntry
from pbem.cli.writing import Said, Writing


def play(
    file: File,
    answers: Annotated[
        str, typer.Argument(help='Your answers: "A; B; C".', show_default=False)
    ] = "",
    *,
    said: Said,
    writing: Writing,
) -> None:
    """Without answers a terminal leads you through the turn: the board, each question with its
    legal answers, steps back, and at the end one question, whether to sign. Elsewhere it writes
    without answers only what needs no decision, such as a proof for the other player's dice."""
    # its help lists what orders can be about in each game, and needs nothing that signs
    from pbem.cli import sign_entry

    sign_entry.turn(file, answers, said, writing)


COMMANDS = {"play": CommandEntry(play, OrderCommand)}
