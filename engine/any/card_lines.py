"""Reads the lines of a setup about cards.

==================================================  ================================================
`deck strategy: 1-110, each, start 9, limit 9`      a deck of cards that are known by number
`deck french: siege x3, fog 1-6, 44, of france`     one of cards with names; `fog-1` to `fog-6`
`deck pack: heart 1-13, shared`                     one from which all draw
`deck events: 1-40, face up`                        one whose cards are seen as they are drawn
`cards french: storm, reshuffle`                    more of that deck, which is too long for a line
==================================================  ================================================
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from string import ascii_lowercase
from typing import Final, NamedTuple

from engine.any.setup import EVERYBODY, CardDeck
from engine.flow import SIDES, Seat

MOST_OF_DECK: Final = 200
MOST_OF_PLAYER: Final = 400
"""Cards that one player has in all their decks: their first turn seals each of them, in a list of
at most 512 (docs/format.md, section 2)."""
MOST_SHARED: Final = 120
"""Cards of a deck from which all draw: every player shuffles it and proves the shuffle when they
join, which takes about a second then (docs/format.md, section 13)."""
MOST_FACE_UP: Final = SIDES[-1]
"""Cards of a deck that is drawn face up, by a die of as many sides."""
MOST_CARDS: Final = 1000
"""Cards of all players together."""
MOST_DECKS: Final = len(ascii_lowercase)
_CARD: Final = re.compile(
    r"(?:(?P<first>0|[1-9][0-9]{0,3})(?: ?- ?(?P<last>[1-9][0-9]{0,3}))?"
    r"|(?P<name>[a-z][a-z0-9-]*)(?: (?P<from>0|[1-9][0-9]{0,3}) ?- ?(?P<to>[1-9][0-9]{0,3}))?)"
    r"(?: ?x ?(?P<copies>[1-9][0-9]{0,2}))?\Z"
)
_NUMBER: Final = re.compile(r"(start|limit) ([1-9][0-9]{0,2})\Z")


class DeckLine(NamedTuple):
    """What the lines of one deck say: `whose` is `each`, `shared` or the name of a
    seat."""

    name: str
    cards: tuple[str, ...] = ()
    whose: str = "each"
    start: int = 0
    limit: int = 0
    reshuffles: bool = False
    face_up: bool = False

    def owned(self, owners: tuple[Seat, ...]) -> CardDeck:
        """The deck, when it is known who owns it. Raises `ValueError`."""
        if not self.cards:
            raise ValueError(f"deck {self.name} has no cards: 1-110, or names")
        if self.start > len(self.cards):
            raise ValueError(f"{self.start} to start with, and {len(self.cards)} cards in the deck")
        if self.face_up:
            owners = (EVERYBODY,)
            if self.start or self.limit or self.whose not in ("each", "shared"):
                raise ValueError(f"nobody holds cards of {self.name}, which are drawn face up")
            if len(self.cards) > MOST_FACE_UP:
                raise ValueError(f"a deck that is drawn face up has at most {MOST_FACE_UP} cards")
        return CardDeck(
            self.name, self.cards, owners, self.start, self.limit, self.reshuffles, self.face_up
        )


def read_parts(deck: DeckLine, parts: Sequence[str]) -> DeckLine:
    """The deck with what one more line says of it. Raises `ValueError`."""
    cards = list(deck.cards)
    for part in parts:
        if part in ("each", "own"):
            deck = deck._replace(whose="each")
        elif part == "shared":
            deck = deck._replace(whose=part)
        elif part.startswith("of "):
            deck = deck._replace(whose=part.removeprefix("of "))
        elif part in ("face up", "open"):
            deck = deck._replace(face_up=True)
        elif part in ("reshuffle", "reshuffled"):
            deck = deck._replace(reshuffles=True)
        elif match := _NUMBER.match(part):
            number = int(match[2])
            is_start = match[1] == "start"
            deck = deck._replace(start=number) if is_start else deck._replace(limit=number)
        else:
            cards += _cards(part, MOST_OF_DECK - len(cards))
    return deck._replace(cards=tuple(cards))


def _cards(part: str, room: int) -> Iterator[str]:
    """The cards that `1-110`, `fog 1-6` or `siege x3` stands for."""
    if (match := _CARD.match(part)) is None:
        raise ValueError(f'"{part[:30]}" names no cards: 1-110, siege, siege x3, fog 1-6')
    first, last = match["first"] or match["from"], match["last"] or match["to"]
    numbers = range(int(first), int(last or first) + 1) if first else range(1)
    if not numbers:
        raise ValueError(f'"{part}" names no cards: the smaller number stands first')
    copies = int(match["copies"] or 1)
    if len(numbers) * copies > room:
        raise ValueError(f"a deck has at most {MOST_OF_DECK} cards")
    for number in numbers:
        name = match["name"] or ""
        yield from [f"{name}-{number}" if name and first else name or str(number)] * copies


def check(decks: Sequence[CardDeck], seats: int) -> None:
    """Raise `ValueError` if there are more cards than a game can have, or a player has two decks
    with a card of one name."""
    if sum(len(deck.owners) for deck in decks) > MOST_DECKS:
        raise ValueError(f"more than {MOST_DECKS} decks, counting one for each player")
    for deck in decks:
        if deck.is_shared and not deck.face_up:
            _check_shared(deck, decks, seats)
    for seat in range(seats):
        own = [deck for deck in decks if deck.is_of(seat)]
        if sum(len(deck.cards) for deck in own if not deck.is_shared) > MOST_OF_PLAYER:
            raise ValueError(f"a player has at most {MOST_OF_PLAYER} cards in all their decks")
        held: dict[str, str] = {}
        for deck in own:
            for card in set(deck.cards):
                if held.setdefault(card, deck.name) != deck.name:
                    raise ValueError(
                        f'"{card}" is in {held[card]} and in {deck.name}, which one player has:'
                        f" name them apart, {deck.name} 1-20"
                    )
    if sum(len(deck.cards) * len(deck.owners) for deck in decks) > MOST_CARDS:
        raise ValueError(f"more than {MOST_CARDS} cards, counting those of each player")


def _check_shared(deck: CardDeck, decks: Sequence[CardDeck], seats: int) -> None:
    if any(one is not deck and not one.face_up for one in decks):
        raise ValueError(
            "a deck from which all draw is the only one of its game, but for those that are face up"
        )
    if len(deck.cards) > MOST_SHARED:
        raise ValueError(f"a deck from which all draw has at most {MOST_SHARED} cards")
    if deck.reshuffles:
        raise ValueError("a deck from which all draw cannot be shuffled again")
    if deck.start * seats > len(deck.cards):
        raise ValueError(f"{deck.start} to start with for {seats}, and {len(deck.cards)} cards")
