"""The commands for mail: sending, reminding, fetching."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import inf
from pathlib import Path
from typing import Annotated

import typer

from pbem import files
from pbem.cli import inbox, mail_setup, streams
from pbem.cli.errors import say
from pbem.cli.options import FolderHere, Json, Web, WithProgram
from pbem.cli.own_home import open_home
from pbem.cli.startup.commands import CommandEntry
from pbem.cli.streams import warn
from pbem.home import heartbeat
from pbem.home.game_index import short_name
from pbem.home.home import Home
from pbem.mail import fetch as fetching
from pbem.mail import settings
from pbem.turn import named_file, outgoing, remind, signing
from pbem.turn.game_list import GameSummary
from pbem.turn.inbox import Inbox, Item, Limits


@dataclass(frozen=True)
class SentFacts:
    """The addresses a mail went to, and what is left to do for somebody to go on (empty:
    nothing)."""

    to: Sequence[str]
    note: str


@dataclass(frozen=True)
class SentByHandFacts:
    """The game, and the number of its turn that is noted as sent."""

    short: str
    entry: int


@dataclass(frozen=True)
class FetchFacts:
    """The mails that were fetched into the home's inbox, where each lies until all in it is in the
    home; how many were looked at, how many with turns stay on the server since there is no room for
    them, and what `pbem inbox` tells then."""

    fetched: Sequence[str]
    looked_at: int
    left: int
    games: Sequence[GameSummary]
    files: Sequence[Item]
    hidden: int


def send(
    home: Home,
    path: Path,
    to: Sequence[str] = (),
    *,
    with_program: bool = False,
    web: str = "",
    begun: float = inf,
) -> tuple[list[str], str]:
    """Send what FILE means as mail.toml says (`pbem.turn.outgoing`), a draft (.eml) as it is;
    doubts about names go to standard error."""
    found = named_file.find(path, home)
    return outgoing.send(
        home,
        found.turn,
        to,
        mail=found.whole if found.is_mail else b"",
        warn=warn,
        with_program=with_program,
        web=web,
        begun=begun,
    )


def fetch(
    home: Home,
    watch: Callable[[int, int], None] = lambda _done, _total: None,
    take_in: Callable[[], None] = lambda: None,
) -> fetching.FetchResult:
    """Fetch as mail.toml says; the mails that were written, and how many were looked at."""
    server = settings.fetch_server(home)
    done = fetching.fetch(home, server, watch, take_in)
    heartbeat.change(home, lambda beat: beat.after_answer(server.host, "fetch", time.time()))
    return done


def send_it(
    file: Annotated[
        Path, typer.Argument(help="A draft (.eml), a turn file, or a game's short name.")
    ],
    to: Annotated[
        list[str] | None,
        typer.Option(
            "--to", metavar="ADDRESS", help="Send it to this address only; may be repeated."
        ),
    ] = None,
    web: Web = "",
    with_program: WithProgram = False,
    as_json: Json = False,
) -> None:
    """By sendmail or SMTP, as mail.toml in the home says. Where it says nothing yet, a few
    questions are asked first."""
    begun = time.time()
    home = open_home()
    went, note = mail_setup.with_settings(
        home,
        lambda: send(home, file, to or [], with_program=with_program, web=web, begun=begun),
        quiet=as_json,
    )
    say(
        as_json, SentFacts(went, note), f"sent to {', '.join(went)}" + (f"\n{note}" if note else "")
    )


def sent_it(
    game: Annotated[
        Path,
        typer.Argument(help="A game's short name, or its newest turn file.", show_default=False),
    ],
    as_json: Json = False,
) -> None:
    """`pbem inbox` then no longer says that it was not sent from here."""
    home = open_home()
    found = outgoing.sent_by_hand(home, named_file.find(game, home).turn)
    facts = SentByHandFacts(short_name(found), len(found.entries) - 1)
    say(
        as_json,
        facts,
        f"turn {facts.entry} of {facts.short} is noted as sent; should it be lost, pbem send sends"
        " it again",
    )


def remind_them(
    game: Annotated[
        Path, typer.Argument(help="A game's short name, or a turn file of it.", show_default=False)
    ],
    send_now: Annotated[
        bool, typer.Option("--send", help="Send it, as mail.toml in the home says.")
    ] = False,
    folder: FolderHere = None,
    as_json: Json = False,
) -> None:
    """Writes a mail with the newest file, in case the last one was lost on its way; or sends it."""
    home = open_home()
    data = named_file.find(game, home).turn
    if send_now:
        facts = mail_setup.with_settings(home, lambda: remind.send(home, data), quiet=as_json)
        say(as_json, facts, f"{facts.name} was reminded: {', '.join(facts.to)}")
        return
    facts = remind.write(home, data, signing.check_folder(folder or Path()))
    whom = f"to {', '.join(facts.to)}" if facts.to else "who gave no address: put it in yourself"
    say(as_json, facts, f"{facts.mail}\nA reminder for {facts.name}, {whom}.")


def fetch_it(as_json: Json = False) -> None:
    """By IMAP, as mail.toml in the home says. Of what strangers send only so much is taken in a
    day."""
    home = open_home()
    # anybody may have sent what is fetched, and so it is bounded
    sorter = Inbox(home)
    sorter.limits = Limits(home, sorter.key)
    with streams.counted("fetching", quiet=as_json) as watch:
        done = fetch(home, watch, sorter.take_fetched)
    sorter.items += [Item(one.where, "invalid", one.problem) for one in done.bad]
    where = files.printable(home.folder / "inbox")
    sorter.items += [Item(where, "unkept", text) for text in done.no_room]
    found, text, code = inbox.taken_in(sorter, [])
    written = [str(path) for path in done.written]
    facts = FetchFacts(written, done.looked, done.left, found.games, found.files, found.hidden)
    inbox.show(
        facts, f"{done.looked} new mails, {len(done.written)} with turns\n{text}", code, as_json
    )


COMMANDS = {
    "send": CommandEntry(send_it),
    "sent": CommandEntry(sent_it),
    "remind": CommandEntry(remind_them),
    "fetch": CommandEntry(fetch_it),
}
