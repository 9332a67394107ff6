"""A game that the attacks on forged entries share."""

import pytest

from tests.support.players import Pair


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Pair:
    """A game of ten entries; tests look at it and at what could follow, and never go on with it."""
    return Pair(tmp_path_factory.mktemp("forged"), 21).play(10)
