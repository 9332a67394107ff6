"""The command that takes in what has come, and lists every game."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pbem.cli.errors import AlreadyPrinted, say
from pbem.cli.options import Json, Newer
from pbem.cli.own_home import open_home
from pbem.cli.startup.commands import CommandEntry
from pbem.errors import DONE, Usage
from pbem.home.home import Home
from pbem.report import render
from pbem.turn import game_list, prepared_turns
from pbem.turn.game_list import InboxFacts
from pbem.turn.inbox import Inbox


def look(
    home: Home, places: list[Path], confirmed: str | None = None
) -> tuple[InboxFacts, str, int]:
    """Sort what lies in these places (or in those of mail.toml) into the home: facts, text, exit
    code."""
    return taken_in(Inbox(home, confirmed), places)


def taken_in(sorter: Inbox, places: list[Path]) -> tuple[InboxFacts, str, int]:
    """The same with a sorter that may have taken in something already."""
    if not places:
        sorter.take_usual()
    for place in places:
        sorter.take_from(place, "check the path")
    if sorter.confirmed is not None:
        sorter.confirm_kept()
    prepared_turns.answer_all(sorter)
    facts = game_list.facts(sorter)
    return (
        facts,
        render.render("inbox.txt.j2", facts, sorter.home.folder / "templates"),
        sorter.exit_code(),
    )


def show(facts: object, text: str, code: int, as_json: bool) -> None:
    say(as_json, facts, text.rstrip("\n"))
    if code != DONE:
        raise AlreadyPrinted(code)


def inbox(
    places: Annotated[
        list[Path] | None,
        typer.Argument(
            help="Files, folders, Maildirs, mbox files, mails, links.", show_default=False
        ),
    ] = None,
    newer: Newer = False,
    only: Annotated[
        str | None,
        typer.Option(
            "--game",
            metavar="GAME",
            help="The game that --i-have-no-newer-file is about; by default all.",
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Each game with its players, whose turn it is, since when, and what is due."""
    if only is not None and not newer:
        raise Usage(
            "--game is for --i-have-no-newer-file", hint=f"pbem show {only[:80]} shows one game"
        )
    show(*look(open_home(), places or [], (only or "") if newer else None), as_json)


COMMANDS = {
    "inbox": CommandEntry(inbox),
}
