"""Conquest of Paradise: the solitaire opponent, with the board on the player's table. Pure: see
`engine.flow`."""

from engine.paradise.game import RULES

__all__ = ["RULES"]
