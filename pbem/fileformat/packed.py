"""Bytes as text in a page: in as few letters as a page can hold without an escape.

They are compressed with zlib (RFC 1950). Then two letters of 91 hold thirteen bits, where four of
base64 hold twenty-four: a page is a thirteenth shorter. The letters are those of ASCII from "!" to
"~" without `"`, `&` and `<`. Bits are counted from the first byte's highest; the last letters hold
what is left, six bits or fewer in one. `templates/replay/page.js` reads it.
"""

from __future__ import annotations

import re
import zlib

from pbem.fileformat.turnfile import MAX_FILE

LETTERS = "".join(chr(code) for code in range(33, 127) if chr(code) not in '"&<')
_PAIR, _ONE = 13, 6
"""Bits in two letters, and in a last one."""
_IN_PAGE = re.compile(rb'<script type="text/plain" id="file">([!-~]{1,11000000}?)</script>')
"""Where a page of `pbem replay` has the turn file, packed."""


def packed(data: bytes) -> str:
    """These bytes, compressed, as letters."""
    letters: list[str] = []
    held = bits = 0
    for byte in min(map(_compressed, [data, data], _STRATEGIES), key=len):
        held, bits = held << 8 | byte, bits + 8
        if bits >= _PAIR:
            bits -= _PAIR
            letters.append(_PAIRS[held >> bits])
            held &= (1 << bits) - 1
    if bits > _ONE:
        letters.append(_PAIRS[held << (_PAIR - bits)])
    elif bits:
        letters.append(LETTERS[held << (_ONE - bits)])
    return "".join(letters)


def unpacked(text: bytes, most: int) -> bytes:
    """The bytes that these letters hold, of which `most` are unpacked and one more. Raises
    `ValueError` where it is nothing that was packed so."""
    values = [_VALUES[letter] for letter in text]  # 91 for any other
    if 91 in values:
        raise ValueError("another letter")
    found, held, bits = bytearray(), 0, 0
    for first, second in zip(values[::2], values[1::2], strict=False):
        held, bits = (held & 0xFF) << _PAIR | first * 91 + second, bits + _PAIR
        while bits >= 8:
            bits -= 8
            found.append(held >> bits & 0xFF)
    if len(values) % 2 and bits + _ONE >= 8:
        found.append((held << _ONE | values[-1]) >> (bits + _ONE - 8) & 0xFF)
    try:
        return zlib.decompressobj().decompress(bytes(found), most + 1)
    except zlib.error as error:
        raise ValueError(str(error)) from error


def in_page(data: bytes) -> bytes:
    """The turn file in a page of `pbem replay`; empty where there is none, or one that is larger
    than a turn file may be."""
    match = _IN_PAGE.search(data)
    if match is None:
        return b""
    try:
        data = unpacked(match[1], MAX_FILE)
    except ValueError:
        return b""
    return data if len(data) <= MAX_FILE else b""


_VALUES = [LETTERS.find(chr(code)) % 92 for code in range(256)]
_STRATEGIES = ((zlib.Z_FILTERED, 9), (zlib.Z_DEFAULT_STRATEGY, 4))
"""How zlib packs, and how much it takes together under one code. Most of a file is base64 of
chance, which the first one packs better; boards change their kind every few kilobytes, and each
short block has a code of its own in the second."""


def _compressed(data: bytes, way: tuple[int, int]) -> bytes:
    strategy, memory = way
    packer = zlib.compressobj(9, memLevel=memory, strategy=strategy)
    return packer.compress(data) + packer.flush()


_PAIRS = [LETTERS[value // 91] + LETTERS[value % 91] for value in range(1 << _PAIR)]
