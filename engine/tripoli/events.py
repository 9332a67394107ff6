"""A card is played as the event of its season (chapter "American play", "Tripolitan play")."""

from __future__ import annotations

from engine.flow import Card, Flow, Handle, Seat
from engine.tripoli.cards import CORE, EVENTS, KIND, UNIQUE
from engine.tripoli.position import Position


def carry_out(game: Position, seat: Seat, card: Card, handle: Handle | None) -> Flow[None]:
    """Core and unique cards are removed from the game, all others go to the discard; then the event takes place."""
    game.note("event", seat, card)
    if handle is None or KIND[card] in (CORE, UNIQUE):
        game.remove_card(seat, card)
    else:
        game.discards[seat].append(handle)
    flow = EVENTS[card](game)
    if flow is not None:
        yield from flow
