"""Finds a player's own entries that lie where turns come and go, and that their home has forgotten.

They are looked for before an entry is signed, so that a home restored from a backup signs no second
version (docs/format.md, section 9). The places are the folder that is written to, the folder of the
file that is answered, what `pbem inbox` reads, and the memory itself. Of each file only the
beginning is read, unless it belongs to the game; an mbox file that is larger than one mail may be
is left out."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from pbem import files
from pbem.errors import Conflict, Invalid, Typed, Usage
from pbem.fileformat import turnfile
from pbem.fileformat.turnfile import BOM, MAX_MESSAGE, START, TurnFile, whole_line
from pbem.home.game_index import short_name
from pbem.home.home import Home
from pbem.ledger.ledger import Ledger
from pbem.mail import settings, turn_files
from pbem.turn.open_game import HomeFile, OpenFile

_HEAD = 16_384
"""Bytes at the beginning of a file that show whether it is of a game: entry 0, or the header of a
mail."""


def take_back(opened: OpenFile, home: Home, folders: Iterable[Path]) -> None:
    """Before the next entry is signed on an opened file: if one of that number, or a later one, by
    the same player is found, remember it and all before it. The opened file is stale then, and asks
    for the bytes that were signed.

    Raises `Conflict` if what is found and what is remembered are two versions of one turn.
    """
    if not isinstance(opened, HomeFile) or opened.stale or not _is_asked(opened):
        return
    for where, file, game in _found(
        opened, [*folders, *_places(home), opened.memory.folder / "read"]
    ):
        seat = game.seat_with(opened.identity.public)
        own = [
            entry.number
            for entry in file.entries
            if seat is not None and game.seat_of(entry) == seat
        ]
        if game.game_id != opened.ledger.game_id or not own or own[-1] < len(opened.file.entries):
            continue
        try:
            opened.memory.take_back(file, own, where)
        except Conflict as error:
            raise Conflict(
                f"{where} holds your turn {own[-1]}: {error.what}", hint=error.hint
            ) from error
    if opened.memory.notes and opened.seat is not None:
        mine = [
            one.number for one in opened.file.entries if opened.ledger.seat_of(one) == opened.seat
        ]
        opened.stale = opened.memory.check(opened.file, mine, nothing_newer=False)
    opened.warnings += [note for note in opened.memory.notes if note not in opened.warnings]


def _is_asked(opened: OpenFile) -> bool:
    """Whether this player may write the next entry: an answer, or a join."""
    turn = opened.ledger.to_act()
    return turn is not None and (turn == opened.seat or opened.ledger.players[turn] is None)


def _places(home: Home) -> list[Path]:
    """The places that `pbem inbox` reads where none is named."""
    if not os.path.lexists(home.folder / "mail.toml"):
        return [home.folder / "inbox"]
    try:
        chosen = settings.read(home).inbox
    except Usage:  # `pbem inbox` tells what is wrong with it
        chosen = ()
    return [home.folder / "inbox", *chosen]


def _found(opened: OpenFile, places: Iterable[Path]) -> Iterator[tuple[str, TurnFile, Ledger]]:
    """Every turn file of the game that has more entries than the opened one, and verifies."""
    number, seen = len(opened.file.entries), {opened.file.data}
    for path in dict.fromkeys(path for place in places for path in _files_in(place)):
        if not _may_hold(path, opened):
            continue
        for where, data in _turns_of(path):
            if data in seen or data.count(b"\n[[entry]]") <= number:
                continue
            seen.add(data)
            try:
                file = turnfile.read(data)
                yield where, file, opened.checked(file)
            except Invalid:
                continue


def _turns_of(path: Path) -> Iterator[tuple[str, bytes]]:
    """Every turn in a file, with its place in words."""
    try:
        data = path.read_bytes().removeprefix(BOM)
    except OSError:
        return
    if data.startswith(START):
        yield files.printable(path), whole_line(data)
        return
    for found in turn_files.look(path):
        if found.data is not None:
            yield found.where, found.data


def _files_in(place: Path) -> Iterator[Path]:
    """The file, the files of the folder, and those of the Maildirs in it."""
    try:
        if not files.is_folder(place):
            yield from [place] if place.is_file() else []
            return
        with os.scandir(place) as entries:
            below = sorted(entries, key=lambda entry: entry.name)
        yield from (
            Path(one.path) for one in below if one.is_file() and not one.name.startswith(".")
        )
        for path in (Path(one.path) for one in below if one.is_dir(follow_symlinks=False)):
            if path.name in ("cur", "new") or files.is_folder(path / "cur"):
                yield from _files_in(path)
    except (OSError, ValueError):
        return  # a place that cannot be read holds nothing that could be taken back


def _may_hold(path: Path, opened: OpenFile) -> bool:
    """Whether a file begins as a turn file or a mail of this game."""
    try:
        if path.suffix == ".md" or path.stat().st_size > MAX_MESSAGE:
            return False  # a summary tells of a game and holds none of it
        with path.open("rb") as file:
            head = file.read(_HEAD)
            if head.startswith(b"From "):
                head += file.read()
    except (OSError, ValueError):
        return False
    if head.removeprefix(BOM).startswith(START):
        turn = head.removeprefix(BOM).replace(b"\r\n", b"\n")
        first = opened.file.prefix(1)[: len(turn)]
        return turn.startswith(first[: _HEAD // 2])
    game = opened.ledger.game_id.hex()
    # it stands in the subject, the header and the ids of every mail of the game
    if game[:8].encode() not in head:
        return short_name(opened.ledger) in path.name
    return True  # which entry it carries, its header says; but anybody may write anything there


def check_names(opened: OpenFile, paths: Iterable[Path]) -> None:
    """Raise `Conflict` if one of the files that would be written is there, and the next entry was
    not signed before: nothing is signed that could not be written, and nothing that is somebody
    else's is told as what to send."""
    path = next((path for path in paths if os.path.lexists(path)), None)
    if (
        path is not None
        and (_is_asked(opened) or opened.may_close())
        and not opened.stale
        and (
            opened.seat is not None
            or not isinstance(opened, HomeFile)
            or opened.memory.newest_signed() is None
            or opened.memory.gives_way(opened.file)
        )
    ):
        raise Conflict(
            f"{files.printable(path)} exists and holds something else",
            hint=("nothing was signed", Typed("move it away or choose another folder with --dir")),
        )
