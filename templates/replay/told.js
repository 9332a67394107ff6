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

  /** What is told of a game, entry by entry; what cannot be read is left out. */
  class Told {
    constructor(told) {
      this.told = told ?? {};
      try {
        this.boards = unfold(this.told.boards);
      } catch {
        this.boards = [];
      }
    }
    /** The picture after an entry, or null. */
    board(entry) {
      return this.boards[entry] ? drawingOf(this.boards[entry]) : null;
    }
    when(entry) {
      return texts([this.told.title, this.told.when?.[entry]]).join(": ");
    }
    deeds(entry) {
      return texts(this.told.deeds?.[entry]);
    }
    /** The backs in each hand after an entry, by the name of the seat. */
    hands(entry) {
      return Object.entries(this.told.hands?.[entry] ?? {}).map(([seat, backs]) => [seat, texts(backs)]);
    }
    get hasHands() {
      return Array.isArray(this.told.hands) && this.told.hands.some((one) => Object.keys(one ?? {}).length > 0);
    }
    get ending() {
      return texts([this.told.ending])[0] ?? "";
    }
  }

  Object.assign(pbem, { Told });
})((globalThis.pbem ??= {}));
