"""The board games of `examples/boards` against those of others, where these are installed
(`pip install open_spiel chess`): games at random, the same moves in both."""

from __future__ import annotations

import io
import random
import re
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

import pytest

from engine.flow import Answer, Ask, Flow, Outcome, Request, Roll
from engine.rules import Game
from engine.table import Choose, OpenTable
from pbem.games.record import GameRecord, Said
from tests.support.plugins import BOARDS

GAMES = 1000
Record = Callable[[str, object], None]
pytestmark = pytest.mark.slow


@pytest.fixture
def spiel(monkeypatch: pytest.MonkeyPatch) -> Any:
    found = pytest.importorskip("pyspiel", reason="no OpenSpiel here: pip install open_spiel")
    monkeypatch.syspath_prepend(str(BOARDS))
    return found


def sent(flow: Flow[Outcome], answer: Answer) -> Request | Outcome:
    """What the game asks next, or how it ended."""
    try:
        return flow.send(answer)
    except StopIteration as end:
        outcome: Outcome = end.value
        return outcome


def test_hex_is_that_of_openspiel(spiel: Any, record_property: Record) -> None:
    rules = import_module("pbem_hex.game").RULES
    moves = 0
    for seed in range(GAMES):
        rng = random.Random(seed)
        size = rng.choice((3, 5, 8, 11))
        state = spiel.load_game(f"hex(board_size={size})").new_initial_state()
        flow = rules.begin({"size": size, "no-swap": 1}).flow()
        ask = next(flow)
        while not state.is_terminal():
            assert isinstance(ask, Ask) and ask.seat == state.current_player()
            theirs = {state.action_to_string(ask.seat, one): one for one in state.legal_actions()}
            ours = {rules.words(option): option for option in ask.options}
            assert set(theirs) == set(ours), (seed, str(state))
            words = rng.choice(sorted(ours))
            state.apply_action(theirs[words])
            moves += 1
            ask = sent(flow, Answer(ours[words]))
            if isinstance(ask, Outcome):
                assert state.is_terminal(), (seed, str(state))
                assert state.returns()[ask.winners[0]] == 1, (seed, str(state))
                break
        else:
            pytest.fail(f"game {seed} is over there and goes on here: {state}")
    record_property("figure", f"Hex: {GAMES} games, {moves} moves as OpenSpiel has them")


Board = dict[tuple[int, int], tuple[int, int]]


def board_of(state: Any, first: str) -> Board:
    """OpenSpiel's board as ours, with the side that begins in the upper left corner: owner and
    number by column and row."""
    rows = str(state).split("\n")[:5]
    cells = [re.findall(r"\|(..)\|", row) for row in rows]
    board = {
        (column, row): (int(cell[0] != first), int(cell[1]))
        for row, line in enumerate(cells)
        for column, cell in enumerate(line)
        if cell != "__"
    }
    return board if first == "b" else {(4 - x, 4 - y): held for (x, y), held in board.items()}


def test_einstein_is_that_of_openspiel(spiel: Any, record_property: Record) -> None:
    made = import_module("pbem_einstein.game")
    moves = 0
    for seed in range(GAMES):
        rng = random.Random(seed)
        state = spiel.load_game("einstein_wurfelt_nicht").new_initial_state()
        for _ in range(2):
            state.apply_action(rng.choice(state.chance_outcomes())[0])
        probe = state.clone()
        probe.apply_action(0)
        first = probe.action_to_string(probe.current_player(), probe.legal_actions()[0])[0].lower()
        seats = {probe.current_player(): 0, 1 - probe.current_player(): 1}
        game = made.RULES.begin({})
        flow = game.flow()
        request = laid_out_alike(flow, made.HOMES, board_of(state, first))
        while True:
            assert game.stones == board_of(state, first), (seed, str(state))
            die = rng.randint(1, 6)
            assert isinstance(request, Roll) and state.is_chance_node()
            state.apply_action(die - 1)
            ask = flow.send((die,))
            assert isinstance(ask, Ask) and ask.seat == seats[state.current_player()]
            theirs = {key(board_of(state.child(one), first)): one for one in state.legal_actions()}
            ours = {key(after(game.stones, option)): option for option in ask.options}
            assert set(theirs) == set(ours), (seed, die, str(state))
            chosen = rng.choice(sorted(ours))
            state.apply_action(theirs[chosen])
            moves += 1
            request = sent(flow, Answer(ours[chosen]))
            if isinstance(request, Outcome):
                assert state.is_terminal(), (seed, str(state))
                won = max(seats, key=lambda player: state.returns()[player])
                assert request.winners == (seats[won],), (seed, str(state))
                break
            assert not state.is_terminal(), (seed, str(state))
    record_property("figure", f"EinStein: {GAMES} games, {moves} moves as OpenSpiel has them")


def laid_out_alike(flow: Any, homes: Any, board: Board) -> Any:
    """Answer the throws that lay out the stones so that they lie as there; the request after
    them."""
    request = next(flow)
    for home in homes:
        left = list(range(1, 7))
        for spot in home:
            nth = left.index(board[spot][1])
            left.pop(nth)
            if left:
                assert request.reason == "layout"
                request = flow.send((nth + 1,))
    return request


def after(stones: Board, option: Any) -> Board:
    """The board after a move, written without the game's own."""
    _, column, row, across, down = option
    rest = {spot: held for spot, held in stones.items() if spot != (column, row)}
    return {**rest, (across, down): stones[column, row]}


def key(board: Board) -> tuple[Any, ...]:
    return tuple(sorted(board.items()))


# ---- chess, against python-chess ---------------------------------------------------------------

CHESS_GAMES = 2000
ENDS = {
    "CHECKMATE": "checkmate",
    "STALEMATE": "stalemate",
    "INSUFFICIENT_MATERIAL": "neither side has",
    "SEVENTYFIVE_MOVES": "seventy-five moves",
    "FIVEFOLD_REPETITION": "the fifth time",
}


@pytest.fixture
def theirs(monkeypatch: pytest.MonkeyPatch) -> Any:
    found = pytest.importorskip("chess", reason="no python-chess here: pip install chess")
    monkeypatch.syspath_prepend(str(BOARDS))
    return found


def test_chess_is_that_of_python_chess(theirs: Any, record_property: Record) -> None:
    """Every second game from a first row of Chess960. The same moves are legal at every turn, each
    move that is played is written alike, a draw can be claimed where it can there, and the games
    end alike."""
    rules, moves = import_module("pbem_chess.game").RULES, 0
    for seed in range(CHESS_GAMES):
        rng = random.Random(seed)
        board = theirs.Board.from_chess960_pos(rng.randrange(960) if seed % 2 else 518)
        game = rules.with_data([f"position: {board.fen()}"]).begin({})
        flow = game.flow()
        ask = next(flow)
        while isinstance(ask, Ask):
            known = {key_of(move): move for move in board.legal_moves}
            ours = {our_key(move): nth for nth, move in enumerate(game.legal)}
            assert ours.keys() == known.keys(), board.fen()
            may_claim = len(ask.options) > len(ours)
            if may_claim or moves % 16 == 0:  # dear there
                assert may_claim == board.can_claim_draw(), board.fen()
            chosen = rng.choice(sorted(ours))
            option = ask.options[ours[chosen]]
            assert rules.words(option) == board.san(known[chosen]), board.fen()
            board.push(known[chosen])
            moves += 1
            ask = sent(flow, Answer(option))
        end = board.outcome()
        assert end is not None, (seed, ask)
        both = board.is_stalemate() and board.is_insufficient_material()  # then it has the other
        assert ENDS[end.termination.name] in ask.how or both, (seed, ask)
        assert ask.winners == (() if end.winner is None else (int(not end.winner),))
        assert game.view(None, {})["fen"] == board.fen()
    record_property("figure", f"Chess: {CHESS_GAMES} games, {moves} moves as python-chess has them")


Key = tuple[int, int, str]
"""From, to (of castling the rook's square) and what a pawn becomes; squares from a1."""


def key_of(move: Any) -> Key:
    return move.from_square, move.to_square, " pnbrqk"[move.promotion or 0].strip()


def our_key(move: Key) -> Key:
    source, target, kind = move
    return source ^ 56, target ^ 56, kind.lower() if kind in ("Q", "R", "B", "N") else ""


def test_python_chess_reads_the_pgn(theirs: Any) -> None:
    rules, reader = import_module("pbem_chess.game").RULES, import_module("chess.pgn")
    pgn, fen = (getattr(import_module("pbem_chess.pgn"), name) for name in ("pgn", "fen"))
    for seed in range(40):
        table = OpenTable(rules, {"shuffled": seed % 2}, random.Random(seed))
        table.game.story = []
        outcome = table.play(random_answer(table.chance.random))
        story = tuple(table.game.story)
        said = tuple(
            Said(nth % 2, f"{nth} }}[%clk 1]\n% {{", nth) for nth in range(0, len(story), 9)
        )
        record = GameRecord(("A", "B"), {"shuffled": seed % 2}, "2026-11-29", story, outcome, said)
        game = reader.read_game(io.StringIO(pgn(record)))
        assert game.errors == [] and game.headers["Result"] in ("1-0", "0-1", "1/2-1/2")
        moves = [event[3] for event in story if event[0] == "moved"]
        assert [node.san() for node in game.mainline()] == moves
        assert game.end().board().fen() == fen(record).strip()
        comments = " ".join([game.comment, *(node.comment for node in game.mainline())])
        assert " ".join(comments.split()).count("[ %clk 1]") == len(said)


def random_answer(random_number: Callable[[], float]) -> Choose:
    def choose(_game: Game, _ask: Ask, answers: Sequence[Answer]) -> Answer:
        return answers[int(random_number() * len(answers))]

    return choose


def test_every_row_of_chess960_is_numbered_as_usual(theirs: Any) -> None:
    row = import_module("pbem_chess.game").shuffled_row
    for number in range(960):
        rest, light = divmod(number, 4)
        rest, dark = divmod(rest, 4)
        knights, queen = divmod(rest, 6)
        fen = theirs.Board.from_chess960_pos(number).fen()
        assert fen.startswith(f"{row(light, dark, queen, knights).lower()}/")
