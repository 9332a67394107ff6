"""Lets these tests import the replay of recorded games, which lies beside their directory."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
