"""Chess: the flow of play, when a game ends, and what is the same for every position."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, ClassVar

from engine.flow import Answer, Ask, Card, Flow, Handle, Option, Outcome, Roll, Seat
from engine.options import Notation
from engine.rules import BadData, Game, Rules, Settings
from pbem_chess.notation import CLAIM, PATTERN, PIECES, Options, san
from pbem_chess.position import (
    CASTLES,
    EMPTY,
    START,
    WHITE,
    Move,
    castled,
    read_fen,
    square_name,
)

SEATS = ("white", "black")
KNIGHTS = tuple((one, other) for one in range(5) for other in range(one + 1, 5))
"""Of the five squares that are left: the two where the knights stand."""
THIRD, FIFTH = 3, 5
FIFTY, SEVENTY_FIVE = 100, 150
"""Moves of either side without a capture or a pawn's move: from here a draw can be claimed, and
here the game is over."""


def shuffled_row(light: int, dark: int, queen: int, knights: int) -> str:
    """The first row of Chess960 by four throws from 0: of 4, 4, 6 and 10."""
    row = [""] * 8
    row[2 * light + 1] = row[2 * dark] = "B"
    for piece, number in (("Q", queen), ("N", KNIGHTS[knights][1]), ("N", KNIGHTS[knights][0])):
        left = [at for at in range(8) if not row[at]]
        row[left[number]] = piece
    rest = iter("RKR")
    return "".join(piece or next(rest) for piece in row)


def shuffled_fen(row: str) -> str:
    """The position with that first row for both."""
    return f"{row.lower()}/pppppppp/8/8/8/8/PPPPPPPP/{row} w KQkq - 0 1"


class Chess(Game):
    """The position on the board, how often each one was there since something was last taken or a
    pawn last moved."""

    def __init__(self, fen: str, *, is_shuffled: bool) -> None:
        self.now = read_fen(fen)
        self.is_shuffled = is_shuffled
        self.legal: Sequence[Move] = ()
        self.seen: dict[str, int] = {}
        self.is_over = False

    def flow(self) -> Flow[Outcome]:
        """Moves by turns, until the position or a claim ends the game."""
        if self.is_shuffled:
            yield from self.shuffle()
        elif (fen := self.now.fen()) != START:
            self.note("begun", fen)
        self.arrive()
        while (ended := self.ended()) is None:
            seat = self.now.turn
            options = self.options()
            notation = Notation(options, options.read, self.words, _never)
            answer: Answer = yield Ask(seat, "move", notation)
            verb, *move = answer.option
            if move:
                self.go(seat, (move[0], move[1], move[2]))
            if verb == CLAIM:
                ended = self.claimed(seat)
                break
        self.is_over = True
        return ended

    def shuffle(self) -> Flow[None]:
        """The first row of Chess960, by throws that are as likely to give each of the 960."""
        throws = []
        for sides, what in ((4, "bishop"), (4, "other bishop"), (6, "queen"), (10, "knights")):
            (number,) = yield Roll(
                WHITE, 1, f"where the {what} stands", sides=sides, reason="setup"
            )
            throws.append(number - 1)
        row = shuffled_row(*throws)
        self.now = read_fen(shuffled_fen(row))
        self.note("set up", row)

    def arrive(self) -> None:
        """Look at the position that is there now."""
        self.legal = self.now.moves()
        if self.now.quiet == 0:
            self.seen.clear()
        key = self.now.key()
        self.seen[key] = self.seen.get(key, 0) + 1

    def go(self, seat: Seat, move: Move) -> None:
        self.note("moved", seat, self.now.number, san(self.now, move, self.legal), *move)
        self.now = self.now.after(move)
        self.arrive()

    def ended(self) -> Outcome | None:
        """How the position ends the game, if it does."""
        now = self.now
        if not self.legal:
            if now.is_check():
                return Outcome((1 - now.turn,), "checkmate")
            return Outcome((), "stalemate")
        if now.is_dead():
            return Outcome((), "neither side has what a checkmate takes")
        if self.seen[now.key()] >= FIFTH:
            return Outcome((), "the same position for the fifth time")
        if now.quiet >= SEVENTY_FIVE:
            return Outcome((), "seventy-five moves without a capture or a pawn's move")
        return None

    def claimed(self, seat: Seat) -> Outcome:
        """The end by a claim, which is legal only where it holds."""
        self.note("claimed", seat)
        if self.seen[self.now.key()] >= THIRD:
            return Outcome((), "the same position for the third time")
        return Outcome((), "fifty moves without a capture or a pawn's move")

    def may_claim(self) -> bool:
        return self.seen[self.now.key()] >= THIRD or self.now.quiet >= FIFTY

    def options(self) -> Options:
        """The legal moves; the claim of a draw, or the moves with which it would hold."""
        may_claim = self.may_claim()
        claims: list[Move] = []
        if not may_claim and (self.now.quiet >= FIFTY - 1 or THIRD - 1 in self.seen.values()):
            claims = [move for move in self.legal if self.would_claim(move)]
        return Options(self.now, self.legal, claims, may_claim=may_claim)

    def would_claim(self, move: Move) -> bool:
        after = self.now.after(move)
        if not after.quiet:
            return False
        return after.quiet >= FIFTY or self.seen.get(after.key(), 0) >= THIRD - 1

    def words(self, option: Option) -> str:
        """A move as players write it here: which piece is meant, and whether it gives check, is
        seen in the position."""
        verb, *move = option
        if not move:
            return CLAIM
        said = san(self.now, (move[0], move[1], move[2]), self.legal)
        return said if verb == "go" else f"{said} {CLAIM}"

    def position(self) -> str:
        before = " ".join(f"{count}x{key}" for key, count in sorted(self.seen.items()))
        return f"{self.now.fen()} {before}"

    def when(self) -> str:
        return f"move {self.now.number}"

    def period(self) -> int:
        return self.now.number

    def prompt(self, ask: Ask) -> str:
        check = "move out of check" if self.now.is_check() else "move"
        return f"{check}, or claim a draw" if self.may_claim() else check

    def view(self, viewer: Seat | None, faces: Mapping[Handle, Card]) -> dict[str, Any]:
        now, check = self.now, self.now.is_check()
        return {
            "when": self.when(),
            "fen": now.fen(),
            "turn": "" if self.is_over else SEATS[now.turn],
            "near": SEATS[viewer or WHITE],
            "pieces": {
                square_name(at): f"{SEATS[piece.islower()]}-{PIECES[piece.upper()]}"
                for at, piece in enumerate(now.board)
                if piece != EMPTY
            },
            "check": square_name(now.kings[now.turn]) if check else "",
        }


def ends(move: Move) -> tuple[str, str]:
    """The squares from which and to which a move goes; of castling those of the king."""
    source, target, kind = move
    goal = castled(source, target)[0] if kind == CASTLES else target
    return square_name(source), square_name(goal)


def _never(_option: Option) -> str:
    """Why an option that was read cannot be taken: it can."""
    return ""


class ChessRules(Rules):
    """Version 1."""

    name = "chess"
    title = "Chess"
    seat_names = SEATS
    reasons = ("setup",)
    measure = "move"
    pattern = PATTERN
    settings: ClassVar = {"shuffled": "1: the pieces of the first row stand as chance has it"}
    fen = START

    def with_data(self, lines: Sequence[str]) -> Rules:
        return _begun_from(tuple(lines)) if lines else self

    def seats(self, settings: Settings) -> tuple[str, ...]:
        if settings.get("shuffled") and self.fen != START:
            raise ValueError("a game from a position is not shuffled: leave it as it is")
        return super().seats(settings)

    def has_chance(self, settings: Settings) -> bool:
        return False  # throws set up Chess960, and nothing after that

    def begin(self, settings: Settings) -> Game:
        return Chess(self.fen, is_shuffled=settings.get("shuffled") == 1)

    def vocabulary(self) -> frozenset[str]:
        return frozenset({CLAIM})

    def settings_in_words(self, settings: Settings) -> list[str]:
        return ["Chess960"] if settings.get("shuffled") else []

    def tell(self, event: tuple[Any, ...]) -> dict[str, Any]:
        match event:
            case ("moved", seat, number, said, source, target, kind):
                start, goal = ends((source, target, kind))
                ways = [[start, goal]]
                if kind == CASTLES:
                    ways.append([square_name(target), square_name(castled(source, target)[1])])
                told = {"kind": "moved", "seat": SEATS[seat], "number": number}
                return {**told, "move": said, "ways": ways}
            case ("begun", fen):
                return {"kind": "begun", "fen": fen}
            case ("set up", row):
                return {"kind": "set up", "row": row}
        return {"kind": event[0], "seat": SEATS[event[1]]}


@lru_cache(maxsize=8)
def _begun_from(lines: tuple[str, ...]) -> ChessRules:
    """The rules of a game that begins with a position. Raises `BadData`."""
    if len(lines) > 1:
        raise BadData("a game begins with one position: one line of FEN", 1)
    try:
        game = Chess(lines[0].removeprefix("position: "), is_shuffled=False)
    except ValueError as error:
        raise BadData(f"{error}", 0) from None
    game.arrive()
    if game.ended() is not None:
        raise BadData("in this position the game is over", 0)
    made = ChessRules()
    made.fen = game.now.fen()
    return made


RULES = ChessRules()
