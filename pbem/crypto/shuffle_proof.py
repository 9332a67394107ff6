"""Shuffling the pile, and the proof that it was only shuffled.

The proof is the one of Terelius and Wikström, "Proofs of Restricted Shuffles" (2010), laid out after Haenni, Locher,
Koenig and Dubuis, "Pseudo-Code Algorithms for Verifiable Re-Encryption Mix-Nets" (2017), made non-interactive by
hashing the whole statement (Fiat and Shamir), in the compact form that sends the challenge, not the commitments. It
convinces everybody that the new pile holds the cards of the old one, each once, and says nothing about their order.

Notation as in the papers: N cards, G and H and H_0 … H_{N-1} independent generators, Y the joint key, (a, b) the old
pile, (a', b') the new one, at place i the card j = π(i). In the code `_p` stands for a prime and `_h` for a hat.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple

from pbem.crypto.derived_random import Coins
from pbem.crypto.elgamal import TAG, Pair, Pile, reencrypt, write_pile
from pbem.crypto.group import (
    ORDER,
    SIZE,
    Hp,
    Hs,
    ProofError,
    add,
    base,
    combine,
    digest,
    mul,
    number,
    read_point,
    read_scalar,
    scalar_bytes,
    sub,
    total,
)


def proof_size(cards: int) -> int:
    """Bytes of a proof: 32 (4N + 5)."""
    return SIZE * (4 * cards + 5)


@lru_cache(maxsize=16)
def generators(count: int) -> tuple[bytes, tuple[bytes, ...], bytes]:
    """H, then H_0 … H_{count-1}, then the sum of these: points nobody knows a relation between."""
    many = tuple(Hp(TAG + b"/H_" + str(i).encode()) for i in range(count))
    return Hp(TAG + b"/H"), many, total(many)


class Proof(NamedTuple):
    """A proof taken apart."""

    c_j: list[bytes]
    c_h: list[bytes]
    c: int
    s: list[int]
    s_h: list[int]
    s_p: list[int]


def shuffle(ctx: bytes, key: bytes, pile: Pile, coins: Coins) -> tuple[list[Pair], bytes]:
    """Shuffle a pile and prove it. Order and randomness come from `coins`, bound to context, key and pile."""
    order, rhos = arrange(ctx, key, pile, coins)
    shuffled = reencrypt(key, pile, order, rhos)
    return shuffled, prove(ctx, key, pile, shuffled, order, rhos, coins)


def arrange(ctx: bytes, key: bytes, pile: Pile, coins: Coins) -> tuple[list[int], list[int]]:
    """The order and the randomness of a shuffle, as they follow from `coins` and the statement."""
    bound = coins.bind(b"shuffle", ctx, key, write_pile(pile))
    return bound.permutation(len(pile)), bound.scalars(b"rho", len(pile))


def prove(
    ctx: bytes, key: bytes, pile: Pile, shuffled: Pile, order: Sequence[int], rhos: Sequence[int], coins: Coins
) -> bytes:
    """The proof for a pile shuffled by `order` and `rhos`."""
    count = len(pile)
    h, many, _ = generators(count)
    known_only_here = b"".join(map(number, order)) + b"".join(map(scalar_bytes, rhos))
    coins = coins.bind(b"proof", ctx, key, write_pile(pile), write_pile(shuffled), known_only_here)
    r = coins.scalars(b"r", count)
    c_j = [b""] * count
    for i, j in enumerate(order):
        c_j[j] = add(base(r[j]), many[i])
    st, u = _challenges(ctx, key, pile, shuffled, c_j)
    u_p = [u[j] for j in order]
    r_h = coins.scalars(b"r hat", count)
    c_h, known = _chain(h, r_h, u_p)
    # The nonces: one for each thing known, and the commitments to them.
    w1, w2, w3, w4 = coins.scalars(b"w", 4)
    w_h, w_p = coins.scalars(b"w hat", count), coins.scalars(b"w prime", count)
    t = (
        base(w1),
        base(w2),
        add(base(w3), combine(w_p, many)),
        sub(combine(w_p, [pair.a for pair in shuffled]), base(w4)),
        sub(combine(w_p, [pair.b for pair in shuffled]), mul(w4, key)),
    )
    t_h = []
    before = (0, 1)  # of G and of H in the link before
    for i in range(count):
        t_h.append(add(base(w_h[i] + w_p[i] * before[0]), mul(w_p[i] * before[1], h)))
        before = known[i]
    c = _challenge(st, c_h, t, t_h)
    r_tilde = sum(r[j] * u[j] for j in range(count))
    rho_tilde = sum(rhos[i] * u_p[i] for i in range(count))
    s = (w1 + c * sum(r), w2 + c * known[-1][0], w3 + c * r_tilde, w4 + c * rho_tilde)
    s_h = [w_h[i] + c * r_h[i] for i in range(count)]
    s_p = [w_p[i] + c * u_p[i] for i in range(count)]
    return b"".join((*c_j, *c_h, *map(scalar_bytes, (c, *s, *s_h, *s_p))))


def verify(ctx: bytes, key: bytes, pile: Pile, shuffled: Pile, proof: bytes) -> None:
    """Check that `shuffled` is `pile` in another order. Raises `ProofError`."""
    count = len(pile)
    if len(shuffled) != count:
        raise ProofError(f"{len(shuffled)} cards came out of a shuffle of {count}")
    h, many, all_many = generators(count)
    c_j, c_h, c, s, s_h, s_p = read_proof(proof, count)
    st, u = _challenges(ctx, key, pile, shuffled, c_j)
    product = list(accumulate(u, lambda left, right: left * right % ORDER))[-1]
    cu = [-c * u_j for u_j in u]
    t = (
        sub(base(s[0]), mul(c, sub(total(c_j), all_many))),
        sub(base(s[1]), mul(c, sub(c_h[-1], mul(product, h)))),
        add(base(s[2]), combine([*s_p, *cu], [*many, *c_j])),
        sub(_balance(s_p, cu, [pair.a for pair in shuffled], [pair.a for pair in pile]), base(s[3])),
        sub(_balance(s_p, cu, [pair.b for pair in shuffled], [pair.b for pair in pile]), mul(s[3], key)),
    )
    links = zip(s_h, s_p, [h, *c_h], c_h, strict=False)
    t_h = [sub(add(base(ours), mul(theirs, before)), mul(c, after)) for ours, theirs, before, after in links]
    if _challenge(st, c_h, t, t_h) != c:
        raise ProofError("the proof of shuffle does not hold for this seat, key, pile and entry")


def _chain(h: bytes, r_h: Sequence[int], u_p: Sequence[int]) -> tuple[list[bytes], list[tuple[int, int]]]:
    """ĉ_i = r̂_i G + u'_i ĉ_{i-1} from ĉ_{-1} = H, and what each is made of: its coefficients of G and of H."""
    links, known = [], []
    of_g, of_h = 0, 1
    for ours, factor in zip(r_h, u_p, strict=True):
        of_g, of_h = (ours + factor * of_g) % ORDER, factor * of_h % ORDER
        known.append((of_g, of_h))
        links.append(add(base(of_g), mul(of_h, h)))
    return links, known


def _balance(s_p: Sequence[int], cu: Sequence[int], new: Sequence[bytes], old: Sequence[bytes]) -> bytes:
    """Σ s'_i new_i - c Σ u_j old_j, one half of the pairs."""
    return combine([*s_p, *cu], [*new, *old])


def _challenges(ctx: bytes, key: bytes, pile: Pile, shuffled: Pile, c_j: Sequence[bytes]) -> tuple[bytes, list[int]]:
    """The digest of the statement, and the challenges u_j that follow from it."""
    st = digest(ctx, key, write_pile(pile), write_pile(shuffled), b"".join(c_j))
    return st, [Hs(b"u", st, number(j)) for j in range(len(c_j))]


def _challenge(st: bytes, c_h: Sequence[bytes], t: Sequence[bytes], t_h: Sequence[bytes]) -> int:
    return Hs(b"c", st, b"".join(c_h), *t, b"".join(t_h))


def read_proof(data: bytes, cards: int) -> Proof:
    """A proof from outside, every point and scalar checked. Raises `ProofError`."""
    if len(data) != proof_size(cards):
        raise ProofError(f"a proof of shuffle for {cards} cards has {proof_size(cards)} bytes, not {len(data)}")
    pieces = [data[start : start + SIZE] for start in range(0, len(data), SIZE)]
    points = [
        read_point(piece, f"commitment {i % cards + 1} of {'the order' if i < cards else 'the chain'}")
        for i, piece in enumerate(pieces[: 2 * cards])
    ]
    c, *rest = (read_scalar(piece, f"number {i + 1} of the proof") for i, piece in enumerate(pieces[2 * cards :]))
    return Proof(points[:cards], points[cards:], c, rest[:4], rest[4 : 4 + cards], rest[4 + cards :])
