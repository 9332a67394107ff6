"""What somebody meets who starts the program for the first time: the next steps, and the question
who they are."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import typer

from pbem.cli.streams import warn
from pbem.errors import Usage
from pbem.games.templates import shipped

if TYPE_CHECKING:
    from pbem.home.home import Home

_FIRST = """\
You play here for the first time. The others will read your name, and your
mail address if you give one."""
_KEPT = (
    "your key was made: pbem id shows it, and pbem id --export FILE keeps a copy in a safe place"
)


def next_steps() -> str:
    """What to do first, for somebody who has only just got the program."""
    return (shipped() / "first_steps.txt").read_text(encoding="utf-8").rstrip()


def is_first_time() -> bool:
    """Whether nobody has played with this home yet."""
    from pbem.home.home import Home

    home = Home()
    return not home.has_identity() and home.lost_key() is None


def introduce(home: Home, *, quiet: bool = False) -> None:
    """See that the home has a player: in a terminal a newcomer is asked for a name and a mail
    address. Raises `Usage` elsewhere, or if `quiet`, and `Damaged` for a home whose key is gone."""
    asks = not quiet and all(
        stream is not None and stream.isatty() for stream in (sys.stdin, sys.stderr)
    )
    if asks and not home.has_identity() and home.lost_key() is None:
        _make(home)
    home.identity()


def _make(home: Home) -> None:
    """Ask until name and address are such as a turn file may hold, and make the key. Raises
    `typer.Abort`."""
    from pbem.home import make_identity

    typer.echo(_FIRST, err=True)
    while True:
        name = typer.prompt("Your name", err=True)
        mail = typer.prompt(
            "Your mail address (Enter: none)", default="", show_default=False, err=True
        )
        try:
            make_identity.identify(
                home, name.strip(), mail.strip(), passphrase=False, export=None, import_from=None
            )
        except Usage as error:
            if home.has_identity():
                raise
            warn(f"{error.what}; once more")
            continue
        warn(_KEPT)
        return
