"""The commands that play whole games in memory: to sum them up, and as the test bench of a game's
authors."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Annotated

import typer

from engine.rules import Rules
from pbem.cli import streams
from pbem.cli.errors import AlreadyPrinted, say
from pbem.cli.game_options import OptionCommand
from pbem.cli.options import GameOptions, Json, OwnData
from pbem.cli.startup.commands import CommandEntry
from pbem.cli.streams import warn
from pbem.errors import REFUSED, Usage
from pbem.games import BUILT_IN, game_data, registry
from pbem.games.game_data import DataLine
from pbem.library.runner import count_processors
from pbem.simulate import check_game as bench
from pbem.simulate import figures, series
from pbem.simulate.bench_time import LOADING, TimeIsUp, ended_after, plug_in_running
from pbem.turn import joining

Game = Annotated[
    str, typer.Argument(help=f"The game: {', '.join(sorted(BUILT_IN))}, or one of a plug-in.")
]
Seed = Annotated[str, typer.Option(help="The same seed gives the same games.")]


def simulate(
    game: Game,
    number: Annotated[int, typer.Option("--games", help="How many games.")] = 100,
    seed: Seed = "1",
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
    option: GameOptions = None,
    own_data: OwnData = None,
    as_json: Json = False,
) -> None:
    """A policy decides in them: one that takes any legal answer, or your own."""
    if jobs is None and keep is not None:
        jobs = count_processors()
    settings = joining.read_options(option or [])
    data: list[DataLine] = []
    if own_data is not None:
        given = game_data.read(registry.descriptor(game), own_data)
        data, left_out = game_data.finished(registry.newest(game), given)
        for note in left_out:
            warn(note)
    with streams.progress(number, quiet=as_json) as advance:
        facts = series.simulate(
            game,
            number,
            seed,
            policy=policy,
            settings=settings,
            by_mail=by_mail,
            jobs=1 if jobs is None else jobs,
            data=data,
            keep=keep,
            progress=advance,
        )
    say(as_json, facts, figures.in_words(facts))


def check_game(
    game: Game,
    number: Annotated[int, typer.Option("--games", help="How many random games.")] = 100,
    seed: Seed = "1",
    golden: Annotated[
        Path | None,
        typer.Option(help="A golden playthrough: written there, or compared with the one that is."),
    ] = None,
    seconds: Annotated[
        int, typer.Option(help="How long it may take at most; 0: as long as it takes.")
    ] = 120,
    as_json: Json = False,
) -> None:
    """Random games to the end; notation, position, hidden cards and views are checked in each. A
    first verdict comes after five seconds, with what is slow, and it ends when its time is up."""
    if number < 1 or seconds < 0:
        raise Usage("at least one game is played, and no time is negative")
    loading = f"{game} is loaded, and if it is new some questions of it are played"
    limit, running = seconds or math.inf, plug_in_running()
    verdicts = [lambda: f"it is in {running() or 'none of its functions'} now"]
    with streams.notice_when_slow(loading, verdicts, quiet=as_json) as doing:
        rules = _loaded(game)
        verdicts.clear()
        if not as_json:
            warn(bench.plan(number, limit))
        with streams.progress(number, quiet=as_json) as advance:
            found = bench.check(
                rules,
                number,
                seed,
                golden_file=golden,
                progress=advance,
                doing=doing,
                limit=limit,
                begun=verdicts.append,
            )
    say(as_json, found, bench.in_words(found, rules.measure))
    if found.problems:
        raise AlreadyPrinted(REFUSED)


def _loaded(game: str) -> Rules:
    """The rules of a game, which is played as a sample if it is new. Raises `Usage` where that has
    no end."""
    try:
        with ended_after(LOADING):
            return registry.newest(game)
    except TimeIsUp as end:
        where = f" in {end.function}()" if end.function else ""
        raise Usage(
            f"{game}: a sample of play had not come to an end after {LOADING:.0f} s{where}",
            hint="a question and its options are to be there in milliseconds",
        ) from end


COMMANDS = {
    "simulate": CommandEntry(simulate, OptionCommand),
    "check-game": CommandEntry(check_game),
}
