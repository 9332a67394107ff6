"""The command that shows the pages of docs/, a game's page of help, or a command's own help."""

from __future__ import annotations

import os
import shutil
import sys
from typing import Annotated

import typer

from pbem.cli.app import program
from pbem.cli.errors import say
from pbem.cli.options import Json
from pbem.cli.startup.commands import CommandEntry
from pbem.cli.streams import tell
from pbem.errors import Usage
from pbem.games import registry
from pbem.report import pages


def help_page(
    topic: Annotated[
        str | None, typer.Argument(help="A page, a game or a command.", show_default=False)
    ] = None,
    as_json: Json = False,
) -> None:
    """Without TOPIC the first one, `start`, and the list of those for players. A terminal shows
    them laid out, and a long one in your pager."""
    if topic is None:
        _first_page(as_json)
        return
    is_page = any(
        page.topic == topic for page in pages.pages()
    )  # one of the same name tells more than a command's usage
    text = None if is_page else _command_help(topic)
    page = pages.find(topic) if text is None else None
    if page is not None and sys.stdout.isatty() and not as_json:
        _show(pages.text(page))
        return
    text = text or (pages.text(page) if page is not None else _game_help(topic))
    say(as_json, pages.HelpText(page.topic if page is not None else topic, text), text.rstrip("\n"))


def _first_page(as_json: bool) -> None:
    """The page that newcomers need, and below it the list of all for players."""
    every = [page for page in pages.pages() if page.topic not in pages.FOR_PROGRAMS]
    width = max(len(page.topic) for page in every)
    lines = [f"  {page.topic.ljust(width)}  {page.title}" for page in every]
    lines.append("pbem help TOPIC shows one of them; pbem help COMMAND is pbem COMMAND --help")
    listed, first = "\n".join(lines), pages.text(every[0])
    if sys.stdout.isatty() and not as_json:
        _show(first, listed)
        return
    say(
        as_json,
        pages.TopicList(every),
        f"{first.rstrip()}\n\n{listed}",
    )


def _show(markdown: str, below: str = "") -> None:
    """A page in a terminal, with lines below it."""
    from pbem.report import laid_out  # loads what draws in a terminal

    size = shutil.get_terminal_size()
    has_colour = not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    page = laid_out.draw(markdown, size.columns, colour=has_colour)
    if below:
        page += f"\n{below}\n"
    if page.count("\n") < size.lines:
        tell(page, nl=False)
    else:
        laid_out.page_through(page)


def _command_help(name: str) -> str | None:
    """What `pbem COMMAND --help` prints; None if there is no such command."""
    whole = program()
    above = typer.Context(whole, info_name="pbem", help_option_names=["-h", "--help"])
    command = whole.get_command(above, name)
    if command is None:
        return None
    return str(command.get_help(typer.Context(command, info_name=name, parent=above)))


def _game_help(name: str) -> str:
    """The page of help that a game offers. Raises `Usage` if the word names nothing at all."""
    found = registry.find_installed(name)
    if found is None or found.descriptor is None or found.descriptor.help is None:
        raise Usage(
            f'there is no page about "{name[:40]}"',
            hint="pbem help lists the pages, pbem games the games",
        )
    return (found.descriptor.templates / found.descriptor.help).read_text(encoding="utf-8")


COMMANDS = {
    "help": CommandEntry(help_page),
}
