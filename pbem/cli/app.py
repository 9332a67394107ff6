"""The command line: each command reads, calls one thing, and shows what came of it."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pbem import __version__, files
from pbem.cli import cards, errors, games, help_pages, mail, players, shells, story
from pbem.cli.errors import Told, say
from pbem.cli.options import File, Folder, Json, Mail, Message, Newer, open_home, tell_written
from pbem.cli.parameters import Program
from pbem.cli.streams import tell, warn
from pbem.cli.topics import OptionCommand, OrderCommand
from pbem.errors import Usage
from pbem.games import BUILT_IN

if TYPE_CHECKING:
    from pbem.player.open_game import Opened

app = Program(
    help="Board games by correspondence: signed turn files, dice you can check, hands nobody can peek at.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)

players.register(app)


@app.command()
def show(
    file: File,
    public: Annotated[bool, typer.Option("--public", help="What everybody may see, without your hand.")] = False,
    form: Annotated[str, typer.Option("--format", help="text, md or json.")] = "text",
    after: Annotated[str, typer.Option(help='The position after these answers of yours: "A; B".')] = "",
    with_cards: Annotated[bool, typer.Option("--cards", help="Tell what each card of your hand does as well.")] = False,
    newer: Newer = False,
    as_json: Json = False,
) -> None:
    """Show the position, what has happened, and whose turn it is."""
    from pbem.cli import output
    from pbem.report import render

    if form not in ("text", "md", "json"):
        raise Usage(f'there is no format "{form}"', hint="the formats are text, md and json")
    home = open_home()
    opened = output.open_path(file, home, nothing_newer=newer)
    facts, draft = output.facts_for(opened, public=public, typed=_answers(after))
    if public:
        _warn(opened.warnings)
    if with_cards:
        facts = replace(facts, cards=cards.of_hand(opened, draft, facts))
    if as_json or form == "json":
        say(True, facts, "")
        return
    if form == "md" or not sys.stdout.isatty() or not output.print_position(opened, facts, home):
        template = "report.md.j2" if form == "md" else "report.txt.j2"
        tell(render.render(template, facts, home.folder / "templates"), nl=False)
    for one in facts.cards:
        tell("\n" + cards.shown(one, markdown=form == "md"))


@app.command()
def moves(
    file: File,
    after: Annotated[str, typer.Option(help='Answers already given: "A; B".')] = "",
    newer: Newer = False,
    as_json: Json = False,
) -> None:
    """List the answers that are legal now, as `play` takes them."""
    from pbem.cli import output
    from pbem.player import open_game

    opened = output.open_path(file, open_home(), nothing_newer=newer)
    facts = open_game.moves(opened, _answers(after))
    text = "\n".join(opened.ledger.rules.shapes(facts.options))
    if facts.complete:
        text = "The entry is complete: pbem play writes it."
    say(as_json, facts, f"{facts.prompt}:\n{text}" if facts.prompt else text)


@app.command(cls=OrderCommand)
def play(
    file: File,
    answers: Annotated[str, typer.Argument(help='Your answers: "A; B; C".', show_default=False)] = "",
    message: Message = "",
    order: Annotated[
        list[str] | None, typer.Option("--order", help='A standing order, for example "hits: spread"; may be repeated.')
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show the result and write nothing.")] = False,
    offer_draw: Annotated[bool, typer.Option("--offer-draw", help="Offer a draw with this entry.")] = False,
    folder: Folder = None,
    mail: Mail = True,
    newer: Newer = False,
    as_json: Json = False,
) -> None:
    """Answer what the game asks you and write the next turn file.

    Without answers it writes only what needs no decision, such as a proof for the other player's dice.
    """
    what = {"message": message, "ordered": order or [], "dry_run": dry_run, "draw": "offer" if offer_draw else ""}
    _write_entry(file, answers, folder, newer, as_json, mail=mail, **what)


@app.command()
def verify(
    file: File,
    trace: Annotated[Path | None, typer.Option(help="Write what the rules asked, for a second verifier.")] = None,
    as_json: Json = False,
) -> None:
    """Check a whole game from its file alone.

    Every entry from the first on is checked anew, its signature, proofs and rules; the first one that does not hold is
    named.
    """
    from pbem.mail import load
    from pbem.report import verification

    if trace is None:
        facts, failure = verification.verify(load.load(file))
    else:
        from pbem.replay import trace as tracing

        traced = tracing.trace(load.load(file))
        files.write_new(trace, tracing.write(traced.trace).encode())
        facts, failure = verification.facts_of(traced.game, traced.failure), traced.failure
    if as_json or isinstance(facts, verification.VerifiedGame):
        say(as_json, facts, verification.in_words(facts) if isinstance(facts, verification.VerifiedGame) else "")
    if failure is not None:
        raise Told(failure.exit_code) if as_json else failure


@app.command()
def dice(file: File, as_json: Json = False) -> None:
    """List every roll with its proof, and the totals."""
    from pbem.mail import load
    from pbem.report import dice_count

    facts = dice_count.dice(load.load(file))
    say(as_json, facts, dice_count.dice_in_words(facts))


@app.command()
def resign(
    file: File,
    yes: Annotated[bool, typer.Option("--yes", help="Sign without asking at a terminal.")] = False,
    message: Message = "",
    folder: Folder = None,
    mail: Mail = True,
    newer: Newer = False,
    as_json: Json = False,
) -> None:
    """Resign the game, on your turn.

    Between two sides this ends it. With three or more you leave, and the others play on. What becomes readable by it is
    said before anything is signed.
    """
    ask = not yes and not as_json and sys.stdin.isatty() and sys.stderr.isatty()
    _write_entry(file, "", folder, newer, as_json, mail=mail, message=message, resign=True, confirm=ask)


@app.command()
def draw(
    file: File,
    decline: Annotated[bool, typer.Option("--decline", help="Decline the draw that is offered.")] = False,
    offer: Annotated[bool, typer.Option("--offer", help="Offer one, also where to draw is a move.")] = False,
    message: Message = "",
    folder: Folder = None,
    mail: Mail = True,
    newer: Newer = False,
    as_json: Json = False,
) -> None:
    """Offer a draw, on your turn; or accept the one that is offered."""
    answer = "decline" if decline else "offer" if offer else "answer"
    _write_entry(file, "", folder, newer, as_json, mail=mail, message=message, draw=answer)


@app.command(cls=OptionCommand)
def simulate(
    game: Annotated[str, typer.Argument(help=f"The game: {', '.join(sorted(BUILT_IN))}, or one of a plug-in.")],
    number: Annotated[int, typer.Option("--games", help="How many games.")] = 100,
    seed: Annotated[str, typer.Option(help="The same seed gives the same games.")] = "1",
    policy: Annotated[
        str, typer.Option(help="Who decides: random, or module:class of your own (README.md).")
    ] = "random",
    by_mail: Annotated[bool, typer.Option("--by-mail", help="Through the real ledger, with keys and proofs.")] = False,
    jobs: Annotated[int, typer.Option(help="How many processes.")] = 1,
    option: Annotated[list[str] | None, typer.Option(help="An option of the game: NAME or NAME=NUMBER.")] = None,
    as_json: Json = False,
) -> None:
    """Play complete games in memory and sum them up."""
    from pbem.cli import progress
    from pbem.player import people
    from pbem.simulate import figures, series

    what: dict[str, Any] = {
        "policy": policy,
        "settings": people.read_options(option or []),
        "by_mail": by_mail,
        "jobs": jobs,
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


story.register(app)
cards.register(app)
games.register(app)
mail.register(app)
help_pages.register(app)
shells.register(app)


def _write_entry(file: Path, answers: str, folder: Path | None, newer: bool, as_json: bool, **what: Any) -> None:
    from pbem.cli import output
    from pbem.player import take_turn

    home, target = open_home(), folder or file.parent
    dry_run, mail, confirm = what.pop("dry_run", False), what.pop("mail"), what.pop("confirm", False)
    if not dry_run:
        output.check_folder(target)
    home.identity()
    opened = output.open_path(file, home, nothing_newer=newer)
    if not dry_run:
        output.look_before_signing(opened, home, target, file.parent)
    if what.get("resign"):
        _tell_before_resigning(opened, confirm=confirm)
    if dry_run:
        game = take_turn.tried_entry(opened, _answers(answers), **what)
        _warn(opened.warnings)
        tried = output.Tried(None, output.public_summary(game, home), output.to_act(game))
        say(as_json, tried, tried.summary)
        return
    data = take_turn.next_entry(opened, _answers(answers), **what)
    _warn(opened.warnings)
    tell_written(as_json, output.write_turn(data, target, home, mail=mail))


def _tell_before_resigning(opened: Opened, *, confirm: bool) -> None:
    """What the entry will do and show, while it can still be left unsigned."""
    from pbem.player import leaving

    if words := leaving.consequences(opened):
        warn(words)
        if confirm:
            typer.confirm("Sign it?", abort=True, err=True)


def _warn(warnings: list[str]) -> None:
    """What the player of this home alone should know, beside what a command prints for others too."""
    for warning in warnings:
        warn(warning)


def _answers(text: str) -> list[str]:
    return [answer.strip() for answer in text.split(";") if answer.strip()]


_COMMANDS = tuple(app.registered_commands)


def whole_program() -> Any:
    """The command line library's own object for the program with every command: for what tells about commands."""
    app.registered_commands = list(_COMMANDS)
    return typer.main.get_command(app)


def run(arguments: list[str] | None = None) -> None:
    """The program: what was typed, or these arguments."""
    errors.run(app, _COMMANDS, arguments)


if __name__ == "__main__":
    run()
