"""The command that moves the player's home, and keeps a backup of it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pbem.cli.errors import say
from pbem.cli.options import Json
from pbem.cli.own_home import closed_home, open_home
from pbem.cli.startup.commands import CommandEntry
from pbem.errors import Usage
from pbem.home import moving, opening


def home(
    action: Annotated[
        str, typer.Argument(help="move, backup, open or keep.", show_default=False)
    ] = "",
    file: Annotated[
        Path | None,
        typer.Argument(
            help="The packed home: written by move and backup, read by open.", show_default=False
        ),
    ] = None,
    nowhere_else: Annotated[
        bool,
        typer.Option("--nowhere-else", help="This home is used on no other computer any more."),
    ] = False,
    passphrase: Annotated[
        bool, typer.Option("--passphrase", help="With open: put the key under a passphrase here.")
    ] = False,
    as_json: Json = False,
) -> None:
    """`pbem home move FILE` packs the home, encrypted with a passphrase, and closes it: it signs
    nothing here any more. `pbem home open FILE` unpacks it there. `pbem home backup FILE` copies it
    the same way and closes nothing; opened, a backup signs nothing until you confirm it. A FILE
    that ends in `.txt` is text, for a mail or a message. `pbem home keep --nowhere-else` goes on
    here after a move that came to nothing, with a copy, or with an opened backup. Without a word it
    tells which home is used."""
    if action not in ("", "move", "backup", "open", "keep"):
        raise Usage(
            f'"{action[:20]}" is nothing a home does',
            hint="pbem home move FILE, backup FILE, open FILE or keep",
        )
    if (file is None) == (action in ("move", "backup", "open")):
        raise Usage(
            (
                "name the file of the packed home"
                if file is None
                else "a file is for move, backup and open"
            ),
            hint="pbem home --help",
        )
    if passphrase and action != "open":
        raise Usage(
            "--passphrase is for open", hint="move and backup ask for the passphrase of the file"
        )
    own, kept = open_home() if action in ("", "move", "backup") else closed_home(), None
    if file is None:
        if action == "keep":
            opening.keep(own, nowhere_else=nowhere_else)
    elif action == "open":
        kept = opening.open_file(own, file, nowhere_else=nowhere_else, protect=passphrase)
    else:
        (moving.move if action == "move" else moving.backup)(own, file)
    facts = moving.facts(own, file, kept)
    say(as_json, facts, moving.in_words(facts, action))


COMMANDS = {
    "home": CommandEntry(home),
}
