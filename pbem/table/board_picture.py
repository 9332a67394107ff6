"""Pictures as boards: where the players of a game keep its rules and move its pieces, a PNG or JPEG
that goes with a turn shows their board until the next one does.

A picture is shown only where its bytes have the digest that the turn signs. Nothing here decodes
one: its size stands in its head, and the browser draws it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from pbem import files
from pbem.english import numbered
from pbem.errors import Usage
from pbem.fileformat.attached import AttachedFile, read_line
from pbem.fileformat.bare_picture import board_size
from pbem.games.stage import StageBoard, StagePicture
from pbem.home import attached_files
from pbem.home.attached_files import KeptFile
from pbem.table.open_games import OpenGame
from pbem.turn.open_game import HomeFile

_ROOM = (900.0, 600.0)
"""What a picture fills of the backdrop, about its middle."""


def pictures(game: OpenGame) -> dict[int, StagePicture]:
    """The pictures of a game by the number of the entry with which each goes, in order; of several
    the first that goes with it. The entry that is being made has what was chosen for it."""
    if game.opened.ledger.rules.keeps_rules:
        return {}
    found = {}
    for number, kept in _files(game):
        for index, one in enumerate(kept):
            if one.state == "here" and (size := _size(one)) is not None:
                measure = game.opened.ledger.rules.measure
                words = f"{one.file.name}, with {numbered(number, measure)}"
                address = f"/game/{game.name}/with/{number}/{index}"
                found[number] = StagePicture(address, *size, words)
                break
    return found


def kept_with(game: OpenGame, number: int) -> Sequence[KeptFile]:
    """The files that go with an entry of the file, or with the one that is being made."""
    opened = game.opened
    if not isinstance(opened, HomeFile):
        return ()
    folder, count = opened.memory.folder, len(opened.file.entries)
    if number < count:
        return attached_files.files_with(folder, opened.file.entries[number])
    lines = game.draft.line.files if game.draft is not None and number == count else ()
    return [_chosen(game, number, read_line(line, "")) for line in lines]


def until(found: dict[int, StagePicture], number: int) -> StagePicture | None:
    """The newest of these pictures up to an entry."""
    return next((found[one] for one in sorted(found, reverse=True) if one <= number), None)


def on_picture(board: StageBoard, picture: StagePicture | None) -> StageBoard:
    """A board as it is shown over a picture: what is counted stands in its strip."""
    if picture is None:
        return board
    scale = min(_ROOM[0] / picture.wide, _ROOM[1] / picture.high)
    wide, high = picture.wide * scale, picture.high * scale
    whole = (-wide / 2, -high / 2, wide, high)
    return replace(board, whole=whole, places=(), ways=(), picture=picture)


def _files(game: OpenGame) -> Iterator[tuple[int, Sequence[KeptFile]]]:
    """The files of all entries that have some."""
    for number, entry in enumerate(game.opened.file.entries):
        if entry.list("files"):
            yield number, kept_with(game, number)
    if game.draft is not None:
        yield game.draft.number, kept_with(game, game.draft.number)


def _chosen(game: OpenGame, number: int, file: AttachedFile) -> KeptFile:
    assert isinstance(game.opened, HomeFile)
    path = attached_files.path_of(game.opened.memory.folder, number, file)
    return KeptFile(file, number, path, attached_files.state_of(path, file))


def _size(kept: KeptFile) -> tuple[int, int] | None:
    """How wide and high a file that is here is in dots, if it is a picture that can be shown."""
    with suppress(Usage):
        return _size_of(kept.path, kept.file)
    return None


@lru_cache(maxsize=1000)
def _size_of(path: Path, file: AttachedFile) -> tuple[int, int] | None:
    """The same, which follows from the bytes that the turn signs: each page of a game asks for all
    of them. Raises `Usage`."""
    return board_size(files.read_own(path, file.size))
