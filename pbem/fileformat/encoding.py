"""Bytes to text and back, each value with one spelling only (docs/format.md, section 1)."""

from __future__ import annotations

import base64
import binascii
import hashlib

from pbem import FORMAT


def b64(data: bytes) -> str:
    """Standard base64 with padding, on one line (RFC 4648, section 4)."""
    return base64.b64encode(data).decode("ascii")


def unb64(text: str, size: int | None = None) -> bytes:
    """The bytes spelled by `text`.

    Raises `ValueError` for anything but their one spelling, or if there are not `size` bytes.
    """
    try:
        data = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as error:
        raise ValueError("not base64") from error
    if b64(data) != text:
        raise ValueError("not the one spelling of these bytes in base64")
    if size is not None and len(data) != size:
        raise ValueError(f"{len(data)} bytes where {size} belong")
    return data


def framed(*parts: bytes) -> bytes:
    """The parts, each after its length as 8 bytes big-endian: no two lists of parts give the same
    bytes."""
    return b"".join([len(part).to_bytes(8, "big") + part for part in parts])


def tagged_hash(tag: str, *parts: bytes) -> bytes:
    """SHA-256 over the framed tag and parts."""
    return hashlib.sha256(framed(tag.encode("ascii"), *parts)).digest()


def fingerprint(key: bytes) -> str:
    """Thirty digits in groups of five, for comparing a public key by telephone (about 100 bits of
    its hash)."""
    number = int.from_bytes(tagged_hash(f"{FORMAT} fingerprint", key), "big") % 10**30
    digits = f"{number:030}"
    return " ".join(digits[place : place + 5] for place in range(0, 30, 5))
