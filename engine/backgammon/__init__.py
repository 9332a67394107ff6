"""Backgammon, with the doubling cube: `RULES`."""

from engine.backgammon.game import RULES

__all__ = ["RULES"]
