// Points and scalars of edwards25519, Ed25519 signatures, the verifiable random function, and the stream of a roll
// (docs/format.md, sections 1, 3, 6 and 13).
"use strict";
(function (pbem) {
  const {
    Failure, must, noble, concat, equal, hex, utf8, frame, sha512, littleEndian, number8, Point, L, mod, Sum,
    addMultiples, combine, times, base, withTable,
  } = pbem;

  const known = new Map();

  /**
   * A point of prime order in its one spelling, or null. Multiples of it that are wanted come into their sums on the
   * way: `scalars` and `sums` are those of `addMultiples`.
   */
  function readPoint(bytes, scalars = [], sums = []) {
    if (bytes.length !== 32) return null;
    const name = hex(bytes);
    if (known.has(name)) {
      const point = known.get(name);
      if (point) addMultiples(point, scalars, sums);
      return point;
    }
    if (known.size > 20000) known.clear();
    const point = decoded(bytes, scalars, sums);
    known.set(name, point);
    return point;
  }

  function decoded(bytes, scalars, sums) {
    let point;
    try {
      point = Point.fromBytes(bytes);
    } catch {
      return null;
    }
    const ofOrder = new Sum();
    addMultiples(point, [L, ...scalars], [ofOrder, ...sums]);
    return !point.is0() && ofOrder.total().is0() && equal(point.toBytes(), bytes) ? point : null;
  }

  /** The same, or a failure of this layer. */
  function point(bytes, layer, name, scalars = [], sums = []) {
    const found = readPoint(bytes, scalars, sums);
    must(found !== null, layer, `${name} is no point of the group`);
    return found;
  }

  /** A scalar from outside: below L and not zero. */
  function scalar(bytes, layer, name) {
    const value = littleEndian(bytes);
    must(bytes.length === 32 && value > 0n && value < L, layer, `${name} is no scalar in its one spelling`);
    return value;
  }

  const SIGNED = utf8("pbem/1 entry\n");

  const passed = new Map();

  /** What a check of these bytes gives; the same statement is checked once. */
  function once(statement, check) {
    const name = hex(pbem.sha256(frame(...statement)));
    if (!passed.has(name)) passed.set(name, check());
    return passed.get(name);
  }

  /** Section 3: the signature (R, s) holds if s is below L and encode(sB - kA) is R, byte for byte. */
  const checkSignature = (key, digest, signature) =>
    once(["signature", key, digest, signature], () => signatureHolds(key, digest, signature));

  function signatureHolds(key, digest, signature) {
    const A = withTable(point(key, "signature", "the identity key"));
    const R = signature.slice(0, 32), s = littleEndian(signature.slice(32));
    must(s < L, "signature", "the signature's scalar is not below L");
    const k = mod(littleEndian(sha512(R, key, SIGNED, digest)));
    must(equal(base(s).subtract(times(A, k)).toBytes(), R), "signature", "the signature is not this key's");
  }

  /** RFC 9381, section 5.4.1.1: a point for a key and a message. */
  function hashToCurve(key, alpha) {
    for (let counter = 0; counter < 256; counter++) {
      const digest = sha512([3, 1], key, alpha, [counter, 0]).slice(0, 32);
      try {
        const found = Point.fromBytes(digest).clearCofactor();
        if (!found.is0()) return found;
      } catch {
        continue;
      }
    }
    throw new Failure("proof", "no point for this message");
  }

  /** The output of a proof that holds for key and message (section 6; RFC 9381, section 5.3). */
  const checkProof = (key, alpha, proof) => once(["proof", key, alpha, proof], () => outputOf(key, alpha, proof));

  function outputOf(key, alpha, proof) {
    const Y = withTable(point(key, "proof", "the key for chance"));
    const gamma = point(proof.slice(0, 32), "proof", "the proof's point");
    const c = littleEndian(proof.slice(32, 48)), s = littleEndian(proof.slice(48));
    must(s < L, "proof", "the proof's scalar is not below L");
    const h = hashToCurve(key, alpha);
    const u = base(s).subtract(times(Y, c)), v = combine([s, -c], [h, gamma]);
    const points = [Y, h, gamma, u, v].map((one) => one.toBytes());
    const challenge = sha512([3, 2], ...points, [0]).slice(0, 16);
    must(littleEndian(challenge) === c, "proof", "the proof is not this key's for this entry");
    return sha512([3, 3], gamma.clearCofactor().toBytes(), [0]);
  }

  /** The stream of E (section 6), read byte by byte. */
  class Stream {
    constructor(key, game) {
      this.key = key;
      this.game = game;
      this.offset = 0;
    }
    byte() {
      if (this.offset % 32 === 0) {
        this.block = noble.hmac(noble.sha256, this.key, concat(this.game, number8(this.offset / 32)));
      }
      return this.block[this.offset++ % 32];
    }
    below(n) {
      let byte;
      do byte = this.byte();
      while (byte >= 256 - (256 % n));
      return byte % n;
    }
    dice(number, sides) {
      return Array.from({ length: number }, () => this.below(sides) + 1);
    }
    take(things, number) {
      const left = [...things];
      return Array.from({ length: number }, () => left.splice(this.below(left.length), 1)[0]);
    }
  }

  /** Hs(p1, …), section 13. */
  const Hs = (...parts) => mod(littleEndian(sha512(frame(...parts))));

  const hashed = new Map();

  /** Hp(tag), section 13. */
  function Hp(tag) {
    for (let counter = 0; !hashed.has(tag); counter++) {
      try {
        const found = Point.fromBytes(sha512(frame(tag, number8(counter))).slice(0, 32)).clearCofactor();
        if (!found.is0()) hashed.set(tag, found);
      } catch {
        continue;
      }
    }
    return hashed.get(tag);
  }

  Object.assign(pbem, {
    readPoint, point, scalar, checkSignature, checkProof, Stream, Hs, Hp, once,
  });
})((globalThis.pbem ??= {}));
