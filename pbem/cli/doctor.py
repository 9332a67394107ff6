"""The command that looks whether everything is well, and says what needs a hand."""

from __future__ import annotations

import shutil
import sys
import textwrap
from typing import Annotated

import typer

from pbem.cli.errors import AlreadyPrinted, say
from pbem.cli.options import Json
from pbem.cli.startup.commands import CommandEntry
from pbem.english import counted
from pbem.errors import Usage
from pbem.home.home import Home
from pbem.watch import doctor as at_work
from pbem.watch.doctor import CheckUp

NEEDS_A_HAND = 1
"""The exit code where something does."""
_MARKS = {"fine": "  ", "needs a hand": "! ", "not tried": "? "}
_WIDE = 16
"""Columns of what was looked at."""


def doctor(
    log_in: Annotated[
        bool,
        typer.Option("--log-in", help="Sign in to the mail servers once, without asking before."),
    ] = False,
    as_json: Json = False,
) -> None:
    """What it prints names nobody, no address and no game: it can be shown to whoever helps.
    Nothing is fetched or changed. Exit code 1 if something needs a hand."""
    if log_in and as_json:
        raise Usage(
            "--json never signs in to a server", hint="leave one of --log-in and --json out"
        )
    home = Home()
    number = at_work.servers_to_try(home)
    if number and not log_in and not as_json and sys.stdin.isatty():
        log_in = typer.confirm(
            f"Sign in to {counted(number, 'mail server')} once, to try it?", default=False, err=True
        )
    facts = at_work.check_up(home, log_in=log_in)
    say(as_json, facts, in_words(facts))
    if facts.needs_a_hand:
        raise AlreadyPrinted(NEEDS_A_HAND)


def in_words(facts: CheckUp) -> str:
    """A line for each finding, with what to do below it."""
    columns = max(40, min(shutil.get_terminal_size().columns, 100))
    lines: list[str] = []
    for one in facts.findings:
        begin = f"{_MARKS[one.state]}{one.about:<{_WIDE}}"
        lines += textwrap.wrap(
            one.text, columns, initial_indent=begin, subsequent_indent=" " * len(begin)
        )
        if one.todo:
            indent = " " * len(begin) + "-> "
            lines += textwrap.wrap(
                one.todo, columns, initial_indent=indent, subsequent_indent=" " * len(indent)
            )
    hands = sum(one.state == "needs a hand" for one in facts.findings)
    tried = all(one.state != "not tried" for one in facts.findings)
    lines.append(
        f"{counted(hands, 'thing')} above need{'s' * (hands == 1)} a hand (!)."
        if hands
        else "All is well."
        if tried
        else "All is well but for what was not tried (?)."
    )
    return "\n".join(lines)


COMMANDS = {
    "doctor": CommandEntry(doctor),
}
