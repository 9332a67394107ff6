"""Lets these tests import the players, which lie beside their directory."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
