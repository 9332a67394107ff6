"""Boards of fields (`pbem.games.grid`), and the games that have one (`examples/boards`)."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.flow import Answer, Ask, Roll
from engine.notation import sentences, understand_answer
from engine.rules import Game, Rules
from engine.table import OpenTable
from pbem.games import registry
from pbem.games.grid import CHAIN, COLOURS, Fields, Grid, GridPiece, Shape, concerns
from pbem.games.stage import StageBoard, StageWay, as_json
from pbem.report import board_words, picture, terminal_board
from pbem.report.board import board_at
from pbem.simulate import series
from tests.support.in_words import answered
from tests.support.plugins import BOARDS

PIECES = {
    "man": GridPiece("man", "white", "white man", "white men", sign="o"),
    "king": GridPiece("king", "black", "black king"),
    "three": GridPiece("die", "red", "red three", on_it="3"),
    "queen": GridPiece("chess-queen", "black", "black queen", sign="q"),
}


@pytest.fixture
def hex_rules(boards: None) -> Rules:
    return registry.newest("hex")


@pytest.fixture
def einstein(boards: None) -> Rules:
    return registry.newest("einstein")


def grid(fields: Fields = "squares", columns: int = 8, rows: int = 8, **more: Any) -> Grid:
    return Grid(fields, columns, rows, PIECES, **more)


# ---- any grid ------------------------------------------------------------------------------------


@given(
    st.sampled_from(("squares", "hexes", "points")),
    st.integers(1, 19),
    st.integers(1, 19),
    st.booleans(),
    st.booleans(),
    st.sampled_from(("", "i")),
)
def test_every_field_has_a_name_and_a_spot_of_its_own_on_the_board(
    fields: Fields, columns: int, rows: int, counts_up: bool, turned: bool, skips: str
) -> None:
    made = grid(fields, columns, rows, counts_up=counts_up, turned=turned, skips=skips)
    board = made.board({})
    assert [made.name(*made.at(name)) for name in made.names] == list(made.names)
    assert len({place.at for place in board.places}) == len(set(made.names)) == columns * rows
    left, top, wide, high = board.whole
    for place in board.places:
        assert place.at is not None and place.box is not None
        (x, y), (across, down) = place.at, place.box
        assert left < x - across / 2 and x + across / 2 < left + wide
        assert top < y - down / 2 and y + down / 2 < top + high
    assert not any("i" in name for name in made.names if skips)


def test_a_turned_board_is_seen_from_the_other_side() -> None:
    for fields in ("squares", "hexes", "points"):
        spots, other = (
            {place.name: place.at for place in grid(fields, 5, 4, turned=turned).board({}).places}
            for turned in (False, True)
        )
        names = grid(fields, 5, 4).names
        assert [spots[name] for name in names] == [other[name] for name in reversed(names)]


def test_a_board_that_cannot_be_is_refused() -> None:
    for wrong in (
        lambda: grid(columns=27),
        lambda: grid(rows=0),
        lambda: grid(columns=26, skips="i"),
        lambda: grid(edges={"top": "pink"}),
        lambda: GridPiece("disc", "url(#x)", "disc"),
        lambda: GridPiece("letter", "red", "letter", on_it="abc"),
        lambda: grid().board({"j1": "man"}),
        lambda: grid().board({"a1": "woman"}),
        lambda: grid().board({"a1": "man"}, marks={"a1": "mark-x"}),
        lambda: grid().board({}, marks={"a9": CHAIN}),
    ):
        with pytest.raises(ValueError, match=r"grid|no (colour|field|piece|mark)|fit"):
            wrong()


def on_terminal(board: StageBoard, width: int = 80) -> list[str]:
    return terminal_board.forms(board, width)[0].text.plain.split("\n")


def test_a_board_of_squares_in_letters_and_in_words() -> None:
    there: dict[str, str | tuple[str, int]] = {
        "a1": "man",
        "b2": ("man", 3),
        "c3": "king",
        "d1": "three",
    }
    board = grid(columns=4, rows=3, counts_up=True).board(
        there, {"a1": "man"}, marks={"c3": "mark-check"}
    )
    assert [line.rstrip() for line in on_terminal(board)[1:-1]] == [
        "  a   b   c   d",
        "3 ·   ·   B!  ·",
        "2 ·   3o* ·   ·",
        "1 o   ·   ·   3*",
        "B black king, ! in check, o white man, 3 red three",
    ]
    said = dict(board_words.words_of(board).places)
    assert said == {
        "white men": "b2 3  a1",
        "black kings": "c3",
        "in check": "c3",
        "red threes": "d1",
    }


def test_the_last_move_is_framed_in_place_of_what_differs() -> None:
    def framed(**more: Any) -> list[str]:
        board = grid().board({"a1": "man"}, {"b1": "man"}, **more)
        return [place.name for place in board.places if place.marked]

    assert sorted(framed()) == ["a1", "b1"]
    assert sorted(framed(last=("c1", "a1"))) == ["a1", "c1"]


def test_a_man_of_chess_has_a_drawing_of_its_own(hex_rules: Rules) -> None:
    shapes = [shape for shape in get_args(Shape) if shape.startswith("chess-")]
    drawn = set()
    for shape in shapes:
        board = Grid("squares", 2, 2, {"one": GridPiece(shape, "black", "one")}).board(
            {"a1": "one"}
        )
        ground = picture.backdrop(hex_rules.name, board)
        symbol = re.search(r'<g id="one">(.*?)</g>', ground, re.DOTALL)
        assert symbol is not None and "<circle" not in symbol[1]
        drawn.add(symbol[1])
    assert len(drawn) == len(shapes) == 6


def test_its_ground_does_not_go_to_a_page_and_has_a_symbol_for_each_piece(hex_rules: Rules) -> None:
    board = board_at("hex", hex_rules.begin({}).view(None, {}))
    assert "ground" not in as_json(board)
    symbols = set(re.findall(r'<g id="([\w-]+)"', picture.backdrop("hex", board)))
    assert symbols >= {"red", "blue", "mark-chain", "mark-check"}
    for red_edge in (COLOURS["red"][0], COLOURS["blue"][0]):
        assert picture.backdrop("hex", board).count(f'stroke="{red_edge}" stroke-width="26"') == 2


# ---- Hex -----------------------------------------------------------------------------------------


def played(rules: Rules, seed: int, **settings: int) -> tuple[OpenTable, Any]:
    rng = random.Random(seed)
    table = OpenTable(rules, {"size": 5, **settings}, rng)

    def choose(_game: Game, _ask: Ask, answers: Any) -> Answer:
        answer: Answer = answers[int(rng.random() * len(answers))]
        return answer

    return table, table.play(choose)


def connects(stones: dict[str, str], seat: str, size: int) -> bool:
    """Whether a side is joined, by filling from its edge: written without the rules' own search."""
    own = {(ord(n[0]) - 97, int(n[1:]) - 1) for n, owner in stones.items() if owner == seat}
    axis = int(seat == "red")
    reached = {spot for spot in own if spot[axis] == 0}
    while True:
        more = {
            (x, y)
            for x, y in own - reached
            if any(abs(x - u) <= 1 and abs(y - v) <= 1 and (x - u) != (y - v) for u, v in reached)
        }
        if not more:
            return any(spot[axis] == size - 1 for spot in reached)
        reached |= more


def test_games_at_random_end_with_one_winner_and_never_with_a_draw(hex_rules: Rules) -> None:
    for seed in range(200):
        table, outcome = played(hex_rules, seed, size=3 + seed % 5)
        view = table.game.view(None, {})
        (winner,) = outcome.winners
        names = ("red", "blue")
        size = view["size"]
        assert connects(view["stones"], names[winner], size)
        assert not connects(view["stones"], names[1 - winner], size)
        chain = {name: view["stones"][name] for name in view["chain"]}
        assert connects(chain, names[winner], size), "what is marked is the chain"


def asked(rules: Rules, *said: str, **settings: int) -> tuple[Game, Ask]:
    """The game after these answers in words, and what is asked then."""
    game = rules.begin(settings)
    ask = answered(rules, game, *said)
    assert isinstance(ask, Ask)
    return game, ask


def test_the_swap_mirrors_the_first_stone_once(hex_rules: Rules) -> None:
    game, ask = asked(hex_rules, "b3", "swap")
    assert game.view(None, {})["stones"] == {"c2": "blue"}
    assert ask.seat == 0 and "swap" not in sentences(hex_rules, game, ask, {})
    for said, settings in (((), {}), (("b3", "c3"), {}), (("b3",), {"no-swap": 1})):
        _, ask = asked(hex_rules, *said, **settings)
        assert "swap" not in sentences(hex_rules, game, ask, {})


def test_a_refusal_says_why(hex_rules: Rules) -> None:
    for words, why in (("b3", "b3 has a red stone"), ("swap", "only blue may swap")):
        said = ("b3", "c3") if words == "swap" else ("b3",)
        with pytest.raises(Exception, match=why):
            asked(hex_rules, *said, words)


def test_a_hex_is_clicked_and_the_swap_is_a_button(hex_rules: Rules) -> None:
    game, ask = asked(hex_rules, "b3", size=19)
    about = {
        said: concerns(answer, hex_rules, game).places
        for said, answer in sentences(hex_rules, game, ask, {}).items()
    }
    assert about.pop("swap") == ()
    assert all(places == (said,) for said, places in about.items())
    assert set(about) | {"b3"} == set(Grid("hexes", 19, 19, {}).names)


def test_sizes_that_cannot_be_are_refused(hex_rules: Rules) -> None:
    for settings in ({"size": 2}, {"size": 20}, {"no-swap": 2}, {"other": 1}):
        with pytest.raises(ValueError, match=r"size|swap|no setting"):
            hex_rules.seats(settings)


def test_it_is_played_by_mail(hex_rules: Rules) -> None:
    assert series.simulate("hex", 1, "1", by_mail=True)


def test_the_largest_board_has_room_in_a_terminal_of_eighty_columns(hex_rules: Rules) -> None:
    table, _ = played(hex_rules, 1, size=19)
    view = table.game.view(None, {})
    lines = on_terminal(board_at("hex", view))
    assert max(map(len, lines)) <= 80 and len(lines) <= 24
    assert sum(line.count("+") for line in lines[3:-2]) == len(view["chain"]) >= 19


def test_a_game_of_a_grid_brings_no_drawing_and_a_short_board() -> None:
    assert not list(Path(BOARDS).rglob("*.svg*")) and not list(Path(BOARDS).rglob("*.js"))
    board = (BOARDS / "pbem_hex" / "board.py").read_text(encoding="utf-8")
    body = board.partition("def board")[2].partition('"""')[2].partition('"""')[2]
    assert len(body.strip().splitlines()) <= 11


# ---- EinStein würfelt nicht! ---------------------------------------------------------------------


def laid_out(rules: Rules, *dice: int) -> tuple[Game, Any, Any]:
    """A game in which the first dice are all 1, so that stones lie by number, and the first throw
    for a move; with its flow and the first question."""
    game = rules.begin({})
    flow = game.flow()
    request = next(flow)
    while isinstance(request, Roll) and request.reason == "layout":
        assert request.number == 1
        request = flow.send((1,))
    assert isinstance(request, Roll) and (request.sides, request.reason) == (6, "move")
    return game, flow, flow.send((dice[0],))


def test_the_die_says_which_stone_goes(einstein: Rules) -> None:
    game, _, ask = laid_out(einstein, 3)
    assert game.view(None, {})["stones"]["c5"] == "red-3"
    assert set(sentences(einstein, game, ask, {})) == {"c5 d5", "c5 c4", "c5 d4"}
    with pytest.raises(Exception, match="stone 1 may not go after a 3"):
        understand_answer(einstein, game, ask, "a5 b4", sentences(einstein, game, ask, {}), {})
    with pytest.raises(Exception, match="that stone is white's"):
        understand_answer(einstein, game, ask, "e1 d1", sentences(einstein, game, ask, {}), {})


@pytest.mark.parametrize(
    ("first", "taking", "die", "may_go"),
    [(1, "a5 b4", 5, [4, 6]), (1, "a5 b4", 4, [4]), (4, "a4 a3", 6, [5])],
)
def test_of_a_stone_that_is_gone_the_next_numbers_go(
    einstein: Rules, first: int, taking: str, die: int, may_go: list[int]
) -> None:
    """Red takes an own stone, white goes, and red throws the number of that stone."""
    game, flow, ask = laid_out(einstein, first)
    for move, thrown in ((taking, 6), ("e3 d3", die)):
        legal = sentences(einstein, game, ask, {})
        roll = flow.send(understand_answer(einstein, game, ask, move, legal, {}))
        assert isinstance(roll, Roll)
        ask = flow.send((thrown,))
    assert game.view(None, {})["may_go"] == may_go


def test_every_random_game_of_it_ends_in_the_corner_or_with_one_colour(einstein: Rules) -> None:
    ends = set()
    for seed in range(300):
        rng = random.Random(seed)
        table = OpenTable(einstein, {}, rng)

        def choose(game: Game, ask: Ask, answers: Any, rng: random.Random = rng) -> Answer:
            view = game.view(None, {})
            own = {name for name, kind in view["stones"].items() if kind.startswith(view["turn"])}
            for answer in answers:
                source, target = concerns(answer, einstein, game).places
                assert source in own
                right, down = ord(target[0]) - ord(source[0]), int(source[1]) - int(target[1])
                way = 1 if view["turn"] == "red" else -1
                assert (right * way, down * way) in {(1, 0), (0, 1), (1, 1)}
            answer = answers[int(rng.random() * len(answers))]
            assert isinstance(answer, Answer)
            return answer

        outcome = table.play(choose)
        stones = table.game.view(None, {})["stones"]
        (winner,) = outcome.winners
        seat, goal = (("red", "e1"), ("white", "a5"))[winner]
        is_there = stones.get(goal, "").startswith(seat)
        assert is_there or {kind.partition("-")[0] for kind in stones.values()} == {seat}
        ends.add(is_there)
    assert ends == {True, False}


def test_a_die_is_seen_and_what_moved_has_a_frame(einstein: Rules) -> None:
    game, _, _ = laid_out(einstein, 3)
    view = game.view(None, {})
    stones = dict(view["stones"])
    moved = stones.pop("a5")
    board = board_at("einstein", view, {**view, "stones": {**stones, "b4": moved}}, ())
    assert board.thrown is not None and board.thrown.throws[0].dice == [3]
    assert {place.name for place in board.places if place.marked} == {"a5", "b4"}
    assert any("may go: 3" in line for line in on_terminal(board))


def test_an_arrow_is_drawn_on_a_grid() -> None:
    grid = Grid("squares", 3, 3, {"one": GridPiece("disc", "red", "one")})
    board = grid.board({"b2": "one"}, ways=[StageWay("a1", "b2")])
    assert [(way.source, way.target) for way in board.ways] == [("a1", "b2")]


def test_men_of_chess_have_the_letters_in_their_fields_and_stones_touch() -> None:
    men = Grid("squares", 8, 8, {"one": GridPiece("chess-rook", "white", "rook")}, counts_up=True)
    discs = Grid("squares", 8, 8, {"one": GridPiece("disc", "white", "man")})
    stones = Grid("points", 19, 19, {"one": GridPiece("stone", "white", "stone")})
    for grid, is_inside in ((men, True), (discs, False)):
        board = grid.board({})
        assert board.ground is not None and len(board.ground.words) == 16
        spots = [one.at for one in board.places if one.at]
        left, low = min(x for x, _ in spots) - 30, max(y for _, y in spots) + 30
        for word in board.ground.words:
            assert (left < word.x and word.y < low) is is_inside, word
            assert board.whole[0] < word.x and word.y < board.whole[1] + board.whole[3], word
    size = stones.board({}).piece_size
    assert size is not None and 0.9 < size / 40 * 37.2 / 60 <= 1


def test_its_die_is_proven_by_mail(einstein: Rules) -> None:
    assert series.simulate("einstein", 1, "1", by_mail=True)
