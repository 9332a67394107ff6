"""Sums of multiples in the second verifier, against the multiples that noble itself makes."""

from __future__ import annotations

import json
import subprocess
from typing import Any

from tests.support.bad_points import BAD, SHORT
from tests.support.second_verifier import NODE, VERIFIER, needs_node

PARTS = f"""
globalThis.pbem = {{ noble: require({json.dumps(str(VERIFIER.with_name("noble.js")))}) }};
for (const part of ["bytes", "multiples", "curve"]) require({json.dumps(str(VERIFIER.parent))} + `/${{part}}.js`);
const {{ Point, L, mod, combine, Sum, addMultiples, readPoint, littleEndian, sha512, times, withTable }} = pbem;
const random = (...parts) => mod(littleEndian(sha512(parts)));
const each = (scalars, points) =>
  scalars.reduce((total, one, i) => total.add(points[i].multiplyUnsafe(one)), Point.ZERO);
const EDGES = [0n, 1n, 2n, 3n, 15n, 16n, 17n, 31n, 32n, 33n, 2n ** 252n - 1n, 2n ** 252n, L - 2n, L - 1n];
const POINTS = Array.from({{ length: 10 }}, (_, i) => Point.BASE.multiplyUnsafe(random(1, i)));
"""  # noqa: E501


def in_node(script: str, given: str = "") -> Any:
    """What a script prints that begins with the parts of the verifier, with this on its standard
    input."""
    assert NODE is not None
    run = subprocess.run(
        [NODE, "-e", PARTS + script], input=given.encode(), capture_output=True, check=False
    )
    assert run.returncode == 0, run.stderr.decode()
    return json.loads(run.stdout)


@needs_node
def test_sums_of_multiples_are_those_that_noble_makes_one_by_one() -> None:
    """Of no point, one and several; of the neutral point and the base; with scalars below zero and
    above L."""
    right = in_node("""
      const right = [];
      for (const size of [0, 1, 2, 5, 10]) {
        const points = POINTS.slice(0, size), scalars = points.map((_, i) => random(2, size, i));
        right.push(combine(scalars, points).equals(each(scalars, points)));
        right.push(combine(scalars.map((one) => one - L), points).equals(each(scalars, points)));
      }
      for (const edge of EDGES) {
        const points = [POINTS[0], Point.ZERO, Point.BASE], scalars = [edge, random(3), L - 1n - edge];
        right.push(combine(scalars, points).equals(each(scalars, points)));
        right.push(combine([edge + L], [POINTS[1]]).equals(POINTS[1].multiplyUnsafe(edge)));
        right.push(times(withTable(POINTS[2]), edge).equals(each([edge], [POINTS[2]])));
      }
      console.log(JSON.stringify(right));
    """)  # noqa: E501
    assert right == [True] * (10 + 3 * 14)


@needs_node
def test_multiples_of_a_point_come_into_their_sums() -> None:
    """With one row of doublings: each point into a sum of its own and into one that others
    share."""
    right = in_node("""
      const all = new Sum(), right = [new Sum().total().is0()];
      const firsts = [...EDGES, ...POINTS.map((_, i) => random(4, i))];
      const used = firsts.map((_, i) => POINTS[i % 10]), seconds = firsts.map((_, i) => random(5, i));
      firsts.forEach((first, i) => {
        const own = new Sum();
        addMultiples(used[i], [first, seconds[i]], [own, all]);
        right.push(own.total().equals(used[i].multiplyUnsafe(first)));
      });
      right.push(all.total().equals(each(seconds, used)), !all.total().is0());
      console.log(JSON.stringify(right));
    """)  # noqa: E501
    assert right == [True] * (1 + 14 + 10 + 2)


@needs_node
def test_a_point_is_read_in_its_one_spelling_with_or_without_multiples() -> None:
    """Every kind of bad point is refused, at the first reading and at the second; multiples of good
    ones are right."""
    bad = [point.hex() for point in (*BAD.values(), *SHORT.values())]
    found = in_node(f"""
      const bytes = (text) => Uint8Array.from(Buffer.from(text, "hex"));
      const refused = {json.dumps(bad)}.flatMap((text) =>
        [readPoint(bytes(text), [3n], [new Sum()]), readPoint(bytes(text)), readPoint(bytes(text), [3n], [new Sum()])]);
      const read = POINTS.flatMap((point, i) => [0, 1].map(() => {{
        const own = new Sum(), value = i < 5 ? EDGES[i] : random(6, i);
        const found = readPoint(point.toBytes(), [value], [own]);
        return found.equals(point) && own.total().equals(point.multiplyUnsafe(value));
      }}));
      console.log(JSON.stringify({{ refused, read }}));
    """)  # noqa: E501
    assert found["refused"] == [None] * 3 * len(bad) and len(bad) > 30
    assert found["read"] == [True] * 20
