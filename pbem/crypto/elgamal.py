"""A pile of cards that nobody can read alone: keys, the pile at the start, shuffling it.

ElGamal encryption over the group of `pbem.crypto.group`, with one key for all seats: each seat knows a part of the
secret, and a card is read only with a share from everybody (`pbem.crypto.decryption_shares`). Who shuffles proves it
(`pbem.crypto.shuffle_proof`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from pbem.crypto.derived_random import Coins
from pbem.crypto.group import (
    BASE,
    IDENTITY,
    SIZE,
    Hp,
    Hs,
    ProofError,
    add,
    base,
    mul,
    read_point,
    read_scalar,
    scalar_bytes,
    sub,
    total,
)
from pbem.fileformat.encoding import framed

TAG = b"pbem/1 deck"
"""Begins the tags of all points that are hashed to: generators and cards."""

KEY_PROOF_SIZE = 2 * SIZE


class Pair(NamedTuple):
    """One encrypted card."""

    a: bytes
    b: bytes


Pile = Sequence[Pair]
"""Encrypted cards by position, the top first. Comes from `starting_pile`, `shuffle` or `read_pile`, never unchecked."""


def context(version: bytes, game: bytes, before: bytes, seat: bytes, what: bytes) -> bytes:
    """What every proof is bound to: format version, game id, digest of the file before the entry, seat, what is
    proven. A proof says nothing anywhere else."""
    return framed(version, game, before, seat, what)


# Keys


def secret_key(coins: Coins) -> int:
    """A seat's part of the secret."""
    return coins.scalar(b"key")


def public_key(x: int) -> bytes:
    """X = xG."""
    return base(x)


def prove_key(ctx: bytes, x: int, coins: Coins) -> bytes:
    """Proof of possession (Schnorr): T = wG, c = Hs("pop", ctx, X, T), s = w + cx; the proof is T and s.

    It keeps anybody from choosing a key as the difference of one he knows and those of the others.
    """
    key = public_key(x)
    w = coins.bind(b"pop", ctx, key).scalar(b"w")
    t = base(w)
    return t + scalar_bytes(w + Hs(b"pop", ctx, key, t) * x)


def check_key(ctx: bytes, key: bytes, proof: bytes) -> None:
    """Check a key and its proof: sG = T + cX. Raises `ProofError`."""
    if len(proof) != KEY_PROOF_SIZE:
        raise ProofError(f"the proof of possession has {len(proof)} bytes instead of {KEY_PROOF_SIZE}")
    read_point(key, "the key")
    t = read_point(proof[:SIZE], "T of the proof of possession")
    s = read_scalar(proof[SIZE:], "s of the proof of possession")
    if base(s) != add(t, mul(Hs(b"pop", ctx, key, t), key)):
        raise ProofError("the proof of possession does not hold for this key, seat and game")


def joint_key(keys: Sequence[bytes]) -> bytes:
    """The key the pile is encrypted with: the sum of the seats' keys, each checked before."""
    key = total(keys)
    if key == IDENTITY:
        raise ProofError("the keys of the seats add up to nothing")
    return key


# The pile


def card_point(name: str) -> bytes:
    """The point that stands for a card; equal cards have the same."""
    return Hp(TAG + b"/card/" + name.encode("ascii"))


def starting_pile(names: Sequence[str], key: bytes) -> list[Pair]:
    """The pile before anybody shuffled it: (G, C + Y) for every card, so that everybody sees it is the right deck."""
    return [Pair(BASE, add(card_point(name), key)) for name in names]


def reencrypt(key: bytes, pile: Pile, order: Sequence[int], rhos: Sequence[int]) -> list[Pair]:
    """The pile in a new order under fresh randomness: at i lies card `order[i]`, as (a + ρ_i G, b + ρ_i Y)."""
    return [Pair(add(pile[j].a, base(rho)), add(pile[j].b, mul(rho, key))) for j, rho in zip(order, rhos, strict=True)]


def write_pile(pile: Pile) -> bytes:
    """64 bytes a card."""
    return b"".join(pair.a + pair.b for pair in pile)


def read_pile(data: bytes, size: int) -> list[Pair]:
    """A pile of `size` cards from outside, every point checked. Raises `ProofError`."""
    if len(data) != 2 * SIZE * size:
        raise ProofError(f"a pile of {size} cards has {2 * SIZE * size} bytes, not {len(data)}")
    points = [
        read_point(data[start : start + SIZE], f"point {'ab'[start // SIZE % 2]} of card {start // (2 * SIZE) + 1}")
        for start in range(0, len(data), SIZE)
    ]
    return [Pair(a, b) for a, b in zip(points[::2], points[1::2], strict=True)]


def card_in(pair: Pair, shares: Sequence[bytes]) -> bytes:
    """The card's point, from the decryption shares of all seats: C = b - Σ d."""
    return sub(pair.b, total(shares))
