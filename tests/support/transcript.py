"""The constructions of the shared deck as plain formulas, every intermediate value kept.

Written for reading beside the description, not for speed, and parametrised by the group:
`pbem.crypto.group` or the slow one of the tests. The order is given as a matrix: row i has a 1 at
the card that lies at place i. Any other matrix makes the proof of a cheat who follows the protocol
as far as they can.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

TAG = b"pbem/1 deck"


def number(value: int) -> bytes:
    return value.to_bytes(8, "big")


def scalar_bytes(value: int, order: int) -> bytes:
    return (value % order).to_bytes(32, "little")


@dataclass
class Nonces:
    """The random values of one proof of shuffle."""

    r: list[int]
    r_hat: list[int]
    w: list[int]
    w_hat: list[int]
    w_prime: list[int]


def start(g: Any, names: Sequence[str]) -> list[tuple[bytes, bytes]]:
    return [(g.BASE, g.Hp(TAG + b"/card/" + name.encode())) for name in names]


def matrix_of(places: Sequence[int]) -> list[list[int]]:
    return [[int(j == place) for j in range(len(places))] for place in places]


def layered(
    g: Any,
    x: int,
    joint: bytes,
    pile: Sequence[tuple[bytes, bytes]],
    places: Sequence[int],
    rho: Sequence[int],
) -> list[tuple[bytes, bytes]]:
    """The pile with the layer of x, under the joint key Y' that has it, in a new order."""
    new = []
    for j, r in zip(places, rho, strict=True):
        a, b = pile[j]
        new.append((g.add(a, g.base(r)), g.add(g.add(b, g.mul(x, a)), g.mul(r, joint))))
    return new


def proof_of_shuffle(
    g: Any,
    ctx: bytes,
    key: bytes,
    before: bytes,
    x: int,
    pile: Sequence[tuple[bytes, bytes]],
    new: Sequence[tuple[bytes, bytes]],
    matrix: Sequence[Sequence[int]],
    rho: Sequence[int],
    nonces: Nonces,
) -> dict[str, Any]:
    """Steps 1 to 7 of the proof. `key` is X, `before` is Y; `x` need not be their secret."""
    n = len(pile)
    h = g.Hp(TAG + b"/H")
    many = [g.Hp(TAG + b"/H_" + str(i).encode()) for i in range(n)]
    r, r_hat, w, w_hat, w_prime = nonces.r, nonces.r_hat, nonces.w, nonces.w_hat, nonces.w_prime
    joint = g.add(before, key)
    c_j = [
        g.total([g.base(r[j]), *(g.mul(matrix[i][j], many[i]) for i in range(n))]) for j in range(n)
    ]
    piles = [b"".join(a + b for a, b in cards) for cards in (pile, new)]
    st = g.digest(ctx, key, before, joint, *piles, b"".join(c_j))
    u = [g.Hs(b"u", st, number(j)) for j in range(n)]
    u_prime = [sum(row[j] * u[j] for j in range(n)) % g.ORDER for row in matrix]
    chain = [h]
    for i in range(n):
        chain.append(g.add(g.base(r_hat[i]), g.mul(u_prime[i], chain[i])))
    r_bar, r_all, r_tilde, rho_tilde = sum(r), 0, 0, 0
    for i in range(n):
        product = r_hat[i]
        for k in range(i + 1, n):
            product *= u_prime[k]
        r_all += product
        r_tilde += r[i] * u[i]
        rho_tilde += rho[i] * u_prime[i]
    big_a = g.total([g.mul(u[j], pile[j][0]) for j in range(n)])
    t1, t2, t5 = g.base(w[0]), g.base(w[1]), g.base(w[4])
    t3 = g.add(g.base(w[2]), g.total([g.mul(w_prime[i], many[i]) for i in range(n)]))
    t4_a = g.sub(g.total([g.mul(w_prime[i], new[i][0]) for i in range(n)]), g.base(w[3]))
    t4_b = g.sub(g.total([g.mul(w_prime[i], new[i][1]) for i in range(n)]), g.mul(w[3], joint))
    t4_b = g.sub(t4_b, g.mul(w[4], big_a))
    t_hat = [g.add(g.base(w_hat[i]), g.mul(w_prime[i], chain[i])) for i in range(n)]
    c = g.Hs(b"c", st, b"".join(chain[1:]), t1, t2, t3, t4_a, t4_b, t5, b"".join(t_hat))
    sums = (r_bar, r_all, r_tilde, rho_tilde, x)
    s = [(w[k] + c * sums[k]) % g.ORDER for k in range(5)]
    s_hat = [(w_hat[i] + c * r_hat[i]) % g.ORDER for i in range(n)]
    s_prime = [(w_prime[i] + c * u_prime[i]) % g.ORDER for i in range(n)]
    scalars = b"".join(scalar_bytes(value, g.ORDER) for value in (c, *s, *s_hat, *s_prime))
    return {
        "Y'": joint,
        "H": h,
        "H_i": many,
        "c_j": c_j,
        "st": st,
        "u": u,
        "u'": u_prime,
        "c^": chain[1:],
        "sums": [value % g.ORDER for value in sums],
        "A": big_a,
        "t": [t1, t2, t3, t4_a, t4_b, t5],
        "t^": t_hat,
        "c": c,
        "s": s,
        "s^": s_hat,
        "s'": s_prime,
        "proof": b"".join((*c_j, *chain[1:], scalars)),
    }


def shares(
    g: Any,
    ctx: bytes,
    x: int,
    pile: Sequence[tuple[bytes, bytes]],
    positions: Sequence[int],
    w: int,
) -> dict[str, Any]:
    """Decryption shares and their batched proof."""
    key = g.base(x)
    d = [g.mul(x, pile[p][0]) for p in positions]
    everything = b"".join(pile[p][0] + share for p, share in zip(positions, d, strict=True))
    k = [g.Hs(b"k", ctx, key, everything, number(p)) for p in positions]
    big_a = g.total([g.mul(factor, pile[p][0]) for factor, p in zip(k, positions, strict=True)])
    big_d = g.total([g.mul(factor, share) for factor, share in zip(k, d, strict=True)])
    of_g, of_a = g.base(w), g.mul(w, big_a)
    c = g.Hs(b"dleq", ctx, key, big_a, big_d, of_g, of_a)
    z = (w + c * x) % g.ORDER
    proof = scalar_bytes(c, g.ORDER) + scalar_bytes(z, g.ORDER)
    return {
        "d": d,
        "k": k,
        "A": big_a,
        "D": big_d,
        "wG": of_g,
        "wA": of_a,
        "c": c,
        "z": z,
        "proof": proof,
    }
