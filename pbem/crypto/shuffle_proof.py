"""Adding a key to the pile and shuffling it, and the proof that nothing else was done to it
(docs/format.md, 13).

The proof is the one of Terelius and Wikström, "Proofs of Restricted Shuffles" (2010), laid out
after Haenni, Locher, Koenig and Dubuis, "Pseudo-Code Algorithms for Verifiable Re-Encryption
Mix-Nets" (2017), made non-interactive by hashing the whole statement (Fiat and Shamir), in the
compact form that sends the challenge, not the commitments. The seat's secret x is one more witness.
It convinces everybody that the new pile holds the cards of the old one, each once, under the joint
key with the seat's own, and that the seat knows x; it says nothing about their order.

Notation as in the papers: N cards, G and H and H_0 … H_{N-1} independent generators, X the seat's
key, Y and Y' the joint key before and after, (a, b) the old pile, (a', b') the new one, at place i
the card j = π(i). In the code `_p` stands for a prime and `_h` for a hat.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple

from pbem.crypto.elgamal import TAG, Pair, Pile, add_key, add_layer, write_pile
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
from pbem.crypto.randomness import DerivedRandom


def proof_size(cards: int) -> int:
    """Bytes of a proof: 32 (4N + 6)."""
    return SIZE * (4 * cards + 6)


class ShuffleStep(NamedTuple):
    """What a seat starts from when it joins: the context of its proof (`ctx`), its key X, the joint
    key Y before it, and the pile (a, b) that the seats before it made."""

    ctx: bytes
    key: bytes
    before: bytes
    pile: Pile

    @property
    def joint(self) -> bytes:
        """Y', the joint key with this seat's. Raises `ProofError` if it is the identity."""
        return add_key(self.before, self.key)

    def parts(self) -> tuple[bytes, ...]:
        """What all random values of this step are bound to: context, X, Y and the pile."""
        return self.ctx, self.key, self.before, write_pile(self.pile)


@lru_cache(maxsize=16)
def generators(count: int) -> tuple[bytes, tuple[bytes, ...], bytes]:
    """H, then H_0 … H_{count-1}, then the sum of these: points nobody knows a relation between."""
    many = tuple(Hp(TAG + b"/H_" + str(i).encode()) for i in range(count))
    return Hp(TAG + b"/H"), many, total(many)


class ShuffleProof(NamedTuple):
    """The parts of a proof, named as in the papers."""

    c_j: list[bytes]
    c_h: list[bytes]
    c: int
    s: list[int]
    s_h: list[int]
    s_p: list[int]


def shuffle(step: ShuffleStep, x: int, randomness: DerivedRandom) -> tuple[list[Pair], bytes]:
    """Add the key X = xG to the pile, shuffle it and prove both: the new pile and the proof. The
    order and the random values come from `randomness`, bound to the step."""
    order, rhos = arrange(step, randomness)
    new_pile = add_layer(x, step.joint, step.pile, order, rhos)
    return new_pile, prove(step, x, new_pile, order, rhos, randomness)


def arrange(step: ShuffleStep, randomness: DerivedRandom) -> tuple[list[int], list[int]]:
    """The order of a shuffle and the ρ of each card, as they follow from `randomness` and the
    step."""
    bound = randomness.bind(b"shuffle", *step.parts())
    return bound.permutation(len(step.pile)), bound.scalars(b"rho", len(step.pile))


def prove(
    step: ShuffleStep,
    x: int,
    new_pile: Pile,
    order: Sequence[int],
    rhos: Sequence[int],
    randomness: DerivedRandom,
) -> bytes:
    """The proof for a pile made with `x`, `order` and `rhos`."""
    pile, joint, count = step.pile, step.joint, len(step.pile)
    h, many, _ = generators(count)
    secrets = b"".join((scalar_bytes(x), *map(number, order), *map(scalar_bytes, rhos)))
    randomness = randomness.bind(b"proof", *step.parts(), write_pile(new_pile), secrets)
    r = randomness.scalars(b"r", count)
    c_j = [b""] * count
    for i, j in enumerate(order):
        c_j[j] = add(base(r[j]), many[i])
    st, u = _challenges(step, new_pile, c_j)
    u_p = [u[j] for j in order]
    r_h = randomness.scalars(b"r hat", count)
    c_h, coefficients = _chain(h, r_h, u_p)
    # The nonces: one for each thing known, and the commitments to them.
    w1, w2, w3, w4, w5 = randomness.scalars(b"w", 5)
    w_h, w_p = randomness.scalars(b"w hat", count), randomness.scalars(b"w prime", count)
    big_a = combine(u, [pair.a for pair in pile])
    t = (
        base(w1),
        base(w2),
        add(base(w3), combine(w_p, many)),
        sub(combine(w_p, [pair.a for pair in new_pile]), base(w4)),
        sub(combine(w_p, [pair.b for pair in new_pile]), add(mul(w4, joint), mul(w5, big_a))),
        base(w5),
    )
    t_h = _links(h, w_h, w_p, coefficients)
    c = _challenge(st, c_h, t, t_h)
    r_tilde = sum(r[j] * u[j] for j in range(count))
    rho_tilde = sum(rhos[i] * u_p[i] for i in range(count))
    s = (
        w1 + c * sum(r),
        w2 + c * coefficients[-1][0],
        w3 + c * r_tilde,
        w4 + c * rho_tilde,
        w5 + c * x,
    )
    s_h = [w_h[i] + c * r_h[i] for i in range(count)]
    s_p = [w_p[i] + c * u_p[i] for i in range(count)]
    return b"".join((*c_j, *c_h, *map(scalar_bytes, (c, *s, *s_h, *s_p))))


def verify(step: ShuffleStep, new_pile: Pile, proof: bytes) -> None:
    """Check that `new_pile` is the pile of the step in another order and under one more key, which
    its seat knows. Raises `ProofError`."""
    pile, joint, count = step.pile, step.joint, len(step.pile)
    if len(new_pile) != count:
        raise ProofError(f"{len(new_pile)} cards came out of a shuffle of {count}")
    h, many, all_many = generators(count)
    c_j, c_h, c, s, s_h, s_p = read_proof(proof, count)
    st, u = _challenges(step, new_pile, c_j)
    product = list(accumulate(u, lambda left, right: left * right % ORDER))[-1]
    cu = [-c * u_j for u_j in u]
    big_a = combine(u, [pair.a for pair in pile])
    t = (
        sub(base(s[0]), mul(c, sub(total(c_j), all_many))),
        sub(base(s[1]), mul(c, sub(c_h[-1], mul(product, h)))),
        add(base(s[2]), combine([*s_p, *cu], [*many, *c_j])),
        sub(combine(s_p, [pair.a for pair in new_pile]), add(base(s[3]), mul(c, big_a))),
        sub(
            combine([*s_p, *cu], [pair.b for pair in (*new_pile, *pile)]),
            add(mul(s[3], joint), mul(s[4], big_a)),
        ),
        sub(base(s[4]), mul(c, step.key)),
    )
    links = zip(s_h, s_p, [h, *c_h], c_h, strict=False)
    t_h = [
        sub(add(base(ours), mul(theirs, before)), mul(c, after))
        for ours, theirs, before, after in links
    ]
    if _challenge(st, c_h, t, t_h) != c:
        raise ProofError("the proof of shuffle does not hold for this seat, key, pile and entry")


def _chain(
    h: bytes, r_h: Sequence[int], u_p: Sequence[int]
) -> tuple[list[bytes], list[tuple[int, int]]]:
    """ĉ_i = r̂_i G + u'_i ĉ_{i-1} from ĉ_{-1} = H, and what each is made of: its coefficients of G
    and of H."""
    links, coefficients = [], []
    of_g, of_h = 0, 1
    for ours, factor in zip(r_h, u_p, strict=True):
        of_g, of_h = (ours + factor * of_g) % ORDER, factor * of_h % ORDER
        coefficients.append((of_g, of_h))
        links.append(add(base(of_g), mul(of_h, h)))
    return links, coefficients


def _links(
    h: bytes, w_h: Sequence[int], w_p: Sequence[int], coefficients: Sequence[tuple[int, int]]
) -> list[bytes]:
    """t̂_i = ŵ_i G + w'_i ĉ_{i-1}, each from what ĉ_{i-1} is made of."""
    before = [(0, 1), *coefficients]
    return [
        add(base(ours + theirs * of_g), mul(theirs * of_h, h))
        for ours, theirs, (of_g, of_h) in zip(w_h, w_p, before, strict=False)
    ]


def _challenges(step: ShuffleStep, new_pile: Pile, c_j: Sequence[bytes]) -> tuple[bytes, list[int]]:
    """The digest of the statement, and the challenges u_j that follow from it. X, Y and Y' stand in
    it: without X the term with s_5 would be free."""
    piles = write_pile(step.pile), write_pile(new_pile)
    st = digest(step.ctx, step.key, step.before, step.joint, *piles, b"".join(c_j))
    return st, [Hs(b"u", st, number(j)) for j in range(len(c_j))]


def _challenge(st: bytes, c_h: Sequence[bytes], t: Sequence[bytes], t_h: Sequence[bytes]) -> int:
    return Hs(b"c", st, b"".join(c_h), *t, b"".join(t_h))


def read_proof(data: bytes, cards: int) -> ShuffleProof:
    """A proof from outside, every point and scalar checked. Raises `ProofError`."""
    if len(data) != proof_size(cards):
        raise ProofError(
            f"a proof of shuffle for {cards} cards has {proof_size(cards)} bytes, not {len(data)}"
        )
    pieces = [data[start : start + SIZE] for start in range(0, len(data), SIZE)]
    points = [
        read_point(
            piece, f"commitment {i % cards + 1} of {'the order' if i < cards else 'the chain'}"
        )
        for i, piece in enumerate(pieces[: 2 * cards])
    ]
    c, *rest = (
        read_scalar(piece, f"number {i + 1} of the proof")
        for i, piece in enumerate(pieces[2 * cards :])
    )
    return ShuffleProof(
        points[:cards], points[cards:], c, rest[:5], rest[5 : 5 + cards], rest[5 + cards :]
    )
