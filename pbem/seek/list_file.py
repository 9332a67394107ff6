"""Writes a list of seeks for a page: what is verified and counts now, of one or more places, as one
file that anybody can serve (docs/format.md, section 24)."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import msgspec

from pbem import files
from pbem.errors import Conflict
from pbem.fileformat.turnfile import MAX_MESSAGE
from pbem.seek.board import Board, Reader, look_over
from pbem.seek.find_seeks import MOST, Piece, SeekList

BEGINS = b'{"seeks":['


def write(pieces: Iterable[Piece], now: str, target: Path) -> Board:
    """Write the list, over an older one; returns what was found. Raises `Conflict` if something
    else stands there, `Usage` if it cannot be written."""
    if target.exists() and not files.read_own(target, MAX_MESSAGE).startswith(BEGINS):
        raise Conflict(
            f"{files.printable(target)} exists, and is no list of seeks",
            hint="nothing was overwritten; choose another name",
        )
    board = look_over(pieces, Reader(), now, most=MOST)
    texts = tuple(one.seek.data.decode() for one in board.seeks)
    files.replace(target, msgspec.json.encode(SeekList(texts)) + b"\n", mode=0o644)
    return board
