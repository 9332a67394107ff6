"""The command that counts the dice of a game."""

from __future__ import annotations

from typing import Annotated

import typer

from pbem.cli.errors import say
from pbem.cli.options import File, Json
from pbem.cli.startup.commands import CommandEntry
from pbem.report import dice_count
from pbem.turn import named_file


def dice(
    file: File,
    proofs: Annotated[
        bool, typer.Option("--proofs", help="What each roll was made of, with its proofs.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Whether dice are fair, one game seldom shows: pbem luck asks a library of many."""
    facts = dice_count.dice(named_file.find(file).turn)
    say(as_json, facts, dice_count.dice_in_words(facts, proofs=proofs))


COMMANDS = {
    "dice": CommandEntry(dice),
}
