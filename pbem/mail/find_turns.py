"""Finds turns in files: turn files, saved mails, mbox files, Maildirs, and folders of all of these.

Everything is only read; nothing is moved, changed or deleted. A turn may be attached, or armored in
a text that was quoted, wrapped or turned to HTML on its way. Where there is neither, a link may
hold it whole, or its newest entry.
"""

from __future__ import annotations

import binascii
import hashlib
import os
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from pbem import files
from pbem.errors import Do, PbemError, with_hint
from pbem.fileformat import armor, link, rewritten_link, turnfile
from pbem.fileformat.link import TurnLink
from pbem.fileformat.toml_subset import NO_TURN
from pbem.fileformat.turnfile import BOM, MAX_FILE, MAX_MESSAGE, START, whole_line
from pbem.mail import bounces, bounded_mime, mbox, retyped, unpack, unread_forms
from pbem.mail.folders import NoPlace, files_in, folders_in, is_file
from pbem.mail.lost_turns import (
    MAX_WORDS,
    UNREADABLE,
    LostTurn,
    likely_in,
    lost_in,
    sender_of,
)
from pbem.mail.unread_forms import Budget, Form

if TYPE_CHECKING:
    from pbem.mail.bounces import FailedRecipient


MAX_ARMORS = 200
MAX_TURNS = 10
"""Turns that are looked at in one mail; an honest one carries one."""
MAX_PASTED = 5
"""Places of one text at which a turn file without armor is looked for."""
_SIGNED = b'\ned25519 = "'
_SIGNATURE = re.compile(rb'\ned25519 = "[A-Za-z0-9+/]{86}=="(?=[\r\n\x1a]|\Z)')
_NOTICE = re.compile(rb"(?i)delivery-status")
"""Stands in every notice that a mail was not delivered."""
_UNDELIVERED = "it says that a mail was not delivered"
_LIKELY = "a mail about this game, without a turn in it"
_ALONE = "there is a link with turn {} alone in it, of a game whose other turns are elsewhere"
_MAY_HOLD = re.compile(
    rb"(?i)pbem|base64|quoted-printable|(?:#|%23)(?:join|turn)|begin"
    rb" [0-7]|PK\x03\x04|\x1f\x8b|BZh|\xfd7zXZ"
    rb"|p\0b\0e\0m|-[0-9a-f]{8}(?![0-9a-f])"
)
"""One of these stands in every mail that may hold a turn, or that lost one."""
_OF_PBEM = re.compile(rb"(?i)(?<![A-Za-z0-9+/])pbem(?![A-Za-z0-9+/])|[a-z]-[0-9a-f]{8}-[0-9]{4}\.")
"""What a text about a game has in it: the name of the program, or a file name like those of its
games."""
_BEGINS_IN_QP = START.replace(b"=", b"=3D")
_TURN_MARK, _BEFORE_MARK = b"PBEM TURN", 40
_LONGEST_RAW = 200_000
"""Bytes of a mail in whose raw text a link is looked for."""
MAILS_BEFORE, BYTES_EACH = 1000, 4000
"""How many mails without a turn are read of an mbox: so many, and one more for every so many bytes
of the file."""


@dataclass(frozen=True)
class Found:
    """A turn, or what stood where one should be: where it was found, in words, its bytes, or why it
    cannot be read."""

    where: str
    data: bytes | None
    problem: str = ""
    is_attachment: bool = False
    lost: LostTurn | None = None
    is_guess: bool = False
    """Whether nothing says that a turn should be there. In a folder such a file is passed over in
    silence."""
    is_nothing: bool = False
    """Whether the player named its file, and nothing is in it, unless it is about a game that the
    home knows."""
    is_unread: bool = False
    """Whether its file could not be read at all; that may work another time."""
    link: TurnLink | None = None
    """The entry, where a link holds nothing else: a home that has the rest of the game can use it
    (`pbem.mail.links`)."""
    failed: Sequence[FailedRecipient] = ()
    """The recipients whom a mail with a turn did not reach, where this is a notice that says so
    (`pbem.mail.bounces`)."""


EMPTIED = (
    "damaged: it holds nothing but zero bytes, as after a crash (hint: take the turn from its mail"
    " again)"
)
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
TOO_MUCH = "it takes more memory than this machine has"


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
        if _MAY_HOLD.search(data) is None:
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


def turns_in(data: bytes, where: str) -> Iterator[Found]:
    """The different turns in the bytes of one file or mail, attachments before armors, `MAX_TURNS`
    at most. A mail of a game without any turn yields what it should have carried; a notice that a
    mail was not delivered comes before all else."""
    found: list[Found] = []
    is_notice = (b"elivery-" in data or b"ELIVERY-" in data) and _NOTICE.search(data) is not None
    if is_notice and (failed := bounces.read(data)):
        problem = with_hint(
            _UNDELIVERED, Do("inbox", does="takes it in, and tells if the mail was yours")
        )
        yield Found(where, None, problem, failed=failed)
    problem, words = "", bytearray()
    try:
        _gather(data, where, found, words)
    except MemoryError:
        problem = TOO_MUCH
    except UNREADABLE:
        problem = "a mail that cannot be read"
    yield from sorted(found[:MAX_TURNS], key=lambda one: not one.is_attachment)
    if problem:
        yield Found(where, None, problem, lost=lost_in(data))
    elif len(found) > MAX_TURNS:
        yield Found(
            where, None, f"more than {MAX_TURNS} turns in one mail: the rest was not looked at"
        )
    elif not any(one.data or one.link for one in found):
        if (lost := lost_in(data)) is not None:
            without = found[0].problem if found else "the mail came without its turn"
            yield Found(where, None, without, lost=lost)
        elif (
            not is_notice
            and all(one.is_guess for one in found)
            and (lost := likely_in(data, bytes(words))) is not None
        ):
            yield Found(where, None, found[0].problem if found else _LIKELY, lost=lost)


def _gather(data: bytes, where: str, found: list[Found], words: bytearray) -> None:
    """Add every different turn to `found`, and stop at one more than `MAX_TURNS`; to `words` the
    beginnings of the contents, where a game may be named."""
    seen: set[bytes] = set()
    budget, links = Budget(), list[bytes]()
    for content in _contents(data, budget):
        found.extend(_turns_of(content, where, seen, budget))
        words += content[: max(0, MAX_WORDS - len(words))]
        if not content.startswith(START):
            links.extend(islice(link.links_in(content), link.MAX_LINKS - len(links)))
        if len(found) > MAX_TURNS:
            return
    if not found:
        found.extend(_turns_in_raw(data, where, seen, budget))
    if any(one.data for one in found):
        return
    if not links and (Form.REWRITTEN in budget.unread or b"pbem" in data):
        links = _broken_links(data, bytes(words))
    found.extend(_turns_in_links(links, data, where, seen))
    if not found and (unread := unread_forms.in_words(budget)):
        is_guess = Form.WINMAIL not in budget.unread and _OF_PBEM.search(data) is None
        found.append(Found(where, None, unread, is_guess=is_guess))


def _turns_of(content: bytes, where: str, seen: set[bytes], budget: Budget) -> Iterator[Found]:
    """The turns in the content of one part that were not found before."""
    text = content.lstrip() if content[:1].isspace() else content
    if text.startswith(START):
        turn = retyped.as_signed(whole_line(_without_tail(text)), budget)
        if (same := _sameness(turn)) not in seen:
            seen.add(same)
            yield Found(where, turn, is_attachment=True)
        return
    found = list(_armors(content, where, seen, budget))
    bare = list(_bare_turns(content, where, seen, budget))
    found += bare or _altered_turns(content, where, seen, budget)
    yield from found
    if not found and not seen:
        for part in unpack.turns_in_base64(content, budget):
            yield from _turns_of(part, where, seen, budget)


def _turns_in_raw(data: bytes, where: str, seen: set[bytes], budget: Budget) -> Iterator[Found]:
    """The turns that stand in the bytes of a mail, where its structure does not lead to them: in
    base64, in quoted-printable, or plain."""
    given, data = data, bounded_mime.plain(data)
    texts = [*unpack.turns_in_base64(data, budget, twice=True)]
    if data is not given and (place := given.find(START)) >= 0:
        texts.append(given[place:])  # its first bytes say that it is in UTF-16, and it is not
    place = data.find(_BEGINS_IN_QP)
    if place >= 0 or (_TURN_MARK in data and b"=3D" in data):
        start = max(0, place if place >= 0 else data.find(_TURN_MARK) - _BEFORE_MARK)
        texts.append(binascii.a2b_qp(data[start : start + MAX_FILE]))
    if b"\n" + START in data or _TURN_MARK in data:
        texts.append(data)
    for text in texts:
        yield from (one for one in _turns_of(text, where, seen, budget) if one.data is not None)


def _broken_links(data: bytes, words: bytes) -> list[bytes]:
    """The links that were wrapped where they begin, in the words of a mail or, where it is
    quoted-printable and does not say so, in its bytes."""
    texts = (rewritten_link.unbroken(words), binascii.a2b_qp(data[:_LONGEST_RAW]))
    return [one for text in texts for one in link.links_in(text)][: link.MAX_LINKS]


def _turns_in_links(
    links: Sequence[bytes], data: bytes, where: str, seen: set[bytes]
) -> Iterator[Found]:
    """What the links of the mail or text `data` hold, which has no turn otherwise."""
    for one in links:
        try:
            content = link.read(one)
        except PbemError as error:
            yield Found(where, None, str(error))
            continue
        same = _sameness(content if isinstance(content, bytes) else content.before + content.entry)
        if same in seen:
            continue
        seen.add(same)
        if isinstance(content, bytes):
            yield Found(where, whole_line(content))
        else:
            came = LostTurn(content.game, content.number, sender_of(data), is_link=True)
            yield Found(
                where,
                None,
                with_hint(
                    _ALONE.format(content.number),
                    Do("inbox", does="takes it in, then name the game"),
                ),
                lost=came,
                link=content,
            )


def _contents(data: bytes, budget: Budget) -> Iterator[bytes]:
    """The contents of a mail; of a turn file by itself, that file."""
    if data.removeprefix(BOM).startswith(START):
        return iter((data.removeprefix(BOM),))
    return bounded_mime.contents(data, budget)


def _armors(text: bytes, where: str, seen: set[bytes], budget: Budget) -> Iterator[Found]:
    """Turns in armor that were not found before."""
    for block, _ in zip(armor.blocks(text), range(MAX_ARMORS), strict=False):
        budget.armored -= len(block)
        if budget.armored < 0:
            yield Found(
                where,
                None,
                "the armored turn is too long (hint: ask for the file as an attachment)",
            )
            return
        try:
            turn = armor.decode(block)
        except PbemError as error:
            yield Found(where, None, str(error))
            continue
        if (same := _sameness(turn)) not in seen:
            seen.add(same)
            yield Found(where, turn)


def _without_tail(text: bytes) -> bytes:
    """A turn file without what a program put behind its last line: the footer of a mailing list,
    Ctrl-Z, blank lines."""
    place = text.rfind(_SIGNED)
    match = _SIGNATURE.match(text, place) if place >= 0 else None
    rest = b"" if match is None else text[match.end() :]
    return text if match is None or b"\n[[entry]]" in rest else text[: match.end()]


def _bare_turns(text: bytes, where: str, seen: set[bytes], budget: Budget) -> Iterator[Found]:
    """Turn files without armor that stand below other words, where they are whole."""
    place = -1
    for _ in range(MAX_PASTED):
        place = text.find(b"\n" + START, place + 1)
        if place < 0:
            return
        turn = _without_tail(text[place + 1 : place + 1 + max(0, budget.armored)])
        budget.armored -= len(turn)
        with suppress(PbemError):
            turnfile.read(whole_line(turn))
            if (same := _sameness(turn)) not in seen:
                seen.add(same)
                yield Found(where, whole_line(turn))


def _altered_turns(text: bytes, where: str, seen: set[bytes], budget: Budget) -> Iterator[Found]:
    """Turn files that were pasted as text and changed on their way, restored where that is
    possible."""
    for turn in retyped.restore(text, budget):
        if turn is None:
            yield Found(where, None, retyped.PROBLEM)
        elif (same := _sameness(turn)) not in seen:
            seen.add(same)
            yield Found(where, turn)


def _sameness(turn: bytes) -> bytes:
    """A digest that is equal for two copies of a turn, whatever a mail program did to line ends and
    to the end of the text."""
    return hashlib.sha256(turn.replace(b"\r\n", b"\n").rstrip()).digest()
