// Cards: handles, the seals of own decks, and the common deck from the deal on (docs/format.md, sections 7 and 13).
"use strict";
(function (pbem) {
  const {
    noble, must, utf8, concat, equal, hex, frame, H, blob, point, scalar, times, base, sum, card, context, checkShares,
    secretsOf, shuffled, makeBox, pileBytes, Stream, Point,
  } = pbem;

  const MOST_RUNS = 1000;

  /** Handles written as `a3-9 a12`, one by one. */
  function handles(text) {
    if (!text) return [];
    const runs = text.split(" ");
    must(runs.length <= MOST_RUNS, "trace", "more cards than there are in any deck");
    return runs.flatMap((run) => {
      must(/^[a-z][1-9][0-9]{0,2}(-[1-9][0-9]{0,2})?$/.test(run), "trace", `"${run}" names no cards`);
      const [, letter, first, last] = /^([a-z])([0-9]+)(?:-([0-9]+))?$/.exec(run);
      return Array.from({ length: Number(last ?? first) - first + 1 }, (_, place) => letter + (Number(first) + place));
    });
  }
  const number = (handle) => Number(handle.slice(1));
  const count = (things, wanted) => things.filter((one) => one === wanted).length;

  const fromRoot = (root, name, ...parts) => noble.expand(noble.sha256, root, frame("pbem/1 " + name, ...parts.map(String)), 32);

  /** The own decks: piles that the rules use, and those sealed ahead (section 7). */
  class OwnDecks {
    constructor(game, decks, faces) {
      Object.assign(this, { game, decks, faces, piles: [], offered: new Map(), reused: new Set() });
    }
    /** A pile from the seals of entry `number`. */
    pile(letter, backs, sources, texts, entry) {
      const seals = texts.map((text, place) => {
        const [back, ...rest] = text.split(" ");
        must(back === backs[place], "grammar", `"${back}" is sealed where ${backs[place]} belongs`);
        return blob(rest.join(" "), 32, `the seal of ${back}`);
      });
      must(seals.length === backs.length, "seal", `${seals.length} seals for a pile of ${backs.length} cards`);
      const shuffle = 1 + this.piles.filter((pile) => pile.letter === letter).length;
      return { letter, shuffle, backs, sources, seals, entry };
    }
    lay(pile) {
      this.onSeals?.(pile.backs.length);
      this.piles.push(pile);
      pile.sources.forEach((back) => this.reused.add(back));
    }
    layOffered(letter, backs, sources) {
      const pile = this.offered.get(letter);
      this.offered.delete(letter);
      if (!pile || pile.backs.join() !== backs.join() || pile.sources.join() !== sources.join()) return false;
      this.lay(pile);
      return true;
    }
    seal(pile, back, name, salt) {
      return H("pbem/1 seal", this.game, pile.letter, String(pile.shuffle), String(number(back)), name, salt);
    }
    /** An opened card against its seal, and against what the deck can hold. */
    check(back, name, salt) {
      const pile = this.piles.find((one) => one.backs.includes(back));
      must(pile, "seal", `${back} was never sealed`);
      const made = this.seal(pile, back, name, salt);
      must(equal(made, pile.seals[pile.backs.indexOf(back)]), "seal", `${back} was not sealed as ${name}`);
      const seen = new Map([...this.faces].filter(([other]) => other !== back));
      const open = [...seen].filter(([other, face]) => face === name && other[0] === back[0] && !this.reused.has(other));
      const total = count(this.decks.find((deck) => deck.letter === back[0]).cards, name);
      const possible = pile.sources.filter((source) => (seen.get(source) ?? name) === name).length;
      const here = pile.backs.filter((other) => seen.get(other) === name).length;
      must(open.length < total && (!pile.sources.length || here < possible), "seal", `${back} cannot be ${name} as well`);
    }
    /** Every pile that the owner of these letters sealed, made again from the root; the cards behind the backs. */
    reveal(root, letters) {
      const cards = new Map();
      for (const pile of this.piles.filter((one) => letters.includes(one.letter))) {
        const contents = this.decks.find((deck) => deck.letter === pile.letter).cards;
        const about = [pile.letter, pile.shuffle, pile.entry];
        const names = pile.sources.length ? pile.sources.map((back) => cards.get(back)) : contents;
        const laid = new Stream(fromRoot(root, "order", ...about), this.game).take(names, names.length);
        pile.backs.forEach((back, place) => {
          const made = this.seal(pile, back, laid[place], fromRoot(root, "salt", ...about, number(back)));
          must(equal(made, pile.seals[place]), "root", `the root does not give the seal of ${back}`);
          cards.set(back, laid[place]);
        });
      }
      return cards;
    }
  }

  /** The common deck from the deal on (section 13). `openJoin` is the number of the last join if its seat was not kept for a key, else null. */
  class CommonDeck {
    constructor(gate, deck, layers, openJoin) {
      Object.assign(this, { gate, letter: deck.letter, names: deck.cards, pile: layers.pile, layers, openJoin });
      Object.assign(this, { drawer: new Map(), shares: new Map(), boxes: [], known: new Map(), toShow: [], opened: [] });
      this.keys = layers.keys;
      this.table = new Map(deck.cards.map((name) => [hex(card(name).toBytes()), name]));
    }
    has(back) {
      return this.drawer.has(back);
    }
    pair(back) {
      return this.pile[number(back) - 1];
    }
    get backs() {
      return [...this.drawer.keys()].sort((left, right) => number(left) - number(right));
    }
    owed(seat) {
      return this.backs.filter((back) => this.drawer.get(back) !== seat && !this.shares.get(back).has(seat));
    }
    /** The seats that write before these cards can be read, in their order ("Whose turn it is"). */
    awaited(backs) {
      const n = this.keys.length, missing = new Map();
      for (const back of backs.filter((one) => this.has(one))) {
        for (let step = 1; step < n; step++) {
          const seat = (this.drawer.get(back) + step) % n;
          if (!this.shares.get(back).has(seat)) missing.set(step, seat);
        }
      }
      return [...missing.keys()].sort((left, right) => left - right).map((step) => missing.get(step));
    }
    draw(seat, backs) {
      backs.forEach((back) => {
        must(number(back) === this.drawer.size + 1, "trace", "a draw does not take the next card of the common deck");
        this.drawer.set(back, seat);
        this.shares.set(back, new Map([...this.known].map(([one, x]) => [one, times(this.pair(back).a, x)])));
      });
      if (this.partners(seat).length) this.toShow.push(...backs);
    }
    partners(seat) {
      const { trace, left } = this.gate;
      const all = trace.seats[seat].shown.map((name) => this.gate.seats.indexOf(name));
      return all.filter((partner) => !left.includes(partner));
    }
    cardOf(back) {
      return this.pair(back).b.subtract(sum([...this.shares.get(back).values()]));
    }
    /** A card that its drawer opens with the own share. */
    openCard(back, name, share) {
      this.shares.get(back).set(this.drawer.get(back), point(share, "share", `the share for ${back}`));
      must(this.cardOf(back).equals(card(name)), "share", `the shares of all seats do not open ${back} as ${name}`);
      this.opened.push(back);
      this.toShow = this.toShow.filter((other) => other !== back);
    }
    /** The card if the shares of all seats are there. */
    readable(back) {
      if (this.shares.get(back).size < this.keys.length) return null;
      const name = this.table.get(hex(this.cardOf(back).toBytes()));
      must(name !== undefined, "share", `the shares of ${back} open no card of the deck`);
      return name;
    }
    learn(seat, x) {
      this.known.set(seat, x);
      for (const [back, shares] of this.shares) {
        if (!shares.has(seat)) shares.set(seat, times(this.pair(back).a, x));
      }
    }
    leave(seat, part) {
      const x = scalar(part.decryption(), "share", "the decryption key");
      must(equal(base(x).toBytes(), this.keys[seat].X), "share", "the decryption key is not this seat's");
      this.gate.left.push(seat);
      this.toShow = this.toShow.filter((back) => this.drawer.get(back) !== seat && this.partners(this.drawer.get(back)).length);
      this.learn(seat, x);
    }
    /** All that an entry owes at its end ("Draws and shares owed"). */
    takeShares(seat, entry, part, revealing) {
      if (entry === this.openJoin) return;
      const owed = revealing ? [] : this.owed(seat), opened = this.opened;
      this.opened = [];
      if (owed.length || opened.length) {
        const { points, proof } = part.shares(owed.length);
        const own = opened.map((back) => this.shares.get(back).get(seat).toBytes());
        const positions = [...owed, ...opened].map((back) => number(back) - 1);
        const ctx = context(this.gate.game, part.before, this.gate.seats[seat], "shares");
        checkShares(ctx, this.keys[seat].X, this.pile, positions, [...points, ...own], proof);
        this.gate.note("shares", "", owed.length + opened.length);
        owed.forEach((back, place) => this.shares.get(back).set(seat, point(points[place], "share", "a share")));
      }
      if (!revealing) this.show(seat, entry, part);
    }
    show(seat, entry, part) {
      const backs = this.backs.filter((back) => this.toShow.includes(back) && this.drawer.get(back) === seat);
      if (!backs.length) return;
      const ctx = context(this.gate.game, part.before, this.gate.seats[seat], "box");
      const partners = this.partners(seat), size = 48 + 36 * backs.length + 64;
      const data = part.box(size * partners.length);
      partners.forEach((partner, place) => {
        const positions = backs.map((back) => number(back) - 1);
        this.boxes.push({ seat, partner, entry, ctx, positions, data: data.slice(place * size, (place + 1) * size) });
      });
      this.toShow = this.toShow.filter((back) => !backs.includes(back));
    }
    /** Everything that a seat did with the deck, made again from its root; its secret x. */
    checkRoot(seat, root) {
      const secrets = secretsOf(root), key = this.keys[seat];
      must(equal(secrets.X, key.X), "root", "the root does not give the key for the common deck");
      must(!key.box.length || equal(secrets.box, key.box), "root", "the root does not give the key for boxes");
      for (const step of this.layers.steps.filter((one) => one.seat === seat)) {
        const made = pileBytes(shuffled(step, secrets));
        must(equal(made, pileBytes(step.after)), "root", "the root does not give the shuffle of the common deck");
      }
      for (const box of this.boxes.filter((one) => one.seat === seat)) {
        const made = makeBox(box.ctx, this.keys[box.partner].box, this.pile, box.positions, secrets);
        must(equal(made, box.data), "root", `the root does not give the box of entry ${box.entry}`);
      }
      return secrets.x;
    }
  }

  Object.assign(pbem, { handles, OwnDecks, CommonDeck });
})((globalThis.pbem ??= {}));
