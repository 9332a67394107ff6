"""The games this program knows, each loaded only when it is played."""

from __future__ import annotations

import re
from collections.abc import Sequence
from importlib import import_module

from engine.cards import Deck
from engine.flow import Seat
from engine.rules import Rules, Settings
from pbem.errors import Malformed, Usage

_MODULES = {
    ("loot", 1): "engine.loot",
    ("tripoli", 1): "engine.tripoli",
    ("tripoli-solitaire", 1): "engine.tripoli_solitaire",
}
"""Game and rules version to the module whose `RULES` they are. A version stays for as long as games of it exist."""

_SETTING = re.compile(r"([a-z][a-z_-]*)(?: (0|[1-9][0-9]{0,3}))?\Z")


def known_games() -> list[str]:
    """Names of the games, in alphabetical order."""
    return sorted({name for name, _ in _MODULES})


def versions() -> list[tuple[str, int]]:
    """Every game with every version of its rules that this program replays."""
    return sorted(_MODULES)


def newest(name: str) -> Rules:
    """The newest rules of a game. Raises `Usage` if there is no such game."""
    versions = [version for known, version in _MODULES if known == name]
    if not versions:
        raise Usage(f'there is no game "{name[:40]}"', hint=f"the games are: {', '.join(known_games())}")
    return find(name, max(versions))


def find(name: str, version: int) -> Rules:
    """The rules of a game as they were in that version. Raises `Malformed` if this program does not have them: a newer
    one made the file, as with a field that nobody knows."""
    module = _MODULES.get((name, version))
    if module is None:
        what = f'this pbem does not have the game "{name[:40]}", rules version {version}'
        raise Malformed(what, hint="the file was made by a newer pbem; update yours")
    rules: Rules = import_module(module).RULES
    return rules


def keyed_seats(rules: Rules, settings: Settings) -> tuple[Seat, ...]:
    """The seats with somebody behind them: all but those that the rules play."""
    by_rules = rules.played_by_rules(settings)
    return tuple(seat for seat in range(len(rules.seats(settings))) if seat not in by_rules)


def common_index(decks: Sequence[Deck]) -> int | None:
    """Which of a game's decks is common to all seats; there is at most one."""
    return next((index for index, deck in enumerate(decks) if deck.owner is None), None)


def partners(rules: Rules, settings: Settings, seat: Seat) -> list[Seat]:
    """The seats that may see this seat's hand."""
    seats = range(len(rules.seats(settings)))
    return [other for other in seats if other != seat and rules.may_see(settings, other, seat)]


def completed(rules: Rules, settings: Settings) -> Settings:
    """The options with what follows from them: a game in which one seat only has a key says that it is unwitnessed."""
    alone = len(keyed_seats(rules, settings)) == 1
    return {**settings, "unwitnessed": 1} if alone else settings


def read_settings(rules: Rules, texts: Sequence[str], where: str) -> Settings:
    """The options of an invitation: a name, or a name and a number. Raises `Malformed`."""
    settings: dict[str, int] = {}
    for text in texts:
        match = _SETTING.match(text)
        if match is None or match[1] not in rules.settings or match[2] == "1":
            raise Malformed(
                f'unknown option "{text}"', where=where, hint="the file was made by a newer pbem; update yours"
            )
        settings[match[1]] = int(match[2] or 1)
    if write_settings(rules, settings) != list(texts):
        raise Malformed("options are not in order, each once", where=where)
    try:
        rules.seats(settings)
    except ValueError as error:
        raise Malformed(f"no game can be made with these options: {error}", where=where) from error
    return settings


def chosen_settings(rules: Rules, chosen: Settings) -> Settings:
    """What a player asks for, without what holds anyhow. Raises `Usage`."""
    known = f"its options: {', '.join(rules.settings) or 'none'}"
    if unknown := [name for name in chosen if name not in rules.settings]:
        raise Usage(f"{rules.title} has no option {unknown[0][:40]}", hint=known)
    settings = {name: value for name, value in chosen.items() if value != rules.defaults.get(name, 0)}
    try:
        rules.seats(settings)
    except ValueError as error:
        raise Usage(str(error), hint=known) from error
    return settings


def write_settings(rules: Rules, settings: Settings) -> list[str]:
    """The opposite of `read_settings`; options with the value they have anyhow are left out."""
    told = sorted((name, value) for name, value in settings.items() if value != rules.defaults.get(name, 0))
    return [name if value == 1 else f"{name} {value}" for name, value in told]
