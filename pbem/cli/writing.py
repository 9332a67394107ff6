"""What the commands take that sign an entry: each of these tuples is taken whole by a command, and
each of its fields is an option (`pbem.cli.startup.parameters.one_by_one`)."""

from __future__ import annotations

from typing import Annotated, NamedTuple

import typer

from pbem.cli.options import ClockIsRight, Folder, Json, Mail, Message, Newer, Yes


class WritingFirst(NamedTuple):
    """How the first entry of a player in a game is written, by `join` and `rematch`."""

    folder: Folder = None
    mail: Mail = True
    clock_is_right: ClockIsRight = False
    as_json: Json = False


class Writing(NamedTuple):
    """How an entry is written: what every command that signs one takes."""

    message: Message = ""
    yes: Yes = False
    folder: Folder = None
    mail: Mail = True
    newer: Newer = False
    clock_is_right: ClockIsRight = False
    as_json: Json = False


class Said(NamedTuple):
    """What a turn takes besides its answers."""

    order: Annotated[
        list[str] | None,
        typer.Option(
            "--order",
            metavar='"TOPIC: WHAT"',
            help='A standing order, for example "hits: spread"; may be repeated.',
        ),
    ] = None
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show the result and write nothing.")
    ] = False
    offer_draw: Annotated[
        bool, typer.Option("--offer-draw", help="Offer a draw with this turn.")
    ] = False
    note: Annotated[
        str,
        typer.Option(
            "--note", help="A private note, sealed until the end: then everybody can read it."
        ),
    ] = ""
    leave: Annotated[
        str,
        typer.Option(
            "--leave-until",
            metavar="DAY",
            help="You are away until this day: 2026-12-31.",
            show_default=False,
        ),
    ] = ""
    grant: Annotated[
        int,
        typer.Option(
            "--grant",
            metavar="DAYS",
            help="Give the others so many days on the clock.",
            show_default=False,
        ),
    ] = 0
    plain: Annotated[
        bool,
        typer.Option(
            "--plain", help="Lead through the turn line by line, as a screen reader likes it."
        ),
    ] = False
