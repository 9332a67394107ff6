"""The Shores of Tripoli, solitaire: an American player against Tripolitania's table of rules:
`RULES`."""

from engine.tripoli_solitaire.game import RULES

__all__ = ["RULES"]
