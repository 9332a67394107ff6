"""Finds turns in files: turn files, saved mails, mbox files, Maildirs, and folders of all of these.

Everything is only read; nothing is moved, changed or deleted."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from pbem import files
from pbem.errors import with_hint
from pbem.fileformat import link
from pbem.fileformat.toml_subset import NO_TURN
from pbem.fileformat.turnfile import MAX_MESSAGE
from pbem.mail import mbox
from pbem.mail.find_turns import EMPTIED, TOO_MUCH, Found, turns_in
from pbem.mail.folders import NoPlace, files_in, folders_in, is_file

_MAY_HOLD = re.compile(
    rb"(?i)pbem|base64|quoted-printable|(?:#|%23)(?:join|turn)|begin"
    rb" [0-7]|PK\x03\x04|\x1f\x8b|BZh|\xfd7zXZ"
    rb"|p\0b\0e\0m|-[0-9a-f]{8}(?![0-9a-f])"
)
"""One of these stands in every mail that may hold a turn, or that lost one."""

MAILS_BEFORE, BYTES_EACH = 1000, 4000
"""How many mails without a turn are read of an mbox: so many, and one more for every so many bytes
of the file."""

EMPTY = (
    "it is empty, as after a download that failed or on a full disk (hint: take the turn from its"
    " mail again, or ask the sender for it)"
)

NOTHING = with_hint("there is no turn in it", NO_TURN)

NO_LINK = with_hint(
    "there is no turn in the link",
    "copy the whole link from the mail, or give the turn file (.toml) or the mail that carried it",
)

_NO_TURNS = {
    b"%PDF-": "a PDF",
    b"\x89PNG": "a picture",
    b"\xff\xd8\xff": "a picture",
    b"GIF8": "a picture",
    b"RIFF": "a picture or a sound",
    b"bplist00": "a page that Safari saved",
    b"{\\rtf": "a document",
    b"\xd0\xcf\x11\xe0": "a document or a mail of Outlook (.msg)",
}
"""What players give by mistake, by how it begins."""


def look(place: Path) -> Iterator[Found]:
    """Every turn in a file, in a folder, or in the link that was given in place of a path. Raises
    `NoPlace` if the path cannot be read."""
    if files.is_folder(place):
        yield from _folder(place)
    elif is_file(place):
        yield from _file(place, is_named=True)
    elif text := link.link_argument(place):
        yield from list(turns_in(text, "the link")) or [Found("the link", None, NO_LINK)]
    else:
        raise no_place(place)


def no_place(place: Path) -> NoPlace:
    """The error that nothing can be read in a place."""
    where = files.printable(place)
    is_there = os.path.lexists(place)
    what = f"{where} is no plain file" if is_there else f"there is no file or folder {where}"
    return NoPlace(what, hint="check the path")


def _folder(folder: Path) -> Iterator[Found]:
    """The turns in a folder and the Maildirs below it. A folder below that cannot be listed is a
    problem of its own, and stops nothing."""
    for below in folders_in(folder):
        try:
            for path in files_in(below):
                yield from look_into(path)
        except NoPlace as error:
            if below == folder:
                raise
            yield Found(files.printable(below), None, error.what)


def look_into(path: Path) -> Iterator[Found]:
    """The turns in one file of a folder: a file without any is passed over."""
    yield from _file(path, is_named=False)


def _file(path: Path, *, is_named: bool) -> Iterator[Found]:
    """The turns in one file. That there is none is a problem only in a file that the player
    named."""
    where = files.printable(path)
    try:
        with path.open("rb") as file:
            start = file.read(64)
        if mbox.is_mbox(start):
            yield from _mbox(path, where, is_named=is_named)
            return
        if path.stat().st_size > MAX_MESSAGE:
            if is_named:
                yield Found(where, None, "too large for a mail or a turn file")
            return
        data = path.read_bytes()
    except OSError as error:
        yield Found(where, None, f"cannot be read: {error.strerror}", is_unread=True)
        return
    except MemoryError:
        yield Found(where, None, TOO_MUCH)
        return
    if data and not data.strip(b"\0") and (is_named or path.suffix == ".toml"):
        yield Found(where, None, EMPTIED)
        return
    if not data.strip() and (is_named or path.suffix == ".toml"):
        yield Found(where, None, EMPTY)
        return
    found = list(turns_in(data, where))
    for one in found:
        if is_named or not one.is_guess:
            yield replace(one, is_nothing=is_named) if _is_likely(one) else one
    if is_named and not found:
        yield Found(where, None, _what_it_is(data), is_nothing=True)


def may_hold(data: bytes) -> bool:
    """Whether a mail may hold a turn, or have lost one: all others need not be looked into."""
    return _MAY_HOLD.search(data) is not None


def _is_likely(found: Found) -> bool:
    return found.lost is not None and found.lost.is_likely


def _what_it_is(data: bytes) -> str:
    """That there is no turn in these bytes, and what to give in their place."""
    what = next((name for begin, name in _NO_TURNS.items() if data.startswith(begin)), "")
    if not what and data[:2000].lstrip().lower().startswith((b"<!doctype html", b"<html")):
        what = "a saved page"
    return with_hint(f"it is {what}, and there is no turn in it", NO_TURN) if what else NOTHING


def _mbox(path: Path, where: str, *, is_named: bool) -> Iterator[Found]:
    """The turns in the mails of an mbox file. Of a file that the player named it says if there is
    none."""
    left = MAILS_BEFORE * BYTES_EACH
    guess: Found | None = None
    is_empty = True
    for number, (data, size) in enumerate(mbox.messages(path), 1):
        left += size
        if not may_hold(data):
            continue
        found = list(_message(data, size, f"{where}, message {number}"))
        told = [one for one in found if not one.is_guess]
        guess = next((one for one in found if one.is_guess), guess) if not told else guess
        is_empty = is_empty and not told
        yield from told
        left -= 0 if any(not _is_likely(one) for one in told) else BYTES_EACH
        if left < 0:
            yield Found(where, None, f"very many mails without a turn: read up to message {number}")
            return
    if is_named and is_empty:
        yield guess or Found(where, None, NOTHING)


def _message(data: bytes, size: int, where: str) -> Iterator[Found]:
    if size > MAX_MESSAGE:
        yield Found(where, None, "too large for a mail with a turn")
    else:
        yield from turns_in(data, where)
