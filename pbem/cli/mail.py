"""The commands for mail: what has come in, sending, fetching."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pbem.cli.errors import Told, say
from pbem.cli.options import Json, Newer, open_home
from pbem.errors import DONE, Refused, Usage

if TYPE_CHECKING:
    from pbem.mail.inbox import Inbox
    from pbem.player.home import Home


def look(home: Home, places: list[Path], confirmed: str | None = None) -> tuple[dict[str, Any], str, int]:
    """Sort what lies in these places (or in those of mail.toml) into the home: facts, text, exit code."""
    from pbem.mail import inbox
    from pbem.report import render

    sorter = inbox.Inbox(home, confirmed)
    for place in places or _usual_places(home, sorter):
        sorter.take_from(place, "check the path" if places else "check inbox in mail.toml")
    if confirmed is not None:
        sorter.confirm_kept()
    facts = inbox.facts(sorter)
    return facts, render.render("inbox.txt.j2", facts, home.folder / "templates"), sorter.exit_code()


def _usual_places(home: Home, sorter: Inbox) -> list[Path]:
    """The folder of what was fetched, and the places of mail.toml; a damaged one is told and stops nothing."""
    from pbem.mail import settings
    from pbem.mail.inbox import Item

    own = home.folder / "inbox"
    try:
        chosen = settings.read(home).inbox
    except Usage as error:
        chosen = ()
        sorter.items.append(Item(error.where, "damaged", f"{error.what} (hint: {error.hint})"))
    return [*([own] if own.is_dir() else []), *chosen]


def draft_of(home: Home, path: Path) -> bytes:
    """The draft a player means: an .eml file as it is, or one made for a turn file or the newest of a game.

    Raises `Refused` unless the newest entry in it is the player's own: what came from others is not sent for them.
    """
    from pbem import files
    from pbem.cli import output
    from pbem.fileformat import turnfile
    from pbem.fileformat.turnfile import MAX_MESSAGE
    from pbem.ledger.replay import follow
    from pbem.mail import compose, load

    file = turnfile.read(load.load(path, home))
    game, seen = follow(file)
    author = game.seated(game.seat_of(file.entries[-1]))
    if author.key != home.identity().public:
        raise Refused("the newest entry of this file is not yours", hint="play first; then send what play wrote")
    if path.suffix == ".eml" and path.exists():
        return files.read_bytes(path, MAX_MESSAGE)
    draft = compose.compose(file.data, game, seen, f"{output.stem(game)}.toml", home.folder / "templates")
    if draft is None:
        raise Usage("you play this game alone, so there is no mail of it", hint="pbem play FILE writes the next entry")
    return draft


def send(home: Home, path: Path) -> list[str]:
    """Send a draft as mail.toml says; the addresses it went to."""
    from pbem.mail import settings, transport

    return transport.send(draft_of(home, path), settings.read(home))


def fetch(home: Home) -> tuple[list[Path], int]:
    """Fetch as mail.toml says; the mails with turns that were written, and how many were looked at."""
    from pbem.mail import settings, transport

    server = settings.read(home).fetch
    if server is None:
        raise Usage("nothing is set up for fetching", where="mail.toml", hint="see docs/mail.md")
    return transport.fetch(home, server)


def register(app: typer.Typer) -> None:
    """Add the commands to the program."""

    def show(facts: dict[str, Any], text: str, code: int, as_json: bool) -> None:
        say(as_json, facts, text.rstrip("\n"))
        if code != DONE:
            raise Told(code)

    @app.command()
    def inbox(
        places: Annotated[
            list[Path] | None, typer.Argument(help="Files, folders, Maildirs, mbox files, mails.", show_default=False)
        ] = None,
        newer: Newer = False,
        only: Annotated[
            str | None, typer.Option("--game", help="The game that --i-have-no-newer-file is about; by default all.")
        ] = None,
        as_json: Json = False,
    ) -> None:
        """Take in the turns that have come, and list every game.

        Each game with its players, whose turn it is, since when, and what is owed.
        """
        if only is not None and not newer:
            raise Usage("--game is for --i-have-no-newer-file", hint=f"pbem show {only[:80]} shows one game")
        show(*look(open_home(), places or [], (only or "") if newer else None), as_json)

    @app.command("send")
    def send_it(
        file: Annotated[Path, typer.Argument(help="A draft (.eml), a turn file, or a game's short name.")],
        as_json: Json = False,
    ) -> None:
        """Send a turn to the other players.

        By sendmail or SMTP, as mail.toml in the home says.
        """
        to = send(open_home(), file)
        say(as_json, {"to": to}, f"sent to {', '.join(to)}")

    @app.command("fetch")
    def fetch_it(as_json: Json = False) -> None:
        """Fetch new mails with turns, and look into the inbox.

        By IMAP, as mail.toml in the home says.
        """
        home = open_home()
        written, looked = fetch(home)
        facts, text, code = look(home, [*written])
        facts = {"fetched": [str(path) for path in written], "looked_at": looked, **facts}
        show(facts, f"{looked} new mails, {len(written)} with turns\n{text}", code, as_json)
