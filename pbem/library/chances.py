"""How likely fair dice are to show what was counted: exact tails of sums of binomials, chi-square,
Holm's correction.

Plain arithmetic on floats, without an approximation by the normal distribution. Terms are made from
the most likely one outwards by the ratio of neighbours (`binomial`), so that nothing overflows and
every term has the precision of a float.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import reduce
from itertools import accumulate
from math import erfc, exp, fsum, gamma, log, sqrt
from operator import mul

LEAST = 1e-50
"""The smallest p-value that is told; a smaller one is rounded up to it."""

_NOTHING = 1e-60
"""Terms smaller than this, beside the most likely one, are left out: together they are far below
`LEAST`."""

FEWEST_EXPECTED = 5
"""How often each face has to be expected before the chi-square distribution is near enough (Cochran
1954)."""


class Spread:
    """Probabilities of the whole numbers from `first` on; all others have next to none. `up` and
    `down` are those of each number or a smaller one, and of each or a larger one."""

    def __init__(self, first: int, chances: Sequence[float]) -> None:
        self.first, self.chances = first, chances
        self.up = list(accumulate(chances))
        self.down = list(accumulate(reversed(chances)))[::-1]


def binomial(number: int, chance: float) -> Spread:
    """How many of a number of dice hit, each with the same chance."""
    if chance <= 0 or chance >= 1:
        return Spread(number if chance >= 1 else 0, (1.0,))
    middle, odds = min(number, int((number + 1) * chance)), chance / (1 - chance)
    above = _falling(odds * (number - hits) / (hits + 1) for hits in range(middle, number))
    below = _falling(hits / (odds * (number - hits + 1)) for hits in range(middle, 0, -1))
    terms = [*reversed(below), 1.0, *above]
    total = fsum(terms)
    return Spread(middle - len(below), [one / total for one in terms])


def _falling(ratios: Iterator[float]) -> list[float]:
    """The terms beside the most likely one, each by its ratio to the one before."""
    terms, term = [], 1.0
    for ratio in ratios:
        term *= ratio
        if term < _NOTHING:
            break
        terms.append(term)
    return terms


def both(one: Spread, other: Spread) -> Spread:
    """The sum of two independent numbers: their convolution."""
    short, long = sorted((one.chances, other.chances), key=len)
    if len(short) == 1:  # it is certain
        return Spread(one.first + other.first, long)
    flipped, edge = list(reversed(short)), [0.0] * (len(short) - 1)
    padded = [*edge, *long, *edge]
    sums = [
        sum(map(mul, flipped, padded[at : at + len(short)])) for at in range(len(long) + len(edge))
    ]
    least = max(sums) * _NOTHING
    kept = [at for at, chance in enumerate(sums) if chance > least]
    return Spread(one.first + other.first + kept[0], sums[kept[0] : kept[-1] + 1])


class Hits:
    """How many hits fair dice make: the sum of a binomial for each chance to hit. The largest of
    them is never convolved with the rest, as its tails are enough: the work grows with the width of
    the distribution and not with its square."""

    def __init__(self, dice: Mapping[tuple[int, int], int]) -> None:
        """How many dice there were for each (number of faces that hit, sides)."""
        *rest, self._largest = [binomial(number, chance) for chance, number in _by_chance(dice)]
        self._rest = reduce(both, rest, Spread(0, (1.0,)))
        self.expected = fsum(number * hitting / sides for (hitting, sides), number in dice.items())
        self.most = sum(dice.values())

    def exactly(self, number: int) -> float:
        """The probability of this number of hits."""
        return self._sum(0.0, self._largest.chances, 0.0, number)

    def at_most(self, number: int) -> float:
        """The probability of this number or fewer."""
        return self._sum(0.0, self._largest.up, 1.0, number)

    def at_least(self, number: int) -> float:
        """The probability of this number or more."""
        return self._sum(1.0, self._largest.down, 0.0, number)

    def two_sided(self, number: int) -> float:
        """The p-value of a number of hits: twice the smaller of both tails that begin with it, at
        most 1."""
        return max(LEAST, min(1.0, 2 * min(self.at_most(number), self.at_least(number))))

    def within(self, outside: float) -> tuple[int, int]:
        """The smallest and the largest number of hits whose p-value is above `outside`."""
        numbers = range(self.most + 1)
        low = bisect_left(numbers, True, key=lambda number: 2 * self.at_most(number) > outside)
        high = bisect_left(numbers, True, key=lambda number: 2 * self.at_least(number) <= outside)
        return low, high - 1

    def _sum(self, before: float, values: Sequence[float], beyond: float, number: int) -> float:
        """The sum, over all hits of the rest, of their chance and the value for what is left of the
        number to the largest: `before` and `beyond` are the values outside."""
        chances = self._rest.chances
        # in `values`, for the first of the rest; then falling
        place = number - self._rest.first - self._largest.first
        start = min(len(chances), max(0, place - len(values) + 1))
        end = min(len(chances), max(start, place + 1))
        inside = values[place - end + 1 : place - start + 1]
        total: float = sum(map(mul, chances[start:end], reversed(inside)))
        return min(1.0, total + beyond * sum(chances[:start]) + before * sum(chances[end:]))


def _by_chance(dice: Mapping[tuple[int, int], int]) -> list[tuple[float, int]]:
    """The chances to hit with the number of dice that have each; the one with most dice last, and
    at least one."""
    found = {0.0: 0}
    for (hitting, sides), number in dice.items():
        found[hitting / sides] = found.get(hitting / sides, 0) + number
    return sorted(found.items(), key=lambda part: part[1])


def smallest_chance(dice: int, fair: float, level: float, power: float) -> float | None:
    """The smallest chance to hit with which so many dice are found to hit too often in this part of
    all cases (`power`) by the two-sided test against `fair` at this level; None if dice that always
    hit are not."""
    spread = binomial(dice, fair)
    most = next(
        (spread.first + at for at, tail in enumerate(spread.down) if 2 * tail < level), dice + 1
    )
    if most > dice or not 0 < fair < 1:
        return None
    low, high = fair, 1.0
    while high - low > _NEAR:
        middle = (low + high) / 2
        biased = binomial(dice, middle)
        place = max(0, most - biased.first)
        found = biased.down[place] if place < len(biased.down) else 0.0
        low, high = (low, middle) if found >= power else (middle, high)
    return high


_NEAR = 1e-5
"""How exactly a chance is told."""


def chi_square(counts: Sequence[int]) -> float:
    """Pearson's statistic for equally likely faces: the sum of (counted - expected)² / expected."""
    expected = sum(counts) / len(counts)
    return fsum((count - expected) ** 2 for count in counts) / expected


def beyond_chi_square(statistic: float, degrees: int) -> float:
    """The probability of this statistic or a larger one. Closed form for whole degrees of freedom
    (Abramowitz and Stegun, 26.4.4 and 26.4.5)."""
    half = statistic / 2
    if half <= 0:
        return 1.0
    first = 0.5 if degrees % 2 else 0.0
    start = exp(-half + first * log(half)) / gamma(first + 1)
    terms, term = [erfc(sqrt(half)) if degrees % 2 else 0.0], start
    for step in range(degrees // 2):
        terms.append(term)
        term *= half / (first + step + 1)
    return max(LEAST, min(1.0, fsum(terms)))


def holm(values: Iterable[float]) -> list[float]:
    """The p-values corrected for their number, in the same order (Holm 1979): the chance that fair
    dice show any value as small as an alarm is at most its level, however the tests depend on one
    another."""
    given = list(values)
    corrected, so_far = [0.0] * len(given), 0.0
    for rank, at in enumerate(sorted(range(len(given)), key=given.__getitem__)):
        so_far = max(so_far, min(1.0, given[at] * (len(given) - rank)))
        corrected[at] = so_far
    return corrected
