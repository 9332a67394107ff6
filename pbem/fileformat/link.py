"""A turn in the address of a page, behind its `#` (docs/format.md, section 20): transport only.

`#join=` holds a whole file, which is short enough if it is an invitation; `#turn=` holds the newest
entry and says which file it belongs to; `#seek=` holds a seek, or what ends one. A link proves
nothing: what it holds is checked like any
file. Mails, messages and address bars may have wrapped, quoted or percent-encoded it.
"""

from __future__ import annotations

import base64
import os
import re
import zlib
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from pbem.errors import Malformed
from pbem.fileformat import rewritten_link
from pbem.fileformat.turnfile import MAX_ENTRIES, NEXT, START, TurnFile

MAX_LINK = 4000
"""Characters of a whole link: more than some program on its way may cut off."""
MAX_UNPACKED = 40_000
"""Bytes of a file or an entry in a link."""
MAX_LINKS = 5
"""Links looked at in one text."""
_VERSION = b"1"
_GAME, _NUMBER, _HASH = 8, 2, 32
_ADDRESS = re.compile(rb"(?i)\s{0,20}<?https?:/")
_LETTERS = re.compile(rb"[A-Za-z0-9_-]+(?:=?[\s>|]{1,20}[A-Za-z0-9_-]+)*")
"""The letters of a link, and what a mail program put between them where it wrapped or quoted them.
Words below the link look like more of it: what is packed says itself where it ends."""
_BETWEEN = re.compile(rb"[=\s>|]+")
_WINDOW = 2 * MAX_LINK
_SEEK = b"#seek"


class TurnLink(NamedTuple):
    """The newest entry of a file: the beginning of the game's number (16 hexadecimal digits), the
    number of the entry, the SHA-256 of the file before it, and its bytes."""

    game: str
    number: int
    before: bytes
    entry: bytes


def join_link(address: str, data: bytes) -> str:
    """The address of a page with a whole file; nothing where it does not fit."""
    return _address_with(address, b"join", _pack(data))


def turn_link(address: str, game_id: bytes, file: TurnFile) -> str:
    """The address of a page with the newest entry of a file that has more than one; nothing where
    it does not fit."""
    *_, older, newest = file.entries
    head = game_id[:_GAME] + newest.number.to_bytes(_NUMBER, "big") + newest.before
    return _address_with(address, b"turn", head + _pack(file.data[older.end :]))


def seek_link(address: str, data: bytes) -> str:
    """The address of a page with a seek, or with what ends one; nothing where it does not fit."""
    return _address_with(address, b"seek", _pack(data))


def _address_with(address: str, kind: bytes, payload: bytes) -> str:
    letters = base64.urlsafe_b64encode(payload).rstrip(b"=")
    link = address + (b"#" + kind + b"=" + _VERSION + letters).decode("ascii")
    return link if len(link) <= MAX_LINK else ""


def _pack(data: bytes) -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    return packer.compress(data) + packer.flush()


def links_in(text: bytes) -> Iterator[bytes]:
    """What looks like a link with a turn, each from its `#` on, a few at most; decoded where a mail
    service has rewritten it."""
    yield from islice((one for one in _all_links(text) if not one.startswith(_SEEK)), MAX_LINKS)


def seek_links_in(text: bytes) -> Iterator[bytes]:
    """What looks like a link with a seek, as `links_in` gives those with turns."""
    yield from islice((one for one in _all_links(text) if one.startswith(_SEEK)), MAX_LINKS)


def _all_links(text: bytes) -> Iterator[bytes]:
    for one, _ in zip(rewritten_link.links_in(text), range(2 * MAX_LINKS), strict=False):
        yield one[:_WINDOW]


def link_argument(path: Path) -> bytes:
    """The link, or another address of a page, that was given to a command in place of a file; empty
    if the path is neither."""
    text = os.fsencode(path)
    return text if _ADDRESS.match(text) or next(links_in(text), None) is not None else b""


def read(link: bytes) -> bytes | TurnLink:
    """The file, or the entry, in one of `links_in`. Raises `Malformed`."""
    kind, data = _payload(link)
    if kind == b"#join":
        if not (file := _unpack(data)).startswith(START):
            raise _damage()
        return file
    head = _GAME + _NUMBER + _HASH
    found = TurnLink(
        data[:_GAME].hex(),
        int.from_bytes(data[_GAME : _GAME + _NUMBER], "big"),
        data[_GAME + _NUMBER : head],
        _unpack(data[head:]),
    )
    if not (found.entry.startswith(NEXT) and 1 <= found.number < MAX_ENTRIES):
        raise _damage()
    return found


def read_seek(link: bytes) -> bytes:
    """What one of `seek_links_in` holds, as it was packed. Raises `Malformed`."""
    return _unpack(_payload(link)[1])


def _payload(link: bytes) -> tuple[bytes, bytes]:
    """The word of a link, from its `#` on, and the bytes behind it. Raises `Malformed`."""
    kind, _, rest = link.partition(b"=")
    match = _LETTERS.match(rest)
    letters = _BETWEEN.sub(b"", match[0])[:MAX_LINK] if match is not None else b""
    if letters and not letters.startswith(_VERSION):
        raise Malformed(
            "the link was made by a newer pbem", hint="update yours, or ask for the file itself"
        )
    letters = letters[1:]
    letters = letters[: len(letters) - (len(letters) % 4 == 1)]
    return kind, base64.urlsafe_b64decode(letters + b"=" * (-len(letters) % 4))


def _unpack(payload: bytes) -> bytes:
    stream = zlib.decompressobj(-zlib.MAX_WBITS)
    try:
        data = stream.decompress(payload, MAX_UNPACKED + 1)
    except zlib.error as error:
        raise _damage() from error
    if not stream.eof or len(data) > MAX_UNPACKED:
        raise _damage()
    return data


def _damage() -> Malformed:
    return Malformed(
        "the link is damaged or was cut off", hint="ask for the file itself, as an attachment"
    )
