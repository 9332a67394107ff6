"""The command line: each command reads, calls one thing, and shows what came of it."""

from __future__ import annotations

import sys
from typing import Annotated, Any

import typer

from pbem.cli import errors
from pbem.cli.startup.commands import Listed, Program
from pbem.cli.startup.parameters import plain
from pbem.cli.streams import tell

SECTIONS = {
    "Play": {
        "table": Listed("table", "Play by clicking, in the browser of this machine."),
        "inbox": Listed("inbox", "Take in the turns that have come, and list every game."),
        "show": Listed("show", "Show the position, what has happened, and whose turn it is."),
        "moves": Listed("legal", "List the answers that are legal now, as `play` takes them."),
        "play": Listed("play", "Answer what the game asks you and write the next turn file."),
        "resign": Listed("give_up", "Resign the game, on your turn."),
        "draw": Listed("give_up", "Offer a draw, on your turn; or accept the one that is offered."),
        "card": Listed("legal", "Tell what a card does, and whether it is legal now."),
        "log": Listed("log", "Tell the whole story of a game, turn by turn."),
        "id": Listed("identity", "Make or show your identity: name, address, key, fingerprint."),
        "new": Listed("invite", "Write an invitation to a new game."),
        "join": Listed("invite", "Take the free seat of a game you are invited to."),
        "rematch": Listed("invite", "Invite to a game once more, seats changed."),
        "series": Listed("series", "Show how a set or a series of games stands, from its files."),
        "seek": Listed("seek", "Say that you look for somebody to play with."),
        "seeks": Listed("seek", "List who looks for somebody to play with, and answer one."),
        "league": Listed("league", "Play in a league, direct one, or check its table."),
        "program": Listed(
            "program", "Write pbem itself as one file, to give to whoever you invite."
        ),
        "name": Listed("names", "Name a game for yourself, or show what it is called."),
        "contacts": Listed("contacts", "List the players you know: key, fingerprint, games."),
        "ignore": Listed("ignore", "Hide games, players or all strangers, or list them."),
        "help": Listed("help_pages", "Read the pages about the program and its games."),
    },
    "Mail": {
        "send": Listed("mail", "Send a turn to the others, or to one address."),
        "sent": Listed("mail", "Note that you have sent a turn yourself, without pbem send."),
        "remind": Listed("mail", "Remind, in a friendly way, whoever a game waits for."),
        "fetch": Listed("mail", "Fetch new mails with turns, and look into the inbox."),
        "watch": Listed("watch", "Keep looking for turns that come, and tell each one once."),
        "auto": Listed("auto", "Switch turns that write themselves on or off."),
        "witness": Listed("auto", "List the players whose games you witness."),
        "doctor": Listed("doctor", "Look whether everything is well, and say what needs a hand."),
    },
    "Keep": {
        "verify": Listed("verify", "Check a whole game from its file alone, or many games."),
        "replay": Listed("replay", "Watch a game again, turn by turn."),
        "export": Listed("replay", "Give a whole game to other programs."),
        "archive": Listed("archive", "Put a finished game into a folder of games."),
        "library": Listed(
            "library", "Make or refresh the library of a folder: its games as tables."
        ),
        "home": Listed("home", "Move your home to another computer, or keep a backup of it."),
    },
    "Analyse": {
        "dice": Listed("dice", "Count the faces of all dice, and list every roll."),
        "luck": Listed("ask_library", "Compare everybody's dice with fair ones."),
        "explore": Listed("ask_library", "Show what was played next, how often, and how it ended."),
        "stats": Listed("ask_library", "Sum up the games of a library."),
        "analyse": Listed("replay", "Tell what a strong program thinks of a game that is over."),
    },
    "Make games": {
        "games": Listed("games", "List the games that are installed, and how one wins them."),
        "data": Listed("games", "Write files to fill in with what your copy of a game says."),
        "simulate": Listed("simulate", "Play complete games in memory and sum them up."),
        "check-game": Listed(
            "simulate", "Try the rules of a game out: the test bench for authors."
        ),
    },
    "In your shell": {
        "completion": Listed("shells", "Complete commands, games and answers in your shell."),
        "man": Listed("shells", "Print a man page, or install them all."),
        "complete": Listed(
            "complete", "Print what the last word may become, one candidate a line.", True
        ),
    },
}
"""The commands by the headings of docs/commands.md."""
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
        from pbem.cli.newcomer import is_first_time, next_steps  # loads the home

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
