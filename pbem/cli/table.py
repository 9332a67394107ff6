"""The command that opens the table: the player's games in the browser of this machine."""

from __future__ import annotations

import json
import os
import webbrowser
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit

import typer

from pbem.cli import newcomer
from pbem.cli.own_home import open_home
from pbem.cli.startup.commands import CommandEntry
from pbem.cli.streams import tell, warn
from pbem.league import before_join
from pbem.table.open_games import OpenGames
from pbem.table.routes import Table
from pbem.table.server import TableServer
from pbem.turn import named_file


@dataclass(frozen=True)
class TableFacts:
    """The address of the table, good for one browser."""

    url: str


def table(
    game: Annotated[
        Path | None,
        typer.Argument(
            help="A game's short name or a turn file; all games without.", show_default=False
        ),
    ] = None,
    browser: Annotated[
        bool, typer.Option("--browser/--no-browser", help="Open the browser.")
    ] = True,
    as_json: Annotated[
        bool, typer.Option("--json", help='Print one line {"url": ...} and go on serving.')
    ] = False,
) -> None:
    """The page is served to this machine alone, at an address that lets one browser in. Files are
    written to the current folder. It ends with Ctrl-C, or when nobody has looked for an hour."""
    home = open_home()
    if home.has_identity() or home.lost_key() is not None or game is not None:
        newcomer.introduce(
            home, quiet=as_json
        )  # a passphrase is asked for here, never in a page; a name is asked there
    games = OpenGames(home, Path(), before_join.look)
    path = "/"
    if game is not None:
        path = f"/game/{games.brief_name(games.open_data(named_file.find(game, home).turn))}"
    server = TableServer(Table(games), path)

    def ready() -> None:
        if as_json:
            tell(json.dumps({"url": server.url}))
        else:
            tell(
                f"The table is at\n{server.url}\n"
                "It ends with Ctrl-C, or when nobody has looked for an hour."
            )
        show(server.url, browser=browser)

    server.run(ready)


_OVER_SSH = (
    "the address is for browsers on this machine; where you sit at another one, type there: ssh -L"
    " {port}:127.0.0.1:{port} THIS-MACHINE, and open the address there while that runs"
)


def show(url: str, *, browser: bool) -> None:
    """Open the table in a browser if one is wanted, and say how else one reaches it: where none can
    be opened, and where the player sits at another machine."""
    try:
        opened = browser and webbrowser.open(url)
    except webbrowser.Error:
        opened = False
    if browser and not opened:
        warn("no browser could be opened: open the address above in one")
    if (browser and not opened) or "SSH_CONNECTION" in os.environ:
        warn(_OVER_SSH.format(port=urlsplit(url).port))


COMMANDS = {
    "table": CommandEntry(table),
}
