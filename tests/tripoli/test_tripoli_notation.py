"""The move notation: the page that teaches it, prefixes, and every option's words."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from engine.flow import Ambiguous, Illegal, NotUnderstood
from engine.notation import understand
from engine.tripoli import RULES
from engine.tripoli.american import attack
from engine.tripoli.combat import naval_battle
from engine.tripoli.movement import battles, move_frigates, send_gunboats
from engine.tripoli.pieces import ALLIED, ARAB, CORSAIR, FRIGATE, GUNBOAT
from engine.tripoli.places import ALEXANDRIA, DERNE, MALTA, TRIPOLI, TRIPOLI_ZONE, TUNIS
from engine.tripoli.sequence import play
from engine.tripoli.tables import AMERICAN, TRIPOLITAN
from tests.support.golden_words import Golden
from tests.support.tripoli_kit import Stage, first_ask

PAGE = Path(__file__).parents[2] / "docs" / "tripoli.md"
REFUSED = {
    "refused: not understood": NotUnderstood,
    "refused: not legal now": Illegal,
    "refused: ambiguous": Ambiguous,
}


def naval():
    stage = (
        Stage()
        .put(FRIGATE, TRIPOLI, 2)
        .put(GUNBOAT, TRIPOLI, 1)
        .deal(AMERICAN, "Preble's Boys Take Aim")
    )
    return stage, naval_battle(stage.game, TRIPOLI, AMERICAN)


def hits():
    stage = (
        Stage().clear().put(FRIGATE, TRIPOLI, 2).put(GUNBOAT, TRIPOLI, 1).put(CORSAIR, TRIPOLI, 2)
    )
    flow = naval_battle(stage.game, TRIPOLI, AMERICAN)
    next(flow)
    flow.send((1, 1, 1, 1))
    flow.send((1,))
    return stage, flow


def situation(name):
    """A stage and its question, for the examples of that name."""
    stage = Stage()
    if name == "hits":
        stage, flow = hits()
        return stage, flow.send((6, 1))
    if name == "play american":
        stage.deal(AMERICAN, "Naval Movement", "Naval Movement", "Tribute Paid")
        flow = play(stage.game, AMERICAN)
    elif name == "play tripolitan":
        stage.put(FRIGATE, TRIPOLI_ZONE, 1).deal(
            TRIPOLITAN, "Storms", "Tripoli Attacks", "Troops to Tripoli"
        )
        flow = play(stage.game, TRIPOLITAN)
    elif name == "move":
        flow = move_frigates(stage.game, 4)
    elif name == "gunboats":
        flow = send_gunboats(stage.put(GUNBOAT, MALTA, 2).game, [DERNE, TUNIS])
    elif name == "battle":
        flow = battles(
            stage.put(FRIGATE, DERNE, 1).put(FRIGATE, TUNIS, 1).put(ALLIED, TUNIS, 3).game
        )
    elif name == "join":
        flow = attack(stage.put(ARAB, ALEXANDRIA, 5).game, ALEXANDRIA, DERNE)
    else:
        stage, flow = naval()
    return stage, first_ask(stage, flow)


def examples():
    """(situation, entered, result) of every example on the page."""
    for name, block in re.findall(
        r"```example (.*?)\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.S
    ):
        lines = block.splitlines()
        for entered, result in zip(lines[::2], lines[1::2], strict=True):
            assert entered.startswith("> ")
            yield name, entered[2:], result


@pytest.mark.parametrize(("name", "entered", "result"), list(examples()))
def test_examples_of_the_page(name, entered, result):
    stage, ask = situation(name)
    legal = stage.legal(ask)
    if result in REFUSED:
        with pytest.raises(REFUSED[result]):
            understand(RULES, entered, legal)
    else:
        assert understand(RULES, entered, legal) == legal[result]


def test_the_page_has_examples_of_the_main_questions():
    names = {name for name, _, _ in examples()}
    assert names >= {
        "play american",
        "play tripolitan",
        "move",
        "gunboats",
        "battle",
        "join",
        "hits",
        "naval battle",
    }


def test_prefixes_of_a_move():
    stage, ask = situation("move")
    legal = stage.legal(ask)
    wanted = legal["2 gibraltar > tripoli zone"]
    for entered in ("2 gib > tri z", "2 GIBRALTAR -> Tripoli Zone", "2 g to tri zone"):
        assert understand(RULES, entered, legal) == wanted
    assert understand(RULES, "2 gibraltar > tripoli", legal) == legal["2 gibraltar > tripoli"]


def test_prompts_say_what_is_left(golden: Golden):
    for name, left in (("hits", "Tripoli, 1 "), ("move", "4 ")):
        stage, ask = situation(name)
        assert left in stage.game.prompt(ask)
        golden(stage.game.prompt(ask))


@pytest.mark.parametrize(
    ("name", "entered", "near"),
    [
        (
            "play american",
            "event tribute paid",
            ["move with Tribute Paid", "build with Tribute Paid"],
        ),
        (
            "move",
            "9 gibraltar > malta",
            ["1 gibraltar > malta", "2 gibraltar > malta", "3 gibraltar > malta"],
        ),
        ("move", "1 malta > derne", ["1 gibraltar > malta", "1 gibraltar > derne"]),
        ("hits", "yusuf", []),
    ],
)
def test_a_refusal_names_what_is_nearest(name, entered, near):
    stage, ask = situation(name)
    legal = stage.legal(ask)
    with pytest.raises(Illegal) as refused:
        understand(RULES, entered, legal)
    reason, _, nearest = str(refused.value).partition("; nearest to it: ")
    assert reason.startswith(f'"{entered}" ')
    assert re.findall('"(.*?)"', nearest) == near
    assert set(near) <= set(legal)
