"""A game of a setup between two homes, in the words that players write; what is said of it; and
both verifiers."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from examples.correspondence import Player
from tests.any.test_any_setup import WAR
from tests.support.second_verifier import compare, needs_node


@pytest.fixture
def players(tmp_path: Path) -> dict[str, Player]:
    """Ann, who plays France, and Ben, Britain, with homes of their own."""
    made = {
        name: Player(name, tmp_path / f"{name}-home", tmp_path, True) for name in ("Ann", "Ben")
    }
    for name, player in made.items():
        player.does("id", "--name", name)
    return made


@pytest.fixture
def begun(players: dict[str, Player], tmp_path: Path) -> str:
    """The file of a game that both have joined; Britain begins."""
    ann = players["Ann"]
    assert ann.types("data", "any", "war")[0] == 0
    (tmp_path / "war" / "setup.txt").write_text("\n".join(["# ours", *WAR]), encoding="utf-8")
    assert "10 lines" in ann.types("data", "any", "war")[1]
    file = ann.does("new", "any", "--data", "war", "--no-mail")["file"]
    return str(players["Ben"].does("join", file, "--no-mail")["file"])


def played(players: dict[str, Player], file: str, *turns: tuple[str, str]) -> str:
    for name, said in turns:
        answers = [said] if said else []
        file = str(players[name].does("play", file, *answers, "--no-mail")["file"])
    return file


WHOLE = (
    ("Ann", ""),
    ("Ben", "supply -1; roll 3 attack combat"),
    ("Ann", ""),
    ("Ben", "victory -2; France: do you retreat?"),
    ("Ann", "France's supply +1; answer: no, we stand"),
    ("Ben", "roll 2d6+1 combat then France's turn"),
    ("Ann", "France wins, 42 to 37"),
    ("Ben", "disagree"),
    ("Ann", "Britain's turn"),
    ("Ben", "a draw"),
    ("Ann", "agree"),
)


@needs_node
def test_a_game_of_a_setup_is_played_to_its_end_and_verified(
    players: dict[str, Player], begun: str, tmp_path: Path
) -> None:
    waits = players["Ben"].does("verify", begun)["to_act"]
    turns = WHOLE if waits == "france" else WHOLE[1:]
    file = played(players, begun, *turns)
    code, said, _ = players["Ben"].types("verify", file)
    assert code == 0 and "knows no rules of this game. Checked: who wrote what" in said
    assert re.search(r"2 rolls and what the players counted\.", said)
    assert "as all agreed" in said
    both = compare([(file, (tmp_path / file).read_bytes())])
    assert both.different == [] and both.failed == 0


def test_what_is_wrong_in_a_turn_is_said_and_nothing_is_signed(
    players: dict[str, Player], begun: str
) -> None:
    file = played(players, begun, *(WHOLE[:1] if _waits(players, begun) == "france" else ()))
    for text, reason in (
        ("supply +9", "goes from 0 to 9"),
        ("supply +1; roll 3d8 combat", "has no d8"),
        ("rol 3d6", "is no act"),
        ("supply +1", "more is needed from you"),
    ):
        code, _, error = players["Ben"].types("play", file, text, "--no-mail")
        assert code != 0 and re.search(reason, error), (text, error)
    assert players["Ben"].does("verify", file)["to_act"] == "britain"


def _waits(players: dict[str, Player], file: str) -> str:
    return str(players["Ben"].does("verify", file)["to_act"])


def test_a_line_that_does_not_hold_is_named_with_its_file(
    players: dict[str, Player], tmp_path: Path
) -> None:
    (tmp_path / "bad").mkdir()
    (tmp_path / "bad" / "setup.txt").write_text("seats ann, ben\nroll turn\n", encoding="utf-8")
    told = " ".join(players["Ann"].types("data", "any", "bad")[1:2])
    assert "setup.txt, line 2" in told and "meaning already" in told
    code, _, error = players["Ann"].types("new", "any", "--data", "bad")
    assert code != 0 and "line 2" in error


def test_the_list_says_that_a_game_waits_only_for_dice(
    players: dict[str, Player], begun: str
) -> None:
    file = played(players, begun, *(WHOLE[:1] if _waits(players, begun) == "france" else ()))
    file = played(players, file, ("Ben", "roll 2d6 combat"))
    players["Ann"].does("inbox", file)
    (game,) = players["Ann"].does("inbox")["games"]
    assert game["yours"] and game["due"].startswith("waits only for dice (combat)")
    file = played(players, file, ("Ann", ""), ("Ben", "France: do you retreat?"))
    players["Ann"].does("inbox", file)
    (game,) = players["Ann"].does("inbox")["games"]
    assert "dice" not in game["due"]


def test_a_throw_that_waits_is_told_with_the_turn_that_holds_it(
    players: dict[str, Player], begun: str
) -> None:
    file = played(players, begun, *(WHOLE[:1] if _waits(players, begun) == "france" else ()))
    file = played(players, file, ("Ben", "roll 2d6 combat then France's turn"))
    file = played(players, file, ("Ann", "roll 1d6 combat"))
    lines = players["Ben"].types("show", file)[1].splitlines()
    told = [line.strip() for line in lines]
    assert "Ann: roll 1d6 combat" in told, "beside the dice that this very turn has brought"
    assert any(line.startswith("Britain throws for combat, 2d6:") for line in told)
    file = played(players, file, ("Ben", ""))
    said = players["Ann"].types("show", file)[1]
    assert "\n  roll DICE [NAME] [then SEAT's turn]: " in said, "each form in a line of its own"
