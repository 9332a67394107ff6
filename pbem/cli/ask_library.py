"""The commands that ask a library: whose dice are lucky, what was played next, how games went."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

from pbem import files
from pbem.cli.errors import say
from pbem.cli.options import Json
from pbem.cli.own_home import open_home
from pbem.cli.startup.commands import CommandEntry
from pbem.cli.streams import warn
from pbem.errors import Usage
from pbem.games import registry
from pbem.library import explore as exploring
from pbem.library import luck as testing
from pbem.library import stats as summing
from pbem.library.asking import OpenLibrary, asked
from pbem.library.database import path_in
from pbem.library.explore import GamePlace
from pbem.turn import named_file, open_game, questions
from pbem.turn.draft_lines import answers_in

Library = Annotated[
    Path,
    typer.Option(
        "--library", help="The folder whose library is asked (`pbem library FOLDER` makes it)."
    ),
]
Html = Annotated[
    Path | None,
    typer.Option("--html", help="Write a page with plots to this file.", show_default=False),
]
Everything = Annotated[bool, typer.Option("--all", help="Show every row of the tables.")]
Game = Annotated[str | None, typer.Argument(help="Only this game.", show_default=False)]
Own = Annotated[bool, typer.Option("--own", help="Only games in which you have a seat.")]
HERE = Path(".")


def luck(
    game: Game = None,
    folder: Library = HERE,
    unfinished: Annotated[
        bool,
        typer.Option(
            "--unfinished", help="Test games that have no result yet as well (losers stop)."
        ),
    ] = False,
    everything: Everything = False,
    html: Html = None,
    as_json: Json = False,
) -> None:
    """Hits and faces of each player in the games of a library, with exact probabilities, corrected
    for how many tests there are: of a hundred libraries of fair dice about one has an alarm."""
    with _asked(folder, game) as library:
        facts = testing.luck(library, game, unfinished=unfinished)
    _answer("luck", facts, html, as_json, everything)


def explore(
    game: Annotated[
        str, typer.Argument(help="A game; or a turn file or short name, from whose position.")
    ],
    after: Annotated[
        str, typer.Option(metavar='"A; B"', help='The answers that were given before: "A; B".')
    ] = "",
    own: Own = False,
    folder: Library = HERE,
    everything: Everything = False,
    html: Html = None,
    as_json: Json = False,
) -> None:
    """From the start of a game after the answers given, whatever the dice between them; or from the
    position in a file, after answers of yours."""
    answers = answers_in(after)
    with _asked(folder) as library:
        if _is_game(library, game):
            name, file = game, None
            place = exploring.from_start(library, game, answers)
        else:
            file = game
            name, place = _in_file(Path(game), answers)
        facts = exploring.explore(library, name, place, own=_own_key() if own else None, file=file)
    _answer("explore", facts, html, as_json, everything)


def stats(
    game: Game = None,
    own: Own = False,
    folder: Library = HERE,
    everything: Everything = False,
    html: Html = None,
    as_json: Json = False,
) -> None:
    """Results, endings, length, pace and first answers, by game and options. Games without a result
    stand apart."""
    with _asked(folder, game) as library:
        facts = summing.stats(library, game, own=_own_key() if own else None)
    _answer("stats", facts, html, as_json, everything)


@contextmanager
def _asked(folder: Path, game: str | None = None) -> Iterator[OpenLibrary]:
    """The library of a folder. Where a folder was given in the place of a game, the refusal says
    what to do."""
    try:
        with asked(folder) as library:
            if (old := library.old_warning()) is not None:
                warn(old)
            yield library
    except Usage as error:
        if game is None or not path_in(Path(game)).is_file():
            raise
        path = files.printable(Path(game))
        raise Usage(
            f"{path} is a folder with a library, not a game", hint=f"--library {path} asks it"
        ) from error


def _own_key() -> str:
    home = open_home()
    if not home.has_identity():
        raise Usage(
            "this home has no identity yet, so it has no games of its own", hint="pbem id makes one"
        )
    return home.identity().public.hex()


def _is_game(library: OpenLibrary, name: str) -> bool:
    """Whether this names a game and no file."""
    if any(row[0] == name for row in library.rows("SELECT DISTINCT game FROM games")):
        return True
    return not Path(name).exists() and registry.find_installed(name) is not None


def _in_file(path: Path, answers: list[str]) -> tuple[str, GamePlace]:
    """The position in a file after answers of the player's own, as `pbem play` takes them."""
    home = open_home()
    opened = open_game.open_file(named_file.find(path, home).turn, home)
    if answers:
        questions.moves(opened, answers)  # raises what `pbem moves` does where they cannot be taken
    draft = opened.draft(answers)
    game = opened.ledger if draft is None else draft.ledger
    digest = exploring.digest_of(game)
    return game.rules.name, exploring.at_position(digest, [] if draft is None else draft.said)


def _answer(name: str, facts: Any, html: Path | None, as_json: bool, everything: bool) -> None:
    """Print an answer, or write its page."""
    if html is not None:
        from pbem.library import pages  # loads what fills in a page

        pages.write(html, pages.page(name, facts))
        say(
            as_json,
            facts,
            f"{files.printable(html)}\nopen it in a browser, or pass it on: it needs nothing else",
        )
        return
    if as_json:
        say(True, facts, "")
        return
    from pbem.library import tables  # loads what draws tables

    is_terminal = sys.stdout.isatty()
    rows = getattr(tables, name)(facts, everything=everything)
    say(
        False,
        facts,
        tables.written(name, facts, rows, width=None if is_terminal else _WIDE, colour=is_terminal),
    )


_WIDE = 120
"""Columns of a table that goes to a file or another program."""


COMMANDS = {
    "luck": CommandEntry(luck),
    "explore": CommandEntry(explore),
    "stats": CommandEntry(stats),
}
