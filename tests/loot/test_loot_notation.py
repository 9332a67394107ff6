"""The examples of `docs/loot.md`, and what a player may type."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from engine.flow import Ambiguous, Ask, Illegal, NotUnderstood
from engine.loot import RULES
from engine.loot.tables import SETTINGS
from engine.notation import say, sentences, understand
from tests.support.golden_words import Golden
from tests.support.loot_bench import Bench

PAGE = Path(__file__).parents[2] / "docs" / "loot.md"


def examples() -> list[tuple[str, str]]:
    block = re.search(r"<!-- examples:.*?-->\n```\n(.*?)```", PAGE.read_text(), re.S)
    assert block is not None
    return [
        (entered, meant)
        for entered, _, meant in (line.partition(" = ") for line in block[1].splitlines())
    ]


@pytest.fixture(scope="module")
def bench() -> Bench:
    """Seat 0 to play: ship 1 is their own, ship 2 is seat 1's and they attack it in blue."""
    made = Bench(
        ["merchant 3, blue 1, merchant 5, blue 3, captain blue, admiral", "merchant 2, gold 1"],
        "green 1," * 9,
    )
    made.play(
        (1, "merchant 2"), (0, "blue 1 at ship 1"), (1, "gold 1 at ship 1"), (0, "merchant 3")
    )
    made.game.ships.reverse()
    for number, ship in enumerate(made.game.ships, start=1):
        ship.number = number
    return made


@pytest.mark.parametrize(("entered", "meant"), examples())
def test_the_examples_of_the_page(bench: Bench, entered: str, meant: str) -> None:
    ask = next(bench.game.act(0))
    assert isinstance(ask, Ask)
    legal = sentences(RULES, bench.game, ask, bench.faces)
    refusals = {"ambiguous": Ambiguous, "not legal": Illegal, "not understood": NotUnderstood}
    if meant in refusals:
        with pytest.raises(refusals[meant]):
            understand(RULES, entered, legal)
    else:
        assert say(RULES, bench.game, understand(RULES, entered, legal), bench.faces) == meant


def test_there_are_examples_of_every_action() -> None:
    meant = " ".join(meaning for _, meaning in examples())
    assert all(
        word in meant for word in ("draw", "merchant", "at ship", "captain", "admiral", "ambiguous")
    )


def test_the_page_has_every_switch_and_ruling() -> None:
    text = PAGE.read_text()
    for switch in SETTINGS:
        assert switch in text or switch in ("players", "partners")
    assert [int(number) for number in re.findall(r"^(\d+)\. ", text, re.M)] == list(range(1, 47))


def test_what_is_asked(bench: Bench, golden: Golden) -> None:
    ask = next(bench.game.act(0))
    assert isinstance(ask, Ask)
    golden(bench.game.prompt(ask))
    assert bench.game.when() == "turn 4"
    assert bench.game.period() == 4


def test_the_view_of_a_fight(bench: Bench) -> None:
    ship = bench.game.view(0, bench.faces)["ships"][1]
    assert ship == {
        "number": 2,
        "owner": "second",
        "gold": 2,
        "attackers": [
            {
                "side": "first",
                "colour": "blue",
                "strength": 1,
                "pirates": [{"seat": "first", "card": "blue 1"}],
                "counts": True,
            },
            {
                "side": "second",
                "colour": "gold",
                "strength": 1,
                "pirates": [{"seat": "second", "card": "gold 1"}],
                "counts": True,
            },
        ],
        "trumps": [],
        "leader": None,
        "taken_by": None,
        "abandoned": False,
        "discarded_by": "second",
    }
