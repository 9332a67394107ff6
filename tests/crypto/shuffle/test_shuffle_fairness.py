"""Each card equally likely in each position, over many small decks, and how much unfairness these
tests would see.

The statistic is Pearson's over the table of cards and positions. Rows and columns of that table are
fixed (every deck has each card once), so with n cards it is (n - 1)/n of the usual sum and has (n -
1)² degrees of freedom. Fair shuffles exceed the limits below once in a thousand times; the secrets
are fixed, so the tests never fail by chance.

Power is measured, not claimed: the same test on shuffles that are unfair on purpose.
"""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Callable, Sequence

from pbem.crypto import elgamal
from pbem.crypto.group import mul
from pbem.crypto.randomness import DerivedRandom
from tests.support.shuffle_table import Seats

LIMIT = {4: 18.467, 23: 49.728, 25: 52.620}
"""The 99.9 % quantiles of chi-squared, by degrees of freedom."""

Orders = Sequence[Sequence[int]]


def by_position(orders: Orders) -> float:
    """The statistic of cards by position."""
    n, expected = len(orders[0]), len(orders) / len(orders[0])
    seen = Counter[tuple[int, int]]()
    for order, times in Counter(map(tuple, orders)).items():
        for cell in enumerate(order):
            seen[cell] += times
    cells = itertools.product(range(n), repeat=2)
    return (
        (n - 1) / n * sum((seen[place, card] - expected) ** 2 / expected for place, card in cells)
    )


def by_order(orders: Orders) -> float:
    """The statistic of whole orders: sees more than positions."""
    all_orders: list[tuple[int, ...]] = list(itertools.permutations(range(len(orders[0]))))
    expected = len(orders) / len(all_orders)
    seen = Counter(map(tuple, orders))
    return sum((seen[order] - expected) ** 2 / expected for order in all_orders)


def fair(size: int, count: int, secret: int) -> Orders:
    derived = DerivedRandom(bytes([secret]) * 32, b"fairness")
    return [derived.bind(deck.to_bytes(4, "big")).permutation(size) for deck in range(count)]


def test_each_card_is_equally_likely_in_each_position() -> None:
    for secret in (1, 2):
        assert by_position(fair(6, 6000, secret)) < LIMIT[25]


def test_each_order_is_equally_likely() -> None:
    for secret in (3, 4):
        assert by_order(fair(4, 6000, secret)) < LIMIT[23]


def test_through_encryption_and_two_shuffles() -> None:
    """The whole way: pile, two seats shuffle, all shares, cards read; 400 decks of three cards."""
    seats = Seats(2, ["merchant 2", "blue 1", "admiral"])
    cards = {elgamal.card_point(name): i for i, name in enumerate(seats.names)}
    x = sum(seats.secrets)
    orders = []
    for deck in range(400):
        pile = list(seats.pile)
        for seat, derived in enumerate(seats.derived):
            bound, joint = derived.bind(deck.to_bytes(4, "big")), seats.joint(seat + 1)
            pile = elgamal.add_layer(
                seats.secrets[seat], joint, pile, bound.permutation(3), bound.scalars(b"rho", 3)
            )
        orders.append([cards[elgamal.card_in(pair, [mul(x, pair.a)])] for pair in pile])
    assert by_position(orders) < LIMIT[4]


def power(
    make: Callable[[random.Random], Orders], statistic: Callable[[Orders], float], limit: float
) -> float:
    """How often the test notices, out of 20 times."""
    return sum(statistic(make(random.Random(seed))) > limit for seed in range(20)) / 20


def unfair(size: int, count: int, share: float) -> Callable[[random.Random], Orders]:
    """A shuffle that leaves this share of the decks as they were."""

    def make(chance: random.Random) -> Orders:
        same, *others = itertools.permutations(range(size))
        fairly = chance.choices([same, *others], k=count)
        return [same if chance.random() < share else order for order in fairly]

    return make


def naive(size: int, count: int) -> Callable[[random.Random], Orders]:
    """The classical mistake: every place swapped with any place."""

    def one(chance: random.Random) -> list[int]:
        order = list(range(size))
        for i in range(size):
            j = chance.randrange(size)
            order[i], order[j] = order[j], order[i]
        return order

    return lambda chance: [one(chance) for _ in range(count)]


def rotation(size: int, count: int) -> Callable[[random.Random], Orders]:
    """Only cut, never shuffled: perfect by positions, seen by orders."""
    return lambda chance: [
        [(k + i) % size for i in range(size)] for k in chance.choices(range(size), k=count)
    ]


def test_power() -> None:
    """What would be noticed 19 times in 20: with 6 cards and 6000 decks, three decks in a hundred
    left as they were (a card is then in its own place with probability 0.192 instead of 0.167);
    with 400 decks of three cards, one in five; the naive shuffle and the mere cut, always. Nothing
    is noticed where nothing is wrong."""
    assert power(unfair(6, 6000, 0.03), by_position, LIMIT[25]) >= 0.95
    assert power(unfair(4, 6000, 0.04), by_order, LIMIT[23]) >= 0.95
    assert power(unfair(3, 400, 0.2), by_position, LIMIT[4]) >= 0.95
    assert power(naive(6, 6000), by_position, LIMIT[25]) == 1
    assert power(rotation(4, 600), by_order, LIMIT[23]) == 1
    # 9 degrees of freedom: why orders are tested too
    assert power(rotation(4, 600), by_position, 27.877) <= 0.1
    assert power(unfair(6, 6000, 0), by_position, LIMIT[25]) == 0
