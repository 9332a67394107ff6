"""Where the cards of a game lie: the piles that players draw from, their hands, and what they
played or put away. Nobody's hidden card is known here, only its back."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, TypeAlias

from engine.any.setup import EVERYBODY, Setup
from engine.cards import deck_of, handles_of, number_of, write_handle
from engine.flow import Card, Draw, Flow, Handle, Open, Seal, Seat

Area: TypeAlias = str
"""Where cards lie that are in no hand and no pile."""
AREAS: Final[tuple[Area, ...]] = ("table", "discard", "out")
IN_WORDS: Final[dict[Area, str]] = {
    "table": "on the table",
    "discard": "in the discard",
    "out": "out of the game",
}
_MOST_BACKS: Final = 999
"""Backs of a deck, counted through all its shuffles (docs/format.md, section 7)."""


class LaidDeck:
    """One deck on the table, of one player or of all: the backs in the pile, in each hand and in
    each area, in the order in which they came there. A deck of all has the owner `EVERYBODY`."""

    def __init__(self, number: int, deck: int, owner: Seat, count: int, seats: int) -> None:
        self.number: Final = number
        """Among all decks on the table."""
        self.deck: Final = deck
        """Among those of the setup."""
        self.owner: Final = owner
        self.pile: list[Handle] = list(handles_of(number, 1, count))
        drawers = range(seats) if owner == EVERYBODY else (owner,)
        self.hands: Final[dict[Seat, list[Handle]]] = {seat: [] for seat in drawers}
        self.areas: Final[dict[Area, list[Handle]]] = {area: [] for area in AREAS}
        self.backs = count
        """How many were made so far."""

    def where(self, handle: Handle) -> list[Handle]:
        """The list in which a card lies that is not in the pile."""
        lists = (*self.hands.values(), *self.areas.values())
        return next(one for one in lists if handle in one)

    def take(self, seat: Seat, handles: tuple[Handle, ...]) -> None:
        """These cards are in the player's hand now."""
        self.hands[seat] = sorted((*self.hands[seat], *handles))


class Cards:
    """The cards of all players."""

    def __init__(self, setup: Setup) -> None:
        self._setup: Final = setup
        self.decks: Final = [
            LaidDeck(number, deck, owner, len(setup.decks[deck].cards), len(setup.seats))
            for number, (deck, owner) in enumerate(setup.dealt())
        ]
        self.opened: Final[dict[Handle, Card]] = {}
        """The cards that everybody has seen."""

    # What everybody sees

    def of(self, seat: Seat, deck: int) -> LaidDeck | None:
        """The deck that the setup calls so and this player draws from."""
        return next((one for one in self.decks if one.deck == deck and seat in one.hands), None)

    def deck_of(self, handle: Handle) -> LaidDeck:
        """The deck to which a card belongs."""
        return self.decks[deck_of(handle)]

    def hand(self, seat: Seat) -> tuple[Handle, ...]:
        """A player's cards of all decks."""
        return tuple(handle for one in self.decks for handle in one.hands.get(seat, ()))

    def find(self, seat: Seat, card: Card, area: Area) -> Handle | None:
        """The back of a card that lies face up in an area and is this player's to use."""
        for deck in self.decks:
            for handle in deck.areas[area] if seat in deck.hands else ():
                if self.opened.get(handle) == card:
                    return handle
        return None

    def face_up(self, seat: Seat) -> Iterator[tuple[Area, Card]]:
        """What the player may use that lies face up, each card of an area once."""
        for area in AREAS:
            handles = [back for one in self.decks if seat in one.hands for back in one.areas[area]]
            seen = [self.opened[handle] for handle in handles if handle in self.opened]
            yield from ((area, card) for card in dict.fromkeys(seen))

    def position(self) -> Iterator[str]:
        """Parts of the line of the position: where every back lies, and which card is open."""
        decks = self._setup.laid_decks()
        for one in self.decks:
            hands = {
                "hand" if one.owner == seat else f"hand {self._setup.seats[seat]}": handles
                for seat, handles in one.hands.items()
            }
            lists: dict[str, list[Handle]] = {"pile": one.pile, **hands, **one.areas}
            parts = [f"{name} {_runs(handles)}" for name, handles in lists.items() if handles]
            yield f"deck {decks[one.number].letter} {', '.join(parts)}"
        if self.opened:
            names = self._setup.card_names
            faces = [
                f"{write_handle(decks, handle)}:{names[card]}"
                for handle, card in sorted(self.opened.items())
            ]
            yield f"faces {' '.join(faces)}"

    # What is refused

    def why_not_drawn(self, seat: Seat, deck: int, number: int) -> str:
        """Why so many cards cannot be drawn; empty if they can."""
        kind, one = self._setup.decks[deck], self.of(seat, deck)
        if one is None:
            return f"{kind.name} is not yours to draw from"
        if number <= len(one.pile):
            return ""
        left = f"{kind.name} has {len(one.pile) or 'no'} card{'s'[len(one.pile) == 1 :]} left"
        if self.why_not_shuffled(seat, deck):
            return left
        return f"{left}; first: shuffle discard into {kind.name}"

    def why_not_shuffled(self, seat: Seat, deck: int) -> str:
        """Why the discard cannot go back into the pile; empty if it can."""
        kind, one = self._setup.decks[deck], self.of(seat, deck)
        if one is None:
            return f"{kind.name} is not yours to shuffle"
        if not kind.reshuffles:
            return f"{kind.name} is not shuffled again in this game"
        if not one.areas["discard"]:
            return f"there is nothing in the discard of {kind.name}"
        if one.backs + len(one.areas["discard"]) > _MOST_BACKS:
            return f"{kind.name} was shuffled as often as the program can"
        return ""

    def why_not_ended(self, seat: Seat, deck: int = -1, more: int = 0) -> str:
        """Why the player's turn cannot end with these hands, and so many `more` cards of this deck;
        empty if it can."""
        for one in self.decks:
            kind = self._setup.decks[one.deck]
            count = len(one.hands.get(seat, ())) + (more if one.deck == deck else 0)
            if seat in one.hands and kind.limit and count > kind.limit:
                return (
                    f"that is a hand of {count} cards of {kind.name}, and {kind.limit} is the limit"
                )
        return ""

    def why_not_lies(self, seat: Seat, card: Card, area: Area) -> str:
        """Why a card that is not face up in this area cannot be used from there."""
        name = self._setup.card_names[card]
        return f"{name} does not lie face up {IN_WORDS[area]}"

    def why_not_held(self, seat: Seat, card: Card) -> str:
        """Why a card that is in no hand of the player's cannot be used from there."""
        name = self._setup.card_names[card]
        for area in AREAS:
            if self.find(seat, card, area) is not None:
                return f"{name} is not in your hand: it lies {IN_WORDS[area]}"
        return f"{name} is not in your hand"

    # What acts do

    def deal(self) -> Flow[None]:
        """Every deck is laid face down, and the first hands are drawn."""
        for one in self.decks:
            yield Seal(one.number, tuple(one.pile))
        for one in self.decks:
            if start := self._setup.decks[one.deck].start:
                for seat in one.hands:
                    yield from self.draw(one, seat, start)

    def draw(self, deck: LaidDeck, seat: Seat, number: int) -> Flow[None]:
        """Cards go from the pile to the hand: of a deck of one's own as chance takes them together,
        of one of all the next, one by one."""
        for count in [1] * number if deck.owner == EVERYBODY else [number]:
            taken: tuple[Handle, ...] = yield Draw(seat, tuple(deck.pile), count)
            deck.pile = [handle for handle in deck.pile if handle not in set(taken)]
            deck.take(seat, taken)

    def shuffle(self, deck: LaidDeck) -> Flow[int]:
        """The discard goes back into the pile, with new backs; how many cards that were."""
        sources = tuple(deck.areas["discard"])
        handles = handles_of(deck.number, deck.backs + 1, len(sources))
        yield Seal(deck.number, handles, sources)
        deck.backs += len(sources)
        deck.areas["discard"].clear()
        deck.pile += handles
        return len(sources)

    def open(self, handle: Handle) -> Flow[Card]:
        """The card is seen by everybody from now on."""
        if handle not in self.opened:
            self.opened[handle] = yield Open(handle)
        return self.opened[handle]

    def put(self, handle: Handle, area: Area) -> None:
        """A card from the hand or an area lies in this area now."""
        deck = self.deck_of(handle)
        deck.where(handle).remove(handle)
        deck.areas[area].append(handle)

    def take(self, seat: Seat, handle: Handle) -> None:
        """A card from an area is in this player's hand now."""
        deck = self.deck_of(handle)
        deck.where(handle).remove(handle)
        deck.take(seat, (handle,))


def _runs(handles: list[Handle]) -> str:
    """The numbers of backs, those that follow each other as `3-9`."""
    runs: list[list[int]] = []
    for number in map(number_of, handles):
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return " ".join(f"{run[0]}-{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs)
