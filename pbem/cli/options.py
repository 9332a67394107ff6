"""What several commands take, in the same words, and what they tell of the files they wrote."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pbem.cli.errors import say
from pbem.cli.streams import warn

if TYPE_CHECKING:
    from pbem.cli.output import Written
    from pbem.player.home import Home

Json = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]
File = Annotated[
    Path, typer.Argument(help="A turn file, a saved mail with one in it, or a game's short name.", show_default=False)
]
Folder = Annotated[Path | None, typer.Option("--dir", help="Folder to write to; by default beside FILE.")]
Message = Annotated[str, typer.Option("--message", "-m", help="A message to the others.")]
Mail = Annotated[bool, typer.Option("--mail/--no-mail", help="Write the mail (.eml) beside the file.")]
Newer = Annotated[
    bool,
    typer.Option("--i-have-no-newer-file", help="After restoring a home: nothing newer was signed elsewhere."),
]


def open_home() -> Home:
    """The player's home; a key that others can read, and a home that was moved or copied, are told once a command, on
    standard error. Raises `Damaged`."""
    from pbem.player import place
    from pbem.player.home import Home

    home = Home()
    home.check()
    for warning in (home.key_warning(), place.warning(home)):
        if warning:
            warn(warning)
    return home


def closed_home() -> Home:
    """The player's home, for the commands that are about where it is used."""
    from pbem.player.home import Home

    return Home()


def tell_written(as_json: bool, written: Written) -> None:
    """The names of the files a command wrote, and what to do with them."""
    from pbem.cli import output

    turn = output.to_act(written.game)
    file, summary, mail = str(written.file), str(written.summary), None if written.mail is None else str(written.mail)
    facts = output.WrittenFacts(file, summary, mail, turn)
    paths = [path for path in (file, summary, mail) if path]
    if written.note:
        warn(written.note)
    say(as_json, facts, "\n".join([*paths, output.next_step(written.game, mailed=written.mail is not None)]))
