"""Doubles that are sealed with the play before: one mail a turn, blind to the reply, void where the
cube was turned."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.backgammon import RULES
from engine.backgammon.tables import CUBE, DOUBLE, DOUBLED, NEXT, ROLL, TAKE
from engine.flow import Answer, Ask, Reveal, Roll
from examples.correspondence import Player
from pbem.fileformat import turnfile
from pbem.fileformat.turnfile import Entry
from pbem.ledger.gate import replay
from pbem.simulate.series import simulate
from tests.backgammon.test_backgammon_mail import begun, players, to_act
from tests.support.golden_words import Golden
from tests.support.second_verifier import compare, needs_node

__all__ = ["players"]


def asked_for(plan: list[tuple[str, tuple[str, ...]]], match: int = 5) -> list[str]:
    """What the rules ask about the cube in a game whose throws are all 6 and 5, then 2 and 1: each
    question is answered as planned, plays by the first that is legal."""
    game, sealed, seen = (
        RULES.begin({"match": match, "sealed": 1}),
        list[tuple[str, ...]](),
        list[str](),
    )
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
    """White doubles and black takes: what black had sealed for the cube in the middle counts no
    more, and as its owner black is asked; white may not turn it and seals nothing."""
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


def play(players: dict[str, Player], file: str, cube: str, *orders: str) -> str:
    """One entry: the first plays that are legal, this for the next turn, and these orders."""
    player, answers = to_act(players, file), list[str]()
    given = [part for order in orders for part in ("--order", order)]
    while True:
        told = player.does("moves", file, *(["--after", "; ".join(answers)] if answers else []))
        if told["complete"] or not told["options"]:
            break
        answers.append(cube if "roll" in told["options"] else told["options"][0])
    if orders and answers and answers[-1] == cube:
        answers.pop()  # the order stands in place of the seal
    return str(player.does("play", file, "; ".join(answers), *given, "--no-mail")["file"])


def newest(players: dict[str, Player], file: str) -> Entry:
    return turnfile.read((players["Ann"].folder / file).read_bytes()).entries[-1]


def to_the_third_turn(players: dict[str, Player], *options: str) -> str:
    """A game with sealed doubles in which both have sealed once."""
    file = begun(players, "--match", "5", "--sealed", *options)
    while (
        replay(turnfile.read((players["Ann"].folder / file).read_bytes()))
        .begun()
        .referee.game.period()
        < 3
    ):
        file = play(players, file, "roll")
    return file


@needs_node
def test_each_player_says_by_order_whether_they_seal(
    players: dict[str, Player], golden: Golden
) -> None:
    file = to_the_third_turn(players)
    first, second = to_act(players, file).name, ""
    assert newest(players, file).list("choice")
    told = players["Ann"].types("log", file)[1]
    assert "leaves a standing order" not in told
    golden(*dict.fromkeys(line.strip() for line in told.splitlines() if "secret" in line))
    file = play(players, file, "roll", "cube: roll")
    ordered = newest(players, file)
    assert "choice" not in ordered.fields and ordered.list("orders") == ["cube: roll"]
    second = to_act(players, file).name
    file = play(players, file, "roll")
    assert second != first and newest(players, file).list("choice"), "the other one goes on sealing"
    file = play(players, file, "roll")
    by_order = newest(players, file).fields
    assert (
        to_act(players, file).name == second
        and "proof" in by_order
        and not {"chosen", "choice"} & set(by_order)
    )
    since = (
        players[first]
        .types("log", file, "--from", str(ordered.number))[1]
        .partition("What happened")[2]
        or "-"
    )
    assert "wait" not in since and since.count("in secret") <= 1, "nobody was asked"
    file = play(players, file, "roll")
    file = play(players, file, "roll", "cube: wait")
    file = play(players, file, "roll")
    waited = players[first].does("moves", file)
    assert to_act(players, file).name == first and waited["options"][:2] == ["roll", "double"], (
        "asked before the throw"
    )
    asked = str(players[first].does("play", file, "roll", "--no-mail")["file"])
    # the proof that it waits for
    file = str(players[second].does("play", asked, "--no-mail")["file"])
    code, _, error = players[first].types("play", file, "--order", "cube: seal if race")
    assert (code, "cube: seal" in error) == (1, True)
    told = players[first].does("moves", file)["options"][0]
    file = str(
        players[first].does("play", file, f"{told}; roll", "--order", "cube: seal", "--no-mail")[
            "file"
        ]
    )
    again = newest(players, file)
    assert again.list("choice") and again.list("orders") == ["cube: seal"], (
        "it is taken back, and there is a seal again"
    )
    data = (players["Ann"].folder / file).read_bytes()
    found = compare([("orders and seals", data)])
    assert found.judged == 1 and found.failed == 0 and found.different == []


def test_a_double_that_is_taken_by_order_is_thrown_under_what_was_signed_before(
    players: dict[str, Player],
) -> None:
    """The doubler has sealed it before the reply, the taker has ordered it: nothing is left to
    choose for whoever knows the dice first, so the throw hangs on the reply and comes in the same
    mail."""
    file = to_the_third_turn(players)
    doubler = to_act(players, file)
    file = play(players, file, "double")
    taker = to_act(players, file)
    reply = [*first_answers(taker, file), "roll"]
    file = str(
        taker.does("play", file, "; ".join(reply), "--order", "doubled: take", "--no-mail")["file"]
    )
    number = newest(players, file).number
    file = play(players, file, "roll")
    opened = newest(players, file)
    assert opened.seat == ("white" if doubler.name == "Ann" else "black")
    assert opened.list("chosen")[0].endswith(" double") and "proof" in opened.fields
    assert not any(answer in ("take", "roll", "double") for answer in opened.list("answers"))
    assert "choice" not in opened.fields, "the cube is the taker's now"
    assert doubler.does("dice", file)["rolls"][-1]["entry"] == number, (
        "E is the taker's reply, with their order"
    )


def first_answers(player: Player, file: str) -> list[str]:
    """The first play that is legal; no answer about the cube."""
    options = player.does("moves", file)["options"]
    return [options[0]] if options and options[0] != "roll" else []


def test_a_turn_is_one_mail_and_a_double_is_answered_first(players: dict[str, Player]) -> None:
    file = to_the_third_turn(players)
    writers = []
    for _ in range(4):
        writers.append(to_act(players, file).name)
        file = play(players, file, "roll")
        written = newest(players, file).fields
        assert {"proof", "choice"} <= set(written) and ("chosen" in written or len(writers) < 3)
    assert writers == [writers[0], writers[1]] * 2, "each entry is a whole turn"
    doubler = to_act(players, file)
    file = play(players, file, "double")
    taker = to_act(players, file)
    assert doubler.does("show", file)["sealed"] == ["double"]
    assert taker.does("show", file)["sealed"] == ["roll"], "the own one only"
    assert "doubles to" not in taker.types("log", file)[1]
    file = play(players, file, "roll")
    file = play(players, file, "roll")  # opens the double, and nothing else
    opened = newest(players, file)
    assert set(opened.fields) == {"seat", "date", "nonce", "chosen", "position"}
    assert to_act(players, file) is taker and taker.does("moves", file)["options"] == [
        "take",
        "drop",
    ]
    taken = str(taker.does("play", file, "take", "--no-mail")["file"])
    assert to_act(players, taken) is doubler
    file = play(players, taken, "roll")
    number = newest(players, file).number
    assert doubler.does("dice", file)["rolls"][-1]["entry"] <= number - 1


@pytest.mark.dear("runs both verifiers over whole games")
@needs_node
@pytest.mark.parametrize(
    "settings", [{"match": 3, "sealed": 1}, {"games": 2, "beavers": 1, "sealed": 2}]
)
def test_both_verifiers_judge_sealed_games_alike(settings: dict[str, int], tmp_path: Path) -> None:
    simulate("backgammon", 2, "5", by_mail=True, settings=settings, keep=tmp_path)
    cases = [(path.name, path.read_bytes()) for path in sorted(tmp_path.rglob("*.toml"))]
    found = compare(cases)
    assert found.judged == 2 and found.failed == 0 and found.different == []


@needs_node
@pytest.mark.parametrize(
    "terms", [("--match", "5", "--sealed"), ("--sealed", "--games", "2", "--beavers")]
)
def test_a_draw_that_is_accepted_by_order_ends_the_game_with_the_turn_that_seals(
    players: dict[str, Player], terms: tuple[str, ...]
) -> None:
    """The entry that ends the game reveals the root, and the choice that it seals has to follow
    from that."""
    file = begun(players, *terms)
    while (
        replay(turnfile.read((players["Ann"].folder / file).read_bytes()))
        .begun()
        .referee.game.period()
        < 3
    ):
        file = play(players, file, "roll")
    accepting = to_act(players, file)
    answers = [*first_answers(accepting, file), "roll"]
    file = str(
        accepting.does("play", file, "; ".join(answers), "--order", "draw: accept", "--no-mail")[
            "file"
        ]
    )
    offering = to_act(players, file)
    answers = [*first_answers(offering, file), "roll"]
    preview = offering.types("play", file, "; ".join(answers), "--offer-draw", "--dry-run")
    assert preview[0] == 0, preview
    over = str(offering.does("play", file, "; ".join(answers), "--offer-draw", "--no-mail")["file"])
    written = newest(players, over).fields
    assert offering is not accepting and {"choice", "root", "draw"} <= set(written)
    proven = str(accepting.does("play", over, "--no-mail")["file"])
    result = accepting.does("verify", proven)["result"]
    assert result["proven"] and result["winners"] == [], "a draw"
    data = (accepting.folder / proven).read_bytes()
    found = compare([("accepted by order", data)])
    assert found.judged == 1 and found.failed == 0 and found.different == []
