"""What the bot can use its cards for now, for the player who asks about them."""

from __future__ import annotations

from typing import Final

from engine.flow import Card
from engine.requirements import Unmet, Use, unmet
from engine.tripoli.cards import BATTLE, KIND
from engine.tripoli.moments import MOMENTS
from engine.tripoli.tables import TRIPOLITAN
from engine.tripoli_solitaire.position import BotPosition
from engine.tripoli_solitaire.requirements import REQUIRED

EVENT: Final = "the bot's event"
BATTLE_CARD: Final = "the bot's battle card"


def bot_uses(game: BotPosition, card: Card) -> tuple[Use, ...]:
    """Whether the bot would play a card of its own on its turn; it is never asked for a battle card, but plays it."""
    gone = card in game.removed[TRIPOLITAN]
    if KIND[card] != BATTLE:
        return (Use(EVENT, (Unmet("", "it has left the game"),) if gone else unmet(REQUIRED[card], game)),)
    if gone:
        return (Use(BATTLE_CARD, (Unmet("", "it has left the game"),)),)
    return (Use(BATTLE_CARD, (Unmet(MOMENTS[card].words, "no such window is open between two turns of yours"),)),)
