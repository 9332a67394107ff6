"""The commands that look at a game: the position, the answers that are legal, the dice, the whole
story."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from pbem.cli.errors import say
from pbem.cli.options import File, Json, Newer, open_home, split_answers, warn_of
from pbem.cli.startup.commands import CommandEntry
from pbem.cli.streams import fitted, tell, warn
from pbem.errors import Usage

if TYPE_CHECKING:
    from pbem.home.home import Home
    from pbem.report.model import Report
    from pbem.turn.open_game import OpenFile

# Imported late: what a command needs alone, for `pbem --help` reads the module of each.


_REST = "No room for all of it: pbem show FILE --all; pbem moves FILE lists the answers."


def show(
    file: File,
    public: Annotated[
        bool, typer.Option("--public", help="What everybody may see, without your hand.")
    ] = False,
    form: Annotated[str, typer.Option("--format", help="text, md or json.")] = "text",
    after: Annotated[
        str,
        typer.Option(metavar='"A; B"', help='The position after these answers of yours: "A; B".'),
    ] = "",
    with_cards: Annotated[
        bool, typer.Option("--cards", help="Tell what each card of your hand does as well.")
    ] = False,
    with_notes: Annotated[
        bool,
        typer.Option(
            "--notes",
            help="Your private notes, and those of players who have opened their cards at the end.",
        ),
    ] = False,
    everything: Annotated[
        bool,
        typer.Option("--all", help="All of it, also where the terminal has no room for the board."),
    ] = False,
    newer: Newer = False,
    as_json: Json = False,
) -> None:
    """With your hand and what you may answer; with --public as everybody may see it."""
    from pbem.cli import cards
    from pbem.report import render
    from pbem.turn import open_game

    if form not in ("text", "md", "json"):
        raise Usage(f'there is no format "{form}"', hint="the formats are text, md and json")
    home = open_home()
    opened = open_game.open_path(file, home, nothing_newer=newer)
    facts, draft = open_game.facts_for(opened, public=public, answers=split_answers(after))
    if public:
        warn_of(opened.warnings)
    if with_cards:
        facts = replace(facts, cards=cards.of_hand(opened, draft, facts))
    if with_notes:
        facts = replace(facts, notes=open_game.notes_for(opened, public=public))
    if as_json or form == "json":
        say(True, facts, "")
        return
    if (
        form == "md"
        or not sys.stdout.isatty()
        or not print_position(opened, facts, home, everything)
    ):
        template = "report.md.j2" if form == "md" else "report.txt.j2"
        text = render.render(template, facts, home.folder / "templates")
        tell(fitted(text, sys.stdout), nl=False)
    if with_notes:
        notes = "notes.md.j2" if form == "md" else "notes.txt.j2"
        text = render.render(notes, facts, home.folder / "templates")
        tell(fitted(text, sys.stdout), nl=False)
    for one in facts.cards:
        tell(fitted("\n" + cards.as_text(one, markdown=form == "md"), sys.stdout))


def print_position(opened: OpenFile, facts: Report, home: Home, everything: bool = False) -> bool:
    """Show a report in a terminal, in colour, as much of it as the terminal has room for or
    `everything`; False if nothing is to be drawn, or for a report of the player's own."""
    from pbem.report import render, terminal
    from pbem.report.model import names_of

    own = home.folder / "templates"
    if not facts.view or (own / "report.txt.j2").exists():
        return False
    before = opened.seen[opened.seat][1] if opened.seat in opened.seen else None
    board = terminal.board(
        facts.game, facts.view, before, terminal.width(), names_of(facts.players)
    )
    if board is None:
        return False
    head, tail = render.render("head.txt.j2", facts, own), render.render("asked.txt.j2", facts, own)
    brief = (
        ""
        if everything
        else render.render("asked.txt.j2", replace(facts, moves=[], advice=None), own)
    )
    terminal.print_report(head, board, tail, brief, _REST)
    return True


def moves(
    file: File,
    after: Annotated[
        str, typer.Option(metavar='"A; B"', help='Answers already given: "A; B".')
    ] = "",
    newer: Newer = False,
    as_json: Json = False,
) -> None:
    """With --after those that are legal once these answers are given."""
    from pbem.turn import open_game

    opened = open_game.open_path(file, open_home(), nothing_newer=newer)
    facts = open_game.moves(opened, split_answers(after))
    text = "\n".join(opened.ledger.rules.shapes(facts.options))
    if facts.complete:
        text = "The turn is complete: pbem play writes it."
    say(as_json, facts, f"{facts.prompt}:\n{text}" if facts.prompt else text)


def dice(
    file: File,
    proofs: Annotated[
        bool, typer.Option("--proofs", help="What each roll was made of, with its proofs.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Whether dice are fair, one game seldom shows: pbem luck asks a library of many."""
    from pbem.report import dice_count
    from pbem.turn import named_file

    facts = dice_count.dice(named_file.load(file))
    say(as_json, facts, dice_count.dice_in_words(facts, proofs=proofs))


def log(
    file: File,
    first: Annotated[
        int | None, typer.Option("--from", help="Begin with this turn.", show_default=False)
    ] = None,
    until: Annotated[
        int | None, typer.Option("--to", help="End with this turn.", show_default=False)
    ] = None,
    public: Annotated[
        bool, typer.Option("--public", help="What everybody may see, without your hand.")
    ] = False,
    form: Annotated[str, typer.Option("--format", help="text, md or json.")] = "text",
    as_json: Json = False,
) -> None:
    """From the invitation on, or only the turns that --from and --to name."""
    from pbem.report import log as story
    from pbem.report import render
    from pbem.turn import open_game

    if form not in ("text", "md", "json"):
        raise Usage(f'there is no format "{form}"', hint="the formats are text, md and json")
    home = open_home()
    opened = open_game.open_path(file, home)
    for doubt in opened.doubts:
        warn(doubt)
    viewer = None if public else opened.seat
    faces = (
        open_game.own_faces(opened, None) if viewer is not None else opened.ledger.public_faces()
    )
    facts = story.log(opened.ledger, viewer, faces, first, until)
    if as_json or form == "json":
        say(True, facts, "")
    else:
        template = "log.md.j2" if form == "md" else "log.txt.j2"
        text = render.render(template, facts, home.folder / "templates")
        tell(fitted(text, sys.stdout), nl=False)


COMMANDS = {
    "show": CommandEntry(show),
    "moves": CommandEntry(moves),
    "dice": CommandEntry(dice),
    "log": CommandEntry(log),
}
