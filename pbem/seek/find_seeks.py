"""Finds seeks in places: files, folders and Maildirs, saved mails, mbox files, and lists.

A seek may be attached, stand in armor or as it is, alone or one after the other, or as a string of
a list in JSON (docs/format.md, section 24). Here they are only found, and nothing of them is
believed (`pbem.seek.seek_file`)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

import msgspec

from pbem import files
from pbem.errors import Malformed
from pbem.fileformat import armor, link
from pbem.mail import bounded_mime, mbox
from pbem.mail.contents import contents
from pbem.mail.lost_turns import UNREADABLE
from pbem.mail.unread_forms import Budget
from pbem.seek.seek_file import MAX_SEEK, START

MOST = 20_000
"""Seeks that are looked at in one place."""
_SIGNED = b'\ned25519 = "'
_LAST_LINE = len(_SIGNED) + 90
"""Bytes of the line with a signature, line ends included."""
_WITH_CR = MAX_SEEK + 200
"""Bytes in which the end of a seek is looked for: its lines may end with CR LF."""


class SeekList(msgspec.Struct, frozen=True):
    """A list as a page is served with it; other keys of it mean nothing."""

    seeks: tuple[str, ...] = ()


class Piece(NamedTuple):
    """What may be a seek, and the file it was found in, or why a file could not be read."""

    where: str
    data: bytes
    problem: str = ""


def look(place: Path) -> Iterator[Piece]:
    """Every seek in a file, or in the files of a folder and the Maildirs below it; `MOST` at most,
    and then that there are more. Raises `NoPlace` if the path cannot be read."""
    yield from bounded(_pieces(place), files.printable(place))


def _pieces(place: Path) -> Iterator[Piece]:
    for one in contents(place):
        if one.problem:
            yield Piece(one.where, b"", one.problem)
        else:
            found = _in_mail(one.data) if one.is_of_mbox else seeks_in(one.data)
            yield from (Piece(one.where, seek) for seek in found)


def bounded(found: Iterator[Piece], where: str) -> Iterator[Piece]:
    """The first `MOST` of these, and then that there are more."""
    for number, piece in enumerate(found):
        if number == MOST:
            yield Piece(
                where, b"", f"{where} has more than {MOST} seeks: the rest was not looked at"
            )
            return
        yield piece


def seeks_in(data: bytes) -> Iterator[bytes]:
    """The seeks in the bytes of a file, a mail, an mbox or a list; nothing where there is none, or
    where it cannot be read."""
    if mbox.is_mbox(data[:64]):
        for message in mbox.messages_in(BytesIO(data)):
            yield from _in_mail(message.data)
        return
    if data.lstrip()[:1] == b"{":
        yield from in_list(data)
        return
    yield from _in_mail(data)


def _in_mail(data: bytes) -> Iterator[bytes]:
    """The seeks in a mail, or in a text that is none."""
    try:
        for content in bounded_mime.contents(data, Budget()):
            yield from _in_text(content)
    except UNREADABLE:
        return


def in_list(data: bytes) -> Iterator[bytes]:
    """The seeks of a list in JSON; none of what is no such list."""
    try:
        found = msgspec.json.decode(data, type=SeekList)
    except (msgspec.MsgspecError, RecursionError, ValueError):
        return
    yield from (one.encode("utf-8", "replace") for one in found.seeks)


def _in_text(text: bytes) -> Iterator[bytes]:
    """The seeks that stand in a text, as they are, in armor or in a link. No string of a seek holds
    a line end, so what begins a line begins a seek."""
    for one in link.seek_links_in(text) if b"eek" in text else ():
        with suppress(Malformed):  # damaged on its way: the seek may stand there as well
            yield link.read_seek(one)
    place = -1
    while (place := text.find(START, place + 1)) >= 0:
        if place and text[place - 1 : place] != b"\n":
            continue
        signed = text.find(_SIGNED, place, place + _WITH_CR)
        end = text.find(b"\n", signed + 1, signed + _LAST_LINE + 2) if signed >= 0 else -1
        if signed < 0:
            yield text[place : place + _WITH_CR]
        else:
            yield text[place : end + 1 if end >= 0 else signed + _LAST_LINE]
    yield from armor.seeks(text)
