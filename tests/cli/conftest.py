"""A game that has begun and one that is over, for every test of the commands."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.support.begun_game import BegunGame, begin
from tests.support.fixed import FixedRandom, fixed


@pytest.fixture(scope="session")
def _opening(tmp_path_factory: pytest.TempPathFactory) -> BegunGame:
    begun = begin(tmp_path_factory.mktemp("opening"))
    begun.write(
        "american", "play", begun.last, "event thomas jefferson; 3 gibraltar > tripoli zone; done"
    )
    begun.write("tripolitan", "play", begun.last, "event murad")
    return begun


@pytest.fixture
def begun(_opening: BegunGame, tmp_path: Path) -> BegunGame:
    """A game of four entries, Ann (American) to answer in the summer of 1801; a copy of its own for
    each test."""
    return _opening.copied(tmp_path / "begun")


@pytest.fixture(scope="module")
def looked_at(_opening: BegunGame, tmp_path_factory: pytest.TempPathFactory) -> BegunGame:
    """The same for all tests of a module that only look at it."""
    return _opening.copied(tmp_path_factory.mktemp("opening") / "looked at")


@pytest.fixture(scope="session")
def finished(tmp_path_factory: pytest.TempPathFactory) -> BegunGame:
    """A game with hidden discards that was played to a victory and proven. Nothing may be written
    there."""
    for seed in range(13, 33):
        with fixed(FixedRandom(f"nonces {seed}")):
            begun = begin(
                tmp_path_factory.mktemp("whole"), "--hidden-discard", seed=f"whole {seed}"
            )
            begun.go_on(random.Random(seed), 1000)
        if len(begun.files) > 30 and begun.ann.does("verify", begun.last)["result"]["winners"]:
            return begun
    raise AssertionError("twenty games and no victory after a good fight")
