"""One game of Goofspiel in progress: the public position, and the flow that changes it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.cards import Deck, handles_of, write_handle
from engine.flow import (
    Answer,
    Ask,
    Card,
    Draw,
    Flow,
    Handle,
    Open,
    Option,
    Outcome,
    Roll,
    Seal,
    Seat,
)
from engine.orders import Orders
from engine.rules import Game

SEATS = ("first", "second")
RANKS = "ace two three four five six seven eight nine ten jack queen king"
NAMES = tuple(RANKS.split())
HAND = 3
DIE = 10
LAY: Option = ("lay",)


def decks_of(cards: int) -> tuple[Deck, ...]:
    """Each player has a deck: the cards from the ace up."""
    return tuple(Deck(letter, seat, tuple(range(cards))) for seat, letter in enumerate("ab"))


class Goofspiel(Game):
    """The position that everybody knows. Cards are handles until they are opened."""

    def __init__(self, cards: int) -> None:
        self.decks = decks_of(cards)
        self.cards = cards
        self.round = 0
        self.prize = 0
        self.points = [0, 0]
        self.hands: tuple[list[Handle], list[Handle]] = ([], [])
        self.piles: tuple[list[Handle], list[Handle]] = ([], [])
        self.bids: list[Handle | None] = [None, None]
        self.open: dict[Handle, Card] = {}

    def flow(self) -> Flow[Outcome]:
        """Seal both decks, then play a round for each card."""
        for seat in range(2):
            self.piles[seat].extend(handles_of(seat, 1, self.cards))
            yield Seal(seat, tuple(self.piles[seat]))
        while self.round < self.cards:
            self.round += 1
            yield from self.play_round()
        best = max(self.points)
        winners = tuple(seat for seat in range(2) if self.points[seat] == best)
        how = "the same number of points" if len(winners) == 2 else "the most points"
        return Outcome(() if len(winners) == 2 else winners, how, tuple(self.points))

    def play_round(self) -> Flow[None]:
        """A die adds to the prize, both lay a card, and the higher card takes it; after a tie it
        waits."""
        for seat in range(2):
            yield from self.draw(seat)
        (value,) = yield Roll(0, 1, f"the prize of round {self.round}", sides=DIE, reason="prize")
        self.prize += value
        self.note("prize", self.round, self.prize)
        for seat in range(2):
            answer: Answer = yield Ask(seat, "lay", (), tuple(self.hands[seat]), spend=(LAY,))
            assert answer.handle is not None
            self.hands[seat].remove(answer.handle)
            self.bids[seat] = answer.handle
        shown = [0, 0]
        for seat in (1, 0):  # the second player's own entry opens the second card at once
            handle = self.bids[seat]
            assert handle is not None
            shown[seat] = self.open[handle] = yield Open(handle)
            self.bids[seat] = None
        if shown[0] == shown[1]:
            self.note("tie", self.prize)
            return
        winner = shown.index(max(shown))
        self.points[winner] += self.prize
        self.note("won", winner, self.prize, self.points[winner])
        self.prize = 0

    def draw(self, seat: Seat) -> Flow[None]:
        """Fill the hand up to three cards, taken from the pile by chance."""
        number = min(HAND - len(self.hands[seat]), len(self.piles[seat]))
        if number:
            drawn: tuple[Handle, ...] = yield Draw(seat, tuple(self.piles[seat]), number)
            self.hands[seat].extend(drawn)
            for handle in drawn:
                self.piles[seat].remove(handle)

    def position(self) -> str:
        backs = [*self.hands, *self.piles, [handle for handle in self.bids if handle is not None]]
        where = " ; ".join(
            " ".join(write_handle(self.decks, handle) for handle in some) for some in backs
        )
        faces = " ".join(
            f"{write_handle(self.decks, handle)}:{card}"
            for handle, card in sorted(self.open.items())
        )
        return f"round {self.round} prize {self.prize} points {self.points} | {where} | {faces}"

    def when(self) -> str:
        return f"round {self.round}"

    def period(self) -> int:
        return self.round

    def hand(self, seat: Seat) -> tuple[Handle, ...]:
        return tuple(self.hands[seat])

    def faces(self) -> Mapping[Handle, Card]:
        return self.open

    def prompt(self, ask: Ask) -> str:
        return f"lay a card for the prize of {self.prize}"

    def view(self, viewer: Seat | None, faces: Mapping[Handle, Card]) -> dict[str, Any]:
        sides = [
            {
                "seat": name,
                "points": self.points[seat],
                "hand": len(self.hands[seat]),
                "pile": len(self.piles[seat]),
                "has_bid": self.bids[seat] is not None,
                "played": [
                    NAMES[card]
                    for handle, card in sorted(self.open.items())
                    if handle // 1000 == seat
                ],
            }
            for seat, name in enumerate(SEATS)
        ]
        return {"when": self.when(), "prize": self.prize, "cards": self.cards, "sides": sides}

    def obey(self, ask: Ask, given: Orders) -> Answer | None:
        if "lay" not in given or not given["lay"].value:
            return None
        return Answer(LAY, min(ask.hand) if given["lay"].value == ("oldest",) else max(ask.hand))
