"""The command that shows how a game stands."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import Annotated

import typer

from pbem.cli import legal
from pbem.cli.errors import say
from pbem.cli.options import File, Form, Json, Newer, Public, check_form, warn_of
from pbem.cli.own_home import open_home
from pbem.cli.startup.commands import CommandEntry
from pbem.cli.streams import fitted, tell
from pbem.home.home import Home
from pbem.report import facts as report_facts
from pbem.report import render
from pbem.report.model import CardFacts, Report, names_of
from pbem.turn import named_file, open_game, own_report
from pbem.turn.draft_lines import answers_in
from pbem.turn.open_game import OpenFile

_REST = "No room for all of it: pbem show FILE --all; pbem moves FILE lists the answers."


def show(
    file: File,
    public: Public = False,
    form: Form = "text",
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
    check_form(form)
    home = open_home()
    opened = open_game.open_file(named_file.find(file, home).turn, home, nothing_newer=newer)
    facts, draft = own_report.facts_for(opened, public=public, answers=answers_in(after))
    if public:
        warn_of(opened.warnings)
    if with_cards:
        facts = replace(facts, cards=legal.of_hand(opened, draft, facts))
    if with_notes:
        facts = replace(facts, notes=own_report.notes_for(opened, public=public))
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
        tell(fitted("\n" + _card_as_text(one, markdown=form == "md"), sys.stdout))


def _card_as_text(facts: CardFacts, *, markdown: bool) -> str:
    """A card below a report."""
    text = report_facts.in_words(facts)
    if not markdown:
        return text
    name, *lines = text.split("\n")
    return "\n".join(
        [
            f"**{render.as_markdown(name)}**",
            "",
            *(f"- {render.as_markdown(line.strip())}" for line in lines),
        ]
    )


def print_position(opened: OpenFile, facts: Report, home: Home, everything: bool = False) -> bool:
    """Show a report in a terminal, in colour, as much of it as the terminal has room for or
    `everything`; False if nothing is to be drawn, or for a report of the player's own."""
    from pbem.report import history, terminal  # loads what draws for a terminal

    own = home.folder / "templates"
    position = facts.position
    if not position.view or (own / "report.txt.j2").exists():
        return False
    before = opened.seen[opened.seat][1] if opened.seat in opened.seen else None
    names = names_of(position.players)
    width, told = terminal.width(), history.told(opened.ledger)
    boards = terminal.boards(facts.about.game, position.view, before, width, names, told)
    if not boards:
        return False
    few = replace(facts, turn=replace(facts.turn, moves=[], advice=None))
    head, status, asked, brief = (
        render.render(template, shown, own)
        for template, shown in (
            ("head.txt.j2", facts),
            ("status.txt.j2", facts),
            ("asked.txt.j2", facts),
            ("asked.txt.j2", few),
        )
    )
    rest = "" if everything else _REST
    texts = terminal.ReportTexts(head, status, asked, brief, rest)
    terminal.print_report(texts, boards)
    return True


COMMANDS = {
    "show": CommandEntry(show),
}
