"""The group: against a second implementation, and what it refuses."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.crypto import group
from pbem.crypto.elgamal import context
from pbem.crypto.group import IDENTITY, ORDER, ProofError
from pbem.crypto.randomness import DerivedRandom
from tests.support import slow_ed25519 as slow
from tests.support.bad_points import BAD, BAD_SCALARS, SHORT, torsion
from tests.support.effort import examples

scalars = st.one_of(
    st.sampled_from([0, 1, 2, 8, ORDER - 1, ORDER, ORDER + 1, -1]), st.integers(0, 2**256)
)


@examples(25)
@given(scalars, scalars)
def test_arithmetic_agrees_with_the_slow_group(left: int, right: int) -> None:
    p, q = group.base(left), group.mul(right, group.BASE)
    assert p == slow.base(left)
    assert q == slow.base(right)
    assert group.add(p, q) == slow.add(p, q) == group.base(left + right)
    assert group.sub(p, q) == slow.sub(p, q) == group.base(left - right)
    assert group.mul(right, p) == slow.mul(right, p) == group.mul(left, q)


def test_the_identity_is_met_honestly() -> None:
    point = group.base(7)
    assert (
        group.base(0)
        == group.mul(0, point)
        == group.mul(ORDER, point)
        == group.sub(point, point)
        == IDENTITY
    )
    assert group.mul(5, IDENTITY) == group.total([]) == IDENTITY
    assert (
        group.add(IDENTITY, point)
        == group.add(point, IDENTITY)
        == group.total([IDENTITY, point])
        == point
    )
    assert group.combine([3, -3, 2], [point, point, group.BASE]) == group.base(2)


def test_combine_is_the_sum_of_the_multiples() -> None:
    points = [group.base(k) for k in (5, 6, 5, 1)]
    assert group.combine([1, 2, 3, 4], points) == group.base(5 + 12 + 15 + 4)
    with pytest.raises(ValueError, match="zip"):
        group.combine([1], points)


def test_good_points_are_taken() -> None:
    assert group.is_point(group.BASE)
    assert group.read_point(group.Hp(b"x"), "it") == slow.Hp(b"x")
    assert len(set(torsion())) == 8


@pytest.mark.parametrize("kind", [*BAD, *SHORT])
def test_bad_points_are_refused(kind: str) -> None:
    data = {**BAD, **SHORT}[kind]
    assert not group.is_point(data)
    assert not slow.is_point(data)
    with pytest.raises(
        ProofError, match=r"the key (is no point of the group|has .* bytes instead of 32)"
    ):
        group.read_point(data, "the key")


@pytest.mark.parametrize("kind", [kind for kind, data in BAD.items() if data != IDENTITY])
def test_bad_points_are_not_multiplied(kind: str) -> None:
    with pytest.raises(ProofError, match="no point of the group"):
        group.mul(3, BAD[kind])


def test_points_off_the_curve_are_not_added() -> None:
    for act in (group.add, group.sub):
        for pair in ((BAD["off the curve"], group.BASE), (group.BASE, BAD["off the curve"])):
            with pytest.raises(ProofError, match="not on the curve"):
                act(*pair)


@pytest.mark.parametrize("kind", BAD_SCALARS)
def test_bad_scalars_are_refused(kind: str) -> None:
    with pytest.raises(
        ProofError, match=r"s (is zero|is not written in its one spelling|has 31 bytes)"
    ):
        group.read_scalar(BAD_SCALARS[kind], "s")


def test_scalars_have_one_spelling() -> None:
    for value in (1, 255, ORDER - 1):
        assert group.read_scalar(group.scalar_bytes(value), "s") == value
    assert group.scalar_bytes(ORDER + 1) == group.scalar_bytes(1)


@given(st.lists(st.binary(max_size=9), max_size=4), st.lists(st.binary(max_size=9), max_size=4))
def test_no_two_lists_of_parts_hash_alike(left: list[bytes], right: list[bytes]) -> None:
    assert (group.digest(*left) == group.digest(*right)) == (left == right)
    assert group.Hs(*left) == slow.Hs(*left)


def test_derived_numbers_repeat_and_differ() -> None:
    derived = DerivedRandom(bytes(32), b"game")
    assert derived.scalars(b"w", 3) == DerivedRandom(bytes(32), b"game").scalars(b"w", 3)
    everything = [
        derived.block(b"w"),
        derived.block(b"w", 1),
        derived.block(b"v"),
        derived.bind(b"w").block(b"w"),
        derived.bind(b"a", b"b").block(b"w"),
        derived.bind(b"ab").block(b"w"),
        DerivedRandom(bytes(32), b"other").block(b"w"),
        DerivedRandom(b"\x01" * 32, b"game").block(b"w"),
    ]
    assert len(set(everything)) == len(everything)
    assert "secret" in repr(derived)
    with pytest.raises(ValueError, match="32 bytes"):
        DerivedRandom(b"short", b"game")


def test_contexts_differ_in_every_part() -> None:
    parts = (b"pbem/1", b"game", b"digest", b"first", b"shuffle")
    made = {context(*parts)}
    for i in range(5):
        changed = list(parts)
        changed[i] += b"x"
        made.add(context(*changed))
    made.add(context(b"pbem/1", b"gamed", b"igest", b"first", b"shuffle"))
    assert len(made) == 7
