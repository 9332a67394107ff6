"""The commands for mail: what has come in, sending, fetching."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from pbem.cli.errors import Told, say
from pbem.cli.options import Json, Newer, open_home
from pbem.cli.streams import warn
from pbem.errors import DONE, Refused, Usage

if TYPE_CHECKING:
    from pbem.fileformat.turnfile import TurnFile
    from pbem.ledger.ledger import Ledger
    from pbem.mail.fetch import Fetched
    from pbem.mail.inbox import Inbox, Item
    from pbem.mail.listing import GameSummary, InboxFacts
    from pbem.player.home import Home


def look(home: Home, places: list[Path], confirmed: str | None = None) -> tuple[InboxFacts, str, int]:
    """Sort what lies in these places (or in those of mail.toml) into the home: facts, text, exit code."""
    from pbem.mail import inbox, listing
    from pbem.report import render

    sorter = inbox.Inbox(home, confirmed)
    if not places:
        sorter.take_fetched()
    for place in places or _usual_places(home, sorter):
        sorter.take_from(place, "check the path" if places else "check inbox in mail.toml")
    if confirmed is not None:
        sorter.confirm_kept()
    facts = listing.facts(sorter)
    return facts, render.render("inbox.txt.j2", facts, home.folder / "templates"), sorter.exit_code()


def _usual_places(home: Home, sorter: Inbox) -> Sequence[Path]:
    """The places of mail.toml; a damaged one is told and stops nothing."""
    from pbem.mail import settings
    from pbem.mail.inbox import Item

    try:
        return settings.read(home).inbox
    except Usage as error:
        sorter.items.append(Item(error.where, "damaged", f"{error.what} (hint: {error.hint})"))
        return ()


@dataclass(frozen=True)
class SentFacts:
    """The addresses a mail went to, and what is left to do for somebody to go on (empty: nothing)."""

    to: Sequence[str]
    note: str


@dataclass(frozen=True)
class FetchFacts:
    """The mails that were fetched into the home's inbox, how many were looked at, and what `pbem inbox` tells then."""

    fetched: Sequence[str]
    looked_at: int
    games: Sequence[GameSummary]
    files: Sequence[Item]


class Outgoing(NamedTuple):
    """A mail that can be sent, the game it is of, and the seat of the player who sends it."""

    message: bytes
    file: TurnFile
    game: Ledger
    seat: int


def outgoing_of(home: Home, path: Path, to: Sequence[str] = ()) -> Outgoing:
    """The mail a player means: an .eml file as it is, or one made for a turn file or the newest of a game; made in any
    case for addresses that the player names.

    Raises `Refused` unless the newest entry in it is the player's own, or the player sits in the game and says to whom
    it goes: what came from others is not sent for them.
    """
    from pbem import files
    from pbem.cli import output
    from pbem.fileformat import turnfile
    from pbem.fileformat.turnfile import MAX_MESSAGE
    from pbem.ledger.replay import follow
    from pbem.mail import compose, load

    file = turnfile.read(load.load(path, home))
    game, seen = follow(file, home.checks.verifier)
    seat = game.seat_with(home.identity().public)
    if seat is None:
        raise Refused("you sit in no seat of this game", hint="pbem join FILE; what came from others is not sent on")
    if not to and game.seat_of(file.entries[-1]) != seat:
        hint = "play first; then send what play wrote. To pass the file on: pbem send FILE --to ADDRESS"
        raise Refused("the newest entry of this file is not yours", hint=hint)
    if path.suffix == ".eml" and path.exists() and not to:
        return Outgoing(files.read_bytes(path, MAX_MESSAGE), file, game, seat)
    for mail in to:
        if compose.address("", mail) is None:
            raise Usage(f'"{mail[:80]}" is no plain mail address', hint="as in ben@example.org")
    passed = compose.PassedOn(seat, tuple(to)) if to else None
    message = compose.compose(file.data, game, seen, f"{output.stem(game)}.toml", home.folder / "templates", passed)
    if message is None:
        raise Usage("you play this game alone, so there is no mail of it", hint="pbem play FILE writes the next entry")
    return Outgoing(message, file, game, seat)


def send(home: Home, path: Path, to: Sequence[str] = ()) -> tuple[list[str], str]:
    """Send a draft as mail.toml says; the addresses it went to, and what is left to do for somebody to go on."""
    from pbem.mail import sent, settings, transport
    from pbem.player import contacts

    mail = outgoing_of(home, path, to)
    for doubt in contacts.Names(home, home.identity()).look(mail.file):
        warn(doubt)
    try:
        went = transport.send(mail.message, settings.read(home))
    except transport.NoAddress as error:
        raise Usage(error.what, hint=nobody_can_act(mail.game, [], mail.seat) or error.hint) from error
    sent.remember(home.folder / "games" / mail.game.game_id.hex()[:32], mail.file.data, went)
    return went, nobody_can_act(mail.game, went, mail.seat)


def nobody_can_act(game: Ledger, to: Sequence[str], sender: int) -> str:
    """Why none of these addresses brings the game on, and what the sender (a seat) can do; nothing if one may."""
    from pbem.player.game_index import short_name
    from pbem.report.facts import passes_on

    known = {player.mail for player in game.players if player is not None and player.mail}
    turn = game.to_act()
    if turn is None or any(mail not in known for mail in to):
        return ""
    command = f"pbem send {short_name(game)} --to ADDRESS"
    passer = passes_on(game)
    if passer is None:
        player = game.seated(turn)
        if player.mail in to or game.seat_of(game.entries[-1]) == turn:
            return ""
        if turn == sender:
            return "the game waits for you: pbem play FILE"
        stuck = f"none of them can go on: the game waits for {player.name} ({game.seats[turn]})"
        if player.mail:
            return f"{stuck}: {command.replace('ADDRESS', player.mail)}"
        return f"{stuck}, who gave no address; give them the file, or: {command}"
    inviter = game.seated(passer)
    if inviter.mail in to:
        return f"the game waits for somebody to join as {game.seats[turn]}: {inviter.name} passes the file on"
    return (
        f"none of them can go on: the game waits for somebody to join as {game.seats[turn]}; send it there: {command}"
    )


def fetch(home: Home, watch: Callable[[int, int], None] = lambda _done, _total: None) -> Fetched:
    """Fetch as mail.toml says; the mails that were written, and how many were looked at."""
    from pbem.mail import fetch, settings

    server = settings.read(home).fetch
    if server is None:
        hint = "write [fetch] there, as docs/mail.md tells; pbem id shows the home it lies in"
        raise Usage("nothing is set up for fetching", where="mail.toml", hint=hint)
    return fetch.fetch(home, server, watch)


def register(app: typer.Typer) -> None:
    """Add the commands to the program."""

    def show(facts: object, text: str, code: int, as_json: bool) -> None:
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
        to: Annotated[
            list[str] | None, typer.Option("--to", help="Send it to this address only; may be repeated.")
        ] = None,
        as_json: Json = False,
    ) -> None:
        """Send a turn to the others, or to one address.

        By sendmail or SMTP, as mail.toml in the home says.
        """
        went, note = send(open_home(), file, to or [])
        say(as_json, SentFacts(went, note), f"sent to {', '.join(went)}" + (f"\n{note}" if note else ""))

    @app.command("fetch")
    def fetch_it(as_json: Json = False) -> None:
        """Fetch new mails with turns, and look into the inbox.

        By IMAP, as mail.toml in the home says.
        """
        from pbem.cli import progress

        home = open_home()
        with progress.counted("fetching", quiet=as_json) as watch:
            written, looked = fetch(home, watch)
        found, text, code = look(home, [*written])
        facts = FetchFacts([str(path) for path in written], looked, found.games, found.files)
        show(facts, f"{looked} new mails, {len(written)} with turns\n{text}", code, as_json)
