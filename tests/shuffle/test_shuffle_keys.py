"""Keys, proofs of possession, and the pile at the start."""

from __future__ import annotations

import pytest

from pbem.crypto import elgamal, group
from pbem.crypto.group import ProofError
from tests.support.bad_points import BAD
from tests.support.shuffle_table import Seats


@pytest.fixture(scope="module")
def seats() -> Seats:
    return Seats(2)


def test_keys_pass_for_their_seat_only(seats: Seats) -> None:
    proof = elgamal.prove_key(seats.ctx(0, "key"), seats.secrets[0], seats.coins[0])
    elgamal.check_key(seats.ctx(0, "key"), seats.keys[0], proof)
    for ctx, key in (
        (seats.ctx(1, "key"), seats.keys[0]),
        (seats.ctx(0, "key", game="other"), seats.keys[0]),
        (seats.ctx(0, "key"), seats.keys[1]),
    ):
        with pytest.raises(ProofError, match="the proof of possession does not hold for this key, seat and game"):
            elgamal.check_key(ctx, key, proof)


def test_a_rogue_key(seats: Seats) -> None:
    """X = xG - X_0 would make the joint key xG, known to its maker. He cannot prove it with x, nor with another's."""
    x = seats.secrets[1]
    rogue = group.sub(group.base(x), seats.keys[0])
    assert elgamal.joint_key([seats.keys[0], rogue]) == group.base(x)
    ctx = seats.ctx(1, "key")
    w = 77
    t = group.base(w)
    c = group.Hs(b"pop", ctx, rogue, t)
    for proof in (
        t + group.scalar_bytes(w + c * x),
        elgamal.prove_key(ctx, x, seats.coins[1]),
        elgamal.prove_key(seats.ctx(0, "key"), seats.secrets[0], seats.coins[0]),
    ):
        with pytest.raises(ProofError, match="the proof of possession does not hold"):
            elgamal.check_key(ctx, rogue, proof)


def test_every_byte_of_a_key_and_its_proof_counts(seats: Seats) -> None:
    ctx = seats.ctx(0, "key")
    data = seats.keys[0] + elgamal.prove_key(ctx, seats.secrets[0], seats.coins[0])
    for i in range(len(data)):
        flipped = data[:i] + bytes([data[i] ^ (1 << i % 8)]) + data[i + 1 :]
        with pytest.raises(ProofError):
            elgamal.check_key(ctx, flipped[:32], flipped[32:])
    with pytest.raises(ProofError, match="has 63 bytes instead of 64"):
        elgamal.check_key(ctx, seats.keys[0], data[32:-1])


@pytest.mark.parametrize("kind", BAD)
def test_bad_keys(seats: Seats, kind: str) -> None:
    proof = elgamal.prove_key(seats.ctx(0, "key"), seats.secrets[0], seats.coins[0])
    with pytest.raises(ProofError, match="the key is no point of the group"):
        elgamal.check_key(seats.ctx(0, "key"), BAD[kind], proof)


def test_keys_that_cancel(seats: Seats) -> None:
    with pytest.raises(ProofError, match="add up to nothing"):
        elgamal.joint_key([seats.keys[0], group.sub(group.IDENTITY, seats.keys[0])])


def test_the_pile_at_the_start_shows_its_cards(seats: Seats) -> None:
    """Anybody can take Y off again and sees the card; equal cards look equal."""
    for name, pair in zip(seats.names, seats.pile, strict=True):
        assert pair.a == group.BASE
        assert group.sub(pair.b, seats.joint) == elgamal.card_point(name)
    assert seats.pile[1] == seats.pile[2]
