"""The commands with which a player comes to a game: an invitation, a join, a rematch."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pbem.cli import game_options, newcomer, written
from pbem.cli.options import File
from pbem.cli.own_home import open_home
from pbem.cli.startup.commands import CommandEntry
from pbem.cli.streams import warn
from pbem.cli.writing import Wanted, WritingFirst, WritingInvitation
from pbem.games import BUILT_IN, game_data, registry
from pbem.games.game_data import DataLine
from pbem.home import known_names
from pbem.league import before_join
from pbem.mail import settings as mail_settings
from pbem.seek import kept
from pbem.turn import joining, named_file, open_game, signing
from pbem.turn.extras import clock_fields, first_of_series
from pbem.turn.rematch import addresses_of_others
from pbem.turn.rematch import rematch as once_more


def new(
    context: typer.Context,
    game: Annotated[
        str,
        typer.Argument(
            help=f"The game: {', '.join(sorted(BUILT_IN))}, or one of a plug-in; a terminal asks"
            " for it.",
            show_default=False,
        ),
    ] = "",
    *,
    wanted: Wanted,
    writing: WritingInvitation,
) -> None:
    """Each game has options of its own, listed below."""
    home, target = open_home(), signing.check_folder(writing.folder or Path())
    game = game or newcomer.choose_game(quiet=writing.as_json)
    newcomer.make_ready(home, writing.clock_is_right, quiet=writing.as_json)
    chosen = game_options.chosen(context, game)
    settings = game_options.settings_of(
        chosen, joining.read_options(wanted.option or []), newcomer.asks(quiet=writing.as_json)
    )
    lines, about_lines = _filled_in(chosen.game, wanted.own_data)
    kept, notes = known_names.opponents_of(home, wanted.opponent or [])
    proving, more = known_names.opponents_of(home, chosen.keys)
    for note in [*notes, *more, *about_lines]:
        warn(note)
    begun = joining.NewGame(
        chosen.game,
        wanted.seat,
        settings,
        opponents=kept,
        witnesses=proving,
        filled_in=lines,
        clock=clock_fields(wanted.clock, wanted.leave),
        title=wanted.title,
        place=first_of_series(wanted.series),
    )
    web = mail_settings.check_address(writing.web) if writing.web else ""
    data = joining.invite(home, begun)
    made = joining.write(
        home, data, target, mail=writing.mail, web=web, with_program=writing.with_program
    )
    written.tell_written(writing.as_json, made)


def _filled_in(game: str, folder: Path | None) -> tuple[list[DataLine], list[str]]:
    """The lines of a player's own data with which a new game is made, and what to tell about
    them."""
    rules = registry.newest(game)
    given = [] if folder is None else game_data.read(registry.descriptor(game), folder)
    lines, left_out = game_data.finished(rules, given)
    notes = [*left_out, *game_data.rules_with(rules, lines).notices()]
    if lines:
        filled = ", ".join(dict.fromkeys(line.line.partition(":")[0] for line in lines))
        notes.append(
            f"The turn file that you send contains the tables that you filled in: {filled}."
        )
    return lines, notes


def rematch(file: File, *, writing: WritingFirst) -> None:
    """It has the options and the clock of the game that is over. Each seat is kept for the key of
    the player who comes to it: with two they change seats, more move on by one. In a series it is
    the next game."""
    home = open_home()
    named = named_file.find(file, home)
    target = signing.check_folder(writing.folder or named.folder)
    newcomer.make_ready(home, writing.clock_is_right, quiet=writing.as_json)
    opened = open_game.open_file(named.turn, home)
    data = once_more(home, opened)
    to = addresses_of_others(opened)
    made = joining.write(home, data, target, mail=writing.mail, to=to)
    written.tell_written(writing.as_json, made._replace(for_newcomers=""))  # they have pbem


def join(file: File, *, writing: WritingFirst) -> None:
    """The turn file then has your name, your public key, and your address if you have given one."""
    home = open_home()
    named = named_file.find(file, home)
    target = signing.check_folder(writing.folder or named.folder)
    newcomer.make_ready(home, writing.clock_is_right, quiet=writing.as_json)
    opened = open_game.open_in(home, named.turn)
    signing.look_before_signing(opened, home, target, named.folder, mail=writing.mail)
    again = joining.seat_twice(opened)
    of_league = before_join.look(home, opened.ledger)
    data = joining.join(opened, home)
    if again:
        warn(again)
    for note in [
        *of_league,
        *opened.memory.notes,
        *opened.doubts,
        *kept.still_open(home, opened.ledger),
    ]:
        warn(note)
    written.tell_written(
        writing.as_json, signing.write_signed(data, target, home, mail=writing.mail)
    )


COMMANDS = {
    "new": CommandEntry(new, game_options.NewCommand),
    "join": CommandEntry(join),
    "rematch": CommandEntry(rematch),
}
