"""Controls that a game has beside its question, where what players write is more than a list of
answers: a tray of dice, buttons, and forms for words of their own.

A game gives a function from a position and the question to a `Desk` (`GameDescriptor.desk`). Each
control makes the words that a player would type, so the table learns nothing that the rules do not
read. Where a control begins or ends with braces (`{number}`, `{choice}`, `{text}`), what was
chosen or written stands there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class DeskWords:
    """Something to choose: what stands on its button, and the words that are typed for it."""

    label: str
    words: str


@dataclass(frozen=True)
class DeskDie:
    """A kind of die: its name, the words that throw `{number}` of it, and how many sides it has.
    What its faces are called is told where they have names."""

    label: str
    words: str
    sides: int
    faces: str = ""


@dataclass(frozen=True)
class DeskRoll:
    """What dice are thrown for; one that has `dice` is always thrown with these."""

    label: str
    words: str
    dice: str = ""


@dataclass(frozen=True)
class DeskDice:
    """A tray of dice: at most so many at once, by kind, what they may be thrown for, and what may
    come after the throw in the same breath."""

    verb: str
    kinds: Sequence[DeskDie]
    most: int
    rolls: Sequence[DeskRoll] = ()
    after: Sequence[DeskWords] = ()


@dataclass(frozen=True)
class DeskForm:
    """Words that a player writes: the label of the button that opens it, the words that are typed
    (`{choice}`, `{text}`), what is chosen first, and the field, which may be left empty where it is
    `optional`. Without a `field` it is a choice alone."""

    label: str
    words: str
    choices: Sequence[DeskWords] = ()
    field: str = ""
    hint: str = ""
    longest: int = 80
    optional: bool = False


@dataclass(frozen=True)
class DeskCounter:
    """A counter: what it is called, where it stands, and the answers that take one off and add
    one. It has a button of its own where the board is a picture."""

    label: str
    value: int
    less: str
    more: str


@dataclass(frozen=True)
class Desk:
    """All controls for one question, in the order in which they stand. `covers` are the places that
    answers are about (`Concerned.places`, the first of each) which these controls give, so that
    they stand beside the question no second time. `says_all`: the question says no more than the
    controls do, and is left out where there is little room."""

    covers: Sequence[str]
    dice: DeskDice | None = None
    buttons: Sequence[DeskWords] = ()
    forms: Sequence[DeskForm] = ()
    counters: Sequence[DeskCounter] = ()
    says_all: bool = False
