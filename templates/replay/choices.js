// Sealed choices: sealed where the rules ask, opened when they want to see them, and made again from the root
// (docs/format.md, section 19).
"use strict";
(function (pbem) {
  const { must, equal, blob, frame, H, noble } = pbem;
  const OPENED = /^(0|[1-9][0-9]{0,3}) (0|[1-9][0-9]{0,2}) ([A-Za-z0-9+/=]+) (.+)$/;
  const MOST = 512;

  /** An opening as it stands in the file: which choice, its salt, its words. */
  function readOpened(text) {
    const match = OPENED.exec(text);
    must(match !== null, "grammar", `"${text.slice(0, 40)}" opens no choice`);
    return { label: `${match[1]} ${match[2]}`, salt: blob(match[3], 32, "a salt"), words: match[4] };
  }

  class Choices {
    constructor(gate) {
      Object.assign(this, { gate, all: [] });
    }
    /** The answers that the rules let a seat seal, as the trace has them. */
    static options(secret) {
      const isList = Array.isArray(secret) && secret.length <= MOST && secret.every((words) => typeof words === "string");
      must(isList, "trace", "the trace does not say what may be sealed");
      return secret;
    }
    seal(contents, request) {
      const { number, seat, entry } = contents, index = this.all.filter((choice) => choice.number === number).length;
      const place = { number, index, seat, before: contents.before, nonce: blob(entry.fields.get("nonce"), 32, "nonce") };
      this.all.push({ ...place, label: `${number} ${index}`, options: request.secret, sealed: contents.choices.shift(), words: null });
    }
    unopened(seat) {
      return this.all.filter((choice) => choice.seat === seat && choice.words === null);
    }
    /** The choices with these labels, as the rules want to see them. */
    wanted(labels) {
      must(Array.isArray(labels), "trace", "the trace does not say which choices are shown");
      const found = labels.map((label) => this.all.find((choice) => choice.label === label));
      must(found.length > 0 && found.every(Boolean), "trace", "the trace shows a choice that nobody sealed");
      return found;
    }
    /** Those of them that the next seat opens: who sealed last comes last. */
    due(labels) {
      const wanted = new Set(this.wanted(labels)), closed = this.all.filter((choice) => wanted.has(choice) && choice.words === null);
      const last = new Map(closed.map((choice) => [choice.seat, choice.number]));
      const [first] = [...last].sort(([, one], [, other]) => one - other)[0] ?? [null];
      return closed.filter((choice) => choice.seat === first);
    }
    commitment(choice, salt, words) {
      const seat = this.gate.seats[choice.seat];
      return H("pbem/1 choice", this.gate.game, seat, choice.before, String(choice.index), salt, words);
    }
    open(choice, contents) {
      const opened = contents.chosen.shift();
      if (opened === undefined) return false;
      must(opened.label === choice.label, "seal", `opens the choice ${opened.label} where ${choice.label} is to be opened`);
      const isSame = equal(this.commitment(choice, opened.salt, opened.words), choice.sealed);
      must(isSame, "seal", `the choice ${choice.label} was sealed with other words or another salt`);
      must(choice.options.includes(opened.words), "rules", `"${opened.words}" is no answer to what was asked`);
      choice.words = opened.words;
      this.gate.referee.answered("chosen", `${choice.label} ${choice.words}`);
      this.gate.note("choices", `the choice ${choice.label} was sealed as it is opened: ${choice.words}`);
      return true;
    }
    /** A seat that leaves opens all its choices, for nobody will see its root. */
    openAll(contents) {
      for (const choice of this.unopened(contents.seat)) {
        must(choice.number !== contents.number, "chain", "who leaves the game seals no choice in the same entry");
        must(this.open(choice, contents), "seal", "a seat that leaves opens all its choices");
      }
    }
    /** Whether all that the rules want to see is known. */
    show(contents, { reveal, out }) {
      const wanted = this.wanted(reveal);
      if (out) {
        if (!wanted.every((choice) => choice.words ?? choice.byRoot)) return false;
      } else {
        for (let due = this.due(reveal); due.length; due = this.due(reveal)) {
          if (due[0].seat !== contents.seat || due.some((choice) => choice.number === contents.number)) return false;
          for (const choice of due) if (!this.open(choice, contents)) return false;
        }
      }
      this.gate.referee.answered("revealed", wanted.map((choice) => choice.words ?? choice.byRoot));
      return true;
    }
    /** Every seal that a seat ever gave, made again from its root. */
    reveal(seat, root) {
      const { digest } = this.gate.players[seat];
      const isDigest = !digest || equal(H("pbem/1 root-digest", this.gate.game, this.gate.seats[seat], root), digest);
      must(isDigest, "root", "the root is another one than that of the first entry");
      for (const choice of this.all.filter((one) => one.seat === seat)) {
        const info = frame("pbem/1 choice", choice.before, choice.nonce, String(choice.index));
        const salt = noble.expand(noble.sha256, root, info, 32);
        const words = choice.options.find((one) => equal(this.commitment(choice, salt, one), choice.sealed));
        const isSame = words !== undefined && words === (choice.words ?? words);
        must(isSame, "root", `the root does not give the choice sealed as ${choice.label}`);
        choice.byRoot = words;
      }
    }
  }

  Object.assign(pbem, { Choices, readOpened });
})((globalThis.pbem ??= {}));
