"""What a player may settle ahead by standing orders, and which of those orders the cards in hand
contradict.

For their own eyes: it tells what they hold. docs/format.md, section 12.
"""

from __future__ import annotations

from collections.abc import Mapping

from engine.flow import Card, Handle, Seat
from engine.orders import Order
from pbem.ledger.playing import Playing
from pbem.report.model import OrderHints


def about_orders(game: Playing, seat: Seat, faces: Mapping[Handle, Card]) -> OrderHints | None:
    """Topics without an order: `topics` (preferences), `others` (cards with a window that are not
    held), `held` (those that are); and `against`, cards that are held and declined. None where
    orders spare nobody a mail, or nothing is left to say."""
    referee = game.referee
    if game.is_over() or len(game.invitation.keyed()) < 2:
        return None
    names, given = game.rules.cards, referee.book.given[seat]
    held = {faces[back] for back in referee.game.hand(seat) if back in faces}
    cards, silent = game.rules.card_topics(seat), referee.silent_cards(seat)
    told = OrderHints(
        topics=[topic for topic in game.rules.preference_topics(seat) if topic not in given],
        others=sum(card not in held for card in silent),
        held=[names[card] for card in silent if card in held],
        against=[
            names[card] for card in cards if card in held and _declines(given.get(names[card]))
        ],
    )
    return told if any(vars(told).values()) else None


def _declines(order: Order | None) -> bool:
    return order is not None and order.handle is None
