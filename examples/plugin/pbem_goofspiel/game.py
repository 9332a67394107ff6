"""Goofspiel: the position and the flow of play, and what is the same for every position."""

from collections.abc import Mapping
from typing import Any, ClassVar

from engine.card_game import CardGame
from engine.cards import Deck, handles_of
from engine.flow import Answer, Ask, Card, Flow, Handle, Outcome, Roll, Seal, Seat
from engine.orders import Orders
from engine.rules import Game, Rules, Settings

SEATS = ("first", "second")
RANKS = "ace two three four five six seven eight nine ten jack queen king"
NAMES = tuple(RANKS.split())
LAY = ("lay {}",)
HAND, DIE, CARDS = 3, 10, 9


class Goofspiel(CardGame):
    """What everybody knows: hands, piles, bids and laid cards of both, prize and points."""

    def __init__(self, decks: tuple[Deck, ...], cards: int) -> None:
        super().__init__(decks, 2)
        self.round = self.prize = 0
        self.points = [0, 0]
        self.piles = [list(handles_of(seat, 1, cards)) for seat in range(2)]
        self.bids: list[list[Handle]] = [[], []]
        self.laid: list[list[Handle]] = [[], []]

    def flow(self) -> Flow[Outcome]:
        """Seal both decks, then play a round for each card."""
        for seat, pile in enumerate(self.piles):
            yield Seal(seat, tuple(pile))
        while self.piles[0] or self.hands[0]:
            self.round += 1
            yield from self.play_round()
        best = [seat for seat in range(2) if self.points[seat] == max(self.points)]
        how = "the most points" if len(best) == 1 else "the same number of points"
        return Outcome(tuple(best) if len(best) == 1 else (), how, tuple(self.points))

    def play_round(self) -> Flow[None]:
        """A die adds to the prize, both lay a card, and the higher card takes it; after a tie it
        waits."""
        for seat, pile in enumerate(self.piles):
            yield from self.fill_hand(seat, pile, HAND)
        (value,) = yield Roll(0, 1, f"the prize of round {self.round}", sides=DIE, reason="prize")
        self.prize += value
        for seat in range(2):
            self.bids[seat].append((yield from self.lay_hidden(seat, "lay", LAY)))
        shown = [0, 0]
        for seat in (1, 0):  # the second player's own entry opens the second card at once
            shown[seat] = yield from self.turn_up(self.bids[seat][0])
            self.laid[seat].append(self.bids[seat].pop())
            self.note("bids", seat, NAMES[shown[seat]])
        if shown[0] == shown[1]:
            self.note("A tie: the prize waits", None)
            return
        winner = shown.index(max(shown))
        self.points[winner] += self.prize
        self.note("takes", winner, self.prize)
        self.prize = 0

    def position(self) -> str:
        where = self.cards_in_ascii(*self.hands, *self.piles, *self.bids, *self.laid)
        return f"round {self.round} prize {self.prize} points {self.points} | {where}"

    def when(self) -> str:
        return f"round {self.round}"

    def period(self) -> int:
        return self.round

    def prompt(self, ask: Ask) -> str:
        return f"lay a card for the prize of {self.prize}"

    def view(self, viewer: Seat | None, faces: Mapping[Handle, Card]) -> dict[str, Any]:
        sides = [
            {
                "seat": name,
                "points": self.points[seat],
                "hand": len(self.hands[seat]),
                "pile": len(self.piles[seat]),
                "bids": len(self.bids[seat]),
                "laid": [NAMES[self.open[handle]] for handle in self.laid[seat]],
            }
            for seat, name in enumerate(SEATS)
        ]
        who = None if viewer is None else SEATS[viewer]
        return {"when": self.when(), "viewer": who, "prize": self.prize, "sides": sides}

    def obey(self, ask: Ask, given: Orders) -> Answer | None:
        way = given["lay"].value if "lay" in given else ()
        return Answer(LAY, (min if way == ("oldest",) else max)(ask.hand)) if way else None


class GoofspielRules(Rules):
    name, title, measure = "goofspiel", "Goofspiel with dice", "round"
    seat_names, cards, reasons = SEATS, NAMES, ("prize",)
    settings: ClassVar = {"cards": "cards of each player"}
    limits: ClassVar = {"cards": (5, len(NAMES))}
    defaults: ClassVar = {"cards": CARDS}
    order_ways: ClassVar = {"lay": ("oldest", "newest")}

    def decks(self, settings: Settings) -> tuple[Deck, ...]:
        own = tuple(range(settings.get("cards", CARDS)))
        return tuple(Deck(letter, seat, own) for seat, letter in enumerate("ab"))

    def begin(self, settings: Settings) -> Game:
        return Goofspiel(self.decks(settings), settings.get("cards", CARDS))


RULES = GoofspielRules()
