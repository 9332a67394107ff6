"""What a command's FILE means: a turn file, a saved mail or a pasted text with a turn in it, or a
game's short name."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from pbem import files
from pbem.errors import Do, Malformed, PbemError
from pbem.fileformat import armor, link, turnfile
from pbem.fileformat.toml_subset import NO_TURN
from pbem.fileformat.turnfile import BOM, MAX_MESSAGE, START, TurnFile, whole_line
from pbem.ledger import gate

if TYPE_CHECKING:
    from pbem.home.home import Home

_BEGINNING = b"format"


class NoTurn(Malformed):
    """A file is something else than a turn file, or a mail or text with one in it."""


def load(path: Path, home: Home | None = None) -> bytes:
    """The bytes of a turn file, out of the mail or the armor if it comes in one; of a game's short
    name, the newest file that the home knows. Raises `Usage`, `Malformed` or `Conflict`."""
    return load_both(path, home)[0]


def load_both(path: Path, home: Home | None = None) -> tuple[bytes, bytes]:
    """The bytes of a turn file as `load` finds them, and those of the file that they came in, as it
    lies there; of a link twice the turn."""
    path = named(path, home)
    if text := _link(path):
        turn = turn_or_whole(text, "the link", home)
        return turn, turn
    data = files.read_bytes(path, MAX_MESSAGE)
    return turn_in(data, files.printable(path), home), data


def named(path: Path, home: Home | None = None) -> Path:
    """The file that a path means: of a game's short name the newest that the home knows. Raises
    `Usage`, `Conflict`."""
    if not path.suffix:
        from pbem.home import game_index  # needs a home, which a file does not

        if game_index.is_short(path):
            return game_index.newest_path(home, str(path))
    return path


def folder_of(path: Path) -> Path:
    """Where a command writes that was given this as its FILE: beside it, or here where it is no
    file but a link."""
    return Path() if _link(path) else path.parent


def _link(path: Path) -> bytes:
    return b"" if os.path.lexists(path) else link.link_argument(path)


def turn_in(data: bytes, where: str, home: Home | None = None) -> bytes:
    """The bytes of a turn file, out of those of the file that it comes in; out of a link with its
    newest entry alone, if the home has the rest. Raises `Malformed`."""
    data = data.removeprefix(BOM)
    if data.startswith(START):
        turn = whole_line(data)
        try:
            turnfile.read(turn)
        except Malformed:
            from pbem.mail import retyped  # it may be pasted text

            return retyped.as_signed(turn)
        return turn
    return turn_or_whole(data, where, home)


def turn_or_whole(data: bytes, where: str, home: Home | None = None) -> bytes:
    """The one turn in a file that holds a mail, a zip or a pasted text, attached or in armor: of
    several of one game the newest. A file that holds none and is no mail is given back whole:
    whoever reads it says what is wrong.

    Raises `Malformed`.
    """
    from pbem.mail import bounded_mime, find_turns  # only a mail or a pasted text needs them

    found = list(find_turns.turns_in(data, where))
    if home is not None and any(one.link for one in found):
        from pbem.mail import links  # loads a library that a turn file by itself does not need

        found = list(links.with_files(home, found))
    if data and not data.strip(b"\0"):
        raise Malformed(find_turns.EMPTIED, where=where)
    if not found and not bounded_mime.is_mail(data) and not armor.is_armored(data):
        if not data.startswith(_BEGINNING):
            raise NoTurn("there is no turn in it", where=where, hint=NO_TURN)
        return data
    turns = [one for one in found if one.data is not None]
    if not turns:
        problem = found[0].problem if found else "there is no turn in it"
        is_alone = bool(found) and found[0].link is not None
        hint = (
            "ask for the file of that turn, or a later one"
            if is_alone
            else "save one whole message, from BEGIN to END"
        )
        hint = "" if "(hint: " in problem else hint
        raise Malformed(problem, where=where, hint=hint)
    read = [file for one in turns if one.data is not None and (file := _read(one.data)) is not None]
    if not read:
        assert turns[0].data is not None
        return turns[0].data
    return _newest(read, where).data


def _read(data: bytes) -> TurnFile | None:
    """A turn that is whole; one that was cut off stands beside its armor, or a second copy of
    it."""
    try:
        return turnfile.read(data)
    except PbemError:
        return None


def _newest(read: list[TurnFile], where: str) -> TurnFile:
    """The turn that all others lead up to; of several versions the one that verifies."""
    longest = max(read, key=lambda file: len(file.entries))
    if all(longest.data.startswith(file.data) for file in read):
        return longest

    sound = []
    for file in read:
        try:
            gate.replay(file)
        except PbemError:
            continue
        sound.append(file)
    longest = max(sound or read, key=lambda file: len(file.entries))
    if not all(longest.data.startswith(file.data) for file in sound or read):
        hint = Do("inbox", "FILE", does="takes them in, then name the game or the file you mean")
        raise Malformed(f"{len(sound or read)} different turns in one mail", where=where, hint=hint)
    return longest
