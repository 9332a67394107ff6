"""The group and its hashes once more, in plain integers after RFC 8032, with the names of
`pbem.crypto.group`.

Slow and simple; shares no line and no library with the module it checks.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
ROOT_OF_MINUS_ONE = pow(2, (P - 1) // 4, P)
IDENTITY = (1).to_bytes(32, "little")

Affine = tuple[int, int]
Extended = tuple[int, int, int, int]


def decode(data: bytes) -> Affine | None:
    """A point of the curve, or None (RFC 8032, 5.1.3)."""
    value = int.from_bytes(data, "little")
    sign, y = value >> 255, value & (2**255 - 1)
    if len(data) != 32 or y >= P:
        return None
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * ROOT_OF_MINUS_ONE % P
    if (x * x - square) % P or (x == 0 and sign):
        return None
    return (P - x if x % 2 != sign else x, y)


def encode(point: Affine) -> bytes:
    return (point[1] | (point[0] % 2) << 255).to_bytes(32, "little")


def plus(left: Affine, right: Affine) -> Affine:
    """The addition law of the curve, complete: it has no exceptions."""
    (x1, y1), (x2, y2) = left, right
    product = D * x1 * x2 * y1 * y2 % P
    inverse = pow(1 - product * product, -1, P)  # of both denominators, 1 + product and 1 - product
    x = (x1 * y2 + x2 * y1) * (1 - product) * inverse
    y = (y1 * y2 + x1 * x2) * (1 + product) * inverse
    return x % P, y % P


def times(scalar: int, point: Affine) -> Affine:
    """Double and add, with one inversion at the end; the scalar is not reduced."""
    (x, y), result = point, (0, 1, 1, 0)
    added = (x, y, 1, x * y % P)
    for bit in bin(scalar)[2:]:
        result = _plus_extended(result, result)
        if bit == "1":
            result = _plus_extended(result, added)
    inverse = pow(result[2], -1, P)
    return result[0] * inverse % P, result[1] * inverse % P


def _plus_extended(left: Extended, right: Extended) -> Extended:
    """The same law for X, Y, Z, T with x = X/Z, y = Y/Z, xy = T/Z (RFC 8032, 5.1.4)."""
    (x1, y1, z1, t1), (x2, y2, z2, t2) = left, right
    a, b = (y1 - x1) * (y2 - x2) % P, (y1 + x1) * (y2 + x2) % P
    c, d = 2 * D * t1 * t2 % P, 2 * z1 * z2 % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def _point(data: bytes) -> Affine:
    point = decode(data)
    assert point is not None
    return point


def is_point(data: bytes) -> bool:
    point = decode(data)
    return point is not None and point != (0, 1) and times(ORDER, point) == (0, 1)


def add(left: bytes, right: bytes) -> bytes:
    return encode(plus(_point(left), _point(right)))


def sub(left: bytes, right: bytes) -> bytes:
    x, y = _point(right)
    return encode(plus(_point(left), (-x % P, y)))


def mul(scalar: int, point: bytes) -> bytes:
    return encode(times(scalar % ORDER, _point(point)))


BASE = encode(_point((4 * pow(5, -1, P) % P).to_bytes(32, "little")))


def base(scalar: int) -> bytes:
    return mul(scalar, BASE)


def is_signature(key: bytes, message: bytes, signature: bytes) -> bool:
    """The rule of docs/format.md, section 3, in its own words."""
    r, s = signature[:32], int.from_bytes(signature[32:], "little")
    k = int.from_bytes(hashlib.sha512(r + key + message).digest(), "little")
    return is_point(key) and s < ORDER and sub(base(s), mul(k, key)) == r


def total(points: Iterable[bytes]) -> bytes:
    result = IDENTITY
    for point in points:
        result = add(result, point)
    return result


def digest(*parts: bytes) -> bytes:
    return hashlib.sha512(b"".join(len(part).to_bytes(8, "big") + part for part in parts)).digest()


def Hs(*parts: bytes) -> int:  # noqa: N802
    return int.from_bytes(digest(*parts), "little") % ORDER


def Hp(tag: bytes) -> bytes:  # noqa: N802
    for counter in range(256):
        point = decode(digest(tag, counter.to_bytes(8, "big"))[:32])
        if point is not None and times(8, point) != (0, 1):
            return encode(times(8, point))
    raise AssertionError("256 attempts failed")
