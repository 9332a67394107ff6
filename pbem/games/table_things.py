"""What lies on a table of cards: rows, piles, hands and scores; and which cards have moved between
two positions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias


@dataclass(frozen=True)
class Row:
    """Cards side by side: each by its name, or None where it lies face down. It has a `name`, by
    which answers call it, and a `label`, and lies before its `owner` if it has one."""

    name: str
    label: str
    cards: Sequence[str | None]
    owner: str = ""
    note: str = ""


@dataclass(frozen=True)
class Pile:
    """Cards on top of each other: so many face down, or the names of those face up, the uppermost
    last."""

    name: str
    label: str
    cards: int | Sequence[str]
    owner: str = ""
    note: str = ""

    @property
    def count(self) -> int:
        return self.cards if isinstance(self.cards, int) else len(self.cards)


@dataclass(frozen=True)
class Hand:
    """The hand of a seat: how many cards, and those that the viewer sees although they are somebody
    else's."""

    owner: str
    count: int
    cards: Sequence[str] = ()


@dataclass(frozen=True)
class Score:
    """A number of points, or whatever its `words` say (`many`: several, where no "s" does it): what
    an `owner` has, of so many that they need (`of`); or, with a `label`, what lies on the table for
    all."""

    value: int
    words: str = "point"
    owner: str = ""
    label: str = ""
    many: str = ""
    of: int = 0

    @property
    def said(self) -> str:
        """What so many of it are called: "1 point", and "points 1 of 12"."""
        return self.words if self.value == 1 and not self.of else self.many or f"{self.words}s"


Thing: TypeAlias = Row | Pile | Hand | Score


class CardMove(NamedTuple):
    """A card that went from one place to another; without a name where it lies face down."""

    card: str
    source: str
    target: str


def moves(there: Sequence[Thing], old: Mapping[str, Thing]) -> Counter[CardMove]:
    """Which cards went where, and how many of each, out of two positions."""
    come, gone = list[_Moved](), list[_Moved]()
    for one in there:
        now, was = contents(one), contents(old.get(key(one)))
        here = [_Moved(one, card) for card in (now - was).elements()]
        away = [_Moved(one, card) for card in (was - now).elements()]
        while (turned := _turned(here)) and (back := _turned(away, is_back=True)):
            here.remove(turned)  # it was turned over where it lies
            away.remove(back)
        come, gone = come + here, gone + away
    ways: Counter[CardMove] = Counter()
    for card in sorted(come, key=lambda one: not one.card):
        sources = [other for other in gone if card.may_be(other)]
        if sources:
            source = min(sources, key=card.distance)
            gone.remove(source)
            ways[CardMove(card.card, source.place, card.place)] += 1
    return ways


_COMES_FROM: Mapping[type, Sequence[type]] = {
    Hand: (Pile, Row, Hand),
    Row: (Hand, Pile, Row),
    Pile: (Row, Hand, Pile),
}
"""Where a card has come from, the likeliest first."""


class _Moved(NamedTuple):
    """A card that came to a place, or left it; without a name where it lay face down."""

    thing: Thing
    card: str

    @property
    def place(self) -> str:
        return self.thing.owner if isinstance(self.thing, Hand) else key(self.thing)

    def may_be(self, other: _Moved) -> bool:
        """Whether both may be one card."""
        return self.place != other.place and (
            self.card == other.card or not (self.card and other.card)
        )

    def distance(self, other: _Moved) -> tuple[bool, bool, int, bool]:
        """How unlikely it is that this card came from there: another card, from before somebody
        else; then by what cards do, and whether it was nobody's."""
        rank = _COMES_FROM[type(self.thing)].index(type(other.thing))
        mine, theirs = self.thing.owner, other.thing.owner
        return self.card != other.card, theirs not in ("", mine), rank, theirs != mine


def _turned(moved: Sequence[_Moved], *, is_back: bool = False) -> _Moved | None:
    """The first of these cards that lies face up, or face down."""
    return next((one for one in moved if bool(one.card) != is_back), None)


def contents(one: Thing | None) -> Counter[str]:
    """The cards of a thing by name, those face down without one."""
    if isinstance(one, Row):
        return Counter(card or "" for card in one.cards)
    if isinstance(one, Pile) and not isinstance(one.cards, int):
        return Counter(one.cards)
    return Counter({"": one.count}) if isinstance(one, (Pile, Hand)) else Counter()


def change(one: Thing, was: Thing | None) -> int:
    """By how many cards or points a pile, a hand or a score differs from what it was."""
    return _amount(one) - _amount(was)


def _amount(one: Thing | None) -> int:
    if isinstance(one, Score):
        return one.value
    return one.count if isinstance(one, (Pile, Hand)) else 0


def key(one: Thing) -> str:
    """What a thing is known by from one position to the next."""
    if isinstance(one, (Row, Pile)):
        return one.name
    return (
        f"hand of {one.owner}"
        if isinstance(one, Hand)
        else f"{one.words} of {one.owner or one.label}"
    )


def check_names(there: Sequence[Thing]) -> None:
    keys = Counter(map(key, there))
    if twice := next((key for key, count in keys.items() if count > 1), None):
        raise ValueError(f'two things on the table are the "{twice}"')
