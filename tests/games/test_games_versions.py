"""A changed rule gets a rules version, and games that were begun before go on as they began:
docs/design.md, "A rule that changes", done for Tripoli and Loot as it says there."""

from __future__ import annotations

import re
from pathlib import Path
from typing import ClassVar

import pytest

import engine.loot.game
import engine.tripoli.game
from engine.flow import Flow
from engine.loot import RULES as LOOT
from engine.loot.game import LootGame, LootRules
from engine.paradise import RULES as PARADISE
from engine.tripoli import RULES as TRIPOLI
from engine.tripoli import cards, pieces
from engine.tripoli.battle_cards import throw
from engine.tripoli.game import TripoliRules
from engine.tripoli.movement import choose
from engine.tripoli.position import Position
from engine.tripoli.tables import TRIPOLITAN
from engine.tripoli.tripolitan import patrolled_zones
from engine.tripoli_solitaire import RULES as SOLITAIRE
from examples.correspondence import Player
from pbem.fileformat import turnfile
from pbem.games import BUILT_IN, registry
from pbem.home.home import Home
from tests.golden import every_card
from tests.support.players import seed_of

DESIGN = Path(__file__).parents[2] / "docs" / "design.md"


def storms(game: Position) -> Flow[None]:
    """As it is, and in version 2 no ship is sunk."""
    zone = yield from choose(TRIPOLITAN, "zone", "zone", patrolled_zones(game))
    game.end_last_play()
    hits = yield from throw(game, TRIPOLITAN, game.frigates[zone], "storms")
    if hits and game.version == 1:
        game.sink(pieces.FRIGATE, zone)
    for _ in range(hits - (game.version == 1)):
        game.damage(pieces.FRIGATE, zone, game.next_year())
    game.check_sinkings()


class SecondTripoliRules(TripoliRules):
    """What comes after version 1."""

    version: ClassVar[int] = 2


class LongGame(LootGame):
    """Version 2 of Loot counts its turns from one hundred."""

    def when(self) -> str:
        return f"turn {self.turn + (100 if self.version > 1 else 0)}"


class SecondLootRules(LootRules):
    version = 2


TRIPOLI_2, LOOT_2 = SecondTripoliRules(), SecondLootRules()
TWO = {"tripoli": f"{__name__}:TRIPOLI_2", "loot": f"{__name__}:LOOT_2"}


@pytest.fixture
def changed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The program with a version 2 of both games."""
    events = list(cards.EVENTS)
    events[cards.STORMS] = storms
    monkeypatch.setattr(cards, "EVENTS", events)
    monkeypatch.setattr(engine.loot.game, "LootGame", LongGame)
    for name, second in TWO.items():
        known = registry.descriptor(name)
        monkeypatch.setitem(
            globals(), name.upper() + "_CHANGED", known._replace(rules={**known.rules, 2: second})
        )
        monkeypatch.setitem(BUILT_IN, name, f"{__name__}:{name.upper()}_CHANGED")


def test_each_game_knows_its_version() -> None:
    for rules in (TRIPOLI, TRIPOLI_2, LOOT, LOOT_2, PARADISE):
        assert rules.begin(dict(rules.defaults)).version == rules.version  # type: ignore[attr-defined]
    assert SOLITAIRE.begin({}).version == SOLITAIRE.of_tripoli


def test_the_example_of_the_page_is_the_one_that_is_tried_here() -> None:
    page, here = DESIGN.read_text(encoding="utf-8"), Path(__file__).read_text(encoding="utf-8")
    block = re.search(
        r"^## A rule that changes.*?^```python\n(.*?)^```", page, re.MULTILINE | re.DOTALL
    )
    assert block is not None
    changes = [
        line for line in block[1].splitlines() if line.startswith("    ") and "..." not in line
    ][:4]
    assert len(changes) == 4 and "\n".join(changes) in here


@pytest.mark.usefixtures("changed")
def test_golden_games_of_the_first_version_stay_and_those_of_the_second_differ() -> None:
    for game in ("tripoli", "loot"):
        first = [golden for golden in every_card.GAMES if golden.game == game]
        assert all(
            every_card.text(golden) == golden.path.read_text(encoding="utf-8") for golden in first
        )
    stormy = [golden for golden in every_card.GAMES if golden.game == "tripoli"]
    assert any(
        every_card.text(golden) != every_card.text(golden._replace(version=2)) for golden in stormy
    )


def test_a_game_that_was_begun_before_goes_on_as_it_began(
    tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    Home(tmp_path / "Ann").create("Ann", "ann@example.org", seed_of("Ann"), "")
    ann = Player("Ann", tmp_path / "Ann", tmp_path, in_process=True)
    old = {game: ann.folder / ann.does("new", game, "--no-mail")["file"] for game in TWO}
    request.getfixturevalue("changed")
    for game, file in old.items():
        new = ann.folder / ann.does("new", game, "--no-mail")["file"]
        versions = [
            turnfile.read(one.read_bytes()).entries[0].fields["rules"] for one in (file, new)
        ]
        assert (
            versions == [1, 2]
            and ann.types("verify", str(file))[0] == ann.types("verify", str(new))[0] == 0
        )
