"""The commands about entries that write themselves: the switches, and whom one witnesses."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pbem.cli.errors import say
from pbem.cli.options import Json
from pbem.cli.own_home import open_home
from pbem.cli.startup.commands import CommandEntry
from pbem.errors import Usage
from pbem.home.outside import BY_HAND
from pbem.watch import switch as switches
from pbem.watch import witnessed
from pbem.watch.switch import AutoFacts


def auto_in_words(facts: AutoFacts) -> str:
    """What `pbem auto` prints."""
    lines = [
        f"automatic turns are {'on' if facts.home else 'off'} for this home (kept in"
        f" {_short(facts.folder)})"
    ]
    if facts.notes:
        lines.append("private notes may be revealed by themselves at the end of a game")
    if facts.prepared:
        lines.append("turns that you have prepared are written by themselves")
    for game in facts.games:
        mark = "on" if game.on else "off"
        if game.mark == BY_HAND:
            mark = f"by hand: {game.why}" if game.why else "by hand"
        lines.append(f"  {game.short}  {mark}")
    if facts.silence:
        lines.append(facts.silence)
    return "\n".join(lines)


def _short(folder: str) -> str:
    """A folder below that of the user with a tilde, and a key in its name cut short."""
    path = Path(folder)
    below = Path("~") / path.relative_to(Path.home()) if path.is_relative_to(Path.home()) else path
    return str(below.with_name(f"{below.name[:8]}…"))


def auto(
    switch: Annotated[
        str, typer.Argument(help="on, off or by-hand; without it the switches are shown.")
    ] = "",
    game: Annotated[
        str | None,
        typer.Argument(help="A game's short name; without it the home.", show_default=False),
    ] = None,
    notes: Annotated[
        bool,
        typer.Option(
            "--notes", help="With on: your private notes may be revealed by themselves, too."
        ),
    ] = False,
    prepared: Annotated[
        bool,
        typer.Option("--prepared", help="With on: turns that you have prepared are written, too."),
    ] = False,
    as_json: Json = False,
) -> None:
    """`pbem watch --answer` writes them: a proof for the other player's dice, an opening, and the
    opened deck a day after the end. It is off by default; on for the home or one game, and off for
    a game that is played by hand."""
    home = open_home()
    if switch not in ("", "on", "off", "by-hand"):
        raise Usage(
            f'"{switch[:40]}" is no switch',
            hint="pbem auto on, pbem auto on GAME, off, or by-hand GAME",
        )
    if (notes or prepared) and switch != "on":
        raise Usage("--notes and --prepared go with on", hint="pbem auto on --notes")
    if switch == "on":
        switches.switch_on(home, game, notes=notes, prepared=prepared)
    elif switch == "off":
        if game is not None:
            raise Usage(
                "off is for everything", hint=f"for one game: pbem auto by-hand {game[:80]}"
            )
        switches.switch_off(home)
    elif switch == "by-hand":
        if game is None:
            raise Usage(
                "which game is played by hand?",
                hint="pbem auto by-hand GAME; for all of them: pbem auto off",
            )
        switches.by_hand(home, game)
    facts = switches.facts(home)
    say(as_json, facts, auto_in_words(facts))


def witness(as_json: Json = False) -> None:
    """How many games each of them began, finished and dropped, by their key."""
    facts = witnessed.facts(open_home())
    say(as_json, facts, witnessed.in_words(facts))


COMMANDS = {
    "auto": CommandEntry(auto),
    "witness": CommandEntry(witness),
}
