"""The lines of a report's story: answers, orders, cards and dice, and what only a game's own rules
can tell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

GameData: TypeAlias = Mapping[str, object]
"""Plain data of one game, for its own templates and pictures: `Game.view` and `Rules.tell` say what
is in it."""


@dataclass(frozen=True)
class AnswerLine:
    """An answer in words; `ordered`: given by a standing order."""

    kind: str = field(default="answer", init=False)
    seat: str
    text: str
    ordered: bool


@dataclass(frozen=True)
class AcceptedLine:
    """A seat's standing order accepted a draw."""

    kind: str = field(default="accepted", init=False)
    seat: str


@dataclass(frozen=True)
class OrderLine:
    """A standing order as everybody may read it."""

    kind: str = field(default="ordered", init=False)
    seat: str
    text: str


@dataclass(frozen=True)
class ChoiceLine:
    """A seat sealed an answer that nobody else can read yet, or opened it: `text` is the answer
    then, and null when it is sealed. `choice` names it: the number of the entry that sealed it, and
    its place there from 0."""

    kind: str = field(default="choice", init=False)
    seat: str
    choice: str
    text: str | None


@dataclass(frozen=True)
class OpenedLine:
    """A hidden card was opened."""

    kind: str = field(default="opened", init=False)
    seat: str | None
    back: str
    card: str


@dataclass(frozen=True)
class DiceLine:
    """Dice of so many sides were thrown by or for a seat. `hits` are the faces that the rules count
    as a hit; `entry` is E, the decision that the witnesses' proofs are over."""

    kind: str = field(default="dice", init=False)
    seat: str
    why: str
    sides: int
    dice: Sequence[int]
    hits: Sequence[int]
    witnesses: Sequence[str]
    entry: int


@dataclass(frozen=True)
class PickLine:
    """Chance took cards: `cards` are the names that the viewer knows, `backs` all of them."""

    kind: str = field(default="pick", init=False)
    why: str
    witnesses: Sequence[str]
    entry: int
    count: int
    cards: Sequence[str]
    backs: Sequence[str]


@dataclass(frozen=True)
class DrawLine:
    """A seat drew cards."""

    kind: str = field(default="draw", init=False)
    seat: str
    witnesses: Sequence[str]
    entry: int
    count: int
    cards: Sequence[str]
    backs: Sequence[str]


Line: TypeAlias = (
    AnswerLine
    | ChoiceLine
    | AcceptedLine
    | OrderLine
    | OpenedLine
    | DiceLine
    | PickLine
    | DrawLine
    | GameData
)
"""One thing that happened; a mapping is a line of the game's own story."""
