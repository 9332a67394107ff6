// The common deck: layers and shuffles while seats join, shares, boxes, and what follows from a root
// (docs/format.md, section 13).
"use strict";
(function (pbem) {
  const {
    noble, must, utf8, concat, equal, hex, frame, number8, littleEndian, scalarBytes, sha512, Point, L, mod, point,
    scalar, times, base, withTable, sum, combine, Sum, addMultiples, Hs, Hp, once,
  } = pbem;
  const G = Point.BASE;
  const pieces = (data, size) =>
    Array.from({ length: data.length / size }, (_, place) => data.slice(place * size, (place + 1) * size));
  const encode = (points) => concat(...points.map((one) => one.toBytes()));
  const card = (name) => Hp("pbem/1 deck/card/" + name);
  const written = new WeakMap();

  /** The bytes of a pile, which never changes. */
  function pileBytes(pile) {
    if (!written.has(pile)) written.set(pile, encode(pile.flatMap((pair) => [pair.a, pair.b])));
    return written.get(pile);
  }

  /** What a proof is bound to. */
  const context = (game, before, seat, what) => frame("pbem/1", game, before, seat, what);

  /** The pile before anybody joined. */
  const startingPile = (names) => names.map((name) => ({ a: G, b: card(name) }));

  function readPile(data, count) {
    must(data.length === 64 * count, "shuffle", `a pile of ${count} cards has ${64 * count} bytes, not ${data.length}`);
    const points = pieces(data, 32).map((one, place) => point(one, "shuffle", `half ${place + 1} of the pile`));
    return Array.from({ length: count }, (_, place) => ({ a: points[2 * place], b: points[2 * place + 1] }));
  }

  /** The joint key with the seat's own. */
  function jointKey(Y, X) {
    const joint = Y.add(X);
    must(!joint.is0(), "shuffle", "the keys of the seats add up to nothing");
    return joint;
  }

  function checkBoxKey(key) {
    must(littleEndian(key) < 2n ** 255n - 19n, "shuffle", "the key for boxes is not written in its one spelling");
    try {
      noble.x25519.getSharedSecret(new Uint8Array(32).fill(1), key);
    } catch {
      must(false, "shuffle", "the key for boxes is of small order");
    }
  }

  /**
   * The points ch_i of a proof, and as `links` the sums sp_i ch_{i-1} - c ch_i, with H before ch_0: each point is
   * decoded and multiplied in one go.
   */
  function readChain(H, data, c, sp) {
    const links = sp.map(() => new Sum());
    addMultiples(H, [sp[0]], [links[0]]);
    const ch = data.map((one, i) =>
      point(one, "shuffle", "a commitment of the shuffle", [mod(-c), sp[i + 1] ?? 0n], [links[i], links[i + 1]]));
    return { ch, links: links.map((one) => one.total()) };
  }

  /** Check the proof of a layer and shuffle: `step` is what the seat started from (ctx, X, Y, joint, pile). */
  function checkShuffle(step, after, proof) {
    const piles = [step.pile, after].map(pileBytes);
    once(["shuffle", step.ctx, step.X.toBytes(), step.Y.toBytes(), ...piles, proof], () => shuffleHolds(step, after, proof));
  }

  function shuffleHolds(step, after, proof) {
    const N = step.pile.length;
    must(proof.length === 32 * (4 * N + 6), "shuffle", `a proof of shuffle for ${N} cards has another length`);
    const parts = pieces(proof, 32);
    const [c, ...rest] = parts.slice(2 * N).map((one) => scalar(one, "shuffle", "a number of the shuffle"));
    const s = rest.slice(0, 5), sh = rest.slice(5, 5 + N), sp = rest.slice(5 + N);
    const cs = parts.slice(0, N).map((one) => point(one, "shuffle", "a commitment of the shuffle"));
    const H = Hp("pbem/1 deck/H"), Hi = step.pile.map((_, i) => Hp("pbem/1 deck/H_" + i));
    const { ch, links } = readChain(H, parts.slice(N, 2 * N), c, sp);
    const st = sha512(frame(step.ctx, step.X.toBytes(), step.Y.toBytes(), step.joint.toBytes(), pileBytes(step.pile), pileBytes(after), encode(cs)));
    const u = step.pile.map((_, j) => Hs("u", st, number8(j)));
    const product = u.reduce((all, one) => mod(all * one), 1n);
    const minus = u.map((one) => mod(-c * one));
    const A = combine(u, step.pile.map((pair) => pair.a));
    const t = [
      base(s[0]).add(combine([-c, c], [sum(cs), sum(Hi)])),
      base(s[1]).add(combine([-c, c * product], [ch[N - 1], H])),
      base(s[2]).add(combine([...sp, ...minus], [...Hi, ...cs])),
      combine([...sp, -c], [...after.map((pair) => pair.a), A]).subtract(base(s[3])),
      combine([...sp, ...minus, -s[3], -s[4]], [...[...after, ...step.pile].map((pair) => pair.b), step.joint, A]),
      base(s[4]).subtract(times(step.X, c)),
    ];
    const th = sh.map((one, i) => base(one).add(links[i]));
    const again = Hs("c", st, encode(ch), ...t.map((one) => one.toBytes()), encode(th));
    must(again === c, "shuffle", "the proof of shuffle does not hold for this seat, key, pile and entry");
  }

  /** The two combinations that one proof of several shares is about. */
  function batch(ctx, key, firsts, points, positions) {
    const all = encode(firsts.flatMap((one, place) => [one, points[place]]));
    const factors = positions.map((p) => Hs("k", ctx, key, all, number8(p)));
    return [combine(factors, firsts), combine(factors, points)];
  }

  /** Check shares: `points` are a seat's shares for these positions (from 0), `proof` 64 bytes, `key` its X. */
  function checkShares(ctx, key, pile, positions, points, proof) {
    const about = positions.flatMap((p) => [number8(p), pile[p].a.toBytes()]);
    once(["shares", ctx, key, ...about, ...points, proof], () => sharesHold(ctx, key, pile, positions, points, proof));
  }

  function sharesHold(ctx, key, pile, positions, points, proof) {
    const shares = points.map((one, place) => point(one, "share", `the share for position ${positions[place] + 1}`));
    const c = scalar(proof.slice(0, 32), "share", "c of the proof of shares");
    const z = scalar(proof.slice(32), "share", "z of the proof of shares");
    const [A, D] = batch(ctx, key, positions.map((p) => pile[p].a), shares, positions);
    const X = withTable(point(key, "share", "the key"));
    const ofG = base(z).subtract(times(X, c)), ofA = combine([z, -c], [A, D]);
    const again = Hs("dleq", ctx, key, A.toBytes(), D.toBytes(), ofG.toBytes(), ofA.toBytes());
    must(again === c, "share", "the proof of shares does not hold for this seat, these positions and this entry");
  }

  // What follows from a root

  const stream = (secret, ...purpose) =>
    noble.expand(noble.sha512, noble.extract(noble.sha512, secret, undefined), frame("pbem/1 coins", ...purpose), 64);
  const block = (key, label, i = 0) => noble.hmac(noble.sha512, key, frame(label, number8(i)));
  const drawn = (key, label, i = 0) => (littleEndian(block(key, label, i)) % (L - 1n)) + 1n;

  /** The seat's secrets of the common deck. */
  function secretsOf(root) {
    const D = stream(root, "common deck"), x = drawn(D, "key");
    return { D, x, X: base(x).toBytes(), box: noble.x25519.getPublicKey(block(D, "box key").slice(0, 32)) };
  }

  /** The pile that these secrets make of the one the seat found. */
  function shuffled(step, secrets) {
    const S = stream(secrets.D, "shuffle", step.ctx, secrets.X, step.Y.toBytes(), pileBytes(step.pile));
    const N = step.pile.length, order = step.pile.map((_, i) => i), joint = withTable(step.joint);
    for (let i = 0; i < N - 1; i++) {
      const j = i + Number(drawn(S, "permutation", i) % BigInt(N - i));
      [order[i], order[j]] = [order[j], order[i]];
    }
    return order.map((j, i) => {
      const rho = drawn(S, "rho", i), { a, b } = step.pile[j];
      return { a: a.add(base(rho)), b: b.add(times(a, secrets.x)).add(times(joint, rho)) };
    });
  }

  /** The box with the seat's shares for these positions, as its secrets give it. */
  function makeBox(ctx, partner, pile, positions, secrets) {
    const firsts = positions.map((p) => pile[p].a), shares = firsts.map((a) => times(a, secrets.x));
    const [A, D] = batch(ctx, secrets.X, firsts, shares, positions);
    const w = drawn(stream(secrets.D, "shares", ctx, secrets.X, A.toBytes(), D.toBytes()), "w");
    const c = Hs("dleq", ctx, secrets.X, A.toBytes(), D.toBytes(), base(w).toBytes(), times(A, w).toBytes());
    const records = shares.flatMap((share, i) => [[positions[i] >> 8, positions[i] & 255, 255, 255], share.toBytes()]);
    const contents = concat(...records, scalarBytes(c), scalarBytes(mod(w + c * secrets.x)));
    const once = block(stream(secrets.D, "box", ctx, partner, contents), "ephemeral").slice(0, 32);
    const open = noble.x25519.getPublicKey(once);
    const nonce = noble.blake2b(concat(open, partner), { dkLen: 24 });
    const words = (bytes) => new Uint32Array(Uint8Array.from(bytes).buffer);
    const key = new Uint32Array(8);
    noble.hsalsa(words(utf8("expand 32-byte k")), words(noble.x25519.getSharedSecret(once, partner)), new Uint32Array(4), key);
    return concat(open, noble.xsalsa20poly1305(new Uint8Array(key.buffer), nonce).encrypt(contents));
  }

  Object.assign(pbem, {
    card, pileBytes, context, startingPile, readPile, jointKey, checkBoxKey, checkShuffle, checkShares, secretsOf,
    shuffled, makeBox, pieces,
  });
})((globalThis.pbem ??= {}));
