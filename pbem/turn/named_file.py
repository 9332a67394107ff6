"""What a command's FILE means: a turn file, a saved mail or a pasted text with a turn in it, a
link, or a game's short name. It is settled here, once: what comes of it are bytes, and nobody
behind this door asks what FILE was."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

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
        turn = turn_or_whole(text, "the link", home)
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
