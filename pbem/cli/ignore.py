"""The command with which a player hides games and players whom they do not want to see."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import typer
from msgspec.structs import replace

from pbem.cli.errors import say
from pbem.cli.options import Json
from pbem.cli.own_home import open_home
from pbem.cli.startup.commands import CommandEntry
from pbem.cli.streams import warn
from pbem.english import counted
from pbem.errors import Usage
from pbem.fileformat.characters import without_hidden
from pbem.fileformat.encoding import b64, fingerprint
from pbem.home import ignore_list
from pbem.home.home import Home
from pbem.home.ignore_list import Nameable
from pbem.turn import game_list

_FEW = 20
"""Games of strangers that are named."""


@dataclass(frozen=True)
class HiddenGame:
    """A game that is hidden: its short name, its title, the names of its other players, whether the
    player of this home has a seat in it, and why it is hidden: "game" (by itself), "player" (by a
    key) or "stranger"."""

    short: str
    title: str
    players: Sequence[str]
    is_yours: bool
    why: str


@dataclass(frozen=True)
class IgnoredPlayer:
    """A player who is ignored, by their key in base64; the name is empty where no game and no
    contact has it."""

    name: str
    key: str
    fingerprint: str


@dataclass(frozen=True)
class IgnoreFacts:
    """The games that are hidden, the players who are ignored, and whether all strangers are."""

    games: Sequence[HiddenGame]
    players: Sequence[IgnoredPlayer]
    strangers: bool


def ignore(
    who: Annotated[
        str | None,
        typer.Argument(
            metavar="GAME-OR-KEY",
            help=(
                "A game's short name; or a player's key, name, address or fingerprint's first"
                " digits."
            ),
            show_default=False,
        ),
    ] = None,
    strangers: Annotated[
        bool,
        typer.Option(
            "--strangers", help="Everybody with whom you have no game, and who is no contact."
        ),
    ] = False,
    back: Annotated[bool, typer.Option("--back", help="Show it again.")] = False,
    as_json: Json = False,
) -> None:
    """Hidden games are left out of lists and of what `pbem watch` tells, and nothing else: what
    comes is taken in as before, and every command takes a hidden game's name. A player is ignored
    by their key, which hides the games to which they invite you and those in which nobody else
    plays with you. Nobody learns of it."""
    if who is not None and strangers:
        raise Usage("a game, a player or --strangers, one at a time")
    if back and who is None and not strangers:
        raise Usage(
            "what is to be shown again?",
            hint="pbem ignore lists what is hidden; pbem ignore NAME --back",
        )
    home = open_home()
    nameable = Nameable(home, home.identity().public)
    if strangers:
        ignore_list.change(home, lambda now: replace(now, strangers=not back))
    elif who is not None:
        one = nameable.find(who, ignore_list.read(home.folder) if back else None)
        ignore_list.ignore(home, one, back=back)
    facts, waiting = _hidden(home, nameable)
    for name in waiting:
        warn(f"{name} is hidden, and waits for you: the others learn nothing of that")
    say(as_json, facts, in_words(facts))


def _hidden(home: Home, nameable: Nameable) -> tuple[IgnoreFacts, list[str]]:
    """What is hidden now, and the short names of those games that wait for the player of the
    home."""
    listed, ignored = game_list.games(home, home.identity()), ignore_list.read(home.folder)
    facts = IgnoreFacts(
        [
            HiddenGame(
                game.short,
                game.title,
                [other.name for other in game.opponents],
                game.seat is not None,
                listed.reasons[game.game_id[:32]],
            )
            for game in listed.hidden
        ],
        [
            IgnoredPlayer(
                nameable.people[key].name if key in nameable.people else "",
                b64(key),
                fingerprint(key),
            )
            for key in ignored.keys
        ],
        ignored.strangers,
    )
    return facts, [
        game.short
        for game in listed.hidden
        if game.yours and game.seat is not None and game.over is None
    ]


def in_words(facts: IgnoreFacts) -> str:
    """What is hidden, as lines of text."""
    lines = [f"{len(facts.players)} ignored by their key:"] if facts.players else []
    for one in facts.players:
        name = f'"{without_hidden(one.name)}", ' if one.name else ""
        lines.append(f"  {name}fingerprint {one.fingerprint}")
    if facts.strangers:
        lines.append(
            "Strangers are ignored: everybody with whom you have no game, and who is no contact."
        )
    lines += [f"{counted(len(facts.games), 'game')} hidden:"] if facts.games else []
    why = {"game": "", "player": "; ignored by key", "stranger": "; strangers"}
    for game in facts.games[:_FEW]:
        players = ", ".join(map(without_hidden, game.players))
        lines.append(
            f"  {game.short}  {game.title}{f', with {players}' if players else ''}{why[game.why]}"
        )
    if len(facts.games) > _FEW:
        lines.append(f"  and {len(facts.games) - _FEW} more: pbem ignore --json lists all")
    return (
        "\n".join(lines)
        or "Nothing is hidden. pbem ignore GAME hides a game, pbem ignore --strangers those of strangers."  # noqa: E501
    )


COMMANDS = {
    "ignore": CommandEntry(ignore),
}
