"""Lets these tests import the players, which lie beside their directory."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))

from players import Pair


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Pair:
    """A game of ten entries; tests look at it and at what could follow, and never go on with it."""
    return Pair(tmp_path_factory.mktemp("forged"), 21).play(10)
