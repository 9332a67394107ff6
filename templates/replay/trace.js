// The trace, what the rules asked: the bytes of it that each position signs, and how far the players signed on
// (docs/format.md, section 18).
"use strict";
(function (pbem) {
  const { must, H } = pbem;
  const LONE = /[\ud800-\udfff]/u;

  /** JSON in its one spelling (RFC 8785), of integers, text, lists and objects. Fails where a trace holds anything else. */
  function canonical(value) {
    if (value === null || typeof value === "boolean") return String(value);
    if (Number.isSafeInteger(value)) return String(value);
    if (typeof value === "string") {
      must(!LONE.test(value), "trace", "the trace holds half a character");
      return JSON.stringify(value);
    }
    if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
    must(typeof value === "object", "trace", "the trace holds a number that is no integer");
    const keys = Object.keys(value).sort();
    return `{${keys.map((key) => `${canonical(key)}:${canonical(value[key])}`).join(",")}}`;
  }

  /** What stands for the trace without its entries in every position of a game. */
  function headDigest({ entries, ...head }) {
    return H("pbem/1 trace head", canonical(head));
  }

  /** The part of a position that covers the steps of its entry. */
  function signedSteps(head, steps) {
    must(Array.isArray(steps), "trace", "the steps of an entry are no list");
    return H("pbem/1 trace", head, canonical(steps.map(({ how, ...step }) => step)));
  }

  /** The newest entry that every player signed on: whoever wrote an entry signed all before it. Null where the file does
   * not sign its trace, where a seat is free, or where one key alone signed. */
  function signedOn(gate) {
    const signers = gate.keyed.filter((seat) => !gate.left.includes(seat));
    if (gate.head === null || signers.length < 2) return null;
    const newest = signers.map((seat) => gate.entries.findLastIndex((entry) => entry.fields.get("seat") === gate.seats[seat]));
    return Math.min(...newest) < 0 ? null : Math.min(...newest);
  }

  /** Who won, as far as the file and its trace tell, with the entry that ended the game; null before the end. */
  function result(gate) {
    const { outcome, ended } = gate, on = signedOn(gate);
    if (outcome === null) return null;
    return { winners: outcome.winners, how: outcome.how, entry: ended, signed: on !== null && ended <= on };
  }

  Object.assign(pbem, { canonical, headDigest, signedSteps, signedOn, result });
})((globalThis.pbem ??= {}));
