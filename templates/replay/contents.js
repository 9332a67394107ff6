// What one entry brings, taken piece by piece; nothing may be left over (docs/format.md, section 4).
"use strict";
(function (pbem) {
  const { must, concat, blob, toBase64, pieces, readOpened } = pbem;

  /** A long field of a first entry: lines of 720 bytes (section 13). */
  function rows(entry, name) {
    const texts = entry.fields.get(name) ?? [], parts = texts.map((text) => blob(text, null, name)), data = concat(...parts);
    const again = [];
    for (let place = 0; place < data.length; place += 720) again.push(toBase64(data.slice(place, place + 720)));
    must(again.join() === texts.join(), "grammar", `${name}: not in lines of 720 bytes`);
    return data;
  }

  class Contents {
    constructor(entry, seat, gate) {
      Object.assign(this, { entry, seat, number: entry.number, before: entry.before });
      const { fields } = entry, list = (name) => [...(fields.get(name) ?? [])];
      const letters = gate.decks.map((deck) => deck.letter), cards = new Set(gate.trace.cards);
      this.proof = fields.has("proof") ? blob(fields.get("proof"), 80, "proof") : null;
      this.answers = list("answers");
      this.openings = list("openings").map((text) => {
        const [back, salt, ...words] = text.split(" "), name = words.join(" ");
        const isBack = /^[a-z][1-9][0-9]{0,2}$/.test(back) && letters.includes(back[0]);
        must(isBack && words.length && cards.has(name), "grammar", `"${text}" opens no card of this game`);
        return { back, name, salt: blob(salt, 32, back) };
      });
      this.chosen = list("chosen").map(readOpened);
      this.sealTexts = list("seals");
      this.choices = list("choice").map((text) => blob(text, 32, "a sealed choice"));
      this.orders = list("orders");
      this.draw = fields.get("draw") ?? "";
      must(["", "yes"].includes(fields.get("resign") ?? ""), "grammar", "a resignation is written yes");
      this.resigns = fields.get("resign") === "yes";
      this.root = fields.has("root") ? blob(fields.get("root"), 32, "root") : null;
      this.left = ["shares", "box", "decryption"].filter((name) => fields.has(name));
    }
    takeProof() {
      const proof = this.proof;
      this.proof = null;
      return proof;
    }
    /** The next opening, which must be of this card. */
    opening(back) {
      if (!this.openings.length) return null;
      must(this.openings[0].back === back, "seal", `opens ${this.openings[0].back} where ${back} is to be opened`);
      return this.openings.shift();
    }
    /** The next seals, at most one for each card of the pile; null if there are none. */
    seals(count) {
      return this.sealTexts.length ? this.sealTexts.splice(0, count) : null;
    }
    common(name, reason) {
      must(this.left.includes(name), "share", reason);
      this.left = this.left.filter((other) => other !== name);
      return this.entry.fields.get(name);
    }
    shares(count) {
      const data = blob(this.common("shares", "the shares or their proof are left out"), null, "shares");
      must(data.length === 32 * count + 64, "share", `not the ${count} shares that are owed`);
      return { points: pieces(data.slice(0, 32 * count), 32), proof: data.slice(32 * count) };
    }
    box(size) {
      const data = blob(this.common("box", "the box for the partner is left out"), null, "box");
      must(data.length === size, "share", `a box of ${data.length} bytes where ${size} belong`);
      return data;
    }
    decryption() {
      return blob(this.common("decryption", "the decryption key of the seat that leaves is left out"), 32, "decryption");
    }
    checkUsed() {
      must(this.proof === null, "proof", "a proof that is not owed");
      must(!this.openings.length, "seal", "an opening that is not owed");
      must(!this.chosen.length, "seal", "opens a choice that is not owed");
      must(!this.answers.length, "rules", "an answer to nothing that was asked");
      must(!this.orders.length, "rules", "orders that nothing asks for");
      must(!this.sealTexts.length, "seal", "seals that nothing asks for");
      must(!this.choices.length, "seal", "a sealed choice that nothing asks for");
      must(this.root === null, "root", "a root is revealed when the game is over, and then always");
      must(!this.left.length, "share", `"${this.left[0]}" is not owed`);
    }
  }

  /** No entry: what the rules can go on with is what everybody computes. */
  const nobody = (number) => ({ number, seat: -1, answers: [], choices: [], chosen: [], orders: [], takeProof: () => null, opening: () => null, seals: () => null });

  Object.assign(pbem, { Contents, nobody, rows });
})((globalThis.pbem ??= {}));
