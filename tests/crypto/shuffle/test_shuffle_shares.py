"""Decryption shares and boxes for the partner."""

from __future__ import annotations

import pytest
from nacl.public import PrivateKey, SealedBox

from pbem.crypto import decryption_shares, group, sealed_box
from pbem.crypto.decryption_shares import Shares, check_shares
from pbem.crypto.elgamal import Pair
from pbem.crypto.group import ProofError
from tests.support.bad_points import BAD, BAD_SCALARS
from tests.support.shuffle_table import Seats

REFUSED = "the proof of shares does not hold for this seat, these positions and this entry"


@pytest.fixture(scope="module")
def seats() -> Seats:
    return Seats(3)


@pytest.fixture(scope="module")
def pile(seats: Seats) -> list[Pair]:
    return seats.joined()


def check(
    seats: Seats, pile: list[Pair], positions: list[int], given: Shares, seat: int = 0
) -> None:
    check_shares(seats.ctx(seat, "shares"), seats.keys[seat], pile, positions, given)


@pytest.mark.parametrize("positions", [[0], [3, 1], [0, 1, 2, 3]])
def test_shares_pass_and_read(seats: Seats, pile: list[Pair], positions: list[int]) -> None:
    all_shares = [seats.shares(seat, pile, positions) for seat in range(3)]
    for seat, given in enumerate(all_shares):
        check(seats, pile, positions, given, seat)
        assert given == seats.shares(seat, pile, positions)
    for i, position in enumerate(positions):
        card = decryption_shares.read_card(
            pile[position], [given.points[i] for given in all_shares], seats.table
        )
        assert sorted(set(seats.names))[card] == seats.read(pile, position)


def test_a_wrong_share(seats: Seats, pile: list[Pair]) -> None:
    right = seats.shares(0, pile, [0, 2])
    other = seats.shares(1, pile, [0, 2])
    for points in (
        (right.points[1], right.points[0]),
        (other.points[0], right.points[1]),
        (right.points[0], group.add(right.points[1], group.BASE)),
        # Wrong in two places so that the plain sum stays right: the factors k are there for this.
        (group.add(right.points[0], group.BASE), group.sub(right.points[1], group.BASE)),
    ):
        with pytest.raises(ProofError, match=REFUSED):
            check(seats, pile, [0, 2], Shares(points, right.proof))
    with pytest.raises(ProofError, match="1 shares for 2 positions"):
        check(seats, pile, [0, 2], Shares(right.points[:1], right.proof))


def test_a_lie_made_with_full_effort(seats: Seats, pile: list[Pair]) -> None:
    """Shares under another secret, the proof made for the true key."""
    lie = decryption_shares.make_shares(
        seats.ctx(0, "shares"), 12345, pile, [0, 2], seats.derived[0]
    )
    with pytest.raises(ProofError, match=REFUSED):
        check(seats, pile, [0, 2], lie)


def test_a_share_replayed(seats: Seats, pile: list[Pair]) -> None:
    given = seats.shares(0, pile, [0, 2])
    check(seats, pile, [0, 2], given)
    for ctx, key, cards, positions in (
        (seats.ctx(0, "shares", before="later"), seats.keys[0], pile, [0, 2]),
        (seats.ctx(0, "shares", game="other"), seats.keys[0], pile, [0, 2]),
        (seats.ctx(0, "opening"), seats.keys[0], pile, [0, 2]),
        (seats.ctx(1, "shares"), seats.keys[1], pile, [0, 2]),
        (seats.ctx(1, "shares"), seats.keys[0], pile, [0, 2]),
        (seats.ctx(0, "shares"), seats.keys[0], pile, [0, 3]),
        (seats.ctx(0, "shares"), seats.keys[0], pile, [2, 0]),
        (seats.ctx(0, "shares"), seats.keys[0], pile[::-1], [0, 2]),
    ):
        with pytest.raises(ProofError, match=REFUSED):
            check_shares(ctx, key, cards, positions, given)


def test_no_such_positions(seats: Seats, pile: list[Pair]) -> None:
    given = seats.shares(0, pile, [0, 2])
    for positions, why in (
        ([], "no position"),
        ([1, 1], "asked for twice"),
        ([0, 4], "no such"),
        ([-1, 0], "no such"),
    ):
        with pytest.raises(ProofError, match=why):
            check(seats, pile, positions, given)
        with pytest.raises(ProofError, match=why):
            seats.shares(0, pile, positions)


def test_every_byte_of_shares_counts(seats: Seats, pile: list[Pair]) -> None:
    given = seats.shares(0, pile, [0, 2])
    data = b"".join(given.points) + given.proof
    for i in range(len(data)):
        flipped = data[:i] + bytes([data[i] ^ (1 << i % 8)]) + data[i + 1 :]
        with pytest.raises(ProofError):
            check(seats, pile, [0, 2], Shares((flipped[:32], flipped[32:64]), flipped[64:]))
    with pytest.raises(ProofError, match="has 63 bytes instead of 64"):
        check(seats, pile, [0, 2], Shares(given.points, given.proof[:-1]))


@pytest.mark.parametrize("kind", BAD)
def test_bad_points_as_shares(seats: Seats, pile: list[Pair], kind: str) -> None:
    given = seats.shares(0, pile, [0, 2])
    with pytest.raises(ProofError, match="the share for position 3 is no point of the group"):
        check(seats, pile, [0, 2], Shares((given.points[0], BAD[kind]), given.proof))


@pytest.mark.parametrize("kind", [kind for kind in BAD_SCALARS if kind != "31 bytes"])
def test_bad_scalars_in_shares(seats: Seats, pile: list[Pair], kind: str) -> None:
    given = seats.shares(0, pile, [0, 2])
    for proof in (BAD_SCALARS[kind] + given.proof[32:], given.proof[:32] + BAD_SCALARS[kind]):
        with pytest.raises(ProofError, match=r"of the proof of shares is (zero|not written)"):
            check(seats, pile, [0, 2], Shares(given.points, proof))


def test_a_share_plus_a_point_of_small_order_is_refused(seats: Seats, pile: list[Pair]) -> None:
    """Without the subgroup check a proof with k divisible by 8 would let this pass."""
    given = seats.shares(0, pile, [0])
    for k in range(1, 8):
        moved = group.add(given.points[0], BAD[f"small order, multiple {k}"])
        with pytest.raises(ProofError, match="no point of the group"):
            check(seats, pile, [0], Shares((moved,), given.proof))


def test_without_one_share_nothing_is_read(seats: Seats, pile: list[Pair]) -> None:
    points = [seats.shares(seat, pile, [0]).points[0] for seat in range(3)]
    for missing in range(3):
        with pytest.raises(ProofError, match="open no card of the deck"):
            decryption_shares.read_card(
                pile[0], points[:missing] + points[missing + 1 :], seats.table
            )
    with pytest.raises(ProofError, match="open no card of the deck"):
        decryption_shares.read_card(pile[1], points, seats.table)


# The box for the partner


def box(seats: Seats, pile: list[Pair], public: bytes) -> bytes:
    given = seats.shares(0, pile, [0, 2], "box")
    return sealed_box.seal_box(
        seats.ctx(0, "box"), public, [(0, 1), (2, None)], given, seats.derived[0]
    )


def test_a_box_opens_for_the_partner(seats: Seats, pile: list[Pair]) -> None:
    secret, public = sealed_box.box_keys(seats.derived[1])
    sealed_box.check_box_key(public)
    sealed = box(seats, pile, public)
    assert sealed == box(seats, pile, public)
    assert len(sealed) == sealed_box.box_size(2)
    shown = sealed_box.open_box(seats.ctx(0, "box"), secret, seats.keys[0], pile, [0, 2], sealed)
    assert [(card.position, card.card) for card in shown] == [(0, 1), (2, None)]
    assert tuple(card.share for card in shown) == seats.shares(0, pile, [0, 2]).points


def test_the_box_is_libsodiums(seats: Seats, pile: list[Pair]) -> None:
    secret, public = sealed_box.box_keys(seats.derived[1])
    content = SealedBox(PrivateKey(secret)).decrypt(box(seats, pile, public))
    shown = sealed_box.open_box(
        seats.ctx(0, "box"),
        secret,
        seats.keys[0],
        pile,
        [0, 2],
        SealedBox(PrivateKey(secret).public_key).encrypt(content),
    )
    assert shown[0].card == 1


def test_a_box_opens_for_nobody_else(seats: Seats, pile: list[Pair]) -> None:
    _, public = sealed_box.box_keys(seats.derived[1])
    other, _ = sealed_box.box_keys(seats.derived[2])
    sealed = box(seats, pile, public)
    with pytest.raises(ProofError, match="cannot be opened"):
        sealed_box.open_box(seats.ctx(0, "box"), other, seats.keys[0], pile, [0, 2], sealed)
    for given in seats.shares(0, pile, [0, 2]).points:
        assert given not in sealed


def test_every_byte_of_a_box_counts(seats: Seats, pile: list[Pair]) -> None:
    secret, public = sealed_box.box_keys(seats.derived[1])
    sealed = box(seats, pile, public)
    for i in range(len(sealed)):
        flipped = sealed[:i] + bytes([sealed[i] ^ (1 << i % 8)]) + sealed[i + 1 :]
        with pytest.raises(ProofError, match="cannot be opened"):
            sealed_box.open_box(seats.ctx(0, "box"), secret, seats.keys[0], pile, [0, 2], flipped)
    with pytest.raises(ProofError, match="a box for 2 cards has 184 bytes, not 183"):
        sealed_box.open_box(seats.ctx(0, "box"), secret, seats.keys[0], pile, [0, 2], sealed[:-1])


def test_a_box_with_something_else_in_it(seats: Seats, pile: list[Pair]) -> None:
    secret, public = sealed_box.box_keys(seats.derived[1])
    sealed = box(seats, pile, public)
    with pytest.raises(ProofError, match="other positions than those drawn"):
        sealed_box.open_box(seats.ctx(0, "box"), secret, seats.keys[0], pile, [0, 3], sealed)
    for ctx, key in (
        (seats.ctx(0, "box", before="later"), seats.keys[0]),
        (seats.ctx(0, "box"), seats.keys[2]),
    ):
        with pytest.raises(ProofError, match=REFUSED):
            sealed_box.open_box(ctx, secret, key, pile, [0, 2], sealed)


@pytest.mark.parametrize(
    ("key", "why"),
    [
        (bytes(32), "small order"),
        (b"\x01" + bytes(31), "small order"),
        ((2**255 - 19).to_bytes(32, "little"), "one spelling"),
        (b"\xff" * 32, "one spelling"),
        (bytes(31), "31 bytes"),
    ],
)
def test_bad_keys_for_boxes(key: bytes, why: str) -> None:
    with pytest.raises(ProofError, match=why):
        sealed_box.check_box_key(key)
