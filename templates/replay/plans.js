// Plans: texts that are sealed in an entry, opened by their key, and made again from the root (docs/format.md, section 23).
"use strict";
(function (pbem) {
  const { must, equal, concat, blob, number8, frame, H, noble } = pbem;
  const SIZE = 288, MOST = { sealed: 8, closed: 100 };
  const SEALED = /^([^ ]*)(?: ([a-z][a-z0-9-]{0,19}))?$/, OPENING = /^([1-9][0-9]{0,4}) ([^ ]*)$/;

  /** What a key's stream gives of encrypted bytes (section 16). */
  function unsealed(key, sealed) {
    const blocks = [];
    for (let i = 0; i * 32 < sealed.length; i++) blocks.push(noble.hmac(noble.sha256, key, number8(i)));
    const stream = concat(...blocks);
    return sealed.map((byte, place) => byte ^ stream[place]);
  }

  /** The one line of a plan that is padded with zero bytes, or null where it is none. */
  function planText(padded) {
    const text = pbem.noteText(padded);
    return text === null || text.includes("\n") ? null : text;
  }

  const sealedIn = (fields) => (fields.get("plans") ?? []).map((text) => {
    const [, sealed, group] = SEALED.exec(text) ?? [];
    must(sealed !== undefined, "grammar", `"${text.slice(0, 40)}" is no sealed plan`);
    return { sealed: blob(sealed, SIZE, "a sealed plan"), group: group ?? "" };
  });
  const openedIn = (fields) => (fields.get("opened-plans") ?? []).map((text) => {
    const [, number, key] = OPENING.exec(text) ?? [];
    must(key !== undefined, "grammar", `"${text.slice(0, 40)}" opens no plan`);
    return { number: Number(number), key: blob(key, 32, "a plan's key") };
  });

  class Plans {
    constructor(gate) {
      Object.assign(this, { gate, all: [] });
    }
    of(seat) {
      return this.all.filter((plan) => plan.seat === seat);
    }
    closed(seat) {
      return this.of(seat).filter((plan) => plan.padded === null);
    }
    /** Whether all who play have sealed in this group. */
    isComplete(group, playing) {
      return playing.every((seat) => this.of(seat).some((plan) => plan.group === group));
    }
    take(entry, seat, joins) {
      const { fields, number: at } = entry, { gate } = this;
      const playing = gate.keyed.filter((one) => gate.trace.seats[one].plays && !gate.left.includes(one));
      const owed = this.closed(seat).filter(({ group }) => group && this.isComplete(group, playing));
      const opened = openedIn(fields), numbers = opened.map(({ number }) => number);
      must(numbers.every((number, place) => !place || number > numbers[place - 1]), "grammar", "plans are opened in their order, each once");
      const sealed = sealedIn(fields);
      must(sealed.length <= MOST.sealed, "limit", "more plans than can be sealed with a turn");
      const may = !joins && playing.includes(seat);
      must(may || !(opened.length || sealed.length), "chain", "a plan stands in a later turn of a seat that plays");
      must(!sealed.length || !fields.has("root"), "chain", "a turn that opens all secrets seals no plan");
      for (const { number, key } of opened) this.open(number, key, seat, at);
      const excused = fields.has("root") || fields.has("end"), closed = owed.find(({ padded }) => padded === null);
      must(excused || !closed, "chain", `plan ${closed?.number} is to be opened: all have sealed in "${closed?.group}"`);
      const late = sealed.find(({ group }) => group && this.isComplete(group, playing));
      must(!late, "chain", `all have sealed in "${late?.group}": nothing more is sealed there`);
      for (const one of sealed) {
        const place = { number: this.of(seat).length + 1, seat, at, before: entry.before, nonce: blob(fields.get("nonce"), 32, "nonce") };
        this.all.push({ ...one, ...place, padded: null, opened: null, byRoot: false });
      }
      must(this.closed(seat).length <= MOST.closed, "limit", "more closed plans than a seat has");
    }
    /** The padded text of a plan under this key; null where the plan was sealed with another one. */
    read({ seat, before, number, sealed }, key) {
      const { game, seats } = this.gate, padded = unsealed(key, sealed.slice(0, -32));
      const bound = H("pbem/1 plan", game, seats[seat], before, String(number), key, padded);
      return equal(bound, sealed.slice(-32)) ? padded : null;
    }
    open(number, key, seat, at) {
      const plan = this.closed(seat).find((one) => one.number === number);
      must(plan, "seal", `opens plan ${number}, which is none of its closed ones`);
      const padded = this.read(plan, key);
      must(padded !== null, "seal", `plan ${number} was sealed with another key`);
      Object.assign(plan, { padded, opened: at });
      this.gate.note("plans", `${this.gate.who(seat)} opened plan ${number} as it was sealed in turn ${plan.at}: ${planText(padded) ?? "no text"}`);
    }
    /** Who leaves the game without revealing a root opens all plans with it. */
    checkLeft(entry, seat) {
      must(entry.fields.has("root") || !this.closed(seat).length, "chain", "a seat that leaves opens all its plans, and seals none");
    }
    /** Every plan of a seat whose root is there, made again from it. */
    reveal(seat, root) {
      for (const plan of this.of(seat).filter(({ byRoot }) => !byRoot)) {
        const { number, before, nonce, at } = plan, wasClosed = plan.padded === null;
        const key = noble.expand(noble.sha256, root, frame("pbem/1 plan", before, nonce, String(number)), 32);
        const padded = this.read(plan, key);
        must(padded !== null, "root", `the root does not give plan ${number}`);
        Object.assign(plan, { padded, byRoot: true });
        if (!wasClosed) continue;
        this.gate.note("plans", `${this.gate.who(seat)} never opened plan ${number}, sealed in turn ${at}: ${planText(padded) ?? "no text"}`);
      }
    }
  }

  Object.assign(pbem, { Plans, planText, unsealed });
})((globalThis.pbem ??= {}));
