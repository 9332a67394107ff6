"""A game of three at the points where somebody may cheat."""

from tests.support.loot_forging import deciding, joining, sharing

__all__ = ["deciding", "joining", "sharing"]
