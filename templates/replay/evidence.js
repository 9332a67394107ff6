// Evidence that a key signed two versions of one game, from turn files alone (docs/format.md, section 9). It needs no trace.
"use strict";
(function (pbem) {
  const { Failure, H, must, blob, hex, fingerprint, readFile, repaired, checkSignature } = pbem;
  const SEAT = /^[a-z]+(-[a-z]+)*$/;
  const SIGNED = /\n\[entry\.signature\]\ned25519 = "[A-Za-z0-9+/]{86}=="\n/g;
  const MAX = { file: 8_000_000, entries: 9999 };

  /** What a check gives, or null where it fails. */
  function held(check) {
    try {
      return check();
    } catch (error) {
      if (error instanceof Failure) return null;
      throw error;
    }
  }

  /** The entries of the longest beginning of a file that is a file: what comes after it hides nothing before it. */
  function readable(bytes) {
    const data = repaired(bytes), text = new TextDecoder("latin1").decode(data.slice(0, MAX.file)); // a letter a byte
    const found = text.matchAll(SIGNED);
    const ends = [...found].map((match) => match.index + match[0].length).slice(0, MAX.entries);
    let least = 0, most = ends.length, entries = [];
    let middle = most; // of most files all can be read
    while (least < most) {
      try {
        entries = readFile(data.slice(0, ends[middle - 1]));
        least = middle;
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        most = Math.min(middle - 1, error.entry ?? most);
        if (error.entry !== null) {
          middle = most; // what comes before the entry that it names can be read
          continue;
        }
      }
      middle = (least + most + 1) >> 1;
    }
    return entries;
  }

  /** The entries of a file as far as they can be read and their signatures hold, with the game's id; none: null. */
  function signedChain(bytes) {
    const keys = new Map(), entries = [];
    let game = null;
    for (const entry of readable(bytes)) {
      const { fields, before, digest, number } = entry, seat = fields.get("seat");
      const key = held(() => {
        const own = keys.get(seat) ?? blob(fields.get("key"), 32, "key");
        checkSignature(own, digest, entry.signature);
        must(SEAT.test(seat), "chain", "the seat is no word"); // it would stand in a sentence about a key
        game ??= hex(H("pbem/1 game", own, blob(fields.get("nonce"), 32, "nonce")));
        return own;
      });
      if (key === null) break;
      keys.set(seat, key);
      entries.push({ key: hex(key), number, seat, before: hex(before), digest: hex(digest) });
    }
    return entries.length ? { game, entries } : null;
  }

  /** The value under a key of a map, put there first where there is none. */
  function at(map, key, made) {
    if (!map.has(key)) map.set(key, made);
    return map.get(key);
  }

  /** The evidence about one key in one game: of each number the entries that differ, with the first file of each. */
  function ofOneKey(game, key, turns) {
    let versions = [];
    for (const [number, entries] of [...turns].sort(([left], [right]) => left - right)) {
      const after = new Map(), seat = [...entries.values()].map((one) => one.seat).sort()[0];
      for (const { before, file } of entries.values()) at(after, before, []).push(file);
      const ordered = (files) => files.sort((left, right) => left - right);
      const twice = [...after.values()].filter((files) => files.length > 1).flat();
      if (twice.length) return [...versions, { kind: "twice", game, key, number, seat, files: ordered(twice) }];
      if (after.size > 1 && !versions.length) {
        const first = ordered([...after.values()].map(([file]) => file));
        versions = [{ kind: "versions", game, key, number, seat, files: first }];
      }
    }
    return versions;
  }

  /** What the files of these chains prove together: of each key and game the first turn that it signed twice, and the
   * first with which it went on in two versions, if that is an earlier one. */
  function evidence(chains) {
    const signed = new Map();
    chains.forEach((chain, file) => {
      for (const entry of chain?.entries ?? []) {
        const { turns } = at(signed, `${chain.game} ${entry.key}`, { game: chain.game, key: entry.key, turns: new Map() });
        at(at(turns, entry.number, new Map()), entry.digest, { ...entry, file });
      }
    });
    const found = [...signed.values()].flatMap(({ game, key, turns }) => ofOneKey(game, key, turns));
    const order = ({ game, number, key }) => `${game} ${String(number).padStart(4, "0")} ${key}`;
    return found.sort((left, right) => (order(left) < order(right) ? -1 : 1));
  }

  /** What evidence says, in one sentence. */
  function evidenceInWords({ kind, key, seat, number }) {
    const whose = `The key ${fingerprint(Uint8Array.from(key.match(/../g), (two) => parseInt(two, 16)))} in the seat "${seat}"`;
    if (kind === "twice") return `${whose} signed turn ${number} twice.`;
    return `${whose} went on in two versions of the game, with turn ${number}.`;
  }

  const NO_ACCUSATION = "This accuses nobody: a home that was put back from an old copy, or is used in two places, does the same.";

  Object.assign(pbem, { signedChain, evidence, evidenceInWords, NO_ACCUSATION });
})((globalThis.pbem ??= {}));
