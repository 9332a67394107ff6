"""A game that has begun and one that is over, for every test of the commands."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

import pytest

from examples.correspondence import Player
from tests.support.cli_desk import Desk, begin
from tests.support.fixed import FixedRandom, fixed


@pytest.fixture(scope="session")
def _opening(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    desk = begin(tmp_path_factory.mktemp("opening"))
    desk.write("american", "play", desk.last, "event thomas jefferson; 3 gibraltar > tripoli zone; done")
    desk.write("tripolitan", "play", desk.last, "event murad")
    return desk


@pytest.fixture
def desk(_opening: Desk, tmp_path: Path) -> Desk:
    """A game of four entries, Ann (American) to answer in the summer of 1801; a copy of its own for each test."""
    copied = tmp_path / "desk"
    shutil.copytree(_opening.folder.parent, copied)
    players = {
        seat: Player(player.name, copied / player.home.name, copied / "mails", True)
        for seat, player in _opening.players.items()
    }
    return Desk(players, list(_opening.files))


@pytest.fixture(scope="session")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    """A game with hidden discards that was played to a victory and proven. Nothing may be written there."""
    for seed in range(1, 21):
        with fixed(FixedRandom(f"nonces {seed}")):
            desk = begin(tmp_path_factory.mktemp("whole"), "--hidden-discard", seed=f"whole {seed}")
            desk.go_on(random.Random(seed), 1000)
        if len(desk.files) > 40 and desk.ann.does("verify", desk.last)["result"]["winners"]:
            return desk
    raise AssertionError("twenty games and no victory after a good fight")
