"""A pile of cards that nobody can read alone: the seats' keys, the pile at the start, and the layer
that each seat's key adds.

ElGamal encryption over the group of `pbem.crypto.group`, with one key for all seats: each seat
knows a part of the secret, and a card is read only with a share from everybody
(`pbem.crypto.decryption_shares`). Each seat adds its key and shuffles in one step, which it proves
(`pbem.crypto.shuffle_proof`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from pbem.crypto.group import (
    BASE,
    IDENTITY,
    SIZE,
    Hp,
    ProofError,
    add,
    base,
    mul,
    read_point,
    sub,
    total,
)
from pbem.crypto.randomness import DerivedRandom
from pbem.fileformat.encoding import framed

TAG = b"pbem/1 deck"
"""Begins the tags of all points that are hashed to: generators and cards."""


class Pair(NamedTuple):
    """One encrypted card."""

    a: bytes
    b: bytes


Pile = Sequence[Pair]
"""Encrypted cards by position, the top first. Comes from `starting_pile`, `add_layer` or
`read_pile`: checked."""


def context(version: bytes, game: bytes, before: bytes, seat: bytes, what: bytes) -> bytes:
    """What every proof is bound to: format version, game id, digest of the file before the entry,
    seat, what is proven. A proof says nothing anywhere else."""
    return framed(version, game, before, seat, what)


# Keys


def seat_secret(randomness: DerivedRandom) -> int:
    """A seat's part of the secret."""
    return randomness.scalar(b"key")


def seat_key(x: int) -> bytes:
    """X = xG."""
    return base(x)


def add_key(joint: bytes, key: bytes) -> bytes:
    """Y' = Y + X: the joint key after one more seat has joined with the key X. Raises `ProofError`
    at the identity: a key that cancels the others' would leave the pile open."""
    result = add(joint, key)
    if result == IDENTITY:
        raise ProofError("the keys of the seats add up to nothing")
    return result


# The pile


def card_point(name: str) -> bytes:
    """The point that stands for a card; equal cards have the same."""
    return Hp(TAG + b"/card/" + name.encode("ascii"))


def starting_pile(names: Sequence[str]) -> list[Pair]:
    """The pile before anybody joined: (G, C) for every card, so that everybody sees it is the right
    deck."""
    return [Pair(BASE, card_point(name)) for name in names]


def add_layer(
    x: int, joint: bytes, pile: Pile, order: Sequence[int], rhos: Sequence[int]
) -> list[Pair]:
    """The pile under one more key and in a new order: at i lies card j = `order[i]`, as (a_j + ρ_i
    G, b_j + x a_j + ρ_i Y'). `joint` is Y', the joint key with the new one."""
    return [
        Pair(add(pile[j].a, base(rho)), add(pile[j].b, add(mul(x, pile[j].a), mul(rho, joint))))
        for j, rho in zip(order, rhos, strict=True)
    ]


def write_pile(pile: Pile) -> bytes:
    """64 bytes a card."""
    return b"".join(pair.a + pair.b for pair in pile)


def read_pile(data: bytes, size: int) -> list[Pair]:
    """A pile of `size` cards from outside, every point checked. Raises `ProofError`."""
    if len(data) != 2 * SIZE * size:
        raise ProofError(f"a pile of {size} cards has {2 * SIZE * size} bytes, not {len(data)}")
    points = [
        read_point(
            data[start : start + SIZE],
            f"point {'ab'[start // SIZE % 2]} of card {start // (2 * SIZE) + 1}",
        )
        for start in range(0, len(data), SIZE)
    ]
    return [Pair(a, b) for a, b in zip(points[::2], points[1::2], strict=True)]


def card_in(pair: Pair, shares: Sequence[bytes]) -> bytes:
    """The card's point, from the decryption shares of all seats: C = b - Σ d."""
    return sub(pair.b, total(shares))
