"""The Shores of Tripoli, for two players: `RULES`."""

from engine.tripoli.game import RULES

__all__ = ["RULES"]
