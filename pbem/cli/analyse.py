"""The command that has a game that is over analysed by another program."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from pbem.cli.errors import say
from pbem.cli.options import File, Json
from pbem.cli.startup.commands import Registered
from pbem.errors import Refused, Usage

if TYPE_CHECKING:
    from pbem.games.record import Analysis, Judged

LIMIT = 600
"""Seconds that the other program gets unless the player says."""


def analyse(
    file: File,
    plies: Annotated[
        int | None,
        typer.Option(
            min=0,
            max=3,
            help="How far it looks ahead; it decides unless you say.",
            show_default=False,
        ),
    ] = None,
    limit: Annotated[int, typer.Option(min=1, max=86400, help="Seconds that it may take.")] = LIMIT,
    as_json: Json = False,
) -> None:
    """Tell what a strong program thinks of a game that is over.

    That program has to be installed beside pbem; the page of the game (pbem help GAME) says which
    one it is. It says what each decision cost and what the dice gave, in points of the game.
    Nothing is sent anywhere, and a game that goes on is not analysed.
    """
    from pbem.fileformat import turnfile
    from pbem.games import registry
    from pbem.games.descriptor import load
    from pbem.games.record import Effort
    from pbem.ledger import gate
    from pbem.report.log import record_of
    from pbem.turn import named_file

    game = gate.replay(turnfile.read(named_file.load(file)))
    reference = registry.descriptor(game.rules.name).analysis
    if reference is None:
        raise Usage(f"there is no program that analyses {game.rules.title} for pbem")
    if not game.is_over():
        raise Refused("the game is not over: nothing analyses it while it is played")
    facts: Analysis = load(reference)(record_of(game), Effort(plies, limit))
    say(as_json, facts, in_words(facts))


def in_words(facts: Analysis) -> str:
    """What the command prints: a line for each decision, and the totals."""
    lines, part = [f"What {facts.program} thinks, in points of the game"], 0
    for one in facts.decisions:
        if one.part != part:
            part = one.part
            lines += ["", f"Game {part}", f"{'':7}{'':32}{'cost':>7}{'luck':>7}"]
        lines.append(_line(one).rstrip())
    lines += ["", f"{'':7}{'all errors':>12}{'all luck':>12}"]
    lines += [
        f"{seat:7}{-facts.errors[seat]:>+12.3f}{facts.luck[seat]:>+12.3f}" for seat in facts.errors
    ]
    return "\n".join(lines)


def _line(one: Judged) -> str:
    cost = "" if not one.error else f"{-one.error:+.3f}"
    luck = "" if one.luck is None else f"{one.luck:+.3f}"
    better = f"better {one.better}" if one.better else ""
    said = ", ".join(filter(None, [one.mark, better]))
    return f"{one.seat:7}{one.what:32}{cost:>7}{luck:>7}  {said}"


COMMANDS = {
    "analyse": Registered(analyse),
}
