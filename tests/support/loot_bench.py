"""A game of Loot laid out by hand: chosen hands and pile, one turn at a time, in the words a player
types.

`leave` in place of an answer: the seat that is asked leaves."""

from __future__ import annotations

from typing import Any

from engine.flow import Answer, Ask, Card, Draw, Flow, Handle, Open, Outcome
from engine.loot import RULES
from engine.loot.battle import leader
from engine.loot.game import LootGame
from engine.notation import sentences, understand

CARDS = {name: card for card, name in enumerate(RULES.cards)}


class Bench:
    """`hands` by seat and `pile` from the top, as card names. It is as if the deal were over."""

    def __init__(self, hands: list[str], pile: str = "", **settings: int) -> None:
        self.rules = RULES
        game = RULES.begin({"players": len(hands), **settings})
        assert isinstance(game, LootGame)
        self.game = game
        self.game.story = []
        self.faces: dict[Handle, Card] = {}
        self.next = 1
        for seat, names in enumerate(hands):
            game.hands[seat] = self.cards(names)
        game.pile = self.cards(pile)
        self.asked: Ask | None = None

    def cards(self, names: str) -> list[Handle]:
        """New cards from `merchant 2, blue 3`."""
        made = []
        for name in filter(None, (name.strip() for name in names.split(","))):
            self.faces[self.next] = CARDS[name]
            made.append(self.next)
            self.next += 1
        return made

    def give(self, seat: int, names: str) -> None:
        self.game.hands[seat] += self.cards(names)

    def turn(self, seat: int, entered: str = "") -> bool:
        """One turn of a seat; returns whether the game is over then."""
        self.asked = None
        acted = self._run(self.game.take_turn(seat), entered)
        return bool(acted) and self.game.is_over(seat)

    def leave(self, *seats: int) -> None:
        """Seats leave while somebody else is asked."""
        for seat in seats:
            self.game.leave(seat)

    def play(self, *turns: tuple[int, str]) -> None:
        """Several turns, none of which ends the game."""
        for seat, entered in turns:
            assert not self.turn(seat, entered), (seat, entered)

    def score(self) -> Outcome:
        outcome = self._run(self.game.score(), "")
        assert isinstance(outcome, Outcome)
        return outcome

    def legal(self, seat: int) -> list[str]:
        """The sentences a seat may say at the start of a turn, without taking it."""
        flow = self.game.act(seat)
        ask = next(flow)
        assert isinstance(ask, Ask)
        flow.close()
        return list(sentences(self.rules, self.game, ask, self.faces))

    def leader(self, number: int) -> int | None:
        ship = next(ship for ship in self.game.ships if ship.number == number)
        return leader(ship, self.game.setup, self.game.gone)

    def taken(self, side: int) -> list[int]:
        """Numbers of the ships a side has captured."""
        return [ship.number for ship in self.game.captured[side]]

    def _run(self, flow: Flow[Any], entered: str) -> Any:
        reply: Any = None
        try:
            while True:
                match flow.send(reply):
                    case Draw(_, pile, number):
                        reply = pile[:number]
                    case Open(handle):
                        reply = self.faces[handle]
                    case Ask() as ask:
                        self.asked = ask
                        reply = self._answer(ask, entered)
        except StopIteration as end:
            return end.value

    def _answer(self, ask: Ask, entered: str) -> Answer | None:
        if entered == "leave":
            self.game.leave(ask.seat)
            return None
        legal = sentences(self.rules, self.game, ask, self.faces)
        return understand(self.rules, entered, legal)
