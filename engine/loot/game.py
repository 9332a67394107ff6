"""Set Up, the turn, Game End and Scoring: the game from the deal to the score."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from engine.cards import handles_of
from engine.flow import Answer, Ask, Card, Draw, Flow, Handle, Illegal, Open, Outcome, Seal, Seat
from engine.loot.battle import Pirate, Ship, Trump, leader
from engine.loot.legal import DRAW, allowed
from engine.loot.tables import DECK, FACES, HAND, SEATS, Setup
from engine.rules import Game


class LootGame(Game):
    """The public position of one game."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.turn = 0
        self.active: Seat | None = None
        self.pile: list[Handle] = []
        self.hands: list[list[Handle]] = [[] for _ in range(setup.players)]
        self.ships: list[Ship] = []
        self.played = 0
        self.captured: list[list[Ship]] = [[] for _ in range(setup.sides)]
        self.discard: list[Handle] = []
        self.open: dict[Handle, Card] = {}
        self.points: tuple[int, ...] = ()

    # What everybody may know

    def hand(self, seat: Seat) -> tuple[Handle, ...]:
        return tuple(self.hands[seat])

    def faces(self) -> Mapping[Handle, Card]:
        return self.open

    def when(self) -> str:
        return f"turn {self.turn}" if self.turn else "the deal"

    def period(self) -> int:
        return self.turn

    def position(self) -> str:
        parts = [
            f"loot turn {self.turn} active {'-' if self.active is None else self.active + 1} ships {self.played}",
            f"pile {_numbers(self.pile)}",
            *(f"hand {seat + 1} {self._cards(cards)}" for seat, cards in enumerate(self.hands)),
            *(self._fight(ship) for ship in self.ships),
            *(
                f"captured {side + 1} {self._cards([ship.handle for ship in ships])}"
                for side, ships in enumerate(self.captured)
            ),
            f"discard {self._cards(self.discard)}",
        ]
        if self.points:
            parts.append(f"points {','.join(map(str, self.points))}")
        return "; ".join(parts)

    def _fight(self, ship: Ship) -> str:
        cards = [f"{seat + 1}:{self._cards([handle])}" for seat, handle in ship.fighters()]
        return f"ship {ship.number} {ship.owner + 1}:{self._cards([ship.handle])} under {','.join(cards) or '-'}"

    def _cards(self, handles: list[Handle]) -> str:
        """Backs as numbers, an open card with its face: `3,14=7`."""
        shown = self.open
        return ",".join(f"{h % 1000}={shown[h]}" if h in shown else str(h % 1000) for h in handles) or "-"

    def note(self, *event: Any) -> None:
        """Tell the story, if somebody listens."""
        if self.story is not None:
            self.story.append(event)

    # The game

    def flow(self) -> Flow[Outcome]:
        yield from self.deal()
        seat = self.setup.start
        while True:
            acted = yield from self.take_turn(seat)
            if acted and self.is_over(seat):
                return (yield from self.score())
            seat = (seat + 1) % self.setup.players

    def deal(self) -> Flow[None]:
        """Set Up: six cards each, one at a time in order of play, and the rest is the pile."""
        self.pile = list(handles_of(0, 1, len(DECK)))
        yield Seal(0, tuple(self.pile))
        count, start = self.setup.players, self.setup.start
        for _ in range(HAND):
            for turn in range(count):
                yield from self.draw((start + turn) % count)
        self.note("deal", HAND)

    def draw(self, seat: Seat) -> Flow[None]:
        """The top card of the pile goes to the hand."""
        drawn: tuple[Handle, ...] = yield Draw(seat, tuple(self.pile), 1)
        for handle in drawn:
            self.pile.remove(handle)
            self.hands[seat].append(handle)
            self.note("dealt" if self.turn == 0 else "drawn", seat, handle)

    def take_turn(self, seat: Seat) -> Flow[bool]:
        """Individual Play: first collect what was captured, then take exactly one action. Returns whether it did.

        A seat without cards must draw [20]. When the pile is empty it sits out, and only the collecting stays at its
        place in the order [29, 30].
        """
        self.active = seat
        out = not self.hands[seat] and not self.pile
        if not out:
            self.turn += 1
            self.note("turn", self.turn, seat)
        if self.setup.checks(seat):
            self.capture(seat)
        if out:
            self.note("sits out", seat)
        elif not self.hands[seat]:
            yield from self.draw(seat)
        else:
            yield from self.act(seat)
        return not out

    def capture(self, seat: Seat) -> None:
        """Capturing Merchant Ships: every ship the side leads, whoever of it played [13, 27]. No choice is left."""
        side = self.setup.side(seat)
        for ship in [ship for ship in self.ships if leader(ship, self.setup) == side]:
            self.ships.remove(ship)
            self.captured[side].append(ship)
            self.discard += ship.cards()
            self.note("capture", *self._ends(side), ship.number, ship.gold)

    def act(self, seat: Seat) -> Flow[None]:
        """The one action: draw while there is a pile, or use a card. Nobody may pass."""
        allows = partial(allowed, self.setup, seat, self.ships, not self.pile)
        answer: Answer = yield Ask(seat, "turn", (DRAW,) if self.pile else (), self.hand(seat), (), allows)
        if answer.handle is None:
            if answer.option != DRAW or not self.pile:
                raise Illegal("that needs a card, or a pile to draw from")
            yield from self.draw(seat)
            return
        if answer.handle not in self.hands[seat]:
            raise Illegal("that card is not in the hand")
        card: Card = yield Open(answer.handle)
        if answer.option not in allows(card):
            raise Illegal("the card that was opened does not allow that")
        self.open[answer.handle] = card
        self.hands[seat].remove(answer.handle)
        self.use(seat, answer, card)

    def use(self, seat: Seat, answer: Answer, card: Card) -> None:
        """Lay down a card: a merchant ship before oneself, a fighter at a ship, or on the discard pile."""
        handle, face = answer.handle, FACES[card]
        assert handle is not None
        match answer.option:
            case ("merchant", _):
                self.played += 1
                self.ships.append(Ship(self.played, seat, face.value, handle))
                self.note("merchant", seat, card, self.played)
            case ("discard", _):
                self.discard.append(handle)
                self.note("discard", seat, card)
            case (verb, _, number):
                ship = next(ship for ship in self.ships if ship.number == number)
                if verb == "attack":
                    ship.pirates.append(Pirate(seat, face.colour, face.value, handle))
                else:
                    ship.trumps.append(Trump(seat, face.colour, handle))
                leads = leader(ship, self.setup)
                self.note(verb, seat, card, number, *((-1, -1) if leads is None else self._ends(leads)))

    # Game End and Scoring

    def is_over(self, seat: Seat) -> bool:
        """Game End: the pile is empty and a whole side is out of cards. At once: no further look at the ships [17].

        Made without `end_on_deck_out_with_empty_hand`, the side must have used its last card itself [18].
        """
        if self.pile:
            return False
        sides = range(self.setup.sides) if self.setup.end_on_deck_out_with_empty_hand else (self.setup.side(seat),)
        return any(not any(self.hands[member] for member in self.setup.members(side)) for side in sides)

    def score(self) -> Flow[Outcome]:
        """Game End and Scoring: ships still fought for are lost [16], hands are opened, and a merchant ship in hand
        costs its gold [22]; in pairs the hands of both count [31]. Equal totals share the win [23]."""
        self.active = None
        self.note("over", self.turn)
        for ship in self.ships:
            self.discard += [ship.handle, *ship.cards()]
            self.note("lost", ship.number, ship.gold)
        self.ships.clear()
        left = [0] * self.setup.sides
        for seat, hand in enumerate(self.hands):
            for handle in hand:
                card: Card = yield Open(handle)
                self.open[handle] = card
                self.note("shown", seat, card)
                if FACES[card].kind == "merchant":
                    left[self.setup.side(seat)] += FACES[card].value
        return self._outcome(left)

    def _outcome(self, left: list[int]) -> Outcome:
        setup = self.setup
        taken = [sum(ship.gold for ship in ships) for ships in self.captured]
        for side in range(setup.sides):
            self.note("score", *self._ends(side), taken[side], left[side])
        totals = [gold - kept for gold, kept in zip(taken, left, strict=True)]
        self.points = tuple(totals[setup.side(seat)] for seat in range(setup.players))
        best = max(totals)
        winners = tuple(seat for seat in range(setup.players) if self.points[seat] == best)
        return Outcome(winners, "a shared win" if totals.count(best) > 1 else "the most gold", self.points)

    def _ends(self, side: int) -> tuple[Seat, Seat]:
        """A side in the story: its first and its last seat."""
        members = self.setup.members(side)
        return members[0], members[-1]


def side_name(setup: Setup, side: int) -> str:
    """`third`, or `third and fourth`."""
    return " and ".join(SEATS[seat] for seat in setup.members(side))


def _numbers(handles: list[Handle]) -> str:
    return ",".join(str(handle % 1000) for handle in handles) or "-"
