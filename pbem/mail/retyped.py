"""Restores a turn file that was pasted as text and whose quotation marks, blanks or line ends a
program has changed.

What is changed back stands in docs/format.md, section 10. Where the text can be read in several
ways each is tried: the one in which every signature holds is the turn, and if there is none the
text is no turn.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from itertools import product

from pbem.errors import PbemError
from pbem.fileformat import turnfile
from pbem.fileformat.turnfile import ENTRY, SIGNATURE
from pbem.ledger.evidence import signed_chain
from pbem.mail.unread_forms import Budget

MAX_RETYPED = 1_000_000
"""Bytes that are read of one text: five times those of the longest games."""
MAX_PASTED = 5
"""Places of one text at which a turn file is looked for."""
PROBLEM = (
    "a turn file was pasted into it as text and is not what was signed any more: words, or lines,"
    " or quotation marks and blanks in several ways (hint: ask for the file as an attachment, or"
    " for the text that pbem makes for a mail, from BEGIN to END)"
)
_QUOTE = '["“”„‟«»″＂]'
_SINGLE = str.maketrans(dict.fromkeys("‘’‚‛′＇", "'"))
_WIDTHS = "\t\xa0\u1680\u2000-\u200a\u202f\u205f\u3000"
_BLANKS = re.compile(f"[{_WIDTHS}]")
_BLANK = f"[ {_WIDTHS}]*"
_EDGE = " \t\r\v\f\xa0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u200b\u202f\u2060\u3000\ufeff"  # noqa: E501
"""Characters that may stand before and behind a line."""
_HEAD = re.compile(
    rb'(?m)^[ \t>|\x80-\xff]{0,60}format[ \t\x80-\xff]{0,12}=[ \t"\x80-\xff]{1,24}pbem/[0-9]['
    rb' \t"\x80-\xff]{1,24}\r?$'
)
_BEGIN = re.compile(rb'format = "pbem/1"\n\n\[\[entry\]\]\n')
_TEXT = re.compile(f"({_QUOTE})(.*){_QUOTE}")
_FIELD = re.compile(
    rf"([a-z][a-z0-9-]{{0,31}}){_BLANK}=(?={_BLANK}(?:[\[0-9]|{_QUOTE}|$)){_BLANK}(.*)"
)
_SIGNED = re.compile(
    f"ed25519{_BLANK}={_BLANK}{_QUOTE}{_BLANK}[A-Za-z0-9+/]{{86}}=={_BLANK}{_QUOTE}"
)
_ESCAPED = re.compile(rf"\\{_QUOTE}")


def _of_windows(error: UnicodeError) -> tuple[str, int]:
    """The error handler that reads a byte that is no UTF-8 as Windows writes it."""
    assert isinstance(error, UnicodeDecodeError)
    return error.object[error.start : error.start + 1].decode("cp1252", "replace"), error.start + 1


_WINDOWS_ELSE = "pbem-windows-else"
"""What is no UTF-8 is read as Windows writes it, where a mail came in that."""
codecs.register_error(_WINDOWS_ELSE, _of_windows)


def as_signed(turn: bytes, budget: Budget | None = None) -> bytes:
    """A text that begins as a turn file, restored where only quotation marks and blanks were
    changed. Otherwise it is returned as it is, so that whoever reads it says what is wrong."""
    try:
        turnfile.read(turn)
    except PbemError:
        back = next(restore(turn, budget or Budget()), None)
        return back if back and _bare(back) == _bare(turn) else turn
    return turn


def _bare(turn: bytes) -> bytes:
    """The text without quotation marks, blanks and all that is not ASCII."""
    return turn.translate(None, b"\"'\\ \t\r\n\v\f>|" + bytes(range(0x80, 0x100)))


def restore(content: bytes, budget: Budget) -> Iterator[bytes | None]:
    """For each place of a text that looks like the beginning of a turn file: that file, or None if
    in no reading every signature holds."""
    for head, _ in zip(_HEAD.finditer(content), range(MAX_PASTED), strict=False):
        text = content[head.start() : head.start() + max(0, min(MAX_RETYPED, budget.armored))]
        turn = _valid_reading(text.decode("utf-8", _WINDOWS_ELSE), budget)
        if turn != b"":
            yield turn


def _valid_reading(text: str, budget: Budget) -> bytes | None:
    """The one of at most four readings in which every signature holds, None if there is none; empty
    where no entry begins at all."""
    tries: set[bytes] = set()
    for blanks, singles in product((True, False), repeat=2):
        turn = "".join(_canonical_lines(_lines(text), blanks=blanks, singles=singles)).encode()
        budget.armored -= len(turn)
        if _BEGIN.match(turn) is None:
            return b""
        if turn in tries or budget.armored < 0:
            continue
        tries.add(turn)
        try:
            count = len(turnfile.read(turn).entries)
        except PbemError:
            return None  # the other readings have the same lines
        chain = signed_chain(turn)
        if chain is not None and len(chain.entries) == count:
            return turn
    return None


def _canonical_lines(lines: Iterator[str], *, blanks: bool, singles: bool) -> Iterator[str]:
    """The lines as the format writes them, up to the first that is none of its lines. Inside
    quotation marks, with `blanks`, blanks of every width become plain ones; with `singles`,
    apostrophes of every kind become straight ones."""
    for line in lines:
        field = _FIELD.fullmatch(line)
        if line in (ENTRY, SIGNATURE, "]"):
            yield f"\n{line}\n" if line == ENTRY else f"{line}\n"
            continue
        if field is not None and (field[2] == "[" or field[2].isdecimal()):
            yield f"{field[1]} = {field[2]}\n"
            continue
        before, value, after = (
            (f"{field[1]} = ", field[2], "") if field else ("  ", line.removesuffix(","), ",")
        )
        text = _TEXT.fullmatch(value)
        if text is None:
            return
        inside = _ESCAPED.sub(r'\\"', text[2])  # a backslash stands before straight ones alone
        if text[1] in "«»":  # which come with blanks inside
            inside = re.sub(f"^{_BLANK}|{_BLANK}$", "", inside)
        inside = _BLANKS.sub(" ", inside) if blanks else inside
        yield f'{before}"{inside.translate(_SINGLE) if singles else inside}"{after}\n'


def _lines(text: str) -> Iterator[str]:
    """The lines without quoting, indentation and empty lines. Lines that were wrapped are joined
    again, and what stands below the last signature is left out."""
    line: list[str] = []
    in_list = False
    for part in _parts(text):
        field = _FIELD.fullmatch(part)
        begins = part in (ENTRY, SIGNATURE) or field is not None
        if in_list:
            begins = part == "]" or (re.match(_QUOTE, part) is not None and line[-1][-1] in "[,")
        if part != ENTRY and 0 < len(line) <= 2 and _SIGNED.fullmatch(" ".join(line)):
            break
        if begins and line:
            yield " ".join(line)
            line = []
        line.append(part)
        in_list = part != "]" if in_list else field is not None and field[2] == "["
    if line:
        yield " ".join(line)


def _parts(text: str) -> Iterator[str]:
    """The lines of the text, stripped, one after the other without a list of all: there may be
    many."""
    start = 0
    while start < len(text):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        if part := text[start:end].strip(_EDGE).lstrip(f"{_EDGE}>|"):
            yield part
        start = end + 1
