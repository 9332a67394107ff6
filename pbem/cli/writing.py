"""What the commands take that sign an entry: each of these tuples is taken whole by a command, and
each of its fields is an option (`pbem.cli.startup.parameters.one_by_one`)."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from pbem.cli.options import (
    ClockIsRight,
    Folder,
    FolderHere,
    GameOptions,
    Json,
    Mail,
    Message,
    Newer,
    OwnData,
    Web,
    WithProgram,
    Yes,
)


class Wanted(NamedTuple):
    """What a new game is to be, besides what its rules add of their own."""

    seat: Annotated[
        str | None,
        typer.Option(metavar="SEAT", help="Your seat, by its name; by default the first."),
    ] = None
    option: GameOptions = None
    opponent: Annotated[
        list[str] | None,
        typer.Option(
            metavar="KEY",
            help=(
                "Keep a seat for this public key or contact; once for each player, in the order in"
                " which they join."
            ),
        ),
    ] = None
    own_data: OwnData = None
    clock: Annotated[
        str,
        typer.Option(
            metavar="DAYS+DAYS",
            help="A clock: days for the whole game + days added with each decision, as in 30+3.",
        ),
    ] = ""
    title: Annotated[
        str,
        typer.Option(
            "--called", metavar="NAME", help='What the game is called, as in "Winter league 3".'
        ),
    ] = ""
    series: Annotated[
        str,
        typer.Option(
            metavar="TERMS",
            help=(
                'Several games, seats changed each time: "2 games", "2 games at once", "best of 5"'
                ' or "3 points".'
            ),
        ),
    ] = ""
    leave: Annotated[
        int,
        typer.Option(
            metavar="DAYS", help="Days for which an absence stops the clock.", show_default=False
        ),
    ] = 0


class WritingInvitation(NamedTuple):
    """How an invitation is written, by `new`."""

    web: Web = ""
    folder: FolderHere = None
    mail: Mail = True
    with_program: WithProgram = False
    clock_is_right: ClockIsRight = False
    as_json: Json = False


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
    files: Annotated[
        list[Path] | None,
        typer.Option(
            "--with",
            metavar="FILE",
            help="A file that goes with the turn, of any kind, 5 MB at most; may be repeated.",
            show_default=False,
        ),
    ] = None
    plans: Annotated[
        list[str] | None,
        typer.Option(
            "--seal",
            metavar="PLAN",
            help="A plan that nobody can read or change before you open it; may be repeated.",
            show_default=False,
        ),
    ] = None
    joint_plans: Annotated[
        list[str] | None,
        typer.Option(
            "--seal-together",
            metavar='"WORD: PLAN"',
            help="A plan that opens once all have sealed one with this word; may be repeated.",
            show_default=False,
        ),
    ] = None
    opens: Annotated[
        list[str] | None,
        typer.Option(
            "--open",
            metavar="N",
            help='Open your sealed plan of this number, or "all"; may be repeated.',
            show_default=False,
        ),
    ] = None
    prepared: Annotated[
        list[str] | None,
        typer.Option(
            "--if",
            metavar='"THEIRS then YOURS"',
            help="If they play that, you play this: signed when it comes; may be repeated.",
            show_default=False,
        ),
    ] = None
    drop_prepared: Annotated[
        list[str] | None,
        typer.Option(
            "--drop-if",
            metavar="N",
            help='Take the prepared answer of this number back, or "all"; may be repeated.',
            show_default=False,
        ),
    ] = None
    plain: Annotated[
        bool,
        typer.Option(
            "--plain", help="Lead through the turn line by line, as a screen reader likes it."
        ),
    ] = False
