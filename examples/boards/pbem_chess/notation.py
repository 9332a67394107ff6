"""Moves as players write them: Nbxd7+, exd6, e8=Q, O-O."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from engine.flow import Ambiguous, Illegal, NotUnderstood, Option
from engine.options import OptionSequence
from engine.words import clip, listed
from pbem_chess.position import CASTLES, EMPTY, PASSING, Move, Position, castled, square_name

PATTERN = r"(?:[KQRBN]?[a-h]?[1-8]?x?[a-h][1-8](?:=[QRBN])?|O-O(?:-O)?)[+#]?"
"""What a move looks like. The only other word in an answer is `CLAIM`."""
CLAIM = "claim"
PIECES = {"K": "king", "Q": "queen", "R": "rook", "B": "bishop", "N": "knight", "P": "pawn"}
_WRITTEN = re.compile(r"([KQRBN])?([a-h])?([1-8])?(x)?([a-h][1-8])(?:=?([qrbn]))?")
_CASTLING = {"oo": "O-O", "ooo": "O-O-O"}
_LONGEST = 40


def san(position: Position, move: Move, legal: Sequence[Move]) -> str:
    """A legal move in the notation of players."""
    source, target, kind = move
    after = position.after(move)
    end = ""
    if after.is_check():
        end = "+" if after.moves() else "#"
    if kind == CASTLES:
        return ("O-O" if target > source else "O-O-O") + end
    piece, name = position.board[source].upper(), square_name(target)
    takes = "x" if _takes(position, move) else ""
    if piece == "P":
        column = square_name(source)[0] if takes else ""
        return f"{column}{takes}{name}{f'={kind}' if kind in PIECES else ''}{end}"
    return f"{piece}{_which(position, move, legal)}{takes}{name}{end}"


def _takes(position: Position, move: Move) -> bool:
    return position.board[move[1]] != EMPTY or move[2] == PASSING


def _which(position: Position, move: Move, legal: Sequence[Move]) -> str:
    """What tells a piece from others of its kind that may go there: its column, else its row, else
    both."""
    source, target, _ = move
    piece, name = position.board[source], square_name(source)
    others = [
        square_name(at)
        for at, to, kind in legal
        if to == target and at != source and kind != CASTLES and position.board[at] == piece
    ]
    if not others:
        return ""
    if all(other[0] != name[0] for other in others):
        return name[0]
    return name[1] if all(other[1] != name[1] for other in others) else name


class Options(OptionSequence):
    """What a player may do: the legal moves, each as ("go", from, to, kind), made only when one is
    asked for; the moves with which a draw can be claimed, and the claim alone."""

    def __init__(
        self, position: Position, legal: Sequence[Move], claims: Sequence[Move], *, may_claim: bool
    ) -> None:
        self._position = position
        self._legal = legal
        self._claims = claims
        self._alone: tuple[Option, ...] = ((CLAIM,),) if may_claim else ()

    def __len__(self) -> int:
        return len(self._legal) + len(self._claims) + len(self._alone)

    def __iter__(self) -> Iterator[Option]:
        return map(self._at, range(len(self)))

    def _at(self, number: int) -> Option:
        if number < len(self._legal):
            return ("go", *self._legal[number])
        number -= len(self._legal)
        if number < len(self._claims):
            return (CLAIM, *self._claims[number])
        return self._alone[number - len(self._claims)]

    def _san(self, move: Move) -> str:
        return san(self._position, move, self._legal)

    # ---- reading ---------------------------------------------------------------------------------

    def read(self, text: str) -> Option:
        """The option that a text means: a move in any usual notation (Nf3, Ng1-f3, g1f3), with a
        claim after it or not. Raises a `Refusal`."""
        said = " ".join(text[:_LONGEST].split())
        if said.casefold() == CLAIM and self._alone:
            return self._alone[0]
        claims = said.casefold().endswith(CLAIM)
        found = self._meant(said) if not claims else self._claimed(said[: -len(CLAIM)])
        if len(found) > 1:
            raise Ambiguous(f'"{said}" could be {listed([self._san(move) for move in found])}')
        if claims:
            return self._at(len(self._legal) + self._claims.index(found[0]))
        return self._at(self._legal.index(found[0]))

    def _claimed(self, said: str) -> list[Move]:
        found = [move for move in self._claims if said and move in self._meant(said)]
        if not found:
            raise Illegal(
                "no draw can be claimed: that takes a position that is there for the third time, or"
                " fifty moves of both without a capture or a pawn's move"
            )
        return found

    def _meant(self, said: str) -> list[Move]:
        """The legal moves that fit what was written, at least one. A small letter at the beginning
        is a column or a piece; where something is taken it is a column if it can be."""
        plain = re.sub(r"\bto\b|[\s>()-]", "", said.replace(":", "x"))
        plain = re.sub(r"(?:e\.?p\.?)?[+#!?=]*$", "", plain)
        if side := _CASTLING.get(plain.casefold().replace("0", "o")):
            castling = [move for move in self._legal if move[2] == CASTLES]
            found = [move for move in castling if (move[1] > move[0]) == (side == "O-O")]
            if not found:
                raise Illegal(f"{side} is not possible now")
            return found
        first, rest = plain[:1], plain[1:].lower()
        forms = [first + rest] if first in PIECES else [first.lower() + rest]
        if first.upper() in PIECES and first not in PIECES:
            forms.append(first.upper() + rest)
        matches = [match for match in map(_WRITTEN.fullmatch, forms) if match]
        if not matches:
            raise NotUnderstood(f'"{clip(said)}" is no move, as e4, Nf3, exd5, O-O or e8=Q are')
        found = []
        for match in matches:
            if not (found and match[4]):
                found += [move for move in self._legal if self._fits(move, match)]
        if not found:
            raise Illegal(self._why_not(matches[-1]))
        return found

    def _fits(self, move: Move, match: re.Match[str]) -> bool:
        """Whether a move is what was written; a piece's letter may be left out where the square
        that it leaves is named."""
        source, target, kind = move
        piece, column, row, takes, goal, becomes = match.groups()
        start = square_name(source)
        if (column or start[0]) != start[0] or (row or start[1]) != start[1]:
            return False
        is_named = bool(column and row)
        if kind == CASTLES:
            ends = {square_name(target), square_name(castled(source, target)[0])}
            return is_named and piece in (None, "K") and goal in ends
        moves = self._position.board[source].upper()
        return (
            goal == square_name(target)
            and (piece == moves or (piece is None and (is_named or moves == "P")))
            and (not takes or _takes(self._position, move))
            and becomes in (None, kind.lower())
        )

    def _why_not(self, match: re.Match[str]) -> str:
        piece, column, row, takes, goal, _ = match.groups()
        is_named = bool(column and row) and piece is None
        who = f"what is on {column}{row}" if is_named else f"a {PIECES[piece or 'P']} of yours"
        does = "take something on" if takes else "go to"
        check = ": you are in check" if self._position.is_check() else ""
        return f"{who} cannot {does} {goal} now{check}"
