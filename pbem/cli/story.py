"""The command that tells the whole story of a game."""

from __future__ import annotations

from typing import Annotated

import typer

from pbem.cli.errors import say
from pbem.cli.options import File, Json, open_home
from pbem.cli.startup.commands import Registered
from pbem.cli.streams import tell, warn
from pbem.errors import Usage


def log(
    file: File,
    first: Annotated[
        int | None, typer.Option("--from", help="Begin with this turn.", show_default=False)
    ] = None,
    until: Annotated[
        int | None, typer.Option("--to", help="End with this turn.", show_default=False)
    ] = None,
    public: Annotated[
        bool, typer.Option("--public", help="What everybody may see, without your hand.")
    ] = False,
    form: Annotated[str, typer.Option("--format", help="text, md or json.")] = "text",
    as_json: Json = False,
) -> None:
    """Tell the whole story of a game, turn by turn."""
    from pbem.report import log as story
    from pbem.report import render
    from pbem.turn import open_game

    if form not in ("text", "md", "json"):
        raise Usage(f'there is no format "{form}"', hint="the formats are text, md and json")
    home = open_home()
    opened = open_game.open_path(file, home)
    for doubt in opened.doubts:
        warn(doubt)
    viewer = None if public else opened.seat
    faces = (
        open_game.own_faces(opened, None) if viewer is not None else opened.ledger.public_faces()
    )
    facts = story.log(opened.ledger, viewer, faces, first, until)
    if as_json or form == "json":
        say(True, facts, "")
    else:
        template = "log.md.j2" if form == "md" else "log.txt.j2"
        tell(render.render(template, facts, home.folder / "templates"), nl=False)


COMMANDS = {
    "log": Registered(log),
}
