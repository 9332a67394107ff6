"""Decryption shares: with them a seat lets others read their cards, and opens its own.

A seat's share for a position is d = xa. One proof goes with all the shares of an entry: that the
same x lies between G and the seat's key as between a random combination of the a and that of the d
(Chaum and Pedersen, "Wallet Databases with Observers", 1992; batched).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from pbem.crypto.elgamal import Pair, Pile, card_in, card_point, seat_key
from pbem.crypto.group import (
    SIZE,
    Hs,
    ProofError,
    base,
    combine,
    mul,
    number,
    read_point,
    read_scalar,
    scalar_bytes,
    sub,
)
from pbem.crypto.randomness import DerivedRandom

SHARES_PROOF_SIZE = 2 * SIZE


class Shares(NamedTuple):
    """The shares for some positions of a pile, in the order of these positions, and one proof for
    all of them."""

    points: tuple[bytes, ...]
    proof: bytes


def make_shares(
    ctx: bytes, x: int, pile: Pile, positions: Sequence[int], randomness: DerivedRandom
) -> Shares:
    """The shares of the seat with secret `x` for these positions of the pile, counted from 0."""
    _check(pile, positions)
    key = seat_key(x)
    points = tuple(mul(x, pile[p].a) for p in positions)
    big_a, big_d = _batch(ctx, key, pile, positions, points, x)
    w = randomness.bind(b"shares", ctx, key, big_a, big_d).scalar(b"w")
    c = Hs(b"dleq", ctx, key, big_a, big_d, base(w), mul(w, big_a))
    return Shares(points, scalar_bytes(c) + scalar_bytes(w + c * x))


def check_shares(
    ctx: bytes, key: bytes, pile: Pile, positions: Sequence[int], shares: Shares
) -> None:
    """Check the shares of the seat with this key. Raises `ProofError`.

    Whether anybody may have a share of these positions is the caller's question.
    """
    _check(pile, positions)
    points, proof = shares
    if len(points) != len(positions):
        raise ProofError(f"{len(points)} shares for {len(positions)} positions")
    if len(proof) != SHARES_PROOF_SIZE:
        raise ProofError(
            f"the proof of shares has {len(proof)} bytes instead of {SHARES_PROOF_SIZE}"
        )
    for position, point in zip(positions, points, strict=True):
        read_point(point, f"the share for position {position + 1}")
    c = read_scalar(proof[:SIZE], "c of the proof of shares")
    z = read_scalar(proof[SIZE:], "z of the proof of shares")
    big_a, big_d = _batch(ctx, key, pile, positions, points)
    of_g = sub(base(z), mul(c, key))
    of_a = sub(mul(z, big_a), mul(c, big_d))
    if Hs(b"dleq", ctx, key, big_a, big_d, of_g, of_a) != c:
        raise ProofError(
            "the proof of shares does not hold for this seat, these positions and this entry"
        )


def card_table(names: Sequence[str]) -> dict[bytes, int]:
    """The index of each different card by the point that stands for it."""
    return {card_point(name): index for index, name in enumerate(names)}


def read_card(pair: Pair, shares: Sequence[bytes], table: Mapping[bytes, int]) -> int:
    """The card at a position, from the checked shares of all seats. Raises `ProofError` if it is
    none of the deck."""
    card = table.get(_card_in(pair, tuple(shares)))
    if card is None:
        raise ProofError(
            "these shares together open no card of the deck: one is missing or not of this position"
        )
    return card


_card_in = lru_cache(maxsize=4096)(card_in)
"""A hand is read each time a game is looked at, and its cards stay what they are."""


def _batch(
    ctx: bytes,
    key: bytes,
    pile: Pile,
    positions: Sequence[int],
    points: Sequence[bytes],
    x: int | None = None,
) -> tuple[bytes, bytes]:
    """A = Σ k_p a_p and D = Σ k_p d_p with k_p = Hs("k", ctx, X, all (a_p, d_p), p). Who made the
    shares with `x` knows that D = xA, which is one multiplication."""
    firsts = [pile[p].a for p in positions]
    everything = b"".join(a + d for a, d in zip(firsts, points, strict=True))
    factors = [Hs(b"k", ctx, key, everything, number(p)) for p in positions]
    big_a = combine(factors, firsts)
    return big_a, combine(factors, points) if x is None else mul(x, big_a)


def _check(pile: Pile, positions: Sequence[int]) -> None:
    if not positions:
        raise ProofError("shares of no position prove nothing")
    if len(set(positions)) != len(positions):
        raise ProofError("a position is asked for twice")
    if not all(0 <= position < len(pile) for position in positions):
        raise ProofError("there is no such position in the pile")
