// Sums of multiples of points of edwards25519: which of noble's points are added and doubled, in which order. All that
// is multiplied here is public, so nothing need take the same time for every scalar.
"use strict";
(function (pbem) {
  const Point = pbem.noble.ed25519.Point;
  const L = Point.Fn.ORDER;
  const mod = (value) => ((value % L) + L) % L;
  const WIDTH = 5;

  /**
   * A number as a sum of d 2^place with few odd digits d, |d| < 2^(WIDTH - 1): the pairs [place, d], the smallest
   * place first (the width-w non-adjacent form; Solinas 2000, "Efficient arithmetic on Koblitz curves").
   */
  function signedDigits(value) {
    const text = value.toString(2), digits = [];
    const bit = (place) => (place < text.length ? text.charCodeAt(text.length - 1 - place) & 1 : 0);
    for (let place = 0, carry = 0; place < text.length || carry; ) {
      if (bit(place) === carry) {
        place++;
        continue;
      }
      let digit = carry;
      for (let i = 0; i < WIDTH; i++) digit += bit(place + i) << i;
      carry = digit >> (WIDTH - 1);
      digits.push([place, digit - (carry << WIDTH)]);
      place += WIDTH;
    }
    return digits;
  }

  const signed = (digit, point) => (digit > 0 ? point : point.negate());

  /** P, 3P, 5P, … 15P: the multiple d P stands at d >> 1. */
  function oddMultiples(point) {
    const multiples = [point], twice = point.double();
    while (multiples.length < 2 ** (WIDTH - 2)) multiples.push(multiples.at(-1).add(twice));
    return multiples;
  }

  /** The sum of the multiples scalars[i] points[i], with one row of doublings for all of them (Straus 1964). */
  function combine(scalars, points) {
    const due = [];
    scalars.forEach((scalar, i) => {
      const digits = signedDigits(mod(scalar)), multiples = digits.length ? oddMultiples(points[i]) : [];
      for (const [place, digit] of digits) (due[place] ??= []).push(signed(digit, multiples[Math.abs(digit) >> 1]));
    });
    let total = Point.ZERO;
    for (let place = due.length - 1; place >= 0; place--) {
      total = total.double();
      for (const point of due[place] ?? []) total = total.add(point);
    }
    return total;
  }

  const plus = (left, right) => (left && right ? left.add(right) : left ?? right);

  /** A sum of multiples, made from right to left: points that come in with the same digit are added to each other first. */
  class Sum {
    constructor() {
      this.byDigit = [];
    }
    add(digit, point) {
      const i = Math.abs(digit) >> 1;
      this.byDigit[i] = plus(this.byDigit[i], signed(digit, point));
    }
    /** The sum of (2i + 1) byDigit[i]. */
    total() {
      let half, odd;
      for (let i = this.byDigit.length - 1; i >= 0; i--) {
        half = plus(half, odd);
        odd = plus(odd, this.byDigit[i]);
      }
      return plus(half?.double(), odd) ?? Point.ZERO;
    }
  }

  /**
   * Add scalars[i] point to sums[i], with one row of doublings for all of them (Yao 1976). The scalars are not reduced,
   * so that a point can be multiplied by L; none is negative.
   */
  function addMultiples(point, scalars, sums) {
    const due = [];
    scalars.forEach((scalar, i) => {
      for (const [place, digit] of signedDigits(scalar)) (due[place] ??= []).push([sums[i], digit]);
    });
    for (let place = 0; place < due.length; place++) {
      if (place) point = point.double();
      for (const [sum, digit] of due[place] ?? []) sum.add(digit, point);
    }
  }

  const times = (point, value) => point.multiplyUnsafe(mod(value));
  const base = (value) => times(Point.BASE, value);

  const tabled = new WeakSet([Point.BASE]);

  /** The same point, of which noble keeps a table from now on: for one that is multiplied by many scalars. */
  function withTable(point) {
    if (!tabled.has(point)) point.precompute(4);
    tabled.add(point);
    return point;
  }

  const sum = (points) => points.reduce((total, one) => total.add(one), Point.ZERO);

  Object.assign(pbem, { Point, L, mod, combine, Sum, addMultiples, times, base, withTable, sum });
})((globalThis.pbem ??= {}));
