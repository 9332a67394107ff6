"""The arithmetic of the second verifier (templates/replay/field.js, multiples.js) against Python's and noble's own."""

from __future__ import annotations

import json
import random
import subprocess
from typing import Any

import pytest

from tests.support.second_verifier import NODE, VERIFIER, needs_node

P = 2**255 - 19
UNIT = 2**22 + 2**10
"""The largest limb of a product; a factor may be the sum or difference of four products."""

ALL = """
const { field, sumOfMultiples, readPoint, noble, L } = globalThis.pbem;
const Point = noble.ed25519.Point;
const given = JSON.parse(require("node:fs").readFileSync(0, "utf-8"));
"""
FIELD = """
const o = field.element();
const of = (run, ...factors) => {
  run(o, ...factors.map((limbs) => Float64Array.from(limbs)));
  return [Array.from(o), String(field.toNumber(o))];
};
console.log(JSON.stringify(given.map(([a, b]) => [of(field.multiply, a, b), of(field.square, a)])));
"""


def in_node(script: str, given: object) -> Any:
    """What a script prints that has the verifier's parts at hand."""
    code = f"require({json.dumps(str(VERIFIER))});{ALL}{script}"
    run = subprocess.run([str(NODE), "-e", code], input=json.dumps(given).encode(), capture_output=True, check=False)
    assert run.returncode == 0, run.stderr.decode()
    return json.loads(run.stdout)


def value(limbs: list[int]) -> int:
    return sum(limb << (22 * place) for place, limb in enumerate(limbs)) % P


@needs_node
def test_products_are_exact_as_far_as_their_factors_may_go() -> None:
    rng = random.Random("field")
    most = 4 * UNIT
    cases = [[[sign * most] * 12, [other * most] * 12] for sign in (1, -1) for other in (1, -1)]
    cases += [[[most, -most] * 6, [-most, most] * 6], [[0] * 12, [most] * 12], [[0] * 11 + [most], [0] * 11 + [-most]]]
    cases += [[[rng.choice((most, -most, 0, 1, -1)) for _ in range(12)] for _ in range(2)] for _ in range(500)]
    cases += [[[rng.randint(-most, most) for _ in range(12)] for _ in range(2)] for _ in range(1500)]
    for (a, b), (product, square) in zip(cases, in_node(FIELD, cases), strict=True):
        for (limbs, number), wanted in ((product, value(a) * value(b)), (square, value(a) ** 2)):
            assert int(number) == value(limbs) == wanted % P
            assert min(limbs) >= -(2**10) and max(limbs) <= UNIT


SUMS = """
const small = [Point.fromHex(given.torsion)];
while (small.length < 8) small.push(small.at(-1).add(small[0]));
const kinds = (n) => [Point.BASE, Point.BASE.multiplyUnsafe(BigInt(n + 2)), Point.ZERO, small[n % 8],
  Point.BASE.multiplyUnsafe(BigInt(n + 3)).add(small[(n * 5) % 8])];
const wrong = [];
given.sums.forEach((scalars, n) => {
  const some = scalars.map(BigInt), points = some.map((_, i) => kinds(n)[(n + i * (1 + (n % 4))) % 5]);
  if (n % 3 === 0) points[points.length - 1] = points[0].negate();
  const wanted = points.reduce((total, point, i) => {
    let sum = Point.ZERO, twice = point;
    for (let left = some[i]; left; left >>= 1n, twice = twice.double()) if (left & 1n) sum = sum.add(twice);
    return total.add(sum);
  }, Point.ZERO);
  const made = sumOfMultiples(some, points);
  if (!made.equals(wanted) || made.toHex() !== wanted.toHex()) wrong.push(n);
  if (!made.is0()) made.assertValidity();
});
console.log(JSON.stringify([wrong, new Set(small.map((one) => one.toHex())).size]));
"""
TORSION = "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a"
"""A point of order 8."""
ORDER = 2**252 + 27742317777372353535851937790883648493


@needs_node
def test_sums_of_multiples_are_those_of_noble() -> None:
    rng = random.Random("sums")
    edges = [0, 1, 2, 7, 8, 15, 16, 17, 31, 2**252, ORDER - 1, ORDER, ORDER + 1, 8 * ORDER - 1, 2**255 - 1, 2**256 - 1]
    sums = [[edge] for edge in edges] + [rng.choices(edges, k=2) for _ in range(30)]
    sums += [[rng.randrange(ORDER) for _ in range(count)] for count in (1, 2, 3, 5, 14) for _ in range(6)]
    given = {"torsion": TORSION, "sums": [[str(one) for one in scalars] for scalars in sums]}
    assert in_node(SUMS, given) == [[], 8]


GROUP = """
const small = [Point.fromHex(given.torsion)];
while (small.length < 8) small.push(small.at(-1).add(small[0]));
const found = [];
for (let n = 0; n < given.points; n++)
  for (const one of small) {
    const point = n ? Point.BASE.multiplyUnsafe(BigInt(n) ** 40n % L).add(one) : one;
    found.push([readPoint(point.toBytes()) !== null, point.isTorsionFree() && !point.is0()]);
  }
console.log(JSON.stringify(found));
"""


@needs_node
def test_only_points_of_prime_order_are_read() -> None:
    found = in_node(GROUP, {"torsion": TORSION, "points": 12})
    assert [mine for mine, _ in found] == [theirs for _, theirs in found]
    assert [mine for mine, _ in found] == [False] * 8 + ([False] * 7 + [True]) * 11


@needs_node
@pytest.mark.slow
def test_many_sums_of_multiples_are_those_of_noble() -> None:
    rng = random.Random("many sums")
    sums = [[str(rng.randrange(2 ** rng.randint(1, 256))) for _ in range(rng.randint(1, 40))] for _ in range(1000)]
    assert in_node(SUMS, {"torsion": TORSION, "sums": sums}) == [[], 8]
