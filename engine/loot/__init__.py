"""Loot (Reiner Knizia, Gamewright) for 2 to 5 players, or 4, 6 or 8 as pairs.

One module a part of the rule sheet: `tables` (Contents), `battle` (a merchant ship, the fight for
it, what a card may do there), `game` (Set Up, the turn, Game End and Scoring). `notation` and
`view` are for those who read and type. Comments cite the headings of the rule sheet; numbers in
brackets are the rulings listed in `docs/loot.md`.
"""

from engine.loot.game import RULES

__all__ = ["RULES"]
