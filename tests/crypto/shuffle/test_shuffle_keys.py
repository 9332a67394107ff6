"""Keys: a seat uses only a key whose secret it knows. The pile at the start."""

from __future__ import annotations

import pytest

from pbem.crypto import elgamal, group, shuffle_proof
from pbem.crypto.elgamal import Pair
from pbem.crypto.group import ProofError
from pbem.crypto.randomness import DerivedRandom
from pbem.crypto.shuffle_proof import ShuffleStep
from tests.support.bad_points import BAD
from tests.support.shuffle_table import Seats

REFUSED = "the proof of shuffle does not hold for this seat, key, pile and entry"


@pytest.fixture(scope="module")
def seats() -> Seats:
    return Seats(2)


@pytest.fixture(scope="module")
def first(seats: Seats) -> list[Pair]:
    """The pile that the second seat finds."""
    return seats.joined(1)


def with_key(seats: Seats, first: list[Pair], key: bytes) -> ShuffleStep:
    return ShuffleStep(seats.ctx(1), key, seats.joint(1), first)


def test_a_rogue_key(seats: Seats, first: list[Pair]) -> None:
    """X = zG - X_0 would make the joint key zG, known to its maker. They can prove it neither with
    z, nor with any secret they know; nor can they prove a pile that is already open to them alone,
    (a, C + z a)."""
    z = 12345
    rogue = group.sub(group.base(z), seats.keys[0])
    step = with_key(seats, first, rogue)
    assert step.joint == group.base(z)
    derived = seats.derived[1]
    for x in (z, seats.secrets[1], z - seats.secrets[1], 1):
        with pytest.raises(ProofError, match=REFUSED):
            shuffle_proof.verify(step, *shuffle_proof.shuffle(step, x, derived))
    order, rhos = shuffle_proof.arrange(step, derived)
    fresh = [
        Pair(pair.a, group.add(elgamal.card_point(name), group.mul(z, pair.a)))
        for pair, name in zip(first, seats.names, strict=True)
    ]
    with pytest.raises(ProofError, match=REFUSED):
        shuffle_proof.verify(step, fresh, shuffle_proof.prove(step, z, fresh, order, rhos, derived))


def test_a_copied_key(seats: Seats, first: list[Pair]) -> None:
    """Another seat's key: the copier does not know its secret, and a copied proof is bound to its
    author."""
    step = with_key(seats, first, seats.keys[0])
    new, proof = seats.shuffle(0, seats.pile)
    for pile, claimed in (
        shuffle_proof.shuffle(step, seats.secrets[1], seats.derived[1]),
        (new, proof),
    ):
        with pytest.raises(ProofError, match=REFUSED):
            shuffle_proof.verify(step, pile, claimed)


def test_allies_who_share_a_secret_may_bring_one_key(seats: Seats, first: list[Pair]) -> None:
    """Not refused (docs/format.md, section 13): they could tell each other everything anyway. A
    third key stays in the joint one, so what both know together opens nothing."""
    step = with_key(seats, first, seats.keys[0])
    new, proof = shuffle_proof.shuffle(step, seats.secrets[0], seats.derived[1])
    shuffle_proof.verify(step, new, proof)
    third = group.base(4711)
    joint = group.add(step.joint, third)
    assert (
        group.sub(joint, group.base(2 * seats.secrets[0] % group.ORDER)) == third != group.IDENTITY
    )


def test_keys_that_cancel(seats: Seats, first: list[Pair]) -> None:
    """X = -Y gives the identity, under which every card would lie open. Refused before anything is
    computed."""
    step = with_key(seats, first, group.sub(group.IDENTITY, seats.keys[0]))
    for run in (
        lambda: step.joint,
        lambda: elgamal.add_key(step.before, step.key),
        lambda: shuffle_proof.verify(step, *seats.shuffle(1, first)),
        lambda: shuffle_proof.shuffle(step, group.ORDER - seats.secrets[0], seats.derived[1]),
    ):
        with pytest.raises(ProofError, match="the keys of the seats add up to nothing"):
            run()


def test_the_proof_shows_that_the_secret_is_known(
    seats: Seats, first: list[Pair], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A layer of another secret than the key's: every equation holds but the one that binds s_5 to
    X. Were that one made with the key of the secret that was used, the proof would pass; so it is
    what refuses it."""
    step, other = with_key(seats, first, seats.keys[1]), seats.secrets[1] + 1
    derived = DerivedRandom(bytes(32))
    order, rhos = shuffle_proof.arrange(step, derived)
    new = elgamal.add_layer(other, step.joint, first, order, rhos)
    proof = shuffle_proof.prove(step, other, new, order, rhos, derived)
    with pytest.raises(ProofError, match=REFUSED):
        shuffle_proof.verify(step, new, proof)
    true = shuffle_proof.sub

    def sub(left: bytes, right: bytes) -> bytes:
        c = shuffle_proof.read_proof(proof, 4).c
        return true(
            left, group.mul(c, group.base(other)) if right == group.mul(c, step.key) else right
        )

    monkeypatch.setattr(shuffle_proof, "sub", sub)
    shuffle_proof.verify(step, new, proof)


def test_every_bit_of_a_key_counts(seats: Seats, first: list[Pair]) -> None:
    new, proof = seats.shuffle(1, first)
    shuffle_proof.verify(with_key(seats, first, seats.keys[1]), new, proof)
    passed_as_points = 0
    for i in range(32):
        key = seats.keys[1]
        flipped = key[:i] + bytes([key[i] ^ (1 << i % 8)]) + key[i + 1 :]
        if group.is_point(flipped):
            with pytest.raises(ProofError, match=REFUSED):
                shuffle_proof.verify(with_key(seats, first, flipped), new, proof)
            passed_as_points += 1
    assert passed_as_points > 2


@pytest.mark.parametrize("kind", BAD)
def test_bad_keys(kind: str) -> None:
    """Every key from outside passes `read_point` (`Layers.join`), which refuses all of these."""
    with pytest.raises(ProofError, match="the key is no point of the group"):
        group.read_point(BAD[kind], "the key")


def test_the_pile_at_the_start_shows_its_cards(seats: Seats) -> None:
    """Nobody's key is in it yet; equal cards look equal."""
    for name, pair in zip(seats.names, seats.pile, strict=True):
        assert pair == (group.BASE, elgamal.card_point(name))
    assert seats.pile[1] == seats.pile[2]


def test_the_first_seat_alone_reads_the_pile_it_made_and_nobody_the_next(
    seats: Seats, first: list[Pair]
) -> None:
    cards = sorted(elgamal.card_point(name) for name in seats.names)
    x, y = seats.secrets
    second = seats.shuffle(1, first)[0]

    def read(pile: list[Pair], *secrets: int) -> list[bytes]:
        return sorted(
            elgamal.card_in(pair, [group.mul(secret, pair.a) for secret in secrets])
            for pair in pile
        )

    assert read(first, x) == cards and not set(read(first, y)) & set(cards)
    assert read(second, x, y) == cards
    for secret in (x, y):
        assert not set(read(second, secret)) & set(cards)
