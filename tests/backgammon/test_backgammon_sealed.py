"""Doubles that are sealed with the play before: one mail a turn, blind to the reply, void where the cube was turned."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.backgammon import RULES
from engine.backgammon.game import CUBE, DOUBLE, DOUBLED, NEXT, ROLL, TAKE
from engine.flow import Answer, Ask, Reveal, Roll
from examples.correspondence import Player
from pbem.fileformat import turnfile
from pbem.ledger.replay import replay
from pbem.simulate.series import simulate
from tests.backgammon.test_backgammon_mail import begun, players, to_act
from tests.support.second_verifier import compare, needs_node

__all__ = ["players"]


def asked_for(plan: list[tuple[str, tuple[str, ...]]], match: int = 5) -> list[str]:
    """What the rules ask about the cube in a game whose throws are all 6 and 5, then 2 and 1: each question is answered
    as planned, plays by the first that is legal."""
    game, sealed, seen = RULES.begin({"match": match, "sealed": 1}), list[tuple[str, ...]](), list[str]()
    flow = game.flow()
    request, throws, todo = next(flow), 0, list(plan)
    while todo:
        if isinstance(request, Roll):
            throws += 1
            request = flow.send((6, 5) if throws == 1 else (2, 1))
        elif isinstance(request, Reveal):
            seen.append(f"{game.turn} opens {sealed[request.tokens[0]][0]}")
            request = flow.send(tuple(sealed[token] for token in request.tokens))
        elif isinstance(request, Ask) and request.rule in (CUBE, DOUBLED, NEXT):
            rule, answer = todo.pop(0)
            assert request.rule == rule and answer in request.options, (request.rule, seen)
            seen.append(f"{request.seat} {rule}: {answer[0]}")
            if request.sealed:
                sealed.append(answer)
            request = flow.send(len(sealed) - 1 if request.sealed else Answer(answer))
        else:
            assert isinstance(request, Ask)
            request = flow.send(Answer(request.options[0]))
    return seen


def test_a_sealed_roll_is_opened_and_the_dice_are_thrown() -> None:
    """Black is asked before the first throw: there was no play to seal it with."""
    seen = asked_for([(NEXT, ROLL), (CUBE, ROLL), (NEXT, ROLL), (NEXT, ROLL), (NEXT, ROLL)])
    assert seen[1] == "1 cube: roll" and seen[3] == "0 opens roll" and seen[5] == "1 opens roll"


def test_a_seal_is_void_when_the_cube_was_turned() -> None:
    """White doubles and black takes: what black had sealed for the cube in the middle counts no more, and as its owner
    black is asked; white may not turn it and seals nothing."""
    plan = [
        (NEXT, DOUBLE),
        (CUBE, ROLL),
        (NEXT, DOUBLE),
        (DOUBLED, TAKE),
        (CUBE, ROLL),
        (NEXT, DOUBLE),
        (DOUBLED, TAKE),
    ]
    seen = asked_for(plan)
    assert seen[3:] == [
        "0 opens double",
        "1 doubled: take",
        "1 cube: roll",
        "1 next cube: double",
        "1 opens double",
        "0 doubled: take",
    ]


def test_nothing_is_sealed_where_nobody_may_double() -> None:
    """In a match to one point the cube is dead."""
    game = RULES.begin({"match": 1, "sealed": 1})
    flow, request = game.flow(), None
    request = next(flow)
    for _ in range(30):
        if isinstance(request, Roll):
            request = flow.send((6, 5))
        else:
            assert isinstance(request, Ask) and not request.sealed
            request = flow.send(Answer(request.options[0]))


def test_a_game_without_the_option_has_the_position_it_always_had() -> None:
    assert " sealed" not in RULES.begin({"match": 5}).position()
    assert RULES.begin({"match": 5, "sealed": 1}).position().endswith(" sealed")
    assert not RULES.seals_choices({}) and RULES.seals_choices({"sealed": 1})


def play(players: dict[str, Player], file: str, cube: str) -> str:
    """One entry: the first plays that are legal, and this for the next turn."""
    player, answers = to_act(players, file), list[str]()
    while True:
        told = player.does("moves", file, *(["--after", "; ".join(answers)] if answers else []))
        if told["complete"] or not told["options"]:
            return str(player.does("play", file, "; ".join(answers), "--no-mail")["file"])
        answers.append(cube if "roll" in told["options"] else told["options"][0])


def test_a_turn_is_one_mail_and_a_double_is_answered_first(players: dict[str, Player]) -> None:
    file = begun(players, "--match", "5", "--sealed")
    while replay(turnfile.read((players["Ann"].folder / file).read_bytes())).begun().referee.game.period() < 3:
        file = play(players, file, "roll")
    writers = []
    for _ in range(4):
        writers.append(to_act(players, file).name)
        file = play(players, file, "roll")
        newest = turnfile.read((players["Ann"].folder / file).read_bytes()).entries[-1]
        assert {"proof", "choice"} <= set(newest.fields)
        assert "chosen" in newest.fields or len(writers) < 3
    assert writers == [writers[0], writers[1]] * 2, "each entry is a whole turn"
    doubler = to_act(players, file)
    file = play(players, file, "double")
    taker = to_act(players, file)
    assert doubler.does("show", file)["sealed"] == ["double"]
    assert taker.does("show", file)["sealed"] == ["roll"], "the own one only"
    assert "doubles" not in taker.types("log", file)[1].replace("sealed doubles", "")
    file = play(players, file, "roll")
    file = play(players, file, "roll")  # opens the double, and nothing else
    opened = turnfile.read((players["Ann"].folder / file).read_bytes()).entries[-1]
    assert set(opened.fields) == {"seat", "date", "nonce", "chosen", "position"}
    assert to_act(players, file) is taker and taker.does("moves", file)["options"] == ["take", "drop"]
    taken = str(taker.does("play", file, "take", "--no-mail")["file"])
    assert to_act(players, taken) is doubler
    file = play(players, taken, "roll")
    number = len(turnfile.read((players["Ann"].folder / file).read_bytes()).entries) - 1
    assert doubler.does("dice", file)["rolls"][-1]["entry"] <= number - 1


@needs_node
@pytest.mark.parametrize("settings", [{"match": 3, "sealed": 1}, {"games": 2, "beavers": 1, "sealed": 1}])
def test_both_verifiers_judge_sealed_games_alike(settings: dict[str, int], tmp_path: Path) -> None:
    simulate("backgammon", 2, "5", by_mail=True, settings=settings, keep=tmp_path)
    cases = [(path.name, path.read_bytes()) for path in sorted(tmp_path.rglob("*.toml"))]
    found = compare(cases)
    assert found.judged == 2 and found.failed == 0 and found.different == []
