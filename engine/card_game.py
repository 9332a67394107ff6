"""What games of cards with hidden hands do alike: fill a hand from a pile, lay a card face down,
turn one up, and write where the cards are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from engine.cards import Deck, write_handle
from engine.flow import Answer, Ask, Card, Draw, Flow, Handle, Open, Option, Seat
from engine.rules import Game


class CardGame(Game):
    """A game in which each seat has a hand. Cards are handles until they are opened: then they are
    in `open`."""

    def __init__(self, decks: Sequence[Deck], seats: int) -> None:
        self.decks = decks
        self.hands: list[list[Handle]] = [[] for _ in range(seats)]
        self.open: dict[Handle, Card] = {}

    def hand(self, seat: Seat) -> tuple[Handle, ...]:
        return tuple(self.hands[seat])

    def faces(self) -> Mapping[Handle, Card]:
        return self.open

    def fill_hand(self, seat: Seat, pile: list[Handle], most: int) -> Flow[None]:
        """Draw from a pile until the hand has so many cards, or the pile has none."""
        number = min(most - len(self.hands[seat]), len(pile))
        if number > 0:
            drawn: tuple[Handle, ...] = yield Draw(seat, tuple(pile), number)
            self.hands[seat].extend(drawn)
            pile[:] = [handle for handle in pile if handle not in drawn]

    def lay_hidden(self, seat: Seat, rule: str, option: Option) -> Flow[Handle]:
        """Ask for any card of the hand, which leaves it and stays hidden."""
        answer: Answer = yield Ask(seat, rule, (), self.hand(seat), spend=(option,))
        assert answer.handle is not None
        self.hands[seat].remove(answer.handle)
        return answer.handle

    def turn_up(self, handle: Handle) -> Flow[Card]:
        """Open a card for everybody."""
        card: Card = yield Open(handle)
        self.open[handle] = card
        return card

    def cards_in_ascii(self, *places: Iterable[Handle]) -> str:
        """Which cards lie where, each by its handle, one that is open with its number, for
        `position`."""
        return " ; ".join(" ".join(map(self._written, handles)) for handles in places)

    def _written(self, handle: Handle) -> str:
        face = f":{self.open[handle]}" if handle in self.open else ""
        return f"{write_handle(self.decks, handle)}{face}"
