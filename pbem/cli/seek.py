"""The commands for whoever looks for somebody to play with: a seek of one's own, and those of
others."""

from __future__ import annotations

import os
import shlex
import subprocess
from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from pbem.cli import game_options, newcomer, written
from pbem.cli.errors import say
from pbem.cli.options import ClockIsRight, FolderHere, GameOptions, Json, Mail
from pbem.cli.own_home import open_home
from pbem.cli.startup.commands import CommandEntry
from pbem.cli.streams import warn
from pbem.errors import Refused, Usage
from pbem.home import clock
from pbem.home.game_index import short_name
from pbem.home.home import Home
from pbem.home.known_names import identity_at_hand
from pbem.mail import settings
from pbem.seek import answer, board, kept, mailbox, report, write
from pbem.seek import places as find_places
from pbem.seek.list_file import write as write_list
from pbem.seek.seek_file import Seek
from pbem.turn import joining, outgoing, signing

_LONGEST = 160
"""Characters of a command line that is told to be typed."""


class SoughtGame(NamedTuple):
    """What somebody looks for, and what they say of themself."""

    seat: Annotated[
        str, typer.Option(metavar="SEAT", help="The seat that you take; left out: either.")
    ] = ""
    option: GameOptions = None
    clock: Annotated[
        str, typer.Option(metavar="DAYS+DAYS", help="A clock, as `pbem new` takes it: 30+3.")
    ] = ""
    leave: Annotated[
        int,
        typer.Option(
            metavar="DAYS", help="Days for which an absence stops the clock.", show_default=False
        ),
    ] = 0
    weekly: Annotated[
        int,
        typer.Option(
            metavar="TURNS", help="About how many turns a week you write.", show_default=False
        ),
    ] = 0
    language: Annotated[
        list[str] | None,
        typer.Option(metavar="LANGUAGE", help="A language you write: en, de; may be repeated."),
    ] = None
    days: Annotated[
        int, typer.Option(metavar="DAYS", help="How many days it goes on, 30 at most.")
    ] = write.USUAL_DAYS
    page: Annotated[
        str, typer.Option(metavar="ADDRESS", help="A page where you are reached (https).")
    ] = ""
    chat: Annotated[
        str, typer.Option(metavar="WORDS", help="How you are found in a chat, in a few words.")
    ] = ""
    hide_mail: Annotated[bool, typer.Option("--hide-mail", help="Leave your mail address out.")] = (
        False
    )
    claim: Annotated[
        bool, typer.Option("--claim", help="Name the games that you have finished, for a check.")
    ] = False
    message: Annotated[str, typer.Option("--message", "-m", help="A word to whoever reads it.")] = (
        ""
    )


def seek(
    context: typer.Context,
    game: Annotated[
        str, typer.Argument(help="The game; left out: your own seeks.", show_default=False)
    ] = "",
    *,
    sought: SoughtGame,
    taken: Annotated[
        str, typer.Option(metavar="SEEK", help="End this seek of yours: you have found somebody.")
    ] = "",
    folder: FolderHere = None,
    clock_is_right: ClockIsRight = False,
    as_json: Json = False,
) -> None:
    """It is a small signed file, a text with it for a message, and a mail: put the file into a
    club's folder, or send the text or the mail to a list. Whoever answers invites your key alone;
    you accept the first that suits you with `pbem join`. Without a game it lists the seeks that you
    wrote."""
    if game and taken:
        raise Usage("--taken ends a seek, and names no game", hint="pbem seek --taken SEEK")
    home, target = open_home(), signing.check_folder(folder or Path())
    if not game and not taken:
        facts = report.own_facts(kept.kept(home), clock.now())
        say(as_json, facts, report.own_in_words(facts))
        return
    newcomer.make_ready(home, clock_is_right, quiet=as_json)
    if taken:
        made = write.end(home, kept.find_own(home, taken), target)
        what_now = (
            "Put the file where the seek is, or send the text there: others see that it is over."
        )
    else:
        made = write.seek(home, _wanted(context, game, sought, as_json), target)
        what_now = (
            "Put the file into a club's folder, or send the text to a list or a chat. When you have"
            f" joined somebody's game: pbem seek --taken {made.seek.short}"
        )
    facts_of = report.WrittenSeekFacts(
        str(made.file),
        str(made.text),
        str(made.mail),
        made.seek.digest.hex(),
        made.seek.wish.game,
        made.seek.wish.until,
    )
    say(as_json, facts_of, "\n".join([facts_of.file, facts_of.text, facts_of.mail, what_now]))


def _wanted(context: typer.Context, game: str, sought: SoughtGame, as_json: bool) -> write.Wanted:
    """What is looked for. Raises `Usage`."""
    chosen = game_options.chosen(context, game)
    if chosen.keys:
        raise Usage("a seek names nobody: it is for whoever answers", hint="leave the key out")
    asks = newcomer.asks(quiet=as_json)
    options = game_options.settings_of(chosen, joining.read_options(sought.option or []), asks)
    return write.Wanted(
        chosen.game,
        options,
        sought.seat,
        sought.clock,
        sought.leave,
        sought.weekly,
        sought.language or (),
        sought.days,
        sought.page,
        sought.chat,
        sought.message,
        sought.hide_mail,
        sought.claim,
    )


class Answering(NamedTuple):
    """How a seek is answered."""

    answer: Annotated[
        str, typer.Option(metavar="SEEK", help="Invite the author of this seek to a game.")
    ] = ""
    seat: Annotated[
        str, typer.Option(metavar="SEAT", help="With --answer: the seat that you take.")
    ] = ""
    send: Annotated[
        bool, typer.Option("--send", help="With --answer: send it to the address in the seek.")
    ] = False
    folder: FolderHere = None
    mail: Mail = True
    clock_is_right: ClockIsRight = False


def seeks(
    places: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="PLACE...",
            help="A folder, a file, a saved mail, an mbox, a Maildir or an https address.",
            show_default=False,
        ),
    ] = None,
    *,
    fetch: Annotated[
        bool, typer.Option("--fetch", help="Look into your mail account too (mail.toml).")
    ] = False,
    game: Annotated[
        list[str] | None,
        typer.Option(metavar="GAME", help="Only seeks of this game; may be repeated."),
    ] = None,
    language: Annotated[
        list[str] | None,
        typer.Option(metavar="LANGUAGE", help="A language you read: en, de; may be repeated."),
    ] = None,
    list_file: Annotated[
        Path | None,
        typer.Option(
            "--list",
            metavar="FILE",
            help="Write those that count as a list for a page.",
            show_default=False,
        ),
    ] = None,
    answering: Answering,
    as_json: Json = False,
) -> None:
    """Each is verified; those that fit come first, and of them those of people you have played
    with. Seeks that ended, were taken, are forged, or come in masses are left out and counted.
    Looking sends nothing to anybody."""
    home, now = open_home(), clock.now()
    if not answering.answer and (answering.seat or answering.send):
        raise Usage("--seat and --send are for --answer", hint="pbem seeks PLACE --answer SEEK")
    if not places and not fetch:
        raise Usage("where is to be looked?", hint="pbem seeks FOLDER, or pbem seeks --fetch")
    pieces = chain.from_iterable(map(find_places.look, places or ()))
    if fetch:
        pieces = chain(pieces, mailbox.look(settings.fetch_server(home)))
    if list_file is not None:
        seen = write_list(pieces, now, list_file)
        made = report.ListFacts(str(list_file), len(seen.seeks), seen.left_out, seen.problems)
        say(as_json, made, report.list_in_words(made))
        return
    reader = board.reader_of(home, game or (), [one.lower() for one in language or ()])
    seen = board.look_over(pieces, reader, now)
    if answering.answer:
        _answer(home, _named(seen, answering.answer), answering, now, as_json)
        return
    facts = report.board_facts(seen, home, identity_at_hand(home), kept.kept(home).answered)
    again = _again(places or (), fetch, game or (), language or ())
    say(as_json, facts, report.in_words(facts, now, again))


def _again(
    places: Sequence[Path], fetch: bool, games: Sequence[str], languages: Sequence[str]
) -> str:
    """What looks into the same places once more, as it is typed; in words where that would be long,
    or has what a terminal would obey."""
    words = ["pbem", "seeks", *map(find_places.as_typed, places)]
    words += ["--fetch"] if fetch else []
    words += [word for game in games for word in ("--game", game)]
    words += [word for language in languages for word in ("--language", language)]
    line = shlex.join(words) if os.name == "posix" else subprocess.list2cmdline(words)
    return line if len(line) <= _LONGEST and line.isprintable() else "the same line once more, with"


def _named(seen: board.Board, digits: str) -> Seek:
    """The one seek of a board whose digest begins so. Raises `Refused`."""
    found = [one.seek for one in seen.seeks if one.seek.digest.hex().startswith(digits)]
    if len(found) == 1:
        return found[0]
    what = "no seek that counts here begins" if not found else f"{len(found)} seeks begin"
    raise Refused(f'{what} with "{digits[:20]}"', hint="the same without --answer lists them")


def _answer(home: Home, seek: Seek, how: Answering, now: str, as_json: bool) -> None:
    """Write the invitation that answers a seek, and send it if asked to."""
    target = signing.check_folder(how.folder or Path())
    before = kept.kept(home).answered.get(seek.digest.hex())
    if before:
        raise Refused(f"you have answered this seek with {before}", hint=f"pbem show {before}")
    if how.send and not seek.wish.mail:
        raise Refused(
            "this seek names no mail address", hint="leave --send out, and send it as it says"
        )
    newcomer.make_ready(home, how.clock_is_right, quiet=as_json)
    data = answer.invitation(home, seek, how.seat, now)
    to = [seek.wish.mail] if seek.wish.mail else []
    made = joining.write(home, data, target, mail=how.mail, to=to)
    name = short_name(made.game)
    kept.note_answered(home, seek, name)
    wish = seek.wish
    written.tell_written(as_json, made._replace(for_newcomers=""))  # whoever seeks has pbem
    if how.send:
        outgoing.send(home, data, [wish.mail], warn=warn)
        warn(f"sent to {wish.mail}")
    elif wish.mail:
        warn(f"they are reached by mail: pbem send {name} --to {wish.mail}")
    else:
        warn(f"they are reached so: {wish.page or wish.chat}")


COMMANDS = {
    "seek": CommandEntry(seek, game_options.NewCommand),
    "seeks": CommandEntry(seeks),
}
