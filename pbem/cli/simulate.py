"""The command that plays whole games in memory."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from pbem.cli.errors import say
from pbem.cli.options import Json
from pbem.cli.startup.commands import Registered
from pbem.cli.streams import warn
from pbem.cli.topics import OptionCommand
from pbem.games import BUILT_IN


def simulate(
    game: Annotated[
        str, typer.Argument(help=f"The game: {', '.join(sorted(BUILT_IN))}, or one of a plug-in.")
    ],
    number: Annotated[int, typer.Option("--games", help="How many games.")] = 100,
    seed: Annotated[str, typer.Option(help="The same seed gives the same games.")] = "1",
    policy: Annotated[
        str,
        typer.Option(
            help="Who decides: random, or module:class of your own (docs/contributing.md)."
        ),
    ] = "random",
    by_mail: Annotated[
        bool, typer.Option("--by-mail", help="Through the real ledger, with keys and proofs.")
    ] = False,
    keep: Annotated[
        Path | None,
        typer.Option(
            help="With --by-mail: folder that gets the turn file of each game.", show_default=False
        ),
    ] = None,
    jobs: Annotated[
        int | None,
        typer.Option(help="How many processes: 1, or with --keep one a core.", show_default=False),
    ] = None,
    option: Annotated[
        list[str] | None, typer.Option(help="An option of the game: NAME or NAME=NUMBER.")
    ] = None,
    own_data: Annotated[
        Path | None,
        typer.Option("--data", help="Folder with what you filled in from your copy (`pbem data`)."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Play complete games in memory and sum them up."""
    from pbem.cli import progress
    from pbem.games import game_data, registry
    from pbem.simulate import figures, series
    from pbem.turn import joining

    if jobs is None:
        jobs = 1
        if keep is not None:
            from pbem.library.runner import count_processors

            jobs = count_processors()
    what: dict[str, Any] = {
        "policy": policy,
        "settings": joining.read_options(option or []),
        "by_mail": by_mail,
        "jobs": jobs,
        "keep": keep,
        "data": (),
    }
    if own_data is not None:
        given = game_data.read(registry.descriptor(game), own_data)
        what["data"], left_out = game_data.finished(registry.newest(game), given)
        for note in left_out:
            warn(note)
    with progress.progress(number, quiet=as_json) as advance:
        facts = series.simulate(game, number, seed, progress=advance, **what)
    say(as_json, facts, figures.in_words(facts))


COMMANDS = {"simulate": Registered(simulate, OptionCommand)}
