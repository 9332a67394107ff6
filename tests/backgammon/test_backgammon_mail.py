"""Backgammon by mail: mails a turn, orders that play on by themselves, and both verifiers on whole
games."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from examples.correspondence import Player
from pbem.fileformat import turnfile
from pbem.ledger.gate import replay
from pbem.simulate.figures import MailSeriesFacts, in_words
from pbem.simulate.series import simulate
from tests.support.second_verifier import compare, needs_node

RESIGNATIONS = [f"resign {worth}" for worth in ("single", "gammon", "backgammon")]


@pytest.fixture
def players(tmp_path: Path) -> dict[str, Player]:
    """Ann, who plays white, and Ben, with homes of their own."""
    made = {
        name: Player(name, tmp_path / f"{name}-home", tmp_path, True) for name in ("Ann", "Ben")
    }
    for name, player in made.items():
        player.does("id", "--name", name)
    return made


def begun(players: dict[str, Player], *options: str) -> str:
    """The file of a game that both have joined."""
    file = players["Ann"].does("new", "backgammon", *options, "--no-mail")["file"]
    return str(players["Ben"].does("join", file, "--no-mail")["file"])


def to_act(players: dict[str, Player], file: str) -> Player:
    seat = replay(turnfile.read((players["Ann"].folder / file).read_bytes())).to_act()
    return players["Ann" if seat == 0 else "Ben"]


def step(players: dict[str, Player], file: str, *more: str) -> str:
    """One entry: the first answers that are legal, as many as it takes."""
    player, answers = to_act(players, file), list[str]()
    while True:
        told = player.does("moves", file, *(["--after", "; ".join(answers)] if answers else []))
        if told["complete"] or not told["options"]:
            break
        answers.append(told["options"][0])
    return str(player.does("play", file, "; ".join(answers), *more, "--no-mail")["file"])


def test_a_question_about_the_cube_costs_two_mails_and_an_order_none(
    players: dict[str, Player],
) -> None:
    """Before the first throw nobody is asked; then the other one is, and whoever answers waits for
    a proof."""
    file = begun(players, "--match", "3", "--asked")
    while (
        replay(turnfile.read((players["Ann"].folder / file).read_bytes()))
        .begun()
        .referee.game.period()
        < 2
    ):
        file = step(players, file)
    player = to_act(players, file)
    other = players["Ben" if player.name == "Ann" else "Ann"]
    assert player.does("moves", file)["options"] == ["roll", "double", *RESIGNATIONS]
    asked = str(player.does("play", file, "roll", "--no-mail")["file"])
    assert to_act(players, asked) is other
    assert other.does("moves", asked)["complete"] is True, (
        "the mail that gives the dice is written without a decision"
    )
    proved = str(other.does("play", asked, "--no-mail")["file"])
    assert to_act(players, proved) is player and "/" in player.does("moves", proved)["options"][0]
    both = str(
        player.does("play", proved, player.does("moves", proved)["options"][0], "--no-mail")["file"]
    )
    assert other.does("moves", both)["options"] == ["roll", "double", *RESIGNATIONS]
    ordered = str(other.does("play", both, "roll", "--order", "cube: roll", "--no-mail")["file"])
    seen = []
    for _ in range(8):
        writes = to_act(players, ordered)
        if writes is other:
            seen += [
                option
                for option in writes.does("moves", ordered)["options"]
                if "/" not in option and not option.startswith("resign")
            ]
        ordered = step(players, ordered)
    assert seen == [], "whoever has ordered it is not asked before their throws any more"


def test_whoever_owes_nothing_may_sign_the_end_once(players: dict[str, Player]) -> None:
    """Ben gives up, so Ann has signed nothing since; nobody waits for her, and she says a word with
    it."""
    file = begun(players, "--match", "3", "--clock", "30+3")
    ann, ben = players["Ann"], players["Ben"]
    for _ in range(4):
        file = step(players, file)
    while to_act(players, file) is ann:
        file = step(players, file)
    over = str(ben.does("resign", file, "--yes", "--no-mail")["file"])
    assert "pbem play FILE" in ann.types("show", over)[1]
    facts = ann.does("show", over)
    assert facts["may_close"] is True and facts["to_act"] == [] and facts["over"]["proven"] is True
    assert ben.does("show", over)["may_close"] is False
    (listed,) = ann.does("inbox")["games"]
    assert listed["yours"] is False
    assert ann.types("play", over, "roll", "--no-mail")[0] == 1, "there is nothing to answer"
    assert ann.types("play", over, "--grant", "3", "--no-mail")[0] == 1
    seen = str(ann.does("play", over, "--message", "A good match", "--no-mail")["file"])
    entry = turnfile.read((ann.folder / seen).read_bytes()).entries[-1]
    assert set(entry.fields) == {"seat", "date", "received", "nonce", "end", "message", "position"}
    after = ben.does("show", seen)
    assert (
        after["entries"][-1]["seen_end"] is True
        and after["entries"][-1]["message"] == "A good match"
    )
    assert (after["over"], after["clock"], after["to_act"]) == (facts["over"], facts["clock"], [])
    assert ann.types("play", seen, "--no-mail")[0] == ben.types("play", seen, "--no-mail")[0] == 1
    assert ann.does("play", over, "--no-mail")["file"] == seen, "a turn is signed once"
    assert ben.types("verify", seen)[0] == 0


@pytest.mark.dear("runs both verifiers over whole games")
@needs_node
@pytest.mark.parametrize("settings", [{"match": 3}, {"games": 2, "jacoby": 1, "beavers": 1}])
def test_both_verifiers_judge_whole_games_alike(settings: dict[str, int], tmp_path: Path) -> None:
    simulate("backgammon", 4, "5", by_mail=True, settings=settings, keep=tmp_path)
    cases = [(path.name, path.read_bytes()) for path in sorted(tmp_path.rglob("*.toml"))]
    found = compare(cases)
    assert found.judged == 4 and found.failed == 0 and found.different == []


def test_a_simulation_counts_the_mails_of_each_way_to_decide_about_the_cube() -> None:
    facts = simulate("backgammon", 1, "ways", by_mail=True)
    assert isinstance(facts, MailSeriesFacts) and list(facts.ways) == [
        "at once",
        "ask",
        "order",
        "seal",
    ]
    ask, order, seal = (facts.ways[name].entries_per_season for name in ("ask", "order", "seal"))
    at_once = facts.ways["at once"].entries_per_season
    assert ask > 1.5 > 1.2 > max(order, seal, at_once), (
        "a question costs two mails a turn, the others none"
    )
    assert facts.ways["ask"].mails_deciding_nothing > facts.ways["order"].mails_deciding_nothing
    told = in_words(facts)
    assert [str(way.entries_per_season) in told for way in facts.ways.values()] == [True] * 4
    without = in_words(replace(facts, ways={}))
    assert len(told.splitlines()) == len(without.splitlines()) + 5
