"""The command that puts a finished game into a folder of games."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pbem.cli.errors import say
from pbem.cli.options import File, Json
from pbem.cli.startup.commands import CommandEntry
from pbem.cli.streams import warn
from pbem.library import archive as archiving
from pbem.turn import named_file


def archive(
    file: File,
    folder: Annotated[
        Path, typer.Argument(metavar="DIR", help="The archive; it is made if need be.")
    ],
    as_json: Json = False,
) -> None:
    """Its last turn file, its story in Markdown, a page that shows and checks it, and a line in the
    folder's index.html and index.md."""
    facts = archiving.archive(named_file.find(file).turn, folder)
    for path, reason in facts.left_out.items():
        warn(f"{path} has no line in the index: {reason}")
    say(as_json, facts, archiving.in_words(facts))


COMMANDS = {
    "archive": CommandEntry(archive),
}
