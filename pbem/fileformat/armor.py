"""Armor: a turn file as base64 text between two marks, which can still be read after mail programs
have quoted, indented or wrapped it.

docs/format.md, section 10. A packed home (section 17), a seek (section 24), and a league and a join
to one (section 26) have the same form with marks of their own.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator
from contextlib import suppress

from pbem.errors import Malformed
from pbem.fileformat import turnfile

BEGIN = "-----BEGIN PBEM TURN-----"
END = "-----END PBEM TURN-----"
BEGIN_HOME = "-----BEGIN PBEM HOME-----"
END_HOME = "-----END PBEM HOME-----"
BEGIN_SEEK = "-----BEGIN PBEM SEEK-----"
END_SEEK = "-----END PBEM SEEK-----"
BEGIN_LEAGUE = "-----BEGIN PBEM LEAGUE-----"
END_LEAGUE = "-----END PBEM LEAGUE-----"
MAX_BLOCK = 4_000_000
"""Bytes between marks that are read in one mail; a longer turn comes as an attachment."""
MAX_MARKS = 5000
"""Places in one text that are looked at for a mark."""
_PLAIN = b'format = "'
_NAME = b"PBEM"
"""Every mark holds it, and no word that the program shows for a player does
(`pbem.report.render.plain`)."""
_DASH = rb"(?:[-\x96\x97]|\xe2\x80[\x90-\x95]|\xe2\x88\x92|\xef\xb9\x98|\xef\xb9\xa3|\xef\xbc\x8d)"
_GAP = rb"(?:[\s>|\xa0\xc2\xad]|\xe2\x80[\x80-\x8f\xa8-\xaf]|\xe2\x81\xa0|\xef\xbb\xbf)"
_BEFORE = re.compile(rb"(?:(?<=\n)- )?%s{1,10}%s{0,3}(BEGIN|END)%s{1,40}\Z" % (_DASH, _GAP, _GAP))
_AFTER = re.compile(rb"%s{1,40}TURN%s{0,3}%s{1,10}" % (_GAP, _GAP, _DASH))
_AFTER_HOME = re.compile(_AFTER.pattern.replace(b"TURN", b"HOME"))
_AFTER_SEEK = re.compile(_AFTER.pattern.replace(b"TURN", b"SEEK"))
_AFTER_LEAGUE = re.compile(_AFTER.pattern.replace(b"TURN", b"LEAGUE"))
_WINDOW = 160
_INITIALS = re.compile(rb"(?m)^(?:[ \t>|]{0,40}[A-Za-z]{1,3}>){1,10}")
_NOISE = b" \t\r\n\v\f>|" + bytes(range(0x80, 0x100))
"""What stands in no base64: quoting, wrapping, and spaces of every width in any encoding."""
_BASE64 = re.compile(rb"[A-Za-z0-9+/]+={0,2}")
_PIECE = 1 << 16


def wrap(data: bytes) -> str:
    """The armored form, lines of 64 characters."""
    return _between(BEGIN, data, END)


def wrap_home(data: bytes) -> str:
    """The armored form of a packed home."""
    return _between(BEGIN_HOME, data, END_HOME)


def wrap_seek(data: bytes) -> str:
    """The armored form of a seek."""
    return _between(BEGIN_SEEK, data, END_SEEK)


def wrap_league(data: bytes) -> str:
    """The armored form of a league, or of a join to one."""
    return _between(BEGIN_LEAGUE, data, END_LEAGUE)


def _between(begin: str, data: bytes, end: str) -> str:
    text = base64.b64encode(data).decode("ascii")
    lines = [text[place : place + 64] for place in range(0, len(text), 64)]
    return "\n".join([begin, *lines, end]) + "\n"


def is_armored(data: bytes) -> bool:
    """Whether these bytes hold an armored turn. A turn file is none, even if one of its messages
    contains the marks."""
    return not data.startswith(_PLAIN) and next(_marks(data), None) is not None


def blocks(data: bytes) -> Iterator[bytes]:
    """What stands between each BEGIN and its END."""
    return _blocks(data, _AFTER)


def _blocks(data: bytes, name: re.Pattern[bytes]) -> Iterator[bytes]:
    start: int | None = None
    for is_begin, first, after in _marks(data, name):
        if is_begin:
            start = after
        elif start is not None:
            yield data[start:first]
            start = None


def _marks(data: bytes, name: re.Pattern[bytes] = _AFTER) -> Iterator[tuple[bool, int, int]]:
    """Every mark of this name: whether it is a BEGIN, and where it begins and ends. The search is
    for `PBEM` first, so that a text of nothing but dashes takes no time."""
    place = -1
    for _ in range(MAX_MARKS):
        place = data.find(_NAME, place + 1)
        if place < 0:
            return
        before = _BEFORE.search(data[max(0, place - _WINDOW) : place])
        after = name.match(data[place + len(_NAME) : place + _WINDOW])
        if before is not None and after is not None:
            yield before[1] == b"BEGIN", place - len(before[0]), place + len(_NAME) + after.end()


def unwrap(data: bytes) -> bytes:
    """The turn file inside the one armor in these bytes. Raises `Malformed`."""
    found = list(blocks(data))
    if len(found) != 1:
        what = (
            "the armored turn has no end"
            if not found
            else f"{len(found)} armored turns in one text"
        )
        raise Malformed(what, hint="save one whole message, from BEGIN to END")
    return decode(found[0])


def unwrap_home(data: bytes) -> bytes:
    """The packed home inside the one armor in these bytes. Raises `Malformed`."""
    found = list(_blocks(data, _AFTER_HOME))
    with suppress(binascii.Error, ValueError):
        if len(found) == 1:
            return base64.b64decode(_letters(found[0]), validate=True)
    raise Malformed(
        "this is no packed home, or a damaged one", hint="save the whole text, from BEGIN to END"
    )


def seeks(data: bytes) -> Iterator[bytes]:
    """What the armors of seeks in these bytes spell; one that is damaged is passed over."""
    return _spelled(data, _AFTER_SEEK)


def leagues(data: bytes) -> Iterator[bytes]:
    """What the armors of leagues and joins in these bytes spell; one that is damaged is passed
    over."""
    return _spelled(data, _AFTER_LEAGUE)


def _spelled(data: bytes, name: re.Pattern[bytes]) -> Iterator[bytes]:
    for block in _blocks(data, name):
        with suppress(binascii.Error, ValueError):
            yield base64.b64decode(_letters(block), validate=True)


def decode(block: bytes) -> bytes:
    """The turn file spelled by the lines of one armor. Raises `Malformed`."""
    with suppress(binascii.Error, ValueError):
        return base64.b64decode(_letters(block), validate=True)
    for text in _without_words(block):
        with suppress(binascii.Error, ValueError, Malformed):
            turn = turnfile.whole_line(base64.b64decode(_letters(text), validate=True))
            turnfile.read(turn)  # a line that was left out may have been none of words
            return turn
    raise Malformed("the armored turn is damaged", hint="ask for the file as an attachment")


def _without_words(block: bytes) -> Iterator[bytes]:
    """The block in two tries without the lines that somebody wrote into it: first without lines
    that are no base64, then also without lines that are shorter than the others, but for the
    last."""
    lines = [line.strip(b" \t\r>|") for line in block.split(b"\n")]
    lines = [line for line in lines if _BASE64.fullmatch(line)]
    yield b"\n".join(lines)
    longest = max(map(len, lines), default=0)
    yield b"\n".join([line for line in lines[:-1] if len(line) == longest] + lines[-1:])


def _letters(block: bytes) -> bytes:
    """The block without what mail programs put into it; piece by piece, since each thing left out
    takes memory."""
    letters = bytearray()
    start = 0
    while start < len(block):
        line_end = block.find(b"\n", start + _PIECE)
        end = len(block) if line_end < 0 else line_end + 1
        piece = block[start:end]
        letters += (_INITIALS.sub(b"", piece) if b">" in piece else piece).translate(None, _NOISE)
        start = end
    return bytes(letters)
