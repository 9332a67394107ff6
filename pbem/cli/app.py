"""The command line: each command reads, calls one thing, and shows what came of it."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pbem import __version__
from pbem.cli import errors
from pbem.cli.errors import say
from pbem.cli.options import File, Json, Newer, open_home, split_answers, warn_of
from pbem.cli.startup.commands import Commands
from pbem.cli.startup.parameters import Program
from pbem.cli.streams import tell
from pbem.cli.topics import OptionCommand
from pbem.errors import Usage
from pbem.games import BUILT_IN

if TYPE_CHECKING:
    from pbem.home.home import Home
    from pbem.report.model import Report
    from pbem.turn.open_game import Opened

app = Program(
    help="Board games by correspondence: signed turn files, dice you can check, hands nobody can peek at.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.command()
def show(
    file: File,
    public: Annotated[bool, typer.Option("--public", help="What everybody may see, without your hand.")] = False,
    form: Annotated[str, typer.Option("--format", help="text, md or json.")] = "text",
    after: Annotated[str, typer.Option(help='The position after these answers of yours: "A; B".')] = "",
    with_cards: Annotated[bool, typer.Option("--cards", help="Tell what each card of your hand does as well.")] = False,
    with_notes: Annotated[
        bool, typer.Option("--notes", help="Your private notes, and those of players whose root is revealed.")
    ] = False,
    newer: Newer = False,
    as_json: Json = False,
) -> None:
    """Show the position, what has happened, and whose turn it is."""
    from pbem.cli import cards
    from pbem.report import render
    from pbem.turn import open_game, player_report

    if form not in ("text", "md", "json"):
        raise Usage(f'there is no format "{form}"', hint="the formats are text, md and json")
    home = open_home()
    opened = open_game.open_path(file, home, nothing_newer=newer)
    facts, draft = player_report.facts_for(opened, public=public, answers=split_answers(after))
    if public:
        warn_of(opened.warnings)
    if with_cards:
        facts = replace(facts, cards=cards.of_hand(opened, draft, facts))
    if with_notes:
        facts = replace(facts, notes=player_report.notes_for(opened, public=public))
    if as_json or form == "json":
        say(True, facts, "")
        return
    if form == "md" or not sys.stdout.isatty() or not print_position(opened, facts, home):
        template = "report.md.j2" if form == "md" else "report.txt.j2"
        tell(render.render(template, facts, home.folder / "templates"), nl=False)
    if with_notes:
        tell(
            render.render("notes.md.j2" if form == "md" else "notes.txt.j2", facts, home.folder / "templates"), nl=False
        )
    for one in facts.cards:
        tell("\n" + cards.shown(one, markdown=form == "md"))


def print_position(opened: Opened, facts: Report, home: Home) -> bool:
    """Show a report in a terminal, in colour; False if nothing is to be drawn, or for a report of the player's own."""
    from pbem.report import render, terminal

    own = home.folder / "templates"
    if not facts.view or (own / "report.txt.j2").exists():
        return False
    before = opened.seen[opened.seat][1] if opened.seat in opened.seen else None
    board = terminal.board(facts.game, facts.view, before, terminal.width())
    if board is None:
        return False
    terminal.print_report(render.render("head.txt.j2", facts, own), board, render.render("asked.txt.j2", facts, own))
    return True


@app.command()
def moves(
    file: File,
    after: Annotated[str, typer.Option(help='Answers already given: "A; B".')] = "",
    newer: Newer = False,
    as_json: Json = False,
) -> None:
    """List the answers that are legal now, as `play` takes them."""
    from pbem.turn import open_game

    opened = open_game.open_path(file, open_home(), nothing_newer=newer)
    facts = open_game.moves(opened, split_answers(after))
    text = "\n".join(opened.ledger.rules.shapes(facts.options))
    if facts.complete:
        text = "The entry is complete: pbem play writes it."
    say(as_json, facts, f"{facts.prompt}:\n{text}" if facts.prompt else text)


@app.command()
def dice(file: File, as_json: Json = False) -> None:
    """List every roll with its proof, and the totals."""
    from pbem.report import dice_count
    from pbem.turn import named_file

    facts = dice_count.dice(named_file.load(file))
    say(as_json, facts, dice_count.dice_in_words(facts))


@app.command(cls=OptionCommand)
def simulate(
    game: Annotated[str, typer.Argument(help=f"The game: {', '.join(sorted(BUILT_IN))}, or one of a plug-in.")],
    number: Annotated[int, typer.Option("--games", help="How many games.")] = 100,
    seed: Annotated[str, typer.Option(help="The same seed gives the same games.")] = "1",
    policy: Annotated[
        str, typer.Option(help="Who decides: random, or module:class of your own (README.md).")
    ] = "random",
    by_mail: Annotated[bool, typer.Option("--by-mail", help="Through the real ledger, with keys and proofs.")] = False,
    keep: Annotated[
        Path | None,
        typer.Option(help="With --by-mail: folder that gets the turn file of each game.", show_default=False),
    ] = None,
    jobs: Annotated[
        int | None, typer.Option(help="How many processes: 1, or with --keep one a core.", show_default=False)
    ] = None,
    option: Annotated[list[str] | None, typer.Option(help="An option of the game: NAME or NAME=NUMBER.")] = None,
    own_data: Annotated[
        Path | None, typer.Option("--data", help="Folder with what you filled in from your copy (`pbem data`).")
    ] = None,
    as_json: Json = False,
) -> None:
    """Play complete games in memory and sum them up."""
    from pbem.cli import progress
    from pbem.games import game_data, registry
    from pbem.simulate import figures, series
    from pbem.turn import invite

    if jobs is None:
        jobs = 1
        if keep is not None:
            from pbem.library.pool import count_processors

            jobs = count_processors()
    what: dict[str, Any] = {
        "policy": policy,
        "settings": invite.read_options(option or []),
        "by_mail": by_mail,
        "jobs": jobs,
        "keep": keep,
        "data": game_data.read(registry.descriptor(game), own_data) if own_data is not None else (),
    }
    with progress.progress(number, quiet=as_json) as advance:
        facts = series.simulate(game, number, seed, progress=advance, **what)
    say(as_json, facts, figures.in_words(facts))


@app.callback(invoke_without_command=True)
def main(version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False) -> None:
    """Board games by correspondence."""
    if version:
        tell(f"pbem {__version__}")
        raise typer.Exit


_COMMANDS = Commands(
    app,
    (
        ("players", ("id", "new", "join", "contacts", "home")),
        ("app", ("show", "moves")),
        ("play", ("play", "resign", "draw")),
        ("table", ("table",)),
        ("verify", ("verify",)),
        ("app", ("dice", "simulate")),
        ("library", ("library",)),
        ("questions", ("luck", "explore", "stats")),
        ("story", ("log",)),
        ("replay", ("replay", "export")),
        ("archive", ("archive",)),
        ("cards", ("card",)),
        ("games", ("games", "check-game", "data")),
        ("mail", ("inbox", "send", "remind", "fetch")),
        ("watch", ("watch", "auto", "witness")),
        ("help_pages", ("help",)),
        ("shells", ("completion", "man", "complete")),
    ),
)


def whole_program() -> Any:
    """The command line library's own object for the program with every command: for what tells about commands."""
    app.registered_commands = _COMMANDS.all()
    return typer.main.get_command(app)


def run(arguments: list[str] | None = None) -> None:
    """The program with these arguments, or those that the process was given."""
    given = (sys.argv[1:] if arguments is None else arguments) or ["--help"]
    _COMMANDS.prepare(given)
    errors.run(app, given)


if __name__ == "__main__":
    run()
