"""A turn file as text that survives mail: base64 between two lines, quoted, indented or wrapped anew as may be.

docs/format.md, section 10.
"""

from __future__ import annotations

import base64
import binascii
import re
from pathlib import Path

from pbem import files
from pbem.errors import Invalid, Malformed
from pbem.turnfile import MAX_FILE

BEGIN = "-----BEGIN PBEM TURN-----"
END = "-----END PBEM TURN-----"
_NOISE = re.compile(rb"[\s>|\xa0\xc2]+")


def wrap(data: bytes) -> str:
    """The armored form, lines of 64 characters."""
    text = base64.b64encode(data).decode("ascii")
    lines = [text[place : place + 64] for place in range(0, len(text), 64)]
    return "\n".join([BEGIN, *lines, END]) + "\n"


def is_armored(data: bytes) -> bool:
    """Whether there is an armored turn in these bytes. A turn file may hold the words in a message."""
    return BEGIN.encode() in data and not data.startswith(b'format = "')


def unwrap(data: bytes) -> bytes:
    """The turn file inside the one armor in these bytes. Raises `Malformed`."""
    turns = data.count(BEGIN.encode())
    block, end, _ = data.partition(BEGIN.encode())[2].partition(END.encode())
    if turns != 1 or not end:
        what = "the armored turn has no end" if turns == 1 else f"{turns} armored turns in one text"
        raise Malformed(what, hint="save one whole message, from BEGIN to END")
    try:
        return base64.b64decode(_NOISE.sub(b"", block), validate=True)
    except (binascii.Error, ValueError) as error:
        raise Malformed("the armored turn is damaged", hint="ask for the file as an attachment") from error


def load(path: Path) -> bytes:
    """The bytes of a turn file, out of its armor if it comes in one. Raises `Usage` or `Malformed`."""
    data = files.read_bytes(path, 2 * MAX_FILE)
    try:
        return unwrap(data) if is_armored(data) else data
    except Invalid as error:
        error.where = error.where or files.shown(path)
        raise
