"""Where turn files come from: files, saved mails, mbox files, Maildirs, and folders of all of these.

Whatever is found is only read; nothing is moved, changed or deleted. A turn may be attached, or armored in a text that
was quoted, wrapped or turned to HTML on its way.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pbem import files
from pbem.errors import Malformed, PbemError, Usage
from pbem.fileformat import armor
from pbem.fileformat.armor import MAX_MESSAGE

MAX_ARMORS = 200
MAX_TURNS = 10
"""Turns looked at in one mail; one is what an honest one brings."""
MAX_LINES = 400_000
"""Lines of one mail: the longest turn, attached and armored, has fewer. Mails of nothing but parts take time."""
_START = b'format = "pbem/'
_PLAIN = re.compile(rb"(?m)^[\s>|\xef\xbb\xbf]{0,20}format = \"pbem/")
_WHOLE = "save the turn file by itself: it begins with its format line"
_HEADER = re.compile(rb"(?:From [^\n]{0,200}\n)?[A-Za-z][A-Za-z0-9-]{0,60}:[ \t\r\n]")
_BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True)
class Found:
    """One turn, or what stood where one should be: its place in words, its bytes, or why it cannot be read."""

    where: str
    data: bytes | None
    problem: str = ""
    attached: bool = False


class NoPlace(Usage):
    """There is no such file or folder, or it cannot be read."""


def look(place: Path) -> Iterator[Found]:
    """Every turn in a file or folder. Raises `NoPlace` if the place cannot be read."""
    if files.is_folder(place):
        yield from _folder(place)
    elif _is_file(place):
        yield from _file(place, named=True)
    else:
        raise NoPlace(f"there is no file or folder {files.shown(place)}", hint="check the path")


def _is_file(path: Path) -> bool:
    """Whether a file can be read there to its end: no device, and no name that no file can have."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def _folder(folder: Path) -> Iterator[Found]:
    below = _listed(folder)
    if is_maildir(folder):
        mails = [*_listed(folder / "cur"), *_listed(folder / "new")]
    else:
        mails = [path for path in below if not path.name.startswith(".")]
    for path in mails:
        if _is_file(path):
            yield from _file(path, named=False)
    for path in below:
        if files.is_folder(path) and not path.is_symlink() and is_maildir(path):
            try:
                yield from _folder(path)
            except NoPlace as error:
                yield Found(files.shown(path), None, error.what)


def is_maildir(folder: Path) -> bool:
    return files.is_folder(folder / "cur") and files.is_folder(folder / "new")


def _listed(folder: Path) -> list[Path]:
    try:
        return sorted(folder.iterdir())
    except OSError as error:
        what = f"cannot read the folder {files.shown(folder)}: {error.strerror}"
        raise NoPlace(what, hint="check the path") from error


def _file(path: Path, *, named: bool) -> Iterator[Found]:
    """The turns in one file; a file that was named and holds none is a problem, any other is not our business."""
    where = files.shown(path)
    try:
        with path.open("rb") as file:
            start = file.read(5)
        if start == b"From ":
            yield from _mbox(path, where)
            return
        if path.stat().st_size > MAX_MESSAGE:
            if named:
                yield Found(where, None, "too large for a mail or a turn file")
            return
        data = path.read_bytes()
    except OSError as error:
        yield Found(where, None, f"cannot be read: {error.strerror}")
        return
    found = list(turns_in(data, where))
    yield from found
    if named and not found:
        yield Found(where, None, "there is no turn in it")


def _mbox(path: Path, where: str) -> Iterator[Found]:
    """The messages of an mbox file, one after the other, however long the file is."""
    number, size = 0, 0
    message = bytearray()
    blank = True
    with path.open("rb") as file:
        for line in iter(lambda: file.readline(1 << 20), b""):
            if blank and line.startswith(b"From ") and (message or number):
                yield from _message(bytes(message), size, f"{where}, message {number + 1}")
                number, size, message = number + 1, 0, bytearray()
            blank = not line.strip()
            size += len(line)
            if size <= MAX_MESSAGE:
                message += line
    yield from _message(bytes(message), size, f"{where}, message {number + 1}")


def _message(data: bytes, size: int, where: str) -> Iterator[Found]:
    if size > MAX_MESSAGE:
        yield Found(where, None, "too large for a mail with a turn")
    else:
        yield from turns_in(data, where)


def turns_in(data: bytes, where: str) -> Iterator[Found]:
    """The different turns in the bytes of one file or one mail, attachments before armors, a few at most."""
    if _lines(data) > MAX_LINES:
        yield Found(where, None, "too many lines for a mail with a turn")
        return
    for number, found in enumerate(_every_turn(data, where)):
        if number == MAX_TURNS:
            yield Found(where, None, f"more than {MAX_TURNS} turns in one mail: the rest was not looked at")
            return
        yield found


def _lines(data: bytes) -> int:
    """Lines as a mail has them: each of CR, LF and both together ends one."""
    return data.count(b"\n") + data.count(b"\r") - data.count(b"\r\n")


def _every_turn(data: bytes, where: str) -> Iterator[Found]:
    texts = [data]
    plain = data.removeprefix(_BOM)
    if not plain.startswith(_START) and _HEADER.match(data):
        from pbem.mail import bounded_mime  # loads a library that a turn file by itself does not need

        try:
            texts = list(bounded_mime.contents(data))
        except (RecursionError, ValueError, LookupError, AssertionError, AttributeError, TypeError, IndexError):
            yield Found(where, None, "a mail that cannot be read")
            return
    seen: set[bytes] = set()
    for text in texts:
        turn = text.removeprefix(_BOM)
        if turn.startswith(_START) and (same := _sameness(turn)) not in seen:
            seen.add(same)
            yield Found(where, turn, attached=True)
    for text in texts:
        if not text.removeprefix(_BOM).startswith(_START):
            yield from _armors(text, where, seen)


def _armors(text: bytes, where: str, seen: set[bytes]) -> Iterator[Found]:
    """Turns in armor that were not found before."""
    for block in armor.blocks(text)[:MAX_ARMORS]:
        try:
            turn = armor.decode(block)
        except PbemError as error:
            if not seen:  # the attachment of the same mail is whole
                yield Found(where, None, str(error))
            continue
        if (same := _sameness(turn)) not in seen:
            seen.add(same)
            yield Found(where, turn)


def _sameness(turn: bytes) -> bytes:
    """Equal for turns that differ in nothing but what a mail program does to line ends and to the end of a text."""
    return hashlib.sha256(turn.replace(b"\r\n", b"\n").rstrip()).digest()


def turn_or_whole(data: bytes, where: str) -> bytes:
    """The one turn in a file that holds a mail or a pasted text: the attached one, else that in armor; of several, the
    one that all others lead up to. A file that is neither mail nor armor is given back whole: whoever reads it says
    what is wrong. Raises `Malformed`.
    """
    if not armor.is_armored(data) and not _HEADER.match(data):
        return data
    found = list(turns_in(data, where))
    attached = [turn for turn in found if turn.attached]
    if not attached and _PLAIN.search(data):
        raise Malformed("a turn file stands in it as plain text, with other words before it", where=where, hint=_WHOLE)
    turns = [turn.data for turn in attached or found if turn.data is not None]
    if not turns:
        problem = found[0].problem if found else "there is no turn in it"
        raise Malformed(problem, where=where, hint="save one whole message, from BEGIN to END")
    longest = max(turns, key=len)
    if not all(longest.startswith(turn) for turn in turns):
        raise Malformed(f"{len(turns)} different turns in one text", where=where, hint="save one whole message")
    return longest
