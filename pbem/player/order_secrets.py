"""What standing orders tell everybody about the hand of the player who gives them, said before they are signed.

docs/trust.md, "What a standing order gives away".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.cards import Deck, write_handle
from engine.orders import Order


def given_away(decks: Sequence[Deck], orders: Sequence[Order], in_force: Mapping[str, Order]) -> list[str]:
    """One line for each of these new orders that shows something of the hand: one that plays a card, and one that takes
    back a decline, which is mostly done when the card has come. A decline alone shows nothing."""
    told = []
    for order in orders:
        before = in_force.get(order.topic)
        if order.handle is not None:
            back = write_handle(decks, order.handle)
            told.append(f"the order to play {order.topic} tells everybody that you hold it, and that it is {back}")
        elif before is not None and before.value == ("decline",):
            told.append(f"taking back the order to decline {order.topic} tells everybody that you may hold it now")
    return told


def left_open(names: Sequence[str]) -> str:
    """What `others: decline` shows; `names` are the cards that it leaves open."""
    return (
        f'"others: decline" tells everybody that you may hold {", ".join(names) or "none of these cards"}; '
        '"all: decline" declines each card, held or not, and tells nothing'
    )
