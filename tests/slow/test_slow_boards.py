"""The board games of `examples/boards` against those of others, where these are installed (`pip
install open_spiel chess sgfmill`, Debian's gnugo): games at random, the same moves in both."""

from __future__ import annotations

import io
import random
import re
import shutil
import subprocess
import time
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from engine.flow import Answer, Ask, Flow, Outcome, Request, Roll
from engine.rules import Game
from engine.table import Choose, OpenTable
from pbem.games.record import ClockMark, GameRecord, Said
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
            assert game.words(option) == board.san(known[chosen]), board.fen()
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
        clocks = tuple(
            ClockMark(event[1], 10_000_000 - 61 * nth, nth + 1)
            for nth, event in enumerate(story)
            if event[0] == "moved"
        )
        settings = {"shuffled": seed % 2}
        record = GameRecord(("A", "B"), settings, "2026-11-29", story, outcome, said, clocks)
        game = reader.read_game(io.StringIO(pgn(record)))
        assert game.errors == [] and game.headers["Result"] in ("1-0", "0-1", "1/2-1/2")
        moves = [event[3] for event in story if event[0] == "moved"]
        assert [node.san() for node in game.mainline()] == moves
        assert [node.clock() for node in game.mainline()] == [one.left for one in clocks]
        assert game.end().board().fen() == fen(record).strip()
        assert [*game.headers][:7] == [
            *("Event", "Site", "Date", "Round", "White", "Black", "Result")
        ]
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


def test_chess_is_about_as_fast_as_python_chess(theirs: Any, record_property: Record) -> None:
    """Random games from the usual position to their end, driven alike: a list of the legal moves,
    one of them, and how the game stands. In turns, and the fastest of each counts."""
    rules = import_module("pbem_chess.game").RULES

    def of_theirs(seed: int) -> None:
        rng, board = random.Random(seed), theirs.Board()
        while board.outcome(claim_draw=False) is None:
            moves = list(board.legal_moves)
            board.push(moves[int(rng.random() * len(moves))])

    def of_ours(seed: int) -> None:
        rng = random.Random(seed)
        OpenTable(rules, {}, rng).play(random_answer(rng.random))

    best = dict.fromkeys((of_ours, of_theirs), float("inf"))
    for round_ in range(5):
        for play in best:
            begun = time.process_time()
            for seed in range(10):
                play(10 * round_ + seed)
            best[play] = min(best[play], (time.process_time() - begun) / 10)
    ours, other = (1 / seconds for seconds in best.values())
    record_property("figure", f"Chess: {ours:.0f} games a second, python-chess {other:.0f}")
    assert ours > other / 2


# ---- Go, against gnugo and sgfmill -------------------------------------------------------------

GO_GAMES = 500
MOST_MOVES = 300


def gnugo() -> str:
    path = shutil.which("gnugo", path="/usr/games:/usr/bin:/usr/local/bin")
    return path or pytest.skip("no gnugo here: apt install gnugo")


def test_go_takes_what_gnugo_takes(
    monkeypatch: pytest.MonkeyPatch, record_property: Record
) -> None:
    """The stones on the board and the number of those taken, after each tenth move. What is legal
    here is legal there too, with positional superko and with own stones that take themselves."""
    monkeypatch.syspath_prepend(str(BOARDS))
    rules = import_module("pbem_go.game").RULES
    command = [gnugo(), "--mode", "gtp", "--positional-superko", "--allow-suicide"]
    moves = taken = 0
    for first in range(0, GO_GAMES, 50):  # one process for fifty
        said, wanted = list[str](), list[str]()
        for seed in range(first, first + 50):
            size = (9, 9, 9, 13, 19)[seed % 5]
            game, played = random_go(rules, size, random.Random(seed), said, wanted)
            moves += played
            taken += sum(game.taken)
        assert answers_of(command, said) == wanted
    record_property("figure", f"Go: {GO_GAMES} games, {moves} moves, {taken} stones as gnugo's")


def random_go(
    rules: Any, size: int, rng: random.Random, said: list[str], wanted: list[str]
) -> tuple[Any, int]:
    """Play a game, and add what is said of it to gnugo, and what that should answer."""
    game = rules.begin({"size": size})
    flow = game.flow()
    ask = next(flow)
    said += [f"boardsize {size}", "clear_board"]
    wanted += ["", ""]
    for number in range(MOST_MOVES):
        plays = [option for option in ask.options if option[0] == "play"]
        if not plays:
            break
        option = rng.choice(plays)
        said.append(f"play {'BW'[ask.seat]} {option[1]}")
        wanted.append("")
        ask = flow.send(Answer(option))
        if number % 10 == 9:
            add_board(game, said, wanted)
    add_board(game, said, wanted)
    return game, number + 1


def add_board(game: Any, said: list[str], wanted: list[str]) -> None:
    stones = game.view(None, {})["stones"]
    for seat, colour in enumerate(("black", "white")):
        said += [f"list_stones {colour}", f"captures {colour}"]
        there = sorted(name.upper() for name, owner in stones.items() if owner == colour)
        wanted += [" ".join(there), str(game.taken[seat])]


def answers_of(command: list[str], said: list[str]) -> list[str]:
    """What a program for Go answers to these commands (GTP); points of a list are sorted."""
    text = "".join(f"{one}\n" for one in [*said, "quit"])
    done = subprocess.run(command, input=text, capture_output=True, encoding="ascii", check=True)
    answers = done.stdout.split("\n\n")[: len(said)]
    assert (wrong := next((one for one in answers if not one.startswith("=")), None)) is None, wrong
    return [" ".join(sorted(one[1:].split())) for one in answers]


def test_sgfmill_reads_what_is_read_and_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """The twenty records of somebody else: the same board after all moves, by its own rules; and
    games told as SGF are read there."""
    reader = pytest.importorskip("sgfmill.sgf", reason="no sgfmill here: pip install sgfmill")
    plays = import_module("sgfmill.sgf_moves")
    monkeypatch.syspath_prepend(str(BOARDS))
    rules, sgf = import_module("pbem_go.game").RULES, import_module("pbem_go.sgf").sgf
    lines = import_module("pbem_go.record").lines
    records = sorted((Path(__file__).parents[1] / "games" / "records").glob("*.sgf"))
    for path in records:
        data = path.read_bytes()
        try:
            known = reader.Sgf_game.from_bytes(data)
        except ValueError:  # of several games the first one
            known = import_module("sgfmill.sgf_grammar").parse_sgf_collection(data)[0]
            known = reader.Sgf_game.from_coarse_game_tree(known)
        board, moves = plays.get_setup_and_moves(known)
        for colour, at in moves:
            if at is not None:
                board.play(*at, colour)
        text = data.decode("utf-8", errors="replace")
        game = rules.with_data([f"record: {line}" for line in lines(text)]).begin({})
        there = {
            f"{'abcdefghjklmnopqrst'[column]}{row + 1}": {"b": "black", "w": "white"}[colour]
            for colour, (row, column) in board.list_occupied_points()
        }
        assert game.view(None, {})["stones"] == there, path.name
        game.story = []
        next(game.flow())
        names = ("A ] \\", "B")
        told = sgf(GameRecord(names, {}, "2026-11-29", tuple(game.story), None))
        read = reader.Sgf_game.from_string(told)
        assert read.get_player_name("b") == names[0] and read.get_komi() == game.komi + 0.5
        assert len(plays.get_setup_and_moves(read)[1]) == len(moves)
