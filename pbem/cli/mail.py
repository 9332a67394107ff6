"""The commands for mail: what has come in, sending, fetching."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pbem.cli import mail_setup, streams
from pbem.cli.errors import AlreadyPrinted, say
from pbem.cli.options import Json, Newer, WithProgram, open_home
from pbem.cli.startup.commands import CommandEntry
from pbem.cli.streams import warn
from pbem.errors import DONE, Usage

if TYPE_CHECKING:
    from pbem.home.home import Home
    from pbem.mail.fetch import FetchResult
    from pbem.turn.game_list import GameSummary, InboxFacts
    from pbem.turn.inbox import Inbox, Item

# Imported late: what a command needs alone, for `pbem --help` reads the module of each.


def look(
    home: Home, places: list[Path], confirmed: str | None = None
) -> tuple[InboxFacts, str, int]:
    """Sort what lies in these places (or in those of mail.toml) into the home: facts, text, exit
    code."""
    from pbem.turn.inbox import Inbox

    return _look(Inbox(home, confirmed), places)


def _look(sorter: Inbox, places: list[Path]) -> tuple[InboxFacts, str, int]:
    from pbem.report import render
    from pbem.turn import game_list

    if not places:
        sorter.take_usual()
    for place in places:
        sorter.take_from(place, "check the path")
    if sorter.confirmed is not None:
        sorter.confirm_kept()
    facts = game_list.facts(sorter)
    return (
        facts,
        render.render("inbox.txt.j2", facts, sorter.home.folder / "templates"),
        sorter.exit_code(),
    )


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
    """Send a draft as mail.toml says (`pbem.turn.outgoing`); doubts about names go to standard
    error."""
    from pbem.turn import outgoing

    return outgoing.send(home, path, to, warn=warn, with_program=with_program, web=web, begun=begun)


def fetch(
    home: Home,
    watch: Callable[[int, int], None] = lambda _done, _total: None,
    take_in: Callable[[], None] = lambda: None,
) -> FetchResult:
    """Fetch as mail.toml says; the mails that were written, and how many were looked at."""
    from pbem.home import heartbeat
    from pbem.mail import fetch, settings

    server = settings.read(home).fetch
    if server is None:
        hint = "write [fetch] there, as docs/mail.md tells; pbem id shows the home it lies in"
        raise Usage("nothing is set up for fetching", where="mail.toml", hint=hint)
    done = fetch.fetch(home, server, watch, take_in)
    heartbeat.change(home, lambda beat: beat.after_answer(server.host, "fetch", time.time()))
    return done


def _show(facts: object, text: str, code: int, as_json: bool) -> None:
    say(as_json, facts, text.rstrip("\n"))
    if code != DONE:
        raise AlreadyPrinted(code)


def inbox(
    places: Annotated[
        list[Path] | None,
        typer.Argument(
            help="Files, folders, Maildirs, mbox files, mails, links.", show_default=False
        ),
    ] = None,
    newer: Newer = False,
    only: Annotated[
        str | None,
        typer.Option(
            "--game",
            metavar="GAME",
            help="The game that --i-have-no-newer-file is about; by default all.",
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Each game with its players, whose turn it is, since when, and what is due."""
    if only is not None and not newer:
        raise Usage(
            "--game is for --i-have-no-newer-file", hint=f"pbem show {only[:80]} shows one game"
        )
    _show(*look(open_home(), places or [], (only or "") if newer else None), as_json)


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
    web: Annotated[
        str,
        typer.Option(
            metavar="ADDRESS",
            help="A page in which the others may play in their browser (pbem help web).",
        ),
    ] = "",
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
    from pbem.home.game_index import short_name
    from pbem.turn import outgoing

    found = outgoing.sent_by_hand(open_home(), game)
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
    folder: Annotated[
        Path | None,
        typer.Option(
            "--dir", metavar="FOLDER", help="Folder to write to; by default the current one."
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Writes a mail with the newest file, in case the last one was lost on its way; or sends it."""
    from pbem.turn import remind, signing

    home = open_home()
    if send_now:
        facts = mail_setup.with_settings(home, lambda: remind.send(home, game), quiet=as_json)
        say(as_json, facts, f"{facts.name} was reminded: {', '.join(facts.to)}")
        return
    facts = remind.write(home, game, signing.check_folder(folder or Path()))
    whom = f"to {', '.join(facts.to)}" if facts.to else "who gave no address: put it in yourself"
    say(as_json, facts, f"{facts.mail}\nA reminder for {facts.name}, {whom}.")


def fetch_it(as_json: Json = False) -> None:
    """By IMAP, as mail.toml in the home says. Of what strangers send only so much is taken in a
    day."""
    from pbem import files
    from pbem.turn.inbox import Inbox, Item, Limits

    home = open_home()
    # anybody may have sent what is fetched, and so it is bounded
    sorter = Inbox(home)
    sorter.refuses = Limits(home, sorter.key).refuses
    with streams.counted("fetching", quiet=as_json) as watch:
        done = fetch(home, watch, sorter.take_fetched)
    sorter.items += [Item(one.where, "invalid", one.problem) for one in done.bad]
    where = files.printable(home.folder / "inbox")
    sorter.items += [Item(where, "unkept", text) for text in done.no_room]
    found, text, code = _look(sorter, [])
    written = [str(path) for path in done.written]
    facts = FetchFacts(written, done.looked, done.left, found.games, found.files, found.hidden)
    _show(facts, f"{done.looked} new mails, {len(done.written)} with turns\n{text}", code, as_json)


COMMANDS = {
    "inbox": CommandEntry(inbox),
    "send": CommandEntry(send_it),
    "sent": CommandEntry(sent_it),
    "remind": CommandEntry(remind_them),
    "fetch": CommandEntry(fetch_it),
}
