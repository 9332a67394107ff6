"""The command line: each command reads, calls one thing, and shows what came of it."""

from __future__ import annotations

import sys
from typing import Annotated, Any

import typer

from pbem.cli import errors
from pbem.cli.newcomer import is_first_time, next_steps
from pbem.cli.startup.commands import Program
from pbem.cli.startup.parameters import plain
from pbem.cli.streams import tell

SECTIONS = {
    "Play": {
        "table": "table",
        "inbox": "mail",
        "show": "show",
        "moves": "show",
        "play": "play",
        "resign": "play",
        "draw": "play",
        "card": "cards",
        "log": "show",
        "id": "players",
        "new": "players",
        "join": "players",
        "rematch": "players",
        "program": "players",
        "name": "names",
        "contacts": "players",
        "ignore": "ignore",
        "help": "help_pages",
    },
    "Mail": {
        "send": "mail",
        "sent": "mail",
        "remind": "mail",
        "fetch": "mail",
        "watch": "watch",
        "auto": "watch",
        "witness": "watch",
        "doctor": "doctor",
    },
    "Keep": {
        "verify": "verify",
        "replay": "replay",
        "export": "replay",
        "archive": "library",
        "library": "library",
        "home": "players",
    },
    "Analyse": {
        "dice": "show",
        "luck": "library",
        "explore": "library",
        "stats": "library",
        "analyse": "replay",
    },
    "Make games": {
        "games": "games",
        "data": "games",
        "simulate": "games",
        "check-game": "games",
    },
    "In your shell": {
        "completion": "shells",
        "man": "shells",
        "complete": "complete",
    },
}
"""The commands by the headings of docs/commands.md, each with the module of `pbem.cli` that holds
it."""
EVERY_DAY = (
    *("games", "new", "join", "inbox", "show", "play", "table", "send", "verify"),
    "help",
)
"""What `--help` lists: the way of a game from the choice of it to its check."""


ABOUT = (
    "Board games by correspondence: signed turn files, dice you can check, hands nobody can"
    " peek at."
)


class Pbem(Program):
    """The program as it is called."""

    sections = SECTIONS
    every_day = EVERY_DAY


app = typer.Typer(
    cls=Pbem,
    help=ABOUT,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback(invoke_without_command=True)
def main(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    """Board games by correspondence."""
    if version:
        from pbem.version import exact  # no other start needs it

        tell(f"pbem {exact()}")
        raise typer.Exit
    if context.invoked_subcommand is None:  # `pbem` alone
        tell(next_steps() if is_first_time() else context.get_help())
        raise typer.Exit


def program() -> Any:
    """The command line library's own object for the program: for what tells about commands."""
    return typer.main.get_command(app)


def every_command() -> dict[str, Any]:
    """Every command by its name, prepared; its parameters are named as `--help` names them."""
    whole = program()
    context = typer.Context(whole, info_name="pbem")
    found = {name: whole.get_command(context, name) for name in whole.list_commands(context)}
    for command in found.values():
        plain(command.params)
    return found


def run(arguments: list[str] | None = None) -> None:
    """The program with these arguments, or those that the process was given."""
    errors.run(app, sys.argv[1:] if arguments is None else arguments)


if __name__ == "__main__":
    run()
