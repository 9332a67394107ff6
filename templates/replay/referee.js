// The game between the entries and what the trace says that the rules asked: who settles each roll, who opens each card,
// and whose turn it is (docs/format.md, sections 4, 6, 7, 8, 12 and 13). It knows no rules.
"use strict";
(function (pbem) {
  const { Failure, must, checkProof, Stream, OwnDecks, CommonDeck, Choices, handles, nobody } = pbem;
  const KINDS = { ask: "Ask", roll: "Roll", pick: "Pick", draw: "Draw", open: "Open", seal: "Seal", reveal: "Reveal" };

  const MOST = 10000; // dice in one roll: a trace is from anybody, and may keep nobody waiting
  const REASON = /^[a-z][a-z0-9-]{0,39}$/;
  const isCount = (number, least, most) => Number.isInteger(number) && number >= least && number <= most;

  class Referee {
    constructor(gate, common) {
      Object.assign(this, { gate, common, authors: [], digests: [], newest: 0, outputs: new Map(), chance: null });
      Object.assign(this, { request: null, outcome: null, faces: new Map(), revealed: new Map(), steps: [], asked: 0 });
      this.orders = gate.seats.map(() => new Map());
      this.promised = new Map();
      this.choices = new Choices(gate);
      this.own = new OwnDecks(gate.game, gate.decks, this.faces);
      this.own.onSeals = (count) => gate.note("seals", "", count);
    }
    get left() {
      return this.gate.left;
    }

    // The trace

    /** The steps of the trace for an entry. */
    enter(number) {
      must(!this.steps.length, "trace", "the trace holds more than the entry brings");
      const entry = this.gate.trace.entries[number];
      must(entry, "trace", "the trace ends before the file does");
      this.steps = [...(entry.steps ?? [])];
    }
    next() {
      if (this.steps[0]?.refused !== undefined) throw new Failure("rules", this.steps[0].refused);
      return this.steps[0] ?? {};
    }
    /** What the rules ask now, or that they have ended. */
    ask() {
      const step = this.next();
      this.steps.shift();
      if (step.over) {
        this.request = null;
        this.outcome = { winners: step.over, how: step.how };
        return;
      }
      const kind = Object.keys(KINDS).find((name) => step[name] !== undefined);
      must(kind, "trace", "the trace does not say what the rules ask");
      const seat = ["ask", "for"].map((name) => this.gate.seats.indexOf(step[name])).find((found) => found >= 0);
      must(REASON.test(step.why ?? "none"), "trace", "chance is asked for no reason of the rules");
      if (kind === "roll") must(isCount(step.roll, 1, MOST) && isCount(step.sides, 2, 100), "trace", "no dice are thrown so");
      if (step.secret !== undefined) must(this.gate.maySealChoices(seat) && Choices.options(step.secret), "trace", "no choices are sealed here");
      if (kind === "reveal") this.choices.wanted(step.reveal);
      this.request = { ...step, kind, seat, id: ++this.asked };
    }
    /** The answer that the trace has must be the one that follows from the file. */
    answered(name, value) {
      const step = this.next();
      const same = JSON.stringify(step[name]) === JSON.stringify(value);
      must(same, "trace", `the trace does not agree with the file: ${name} ${JSON.stringify(value)}`);
      this.steps.shift();
    }

    // Whose turn it is

    get isPlayedOut() {
      return this.request === null || this.request.out === true;
    }
    owner(back) {
      if (this.common?.has(back)) return this.common.drawer.get(back);
      return this.gate.decks.find((deck) => deck.letter === back[0]).seat;
    }
    isCommon() {
      const letter = this.request.kind === "seal" ? this.request.seal[0] : (this.request.from ?? "")[0];
      return this.common !== null && letter === this.common.letter && ["seal", "draw"].includes(this.request.kind);
    }
    get isPending() {
      return this.request !== null && ["roll", "pick", "draw"].includes(this.request.kind) && !this.isCommon();
    }
    seatsOwingShares() {
      const { kind, hand, open } = this.request ?? {};
      if (this.common === null || !["ask", "open"].includes(kind)) return [];
      return this.common.awaited(kind === "ask" ? handles(hand) : [open]);
    }
    witnesses() {
      const seats = this.gate.keyed.filter((seat) => !this.left.includes(seat));
      return seats.filter((seat) => seat !== this.authors[this.newest]);
    }
    sources() {
      const seats = this.witnesses();
      return seats.length ? seats : [this.authors[this.newest]];
    }
    missing() {
      const n = this.gate.seats.length, sources = this.sources();
      const order = Array.from({ length: n }, (_, i) => (this.authors[this.newest] + (i < n - 2 ? i + 2 : i === n - 2 ? 1 : 0)) % n);
      return order.filter((seat) => sources.includes(seat) && !this.outputs.has(seat));
    }
    waitsFor() {
      if (this.isPlayedOut) return null;
      const [first] = this.seatsOwingShares();
      if (first !== undefined) return first;
      if (this.request.kind === "ask") return this.request.seat;
      if (this.request.kind === "open") return this.owner(this.request.open);
      if (this.request.kind === "seal") return this.gate.decks.find((deck) => deck.letter === this.request.seal[0]).seat;
      if (this.request.kind === "reveal") return this.choicesDue()[0].seat;
      return this.missing()[0] ?? this.authors[this.newest];
    }
    choicesDue() {
      return this.request?.kind === "reveal" ? this.choices.due(this.request.reveal) : [];
    }
    owes(seat) {
      if (this.isPlayedOut || this.isPending) return this.isPending && this.missing().includes(seat);
      return this.request.kind !== "ask" && this.waitsFor() === seat;
    }
    /** Whether the game waits for what this entry cannot hold: the own proof over it, or a choice sealed in it. */
    waitsBeyond(number) {
      if (this.choicesDue().some((choice) => choice.number === number)) return true;
      return this.isPending && this.newest === number && !this.witnesses().length;
    }
    mayDecide(number) {
      return this.newest === number || this.request === null || ["ask", "seal"].includes(this.request.kind);
    }
    decide(number) {
      if (this.newest === number) return;
      this.newest = number;
      this.outputs = new Map();
      this.chance = null;
    }
    /** What is waited for at the end of an entry, as its position has it (section 4). */
    waits() {
      if (this.request === null) return "over";
      return this.isPlayedOut ? "roots" : `${KINDS[this.request.kind]} ${this.waitsFor()}`;
    }

    // Taking an entry

    begin(seat, digest) {
      this.authors.push(seat);
      this.digests.push(digest);
    }
    take(contents) {
      this.openPromised(contents);
      this.run(contents);
      this.common?.takeShares(contents.seat, contents.number, contents, this.isPlayedOut);
    }
    run(contents) {
      while (this.request !== null && this.answer(contents)) this.ask();
    }
    answer(contents) {
      switch (this.request.kind) {
        case "ask":
          return this.answerAsk(contents);
        case "open":
          return this.answerOpen(contents);
        case "seal":
          return this.answerSeal(contents);
        case "reveal":
          return this.choices.show(contents, this.request);
        default:
          return this.isCommon() ? this.drawCommon() : this.settle(contents);
      }
    }
    answerAsk(contents) {
      const { seat } = this.request, isOwn = seat === contents.seat && !this.seatsOwingShares().length;
      if (this.next().orders && isOwn) this.applyOrders(contents); // else they count from the entry's end
      if (this.request.secret !== undefined) return isOwn && this.conceal(contents);
      const { obeyed } = this.next();
      if (obeyed !== undefined) {
        this.gate.note("orders", `an order of ${this.gate.who(seat)} answers “${obeyed}”`);
        if (seat !== contents.seat) this.promise(seat, obeyed);
        return Boolean(this.steps.shift());
      }
      if (!isOwn || !contents.answers.length) return false;
      must(!contents.orders.length, "trace", "the orders of an entry come before its answers");
      this.answered("said", contents.answers[0]);
      contents.answers.shift();
      this.decide(contents.number);
      return true;
    }
    conceal(contents) {
      if (!contents.choices.length) return false;
      must(!contents.orders.length, "trace", "the orders of an entry come before its answers");
      this.decide(contents.number);
      this.choices.seal(contents, this.request);
      this.answered("concealed", true);
      return true;
    }
    /** An order has played a hidden card: it is taken for the one that the order's topic names (section 12). */
    promise(seat, words) {
      for (const [topic, { back }] of this.orders[seat]) {
        if (back !== null && words.split(" ").includes(back) && !this.faces.has(back)) this.promised.set(back, topic);
      }
    }
    applyOrders(contents) {
      must(this.next().orders, "trace", "the trace leaves out when orders count");
      this.steps.shift();
      this.decide(contents.number);
      this.next();
      for (const text of contents.orders.splice(0)) {
        const topic = text.split(": ")[0], rest = text.slice(topic.length + 2);
        const back = rest.split(" ").find((word) => /^[a-z][1-9][0-9]{0,2}$/.test(word)) ?? null;
        if (rest === "ask") this.orders[contents.seat].delete(topic);
        else this.orders[contents.seat].set(topic, { rest, back });
      }
    }
    openPromised(contents) {
      for (const back of [...this.promised.keys()].filter((one) => this.owner(one) === contents.seat)) {
        const opening = contents.opening(back), name = this.promised.get(back);
        this.promised.delete(back);
        must(opening !== null, "seal", `${back}, which an order has played, is not opened`);
        this.check(back, opening);
        must(opening.name === name, "seal", `${back} is not the ${name} that an order has played`);
      }
    }
    answerOpen(contents) {
      const back = this.request.open, owner = this.owner(back);
      let name = null;
      if (this.isPlayedOut || this.left.includes(owner)) {
        name = this.common?.has(back) ? this.common.readable(back) : this.revealed.get(back) ?? null;
        if (name !== null) this.gate.note("openings", `${back} is ${name}, as everybody can compute`);
      } else if (owner !== contents.seat && this.promised.has(back)) {
        name = this.promised.get(back);
      } else if (owner === contents.seat && !this.seatsOwingShares().length) {
        const opening = contents.opening(back);
        if (opening !== null) {
          this.promised.delete(back);
          this.check(back, opening);
          name = opening.name;
        }
      }
      if (name === null) return false;
      this.faces.set(back, name);
      this.answered("opened", name);
      return true;
    }
    check(back, { name, salt }) {
      this.gate.note("openings", `${back} is ${name}`);
      if (this.common?.has(back)) this.common.openCard(back, name, salt);
      else this.own.check(back, name, salt);
    }
    answerSeal(contents) {
      if (!this.isCommon()) {
        const [backs, sources] = [this.request.seal, this.request.from].map(handles);
        if (!this.own.layOffered(backs[0][0], backs, sources)) {
          const deck = this.gate.decks.find((one) => one.letter === backs[0][0]);
          const texts = deck.seat === contents.seat ? contents.seals(backs.length) : null;
          if (texts === null) return false;
          this.own.lay(this.own.pile(deck.letter, backs, sources, texts, contents.number));
          this.decide(contents.number);
        }
      }
      this.answered("sealed", true);
      return true;
    }
    sealEarly(contents) {
      while (this.mayDecide(contents.number) && this.next().early !== undefined) {
        const { early, from } = this.steps.shift(), backs = handles(early);
        const texts = contents.seals(backs.length);
        must(texts !== null, "trace", "the trace has seals that the entry does not bring");
        this.own.offered.set(backs[0][0], this.own.pile(backs[0][0], backs, handles(from), texts, contents.number));
        this.decide(contents.number);
      }
    }
    drawCommon() {
      const { draw, from, seat } = this.request, backs = handles(from);
      must(backs.length === draw, "trace", "a draw of another number of cards than it names");
      this.common.draw(seat, backs);
      this.gate.note("draws", "");
      this.answered("taken", backs);
      return true;
    }
    settle(contents) {
      const { request } = this;
      if (this.missing().includes(contents.seat) && this.newest < contents.number) {
        const proof = contents.takeProof();
        if (proof !== null) {
          this.gate.note("proofs", `${this.gate.who(contents.seat)}'s proof over turn ${this.newest} holds`);
          this.outputs.set(contents.seat, checkProof(this.gate.players[contents.seat].vrf, this.digests[this.newest], proof));
        }
      }
      if (this.missing().length) return false;
      const key = pbem.concat(...this.sources().map((seat) => this.outputs.get(seat)));
      this.chance ??= new Stream(key, this.gate.game);
      if (request.kind === "roll") {
        const dice = this.chance.dice(request.roll, request.sides);
        this.answered("rolled", dice);
        this.gate.rolls.push({ dice, sides: request.sides, line: this.gate.told.length });
        this.gate.note("rolls", `dice thrown again${this.purpose()}: ${dice.join(" ")}${request.sides === 6 ? "" : ` of ${request.sides}`}`);
      } else {
        const cards = handles(request.from);
        const owned = (back) => this.gate.decks.some((deck) => deck.letter === back[0] && this.gate.keyed.includes(deck.seat));
        const sealed = (back) => this.own.piles.some((pile) => pile.backs.includes(back));
        must(cards.every((back) => sealed(back) || !owned(back)), "trace", "cards are taken from a list with one that was not sealed");
        must(isCount(request[request.kind], 0, cards.length), "trace", "more cards are taken than there are");
        const taken = this.chance.take(cards, request[request.kind]);
        this.answered("taken", taken);
        this.gate.note("draws", `cards taken again${this.purpose()}: ${taken.join(" ")}`);
      }
      return true;
    }

    /** For whom chance is asked, and what for. */
    purpose() {
      const { seat, why } = this.request, whom = seat === undefined ? [] : [`for ${this.gate.who(seat)}`];
      const told = [...whom, ...(why === undefined ? [] : [why.replaceAll("-", " ")])];
      return told.length ? ` (${told.join(", ")})` : "";
    }

    // Leaving and revealing

    leave(contents) {
      if (this.common) this.common.leave(contents.seat, contents);
      this.choices.openAll(contents);
      if (!this.common) this.left.push(contents.seat);
      this.orders[contents.seat] = new Map();
      this.decide(contents.number);
      if (this.request?.kind === "ask") this.ask();
      this.run(nobody(contents.number));
    }
    learn(seat, x, faces, number) {
      faces.forEach((name, back) => this.revealed.set(back, name));
      if (x !== null) this.common?.learn(seat, x);
      if (this.isPlayedOut) this.run(nobody(number));
    }
  }

  Object.assign(pbem, { Referee });
})((globalThis.pbem ??= {}));
