"""What players write for dice: `2d6`, `2d6+1`, `3x2d6`, `4d6 keep 3`, and `3 hit` for a die whose
faces have names."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from engine.flow import SIDES, NotUnderstood

MOST_DICE: Final = 60
"""Dice of one throw, all groups together."""
_DICE = re.compile(
    r"(?:([1-9][0-9]?) ?x ?)?([1-9][0-9]?)?d([1-9][0-9]{0,2})( ?[+-] ?[1-9][0-9]{0,2})?"
    r"(?: keep(?: highest)? ([1-9][0-9]?))?"
)
_NAMED = re.compile(r"([1-9][0-9]?) ([a-z][a-z0-9-]*)")


class Die(NamedTuple):
    """A kind of die. One with names on its `faces` has as many sides as names; any other shows the
    numbers from 1."""

    name: str
    sides: int
    faces: tuple[str, ...] = ()


class Dice(NamedTuple):
    """`groups` throws of `number` dice each. Of each group the `keep` highest count (0: all), and
    `add` is added to their sum."""

    groups: int
    number: int
    die: Die
    add: int = 0
    keep: int = 0

    @property
    def thrown(self) -> int:
        """How many dice lie on the table."""
        return self.groups * self.number


def words(dice: Dice) -> str:
    """The one spelling of these dice."""
    if dice.die.faces:
        return f"{dice.number} {dice.die.name}"
    groups = f"{dice.groups}x" if dice.groups > 1 else ""
    add = f"{dice.add:+d}" if dice.add else ""
    keep = f" keep {dice.keep}" if dice.keep else ""
    return f"{groups}{dice.number}{dice.die.name}{add}{keep}"


def read(text: str, kinds: Mapping[str, Die]) -> tuple[Dice, str]:
    """The dice that a text in small letters begins with, and what follows them. `kinds` are the
    dice of the game by name. Raises `NotUnderstood`."""
    match = _DICE.match(text)
    if match is None:
        named = _NAMED.match(text)
        if named is None or named[2] not in kinds or not kinds[named[2]].faces:
            raise NotUnderstood(
                f'"{text[:40]}" names no dice: 2d6, 2d6+1, 3x2d6 or 4d6 keep 3'
                + "".join(f", 3 {die.name}" for die in kinds.values() if die.faces)
            )
        dice = Dice(1, int(named[1]), kinds[named[2]])
        return _checked(dice), text[named.end() :].strip()
    groups, number, sides, add, keep = match.groups()
    if f"d{sides}" not in kinds:
        has = ", ".join(kinds)
        raise NotUnderstood(f"this game has no d{sides}: its dice are {has}")
    dice = Dice(
        int(groups or 1),
        int(number or 1),
        kinds[f"d{sides}"],
        int(add.replace(" ", "")) if add else 0,
        int(keep or 0),
    )
    rest = text[match.end() :]
    if rest and not rest.startswith((" ", ",")):
        raise NotUnderstood(f'"{text[:40]}" names no dice: a blank is missing behind them')
    return _checked(dice), rest.strip()


def _checked(dice: Dice) -> Dice:
    if dice.thrown > MOST_DICE:
        raise NotUnderstood(f"{dice.thrown} dice are too many: {MOST_DICE} at once at most")
    if dice.keep >= dice.number:  # it keeps all: one spelling for one throw
        return dice._replace(keep=0)
    return dice


def plain_die(sides: int) -> Die:
    """A die that shows the numbers from 1. Raises `ValueError`."""
    if sides not in SIDES:
        raise ValueError(f"a die has {SIDES[0]} to {SIDES[-1]} sides")
    return Die(f"d{sides}", sides)


def results(dice: Dice, thrown: Sequence[int]) -> list[int]:
    """What each group comes to; for dice with named faces nothing."""
    if dice.die.faces:
        return []
    parts = [
        sorted(thrown[first : first + dice.number], reverse=True)
        for first in range(0, dice.thrown, dice.number)
    ]
    return [sum(part[: dice.keep or None]) + dice.add for part in parts]


def said(dice: Dice, thrown: Sequence[int]) -> str:
    """What was thrown and what it comes to: `4, 2: 6`, or `2 hit, 1 miss`."""
    if dice.die.faces:
        count = Counter(dice.die.faces[face - 1] for face in thrown)
        return ", ".join(
            f"{count[face]} {face}" for face in dict.fromkeys(dice.die.faces) if count[face]
        )
    parts = []
    for at, result in enumerate(results(dice, thrown)):
        shown = thrown[at * dice.number : (at + 1) * dice.number]
        numbers = ", ".join(map(str, shown))
        is_plain = len(shown) == 1 and not dice.add
        parts.append(numbers if is_plain else f"{numbers}: {result}")
    return " / ".join(parts)
