"""A turn file as text that survives mail: base64 between two lines, quoted, indented or wrapped anew as may be.

docs/format.md, section 10.
"""

from __future__ import annotations

import base64
import binascii
import re
from pathlib import Path
from typing import TYPE_CHECKING

from pbem import files
from pbem.errors import Malformed
from pbem.fileformat.turnfile import MAX_FILE

if TYPE_CHECKING:
    from pbem.player.home import Home

BEGIN = "-----BEGIN PBEM TURN-----"
END = "-----END PBEM TURN-----"
MAX_MESSAGE = 2 * MAX_FILE
"""Bytes of one mail: a turn file attached and armored, and pictures."""
_PLAIN = b'format = "'
_MARK = re.compile(rb"-----(BEGIN|END)[\s>|]{1,40}PBEM[\s>|]{1,40}TURN-----")
_INITIALS = re.compile(rb"(?m)^(?:[ \t>|]{0,40}[A-Za-z]{1,3}>){1,10}")
_NOISE = re.compile(rb"[\s>|\xa0\xc2]+")


def wrap(data: bytes) -> str:
    """The armored form, lines of 64 characters."""
    text = base64.b64encode(data).decode("ascii")
    lines = [text[place : place + 64] for place in range(0, len(text), 64)]
    return "\n".join([BEGIN, *lines, END]) + "\n"


def is_armored(data: bytes) -> bool:
    """Whether there is an armored turn in these bytes. A turn file may hold the words in a message."""
    return not data.startswith(_PLAIN) and _MARK.search(data) is not None


def blocks(data: bytes) -> list[bytes]:
    """What stands between each BEGIN and its END."""
    found: list[bytes] = []
    start: int | None = None
    for mark in _MARK.finditer(data):
        if mark[1] == b"BEGIN":
            start = mark.end()
        elif start is not None:
            found.append(data[start : mark.start()])
            start = None
    return found


def unwrap(data: bytes) -> bytes:
    """The turn file inside the one armor in these bytes. Raises `Malformed`."""
    found = blocks(data)
    if len(found) != 1:
        what = "the armored turn has no end" if not found else f"{len(found)} armored turns in one text"
        raise Malformed(what, hint="save one whole message, from BEGIN to END")
    return decode(found[0])


def decode(block: bytes) -> bytes:
    """The turn file spelled by the lines of one armor. Raises `Malformed`."""
    try:
        return base64.b64decode(_NOISE.sub(b"", _INITIALS.sub(b"", block)), validate=True)
    except (binascii.Error, ValueError) as error:
        raise Malformed("the armored turn is damaged", hint="ask for the file as an attachment") from error


def load(path: Path, home: Home | None = None) -> bytes:
    """The bytes of a turn file, out of the mail or the armor if it comes in one; of a game's short name, the newest
    file that the home knows. Raises `Usage`, `Malformed` or `Conflict`."""
    if not path.suffix:
        from pbem.player import game_index  # needs a home, which a file does not

        if game_index.is_short(path):
            path = game_index.newest_path(home, str(path))
    data = files.read_bytes(path, MAX_MESSAGE)
    if data.startswith(_PLAIN):
        return data
    from pbem.mail import find_turns  # only a mail or a pasted text needs it

    return find_turns.turn_or_whole(data, files.shown(path))
