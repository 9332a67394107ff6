"""The group everything about the shared deck is done in: the prime-order subgroup of edwards25519.

Points are 32 bytes as RFC 8032 writes them, scalars are integers modulo `ORDER`, written as 32
bytes little-endian. The arithmetic is libsodium's. It has two edges that this module rounds off,
and the rest of the program need not know:

- its multiplication refuses a result that is the identity (so also the scalar zero), while its
  addition returns the identity like any other point. Here both give `IDENTITY`, which `is_point`
  refuses;
- its addition checks neither that a point is canonical nor that it lies in the subgroup. So
  `read_point` checks every point that comes from outside, once, on arrival. Identity keys and VRF
  keys are checked here too.

`Hs` and `Hp` are the two hashes that the constructions of the shared deck are written with.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from functools import lru_cache

from pbem.crypto import primitives
from pbem.fileformat.encoding import framed

ORDER = 2**252 + 27742317777372353535851937790883648493
"""Number of points of the subgroup, a prime."""

SIZE = 32
"""Bytes of a point, and of a scalar."""

IDENTITY = b"\x01" + bytes(31)
"""The neutral point. Arithmetic may return it; nobody may send it."""

BASE = bytes.fromhex("5866666666666666666666666666666666666666666666666666666666666666")
"""The standard generator G."""


class ProofError(ValueError):
    """Something received is not what it claims to be; the message says what and why."""


@lru_cache(maxsize=8192)
def is_point(data: bytes) -> bool:
    """Whether these bytes are the one spelling of a point of the subgroup other than the
    identity."""
    return len(data) == SIZE and primitives.is_valid_point(data)


def read_point(data: bytes, what: str) -> bytes:
    """A point from outside, checked; `what` names it in the refusal."""
    if len(data) != SIZE:
        raise ProofError(f"{what} has {len(data)} bytes instead of {SIZE}")
    if not is_point(data):
        raise ProofError(f"{what} is no point of the group")
    return data


def scalar_bytes(scalar: int) -> bytes:
    """The one spelling of a scalar."""
    return (scalar % ORDER).to_bytes(SIZE, "little")


def read_scalar(data: bytes, what: str) -> int:
    """A scalar from outside. Zero is refused: nobody honest ever meets it, and it would say
    nothing."""
    if len(data) != SIZE:
        raise ProofError(f"{what} has {len(data)} bytes instead of {SIZE}")
    scalar = int.from_bytes(data, "little")
    if scalar >= ORDER:
        raise ProofError(f"{what} is not written in its one spelling")
    if scalar == 0:
        raise ProofError(f"{what} is zero")
    return scalar


def add(left: bytes, right: bytes) -> bytes:
    """Sum of two points."""
    try:
        return primitives.add_points(left, right)
    except primitives.InvalidPoint as error:
        raise ProofError("a point to be added is not on the curve") from error


def sub(left: bytes, right: bytes) -> bytes:
    """Difference of two points."""
    try:
        return primitives.subtract_points(left, right)
    except primitives.InvalidPoint as error:
        raise ProofError("a point to be subtracted is not on the curve") from error


def mul(scalar: int, point: bytes) -> bytes:
    """A multiple of a point of the subgroup."""
    scalar %= ORDER
    if scalar == 0 or point == IDENTITY:
        return IDENTITY
    try:
        return primitives.multiply_point(scalar.to_bytes(SIZE, "little"), point)
    except primitives.InvalidPoint as error:
        raise ProofError("a point to be multiplied is no point of the group") from error


def base(scalar: int) -> bytes:
    """A multiple of G, which is several times faster than of another point."""
    scalar %= ORDER
    if scalar == 0:
        return IDENTITY
    return primitives.multiply_base(scalar.to_bytes(SIZE, "little"))


def times_cofactor(point: bytes) -> bytes:
    """8 times a point of the curve, which need not lie in the subgroup; the result does, and may be
    the identity."""
    for _ in range(3):
        point = add(point, point)
    return point


def total(points: Iterable[bytes]) -> bytes:
    """Sum of any number of points."""
    result = IDENTITY
    for point in points:
        result = point if result == IDENTITY else add(result, point)
    return result


def combine(scalars: Iterable[int], points: Iterable[bytes]) -> bytes:
    """Sum of the multiples `scalars[i] * points[i]`; equal points are multiplied once, G by its
    tables."""
    factors: dict[bytes, int] = {}
    for scalar, point in zip(scalars, points, strict=True):
        factors[point] = factors.get(point, 0) + scalar
    return total(
        base(scalar) if point == BASE else mul(scalar, point) for point, scalar in factors.items()
    )


def number(value: int) -> bytes:
    """How a number stands in a hash: 8 bytes, big-endian."""
    return value.to_bytes(8, "big")


def digest(*parts: bytes) -> bytes:
    """SHA-512 over the parts, each preceded by its length: no two lists of parts give the same
    input."""
    return hashlib.sha512(framed(*parts)).digest()


def Hs(*parts: bytes) -> int:  # noqa: N802 - the name the papers give it
    """Hash to a scalar: `digest` of the parts, read as a little-endian number, modulo `ORDER`."""
    return int.from_bytes(digest(*parts), "little") % ORDER


@lru_cache(maxsize=1024)
def Hp(tag: bytes) -> bytes:  # noqa: N802
    """Hash to a point nobody knows a logarithm of: the first counter for which the first 32 bytes
    of `digest(tag, counter)` are a point of the curve, times the cofactor 8, and not the
    identity."""
    counter = 0
    while True:
        point = digest(tag, number(counter))[:SIZE]
        counter += 1
        try:
            point = times_cofactor(point)
        except ProofError:
            continue
        if is_point(point):
            return point
