"""The command that tells the whole story of a game."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from pbem.cli.errors import say
from pbem.cli.options import File, Form, Json, Public, check_form
from pbem.cli.own_home import open_home
from pbem.cli.startup.commands import CommandEntry
from pbem.cli.streams import fitted, tell, warn
from pbem.report import log as story
from pbem.report import render
from pbem.turn import named_file, open_game, own_report


def log(
    file: File,
    first: Annotated[
        int | None, typer.Option("--from", help="Begin with this turn.", show_default=False)
    ] = None,
    until: Annotated[
        int | None, typer.Option("--to", help="End with this turn.", show_default=False)
    ] = None,
    public: Public = False,
    form: Form = "text",
    as_json: Json = False,
) -> None:
    """From the invitation on, or only the turns that --from and --to name."""
    check_form(form)
    home = open_home()
    opened = open_game.open_file(named_file.find(file, home).turn, home)
    for doubt in opened.doubts:
        warn(doubt)
    viewer = None if public else opened.seat
    faces = (
        own_report.own_faces(opened, None) if viewer is not None else opened.ledger.public_faces()
    )
    facts = story.log(opened.ledger, viewer, faces, first, until)
    if as_json or form == "json":
        say(True, facts, "")
    else:
        template = "log.md.j2" if form == "md" else "log.txt.j2"
        text = render.render(template, facts, home.folder / "templates")
        tell(fitted(text, sys.stdout), nl=False)


COMMANDS = {
    "log": CommandEntry(log),
}
