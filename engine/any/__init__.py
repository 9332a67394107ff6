"""Any game: dice, counters and whose turn it is, for players who keep the rules of their game
themselves."""

from engine.any.game import RULES

__all__ = ["RULES"]
