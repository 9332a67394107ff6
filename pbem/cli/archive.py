"""The command that puts a finished game into a folder of games."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from pbem.cli.errors import say
from pbem.cli.options import File, Json
from pbem.cli.startup.commands import CommandEntry
from pbem.cli.streams import warn
from pbem.fileformat import turnfile
from pbem.library import archive as archiving
from pbem.turn import files_beside, named_file
from pbem.turn.board_pictures import board_pictures


def archive(
    file: File,
    folder: Annotated[
        Path, typer.Argument(metavar="DIR", help="The archive; it is made if need be.")
    ],
    as_json: Json = False,
) -> None:
    """Its last turn file, its story in Markdown, a page that shows and checks it, the files that
    went with its turns as far as they are here, and a line in the folder's index.html and
    index.md."""
    data = named_file.find(file).turn
    entries, source = turnfile.read(data).entries, named_file.named(file)
    facts = archiving.archive(data, folder, board_pictures(entries, source))
    attached = files_beside.put_beside(entries, source, folder / f"{facts.game}.toml")
    facts = replace(facts, attached=attached)
    for path, reason in facts.left_out.items():
        warn(f"{path} has no line in the index: {reason}")
    say(as_json, facts, archiving.in_words(facts))


COMMANDS = {
    "archive": CommandEntry(archive),
}
