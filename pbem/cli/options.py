"""What several commands take, in the same words, and what they tell in the same way."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

from pbem.cli.streams import warn
from pbem.errors import Usage

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
FolderHere = Annotated[
    Path | None,
    typer.Option("--dir", metavar="FOLDER", help="Folder to write to; by default the current one."),
]
Web = Annotated[
    str,
    typer.Option(
        metavar="ADDRESS",
        help="A page in which the others may play in their browser (pbem help web).",
    ),
]
Public = Annotated[
    bool, typer.Option("--public", help="What everybody may see, without your hand.")
]
Form = Annotated[str, typer.Option("--format", help="text, md or json.")]
Dask = Annotated[
    str | None,
    typer.Option(
        metavar="ADDRESS", help="Address of a Dask cluster that does the work (docs/library.md)."
    ),
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
Jobs = Annotated[
    int | None, typer.Option("--jobs", help="How many processes; by default one for each core.")
]
GameOptions = Annotated[
    list[str] | None,
    typer.Option("--option", metavar="NAME", help="Any option of the game: NAME or NAME=NUMBER."),
]
OwnData = Annotated[
    Path | None,
    typer.Option(
        "--data",
        metavar="PATH",
        help="What you filled in from your copy: a folder (`pbem data`), or its only file.",
    ),
]
Yes = Annotated[bool, typer.Option("--yes", help="Sign without asking at a terminal.")]


def check_form(form: str) -> None:
    """Raise `Usage` if a report has no such format."""
    if form not in ("text", "md", "json"):
        raise Usage(f'there is no format "{form}"', hint="the formats are text, md and json")


def check_processes(jobs: int | None, dask: str | None, command: str) -> None:
    """Raise `Usage` unless somebody can do the work of a command with many files."""
    if jobs is not None and jobs < 1:
        raise Usage("at least one process has to work", hint=f"pbem {command} FOLDER --jobs 2")
    if jobs is not None and dask is not None:
        raise Usage(
            "--jobs is about this machine, and a cluster has its own processes",
            hint="one of the two",
        )


def warn_of(warnings: Iterable[str]) -> None:
    """What the player of this home alone should know, beside what a command prints for others
    too."""
    for warning in warnings:
        warn(warning)
