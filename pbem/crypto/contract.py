"""What both modules of primitives share: sizes, errors, and the points that a library must refuse.

`pbem.crypto.primitives` uses PyNaCl and cryptography. Where these are missing, as in a browser,
`pbem.web.primitives` takes its place. Both export the names of this module.
"""

from __future__ import annotations

from collections.abc import Callable

from pbem.errors import Unsafe

BOX_NONCE = 24
"""Bytes of the nonce of a box."""
BOX_OVERHEAD = 16
"""Bytes that a box is longer than its contents."""
AEAD_NONCE = 24
"""Bytes of the nonce of `encrypt`."""
AEAD_OVERHEAD = 16
"""Bytes that `encrypt` adds to its contents."""
ARGON2_SALT = 16
"""Bytes of the salt of `argon2id`."""

GENERATOR = bytes.fromhex("5866666666666666666666666666666666666666666666666666666666666666")
OUTSIDE = (
    bytes.fromhex("ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f"),
    bytes.fromhex("9599999999999999999999999999999999999999999999999999999999999999"),
    bytes.fromhex("9bad33f580df7ecc49df5342bac8145d5bedc40f573d1b067f3c4ce449689a15"),
    bytes.fromhex("98519eadf35b995233b51b5cd23e9cc5a28b639b5a4af0ec903cb960d81b7819"),
)
"""Points outside the subgroup: that of order 2, and G plus a point of order 2, 4 and 8 (so of order
2L, 4L and 8L)."""


class InvalidPoint(ValueError):
    """Bytes are not a point of the curve, or a computation gave a point that must not be used."""


class UnreadableKeyFile(ValueError):
    """A key file is damaged or no key file at all, or its passphrase is another."""


class OtherKindOfKey(ValueError):
    """A key file holds a key of another kind than Ed25519."""


def check_points(is_valid_point: Callable[[bytes], bool], what: str, hint: str) -> None:
    """Raise `Unsafe` with this text and hint if a library takes a point outside the subgroup for
    one inside it, or refuses the generator.

    Before the end of 2025 libsodium accepted points of order 2L (CVE-2025-69277). With such a point
    whoever shuffles could mark cards.
    """
    if not is_valid_point(GENERATOR) or any(is_valid_point(point) for point in OUTSIDE):
        raise Unsafe(
            f"{what} takes keys that it must refuse, so no key or proof can be checked", hint=hint
        )
