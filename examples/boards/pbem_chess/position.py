"""A position of chess, its legal moves, and FEN. Nothing here knows of players, draws or words.

Squares are numbers, row by row from a8 (0) to h1 (63), as FEN and a board on a page have them.
Chess960 castles too: a castling move names the square of its rook.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from engine.flow import Seat

WHITE, BLACK = 0, 1
SIDES = ("PNBRQK", "pnbrqk")
_MEN = tuple("PNBRQK"), tuple("pnbrqk")
"""The pieces of each side, as FEN writes them; an empty square is a dot."""
EMPTY = "."
PASSING, CASTLES = "ep", "O"
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

Move: TypeAlias = tuple[int, int, str]
"""From, to, and what is special: the piece that a pawn becomes (a capital), `PASSING`, or
`CASTLES`, whose "to" is the square of the rook."""


def square_name(square: int) -> str:
    return f"{'abcdefgh'[square % 8]}{8 - square // 8}"


def square_at(name: str) -> int:
    return "abcdefgh".index(name[0]) + 8 * (8 - int(name[1]))


def _line(square: int, right: int, down: int, most: int = 7) -> tuple[int, ...]:
    """The squares on the way from a square, without it."""
    column, row = square % 8 + right, square // 8 + down
    found: list[int] = []
    while 0 <= column < 8 and 0 <= row < 8 and len(found) < most:
        found.append(row * 8 + column)
        column, row = column + right, row + down
    return tuple(found)


Lines = tuple[tuple[tuple[int, ...], ...], ...]
_ROOK, _BISHOP = ((1, 0), (-1, 0), (0, 1), (0, -1)), ((1, 1), (1, -1), (-1, 1), (-1, -1))
_LEAPS = ((1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1))
_STRAIGHT: Lines = tuple(tuple(_line(at, *way) for way in _ROOK) for at in range(64))
_SLANTING: Lines = tuple(tuple(_line(at, *way) for way in _BISHOP) for at in range(64))
_BOTH: Lines = tuple(one + other for one, other in zip(_STRAIGHT, _SLANTING, strict=True))
_KNIGHT = tuple(sum((_line(at, *way, 1) for way in _LEAPS), ()) for at in range(64))
_KING = tuple(sum((_line(at, *way, 1) for way in _ROOK + _BISHOP), ()) for at in range(64))
_TAKES = tuple(
    tuple(_line(at, -1, down, 1) + _line(at, 1, down, 1) for at in range(64)) for down in (-1, 1)
)
"""By seat and square: where a pawn takes."""
_SLIDES = {"B": _SLANTING, "R": _STRAIGHT, "Q": _BOTH}


@dataclass(eq=False)
class Position:
    """What stands where, whose turn it is, the squares of the rooks that may still castle, the
    square behind a pawn that can be taken in passing (-1: none can), moves without a capture or a
    pawn, the number of the move, and where the kings stand."""

    board: list[str]
    turn: Seat
    rights: tuple[int, ...]
    passing: int
    quiet: int
    number: int
    kings: tuple[int, int]

    def moves(self) -> list[Move]:
        """All legal moves."""
        board, seat, king = self.board, self.turn, self.kings[self.turn]
        own = SIDES[seat]
        checks, pins = self._threats()
        found: list[Move] = [
            (king, to, "")
            for to in _KING[king]
            if board[to] not in own and not self.is_attacked(to, 1 - seat, king)
        ]
        if len(checks) > 1:
            return found
        for square, piece in enumerate(board):
            if piece == EMPTY or piece not in own or square == king:
                continue
            kind = piece.upper()
            targets: list[int] | tuple[int, ...]
            if kind == "P":
                targets = self._pawn_targets(square)
            elif kind == "N":
                targets = _KNIGHT[square]
            else:
                targets = []
                for line in _SLIDES[kind][square]:
                    for to in line:
                        targets.append(to)
                        if board[to] != EMPTY:
                            break
            if square in pins:
                targets = [to for to in targets if to in pins[square]]
            if checks:
                targets = [to for to in targets if to in checks[0]]
            if kind == "P" and square // 8 == 1 + 5 * (seat == BLACK):
                found += [(square, to, piece) for to in targets for piece in "QRBN"]
            else:
                found += [(square, to, "") for to in targets if board[to] not in own]
        found += self._in_passing()
        if not checks:
            found += self._castling()
        return found

    def is_check(self) -> bool:
        return self.is_attacked(self.kings[self.turn], 1 - self.turn)

    def is_attacked(self, square: int, by: Seat, gone: int = -1) -> bool:
        """Whether a side attacks a square; a piece that stands at `gone` hides nothing."""
        board = self.board
        pawn, knight, bishop, rook, queen, king = _MEN[by]
        for at in _KNIGHT[square]:
            if board[at] == knight:
                return True
        for lines, sliders in (
            (_STRAIGHT[square], rook + queen),
            (_SLANTING[square], bishop + queen),
        ):
            for line in lines:
                for at in line:
                    piece = board[at]
                    if piece != EMPTY and at != gone:
                        if piece in sliders:
                            return True
                        break
        return any(board[at] == pawn for at in _TAKES[1 - by][square]) or any(
            board[at] == king for at in _KING[square]
        )

    def _threats(self) -> tuple[list[tuple[int, ...]], dict[int, tuple[int, ...]]]:
        """For each piece that gives check the squares where it is taken or stopped; and of each
        pinned piece those where it may go."""
        board, king, own = self.board, self.kings[self.turn], SIDES[self.turn]
        pawn, knight, bishop, rook, queen, _ = _MEN[1 - self.turn]
        checks: list[tuple[int, ...]]
        checks = [(at,) for at in _KNIGHT[king] if board[at] == knight]
        checks += [(at,) for at in _TAKES[self.turn][king] if board[at] == pawn]
        pins: dict[int, tuple[int, ...]] = {}
        for lines, sliders in ((_STRAIGHT[king], rook + queen), (_SLANTING[king], bishop + queen)):
            for line in lines:
                shield = -1
                for nth, at in enumerate(line):
                    piece = board[at]
                    if piece == EMPTY:
                        continue
                    if piece in own and shield < 0:
                        shield = at
                        continue
                    if piece in sliders:
                        if shield < 0:
                            checks.append(line[: nth + 1])
                        else:
                            pins[shield] = line[: nth + 1]
                    break
        return checks, pins

    def _pawn_targets(self, square: int) -> list[int]:
        board, seat = self.board, self.turn
        other = SIDES[1 - seat]
        ahead = 8 if seat == BLACK else -8
        targets = [to for to in _TAKES[seat][square] if board[to] in other]
        if board[square + ahead] == EMPTY:
            targets.append(square + ahead)
            is_home = square // 8 == (1 if seat == BLACK else 6)
            if is_home and board[square + 2 * ahead] == EMPTY:
                targets.append(square + 2 * ahead)
        return targets

    def _in_passing(self) -> Iterator[Move]:
        """Captures in passing, each tried out: two pawns leave one row at once."""
        if self.passing < 0:
            return
        pawn = SIDES[self.turn][0]
        for at in _TAKES[1 - self.turn][self.passing]:
            move = (at, self.passing, PASSING)
            if self.board[at] == pawn and not self.after(move).is_open(self.turn):
                yield move

    def _castling(self) -> Iterator[Move]:
        """Castling, where the king is not in check: nothing between, nothing attacked on the king's
        way or where it comes to stand."""
        king, other = self.kings[self.turn], 1 - self.turn
        for rook in self.rights:
            if rook // 8 != king // 8:
                continue
            goal, rook_goal = castled(king, rook)
            ends = (king, rook, goal, rook_goal)
            between = [at for at in range(min(ends), max(ends) + 1) if at not in (king, rook)]
            way = range(min(king, goal), max(king, goal) + 1)
            if (
                all(self.board[at] == EMPTY for at in between)
                and not any(self.is_attacked(at, other, king) for at in way)
                and not self.after((king, rook, CASTLES)).is_open(self.turn)
            ):
                yield king, rook, CASTLES

    def is_open(self, seat: Seat) -> bool:
        """Whether a side's king could be taken."""
        return self.is_attacked(self.kings[seat], 1 - seat)

    def after(self, move: Move) -> Position:
        """The position after a move that is legal here."""
        source, target, kind = move
        board, seat = self.board.copy(), self.turn
        piece, taken = board[source], board[target]
        kings, rights, passing = self.kings, self.rights, -1
        board[source] = EMPTY
        if kind == CASTLES:
            board[target] = EMPTY
            target, rook_goal = castled(source, target)
            board[rook_goal], taken = taken, EMPTY
        elif kind == PASSING:
            board[target + (8 if seat == WHITE else -8)] = EMPTY
        board[target] = piece
        if source in kings:
            kings = (target, kings[1]) if seat == WHITE else (kings[0], target)
            rights = tuple(at for at in rights if at // 8 != 7 * (seat == WHITE))
        elif piece in "Pp":
            if len(kind) == 1:
                board[target] = kind if seat == WHITE else kind.lower()
            elif abs(target - source) == 16:
                passing = (source + target) // 2
        if rights and (source in rights or move[1] in rights):
            rights = tuple(at for at in rights if at != source and at != move[1])
        quiet = 0 if taken != EMPTY or piece in "Pp" else self.quiet + 1
        made = Position(board, 1 - seat, rights, passing, quiet, self.number + seat, kings)
        if passing >= 0 and not any(made._in_passing()):
            made.passing = -1
        return made

    def is_dead(self) -> bool:
        """Whether neither side has what a checkmate takes: a knight or a bishop alone, or bishops
        of one colour of square."""
        minor = []
        for at, piece in enumerate(self.board):
            if piece in "PpRrQq":
                return False
            if piece in "NnBb":
                minor.append((piece.upper(), (at + at // 8) % 2))
        return len(minor) < 2 or (len(set(minor)) == 1 and minor[0][0] == "B")

    def key(self) -> str:
        """What makes two positions the same for a repetition."""
        return f"{''.join(self.board)}{self.turn}{self.rights}{self.passing}"

    def fen(self) -> str:
        """The position as FEN. A rook that castles is K, Q, k or q where it is the outermost on its
        side of the king, else the letter of its column."""
        rows = []
        for row in range(8):
            text, gap = "", 0
            for piece in self.board[8 * row : 8 * row + 8]:
                gap, text = (gap + 1, text) if piece == EMPTY else (0, f"{text}{gap or ''}{piece}")
            rows.append(f"{text}{gap or ''}")
        rights = "".join(self._right(rook) for rook in sorted(self.rights, key=_order)) or "-"
        passing = square_name(self.passing) if self.passing >= 0 else "-"
        return f"{'/'.join(rows)} {'wb'[self.turn]} {rights} {passing} {self.quiet} {self.number}"

    def _right(self, rook: int) -> str:
        seat = WHITE if rook >= 56 else BLACK
        is_right = rook > self.kings[seat]
        letter = ("K" if is_right else "Q") if self._outermost(seat, is_right) == rook else ""
        letter = letter or "ABCDEFGH"[rook % 8]
        return letter if seat == WHITE else letter.lower()

    def _outermost(self, seat: Seat, is_right: bool) -> int:
        """The outermost rook on a side of the king, in its row; -1 if there is none."""
        king, home = self.kings[seat], 56 if seat == WHITE else 0
        squares = range(home + 7, king, -1) if is_right else range(home, king)
        return next((at for at in squares if self.board[at] == SIDES[seat][3]), -1)


def castled(king: int, rook: int) -> tuple[int, int]:
    """Where a king and a rook stand after castling."""
    row = king - king % 8
    return (row + 6, row + 5) if rook > king else (row + 2, row + 3)


def _order(rook: int) -> tuple[bool, int]:
    """White's rooks first, those at the right first."""
    return rook < 56, -rook


def read_fen(text: str) -> Position:
    """The position of a FEN; counts may be left out. Raises `ValueError` for a text that is none,
    or a position that cannot be played from."""
    parts = text.split()
    if not 4 <= len(parts) <= 6:
        raise ValueError("a FEN has four to six parts, with a blank between")
    placement, turn, rights, passing, *counts = parts
    board = _read_placement(placement)
    if [board.count(king) for king in "Kk"] != [1, 1]:
        raise ValueError("each side has one king")
    if any(piece in "Pp" for piece in board[:8] + board[56:]):
        raise ValueError("a pawn stands on the first or the last row")
    if turn not in ("w", "b"):
        raise ValueError(f'"{turn[:10]}" is no side to move: w or b')
    if not all(one.isascii() and one.isdecimal() and len(one) < 5 for one in counts):
        raise ValueError("the last two parts are numbers, of moves without a capture and of moves")
    quiet, number = [*map(int, counts), 0, 1][:2] if len(counts) < 2 else map(int, counts)
    kings = board.index("K"), board.index("k")
    made = Position(board, "wb".index(turn), (), -1, quiet, max(number, 1), kings)
    made.rights = _read_rights(made, rights)
    made.passing = _read_passing(made, passing)
    if made.is_open(1 - made.turn):
        raise ValueError("the side that has moved is in check")
    return made


def _read_placement(text: str) -> list[str]:
    rows = text.split("/")
    board: list[str] = []
    for row in rows:
        squares = "".join(EMPTY * int(one) if one in "12345678" else one for one in row)
        if len(squares) != 8 or any(one not in f"PNBRQKpnbrqk{EMPTY}" for one in squares):
            raise ValueError(f'"{row[:20]}" is no row of eight squares')
        board += squares
    if len(rows) != 8:
        raise ValueError("the board has eight rows, with / between")
    return board


def _read_rights(made: Position, text: str) -> tuple[int, ...]:
    found = []
    for letter in "" if text == "-" else text:
        seat = WHITE if letter.isupper() else BLACK
        king, home = made.kings[seat], 56 if seat == WHITE else 0
        rook = -1
        if letter.upper() in "KQ":
            rook = made._outermost(seat, letter.upper() == "K")
        elif letter.upper() in "ABCDEFGH":
            rook = home + "ABCDEFGH".index(letter.upper())
        is_there = rook >= 0 and made.board[rook] == SIDES[seat][3]
        if not is_there or king // 8 != home // 8 or rook in found:
            raise ValueError(f'"{text[:10]}" says "{letter}", and no such rook and king may castle')
        found.append(rook)
    return tuple(sorted(found))


def _read_passing(made: Position, text: str) -> int:
    if text == "-":
        return -1
    row, ahead = ("6", 8) if made.turn == WHITE else ("3", -8)
    if len(text) != 2 or text[0] not in "abcdefgh" or text[1] != row:
        raise ValueError(f'"{text[:10]}" is no square where a pawn can be taken in passing')
    square = square_at(text)
    if (
        made.board[square + ahead] != SIDES[1 - made.turn][0]
        or made.board[square] != EMPTY
        or made.board[square - ahead] != EMPTY
    ):
        raise ValueError(f"no pawn has just passed {text}")
    made.passing = square
    return square if any(made._in_passing()) else -1
