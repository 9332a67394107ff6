"""Writes a list of seeks for a page: what is verified and counts now, of one or more places, as one
file that anybody can serve (docs/format.md, section 24)."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import msgspec

from pbem import files
from pbem.errors import Conflict, Usage
from pbem.seek.board import Board, Reader, look_over
from pbem.seek.find_seeks import MOST, Piece, SeekList

BEGINS = b'{"seeks":['
LARGEST = 20_000_000
"""Bytes of the seeks in a list: readers take a longer one for an attack."""


def write(pieces: Iterable[Piece], now: str, target: Path) -> Board:
    """Write the list, over an older one; returns what was found. Raises `Conflict` if something
    else stands there, `Usage` if it cannot be written."""
    if target.exists() and not _begins_as_list(target):
        raise Conflict(
            f"{files.printable(target)} exists, and is no list of seeks",
            hint="nothing was overwritten; choose another name",
        )
    board = look_over(pieces, Reader(), now, most=MOST)
    texts, room = list[str](), LARGEST
    for one in board.seeks:
        room -= len(msgspec.json.encode(one.seek.data.decode())) + 1
        if room >= 0:
            texts.append(one.seek.data.decode())
    board.more += len(board.seeks) - len(texts)
    board.seeks = board.seeks[: len(texts)]
    files.replace(target, msgspec.json.encode(SeekList(tuple(texts))) + b"\n", mode=0o644)
    return board


def _begins_as_list(target: Path) -> bool:
    """Whether a list stands there, however long it has become. Raises `Usage`."""
    try:
        with target.open("rb") as file:
            return file.read(len(BEGINS)) == BEGINS
    except OSError as error:
        raise Usage(f"cannot read {files.printable(target)}: {error.strerror}") from error
