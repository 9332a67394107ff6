"""The command that shows how sets and series of games stand."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pbem import files
from pbem.cli.errors import AlreadyPrinted, say
from pbem.cli.options import Json
from pbem.cli.own_home import open_home
from pbem.cli.startup.commands import CommandEntry
from pbem.cli.streams import warn
from pbem.errors import INVALID, Refused
from pbem.home import game_index
from pbem.ledger.ledger import Ledger
from pbem.ledger.series_standing import Standing, first_of, standing
from pbem.report.series import SeriesList, in_words, series_facts
from pbem.turn import named_file, open_game
from pbem.turn.found_games import look_for_games
from pbem.turn.series import standing_in


def series(
    place: Annotated[
        list[Path],
        typer.Argument(
            metavar="GAME|PLACE...",
            help="A game of your home, by its short name; or files, folders, mails with games.",
            show_default=False,
        ),
    ],
    as_json: Json = False,
) -> None:
    """It is computed anew from the files of the games, and from nothing else: each result that
    counts, who leads, and what does not fit together. Of a game by its short name all games of its
    series that your home has are looked at. Exit code 3 if anything contradicts."""
    if len(place) == 1 and game_index.is_short(place[0]):
        home = open_home()
        named = named_file.find(place[0], home)
        game = open_game.open_file(named.turn, home).ledger
        if game.invitation.series is None:
            raise Refused("this game belongs to no series")
        found = [standing_in(home, game)]
    else:
        found = _in(place)
    facts = SeriesList([series_facts(seen) for seen in found])
    say(as_json, facts, "\n\n".join(map(in_words, facts.series)))
    if any(seen.problems for seen in found):
        raise AlreadyPrinted(INVALID)


def _in(places: list[Path]) -> list[Standing]:
    """The series whose games are in these places. Raises `Refused` if there is none."""
    seen = look_for_games(places)
    for problem in seen.problems:
        warn(problem)
    by_first: dict[bytes, list[Ledger]] = {}
    for found in seen.games.values():
        if found.ledger.invitation.series is not None:
            by_first.setdefault(first_of(found.ledger), []).append(found.ledger)
        for version in found.versions:
            warn(version.in_words())
    if not by_first and seen.problems and not seen.games:
        raise AlreadyPrinted(INVALID)  # what was told is why
    if not by_first:
        where = ", ".join(map(files.printable, places))
        raise Refused(f"no game that belongs to a series was found in {where[:200]}")
    return [standing(games) for games in by_first.values()]


COMMANDS = {
    "series": CommandEntry(series),
}
