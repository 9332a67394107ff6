"""Go (`examples/boards/pbem_go`): what a play takes, which plays repeat a board, how it is
counted."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest

from engine.flow import Answer, Ask, Outcome
from engine.rules import Game, Rules
from engine.table import OpenTable
from pbem.games.descriptor import load
from pbem.games.grid import AREA_BLACK, AREA_WHITE, DEAD, concerns
from pbem.games.record import GameRecord, Said
from pbem.report import terminal_board
from pbem.simulate import series
from tests.support.in_words import answered


def played(rules: Rules, *said: str, **settings: int) -> tuple[Game, Any]:
    """The game after these answers in words, and what is asked then, or how it ended."""
    game = rules.begin({"size": 9, **settings})
    game.story = []
    return game, answered(rules, game, *said)


def stones(game: Game) -> dict[str, str]:
    found: dict[str, str] = game.view(None, {})["stones"]
    return found


CORNER = ("b9", "a9", "a8")
"""White's stone in the corner is taken."""
KO = ("b5", "c5", "a4", "d4", "b3", "c3", "c4", "b4")
"""A ko: white has just taken the black stone on c4."""


def test_a_group_without_a_free_point_is_taken(go: Rules) -> None:
    game, ask = played(go, *CORNER)
    assert stones(game) == {"b9": "black", "a8": "black"}
    assert game.view(None, {})["taken"] == {"black": 1, "white": 0}
    assert ("play", "a9") not in ask.options, "alone it would be taken at once"
    two = ("b9", "a9", "b8", "a8", "a7")
    game, _ = played(go, *two)
    assert stones(game) == {"b9": "black", "b8": "black", "a7": "black"}


def test_own_stones_go_where_a_play_leaves_them_nothing(go: Rules) -> None:
    game, _ = played(go, "b9", "a8", "pass", "b8", "pass", "c9", "a9")
    assert stones(game) == {"a8": "white", "b8": "white", "c9": "white"}
    assert game.view(None, {})["taken"] == {"black": 0, "white": 2}


def test_a_board_that_was_there_is_not_brought_back(go: Rules) -> None:
    game, ask = played(go, *KO)
    assert "c4" not in stones(game) and ("play", "c4") not in ask.options
    with pytest.raises(Exception, match="a board that was there"):
        played(go, *KO, "c4")
    _, ask = played(go, *KO, "h1", "h9")
    assert ("play", "c4") in ask.options, "after a play elsewhere it is another board"


def naive(board: dict[str, str], seat: str, name: str) -> dict[str, str]:
    """The board after a play, written without the rules' own."""

    def around(point: str) -> list[str]:
        column, row = "abcdefghj".index(point[0]), int(point[1:])
        spots = ((column + 1, row), (column - 1, row), (column, row + 1), (column, row - 1))
        return [f"{'abcdefghj'[x]}{y}" for x, y in spots if 0 <= x < 9 and 1 <= y <= 9]

    def is_stuck(point: str, seen: set[str]) -> bool:
        seen.add(point)
        return all(
            other in after
            and (after[other] != after[point] or other in seen or is_stuck(other, seen))
            for other in around(point)
        )

    after = {**board, name: seat}
    for owner in ({"black": "white", "white": "black"}[seat], seat):
        gone = [one for one in after if after[one] == owner and is_stuck(one, set())]
        for one in gone:
            del after[one]
    return after


def test_games_at_random_are_those_of_plain_rules(go: Rules) -> None:
    for seed in range(3):
        table = OpenTable(go, {"size": 9}, random.Random(seed))
        rng, seen = random.Random(seed), [dict[str, str]()]

        def choose(
            game: Game,
            ask: Ask,
            answers: Any,
            rng: random.Random = rng,
            seen: list[dict[str, str]] = seen,
        ) -> Answer:
            if ask.rule == "play":
                assert stones(game) == seen[-1]
                seat = game.view(None, {})["turn"]
                legal = {one[1] for one in ask.options if one[0] == "play"}
                for name in rng.sample([f"{x}{y}" for x in "abcdefghj" for y in range(1, 10)], 6):
                    is_free = name not in seen[-1]
                    assert (name in legal) == (is_free and naive(seen[-1], seat, name) not in seen)
            answer: Answer = answers[int(rng.random() * len(answers))]
            if ask.rule == "play" and answer.option[0] == "play":
                seen.append(naive(seen[-1], game.view(None, {})["turn"], answer.option[1]))
            return answer

        outcome = table.play(choose)
        assert len(outcome.winners) == 1 and len(seen) > 40


WALLS = tuple(words for row in range(1, 10) for words in (f"d{row}", f"e{row}"))
"""Black has the columns up to d, white those from e."""


def test_what_is_reached_from_one_colour_counts(go: Rules) -> None:
    game, outcome = played(go, *WALLS, "pass", "pass", "count", "agree")
    assert isinstance(outcome, Outcome) and outcome.winners == (1,)
    assert game.view(None, {})["points"] == {"black": 36, "white": 45}
    _, outcome = played(go, *WALLS, "pass", "pass", "count", "agree", komi=0)
    assert outcome.winners == (1,)
    _, outcome = played(go, "a1", "pass", "pass", "count", "agree")
    assert outcome.winners == (0,), "one stone reaches all of it"
    _, outcome = played(go, "pass", "pass")
    assert outcome.winners == (1,)


DEAD_STONE = (*WALLS, "g5", "pass", "pass")


def test_dead_stones_are_offered_and_agreed_on(go: Rules) -> None:
    game, ask = played(go, *DEAD_STONE)
    assert ask.seat == 1 and ask.rule == "dead"
    assert concerns(Answer(ask.options[0]), go, game).places == (ask.options[0][1],)
    assert game.view(None, {})["points"]["white"] == 9, "the stone spoils all"
    game, ask = played(go, *DEAD_STONE, "dead g5")
    assert ("dead", "g5") not in ask.options and game.view(None, {})["points"]["white"] == 45
    assert game.view(None, {})["dead"] == ["g5"]
    game, ask = played(go, *DEAD_STONE, "dead g5", "count")
    assert ask.seat == 0 and game.view(None, {})["turn"] == "black"
    game, outcome = played(go, *DEAD_STONE, "dead g5", "count", "agree")
    assert outcome.winners == (1,) and "white 45" in outcome.how


def test_who_does_not_agree_plays_on_and_then_what_stands_counts(go: Rules) -> None:
    game, ask = played(go, *DEAD_STONE, "dead g5", "count", "play on")
    assert ask.rule == "play" and ask.seat == 1 and game.view(None, {})["dead"] == []
    _, outcome = played(go, *DEAD_STONE, "dead g5", "count", "play on", "pass", "pass")
    assert isinstance(outcome, Outcome) and "white 9" in outcome.how


def test_stones_that_black_is_given(go: Rules) -> None:
    game, ask = played(go, size=19, handicap=4)
    assert set(stones(game)) == {"d4", "d16", "q4", "q16"} and ask.seat == 1
    assert game.view(None, {})["komi"] == 0
    assert played(go, size=19, handicap=2, komi=5)[0].view(None, {})["komi"] == 5
    assert set(stones(played(go, handicap=9)[0])) == {f"{x}{y}" for x in "ceg" for y in (3, 5, 7)}
    for wrong in ({"size": 10}, {"handicap": 1}, {"handicap": 10}, {"komi": 100}, {"x": 1}):
        with pytest.raises(ValueError, match=r"lines|before|handicap is|komi is|no setting"):
            go.seats(wrong)


def test_what_counts_is_marked_on_the_board(go: Rules) -> None:
    board = load("pbem_go.board:board")
    game, _ = played(go, *DEAD_STONE, "dead g5")
    marks = {
        place.name: [piece.kind for piece in place.pieces if piece.kind.startswith("mark-")]
        for place in board(game.view(None, {}), None, ()).places
    }
    assert marks["g5"] == [DEAD] and marks["a1"] == [AREA_BLACK] and marks["j9"] == [AREA_WHITE]
    assert marks["d1"] == []
    game, _ = played(go, "e5")
    assert [one.name for one in board(game.view(None, {}), None, ()).places if one.marked] == ["e5"]


def test_the_largest_board_has_room_in_a_terminal_of_eighty_columns(go: Rules) -> None:
    game, _ = played(go, "q16", "d4", size=19)
    board = load("pbem_go.board:board")(game.view(None, {}), None, ())
    lines = terminal_board.forms(board, 80)[0].text.plain.split("\n")
    assert max(map(len, lines)) <= 80 and len(lines) <= 25


def test_a_game_is_told_as_sgf(go: Rules) -> None:
    game, outcome = played(go, "e5", "pass", "pass", "count", "agree", handicap=2)
    assert isinstance(outcome, Outcome)
    said = (Said(0, "hello", 0), Said(1, "a ] and \\", 1), Said(0, "bye", 5))
    names = ("Ann", "B]en")
    record = GameRecord(
        names, {"size": 9, "handicap": 2}, "2026-11-29", tuple(game.story or ()), outcome, said
    )
    told = load("pbem_go.sgf:sgf")(record)
    assert told.startswith("(;GM[1]FF[4]") and told.endswith(")\n")
    nodes = re.split(r"\n(?=;)", told[1:-2])
    assert "SZ[9]KM[0.5]DT[2026-11-29]" in nodes[0] and r"PB[Ann]PW[B\]en]RE[" in nodes[0]
    assert nodes[0].endswith("HA[2]AB[gc][cg]C[Ann: hello]")
    assert nodes[1:] == [
        ";W[ee]C[B]en: a ] and \\]".replace("B]", "B\\]").replace("a ] and \\", "a \\] and \\\\"),
        ";B[]",
        ";W[]C[Ann: bye]",
    ]


def test_it_is_played_by_mail(boards: None) -> None:
    assert series.simulate("go", 1, "1", settings={"size": 9}, by_mail=True)
