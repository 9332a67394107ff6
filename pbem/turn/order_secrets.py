"""What standing orders tell everybody about the hand of the player who gives them, said before they
are signed; and what they have answered.

docs/trust.md, "What a standing order gives away".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.cards import Deck, write_handle
from engine.flow import Card, Handle, Seat
from engine.notation import say
from engine.orders import Order
from pbem.ledger.events import Said
from pbem.ledger.playing import Playing


def given_away(decks: Sequence[Deck], order: Order, in_force: Mapping[str, Order]) -> str:
    """What a new order shows of the hand: one that plays a card, or one that takes back a decline,
    which is mostly done when the card has come. Empty for any other: a decline alone shows
    nothing."""
    before = in_force.get(order.topic)
    if order.handle is not None:
        back = write_handle(decks, order.handle)
        return (
            f"the order to play {order.topic} tells everybody that you hold it, and that it is"
            f" {back}"
        )
    if before is not None and before.value == ("decline",):
        return (
            f"taking back the order to decline {order.topic} tells everybody that you may hold"
            " it now"
        )
    return ""


def left_open(names: Sequence[str]) -> str:
    """What `others: decline` shows; `names` are the cards that it leaves open."""
    return (
        '"others: decline" tells everybody that you may hold'
        f' {", ".join(names) or "none of these cards"}; "all: decline" declines each card, held or'
        " not, and tells nothing"
    )


def given_by_orders(
    game: Playing, seat: Seat, number: int, faces: Mapping[Handle, Card]
) -> list[str]:
    """The answers that this seat's own orders have given in entry `number`, by their sentences;
    `faces` are the cards that the seat knows."""
    record = game.referee.record
    said = [
        happened.facts
        for happened in record
        if happened.entry == number and isinstance(happened.facts, Said)
    ]
    return [say(game.rules, one.answer, faces) for one in said if one.ordered and one.seat == seat]
