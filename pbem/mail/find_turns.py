"""Finds turns in the bytes of a file or mail. A turn may be attached, or armored in a text that was
quoted, wrapped or turned to HTML on its way. Where there is neither, a link may hold it whole, or
its newest entry. Which files are looked into is `pbem.mail.turn_files`'s to say."""

from __future__ import annotations

import binascii
import hashlib
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from pbem.errors import Do, PbemError, with_hint
from pbem.fileformat import armor, link, rewritten_link, turnfile
from pbem.fileformat.link import TurnLink
from pbem.fileformat.turnfile import BOM, MAX_FILE, START, whole_line
from pbem.mail import bounces, bounded_mime, retyped, unpack, unread_forms
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
_OF_LEAGUE = with_hint("it is of a league, and has no turn in it", turnfile.SHOW_LEAGUE)
_ALONE = "there is a link with turn {} alone in it, of a game whose other turns are elsewhere"
_OF_PBEM = re.compile(rb"(?i)(?<![A-Za-z0-9+/])pbem(?![A-Za-z0-9+/])|[a-z]-[0-9a-f]{8}-[0-9]{4}\.")
"""What a text about a game has in it: the name of the program, or a file name like those of its
games."""
_BEGINS_IN_QP = START.replace(b"=", b"=3D")
_TURN_MARK, _BEFORE_MARK = b"PBEM TURN", 40
_LONGEST_RAW = 200_000
"""Bytes of a mail in whose raw text a link is looked for."""


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
TOO_MUCH = "it takes more memory than this machine has"


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
            and all(one.is_guess and one.problem != _OF_LEAGUE for one in found)
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
    if text.startswith(turnfile.LEAGUE.encode()):
        yield Found(where, None, _OF_LEAGUE, is_guess=True)
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
