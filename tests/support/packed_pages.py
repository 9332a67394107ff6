"""What a replay page holds, read as its script reads it."""

from __future__ import annotations

import zlib

from pbem.fileformat.packed import LETTERS

VALUES = {letter: value for value, letter in enumerate(LETTERS)}


def unpacked(text: str) -> bytes:
    """The bytes that `pbem.fileformat.packed.packed` made these letters of."""
    bits = "".join(
        f"{VALUES[first] * 91 + VALUES[second]:013b}"
        for first, second in zip(text[::2], text[1::2], strict=False)
    )
    bits += f"{VALUES[text[-1]]:06b}" if len(text) % 2 else ""
    whole = len(bits) // 8
    return zlib.decompress(int(bits[: 8 * whole], 2).to_bytes(whole, "big"))
