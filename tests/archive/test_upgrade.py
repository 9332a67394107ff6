"""Homes of older versions of the program, each with a game of every kind in its middle: this
version takes them over and plays on.

`make_homes.py` made them. An archive that stands here is never made anew; a release adds one.
"""

from __future__ import annotations

import json
import os
import random
import tarfile
from dataclasses import dataclass
from pathlib import Path

import pytest

from examples.correspondence import Player
from pbem.fileformat import turnfile
from pbem.home import written_by
from pbem.home.home import Home
from pbem.home.memory import Memory
from pbem.home.written_by import LAYOUT, Writer
from pbem.turn.tried_lines import TriedLines
from pbem.version import exact
from tests.support.homes import another_computer, settle_homes

HERE = Path(__file__).parent
ARCHIVES = sorted(HERE.glob("homes-*.tar.xz"))
MORE = 4
"""Entries that are played on."""


@dataclass(frozen=True)
class Middle:
    """A game in its middle: who plays, and the newest file."""

    people: dict[str, Player]
    file: str


def unpacked(archive: Path, game: str, folder: Path) -> Middle:
    """Skips the test where the version had no such game."""
    with tarfile.open(archive) as packed:
        packed.extraction_filter = getattr(tarfile, "data_filter", None)
        members = [one for one in packed if one.name.startswith(f"{game}/")]
        if not members:
            pytest.skip(f"{archive.name} has no {game}")
        packed.extractall(folder, members)
    here = folder / game
    settle_homes(here)
    for key in here.rglob("identity.pem"):
        key.chmod(0o600)
    (file,) = (path.name for path in (here / "mails").glob("*.toml"))
    people = {
        home.name: Player(home.name, home, here / "mails", True)
        for home in sorted(here.iterdir())
        if home.name != "mails"
    }
    return Middle(people, file)


@pytest.mark.dear("goes on with a whole game of an old home")
@pytest.mark.parametrize("game", ["backgammon", "loot", "paradise", "tripoli", "tripoli-solitaire"])
@pytest.mark.parametrize("archive", ARCHIVES, ids=lambda path: path.name.split(".")[0])
def test_a_game_in_its_middle_goes_on(archive: Path, game: str, tmp_path: Path) -> None:
    with another_computer():
        middle = unpacked(archive, game, tmp_path)
        file, chance, people = middle.file, random.Random(1), middle.people
        assert people["ann"].does("verify", file)["ok"] is True
        first = writer(people, file)
        (tried,) = first.home.rglob("tried.json")
        number = len(turnfile.read((first.folder / file).read_bytes()).entries)
        memory = Memory(Home(first.home), bytes.fromhex(tried.parent.name))
        draft = TriedLines(memory, number).read()
        assert draft is not None
        (line,) = draft.lines.values()
        assert line.message == "Not sent yet"
        assert list(line.answers) == json.loads(tried.read_bytes())["lines"][0]["answers"]
        for _ in range(MORE):
            player = writer(people, file)
            answers = player.answers(file, chance.choice, longest=40)
            said = "; ".join(answers), "--no-mail", "--my-clock-is-right"
            facts = player.does("play", file, *said)
            assert written_by.read(player.home) == Writer(exact(), LAYOUT)
            file = str(facts["file"])
            if not facts["to_act"]:
                break
        assert int(Path(file).stem[-4:]) > int(Path(middle.file).stem[-4:])
        assert people["ann"].does("verify", file)["ok"] is True
        assert not tried.exists(), "what was tried for a turn goes with its signature"


def writer(people: dict[str, Player], file: str) -> Player:
    """Who writes next, as their own program says."""
    return next(
        one for one in people.values() if one.asks("moves", file).get("seat") or len(people) == 1
    )


def test_there_is_one_of_each_version_with_a_changed_home() -> None:
    names = [path.name for path in ARCHIVES]
    assert "homes-7400703.tar.xz" in names and len(names) >= 2
    assert all(os.path.getsize(HERE / name) < 500_000 for name in names)
