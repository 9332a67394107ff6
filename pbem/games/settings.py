"""The options of a game: as players choose them, as files hold them, and what follows from them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from engine.cards import Deck
from engine.flow import Seat
from engine.rules import Rules, Settings
from pbem.errors import Do, Malformed, Newer, Usage

_SETTING = re.compile(r"([a-z][a-z_-]*)(?: (0|[1-9][0-9]{0,3}))?\Z")


def keyed_seats(rules: Rules, settings: Settings) -> tuple[Seat, ...]:
    """The seats that somebody plays: all except those that the rules play."""
    by_rules = rules.played_by_rules(settings)
    return tuple(seat for seat in range(len(rules.seats(settings))) if seat not in by_rules)


def seats_of(rules: Rules) -> tuple[str, ...]:
    """The names of the seats that players take in a game with its usual options."""
    usual = completed(rules, chosen_settings(rules, {}))
    names = rules.seats(usual)
    return tuple(names[seat] for seat in keyed_seats(rules, usual))


def common_index(decks: Sequence[Deck]) -> int | None:
    """Which of a game's decks is common to all seats; there is at most one."""
    return next((index for index, deck in enumerate(decks) if deck.owner is None), None)


def partners(rules: Rules, settings: Settings, seat: Seat) -> list[Seat]:
    """The seats that may see this seat's hand."""
    seats = range(len(rules.seats(settings)))
    return [other for other in seats if other != seat and rules.may_see(settings, other, seat)]


def players_of(rules: Rules, settings: Settings) -> list[Seat]:
    """The seats that players sit in: neither mere witnesses nor seats that the rules play."""
    others = {*rules.bystanders(settings), *rules.played_by_rules(settings)}
    return [seat for seat in range(len(rules.seats(settings))) if seat not in others]


def goes_on_without(rules: Rules, settings: Settings) -> bool:
    """Whether a seat that resigns only leaves, and the others play on: the game began with three
    sides or more, and nobody has a deck of their own (docs/format.md, section 8, clauses 1 and
    2)."""
    sides = {rules.side(settings, seat) for seat in players_of(rules, settings)}
    return len(sides) > 2 and all(deck.owner is None for deck in rules.decks(settings))


def completed(rules: Rules, settings: Settings) -> Settings:
    """The options with what follows from them: a game in which only one seat has a key is marked as
    unwitnessed."""
    alone = len(keyed_seats(rules, settings)) == 1
    return {**settings, "unwitnessed": 1} if alone else settings


def read_settings(rules: Rules, texts: Sequence[str], where: str) -> Settings:
    """The options of an invitation: a name, or a name and a number. Raises `Malformed`."""
    settings: dict[str, int] = {}
    for text in texts:
        match = _SETTING.match(text)
        if match is None or match[1] not in rules.settings or match[2] == "1":
            raise Newer(
                f'unknown option "{text}"',
                where=where,
                hint="the file was made by a newer pbem; update yours",
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
    """The options that a player asks for, without those that have their usual value anyway. Raises
    `Usage`, also for a value that the rules refuse and that would be left out here: a match to 0
    points is none."""
    known = f"its options: {', '.join(rules.settings) or 'none'}"
    if unknown := [name for name in chosen if name not in rules.settings]:
        raise Usage(f"{rules.title} has no option {unknown[0][:40]}", hint=known)
    settings = {
        name: value for name, value in chosen.items() if value != rules.defaults.get(name, 0)
    }
    try:
        rules.seats(chosen)
        rules.seats(settings)
    except ValueError as error:
        raise Usage(
            str(error), hint=Do("new", rules.name, "--help", does="lists its options")
        ) from error
    return settings


def write_settings(rules: Rules, settings: Settings) -> list[str]:
    """The opposite of `read_settings`; options with their usual value are left out."""
    pairs = sorted(
        (name, value) for name, value in settings.items() if value != rules.defaults.get(name, 0)
    )
    return [name if value == 1 else f"{name} {value}" for name, value in pairs]


def variants(rules: Rules) -> list[Settings]:
    """Settings to play with: the usual ones, and each setting at each small value with which a game
    can be made."""
    made: list[Settings] = []
    for chosen in [{}, *({name: value} for name in rules.settings for value in range(9))]:
        try:
            rules.seats(settings := completed(rules, chosen_settings(rules, chosen)))
            rules.begin(settings)
        except Exception:  # foreign code: these settings make no game
            continue
        if settings not in made:
            made.append(settings)
    return made
