"""The commands that replay a game, give it to other programs, and have one that is over analysed by
another."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from pbem import files
from pbem.cli.errors import plain, say
from pbem.cli.options import File, Json
from pbem.cli.startup.commands import CommandEntry
from pbem.cli.streams import tell, warn
from pbem.errors import Refused, Usage
from pbem.fileformat import turnfile
from pbem.games import registry
from pbem.games.descriptor import OWN_FORMATS, load
from pbem.games.record import Analysis, Effort, Judged
from pbem.ledger import gate
from pbem.replay.page import page, write_page
from pbem.replay.scenes import Replayed
from pbem.report import log, render
from pbem.report.attached import in_lines
from pbem.report.log import record_of
from pbem.turn import files_beside, named_file
from pbem.turn.board_pictures import board_pictures


@dataclass(frozen=True)
class PageFacts:
    """The page that was written: its file, how long it is, and the entries that it shows. `problem`
    is what is wrong with the game after these."""

    file: str
    bytes: int
    entries: int
    problem: str | None


def replay(
    file: File,
    html: Annotated[
        Path | None,
        typer.Option(
            "--html", help="Write a page that shows and checks the game.", show_default=False
        ),
    ] = None,
    first: Annotated[int, typer.Option("--from", help="Begin with this turn.")] = 0,
    as_json: Json = False,
) -> None:
    """In a terminal the arrow keys go through it. With --html it becomes one page for any browser:
    it needs no network and no program, and checks the game by itself."""
    data = named_file.find(file).turn
    if html is None:
        _in_terminal(data, first, as_json)
        return
    replayed = _played_through(data)
    made = page(data, replayed, board_pictures(replayed.game.entries, named_file.named(file)))
    write_page(html, made, data)
    problem = None if replayed.failure is None else str(replayed.failure)
    facts = PageFacts(str(html), len(made.encode()), len(replayed.entries), problem)
    if facts.problem is not None:
        warn(f"the page shows the game as far as it holds: {facts.problem}")
    say(
        as_json,
        facts,
        f"{files.printable(html)}\nopen it in a browser, or pass it on: it needs nothing else",
    )


def _in_terminal(data: bytes, first: int, as_json: bool) -> None:
    if as_json or not sys.stdin.isatty() or not sys.stdout.isatty():
        hint = "pbem replay FILE --html OUT writes a page, pbem log FILE tells the story"
        raise Usage("a game is watched in a terminal, with keys", hint=hint)
    from pbem.replay.step_through import step_through  # loads what draws in a terminal

    step_through(_played_through(data), first)


def _played_through(data: bytes) -> Replayed:
    """A game as far as it holds. Raises what is wrong with it where nothing of it does."""
    replayed = Replayed(data)
    if replayed.failure is not None and not replayed.entries:
        raise replayed.failure
    return replayed


def export(
    file: File,
    form: Annotated[
        str, typer.Option("--format", help="json, md, html, or a format of the game's own.")
    ] = "json",
    out: Annotated[
        Path | None, typer.Option(help="The file to write; by default standard output.")
    ] = None,
    as_json: Json = False,
) -> None:
    """As everybody may know it now: as JSON with every turn in words, hands and opened cards, as
    Markdown, as the page of `pbem replay`, or in a format that other programs for the game read
    (pbem help GAME names it). With --out the files that went with its turns lie in a folder beside
    it."""
    data = named_file.find(file).turn
    replayed = Replayed(data)
    if replayed.failure is not None:
        raise replayed.failure
    own = registry.descriptor(replayed.game.rules.name).exports
    if form not in own and form not in OWN_FORMATS:
        known = ", ".join([*OWN_FORMATS, *own])
        raise Usage(
            f'there is no format "{form}"',
            hint=f"of {replayed.game.rules.title} the formats are {known}",
        )
    if form == "json" or as_json:
        text = json.dumps(plain(replayed.whole_game()), ensure_ascii=False) + "\n"
    elif form == "html":
        text = page(data, replayed, board_pictures(replayed.game.entries, named_file.named(file)))
    elif form in own:
        text = load(own[form])(record_of(replayed.game))
    else:
        facts = log.log(replayed.game, None, replayed.game.public_faces(), None, None)
        text = render.render("log.md.j2", facts)
    if out is None:
        tell(text, nl=False)
        return
    files.write_new(out, text.encode())
    beside = files_beside.put_beside(replayed.game.entries, named_file.named(file), out)
    tell("\n".join([files.printable(out), *in_lines(beside)]))


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
    """That program has to be installed beside pbem; the page of the game (pbem help GAME) says
    which one it is. It says what each decision cost and what the dice gave, in points of the game.
    Nothing is sent anywhere, and a game that goes on is not analysed."""
    game = gate.replay(turnfile.read(named_file.find(file).turn))
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
    for seat in facts.errors:
        lines += ["", f"Worst of {seat}"]
        lines += [
            f"{f'Game {one.part}, turn {one.turn}':16}{_line(one)}" for one in facts.worst(seat)
        ]
    heads = ("all errors", "decisions", "error rate", "all luck")
    lines += ["", f"{'':7}{''.join(f'{head:>12}' for head in heads)}"]
    lines += [
        f"{seat:7}{-facts.errors[seat]:>+12.3f}{facts.open_decisions[seat]:>12}"
        f"{facts.rates[seat]:>12.1f}{facts.luck[seat]:>+12.3f}"
        for seat in facts.errors
    ]
    return "\n".join(lines)


def _line(one: Judged) -> str:
    cost = "" if not one.error else f"{-one.error:+.3f}"
    luck = "" if one.luck is None else f"{one.luck:+.3f}"
    better = f"better {one.better}" if one.better else ""
    said = ", ".join(filter(None, [one.mark, better]))
    return f"{one.seat:7}{one.what:32}{cost:>7}{luck:>7}  {said}"


COMMANDS = {
    "replay": CommandEntry(replay),
    "export": CommandEntry(export),
    "analyse": CommandEntry(analyse),
}
