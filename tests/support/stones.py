"""A small game to try the test bench with, sound or with one thing wrong: stones are taken from two
heaps."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.cards import Deck, handles_of
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
from engine.rules import Game, Rules, Settings

HEAPS = ("left", "right")
TAKE: tuple[Option, ...] = (("take", 0), ("take", 1))
CARDS = ("amber", "basalt", "coral", "dolomite", "emerald", "flint")


class Stones(Game):
    """Each of three rounds: take two stones, play a hidden card, throw a die."""

    def __init__(self, wrong: str) -> None:
        self.wrong = wrong
        self.seen: dict[Handle, Card] = {}
        self.heaps = [3, 3]
        self.turn = 0
        self.last = 0
        self.peeked: list[Card] = []
        self.cards: list[Handle] = []
        self.open: dict[Handle, Card] = {}
        self.dice = 0

    def flow(self) -> Flow[Outcome]:
        handles = handles_of(0, 1, len(CARDS))
        yield Seal(0, handles)
        drawn: tuple[Handle, ...] = yield Draw(0, handles, 4)
        self.cards = list(drawn)
        for self.turn in range(1, 4):
            if self.wrong == "crashes" and self.turn == 3 and self.dice > 9:
                raise KeyError("dice")
            yield from self.take_two()
            answer: Answer = yield Ask(0, "show", (), tuple(self.cards), (), self.allows)
            assert answer.handle is not None
            self.cards.remove(answer.handle)
            self.open[answer.handle] = yield Open(answer.handle)
            (die,) = yield Roll(
                0, 1, "the die", sides=8, reason="fate" if self.wrong == "unlisted" else "die"
            )
            self.dice += die
            while self.wrong == "never ends":
                yield Roll(0, 1, "again")
        return Outcome((self.dice % 2,), "the die")

    def take_two(self) -> Flow[None]:
        options = TAKE
        if self.wrong == "forgets" and self.last:
            options = TAKE[::-1][:1]
        if self.wrong == "peeks" and self.peeked and min(self.peeked) < 2:
            options = TAKE[:1]
        for _ in range(2):
            answer: Answer = yield Ask(0, "take", options)
            self.heaps[answer.option[1]] -= 1
            self.last = answer.option[1]

    def allows(self, card: Card) -> tuple[Option, ...]:
        if self.wrong == "peeks":
            self.peeked = [*self.peeked[-3:], card]
        return (("show", card),)

    def position(self) -> str:
        return f"{self.turn} {self.heaps} {self.dice} {self.cards} {sorted(self.open.items())}"

    def when(self) -> str:
        return f"round {self.turn}"

    def period(self) -> int:
        return self.turn

    def hand(self, seat: Seat) -> tuple[Handle, ...]:
        return () if seat else tuple(self.cards)

    def faces(self) -> Mapping[Handle, Card]:
        return self.open

    def view(self, viewer: Seat | None, faces: Mapping[Handle, Card]) -> dict[str, Any]:
        if self.wrong == "leaks":
            self.seen |= faces
            return {"heaps": self.heaps, "seen": [CARDS[card] for card in self.seen.values()]}
        if self.wrong == "changes":
            self.dice += 1
        return {"heaps": self.heaps, "dice": self.dice, "turn": self.turn}


class StonesRules(Rules):
    """Version 1. `wrong` names the one thing that is wrong, if any."""

    name = "stones"
    title = "Stones"
    seat_names = ("taker", "watcher")
    cards = CARDS
    reasons = ("die",)

    def __init__(self, wrong: str = "") -> None:
        self.wrong = wrong
        self.told = 0

    def decks(self, settings: Settings) -> tuple[Deck, ...]:
        return (Deck("a", 0, tuple(range(len(CARDS)))),)

    def begin(self, settings: Settings) -> Game:
        return Stones(self.wrong)

    def words(self, option: Option) -> str:
        if option[0] == "take":
            return "take" if self.wrong == "ambiguous" else f"take {HEAPS[option[1]]}"
        self.told += self.wrong == "misfiled"
        return f"show {CARDS[option[1]]}{' again' if self.told % 2 else ''}"

    def vocabulary(self) -> frozenset[str]:
        return frozenset({"take", "show", "again", *HEAPS, *CARDS})

    def tell(self, event: tuple[Any, ...]) -> dict[str, Any]:
        return {"kind": event[0]}
