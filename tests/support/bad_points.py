"""Points that must never be taken: every kind there is."""

from __future__ import annotations

from tests.support import slow_ed25519 as slow

SIGN = 1 << 255


def _off_curve() -> bytes:
    return next(data for y in range(2, 99) if slow.decode(data := y.to_bytes(32, "little")) is None)


def torsion() -> list[bytes]:
    """The eight points whose order divides 8."""
    for y in range(2, 99):
        point = slow.decode(y.to_bytes(32, "little"))
        if point is None:
            continue
        small = slow.times(slow.ORDER, point)
        if slow.times(4, small) != (0, 1):
            return [slow.encode(slow.times(k, small)) for k in range(8)]
    raise AssertionError("no point of order 8 found")


def _not_canonical() -> dict[str, bytes]:
    """y written as y + p, and the sign of zero."""
    made = {f"y = {y} written as y + p": (y + slow.P).to_bytes(32, "little") for y in range(19)}
    made["the identity with a sign"] = (1 | SIGN).to_bytes(32, "little")
    made["the point of order 2 with a sign"] = ((slow.P - 1) | SIGN).to_bytes(32, "little")
    return made


BAD: dict[str, bytes] = {
    "identity": slow.IDENTITY,
    "zeros": bytes(32),
    "ones": b"\xff" * 32,
    "off the curve": _off_curve(),
    **{f"small order, multiple {k}": point for k, point in enumerate(torsion())},
    **{
        f"right point plus small order {k}": slow.add(slow.BASE, point)
        for k, point in enumerate(torsion())
        if k
    },
    **_not_canonical(),
}
SHORT = {"31 bytes": bytes(31), "33 bytes": slow.BASE + b"\x00", "nothing": b""}
BAD_SCALARS: dict[str, bytes] = {
    "zero": bytes(32),
    "the order": slow.ORDER.to_bytes(32, "little"),
    "the order and one": (slow.ORDER + 1).to_bytes(32, "little"),
    "ones": b"\xff" * 32,
    "31 bytes": b"\x01" + bytes(30),
}
