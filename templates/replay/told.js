// The frame "told": pictures, story and hands, from the page's own data. Nothing of it is checked, and none of its words
// stands anywhere else.
"use strict";
(function (pbem) {
  const SVG = "http://www.w3.org/2000/svg";

  /** The text of the picture after an entry: each picture is kept as its difference from the one before. */
  function unfold({ elements, changes }) {
    const boards = [];
    let now = [];
    for (const change of changes) {
      now = [...now];
      for (const [start, removed, added] of change ?? []) now.splice(start, removed, ...added);
      boards.push(now);
    }
    return boards.map((list) => list.map((number) => elements[number]).join(""));
  }

  /** What of a picture may be shown: what draws. */
  const draws = (one) => one.namespaceURI === SVG && !["a", "foreignObject", "script"].includes(one.localName);

  /** The picture of this text, or null where it is none. */
  function drawingOf(text) {
    const drawing = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
    if (drawing.localName !== "svg" || drawing.namespaceURI !== SVG) return null;
    for (const one of [...drawing.querySelectorAll("*")].filter((one) => !draws(one))) one.remove();
    return document.importNode(drawing, true);
  }

  const texts = (value) => (Array.isArray(value) ? value.filter((one) => typeof one === "string") : []);
  const isMove = (one) => Array.isArray(one) && one.length === 4 && typeof one[1] === "number" && texts(one).length === 3;

  const NAMED = /\{([0-9]{1,2})_*(\}?)/g;
  const inMarkup = (text) => text.replace(/[&<>"']/g, (sign) => `&#${sign.codePointAt(0)};`);

  /** A step of the film: its lines, the pieces that went somewhere, how many rolls fell with it, the backs that it opened. */
  const stepOf = (told, named) => ({
    lines: texts(told?.lines).map((line) => line.replace(NAMED, named)), moves: Array.isArray(told?.moves) ? told.moves.filter(isMove) : [],
    rolls: Number.isInteger(told?.rolls) ? told.rolls : 0, opened: texts(told?.opened),
  });

  /** What is told of a game, entry by entry and step by step; what cannot be read is left out. */
  class Told {
    /** `players` are those of the file: where what is told names one, it is by their number; what a picture cuts short, is cut here
     * too. */
    constructor(told, entries, players = new Map()) {
      this.told = told ?? {};
      const names = [...players.values()].map(({ name }) => [...name]);
      this.named = (token, number, end) => names[number]?.slice(0, end ? undefined : token.length).join("") ?? token;
      try {
        this.boards = unfold(this.told.boards);
      } catch {
        this.boards = [];
      }
      this.film = Array.from({ length: entries }, (_, entry) => {
        const steps = this.told.film?.[entry];
        return Array.isArray(steps) && steps.length ? steps.map((step) => stepOf(step, this.named)) : [stepOf(null)];
      });
      let first = 0;
      this.first = this.film.map((steps) => (first += steps.length) - steps.length);
    }
    /** The picture after a step of an entry, or null. */
    board(entry, step) {
      const text = this.boards[this.first[entry] + step];
      return text ? drawingOf(text.replace(NAMED, (...found) => inMarkup(this.named(...found)))) : null;
    }
    when(entry) {
      return texts([this.told.title, this.told.when?.[entry]]).join(": ");
    }
    /** The backs in each hand after an entry, by the name of the seat. */
    hands(entry) {
      return Object.entries(this.told.hands?.[entry] ?? {}).map(([seat, backs]) => [seat, texts(backs)]);
    }
    get hasHands() {
      return Array.isArray(this.told.hands) && this.told.hands.some((one) => Object.keys(one ?? {}).length > 0);
    }
    get ending() {
      return (texts([this.told.ending])[0] ?? "").replace(NAMED, this.named);
    }
  }

  Object.assign(pbem, { Told });
})((globalThis.pbem ??= {}));
