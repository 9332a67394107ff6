"""The standing orders of a game: what each seat has ordered, and the cards that orders have played.

docs/format.md, section 12.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.flow import Answer, Card, Handle, Seat
from engine.orders import Order
from engine.rules import Game
from pbem.errors import RulesBroken


class OrderBook:
    """Orders by seat and topic, as everybody may read them."""

    def __init__(self, seats: int, game: Game) -> None:
        self._game = game
        self.by_seat: list[dict[str, Order]] = [{} for _ in range(seats)]
        self.promises: dict[Handle, Card] = {}
        """Cards that orders have played and that their owners have not opened yet."""
        self.claims: set[tuple[Handle, Card]] = set()
        """Backs that orders have ever named, each with the card that it was said to be."""

    def give(self, seat: Seat, orders: Sequence[Order]) -> Sequence[Order]:
        """The orders of one entry count from here on.

        Raises `RulesBroken` at a second one about a topic, one that changes nothing, one that names
        a card which is not in the hand, or if two would play the same card.
        """
        orders_in_force, topics = self.by_seat[seat], set()
        for order in orders:
            words = f'the order "{order.words}"'
            if order.topic in topics:
                raise RulesBroken(f"{words} is the second about {order.topic} in one entry")
            if orders_in_force.get(order.topic) == order or not (
                order.value or order.topic in orders_in_force
            ):
                raise RulesBroken(f"{words} changes nothing")
            if order.handle is not None and order.handle not in self._game.hand(seat):
                raise RulesBroken(f"{words} names a card that is not in the hand")
            topics.add(order.topic)
            if order.handle is not None and order.card is not None:
                self.claims.add((order.handle, order.card))
            orders_in_force[order.topic] = order
            if not order.value:
                del orders_in_force[order.topic]
        handles = [order.handle for order in orders_in_force.values() if order.handle is not None]
        if len(set(handles)) < len(handles):
            raise RulesBroken("two orders would play the same card")
        return orders

    def void(self, seat: Seat) -> None:
        """The seat has left: its orders count no more."""
        self.by_seat[seat] = {}

    def in_force(self, seat: Seat) -> dict[str, Order]:
        """The orders of a seat that may answer: not one that would play a card which everybody sees
        is another."""
        faces = self._game.faces()
        return {
            topic: order
            for topic, order in self.by_seat[seat].items()
            if order.handle is None or faces.get(order.handle, order.card) == order.card
        }

    def promise(self, seat: Seat, answer: Answer) -> None:
        """An order plays a hidden card: its owner has promised the card and opens it in their next
        entry."""
        for order in self.by_seat[seat].values():
            if (
                order.handle is None
                or order.handle != answer.handle
                or order.handle in self._game.faces()
            ):
                continue
            if order.card is not None:
                self.promises[order.handle] = order.card
