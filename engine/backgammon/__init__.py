"""Backgammon, with the doubling cube: `RULES`."""

from engine.backgammon.game import RULES, RULES_1

__all__ = ["RULES", "RULES_1"]
