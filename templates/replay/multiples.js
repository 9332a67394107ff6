// Sums of multiples of points of edwards25519, with the field of field.js. The points are noble's, which decodes and
// encodes them. Everything here is public, so nothing need take the same time for every scalar.
"use strict";
(function (pbem) {
  const { P, element, fromNumber, toNumber, multiply, square, add, subtract } = pbem.field;
  const Point = pbem.noble.ed25519.Point;
  const D2 = fromNumber(element(), (2n * Point.CURVE().d) % P);
  const WIDTH = 5, WIDTH_OF_BASE = 8;

  // The sum so far, in extended coordinates (x = X/Z, y = Y/Z, xy = T/Z), and what is between.
  const X = element(), Y = element(), Z = element(), T = element();
  const A = element(), B = element(), C = element(), D = element();
  const E = element(), F = element(), G = element(), H = element();

  /** Twice the sum (Hisil, Wong, Carter, Dawson 2008, section 3.3); T only where it is needed next. */
  function double(needsT) {
    square(A, X);
    square(B, Y);
    square(C, Z);
    add(H, X, Y);
    square(E, H);
    for (let k = 0; k < 12; k++) {
      const a = A[k], b = B[k];
      E[k] -= a + b;
      G[k] = b - a;
      F[k] = b - a - 2 * C[k];
      H[k] = -a - b;
    }
    multiply(X, E, F);
    multiply(Y, G, H);
    multiply(Z, F, G);
    if (needsT) multiply(T, E, H);
  }

  /** The sum with a point of a table, or its negative: for every two points (ibid., section 3.1, with k = 2d). */
  function addPoint(point, isNegative) {
    subtract(E, Y, X);
    add(H, Y, X);
    multiply(A, E, isNegative ? point.plus : point.minus);
    multiply(B, H, isNegative ? point.minus : point.plus);
    multiply(C, T, point.t);
    multiply(D, Z, point.z);
    subtract(E, B, A);
    add(H, B, A);
    if (isNegative) {
      add(F, D, C);
      subtract(G, D, C);
    } else {
      subtract(F, D, C);
      add(G, D, C);
    }
    multiply(X, E, F);
    multiply(Y, G, H);
    multiply(Z, F, G);
    multiply(T, E, H);
  }

  function start(x, y, z, t) {
    fromNumber(X, x);
    fromNumber(Y, y);
    fromNumber(Z, z);
    fromNumber(T, t);
  }

  const entry = () => ({ plus: element(), minus: element(), z: element(), t: element() });
  const tableFor = (width) => Array.from({ length: 1 << (width - 2) }, entry);

  /** The sum so far as it is added to others: Y + X, Y - X, 2Z and 2dT. */
  function note(into) {
    add(into.plus, Y, X);
    subtract(into.minus, Y, X);
    add(into.z, Z, Z);
    multiply(into.t, T, D2);
  }

  const twice = entry();

  /** Fill a table with a point and its next odd multiples. */
  function fill(table, point) {
    start(point.X, point.Y, point.Z, point.T);
    double(true);
    note(twice);
    start(point.X, point.Y, point.Z, point.T);
    note(table[0]);
    for (let place = 1; place < table.length; place++) {
      addPoint(twice, false);
      note(table[place]);
    }
    return table;
  }

  const tableOfBase = fill(tableFor(WIDTH_OF_BASE), Point.BASE);
  const spare = [];

  /** A number as digits that are 0 or odd, the least significant first; of `width` in a row one at most is not 0. */
  function digitsOf(scalar, width) {
    const bits = scalar.toString(2), digits = new Int16Array(bits.length + 1);
    for (let place = 0; place < bits.length; place++) digits[place] = bits.charCodeAt(bits.length - 1 - place) - 48;
    for (let place = 0; place < digits.length; place++) {
      if (!digits[place]) continue;
      let value = 0;
      for (let bit = 0; bit < width && place + bit < digits.length; bit++) {
        value += digits[place + bit] << bit;
        digits[place + bit] = 0;
      }
      if (value > 1 << (width - 1)) {
        value -= 1 << width;
        let next = place + width;
        while (digits[next]) digits[next++] = 0;
        digits[next] = 1;
      }
      digits[place] = value;
    }
    return digits;
  }

  /** The sum of the multiples scalars[i] points[i], of any points and any scalars that are not negative: the doublings
   * are made once for all (Straus 1964). */
  function sumOfMultiples(scalars, points) {
    const isBase = points.map((point) => point === Point.BASE);
    const digits = scalars.map((scalar, i) => digitsOf(scalar, isBase[i] ? WIDTH_OF_BASE : WIDTH));
    const tables = points.map((point, i) => (isBase[i] ? tableOfBase : fill((spare[i] ??= tableFor(WIDTH)), point)));
    const places = Math.max(0, ...digits.map((one) => one.length));
    start(0n, 1n, 1n, 0n);
    for (let place = places - 1; place >= 0; place--) {
      const added = tables.map((_, i) => i).filter((i) => digits[i][place]);
      double(place === 0 || added.length > 0);
      for (const i of added) addPoint(tables[i][Math.abs(digits[i][place]) >> 1], digits[i][place] < 0);
    }
    return new Point(toNumber(X), toNumber(Y), toNumber(Z), toNumber(T));
  }

  Object.assign(pbem, { sumOfMultiples });
})((globalThis.pbem ??= {}));
