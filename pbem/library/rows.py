"""What the library keeps of one verified game, as rows: typed, small, and free of everything that
only one seat knows.

The fields stand in the order of the columns in the database (`pbem.library.schema`);
docs/library.md says what each means. A list is JSON text, a digest of a whole file hexadecimal
text, a digest that is only compared 16 bytes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple, TypeAlias

Role: TypeAlias = Literal["player", "witness", "rules"]
Result: TypeAlias = Literal["won", "drew", "lost", "open"]
Ended: TypeAlias = Literal["rules", "resignation", "draw", "left"]
Known: TypeAlias = Literal["opened", "root", "hidden"]


class GameRow(NamedTuple):
    """A game: what was agreed, how far it is, and how it ended."""

    game_id: str
    sha256: str
    game: str
    rules: int
    package: str
    options: str
    seats: str
    began: str
    last: str
    days: float
    entries: int
    decisions: int
    periods: int
    witnessed: int
    over: int
    proven: int
    ended: Ended | None
    how: str | None
    winners: str


class PlayerRow(NamedTuple):
    """A seat and who plays it."""

    number: int
    seat: str
    side: int
    role: Role
    key: str | None
    name: str | None
    result: Result | None
    points: int | None
    has_left: int


class EntryRow(NamedTuple):
    """A signed entry."""

    number: int
    seat: str
    date: str
    days: float | None
    answers: str
    orders: str
    draw: str | None
    resigned: int
    prefix: bytes


class RollRow(NamedTuple):
    """Dice that were thrown."""

    number: int
    entry: int
    settled: int
    period: str
    seat: str
    kind: str
    reason: str
    sides: int
    hits: str
    dice: str
    thrown: int
    got: int | None
    witnesses: str


class TallyRow(NamedTuple):
    """All rolls of one kind in a game whose dice are of one seat, added up."""

    number: int
    seat: str
    kind: str
    sides: int
    hits: str
    rolls: int
    thrown: int
    faces: str
    got: int | None


class CardRow(NamedTuple):
    """Something that happened to a card that was drawn or lay sealed."""

    number: int
    entry: int
    seat: str
    back: str
    card: str | None
    known: Known
    done: str


class PositionRow(NamedTuple):
    """A question of the game with the position before its answer."""

    number: int
    entry: int
    seat: str
    position: bytes
    line: bytes
    question: str
    answer: str
    move: str
    card: str | None
    ordered: int


class GameRows(NamedTuple):
    """All rows of one game."""

    game: GameRow
    players: Sequence[PlayerRow]
    entries: Sequence[EntryRow]
    rolls: Sequence[RollRow]
    tallies: Sequence[TallyRow]
    cards: Sequence[CardRow]
    positions: Sequence[PositionRow]
