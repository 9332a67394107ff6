"""A turn out of what carried it: a mail, a zip, a pasted text, a link. A turn file by itself needs
none of this (`pbem.turn.named_file`)."""

from __future__ import annotations

from pbem.errors import Do, Malformed, NoTurn, PbemError
from pbem.fileformat import armor, turnfile
from pbem.fileformat.toml_subset import NO_TURN
from pbem.fileformat.turnfile import START, TurnFile, whole_line
from pbem.home.home import Home
from pbem.ledger import gate
from pbem.mail import bounded_mime, find_turns, links, retyped

_BEGINNING = b"format"


def taken_out(data: bytes, where: str, home: Home | None) -> bytes:
    """The bytes of a turn file, out of those of a file that is not one as it should be; out of a
    link with its newest entry alone, if the home has the rest. Raises `Malformed`."""
    if data.startswith(START):
        return retyped.as_signed(whole_line(data))
    return turn_or_whole(data, where, home)


def turn_or_whole(data: bytes, where: str, home: Home | None = None) -> bytes:
    """The one turn in a file that holds a mail, a zip or a pasted text, attached or in armor: of
    several of one game the newest. A file that holds none and is no mail is given back whole:
    whoever reads it says what is wrong.

    Raises `Malformed`.
    """
    found = list(find_turns.turns_in(data, where))
    if home is not None and any(one.link for one in found):
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
