// The verdict in two lines: what was computed here, and what was not. Green means that every player signed on to it
// (docs/trust.md, "A page that checks a game").
"use strict";
(function (pbem) {
  const { called, listed, signedOn, result } = pbem;

  const NOT_HERE = "Not computed here: that the rules were kept.";
  const FILE_ONLY = "Not computed here: dice, cards, whose turn it was, and the rules. The trace is missing, a list of what the rules asked: who plays makes it (pbem verify FILE --trace TRACE.json), or a page that holds both (pbem replay FILE --html PAGE.html).";
  const HAS_RULES = "pbem verify computes that. It has the rules, and takes nobody's word for what they asked, so it may call proven what here stands on a player's.";
  const TOLD = "An older file: how many dice were thrown, what for, and who won, are told, not signed.";

  /** How far the players signed on: up to which entry all of them (null: none), and whose word the rest is. */
  function standing(gate, players) {
    const on = signedOn(gate), entries = gate.entries.length;
    const after = on === null ? gate.entries : gate.entries.slice(on + 1);
    const authors = [...new Set(after.map((entry) => entry.fields.get("seat")))].map((seat) => called(players, seat));
    const signers = gate.keyed.filter((seat) => !gate.left.includes(seat)).length, won = result(gate);
    return { on, authors, signers, entries, won, isTraced: gate.head !== null };
  }

  /** Both lines about a file that holds, with its trace; and what is said besides. */
  function linesOf({ on, authors, signers, entries, isTraced }) {
    const word = `the word of ${listed(authors)}`, all = signers === 2 ? "Both" : "All";
    if (!isTraced) return [`Computed here: signatures, proofs and cards of ${entries} turns hold. ${TOLD}`, NOT_HERE];
    const keys = "If one person holds all keys, nobody else signed.";
    if (on === null) {
      return [`Computed here: ${entries} turns hold. No second player signed on: all of it stands on ${word}.`, NOT_HERE, HAS_RULES];
    }
    const rest = authors.length ? `; the rest stands on ${word}` : "";
    return [`Computed here: ${entries} turns hold. ${all} signed on up to turn ${on}${rest}.`, NOT_HERE, `${authors.length ? HAS_RULES : "pbem verify computes that."} ${keys}`];
  }

  /** On whose word a result stands; nothing before the end. */
  function resultOf({ won, authors, isTraced }) {
    if (won === null) return "";
    if (won.signed) return `Every player signed on turn ${won.entry}.`;
    return isTraced ? `This stands on the word of ${listed(authors)}.` : "This is told, not signed.";
  }

  /** Whose word an entry is, where its dice and what it led to are concerned. */
  function wordOf({ on, isTraced }, entry, players) {
    const author = called(players, entry.fields.get("seat"));
    if (!isTraced) return `Signed by ${author}. How many dice were thrown, and what for, is told, not signed.`;
    return on !== null && entry.number <= on ? "Every player signed on." : `Signed by ${author}; not every player signed on.`;
  }

  /** Both lines about a file that does not hold; a refusal by the rules is what the trace says. */
  function failureOf({ entry, layer, message }) {
    const where = entry === null || entry === undefined ? "The file" : `Turn ${entry}`;
    if (layer !== "rules") return [`${where} does not hold (${layer}): ${message}`, NOT_HERE];
    return [`${where} is refused, as whoever made the trace tells: ${message}`, `${NOT_HERE} pbem verify tells whether they refuse it.`];
  }

  Object.assign(pbem, { standing, linesOf, resultOf, wordOf, failureOf, FILE_ONLY });
})((globalThis.pbem ??= {}));
