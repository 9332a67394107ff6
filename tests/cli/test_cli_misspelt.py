"""Answers with a word that was only misspelt are given back as the game spells them."""

from __future__ import annotations

import pytest

from tests.support.begun_game import BegunGame
from tests.support.golden_words import Golden


def tries(begun: BegunGame, entered: str) -> tuple[int, str, str]:
    """What whoever is asked now is told of this answer."""
    player = begun.players[begun.ann.does("show", begun.last)["to_act"]]
    return player.types("play", begun.last, entered, "--dry-run")


@pytest.mark.parametrize(
    ("entered", "meant"),
    [
        ("move frigate gibralter to malta", "move frigate gibraltar to malta"),
        ("Move 2 Frigates Gibralter to Trpoli", "Move 2 Frigates gibraltar to tripoli"),
        ("event swedsh", "event swedish"),
        ("evnt swedish frigates", "event swedish frigates"),
        ("buidl gunboat", "build gunboat"),
    ],
)
def test_a_misspelt_answer_is_spelled_for_its_player(
    begun: BegunGame, entered: str, meant: str
) -> None:
    code, out, err = tries(begun, entered)
    assert (code, out) == (1, "") and f'"{meant}"?' in err
    assert "hand" not in err and "not now" not in err, "no remarks on cards"


@pytest.mark.parametrize("entered", ["xyzzy", "sail to malta", "event x"])
def test_what_is_near_to_nothing_is_given_no_other_meaning(
    begun: BegunGame, entered: str, golden: Golden
) -> None:
    golden(tries(begun, entered)[2])
