// Numbers modulo 2^255 - 19, each as twelve floating-point numbers of 22 bits (limbs), the least significant first.
// BigInt takes three times as long. (D. J. Bernstein, Curve25519: new Diffie-Hellman speed records, 2006, section 4:
// sums of products are exact below 2^53.)
"use strict";
(function (pbem) {
  const P = 2n ** 255n - 19n;
  const LIMBS = 12;
  const RADIX = 2 ** 22, SMALL = 2 ** -22, MASK = 2n ** 22n - 1n;
  const FOLD = 19 * 2 ** 9; // 2^(12 * 22) modulo P

  const element = () => new Float64Array(LIMBS);

  /** o = a number from 0 to 2^264 - 1. */
  function fromNumber(o, value) {
    for (let k = 0; k < LIMBS; k++, value >>= 22n) o[k] = Number(value & MASK);
    return o;
  }

  /** The number below P that an element stands for. */
  function toNumber(a) {
    let value = 0n;
    for (let k = LIMBS - 2; k >= 0; k -= 2) value = (value << 44n) + BigInt(a[k] + a[k + 1] * RADIX);
    return ((value % P) + P) % P;
  }

  // The limbs of a product lie between -2^10 and 2^22 + 2^10. A factor may be the sum or difference of four such
  // elements: a column is then below 12 times 16 times 2^44, and so exact.

  const columns = new Float64Array(2 * LIMBS - 1);

  /** o = the number in the columns of a product: all are carried, and the upper ones are folded onto the lower. */
  function settle(o) {
    let
      r0 = columns[0], r1 = columns[1], r2 = columns[2], r3 = columns[3], r4 = columns[4], r5 = columns[5],
      r6 = columns[6], r7 = columns[7], r8 = columns[8], r9 = columns[9], r10 = columns[10], r11 = columns[11],
      r12 = columns[12], r13 = columns[13], r14 = columns[14], r15 = columns[15], r16 = columns[16], r17 = columns[17],
      r18 = columns[18], r19 = columns[19], r20 = columns[20], r21 = columns[21], r22 = columns[22];
    // two carries at a time, which do not wait for each other
    let r23 = 0, c = 0, d = 0;
    c = Math.floor(r11 * SMALL); r11 -= c * RADIX; r12 += c; d = Math.floor(r17 * SMALL); r17 -= d * RADIX; r18 += d;
    c = Math.floor(r12 * SMALL); r12 -= c * RADIX; r13 += c; d = Math.floor(r18 * SMALL); r18 -= d * RADIX; r19 += d;
    c = Math.floor(r13 * SMALL); r13 -= c * RADIX; r14 += c; d = Math.floor(r19 * SMALL); r19 -= d * RADIX; r20 += d;
    c = Math.floor(r14 * SMALL); r14 -= c * RADIX; r15 += c; d = Math.floor(r20 * SMALL); r20 -= d * RADIX; r21 += d;
    c = Math.floor(r15 * SMALL); r15 -= c * RADIX; r16 += c; d = Math.floor(r21 * SMALL); r21 -= d * RADIX; r22 += d;
    c = Math.floor(r16 * SMALL); r16 -= c * RADIX; r17 += c; d = Math.floor(r22 * SMALL); r22 -= d * RADIX; r23 += d;
    r0 += FOLD * r12; r1 += FOLD * r13; r2 += FOLD * r14; r3 += FOLD * r15; r4 += FOLD * r16; r5 += FOLD * r17;
    r6 += FOLD * r18; r7 += FOLD * r19; r8 += FOLD * r20; r9 += FOLD * r21; r10 += FOLD * r22; r11 += FOLD * r23;
    c = Math.floor(r0 * SMALL); r0 -= c * RADIX; r1 += c; d = Math.floor(r6 * SMALL); r6 -= d * RADIX; r7 += d;
    c = Math.floor(r1 * SMALL); r1 -= c * RADIX; r2 += c; d = Math.floor(r7 * SMALL); r7 -= d * RADIX; r8 += d;
    c = Math.floor(r2 * SMALL); r2 -= c * RADIX; r3 += c; d = Math.floor(r8 * SMALL); r8 -= d * RADIX; r9 += d;
    c = Math.floor(r3 * SMALL); r3 -= c * RADIX; r4 += c; d = Math.floor(r9 * SMALL); r9 -= d * RADIX; r10 += d;
    c = Math.floor(r4 * SMALL); r4 -= c * RADIX; r5 += c; d = Math.floor(r10 * SMALL); r10 -= d * RADIX; r11 += d;
    c = Math.floor(r5 * SMALL); r5 -= c * RADIX; r6 += c; d = Math.floor(r11 * SMALL); r11 -= d * RADIX; r0 += FOLD * d;
    c = Math.floor(r0 * SMALL); r0 -= c * RADIX; r1 += c; d = Math.floor(r6 * SMALL); r6 -= d * RADIX; r7 += d;
    o[0] = r0; o[1] = r1; o[2] = r2; o[3] = r3; o[4] = r4; o[5] = r5;
    o[6] = r6; o[7] = r7; o[8] = r8; o[9] = r9; o[10] = r10; o[11] = r11;
  }

  /** o = a b. */
  function multiply(o, a, b) {
    const
      a0 = a[0], a1 = a[1], a2 = a[2], a3 = a[3], a4 = a[4], a5 = a[5], a6 = a[6], a7 = a[7], a8 = a[8], a9 = a[9],
      a10 = a[10], a11 = a[11];
    const
      b0 = b[0], b1 = b[1], b2 = b[2], b3 = b[3], b4 = b[4], b5 = b[5], b6 = b[6], b7 = b[7], b8 = b[8], b9 = b[9],
      b10 = b[10], b11 = b[11];
    columns[0] = a0 * b0;
    columns[1] = a0 * b1 + a1 * b0;
    columns[2] = a0 * b2 + a1 * b1 + a2 * b0;
    columns[3] = a0 * b3 + a1 * b2 + a2 * b1 + a3 * b0;
    columns[4] = a0 * b4 + a1 * b3 + a2 * b2 + a3 * b1 + a4 * b0;
    columns[5] = a0 * b5 + a1 * b4 + a2 * b3 + a3 * b2 + a4 * b1 + a5 * b0;
    columns[6] = a0 * b6 + a1 * b5 + a2 * b4 + a3 * b3 + a4 * b2 + a5 * b1 + a6 * b0;
    columns[7] = a0 * b7 + a1 * b6 + a2 * b5 + a3 * b4 + a4 * b3 + a5 * b2 + a6 * b1 + a7 * b0;
    columns[8] = a0 * b8 + a1 * b7 + a2 * b6 + a3 * b5 + a4 * b4 + a5 * b3 + a6 * b2 + a7 * b1 + a8 * b0;
    columns[9] = a0 * b9 + a1 * b8 + a2 * b7 + a3 * b6 + a4 * b5 + a5 * b4 + a6 * b3 + a7 * b2 + a8 * b1 + a9 * b0;
    columns[10] = a0 * b10 + a1 * b9 + a2 * b8 + a3 * b7 + a4 * b6 + a5 * b5 + a6 * b4 + a7 * b3 + a8 * b2 + a9 * b1
      + a10 * b0;
    columns[11] = a0 * b11 + a1 * b10 + a2 * b9 + a3 * b8 + a4 * b7 + a5 * b6 + a6 * b5 + a7 * b4 + a8 * b3
      + a9 * b2 + a10 * b1 + a11 * b0;
    columns[12] = a1 * b11 + a2 * b10 + a3 * b9 + a4 * b8 + a5 * b7 + a6 * b6 + a7 * b5 + a8 * b4 + a9 * b3
      + a10 * b2 + a11 * b1;
    columns[13] = a2 * b11 + a3 * b10 + a4 * b9 + a5 * b8 + a6 * b7 + a7 * b6 + a8 * b5 + a9 * b4 + a10 * b3 + a11 * b2;
    columns[14] = a3 * b11 + a4 * b10 + a5 * b9 + a6 * b8 + a7 * b7 + a8 * b6 + a9 * b5 + a10 * b4 + a11 * b3;
    columns[15] = a4 * b11 + a5 * b10 + a6 * b9 + a7 * b8 + a8 * b7 + a9 * b6 + a10 * b5 + a11 * b4;
    columns[16] = a5 * b11 + a6 * b10 + a7 * b9 + a8 * b8 + a9 * b7 + a10 * b6 + a11 * b5;
    columns[17] = a6 * b11 + a7 * b10 + a8 * b9 + a9 * b8 + a10 * b7 + a11 * b6;
    columns[18] = a7 * b11 + a8 * b10 + a9 * b9 + a10 * b8 + a11 * b7;
    columns[19] = a8 * b11 + a9 * b10 + a10 * b9 + a11 * b8;
    columns[20] = a9 * b11 + a10 * b10 + a11 * b9;
    columns[21] = a10 * b11 + a11 * b10;
    columns[22] = a11 * b11;
    settle(o);
  }

  /** o = a a. */
  function square(o, a) {
    const
      a0 = a[0], a1 = a[1], a2 = a[2], a3 = a[3], a4 = a[4], a5 = a[5], a6 = a[6], a7 = a[7], a8 = a[8], a9 = a[9],
      a10 = a[10], a11 = a[11];
    columns[0] = a0 * a0;
    columns[1] = 2 * a0 * a1;
    columns[2] = 2 * a0 * a2 + a1 * a1;
    columns[3] = 2 * (a0 * a3 + a1 * a2);
    columns[4] = 2 * (a0 * a4 + a1 * a3) + a2 * a2;
    columns[5] = 2 * (a0 * a5 + a1 * a4 + a2 * a3);
    columns[6] = 2 * (a0 * a6 + a1 * a5 + a2 * a4) + a3 * a3;
    columns[7] = 2 * (a0 * a7 + a1 * a6 + a2 * a5 + a3 * a4);
    columns[8] = 2 * (a0 * a8 + a1 * a7 + a2 * a6 + a3 * a5) + a4 * a4;
    columns[9] = 2 * (a0 * a9 + a1 * a8 + a2 * a7 + a3 * a6 + a4 * a5);
    columns[10] = 2 * (a0 * a10 + a1 * a9 + a2 * a8 + a3 * a7 + a4 * a6) + a5 * a5;
    columns[11] = 2 * (a0 * a11 + a1 * a10 + a2 * a9 + a3 * a8 + a4 * a7 + a5 * a6);
    columns[12] = 2 * (a1 * a11 + a2 * a10 + a3 * a9 + a4 * a8 + a5 * a7) + a6 * a6;
    columns[13] = 2 * (a2 * a11 + a3 * a10 + a4 * a9 + a5 * a8 + a6 * a7);
    columns[14] = 2 * (a3 * a11 + a4 * a10 + a5 * a9 + a6 * a8) + a7 * a7;
    columns[15] = 2 * (a4 * a11 + a5 * a10 + a6 * a9 + a7 * a8);
    columns[16] = 2 * (a5 * a11 + a6 * a10 + a7 * a9) + a8 * a8;
    columns[17] = 2 * (a6 * a11 + a7 * a10 + a8 * a9);
    columns[18] = 2 * (a7 * a11 + a8 * a10) + a9 * a9;
    columns[19] = 2 * (a8 * a11 + a9 * a10);
    columns[20] = 2 * a9 * a11 + a10 * a10;
    columns[21] = 2 * a10 * a11;
    columns[22] = a11 * a11;
    settle(o);
  }

  function add(o, a, b) {
    for (let k = 0; k < LIMBS; k++) o[k] = a[k] + b[k];
  }

  function subtract(o, a, b) {
    for (let k = 0; k < LIMBS; k++) o[k] = a[k] - b[k];
  }

  pbem.field = { P, element, fromNumber, toNumber, multiply, square, add, subtract };
})((globalThis.pbem ??= {}));
