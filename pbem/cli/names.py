"""The command with which a player names a game for themselves alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import typer

from pbem.cli.errors import say
from pbem.cli.options import File, Json
from pbem.cli.own_home import open_home
from pbem.cli.startup.commands import CommandEntry
from pbem.errors import Usage
from pbem.fileformat.characters import without_hidden
from pbem.home import own_name
from pbem.home.game_index import short_name
from pbem.turn import named_file, open_game


@dataclass(frozen=True)
class NameFacts:
    """A game by its short name, what its inviter calls it, and what the player of this home does
    (empty: nothing)."""

    game: str
    called: str
    own: str


def name(
    file: File,
    new_name: Annotated[
        str | None, typer.Argument(metavar="NAME", help="Your own name for it.", show_default=False)
    ] = None,
    forget: Annotated[
        bool, typer.Option("--forget", help="Call it by no name of your own any more.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Nobody else learns it. A name for everybody is given with the invitation: pbem new GAME
    --called NAME. Commands take the beginning of a game's name in place of its short name."""
    if new_name is not None and forget:
        raise Usage("a name or --forget, not both")
    home = open_home()
    home.identity()
    opened = open_game.open_in(home, named_file.find(file, home).turn)
    if new_name is not None:
        own_name.check(new_name)
    if new_name is not None or forget:
        own_name.write(opened.memory.folder, new_name or "")
    public, own = opened.ledger.invitation.title, own_name.read(opened.memory.folder)
    facts = NameFacts(short_name(opened.ledger), public, own)
    by = [f'you call it "{without_hidden(own)}"'] if own else []
    by += [f'whoever invited calls it "{without_hidden(public)}"'] if public else []
    say(as_json, facts, f"{facts.game}: {'; '.join(by) or 'it has no name'}")


COMMANDS = {
    "name": CommandEntry(name),
}
