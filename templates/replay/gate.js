// The gate that every entry passes (docs/format.md, sections 4 and 8), but for the rules of the game.
"use strict";
(function (pbem) {
  const {
    Failure, must, equal, blob, H, point, readPoint, checkSignature, OwnDecks, CommonDeck, Referee, Contents, rows, context,
    startingPile, readPile, Beside, headDigest, signedSteps, jointKey, checkBoxKey, checkShuffle, Point, standing, isWithin,
  } = pbem;
  const SETUP = standing("invitation"), FIRST = standing("first");
  const CLOSING = ["seat", "date", "received", "nonce", "end", "message", "position"];

  class Gate {
    constructor(trace) {
      Object.assign(this, { trace, seats: [], players: [], left: [], entries: [], referee: null, outcome: null });
      Object.assign(this, { head: null, ended: null });
      this.tally = Object.fromEntries("entries positions proofs rolls draws orders shuffles shares seals openings choices notes plans roots".split(" ").map((name) => [name, 0]));
      Object.assign(this, { told: [], rolls: [] }); // of the entry at hand, for whoever watches
      Object.assign(this, { offer: null, offered: new Map(), early: [], layers: null, invites: new Map() });
      this.beside = new Beside(this);
    }

    admit(entry) {
      const { fields } = entry, steps = this.trace.entries[entry.number]?.steps ?? [];
      if (entry.number === 0) {
        checkSignature(blob(fields.get("key"), 32, "key"), entry.digest, entry.signature);
        for (const name of ["trace", "closing"]) must(!fields.has(name) || isWithin(name, fields.get(name)), "grammar", `"${name}" is 1`);
        must(fields.has("trace") || !fields.has("closing"), "chain", '"closing" stands in a game that signs its trace');
        this.head = fields.has("trace") ? headDigest(this.trace) : null;
        if (steps[0]?.refused !== undefined) throw new Failure("rules", steps[0].refused);
        this.readInvitation(entry);
      }
      const seat = this.seats.indexOf(fields.get("seat"));
      must(seat >= 0, "chain", `there is no seat "${fields.get("seat")}"`);
      const closes = fields.has("end");
      must(seat === (closes ? this.toClose() : this.toAct()), "chain", "it is not this seat's turn to write");
      const joins = this.players[seat] === null;
      const key = joins ? blob(fields.get("key"), 32, "key") : this.players[seat].key;
      checkSignature(key, entry.digest, entry.signature);
      blob(fields.get("nonce"), 32, "nonce");
      const misplaced = !joins ? [...FIRST, ...SETUP] : entry.number === 0 ? [] : SETUP;
      for (const name of misplaced) must(!fields.has(name), "chain", `"${name}" does not belong in this entry`);
      if (closes) {
        must(fields.get("end") === "seen", "grammar", '"end" is seen');
        for (const name of fields.keys()) must(CLOSING.includes(name), "chain", `"${name}" does not belong in an entry about the end`);
      }
      this.beside.check(entry, seat, joins, !joins && this.owesRoot(seat));
      if (joins) this.join(entry, seat, key);
      else this.turn(entry, seat);
      if (this.left.includes(seat)) this.beside.plans.checkLeft(entry, seat);
      if (this.players[seat].root) this.beside.reveal(seat, this.players[seat].root);
      this.entries.push(entry);
      const position = blob(fields.get("position"), 32, "position");
      must(equal(position, this.position()), "chain", "its author's program saw another position at the end of this entry");
      this.referee?.next();
      if (this.outcome !== null) this.ended ??= entry.number;
      this.tally.entries += 1;
      this.tally.positions += 1;
    }

    /** One check more that held, in words for whoever watches. */
    note(name, text, count = 1) {
      this.tally[name] += count;
      if (text) this.told.push(text);
    }

    /** A player in words, as the page calls them. */
    who(seat) {
      const word = this.seats[seat], name = this.players[seat]?.name;
      return name && pbem.called ? pbem.called(new Map([[word, { name }]]), word) : word;
    }

    // The invitation and the joins

    readInvitation(entry) {
      const { fields } = entry, { trace } = this;
      must(trace.seats, "trace", "the trace names no seats");
      must(fields.get("game") === trace.game && fields.get("rules") === trace.rules, "trace", "the trace is of another game");
      this.seats = trace.seats.map((seat) => seat.name);
      must((fields.get("seats") ?? []).join() === this.seats.join(), "trace", "the trace has other seats than the file");
      this.keyed = this.seats.map((_, seat) => seat).filter((seat) => trace.seats[seat].keyed);
      this.players = this.seats.map(() => null);
      this.decks = trace.decks.map((deck) => ({ ...deck, seat: this.seats.indexOf(deck.owner) }));
      this.host = this.seats.indexOf(fields.get("seat"));
      must(this.host >= 0, "chain", `there is no seat "${fields.get("seat")}"`);
      must(!fields.has("called") || pbem.isName(fields.get("called")), "chain", "a game is called by words of one line");
      this.game = H("pbem/1 game", blob(fields.get("key"), 32, "key"), blob(fields.get("nonce"), 32, "nonce"));
      for (const text of fields.get("invites") ?? []) {
        const [name, ...rest] = text.split(" "), seat = this.seats.indexOf(name);
        const isFree = this.keyed.includes(seat) && seat !== this.host && !this.invites.has(name);
        must(isFree, "chain", `"${text}" invites nobody to this game`);
        const key = blob(rest.join(" "), 32, `the key invited as ${name}`);
        must(readPoint(key) !== null, "chain", `the key invited as ${name} is no point of prime order`);
        this.invites.set(name, key);
      }
      pbem.checkSeries(fields, trace.seats);
    }
    free() {
      const round = this.seats.map((_, step) => (this.host + step) % this.seats.length);
      return round.filter((seat) => this.players[seat] === null && this.keyed.includes(seat));
    }
    join(entry, seat, key) {
      const contents = new Contents(entry, seat, this);
      const { fields } = entry, vrf = blob(fields.get("vrf"), 32, "vrf"), name = fields.get("name") ?? "";
      must(readPoint(vrf) !== null, "chain", "the key for chance is no point of prime order");
      const taken = this.players.filter(Boolean).flatMap((player) => [player.key, player.vrf]);
      const isTaken = (one) => taken.some((other) => equal(one, other));
      must(!isTaken(key) && !isTaken(vrf) && !equal(key, vrf), "chain", "a key sits in one seat only");
      const kept = this.invites.get(this.seats[seat]);
      must(!kept || equal(kept, key), "chain", "somebody else is invited to this seat");
      const isLine = pbem.isName(name) && !(fields.get("mail") ?? "").includes("\n");
      must(isLine, "chain", "a first entry carries a name of one line");
      for (const no of ["draw", "resign", "root"]) must(!fields.has(no), "chain", "there is no game yet to end");
      const digest = this.rootDigest(fields, seat);
      const keys = this.readKeys(entry, seat);
      const piles = this.firstSeals(contents);
      if (keys) this.addLayer(entry, seat, keys);
      this.players[seat] = { key, vrf, digest, root: null, name: entry.fields.get("name") };
      this.early.push(...piles());
      if (!this.free().length) this.start(entry, seat);
      if (this.referee) {
        this.referee.begin(seat, entry.digest);
        this.answerRules(contents);
      }
      contents.checkUsed();
    }
    /** The digest of the seat's root, in games whose players seal choices; null in others. */
    rootDigest(fields, seat) {
      const isDue = this.maySealChoices(seat), what = '"root-digest" stands in each first entry of a game with sealed choices';
      must(fields.has("root-digest") === isDue, "chain", what);
      return isDue ? blob(fields.get("root-digest"), 32, "root-digest") : null;
    }
    maySealChoices(seat) {
      return this.trace.choices === true && this.keyed.includes(seat) && this.trace.seats[seat].plays;
    }
    /** The own decks of a seat, sealed whole; the seals are spelled right before anything else is looked at. */
    firstSeals(contents) {
      const own = this.decks.filter((deck) => deck.seat === contents.seat);
      const taken = own.map((deck) => [deck, contents.seals(deck.cards.length) ?? []]);
      for (const [deck, texts] of taken) {
        texts.forEach((text, place) => {
          const [back, ...rest] = text.split(" ");
          must(back === deck.letter + (place + 1), "grammar", `"${back}" is sealed out of its place`);
          blob(rest.join(" "), 32, `the seal of ${back}`);
        });
      }
      return () => taken.map(([deck, texts]) => {
        const backs = deck.cards.map((_, place) => deck.letter + (place + 1));
        return new OwnDecks(this.game, this.decks, new Map()).pile(deck.letter, backs, [], texts, contents.number);
      });
    }
    readKeys(entry, seat) {
      const all = ["elgamal", "boxkey", "pile", "shuffle"], given = all.filter((name) => entry.fields.has(name));
      const hasDeck = this.decks.some((deck) => deck.owner === null), hasPartner = this.trace.seats[seat].shown.length > 0;
      const needed = hasDeck ? all.filter((name) => name !== "boxkey" || hasPartner) : [];
      must(given.join() === needed.join(), "shuffle", "a first entry does not bring what the common deck needs");
      if (!hasDeck) return null;
      const field = (name) => blob(entry.fields.get(name), 32, name);
      return { X: field("elgamal"), box: given.includes("boxkey") ? field("boxkey") : new Uint8Array(0) };
    }
    addLayer(entry, seat, keys) {
      const names = this.decks.find((deck) => deck.owner === null).cards;
      this.layers ??= { joint: Point.ZERO, pile: startingPile(names), keys: [], steps: [] };
      const { layers } = this, X = point(keys.X, "shuffle", "the key for the common deck");
      if (keys.box.length) checkBoxKey(keys.box);
      const ctx = context(this.game, entry.before, this.seats[seat], "shuffle");
      const step = { seat, ctx, X, Y: layers.joint, joint: jointKey(layers.joint, X), pile: layers.pile };
      const data = rows(entry, "pile"), proof = rows(entry, "shuffle");
      step.after = readPile(data, names.length);
      checkShuffle(step, step.after, proof);
      layers.steps.push(step);
      this.note("shuffles", `${this.who(seat)}'s key and shuffle are proven`);
      layers.keys[seat] = keys;
      Object.assign(layers, { joint: step.joint, pile: step.after });
    }
    start(entry, seat) {
      let common = null;
      if (this.layers) {
        const deck = this.decks.find((one) => one.owner === null);
        common = new CommonDeck(this, deck, this.layers, this.invites.has(this.seats[seat]) ? null : entry.number);
      }
      this.begun = entry.number;
      this.referee = new Referee(this, common);
      this.referee.authors = this.entries.map((one) => this.seats.indexOf(one.fields.get("seat")));
      this.referee.digests = this.entries.map((one) => one.digest);
      for (const pile of this.early) this.referee.own.offered.set(pile.letter, pile);
      this.referee.enter(entry.number);
      this.referee.decide(entry.number);
      this.referee.ask();
    }

    // Whose turn it is, and how the game ends

    get isOver() {
      return this.outcome !== null || (this.referee !== null && this.referee.isPlayedOut);
    }
    toAct() {
      const [free] = this.free();
      if (free !== undefined) return free;
      if (this.waitsForInviter) return this.host;
      if (this.isOver) {
        return this.round().find((seat) => this.isRootDue(seat) || (this.outcome === null && this.referee.owes(seat))) ?? null;
      }
      return this.offer?.alone ? this.openTo()[0] : this.referee.waitsFor();
    }
    /** Whether nobody has written since the last seat was taken: then the inviter does, which settles who plays. */
    get waitsForInviter() {
      return this.keyed.length > 1 && this.referee.authors.length <= this.begun + 1;
    }
    seatOf(entry) {
      return this.seats.indexOf(entry.fields.get("seat"));
    }
    /** All seats, the author of the newest entry last. */
    round() {
      const n = this.seats.length, last = this.seatOf(this.entries.at(-1));
      return this.seats.map((_, step) => (last + step + 1) % n);
    }
    /** The one seat that may say that it has seen the end; null where none may (section 8). */
    toClose() {
      if (this.ended === null || !this.entries[0].fields.has("closing") || this.toAct() !== null) return null;
      const signed = this.entries.slice(this.ended).map((entry) => this.seatOf(entry));
      return this.round().find((seat) => this.keyed.includes(seat) && !this.left.includes(seat) && !signed.includes(seat)) ?? null;
    }
    isRootDue(seat) {
      return this.owesRoot(seat) && !this.players[seat].root;
    }
    owesRoot(seat) {
      if (!this.keyed.includes(seat) || this.left.includes(seat)) return false;
      if (this.maySealChoices(seat)) return true;
      return Boolean(this.layers?.steps.some((step) => step.seat === seat)) || this.decks.some((deck) => deck.seat === seat);
    }
    position() {
      const { board, steps } = this.trace.entries[this.entries.length - 1] ?? {};
      const signed = this.head === null ? [] : [signedSteps(this.head, steps ?? [])];
      if (this.referee) return H("pbem/1 position", board ?? "", this.referee.waits(), ...signed);
      const taken = this.seats.filter((_, seat) => this.players[seat] !== null).join(",");
      return H("pbem/1 position", "joining", taken, ...signed);
    }
    answerRules(contents) {
      if (this.outcome) this.referee.openPromised(contents);
      else this.referee.take(contents);
      this.outcome ??= this.referee.outcome;
    }
    turn(entry, seat) {
      const contents = new Contents(entry, seat, this), { referee } = this, wasOpen = this.outcome === null;
      referee.enter(entry.number);
      referee.begin(seat, entry.digest);
      this.answerRules(contents);
      const owes = wasOpen && referee.owes(seat) && !referee.waitsBeyond(entry.number);
      must(!owes, "chain", "the entry does not bring what its seat owes");
      this.close(contents);
      contents.checkUsed();
    }
    close(contents) {
      const { referee } = this;
      if (!this.isOver) {
        if (contents.orders.length) {
          referee.next();
          must(referee.mayDecide(contents.number), "chain", "orders while the game waits for another seat's proof or opening");
          referee.applyOrders(contents);
        }
        if (contents.draw !== "accept") referee.sealEarly(contents);
      }
      this.end(contents);
      referee.next();
      const done = this.isOver || this.toAct() !== contents.seat || referee.waitsBeyond(contents.number);
      const pauses = referee.request?.pause && referee.newest === contents.number && this.keyed.length === 1;
      must(done || pauses, "chain", "the entry stops before its seat has done all that is asked of it");
      if (this.isOver && this.isRootDue(contents.seat)) this.reveal(contents);
    }
    reveal(contents) {
      const { root, seat } = contents, { referee } = this;
      contents.root = null;
      must(root !== null, "root", "a root is revealed when the game is over, and then always");
      referee.choices.reveal(seat, root);
      const letters = this.decks.filter((deck) => deck.seat === seat).map((deck) => deck.letter);
      const faces = referee.own.reveal(root, letters);
      const x = referee.common ? referee.common.checkRoot(seat, root) : null;
      this.players[seat].root = root;
      this.note("roots", `${this.who(seat)}'s secret gives what its seat did`);
      referee.learn(seat, x, faces, contents.number);
      this.outcome ??= referee.outcome;
    }
  }

  Object.assign(pbem, { Gate });
})((globalThis.pbem ??= {}));
