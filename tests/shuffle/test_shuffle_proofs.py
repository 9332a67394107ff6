"""Proofs of shuffle: what is right passes, every way to cheat is refused for its reason."""

from __future__ import annotations

import pytest

from engine.loot import RULES
from pbem.crypto import elgamal, group, shuffle_proof
from pbem.crypto.elgamal import Pair
from pbem.crypto.group import ProofError
from tests.support import transcript
from tests.support.bad_points import BAD, BAD_SCALARS
from tests.support.shuffle_table import Seats
from tests.support.transcript import Nonces

REFUSED = "the proof of shuffle does not hold for this seat, key, pile and entry"


@pytest.fixture(scope="module")
def seats() -> Seats:
    return Seats(2)


@pytest.mark.parametrize("count", [1, 2, 3, 7])
def test_small_decks_pass(count: int) -> None:
    seats = Seats(3, [f"card {i}" for i in range(count)])
    pile = list(seats.pile)
    for seat in range(3):
        new, proof = seats.shuffle(seat, pile)
        assert len(proof) == shuffle_proof.proof_size(count)
        shuffle_proof.verify(seats.ctx(seat), seats.joint, pile, new, proof)
        pile = elgamal.read_pile(elgamal.write_pile(new), count)
    assert sorted(seats.read(pile, i) for i in range(count)) == list(seats.names)


def test_a_whole_deck_of_loot() -> None:
    names = [RULES.cards[card] for card in RULES.decks({})[0].contents]
    seats = Seats(2, names)
    pile = list(seats.pile)
    for seat in range(2):
        new, proof = seats.shuffle(seat, pile)
        assert len(proof) == 10_144
        assert len(proof) + len(elgamal.write_pile(new)) <= 15_500
        shuffle_proof.verify(seats.ctx(seat), seats.joint, pile, new, proof)
        pile = new
    assert sorted(seats.read(pile, i) for i in range(78)) == sorted(names)


def test_made_again_it_is_the_same(seats: Seats) -> None:
    assert seats.shuffle(0, seats.pile) == seats.shuffle(0, seats.pile)
    assert seats.shuffle(0, seats.pile) != seats.shuffle(1, seats.pile)


def cheat(seats: Seats, matrix: list[list[int]], of_old: list[list[int]]) -> tuple[list[Pair], bytes]:
    """A shuffler who follows the protocol as far as he can with any matrix; the card he lays at place i is the sum of
    the old ones with the factors `of_old[i]`. A proof may pass only if that is a matrix of an order."""
    coins = seats.coins[0]
    n = len(seats.pile)
    rho = coins.scalars(b"rho", n)
    mixed = [Pair(*(group.combine(row, half) for half in zip(*seats.pile, strict=True))) for row in of_old]
    new = elgamal.reencrypt(seats.joint, mixed, list(range(n)), rho)
    labels = (b"r", b"r hat", b"w", b"w hat", b"w prime")
    nonces = Nonces(*(coins.scalars(label, 4 if label == b"w" else n) for label in labels))
    made = transcript.proof_of_shuffle(group, seats.ctx(0), seats.joint, seats.pile, new, matrix, rho, nonces)
    return new, made["proof"]


def verify(seats: Seats, new: list[Pair], proof: bytes) -> None:
    shuffle_proof.verify(seats.ctx(0), seats.joint, seats.pile, new, proof)


def test_the_cheats_tools_make_proofs_that_pass_for_a_true_order(seats: Seats) -> None:
    order = transcript.matrix_of([2, 0, 3, 1])
    verify(seats, *cheat(seats, order, order))


@pytest.mark.parametrize("places", [[0, 0, 2, 3], [3, 3, 3, 3], [0, 1, 2, 0]])
def test_a_card_twice_and_another_dropped(seats: Seats, places: list[int]) -> None:
    table = transcript.matrix_of(places)
    for claimed in (table, transcript.matrix_of([0, 1, 2, 3])):
        with pytest.raises(ProofError, match=REFUSED):
            verify(seats, *cheat(seats, claimed, table))


HALF = pow(2, -1, group.ORDER)


def test_cards_mixed_so_that_only_the_chain_of_products_shows_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows that add up to 1, and a pile that fits the matrix: every equation holds but that of the product. With the
    product he used instead of the right one, the proof would pass; so that equation is what refuses it."""
    seats = Seats(2, ["merchant 2", "admiral"])
    new, proof = cheat(seats, [[2, -1], [0, 1]], [[HALF, 0], [HALF, 1]])
    with pytest.raises(ProofError, match=REFUSED):
        verify(seats, new, proof)
    c_j = shuffle_proof.read_proof(proof, 2).c_j
    st = group.digest(seats.ctx(0), seats.joint, *map(elgamal.write_pile, (seats.pile, new)), b"".join(c_j))
    u = [group.Hs(b"u", st, group.number(j)) for j in range(2)]
    monkeypatch.setattr(shuffle_proof, "accumulate", lambda *_: [(2 * u[0] - u[1]) * u[1]])
    verify(seats, new, proof)


def test_cards_stretched_so_that_only_the_sum_of_rows_shows_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """One card doubled and one halved: the product stays right, the rows do not add up to 1."""
    seats = Seats(2, ["merchant 2", "admiral"])
    new, proof = cheat(seats, [[2, 0], [0, HALF]], [[HALF, 0], [0, 2]])
    with pytest.raises(ProofError, match=REFUSED):
        verify(seats, new, proof)
    h, many, _ = shuffle_proof.generators(2)
    monkeypatch.setattr(shuffle_proof, "generators", lambda _: (h, many, group.combine([2, HALF], many)))
    verify(seats, new, proof)


def test_a_card_replaced_after_the_shuffle(seats: Seats) -> None:
    """One's own encryption of a chosen card, the proof made for it with the true order."""
    order, rhos = [1, 3, 0, 2], seats.coins[0].scalars(b"rho", 4)
    new = elgamal.reencrypt(seats.joint, seats.pile, order, rhos)
    point = elgamal.card_point("admiral")
    for chosen in (
        Pair(group.base(5), group.add(point, group.mul(5, seats.joint))),
        Pair(new[0].a, group.base(9)),
        Pair(group.base(9), new[0].b),
        new[1],
    ):
        bad = [chosen, *new[1:]]
        proof = shuffle_proof.prove(seats.ctx(0), seats.joint, seats.pile, bad, order, rhos, seats.coins[0])
        with pytest.raises(ProofError, match=REFUSED):
            shuffle_proof.verify(seats.ctx(0), seats.joint, seats.pile, bad, proof)


def test_cards_swapped_or_dropped_after_the_proof(seats: Seats) -> None:
    new, proof = seats.shuffle(0, seats.pile)
    with pytest.raises(ProofError, match=REFUSED):
        shuffle_proof.verify(seats.ctx(0), seats.joint, seats.pile, [new[1], new[0], *new[2:]], proof)
    with pytest.raises(ProofError, match="3 cards came out of a shuffle of 4"):
        shuffle_proof.verify(seats.ctx(0), seats.joint, seats.pile, new[1:], proof)


def test_a_proof_for_another_statement(seats: Seats) -> None:
    new, proof = seats.shuffle(0, seats.pile)
    shuffle_proof.verify(seats.ctx(0), seats.joint, seats.pile, new, proof)
    again, _ = seats.shuffle(1, new)
    for ctx, key, pile, result in (
        (seats.ctx(1), seats.joint, seats.pile, new),
        (seats.ctx(0, game="other"), seats.joint, seats.pile, new),
        (seats.ctx(0, before="other"), seats.joint, seats.pile, new),
        (seats.ctx(0, what="shares"), seats.joint, seats.pile, new),
        (seats.ctx(0), seats.keys[0], seats.pile, new),
        (seats.ctx(0), seats.joint, new, new),
        (seats.ctx(0), seats.joint, again, new),
        (seats.ctx(0), seats.joint, seats.pile, again),
        (seats.ctx(0), seats.joint, seats.pile[::-1], new),
    ):
        with pytest.raises(ProofError, match=REFUSED):
            shuffle_proof.verify(ctx, key, pile, result, proof)


def test_every_byte_of_a_proof_counts() -> None:
    seats = Seats(2, ["merchant 2", "blue 1"])
    new, proof = seats.shuffle(0, seats.pile)
    for i in range(len(proof)):
        flipped = proof[:i] + bytes([proof[i] ^ (1 << i % 8)]) + proof[i + 1 :]
        with pytest.raises(ProofError):
            shuffle_proof.verify(seats.ctx(0), seats.joint, seats.pile, new, flipped)
    for wrong in (proof[:-1], proof + b"\x00", proof[:-32], b""):
        with pytest.raises(ProofError, match="a proof of shuffle for 2 cards has 416 bytes"):
            shuffle_proof.verify(seats.ctx(0), seats.joint, seats.pile, new, wrong)


def test_every_byte_of_a_shuffled_pile_counts() -> None:
    seats = Seats(2, ["merchant 2", "blue 1"])
    new, proof = seats.shuffle(0, seats.pile)
    data = elgamal.write_pile(new)
    for i in range(len(data)):
        with pytest.raises(ProofError):
            shuffle_proof.verify(
                seats.ctx(0),
                seats.joint,
                seats.pile,
                elgamal.read_pile(data[:i] + bytes([data[i] ^ (1 << i % 8)]) + data[i + 1 :], 2),
                proof,
            )


@pytest.mark.parametrize("kind", BAD)
def test_bad_points_in_pile_and_proof(seats: Seats, kind: str) -> None:
    new, proof = seats.shuffle(0, seats.pile)
    data = elgamal.write_pile(new)
    with pytest.raises(ProofError, match="point b of card 1 is no point of the group"):
        elgamal.read_pile(data[:32] + BAD[kind] + data[64:], 4)
    for place, name in ((0, "commitment 1 of the order"), (7, "commitment 4 of the chain")):
        bad = proof[: 32 * place] + BAD[kind] + proof[32 * place + 32 :]
        with pytest.raises(ProofError, match=f"{name} is no point of the group"):
            shuffle_proof.verify(seats.ctx(0), seats.joint, seats.pile, new, bad)


@pytest.mark.parametrize("kind", [kind for kind in BAD_SCALARS if kind != "31 bytes"])
def test_bad_scalars_in_a_proof(seats: Seats, kind: str) -> None:
    new, proof = seats.shuffle(0, seats.pile)
    for place in range(8, 21):
        bad = proof[: 32 * place] + BAD_SCALARS[kind] + proof[32 * place + 32 :]
        with pytest.raises(ProofError, match=rf"number {place - 7} of the proof is (zero|not written)"):
            shuffle_proof.verify(seats.ctx(0), seats.joint, seats.pile, new, bad)


def test_another_spelling_of_a_scalar_is_refused(seats: Seats) -> None:
    """s and s + q are the same number: only one of them may be written."""
    new, proof = seats.shuffle(0, seats.pile)
    s = int.from_bytes(proof[-32:], "little") + group.ORDER
    with pytest.raises(ProofError, match="number 13 of the proof is not written in its one spelling"):
        shuffle_proof.verify(seats.ctx(0), seats.joint, seats.pile, new, proof[:-32] + s.to_bytes(32, "little"))


def test_a_pile_of_the_wrong_length() -> None:
    with pytest.raises(ProofError, match="a pile of 2 cards has 128 bytes, not 64"):
        elgamal.read_pile(bytes(64), 2)
