"""What a command's FILE means: a turn file, a saved mail or a pasted text with a turn in it, a
link, or a game's short name. It is settled here, once: what comes of it are bytes, and nobody
behind this door asks what FILE was."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from pbem import files
from pbem.errors import Malformed
from pbem.fileformat import link, turnfile
from pbem.fileformat.turnfile import BOM, MAX_MESSAGE, START, whole_line

if TYPE_CHECKING:
    from pbem.home.home import Home


class NamedFile(NamedTuple):
    """What FILE is: the `turn`, as the bytes of a turn file; the `whole` file that it came in, as
    it lies there (of a link the turn); whether that is a saved mail by its name; and the folder in
    which a command writes that was given it: beside it, or here for a link or a game."""

    turn: bytes
    whole: bytes
    folder: Path
    is_mail: bool


def find(path: Path, home: Home | None = None) -> NamedFile:
    """What a path means: of a game's short name, the newest file that the home knows. Raises
    `Usage`, `Malformed` or `Conflict`."""
    place = named(path, home)
    if text := b"" if os.path.lexists(place) else link.link_argument(place):
        turn = turn_in(text, "the link", home)
        return NamedFile(turn, turn, Path(), is_mail=False)
    data = files.read_bytes(place, MAX_MESSAGE)
    turn = turn_in(data, files.printable(place), home)
    return NamedFile(turn, data, path.parent, is_mail=place.suffix == ".eml")


def named(path: Path, home: Home | None = None) -> Path:
    """The file that a path means: of a game's short name the newest that the home knows. Raises
    `Usage`, `Conflict`."""
    if not path.suffix:
        from pbem.home import game_index  # needs a home, which a file does not

        if game_index.is_short(path):
            return game_index.newest_path(home, str(path))
    return path


def turn_in(data: bytes, where: str, home: Home | None = None) -> bytes:
    """The bytes of a turn file, out of those of the file that it comes in. Raises `Malformed`."""
    data = data.removeprefix(BOM)
    if data.startswith(START):
        turn = whole_line(data)
        with suppress(Malformed):
            turnfile.read(turn)
            return turn
    from pbem.turn import carried  # loads what reads mails: it is pasted text, or comes in a mail

    return carried.taken_out(data, where, home)
