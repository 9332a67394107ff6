"""A verifiable random function: ECVRF-EDWARDS25519-SHA512-TAI of RFC 9381 (section 5, suite 0x03).

For every message a key has one output. Only the holder of the key can compute it, and the proof
convinces everybody else that it is that output. This is where dice and cards come from
(docs/format.md, section 6).

Stricter than the RFC in one point: Gamma must lie in the subgroup of prime order, as every honest
prover's does, so that a proof has one spelling.
"""

from __future__ import annotations

import hashlib
from functools import lru_cache

from pbem.crypto import group
from pbem.crypto.group import ORDER, ProofError

SUITE = b"\x03"
PROOF_SIZE = 80
_P = 2**255 - 19


def prove(seed: bytes, alpha: bytes) -> bytes:
    """The proof for the message `alpha`: 80 bytes (RFC 9381, section 5.1). The public key is that
    of Ed25519."""
    x, prefix = _expand(seed)
    y = group.base(x)
    h = hash_to_curve(y, alpha)
    gamma = group.mul(x, h)
    k = int.from_bytes(hashlib.sha512(prefix + h).digest(), "little") % ORDER  # section 5.4.2.2
    c = _challenge(y, h, gamma, group.base(k), group.mul(k, h))
    s = (k + c * x) % ORDER
    return gamma + c.to_bytes(16, "little") + s.to_bytes(32, "little")


def verify(key: bytes, alpha: bytes, proof: bytes) -> bytes:
    """The 64-byte output that `proof` shows to be the key's for `alpha` (RFC 9381, section 5.3).

    The caller has checked the key with `group.is_point`. Raises `ProofError`.
    """
    if len(proof) != PROOF_SIZE:
        raise ProofError(f"a proof has {PROOF_SIZE} bytes, not {len(proof)}")
    gamma = group.read_point(proof[:32], "the proof's point")
    c = int.from_bytes(proof[32:48], "little")
    s = int.from_bytes(proof[48:], "little")
    if s >= ORDER:
        raise ProofError("the proof's scalar is not written in its one spelling")
    h = hash_to_curve(key, alpha)
    u = group.sub(group.base(s), group.mul(c, key))
    v = group.sub(group.mul(s, h), group.mul(c, gamma))
    if _challenge(key, h, gamma, u, v) != c:
        raise ProofError("the proof is not this key's for this message")
    return output(proof)


@lru_cache(maxsize=2048)
def output(proof: bytes) -> bytes:
    """The output of a proof that is known to be right (RFC 9381, section 5.2)."""
    return hashlib.sha512(SUITE + b"\x03" + group.times_cofactor(proof[:32]) + b"\x00").digest()


def hash_to_curve(key: bytes, alpha: bytes) -> bytes:
    """A point for key and message, by try and increment (RFC 9381, section 5.4.1.1)."""
    for counter in range(256):
        attempt = SUITE + b"\x01" + key + alpha + bytes([counter]) + b"\x00"
        candidate = hashlib.sha512(attempt).digest()[:32]
        if int.from_bytes(candidate, "little") % 2**255 >= _P:
            continue  # not the one spelling of a point
        try:
            point = group.times_cofactor(candidate)
        except ProofError:
            continue  # not on the curve
        if point != group.IDENTITY:
            return point
    raise ProofError("no point for this message")  # once in 2**256 messages


def _challenge(*points: bytes) -> int:
    digest = hashlib.sha512(SUITE + b"\x02" + b"".join(points) + b"\x00").digest()
    return int.from_bytes(digest[:16], "little")


def _expand(seed: bytes) -> tuple[int, bytes]:
    digest = hashlib.sha512(seed).digest()
    scalar = int.from_bytes(digest[:32], "little")
    scalar &= (1 << 254) - 8
    return scalar | (1 << 254), digest[32:]
