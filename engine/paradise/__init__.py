"""Conquest of Paradise: the solitaire opponent, with the board on the player's table. Pure: see
`engine.flow`."""

from engine.paradise.game import RULES, RULES_1, RULES_2, RULES_3

__all__ = ["RULES", "RULES_1", "RULES_2", "RULES_3"]
