"""Backgammon, with the doubling cube: `RULES`."""

from engine.backgammon.rules import RULES

__all__ = ["RULES"]
