"""Proofs of shuffle: what is right passes, every way to cheat is refused for its reason."""

from __future__ import annotations

import pytest

from engine.loot import RULES
from pbem.crypto import elgamal, group, shuffle_proof
from pbem.crypto.elgamal import Pair
from pbem.crypto.group import ProofError
from pbem.crypto.shuffle_proof import ShuffleStep
from tests.support import transcript
from tests.support.bad_points import BAD, BAD_SCALARS
from tests.support.shuffle_table import Seats
from tests.support.transcript import Nonces

REFUSED = "the proof of shuffle does not hold for this seat, key, pile and entry"


@pytest.fixture(scope="module")
def seats() -> Seats:
    return Seats(2)


@pytest.fixture(scope="module")
def first(seats: Seats) -> list[Pair]:
    """The pile that the second seat, who cheats below, finds."""
    return seats.joined(1)


@pytest.mark.parametrize("count", [1, 2, 3, 7])
def test_small_decks_pass(count: int) -> None:
    seats = Seats(3, [f"card {i}" for i in range(count)])
    pile = list(seats.pile)
    for seat in range(3):
        new, proof = seats.shuffle(seat, pile)
        assert len(proof) == shuffle_proof.proof_size(count)
        shuffle_proof.verify(seats.step(seat, pile), new, proof)
        pile = elgamal.read_pile(elgamal.write_pile(new), count)
    assert sorted(seats.read(pile, i) for i in range(count)) == list(seats.names)


def test_a_whole_deck_of_loot() -> None:
    names = [RULES.cards[card] for card in RULES.decks({})[0].contents]
    seats = Seats(2, names)
    pile = list(seats.pile)
    for seat in range(2):
        new, proof = seats.shuffle(seat, pile)
        assert len(proof) == 10_176
        assert len(proof) + len(elgamal.write_pile(new)) <= 15_500
        shuffle_proof.verify(seats.step(seat, pile), new, proof)
        pile = new
    assert sorted(seats.read(pile, i) for i in range(78)) == sorted(names)


def test_made_again_it_is_the_same(seats: Seats, first: list[Pair]) -> None:
    assert seats.shuffle(0, seats.pile) == (first, seats.shuffle(0, seats.pile)[1])
    assert seats.shuffle(1, first) != seats.shuffle(1, first[::-1])


def cheat(
    seats: Seats, pile: list[Pair], matrix: list[list[int]], of_old: list[list[int]]
) -> tuple[list[Pair], bytes]:
    """A second seat that follows the protocol as far as it can with any matrix; the card it puts at
    place i is the sum of the old ones with the factors `of_old[i]`. A proof may pass only if that
    is a matrix of an order."""
    derived, step, x = seats.derived[1], seats.step(1, pile), seats.secrets[1]
    n = len(pile)
    rho = derived.scalars(b"rho", n)
    mixed = [
        Pair(*(group.combine(row, half) for half in zip(*pile, strict=True))) for row in of_old
    ]
    new = elgamal.add_layer(x, step.joint, mixed, list(range(n)), rho)
    labels = (b"r", b"r hat", b"w", b"w hat", b"w prime")
    nonces = Nonces(*(derived.scalars(label, 5 if label == b"w" else n) for label in labels))
    made = transcript.proof_of_shuffle(
        group, step.ctx, step.key, step.before, x, pile, new, matrix, rho, nonces
    )
    return new, made["proof"]


def test_the_cheats_tools_make_proofs_that_pass_for_a_true_order(
    seats: Seats, first: list[Pair]
) -> None:
    order = transcript.matrix_of([2, 0, 3, 1])
    shuffle_proof.verify(seats.step(1, first), *cheat(seats, first, order, order))


@pytest.mark.parametrize("places", [[0, 0, 2, 3], [3, 3, 3, 3], [0, 1, 2, 0]])
def test_a_card_twice_and_another_dropped(
    seats: Seats, first: list[Pair], places: list[int]
) -> None:
    table = transcript.matrix_of(places)
    for claimed in (table, transcript.matrix_of([0, 1, 2, 3])):
        with pytest.raises(ProofError, match=REFUSED):
            shuffle_proof.verify(seats.step(1, first), *cheat(seats, first, claimed, table))


HALF = pow(2, -1, group.ORDER)


def test_cards_mixed_so_that_only_the_chain_of_products_shows_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Rows that add up to 1, and a pile that fits the matrix: every equation holds but that of the
    product. With the product that was used instead of the right one, the proof would pass; so that
    equation is what refuses it."""
    seats = Seats(2, ["merchant 2", "admiral"])
    step = seats.step(1, seats.joined(1))
    new, proof = cheat(seats, list(step.pile), [[2, -1], [0, 1]], [[HALF, 0], [HALF, 1]])
    with pytest.raises(ProofError, match=REFUSED):
        shuffle_proof.verify(step, new, proof)
    c_j = shuffle_proof.read_proof(proof, 2).c_j
    piles = map(elgamal.write_pile, (step.pile, new))
    st = group.digest(step.ctx, step.key, step.before, step.joint, *piles, b"".join(c_j))
    u = [group.Hs(b"u", st, group.number(j)) for j in range(2)]
    monkeypatch.setattr(shuffle_proof, "accumulate", lambda *_: [(2 * u[0] - u[1]) * u[1]])
    shuffle_proof.verify(step, new, proof)


def test_cards_stretched_so_that_only_the_sum_of_rows_shows_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """One card doubled and one halved: the product stays right, the rows do not add up to 1."""
    seats = Seats(2, ["merchant 2", "admiral"])
    step = seats.step(1, seats.joined(1))
    new, proof = cheat(seats, list(step.pile), [[2, 0], [0, HALF]], [[HALF, 0], [0, 2]])
    with pytest.raises(ProofError, match=REFUSED):
        shuffle_proof.verify(step, new, proof)
    h, many, _ = shuffle_proof.generators(2)
    monkeypatch.setattr(
        shuffle_proof, "generators", lambda _: (h, many, group.combine([2, HALF], many))
    )
    shuffle_proof.verify(step, new, proof)


def spoiled(
    seats: Seats, step: ShuffleStep, new: list[Pair], order: list[int], rhos: list[int]
) -> None:
    """A pile that is wrong, with the proof that our prover makes of it from the true order:
    refused."""
    proof = shuffle_proof.prove(step, seats.secrets[1], new, order, rhos, seats.derived[1])
    with pytest.raises(ProofError, match=REFUSED):
        shuffle_proof.verify(step, new, proof)


def test_a_card_replaced_after_the_shuffle(seats: Seats, first: list[Pair]) -> None:
    """One's own encryption of a chosen card, the proof made for it with the true order."""
    step, order, rhos = seats.step(1, first), [1, 3, 0, 2], seats.derived[0].scalars(b"rho", 4)
    new = elgamal.add_layer(seats.secrets[1], step.joint, first, order, rhos)
    point = elgamal.card_point("admiral")
    for chosen in (
        Pair(group.base(5), group.add(point, group.mul(5, step.joint))),
        Pair(new[0].a, group.base(9)),
        Pair(group.base(9), new[0].b),
        new[1],
    ):
        spoiled(seats, step, [chosen, *new[1:]], order, rhos)


def test_a_pile_shifted(seats: Seats, first: list[Pair]) -> None:
    """Every card moved by the same point, or two by opposite ones: no card of the deck would come
    out, or another."""
    step, order, rhos = seats.step(1, first), [1, 3, 0, 2], seats.derived[0].scalars(b"rho", 4)
    new = elgamal.add_layer(seats.secrets[1], step.joint, first, order, rhos)
    by = group.sub(elgamal.card_point("admiral"), elgamal.card_point("blue 1"))
    shifted = [Pair(pair.a, group.add(pair.b, by)) for pair in new]
    spoiled(seats, step, shifted, order, rhos)
    balanced = [
        Pair(new[0].a, group.add(new[0].b, by)),
        Pair(new[1].a, group.sub(new[1].b, by)),
        *new[2:],
    ]
    spoiled(seats, step, balanced, order, rhos)
    spoiled(seats, step, [Pair(group.add(pair.a, by), pair.b) for pair in new], order, rhos)


def test_a_layer_left_out_or_wrong(seats: Seats, first: list[Pair]) -> None:
    """The own key not added, added twice or of another secret; for all cards, and for one card
    only. The pile is re-encrypted as it should be, and in one case under the old joint key."""
    step, order, rhos = seats.step(1, first), [1, 3, 0, 2], seats.derived[0].scalars(b"rho", 4)
    x = seats.secrets[1]
    true = elgamal.add_layer(x, step.joint, first, order, rhos)
    spoiled(seats, step, elgamal.add_layer(x, step.before, first, order, rhos), order, rhos)
    for other in (0, 2 * x, x + 1, -x):
        wrong = elgamal.add_layer(other, step.joint, first, order, rhos)
        spoiled(seats, step, wrong, order, rhos)
        for place in range(4):
            spoiled(seats, step, [*true[:place], wrong[place], *true[place + 1 :]], order, rhos)


def test_cards_swapped_or_dropped_after_the_proof(seats: Seats, first: list[Pair]) -> None:
    step = seats.step(1, first)
    new, proof = seats.shuffle(1, first)
    with pytest.raises(ProofError, match=REFUSED):
        shuffle_proof.verify(step, [new[1], new[0], *new[2:]], proof)
    with pytest.raises(ProofError, match="3 cards came out of a shuffle of 4"):
        shuffle_proof.verify(step, new[1:], proof)


def test_a_proof_for_another_statement(seats: Seats, first: list[Pair]) -> None:
    new, proof = seats.shuffle(1, first)
    step = seats.step(1, first)
    shuffle_proof.verify(step, new, proof)
    again, _ = seats.shuffle(1, new)
    for wrong, result in (
        (step._replace(ctx=seats.ctx(0)), new),
        (step._replace(ctx=seats.ctx(1, game="other")), new),
        (step._replace(ctx=seats.ctx(1, before="other")), new),
        (step._replace(ctx=seats.ctx(1, what="shares")), new),
        (step._replace(key=seats.keys[0]), new),
        (step._replace(before=group.IDENTITY), new),
        (step._replace(before=step.joint), new),
        # The same Y' from another Y and X: the joint key alone does not tell whose layer it is.
        (step._replace(before=step.key, key=step.before), new),
        (step._replace(pile=new), new),
        (step._replace(pile=again), new),
        (step._replace(pile=seats.pile), new),
        (step._replace(pile=first[::-1]), new),
        (step, again),
    ):
        with pytest.raises(ProofError, match=REFUSED):
            shuffle_proof.verify(wrong, result, proof)


def test_each_response_changed(seats: Seats, first: list[Pair]) -> None:
    """c, s_1 … s_5, every ŝ_i and every s'_i, each one more, one less, and negated."""
    new, proof = seats.shuffle(1, first)
    step = seats.step(1, first)
    for place in range(8, 22):
        value = int.from_bytes(proof[32 * place : 32 * place + 32], "little")
        for other in (value + 1, value - 1, -value):
            bad = proof[: 32 * place] + group.scalar_bytes(other) + proof[32 * place + 32 :]
            with pytest.raises(ProofError, match=REFUSED):
                shuffle_proof.verify(step, new, bad)
    assert len(proof) == 32 * 22


def test_every_byte_of_a_proof_counts() -> None:
    seats = Seats(2, ["merchant 2", "blue 1"])
    step = seats.step(1, seats.joined(1))
    new, proof = seats.shuffle(1, step.pile)
    for i in range(len(proof)):
        flipped = proof[:i] + bytes([proof[i] ^ (1 << i % 8)]) + proof[i + 1 :]
        with pytest.raises(ProofError):
            shuffle_proof.verify(step, new, flipped)
    for wrong in (proof[:-1], proof + b"\x00", proof[:-32], b""):
        with pytest.raises(ProofError, match="a proof of shuffle for 2 cards has 448 bytes"):
            shuffle_proof.verify(step, new, wrong)


def test_every_byte_of_a_shuffled_pile_counts() -> None:
    seats = Seats(2, ["merchant 2", "blue 1"])
    step = seats.step(1, seats.joined(1))
    new, proof = seats.shuffle(1, step.pile)
    data = elgamal.write_pile(new)
    for i in range(len(data)):
        flipped = data[:i] + bytes([data[i] ^ (1 << i % 8)]) + data[i + 1 :]
        with pytest.raises(ProofError):
            shuffle_proof.verify(step, elgamal.read_pile(flipped, 2), proof)


@pytest.mark.parametrize("kind", BAD)
def test_bad_points_in_pile_and_proof(seats: Seats, first: list[Pair], kind: str) -> None:
    new, proof = seats.shuffle(1, first)
    data = elgamal.write_pile(new)
    with pytest.raises(ProofError, match="point b of card 1 is no point of the group"):
        elgamal.read_pile(data[:32] + BAD[kind] + data[64:], 4)
    for place, name in ((0, "commitment 1 of the order"), (7, "commitment 4 of the chain")):
        bad = proof[: 32 * place] + BAD[kind] + proof[32 * place + 32 :]
        with pytest.raises(ProofError, match=f"{name} is no point of the group"):
            shuffle_proof.verify(seats.step(1, first), new, bad)


def test_a_point_of_small_order_added_to_a_card(seats: Seats, first: list[Pair]) -> None:
    """Without the check of the subgroup such a pile could pass: marked cards, told apart by those
    who share a card."""
    new, _ = seats.shuffle(1, first)
    for k in range(1, 8):
        for half in (0, 1):
            marked = list(new[0])
            marked[half] = group.add(marked[half], BAD[f"small order, multiple {k}"])
            with pytest.raises(
                ProofError, match=f"point {'ab'[half]} of card 1 is no point of the group"
            ):
                elgamal.read_pile(elgamal.write_pile([Pair(*marked), *new[1:]]), 4)


@pytest.mark.parametrize("kind", [kind for kind in BAD_SCALARS if kind != "31 bytes"])
def test_bad_scalars_in_a_proof(seats: Seats, first: list[Pair], kind: str) -> None:
    new, proof = seats.shuffle(1, first)
    for place in range(8, 22):
        bad = proof[: 32 * place] + BAD_SCALARS[kind] + proof[32 * place + 32 :]
        with pytest.raises(
            ProofError, match=rf"number {place - 7} of the proof is (zero|not written)"
        ):
            shuffle_proof.verify(seats.step(1, first), new, bad)


def test_another_spelling_of_a_scalar_is_refused(seats: Seats, first: list[Pair]) -> None:
    """s and s + q are the same number: only one of them may be written."""
    new, proof = seats.shuffle(1, first)
    s = int.from_bytes(proof[-32:], "little") + group.ORDER
    with pytest.raises(
        ProofError, match="number 14 of the proof is not written in its one spelling"
    ):
        shuffle_proof.verify(seats.step(1, first), new, proof[:-32] + s.to_bytes(32, "little"))


def test_a_pile_of_the_wrong_length() -> None:
    with pytest.raises(ProofError, match="a pile of 2 cards has 128 bytes, not 64"):
        elgamal.read_pile(bytes(64), 2)
