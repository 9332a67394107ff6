"""The commands about folders of games: a finished game put into an archive, a library made of a
folder, and what a library is asked (whose dice are lucky, what was played next, how games
went)."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pbem import files
from pbem.cli.errors import AlreadyPrinted, say
from pbem.cli.options import File, Json, open_home, split_answers
from pbem.cli.startup.commands import CommandEntry
from pbem.cli.streams import counted, warn
from pbem.errors import USAGE, Usage

if TYPE_CHECKING:
    from pbem.library.asking import OpenLibrary
    from pbem.library.explore import GamePlace

# Imported late: what a command needs alone, for `pbem --help` reads the module of each.


def archive(
    file: File,
    folder: Annotated[
        Path, typer.Argument(metavar="DIR", help="The archive; it is made if need be.")
    ],
    as_json: Json = False,
) -> None:
    """Its last turn file, its story in Markdown, a page that shows and checks it, and a line in the
    folder's index.html and index.md.
    """
    from pbem.library import archive as archiving
    from pbem.turn import named_file

    facts = archiving.archive(named_file.load(file), folder)
    for path, reason in facts.left_out.items():
        warn(f"{path} has no line in the index: {reason}")
    say(as_json, facts, archiving.in_words(facts))


def library(
    folder: Annotated[
        Path, typer.Argument(help="The folder; those in it count too.", show_default=False)
    ],
    jobs: Annotated[
        int | None, typer.Option(help="How many processes; by default one for each core.")
    ] = None,
    dask: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS",
            help="Address of a Dask cluster that does the work (docs/library.md).",
        ),
    ] = None,
    reread: Annotated[
        bool, typer.Option("--reread", help="Read every file, also where nothing seems changed.")
    ] = False,
    anew: Annotated[
        bool, typer.Option("--anew", help="Forget everything, and verify every file.")
    ] = False,
    export: Annotated[
        Path | None,
        typer.Option(
            "--export", help="Write the tables to this folder as Parquet.", show_default=False
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Every turn file that is new or changed is verified, and what it says is kept in
    FOLDER/library.sqlite. What does not verify is listed. Exit code 2 if something could not be
    read, or a process that worked on it was killed: it is named, and read by the next run.
    """
    if jobs is not None and jobs < 1:
        raise Usage("at least one process has to work", hint="pbem library FOLDER --jobs 2")
    if jobs is not None and dask is not None:
        raise Usage(
            "--jobs is about this machine, and a cluster has its own processes",
            hint="one of the two",
        )
    from pbem.library import database, runner, update
    from pbem.library.export import export as write_tables

    with counted("verifying", quiet=as_json) as progress:
        facts = update.update(
            folder,
            lambda work, found: runner.each(work, found, jobs, dask),
            progress,
            anew=anew,
            reread=reread,
        )
    if export is not None:
        with closing(database.to_read(folder)) as tables:
            facts = replace(facts, exported=[str(path) for path in write_tables(tables, export)])
    say(as_json, facts, update.in_words(facts))
    if any(one.is_unread for one in facts.skipped):
        raise AlreadyPrinted(USAGE)


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
    from pbem.library import luck as question

    with _asked(folder, game) as library:
        facts = question.luck(library, game, unfinished=unfinished)
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
    position in a file, after answers of yours.
    """
    from pbem.library import explore as question

    answers = split_answers(after)
    with _asked(folder) as library:
        if _is_game(library, game):
            name, file = game, None
            place = question.from_start(library, game, answers)
        else:
            file = game
            name, place = _in_file(Path(game), answers)
        facts = question.explore(library, name, place, own=_own_key() if own else None, file=file)
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
    stand apart.
    """
    from pbem.library import stats as question

    with _asked(folder, game) as library:
        facts = question.stats(library, game, own=_own_key() if own else None)
    _answer("stats", facts, html, as_json, everything)


@contextmanager
def _asked(folder: Path, game: str | None = None) -> Iterator[OpenLibrary]:
    """The library of a folder. Where a folder was given in the place of a game, the refusal says
    what to do."""
    from pbem.library.asking import asked
    from pbem.library.database import path_in

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
    from pbem.games import registry

    if any(row[0] == name for row in library.rows("SELECT DISTINCT game FROM games")):
        return True
    return not Path(name).exists() and registry.find_installed(name) is not None


def _in_file(path: Path, answers: list[str]) -> tuple[str, GamePlace]:
    """The position in a file after answers of the player's own, as `pbem play` takes them."""
    from pbem.library import explore as question
    from pbem.turn import open_game

    opened = open_game.open_path(path, open_home())
    if answers:
        open_game.moves(opened, answers)  # raises what `pbem moves` does where they cannot be taken
    draft = opened.draft(answers)
    game = opened.ledger if draft is None else draft.ledger
    digest = question.digest_of(game)
    return game.rules.name, question.at_position(digest, [] if draft is None else draft.said)


def _answer(name: str, facts: Any, html: Path | None, as_json: bool, everything: bool) -> None:
    """Print an answer, or write its page."""
    if html is not None:
        from pbem.library import pages

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
    from pbem.library import tables

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
    "archive": CommandEntry(archive),
    "library": CommandEntry(library),
    "luck": CommandEntry(luck),
    "explore": CommandEntry(explore),
    "stats": CommandEntry(stats),
}
