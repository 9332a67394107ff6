"""The command that writes the program itself as one file."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Annotated

import typer

from pbem import files
from pbem.cli.errors import say
from pbem.cli.options import Json
from pbem.cli.startup.commands import CommandEntry
from pbem.cli.streams import fitted
from pbem.errors import Usage
from pbem.mail.program import wheel


@dataclass(frozen=True)
class ProgramFacts:
    """The program as one file: where it was written, its SHA-256, and the system that it is for
    (empty: every one with Python 3.11 or newer)."""

    file: str
    sha256: str
    system: str


def program(
    place: Annotated[
        Path,
        typer.Argument(
            metavar="FILE", help="Folder or file to write to; by default the current folder."
        ),
    ] = Path(),
    as_json: Json = False,
) -> None:
    """They install it with `pipx install ./FILE`. What was installed from a release gives the very
    file of the release again, and a checkout is built."""
    made = wheel()
    file = place / made.name if files.is_folder(place) else place
    if file.name != made.name:
        raise Usage(
            f"it can be installed only if it is called {made.name}",
            hint="name a folder, or nothing",
        )
    if not files.holds(file, made.data):
        files.write_new(file, made.data)
    digest, size = sha256(made.data).hexdigest(), len(made.data) / 1_000_000
    lines = [
        str(file),
        f"Give them this file ({size:.1f} MB); it is installed with: pipx install ./{made.name}",
        f"It is for {made.system} and no other system." if made.system else "",
        f"SHA-256 {digest}",
        "Read these digits to them in another way than the file comes, or let them compare with"
        " those of the release: whoever gives somebody a program can read their keys.",
    ]
    facts = ProgramFacts(str(file), digest, made.system)
    say(as_json, facts, fitted("\n".join(filter(None, lines)), sys.stdout))


COMMANDS = {
    "program": CommandEntry(program),
}
