// A second verifier of turn files, written from docs/format.md alone: everything but the rules of the game.
//
//   node verify.js FILE [TRACE]     prints {"ok", "entry", "layer", "reason", "unchecked", "signed", "result"}; exit 0 or 1
//   node verify.js --evidence FILE...  what several files prove of keys that signed two versions, as a list of JSON
//   node verify.js --batch          the same for each line {"file": base64, "trace": …} of the standard input
//   node verify.js --cards          the same with "card" and "rows", what was judged as a page shows it, of those that hold
//
// TRACE is what `pbem verify FILE --trace TRACE` writes. In a page the parts stand before this one.
"use strict";
if (typeof module === "object") {
  globalThis.pbem ??= {};
  globalThis.pbem.noble = require("./noble.js");
  globalThis.pbem.cardWords = require("./card.json");
  const { existsSync, readFileSync } = require("node:fs"); // beside the templates in a checkout, above them in a package
  const found = ["../../pbem", "../.."].map((folder) => `${__dirname}/${folder}/fileformat`).find(existsSync);
  globalThis.pbem.lookalikes = readFileSync(`${found}/lookalikes.txt`, "utf-8");
  globalThis.pbem.fields = require(`${found}/fields.json`);
  for (const part of ["bytes", "grammar", "multiples", "curve", "evidence", "shuffle", "decks", "choices", "contents", "referee", "trace", "plans", "beside", "series", "gate", "ending", "card"]) {
    require(`./${part}.js`);
  }
}
(function (pbem) {
  const { Failure, must, blob, readFile, checkSignature, Gate, signedOn, result } = pbem;

  const RULES = ["the rules of the game: that each answer is legal and each position follows", "that the trace is what the rules ask"];
  const TOLD = "how many dice were thrown, for whom and what for, what was drawn from, and who won: an older file signs none of it";
  const UNTRACED = [
    "the rules of the game", "whose turn it is", "proofs, rolls and draws", "seals and openings", "shuffles and shares",
    "roots", "positions",
  ];

  /** What needs no trace: the chain of signatures. */
  function checkSignatures(entries, progress) {
    const keys = new Map();
    for (const entry of entries) {
      within(entry.number, () => {
        const seat = entry.fields.get("seat"), key = keys.get(seat) ?? blob(entry.fields.get("key"), 32, "key");
        checkSignature(key, entry.digest, entry.signature);
        keys.set(seat, key);
      });
      progress(entry.number + 1, entries.length);
    }
  }

  function within(number, check) {
    try {
      return check();
    } catch (error) {
      const failure = error instanceof Failure ? error : new Failure("trace", `the trace cannot be followed: ${error.message}`);
      failure.entry ??= number;
      throw failure;
    }
  }

  const verdict = (unchecked, failure = null, gate = null) => ({
    ok: failure === null, entry: failure?.entry ?? null, layer: failure?.layer ?? null, reason: failure?.message ?? null,
    unchecked, signed: gate && !failure ? signedOn(gate) : null, result: gate && !failure ? result(gate) : null,
  });

  /** Each entry of a file, admitted one by one by whoever asks for the next: so a page stays alive meanwhile. */
  function* steps(bytes, trace) {
    const entries = readFile(bytes);
    if (!trace) {
      checkSignatures(entries, () => {});
      return;
    }
    must(trace.format === "pbem/1 trace" && Array.isArray(trace.entries), "trace", "this is no trace");
    const gate = new Gate(trace);
    for (const entry of entries) {
      within(entry.number, () => gate.admit(entry));
      yield { entry, of: entries.length, gate };
    }
    const isWhole = trace.entries.length === entries.length && !gate.referee?.steps.length;
    must(isWhole, "trace", "the trace holds more than the file brings");
  }

  /** The verdict on a file, and its gate: what is wrong with it first, if anything is. */
  function judged(bytes, trace) {
    let unchecked = trace ? RULES : UNTRACED, gate = null;
    try {
      for (const step of steps(bytes, trace)) gate = step.gate;
      if (gate?.head === null) unchecked = [...RULES, TOLD];
      return [verdict(unchecked, null, gate), gate];
    } catch (error) {
      if (error instanceof Failure) return [verdict(unchecked, error), null];
      throw error;
    }
  }

  /** The verdict on a file. */
  const verify = (bytes, trace = null) => judged(bytes, trace)[0];

  /** The verdict on a file in armor or not, with the card of one that holds and its rows in words. */
  function verifyWithCard(file, trace = null) {
    const bytes = pbem.unarmored(file), [made, gate] = judged(bytes, trace);
    const card = made.ok ? pbem.cardOf(file, readFile(bytes), gate) : null;
    return { ...made, card, rows: card && pbem.cardRows(card) };
  }

  Object.assign(pbem, { verify, verifyWithCard, steps, verdict, RULES, UNTRACED });
})((globalThis.pbem ??= {}));

if (typeof module === "object" && require.main === module) {
  const fs = require("node:fs");
  const [file, trace] = process.argv.slice(2);
  const { verify, verifyWithCard, fromBase64 } = globalThis.pbem;
  if (file === "--batch" || file === "--cards") {
    const judge = file === "--cards" ? verifyWithCard : verify;
    for (const line of fs.readFileSync(0, "utf-8").split("\n").filter(Boolean)) {
      const one = JSON.parse(line);
      process.stdout.write(JSON.stringify(judge(fromBase64(one.file), one.trace)) + "\n");
    }
  } else if (file === "--evidence") {
    const { evidence, evidenceInWords, signedChain, unarmored } = globalThis.pbem;
    const chains = process.argv.slice(3).map((name) => signedChain(unarmored(new Uint8Array(fs.readFileSync(name)))));
    process.stdout.write(JSON.stringify(evidence(chains).map((one) => ({ ...one, words: evidenceInWords(one) })), null, 1) + "\n");
  } else if (file === undefined) {
    process.stderr.write("usage: node verify.js FILE [TRACE]\n");
    process.exitCode = 2;
  } else {
    const made = verify(new Uint8Array(fs.readFileSync(file)), trace ? JSON.parse(fs.readFileSync(trace, "utf-8")) : null);
    process.stdout.write(JSON.stringify(made, null, 1) + "\n");
    process.exitCode = made.ok ? 0 : 1;
  }
}
