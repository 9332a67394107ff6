"""Conquest of Paradise, the solitaire opponent at the player's own board: `RULES`."""

from engine.paradise.rules import RULES

__all__ = ["RULES"]
