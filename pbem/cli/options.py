"""What several commands take, in the same words, and what they tell of the files they wrote."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pbem.cli.streams import warn

if TYPE_CHECKING:
    from pbem.home.home import Home

# Imported late: what only some of the commands need that come here.

Json = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]
File = Annotated[
    Path,
    typer.Argument(
        help="A turn file, a saved mail with one in it, or a game's short name.", show_default=False
    ),
]
Folder = Annotated[
    Path | None,
    typer.Option("--dir", metavar="FOLDER", help="Folder to write to; by default beside FILE."),
]
Message = Annotated[str, typer.Option("--message", "-m", help="A message to the others.")]
Mail = Annotated[
    bool, typer.Option("--mail/--no-mail", help="Write the mail (.eml) beside the file.")
]
WithProgram = Annotated[
    bool,
    typer.Option(
        "--with-program", help="The mail of an invitation brings pbem too, as a file (1.4 MB)."
    ),
]
Newer = Annotated[
    bool,
    typer.Option(
        "--i-have-no-newer-file",
        help="Nobody has a newer turn of yours: after restoring a home, or beside a copy.",
    ),
]
ClockIsRight = Annotated[
    bool,
    typer.Option("--my-clock-is-right", help="Sign although this machine's clock seems wrong."),
]
Yes = Annotated[bool, typer.Option("--yes", help="Sign without asking at a terminal.")]


@dataclass(frozen=True)
class Writing:
    """How an entry is written: what every command that signs one takes."""

    yes: bool
    folder: Path | None
    mail: bool
    newer: bool
    as_json: bool
    clock_is_right: bool


def open_home() -> Home:
    """The player's home; a key that others can read, and a home that was moved or copied, are told
    once a command, on standard error. Raises `Damaged`."""
    from pbem.home import place
    from pbem.home.home import Home

    home = Home()
    home.check()
    for warning in (home.key_warning(), place.warning(home.folder)):
        if warning:
            warn(str(warning))
    return home


def ask_about_clock(home: Home, own: Iterable[str] = (), *, is_right: bool, may_ask: bool) -> None:
    """Before something is signed: whether this machine's clock is right, where that is in doubt.
    `own` are the dates of the player's own entries in a game. Raises `ClockDoubt` where nobody can
    be asked, and `typer.Abort` if it is not."""
    from pbem.home import clock

    if is_right:
        clock.confirm(home.folder)
    elif may_ask:
        try:
            clock.check(home.folder, own)
        except clock.ClockDoubt as doubt:
            warn(doubt.what)
            typer.confirm(
                "Is it right, and do you want to sign with this date?", abort=True, err=True
            )
            clock.confirm(home.folder)


def closed_home() -> Home:
    """The player's home, for the commands that are about where it is used."""
    from pbem.home.home import Home

    return Home()


def split_answers(text: str) -> list[str]:
    """The answers of one argument: "A; B; C"."""
    return [answer.strip() for answer in text.split(";") if answer.strip()]


def warn_of(warnings: Iterable[str]) -> None:
    """What the player of this home alone should know, beside what a command prints for others
    too."""
    for warning in warnings:
        warn(warning)
