// How players end a game that the rules have not ended, or leave it (docs/format.md, section 8).
"use strict";
(function (pbem) {
  const { must, Gate } = pbem;

  Object.assign(Gate.prototype, {
    /** The seats still playing that have not accepted the draw that stands. */
    openTo() {
      const seats = this.seats.map((_, seat) => seat).filter((seat) => !this.left.includes(seat));
      return this.offer ? seats.filter((seat) => !this.offer.accepted.includes(seat)) : [];
    },
    /** What an entry says of a draw or a resignation, after all else that it brings. */
    end(contents) {
      const { draw, resigns, seat } = contents, { referee, trace } = this;
      if (this.isOver) {
        must(!draw && !resigns, "chain", "the game is over: nothing is said of a draw, and nobody resigns");
        return;
      }
      if (draw || resigns) {
        const isPlayed = trace.seats.some((one) => !one.keyed);
        must(trace.seats[seat].plays, "chain", "a witness decides nothing, and does not end the game");
        must(!draw || !isPlayed, "chain", "the rules play the other side: nobody agrees to a draw");
      }
      if (resigns) {
        must(!draw, "chain", "who resigns says nothing of a draw");
        this.resign(contents);
        return;
      }
      const alone = referee.waitsFor() === seat;
      if (draw === "offer" && alone) {
        const id = referee.request?.id ?? 0;
        must(this.offered.get(seat) !== id, "chain", "a draw was offered already while this question waited");
        this.offered.set(seat, id);
      }
      this.takeDraw(seat, draw, alone, referee.isPending);
      this.acceptByOrder();
    },
    takeDraw(seat, draw, alone, pending) {
      const standing = this.offer;
      if (draw === "offer" && !standing) {
        must(alone || this.seats.length <= 2, "chain", "between more than two seats a draw is offered in a turn of its own");
        this.offer = pending ? null : { alone, accepted: [seat] };
      } else if (draw === "accept" && standing && !standing.accepted.includes(seat)) {
        this.offer = { alone: standing.alone, accepted: [...standing.accepted, seat] };
        if (this.openTo().length) return;
        this.offer = null;
        this.outcome = { winners: [], how: "agreed by all players" };
      } else if (draw === "decline" && standing) {
        this.offer = null;
      } else {
        must(!draw, "chain", "no draw is offered that could be answered so, or one stands already");
        must(!standing?.alone, "chain", "a draw offered in a turn of its own is accepted or declined first");
        this.offer = null;
      }
    },
    acceptByOrder() {
      for (const seat of this.openTo()) {
        if (this.offer && this.referee.orders[seat].get("draw")?.rest === "accept") this.takeDraw(seat, "accept", false, false);
      }
    },
    resign(contents) {
      const { seat } = contents, { referee, trace } = this, side = (one) => trace.seats[one].side;
      const players = this.seats.map((_, one) => one).filter((one) => trace.seats[one].plays);
      const goesOn = new Set(players.map(side)).size > 2 && trace.decks.every((deck) => deck.owner === null);
      if (!goesOn) {
        const winners = this.seats.filter((_, one) => side(one) !== side(seat) && !(trace.seats[one].keyed && !trace.seats[one].plays));
        this.outcome = { winners, how: `${this.seats[seat]} resigned` };
        return;
      }
      const isAsked = referee.request?.kind === "ask" && referee.waitsFor() === seat && referee.request.seat === seat;
      const mayLeave = !trace.dice || (isAsked && !this.offer?.alone);
      must(mayLeave, "chain", "where dice are thrown a seat leaves only in place of the answer to its own question");
      must(referee.request?.kind !== "seal", "chain", "nobody leaves before the deck is shuffled");
      const playing = players.filter((one) => one !== seat && !this.left.includes(one));
      if (new Set(playing.map(side)).size === 1) {
        this.outcome = { winners: playing.map((one) => this.seats[one]), how: `${this.seats[seat]} resigned` };
        return;
      }
      this.offer = null;
      referee.leave(contents);
      this.outcome = referee.outcome;
    },
  });
})((globalThis.pbem ??= {}));
