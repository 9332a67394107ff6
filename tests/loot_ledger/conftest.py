"""Lets these tests import the points that must be refused, which lie with the tests of the cryptography, and gives them
a game of three at the points where somebody may cheat."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "shuffle"))
sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1]))

from loot_forging import deciding, joining, sharing, shuffling

__all__ = ["deciding", "joining", "sharing", "shuffling"]
