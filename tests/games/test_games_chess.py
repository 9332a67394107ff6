"""Chess (`examples/boards/pbem_chess`): its moves, how they are written, and how a game ends."""

from __future__ import annotations

import random
import re
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from engine.flow import Ambiguous, Answer, Ask, Illegal, NotUnderstood, Outcome, Refusal, Roll
from engine.notation import sentences, strange_word, understand_answer
from engine.rules import BadData, Game, Rules
from engine.table import OpenTable
from examples.correspondence import Player
from pbem.games.descriptor import load
from pbem.games.record import GameRecord, Said
from pbem.games.sample import problems_at
from pbem.report.board_words import words_of
from pbem.simulate import series
from tests.games.chess_positions import PERFT, PUBLIC
from tests.support.in_words import answered
from tests.support.plugins import BOARDS

START = PERFT[0][0]


@pytest.fixture
def chess(monkeypatch: pytest.MonkeyPatch) -> Rules:
    monkeypatch.syspath_prepend(str(BOARDS))
    rules: Rules = import_module("pbem_chess.game").RULES
    return rules


def position(fen: str) -> Any:
    return import_module("pbem_chess.position").read_fen(fen)


def begun(rules: Rules, fen: str, **settings: int) -> tuple[Game, Any, Any]:
    """A game from a position, its flow, and the first question."""
    game = rules.with_data([f"position: {fen}"]).begin(settings)
    flow = game.flow()
    return game, flow, next(flow)


def after(rules: Rules, fen: str, *said: str) -> tuple[Game, Any]:
    """The game after these answers in words, and what is asked then, or how it ended."""
    game = rules.with_data([f"position: {fen}"]).begin({})
    return game, answered(rules, game, *said)


def read(rules: Rules, fen: str, text: str) -> str:
    """What is signed for what a player writes."""
    game, _, ask = begun(rules, fen)
    answer = understand_answer(rules, game, ask, text, sentences(rules, game, ask, {}), {})
    return game.words(answer.option)


# ---- positions -----------------------------------------------------------------------------------


def perft(now: Any, depth: int) -> int:
    """How many games of so many moves begin here."""
    moves = now.moves()
    return len(moves) if depth == 1 else sum(perft(now.after(move), depth - 1) for move in moves)


@pytest.mark.parametrize(("fen", "counts"), PERFT)
def test_every_line_of_three_moves_is_counted(
    chess: Rules, fen: str, counts: tuple[int, ...]
) -> None:
    assert [perft(position(fen), depth) for depth in (1, 2, 3)] == list(counts[:3])


@pytest.mark.slow
@pytest.mark.parametrize(("fen", "counts"), PERFT)
def test_every_line_of_four_moves_is_counted(
    chess: Rules, fen: str, counts: tuple[int, ...]
) -> None:
    assert perft(position(fen), 4) == counts[3]


@pytest.mark.parametrize("fen", PUBLIC)
def test_a_public_position_is_read_and_written_as_it_was(chess: Rules, fen: str) -> None:
    game, _, ask = begun(chess, fen)
    assert game.view(None, {})["fen"] == fen
    table = OpenTable(chess, {}, random.Random(1))
    table.game = game
    answers = [Answer(option) for option in ask.options]
    assert not list(problems_at(chess, table, ask, answers, answers))
    for answer in answers:
        assert read(chess, fen, game.words(answer.option)) == game.words(answer.option)


@pytest.mark.parametrize(
    "fen",
    [
        "",
        "8/8/8/8/8/8/8/8 w - - 0 1",
        "4k3/8/8/8/8/8/8/4K2K w - - 0 1",
        "4k2P/8/8/8/8/8/8/4K3 w - - 0 1",
        "4k3/8/8/8/8/8/8/4K4 w - - 0 1",
        "4k3/9/8/8/8/8/8/4K3 w - - 0 1",
        "4k3/8/8/8/8/8/4K3 w - - 0 1",
        "4k3/8/8/8/8/8/8/4K3 x - - 0 1",
        "4k3/8/8/8/8/8/8/4K3 w K - 0 1",
        "4k3/8/8/8/8/8/8/4K2R w KK - 0 1",
        "4k3/8/8/8/8/8/8/4K2R w KH - 0 1",
        "4k3/8/8/8/8/8/8/4K3 w - e6 0 1",
        "4k3/8/8/8/8/8/8/4K3 w - e9 0 1",
        "4k3/8/8/8/8/8/8/4K3 w - - -1 1",
        "4k3/8/8/8/8/8/8/4K3 w - - 0 ²",
        "4k3/8/8/8/8/8/8/4K3 w - - 99999 1",
        "4k3/4Q3/8/8/8/8/8/4K3 w - - 0 1",
        "R3k3/8/4K3/8/8/8/8/8 b - - 0 1",
        "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
    ],
)
def test_no_game_begins_with_what_is_no_position_to_play(chess: Rules, fen: str) -> None:
    with pytest.raises(BadData):
        chess.with_data([f"position: {fen}"])


def test_a_game_has_one_position_and_that_is_not_shuffled(chess: Rules) -> None:
    with pytest.raises(BadData) as error:
        chess.with_data([f"position: {START}"] * 2)
    assert error.value.line == 1
    with pytest.raises(ValueError, match="shuffled"):
        chess.with_data([f"position: {PUBLIC[1]}"]).seats({"shuffled": 1})
    for settings in ({"shuffled": 2}, {"other": 1}):
        with pytest.raises(ValueError, match=r"shuffled|no setting"):
            chess.seats(settings)


# ---- notation ------------------------------------------------------------------------------------

BISHOP_OR_PAWN = "4k3/8/8/8/2n5/1P6/B3P3/4K2R w K - 0 1"
PROMOTES = "3rk3/2P5/8/8/8/8/8/4K3 w - - 0 1"
PASSING = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1"
KNIGHTS = "4k3/8/8/8/8/N7/8/N1B1K2N w - - 0 1"


@pytest.mark.parametrize(
    ("fen", "said", "meant"),
    [
        (START, "e4", "e4"),
        (START, "E4", "e4"),
        (START, "e2e4", "e4"),
        (START, "e2-e4", "e4"),
        (START, "e2 to e4", "e4"),
        (START, "nf3", "Nf3"),
        (START, "Ng1-f3!?", "Nf3"),
        (START, "g1f3", "Nf3"),
        (BISHOP_OR_PAWN, "bxc4", "bxc4"),
        (BISHOP_OR_PAWN, "b3xc4", "bxc4"),
        (BISHOP_OR_PAWN, "b:c4", "bxc4"),
        (BISHOP_OR_PAWN, "bc4", "bxc4"),
        (BISHOP_OR_PAWN, "O-O", "O-O"),
        (BISHOP_OR_PAWN, "0-0", "O-O"),
        (BISHOP_OR_PAWN, "oo", "O-O"),
        (BISHOP_OR_PAWN, "e1g1", "O-O"),
        (BISHOP_OR_PAWN, "e1h1", "O-O"),
        (BISHOP_OR_PAWN, "bb1", "Bb1"),
        (PROMOTES, "c8q", "c8=Q"),
        (PROMOTES, "cxd8=Q", "cxd8=Q+"),
        (PROMOTES, "cd8(N)", "cxd8=N"),
        (PROMOTES, "c7d8r+", "cxd8=R+"),
        (PASSING, "exd6", "exd6"),
        (PASSING, "exd6 e.p.", "exd6"),
        (PASSING, "e5d6", "exd6"),
        (KNIGHTS, "N1c2+", "N1c2"),
        (KNIGHTS, "Na1c2", "N1c2"),
        (KNIGHTS, "Nc4", "Nc4"),
        ("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1", "Ra8", "Ra8#"),
    ],
)
def test_a_move_is_read_as_players_write_it(chess: Rules, fen: str, said: str, meant: str) -> None:
    assert read(chess, fen, said) == meant


@pytest.mark.parametrize(
    ("fen", "said", "refusal"),
    [
        ("4k3/8/8/8/2n5/1P1B4/8/4K3 w - - 0 1", "bc4", Ambiguous),
        (PROMOTES, "c8", Ambiguous),
        (PROMOTES, "cd8", Ambiguous),
        (KNIGHTS, "Nc2", Ambiguous),
        (START, "e5", Illegal),
        (START, "Bc4", Illegal),
        (START, "Nxf3", Illegal),
        (START, "e4=Q", Illegal),
        (START, "O-O", Illegal),
        (START, "claim", Illegal),
        (START, "e4 claim", Illegal),
        (START, "e9", NotUnderstood),
        (START, "hello", NotUnderstood),
        (START, "", NotUnderstood),
        (START, "e4 e5", Illegal),
        (START, "e" * 10000, NotUnderstood),
        ("4k3/8/8/8/8/8/4r3/4K2R w K - 0 1", "O-O", Illegal),
    ],
)
def test_what_is_no_move_or_several_is_refused(
    chess: Rules, fen: str, said: str, refusal: type[Refusal]
) -> None:
    with pytest.raises(refusal):
        read(chess, fen, said)


def test_a_pawn_and_a_bishop_that_may_take_are_told_apart_by_the_letter(chess: Rules) -> None:
    fen = "4k3/8/8/8/2n5/1P1B4/8/4K3 w - - 0 1"
    assert read(chess, fen, "bxc4") == "bxc4"
    assert read(chess, fen, "Bxc4") == "Bxc4"


def test_a_word_that_fits_the_pattern_is_one_of_the_game(chess: Rules) -> None:
    assert all(strange_word(chess, said) is None for said in ("Nbxd7+", "e8=Q#", "O-O-O", "claim"))
    assert strange_word(chess, "Nf3 hello") == "hello"


def test_in_chess_a_draw_is_no_move(chess: Rules) -> None:
    """So "pbem draw" offers one."""
    assert "draw" not in chess.vocabulary()


# ---- the end -------------------------------------------------------------------------------------

SHUFFLE = ("Nf3", "Nf6", "Ng1", "Ng8")


@pytest.mark.parametrize(
    ("fen", "said", "winners", "how"),
    [
        (START, ("f3", "e5", "g4", "Qh4"), (1,), "checkmate"),
        ("7k/8/6QK/8/8/8/8/8 w - - 0 1", ("Qf7",), (), "stalemate"),
        ("4k3/8/8/8/8/8/3r4/4K3 w - - 0 1", ("Kxd2",), (), "neither side"),
        ("4kb2/8/8/8/8/8/3n4/4K2B w - - 0 1", ("Kxd2",), None, ""),
        ("4kb2/8/8/8/8/8/3n4/2B1K3 w - - 0 1", ("Bxd2",), (), "neither side"),
        (START, SHUFFLE * 4, (), "fifth time"),
        (START, SHUFFLE * 3, None, ""),
        (START, (*SHUFFLE * 2, "claim"), (), "third time"),
        (START, (*SHUFFLE, *SHUFFLE[:3], "Ng8 claim"), (), "third time"),
        ("4k3/8/8/8/8/8/8/R3K3 w - - 99 80", ("Ra2 claim",), (), "fifty moves"),
        ("4k3/8/8/8/8/8/8/R3K3 w - - 99 80", ("Ra2", "claim"), (), "fifty moves"),
        ("4k3/8/8/8/8/8/8/R3K3 w - - 149 99", ("Ra2",), (), "seventy-five"),
        ("4k3/8/8/8/8/8/8/R3K3 w - - 148 99", ("Ra2",), None, ""),
        ("k7/8/1K6/8/8/8/8/7R w - - 149 99", ("Rh8",), (0,), "checkmate"),
    ],
)
def test_how_a_game_ends(
    chess: Rules, fen: str, said: tuple[str, ...], winners: tuple[int, ...] | None, how: str
) -> None:
    game, outcome = after(chess, fen, *said)
    if winners is None:
        assert isinstance(outcome, Ask)
        return
    assert isinstance(outcome, Outcome) and outcome.winners == winners
    assert how in outcome.how
    assert game.view(None, {})["turn"] == ""


@pytest.mark.parametrize("said", [SHUFFLE, SHUFFLE[:3], (*SHUFFLE * 2, "e4")])
def test_no_claim_before_the_third_time(chess: Rules, said: tuple[str, ...]) -> None:
    game, ask = after(chess, START, *said)
    assert not [words for words in sentences(chess, game, ask, {}) if words.endswith("claim")]


def test_a_position_with_another_right_is_another_one(chess: Rules) -> None:
    """White may castle the first time alone, and a pawn can be taken in passing just once."""
    fen = "4k3/p7/8/8/8/8/8/4K2R w K - 0 1"
    game, ask = after(chess, fen, *("Rh2", "Kd8", "Rh1", "Ke8") * 2)
    assert "claim" not in sentences(chess, game, ask, {})
    game, ask = after(chess, fen, *("Rh2", "Kd8", "Rh1", "Ke8") * 3)
    assert "claim" in sentences(chess, game, ask, {})
    passing = "4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1"
    back = ("Kd8", "Kd1", "Ke8", "Ke1")
    game, ask = after(chess, passing, "e4", *back, *back)
    assert "claim" not in sentences(chess, game, ask, {})


def test_how_often_a_position_was_there_stands_in_its_line(chess: Rules) -> None:
    one, _ = after(chess, START, *SHUFFLE)
    other, _ = after(chess, START, "Nc3", "Nc6", "Nb1", "Nb8")
    assert one.view(None, {})["fen"] == other.view(None, {})["fen"]
    assert one.position() != other.position()


def test_what_one_line_tells_looks_alike_whatever_led_to_it(chess: Rules) -> None:
    one, _ = after(chess, START, "d4", "d5", "c4")
    other, _ = after(chess, START, "c4", "d5", "d4")
    assert one.position() == other.position() and one.view(0, {}) == other.view(0, {})


# ---- Chess960 ------------------------------------------------------------------------------------


def test_every_first_row_of_chess960_is_as_likely(chess: Rules) -> None:
    row = import_module("pbem_chess.game").shuffled_row
    rows = {
        row(light, dark, queen, knights)
        for light in range(4)
        for dark in range(4)
        for queen in range(6)
        for knights in range(10)
    }
    assert len(rows) == 960
    for one in rows:
        assert one.index("R") < one.index("K") < one.rindex("R")
        assert sum(at for at, piece in enumerate(one) if piece == "B") % 2 == 1
        assert sorted(one) == sorted("RNBQKBNR")


def test_the_row_is_thrown_and_a_king_castles_onto_its_rook(chess: Rules) -> None:
    game = chess.begin({"shuffled": 1})
    flow = game.flow()
    request = next(flow)
    for sides, number in ((4, 3), (4, 2), (6, 1), (10, 1)):
        assert isinstance(request, Roll)
        assert (request.number, request.sides, request.reason) == (1, sides, "setup")
        request = flow.send((number,))
    fen = game.view(None, {})["fen"]
    assert fen.startswith(f"{fen.partition('/')[0]}/pppppppp/8/8/8/8/PPPPPPPP/")
    fen = "4k3/8/8/8/8/8/8/1R3KR1 w GB - 0 1"
    game, _, ask = begun(chess, fen)
    options = sentences(chess, game, ask, {})
    concerns = load("pbem_chess.board:concerns")
    assert concerns(options["O-O"], chess).places == ("f1", "g1")
    assert concerns(options["O-O-O"], chess).places == ("f1", "b1")
    game, _ = after(chess, fen, "O-O-O")
    assert game.view(None, {})["fen"] == "4k3/8/8/8/8/8/8/2KR2R1 b - - 1 1"


# ---- play ----------------------------------------------------------------------------------------


def test_what_is_clicked_for_a_move(chess: Rules) -> None:
    concerns = load("pbem_chess.board:concerns")
    for fen, words, places in (
        (START, "Nf3", ("g1", "f3")),
        (BISHOP_OR_PAWN, "O-O", ("e1", "g1")),
        (PROMOTES, "c8=N", ("c7", "c8")),
        (PROMOTES, "c8=Q", ("c7", "c8")),
        (PASSING, "exd6", ("e5", "d6")),
    ):
        game, _, ask = begun(chess, fen)
        assert concerns(sentences(chess, game, ask, {})[words], chess).places == places


def test_the_story_of_a_random_game_is_the_game(chess: Rules) -> None:
    ends = set()
    for seed in range(4):
        table = OpenTable(chess, {"shuffled": seed % 2}, random.Random(seed))
        table.game.story = []

        def choose(_game: Game, _ask: Ask, answers: Any, table: OpenTable = table) -> Answer:
            answer: Answer = answers[int(table.chance.random() * len(answers))]
            return answer

        ends.add(table.play(choose).how)
        row = [event[1].lower() for event in table.game.story if event[0] == "set up"]
        fen = f"{row[0]}/pppppppp/8/8/8/8/PPPPPPPP/{row[0].upper()} w KQkq - 0 1" if row else START
        moves = [event[3] for event in table.game.story if event[0] == "moved"]
        again, _ = after(chess, fen, *moves)
        assert again.view(None, {})["fen"] == table.game.view(None, {})["fen"]
    assert len(ends) > 1


def test_it_is_played_by_mail(boards: None) -> None:
    assert series.simulate("chess", 1, "1", by_mail=True)


# ---- for other programs --------------------------------------------------------------------------


def record_of(
    rules: Rules, said: tuple[Said, ...] = (), *moves: str, **settings: int
) -> GameRecord:
    """A game of Ann and a hostile name, with these messages."""
    game = rules.begin(settings)
    game.story = []
    end = answered(rules, game, *moves)
    outcome = end if isinstance(end, Outcome) else None
    names = ("Ann", 'B\\en "]\n[Result "1-0"]')
    return GameRecord(names, settings, "2026-11-29", tuple(game.story), outcome, said)


def test_a_game_is_told_as_pgn(chess: Rules) -> None:
    pgn, fen = (load(f"pbem_chess.pgn:{name}") for name in ("pgn", "fen"))
    said = (Said(0, "hello", 0), Said(1, "a } and [%clk 1:00]\n% and {", 2), Said(0, "bye", 7))
    record = record_of(chess, said, "e4", "e5", "Bc4", "Nc6", "Qh5", "Nf6", "Qxf7")
    heads, _, moves = pgn(record).partition("\n\n")
    assert heads.split("\n") == [
        '[Event "A game by mail"]',
        '[Site "?"]',
        '[Date "2026.11.29"]',
        '[Round "-"]',
        '[White "Ann"]',
        r'[Black "B\\en \"] [Result \"1-0\"]"]',
        '[Result "1-0"]',
    ]
    black = 'B\\en "] [Result "1-0"]'
    assert " ".join(moves.split()) == (
        f"{{Ann: hello}} 1. e4 e5 {{{black}: a ) and [ %clk 1:00] % and (}} 2. Bc4 Nc6 3. Qh5 Nf6"
        " 4. Qxf7# {Ann: bye} {checkmate} 1-0"
    )
    assert all(len(line) <= 80 and not line.startswith("%") for line in moves.split("\n"))
    assert fen(record) == "r1bqkb1r/pppp1Qpp/2n2n2/4p3/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 0 4\n"


def test_a_first_position_of_its_own_stands_in_the_pgn(chess: Rules) -> None:
    pgn, fen = (load(f"pbem_chess.pgn:{name}") for name in ("pgn", "fen"))
    shuffled = pgn(record_of(chess, (), "a3", shuffled=1))
    assert '[Variant "Chess960"]\n[SetUp "1"]\n[FEN "' in shuffled and shuffled.endswith(
        "\n1. a3 *\n"
    )
    start = "4k3/p7/8/8/8/8/8/4K2R b K - 3 7"
    begun = record_of(chess.with_data([f"position: {start}"]), (), "a5", "O-O")
    assert f'[FEN "{start}"]' in pgn(begun) and pgn(begun).endswith("\n7... a5 8. O-O *\n")
    assert fen(begun) == "4k3/8/8/p7/8/8/8/5RK1 b - - 1 8\n"


def test_a_claim_is_a_draw_in_the_pgn(chess: Rules) -> None:
    told = load("pbem_chess.pgn:pgn")(record_of(chess, (), *SHUFFLE * 2, "claim"))
    assert '[Result "1/2-1/2"]' in told
    end = " ".join(told.split()).partition("4. ")[2]
    assert end == "Ng1 Ng8 {white claims a draw} {the same position for the third time} 1/2-1/2"


def test_clock_and_message_stand_behind_their_move(boards: None, tmp_path: Path) -> None:
    (tmp_path / "files").mkdir()
    ann, ben = (
        Player(name, tmp_path / name, tmp_path / "files", in_process=True)
        for name in ("Ann", "Ben")
    )
    for player in (ann, ben):
        player.does("id", "--name", player.name, "--mail", f"{player.name}@example.org")
    new = ("new", "chess", "--seat", "white", "--clock", "30+3", "--no-mail")
    file = ben.does("join", ann.does(*new)["file"], "--no-mail")["file"]
    file = ann.does("play", file, "e4", "--message", "e5?", "--no-mail")["file"]
    file = ben.does("play", file, "e5", "--no-mail")["file"]
    file = ann.does("play", file, "Ke2", "--offer-draw", "--no-mail")["file"]
    file = ben.does("draw", file, "--message", "yes", "--no-mail")["file"]
    heads, _, moves = ben.types("export", file, "--format", "pgn")[1].partition("\n\n")
    assert '[TimeControl "2592000+259200"]' in heads
    # thirty days and three, and six after the second move, but for the minutes of this test
    left = {"791:5": 1, "792:0": 1, "863:5": 2, "864:0": 2}
    told = re.sub(r"\[%clk (\d+:\d)\d:\d\d\]", lambda at: str(left[at[1]]), " ".join(moves.split()))
    assert told == (
        "1. e4 {1} {Ann: e5?} 1... e5 {1} 2. Ke2 {2} {Ben: yes} {agreed by all players} 1/2-1/2"
    )
    fen = ben.types("export", file, "--format", "fen")[1]
    assert fen == "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPPKPPP/RNBQ1BNR b kq - 1 2\n"


@pytest.mark.parametrize(
    ("said", "told"),
    [
        (("exd5", "Nf6", "d6"), "white king, taken +1 (1 black pawn)"),
        (("exd5", "Qxd5"), "black king, taken 1 white pawn"),
    ],
)
def test_what_was_taken_is_said_in_words(chess: Rules, said: tuple[str, ...], told: str) -> None:
    fen = "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"
    game, _ = after(chess, fen, *said)
    board = import_module("pbem_chess.board").board(game.view(None, {}), None, ())
    assert told in words_of(board).table
