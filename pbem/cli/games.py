"""The commands about games themselves: what is installed, and what an own copy of one says."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from pbem import files
from pbem.cli.errors import AlreadyPrinted, say
from pbem.cli.options import Json
from pbem.cli.startup.commands import CommandEntry
from pbem.errors import USAGE
from pbem.games import game_data, registry
from pbem.games.descriptor import InstalledGame
from pbem.games.introduction import introduction
from pbem.report.render import render

BRIEF = ("aim", "sides", "length")
"""What is said of a game where many are listed."""
_MORE = "pbem games NAME tells more of a game, pbem new NAME begins one."


@dataclass(frozen=True)
class OptionFacts:
    """An option that a game adds to `pbem new`; it takes nothing, a number or a key."""

    name: str
    takes: str
    help: str


@dataclass(frozen=True)
class IntroductionFacts:
    """What a game says of itself to a stranger: how one wins, who plays, how long it takes, what
    not everybody sees, and what chance does."""

    aim: str
    sides: str
    length: str
    hidden: str
    chance: str


@dataclass(frozen=True)
class GameFacts:
    """A game that is installed: its rules versions, the package and version it comes from, what it
    is in its own words, and its page of help. One whose plug-in does not work has `problems` and no
    title."""

    name: str
    title: str | None
    versions: Sequence[int]
    introduction: IntroductionFacts | None
    options: Sequence[OptionFacts]
    help: str | None
    distribution: str
    version: str
    problems: Sequence[str]


@dataclass(frozen=True)
class GamesFacts:
    """Every game, or the one that was named."""

    games: Sequence[GameFacts]


@dataclass(frozen=True)
class DataFilesFacts:
    """The files that `pbem data` wrote for this game, to be filled in; those that were there are
    looked through: `incomplete` are begun and not complete, each with what is missing; `wrong` have
    a line that does not hold."""

    game: str
    files: Sequence[str]
    incomplete: Mapping[str, str]
    wrong: Mapping[str, str]


def games(
    name: Annotated[
        str | None, typer.Argument(help="Show the page of help of this game.", show_default=False)
    ] = None,
    as_json: Json = False,
) -> None:
    """Each with the package it comes from, and with what is wrong if its plug-in does not work."""
    found = registry.installed()
    if name is not None:
        registry.descriptor(name)
        found = [one for one in found if one.name == name and one.descriptor is not None]
    facts = GamesFacts([_facts(one) for one in found])
    if name is None:
        text = "\n".join([*map(_in_words, facts.games), _MORE])
    else:
        (one_game,) = facts.games
        page = one_game.help or f"pbem new {name} --help lists its options.\n"
        text = f"{one_game.title}\n\n{introduced(name)}\n\n{page}".rstrip("\n")
    say(as_json, facts, text)


def _facts(found: InstalledGame) -> GameFacts:
    descriptor, source = found.descriptor, found.distribution
    if descriptor is None:
        problems = list(found.problems)
        return GameFacts(
            found.name, None, [], None, [], None, source.name, source.version, problems
        )
    options = [OptionFacts(option.name, option.takes, option.help) for option in descriptor.options]
    page = descriptor.templates / descriptor.help if descriptor.help is not None else None
    text = None if page is None else page.read_text(encoding="utf-8")
    said = introduction(found.name)
    return GameFacts(
        name=found.name,
        title=registry.title(found.name),
        versions=sorted(descriptor.rules),
        introduction=IntroductionFacts(said.aim, said.sides, said.length, said.hidden, said.chance),
        options=options,
        help=text,
        distribution=source.name,
        version=source.version,
        problems=[],
    )


def _in_words(facts: GameFacts) -> str:
    source = f"{facts.distribution} {facts.version}"
    if facts.problems:
        return "\n".join(
            [
                f"{facts.name}: does not work, from {source}",
                *(f"  {wrong}" for wrong in facts.problems),
            ]
        )
    versions = ", ".join(map(str, facts.versions))
    title = f"{facts.name}: {facts.title}, rules version {versions}, from {source}"
    return f"{title}\n{introduced(facts.name, BRIEF)}\n"


def introduced(game: str, parts: Sequence[str] = ()) -> str:
    """What a game is, in lines that fit the terminal: all of it, or these parts."""
    width = min(shutil.get_terminal_size().columns, 80) - 2
    return render("introduction.txt.j2", {"game": game, "width": width, "only": parts}).rstrip("\n")


def data(
    game: Annotated[str, typer.Argument(help="A game that takes data from your copy of it.")],
    folder: Annotated[
        Path, typer.Argument(help="Folder to write the files to.", show_default=False)
    ],
    as_json: Json = False,
) -> None:
    """Files that are there are looked through: what is missing is told. `pbem new GAME --data DIR`
    plays with what is filled in."""
    descriptor = registry.descriptor(game)
    written = [str(path) for path in game_data.write_templates(descriptor, folder)]
    states = game_data.check(descriptor, registry.newest(game), folder)
    there = [str(state) for state in states if str(state.path) not in written]
    is_ready = all(one.lines and not one.missing and not one.wrong for one in states)
    then = "it can be played" if is_ready else "fill in what you know, then"
    lines = [*written, *there, f"{then}: pbem new {game} --data {files.printable(folder)}"]
    incomplete = {
        str(state.path): state.missing for state in states if state.missing and not state.wrong
    }
    wrong = {str(state.path): state.wrong for state in states if state.wrong}
    say(as_json, DataFilesFacts(game, written, incomplete, wrong), "\n".join(lines))
    if wrong:
        raise AlreadyPrinted(USAGE)


COMMANDS = {
    "games": CommandEntry(games),
    "data": CommandEntry(data),
}
