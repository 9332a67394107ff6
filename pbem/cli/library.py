"""The command that makes a library of a folder of games."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from pbem.cli.errors import AlreadyPrinted, say
from pbem.cli.options import Dask, Jobs, Json, check_processes
from pbem.cli.startup.commands import CommandEntry
from pbem.cli.streams import counted
from pbem.errors import USAGE
from pbem.library import database, runner, update
from pbem.library.export import export as write_tables


def library(
    folder: Annotated[
        Path, typer.Argument(help="The folder; those in it count too.", show_default=False)
    ],
    jobs: Jobs = None,
    dask: Dask = None,
    reread: Annotated[
        bool, typer.Option("--reread", help="Read every file, also where nothing seems changed.")
    ] = False,
    anew: Annotated[
        bool, typer.Option("--anew", help="Forget everything, and verify every file.")
    ] = False,
    export: Annotated[
        Path | None,
        typer.Option(
            "--export", help="Write the tables to this folder as Parquet.", show_default=False
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Every turn file that is new or changed is verified, and what it says is kept in
    FOLDER/library.sqlite. What does not verify is listed. Exit code 2 if something could not be
    read, or a process that worked on it was killed: it is named, and read by the next run."""
    check_processes(jobs, dask, "library")
    with counted("verifying", quiet=as_json) as progress:
        facts = update.update(
            folder,
            lambda work, found: runner.each(work, found, jobs, dask),
            progress,
            anew=anew,
            reread=reread,
        )
    if export is not None:
        with closing(database.to_read(folder)) as tables:
            facts = replace(facts, exported=[str(path) for path in write_tables(tables, export)])
    say(as_json, facts, update.in_words(facts))
    if any(one.is_unread for one in facts.skipped):
        raise AlreadyPrinted(USAGE)


COMMANDS = {
    "library": CommandEntry(library),
}
