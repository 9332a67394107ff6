"""Distributions against what can be counted one by one in fractions, and against published
tables."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import comb, fsum

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.library.chances import (
    LEAST,
    Hits,
    Spread,
    beyond_chi_square,
    binomial,
    both,
    chi_square,
    holm,
    smallest_chance,
)
from tests.support.effort import examples

DICE = st.dictionaries(
    st.integers(2, 20).flatmap(lambda sides: st.tuples(st.integers(0, sides), st.just(sides))),
    st.integers(0, 12),
    max_size=3,
)


def counted(dice: dict[tuple[int, int], int]) -> list[Fraction]:
    """The chance of each number of hits, one die after the other, in fractions."""
    chances = [Fraction(1)]
    for (hitting, sides), number in dice.items():
        hit = Fraction(hitting, sides)
        for _ in range(number):
            chances = [
                a * (1 - hit) + b * hit for a, b in zip([*chances, 0], [0, *chances], strict=True)
            ]
    return chances


def test_two_dice_are_those_of_the_schoolbook() -> None:
    fair = Hits({(2, 6): 2})
    assert [fair.exactly(hits) for hits in range(3)] == pytest.approx([4 / 9, 4 / 9, 1 / 9])
    assert (fair.at_most(0), fair.at_least(2), fair.two_sided(2)) == pytest.approx(
        (4 / 9, 1 / 9, 2 / 9)
    )
    assert fair.expected == pytest.approx(2 / 3)


@examples(25)
@given(DICE)
def test_every_tail_is_the_one_counted_in_fractions(dice: dict[tuple[int, int], int]) -> None:
    chances, fair = counted(dice), Hits(dice)
    for hits in range(-1, len(chances) + 1):
        fewer, more = sum(chances[: hits + 1]), sum(chances[max(0, hits) :])
        assert fair.at_most(hits) == pytest.approx(float(fewer), rel=1e-9, abs=LEAST)
        assert fair.at_least(hits) == pytest.approx(float(more), rel=1e-9, abs=LEAST)
        if 0 <= hits < len(chances):
            assert fair.exactly(hits) == pytest.approx(float(chances[hits]), rel=1e-9, abs=LEAST)
            both_tails = max(LEAST, min(1.0, 2 * float(min(fewer, more))))
            assert fair.two_sided(hits) == pytest.approx(both_tails, rel=1e-9)


@examples(25)
@given(DICE, st.sampled_from([0.01, 0.2]))
def test_fair_dice_leave_the_range_no_oftener_than_said(
    dice: dict[tuple[int, int], int], outside: float
) -> None:
    fair = Hits(dice)
    low, high = fair.within(outside)
    inside = sum(counted(dice)[low : high + 1])
    assert inside >= 1 - outside - 1e-9
    assert all(
        (fair.two_sided(hits) > outside) == (low <= hits <= high) for hits in range(fair.most + 1)
    )


def test_a_fair_p_value_is_below_a_level_no_oftener_than_the_level() -> None:
    fair, chances = Hits({(1, 6): 40, (2, 6): 25}), counted({(1, 6): 40, (2, 6): 25})
    for level in (0.001, 0.01, 0.05, 0.5):
        below = sum(chance for hits, chance in enumerate(chances) if fair.two_sided(hits) <= level)
        assert 0 < below <= level


def test_a_million_dice_are_no_approximation() -> None:
    """Beside whole numbers of any length, far out, where the normal distribution is wrong by
    half."""
    number, hits = 1_200, 260
    exact = Fraction(
        sum(comb(number, k) * 5 ** (number - k) for k in range(hits, number + 1)), 6**number
    )
    assert Hits({(1, 6): number}).at_least(hits) == pytest.approx(float(exact), rel=1e-10)
    assert Hits({(1, 6): 1_000_000, (2, 6): 1_000_000}).two_sided(500_000) > 0.99


def test_what_is_next_to_impossible_is_told_as_the_least() -> None:
    assert Hits({(1, 6): 1000}).two_sided(1000) == LEAST
    assert Hits({(6, 6): 10}).two_sided(10) == 1.0
    assert Hits({}).two_sided(0) == 1.0


def test_a_convolution_is_the_table_of_sums() -> None:
    die = Spread(1, [1 / 6] * 6)
    sums = [sum(pair) for pair in product(range(1, 7), repeat=2)]
    found = both(die, die)
    assert found.first == 2 and found.chances == pytest.approx(
        [sums.count(total) / 36 for total in range(2, 13)]
    )
    assert (found.up[2], found.down[8]) == pytest.approx((6 / 36, 6 / 36))
    assert binomial(3, 0.0).chances == (1.0,) and binomial(3, 1.0).first == 3


@pytest.mark.parametrize(
    ("degrees", "points"),
    [
        (1, (2.706, 3.841, 6.635, 10.828)),
        (2, (4.605, 5.991, 9.210, 13.816)),
        (3, (6.251, 7.815, 11.345, 16.266)),
        (5, (9.236, 11.070, 15.086, 20.515)),
        (7, (12.017, 14.067, 18.475, 24.322)),
        (9, (14.684, 16.919, 21.666, 27.877)),
        (19, (27.204, 30.144, 36.191, 43.820)),
        (99, (117.407, 123.225, 134.642, 148.230)),
    ],
)
def test_chi_square_is_that_of_the_published_table(degrees: int, points: tuple[float, ...]) -> None:
    """NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.6.7.4, upper critical values."""
    found = [beyond_chi_square(point, degrees) for point in points]
    assert found == pytest.approx([0.10, 0.05, 0.01, 0.001], rel=2e-3)


def test_chi_square_of_nothing_and_of_everything() -> None:
    assert beyond_chi_square(0.0, 5) == 1.0 and beyond_chi_square(1e6, 5) == LEAST
    assert chi_square([10, 10, 10, 10, 10, 10]) == 0.0
    # expected 10 each: 25 + 4 + 1 + 4 + 0 + 100
    assert chi_square([5, 8, 9, 8, 10, 20]) == pytest.approx(13.4)


def test_holm_is_his_own_procedure() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.9, 0.8]) == [1.0, 1.0] and holm([]) == []


@pytest.mark.parametrize(("dice", "fair"), [(200, 1 / 6), (1000, 1 / 3), (60, 0.05)])
def test_the_smallest_chance_that_is_found_is_found_so_often_and_a_smaller_one_less_often(
    dice: int, fair: float
) -> None:
    def power(chance: float) -> float:
        """Summed the long way: the probability of every number of hits that the test against fair
        dice refuses."""
        terms = [
            comb(dice, hits) * chance**hits * (1 - chance) ** (dice - hits)
            for hits in range(dice + 1)
        ]
        fairly = [
            comb(dice, hits) * fair**hits * (1 - fair) ** (dice - hits) for hits in range(dice + 1)
        ]
        return fsum(term for hits, term in enumerate(terms) if 2 * fsum(fairly[hits:]) < 0.01 / 80)

    found = smallest_chance(dice, fair, 0.01 / 80, 0.8)
    assert found is not None and fair < found < 1
    assert power(found) == pytest.approx(0.8, abs=0.001)
    assert power(found - 0.01) < 0.79


def test_where_not_even_dice_that_always_hit_are_found_none_is_told() -> None:
    assert smallest_chance(3, 0.5, 0.01, 0.8) is None
    assert (
        smallest_chance(200, 1.0, 0.01, 0.8) is None
        and smallest_chance(200, 0.0, 0.01, 0.8) is None
    )
