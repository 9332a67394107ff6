"""A setup: what the players of a game have of dice, rolls, counters and cards. It is one text that
stands in the invitation, so nothing of it changes once the game is begun."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from string import ascii_lowercase
from types import MappingProxyType
from typing import Final, NamedTuple

from engine.any.dice import Dice, Die, plain_die
from engine.cards import Deck
from engine.flow import Seat

MOST_SEATS: Final = 8
NUMBERED: Final = (
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
)
"""The seats of a game without a setup."""
USUAL_DICE: Final[Mapping[str, Die]] = MappingProxyType(
    {die.name: die for die in map(plain_die, (6, 4, 8, 10, 12, 20, 100))}
)
"""The dice of a game whose setup names none."""
EVERYBODY: Final[Seat] = -1


class NamedRoll(NamedTuple):
    """A roll by name; with dice it is always thrown with them."""

    name: str
    dice: Dice | None = None


class Counter(NamedTuple):
    """A number that stands on the table: of each player, of one, or of everybody (`owners` is then
    `EVERYBODY` alone)."""

    name: str
    least: int
    most: int
    start: int
    owners: tuple[Seat, ...]


class CardDeck(NamedTuple):
    """A deck of cards, each with its name as often as it is in it. Each of the `owners` has one of
    their own, or all draw from one (`owners` is then `EVERYBODY` alone). Each player who draws from
    it holds `start` cards when the game begins. A turn ends with at most
    `limit` of them in the hand (0: any number); what was discarded is shuffled again only where the
    deck `reshuffles`. One that is `face_up` is everybody's, and nobody holds a card of it: it lies
    on the table as soon as it is drawn."""

    name: str
    cards: tuple[str, ...]
    owners: tuple[Seat, ...]
    start: int = 0
    limit: int = 0
    reshuffles: bool = False
    face_up: bool = False

    @property
    def is_shared(self) -> bool:
        """Whether all players draw from it."""
        return EVERYBODY in self.owners

    def is_of(self, seat: Seat) -> bool:
        """Whether this player draws from it."""
        return seat in self.owners or self.is_shared


@dataclass(frozen=True)
class Setup:
    """What a game is played with. Names are small letters, and no two of them are alike."""

    seats: tuple[str, ...]
    title: str = ""
    first: Seat = 0
    dice: Mapping[str, Die] = field(default_factory=lambda: USUAL_DICE)
    rolls: tuple[NamedRoll, ...] = ()
    counters: tuple[Counter, ...] = ()
    decks: tuple[CardDeck, ...] = ()
    card_names: tuple[str, ...] = ()
    """Of all cards, each once: cards of one name are one card to the game."""
    given: bool = False
    """Whether the players brought it; else it is what every game has."""

    def roll(self, name: str) -> NamedRoll | None:
        return next((one for one in self.rolls if one.name == name), None)

    def counter(self, name: str) -> Counter | None:
        return next((one for one in self.counters if one.name == name), None)

    def counted(self) -> Iterator[tuple[int, Seat]]:
        """Each number that stands on the table: the counter and whose it is."""
        for number, counter in enumerate(self.counters):
            for owner in counter.owners:
                yield number, owner

    def dealt(self) -> Iterator[tuple[int, Seat]]:
        """Each deck that lies on the table: the deck of the setup and whose it is. Those that are
        face up come last, since they have no backs."""
        for number, deck in sorted(enumerate(self.decks), key=lambda one: one[1].face_up):
            for owner in deck.owners:
                yield number, owner

    def laid_decks(self) -> tuple[Deck, ...]:
        """The decks in the order of `dealt` that lie face down, with a letter each for their
        backs."""
        number_of = {name: number for number, name in enumerate(self.card_names)}
        return tuple(
            Deck(
                letter,
                None if owner == EVERYBODY else owner,
                tuple(number_of[card] for card in self.decks[deck].cards),
            )
            for letter, (deck, owner) in zip(ascii_lowercase, self.dealt(), strict=False)
            if not self.decks[deck].face_up
        )

    def has_tops(self) -> bool:
        """Whether cards can lie on or under a deck: on one of a player's own."""
        return any(not deck.is_shared for deck in self.decks)

    def words_of_cards(self) -> frozenset[str]:
        """Words that name decks and cards."""
        return frozenset((*self.card_names, *(deck.name for deck in self.decks)))

    def deck_with(self, seat: Seat, card: str) -> CardDeck | None:
        """The deck of this player that has the card; no two of theirs have one of the same name."""
        return next((one for one in self.decks if one.is_of(seat) and card in one.cards), None)


@cache
def without_setup(players: int) -> Setup:
    """What a game has for which nothing was written: dice, and whose turn it is."""
    return Setup(NUMBERED[:players])
