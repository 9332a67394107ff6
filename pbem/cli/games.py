"""The commands about games themselves: what is installed, and the test bench of their authors."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from pbem.cli.errors import Told, say
from pbem.cli.options import Json
from pbem.errors import REFUSED, Usage
from pbem.games import BUILT_IN


def games(
    name: Annotated[str | None, typer.Argument(help="Show the page of help of this game.", show_default=False)] = None,
    as_json: Json = False,
) -> None:
    """List the games that are installed.

    Each with the package it comes from, and with what is wrong if its plug-in does not work.
    """
    from pbem.games import registry

    found = registry.installed()
    if name is not None:
        registry.descriptor(name)
        found = [one for one in found if one.name == name and one.descriptor is not None]
    facts = {"games": [_facts(one) for one in found]}
    say(as_json, facts, _help(facts["games"][0]) if name is not None else "\n".join(map(_in_words, facts["games"])))


def _facts(found: Any) -> dict[str, Any]:
    """One game in plain data: its name and title, rules versions, where it comes from, options, problems and help."""
    descriptor = found.descriptor
    facts: dict[str, Any] = {"name": found.name, "title": None, "versions": [], "options": [], "help": None}
    facts |= {"distribution": found.distribution.name, "version": found.distribution.version}
    facts |= {"problems": list(found.problems)}
    if descriptor is not None:
        from pbem.games import registry

        facts["title"] = registry.newest(found.name).title
        facts["versions"] = sorted(descriptor.rules)
        facts["options"] = [{"name": o.name, "takes": o.takes, "help": o.help} for o in descriptor.options]
        if descriptor.help is not None:
            facts["help"] = (descriptor.templates / descriptor.help).read_text(encoding="utf-8")
    return facts


def _in_words(facts: dict[str, Any]) -> str:
    source = f"{facts['distribution']} {facts['version']}".strip()
    if facts["problems"]:
        lines = [f"{facts['name']}: does not work, from {source}", *(f"  {wrong}" for wrong in facts["problems"])]
        return "\n".join(lines)
    versions = ", ".join(map(str, facts["versions"]))
    return f"{facts['name']}: {facts['title']}, rules version {versions}, from {source}"


def _help(facts: dict[str, Any]) -> str:
    if facts["help"] is None:
        raise Usage(f"{facts['title']} has no page of help", hint=f"pbem new {facts['name']} --help lists its options")
    return str(facts["help"]).rstrip("\n")


def check_game(
    game: Annotated[str, typer.Argument(help=f"The game: {', '.join(sorted(BUILT_IN))}, or one of a plug-in.")],
    number: Annotated[int, typer.Option("--games", help="How many random games.")] = 100,
    seed: Annotated[str, typer.Option(help="The same seed gives the same games.")] = "1",
    golden: Annotated[
        Path | None, typer.Option(help="A golden playthrough: written there, or compared with the one that is.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Try the rules of a game out: the test bench for authors.

    Random games to the end; notation, position, hidden cards and views are checked in each.
    """
    from dataclasses import asdict

    from pbem.cli import progress
    from pbem.games import registry
    from pbem.simulate import check_game as bench

    if number < 1:
        raise Usage("at least one game is played")
    rules = registry.newest(game)
    with progress.progress(number, quiet=as_json) as advance:
        found = bench.check(rules, number, seed, golden_file=golden, progress=advance)
    say(as_json, asdict(found), bench.in_words(found, rules.measure))
    if found.problems:
        raise Told(REFUSED)


def register(app: typer.Typer) -> None:
    """Add the commands to the program."""
    app.command()(games)
    app.command("check-game")(check_game)
