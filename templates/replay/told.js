// What is told of a game: boards, story and hands, from the page's own data. Nothing of it is checked, and all of it is shown in the
// frame "told" and nowhere else. What cannot be read is left out.
"use strict";
(function (pbem) {
  const SVG = "http://www.w3.org/2000/svg", VIEW_BOX = /^(-?[0-9.]+[ ,]+){2}[0-9.]+[ ,]+[0-9.]+$/;
  const PREFIX = "told-"; // of every id in a picture, so that none is an id of the page

  /** The board after each step, as the list of its parts; null where it stays as it was. */
  function unfold({ elements, changes }) {
    const boards = [];
    let now = [];
    for (const change of changes) {
      if (change) now = [...now];
      for (const [start, removed, added] of change ?? []) now.splice(start, removed, ...added);
      boards.push(change && now.every((number) => typeof elements[number] === "string") ? now : null);
    }
    return boards;
  }

  /** What of a picture may be shown: what draws. */
  const draws = (one) => one.namespaceURI === SVG && !["a", "foreignObject", "script"].includes(one.localName);

  function rename(one) {
    if (one.id) one.id = PREFIX + one.id;
    for (const { name, value } of [...one.attributes]) {
      if (name.startsWith("data-") && !["data-place", "data-high"].includes(name)) one.removeAttribute(name);
      else if (name.endsWith("href") && value.startsWith("#")) one.setAttribute(name, `#${PREFIX}${value.slice(1)}`);
      else if (value.includes("url(#")) one.setAttribute(name, value.replaceAll("url(#", `url(#${PREFIX}`));
    }
  }

  /** The picture of this text, or null where it is none. */
  function drawingOf(text) {
    const drawing = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
    if (drawing.localName !== "svg" || drawing.namespaceURI !== SVG || !VIEW_BOX.test(drawing.getAttribute("viewBox") ?? "")) return null;
    for (const one of [...drawing.querySelectorAll("*")].filter((one) => !draws(one))) one.remove();
    for (const one of [drawing, ...drawing.querySelectorAll("*")]) rename(one);
    return document.importNode(drawing, true);
  }

  const texts = (value) => (Array.isArray(value) ? value.filter((one) => typeof one === "string") : []);
  const isMove = (one) => Array.isArray(one) && one.length === 4 && typeof one[1] === "number" && texts(one).length === 3;
  const isText = (one) => one === undefined || typeof one === "string";
  const areNumbers = (one, count) => Array.isArray(one) && one.length === count && one.every(Number.isFinite);
  const isSpot = (one) => one === undefined || areNumbers(one, 2);
  const all = (list, test) => list === undefined || (Array.isArray(list) && list.every((one) => one && typeof one === "object" && test(one)));
  const isPiece = ({ kind, count, text, label, change }) => typeof kind === "string" && Number.isFinite(count) && isText(text) && isText(label) && Number.isFinite(change ?? 0);
  const isItem = ({ label, value, side, pieces, facts }) => [label, value, side].every(isText) && all(pieces, isPiece) && all(facts, isItem);
  const areStacks = (stack) => stack === undefined || Object.values(stack).every((one) => Array.isArray(one) && one.length === 2 && one.every((spot) => areNumbers(spot, 2)));
  const isPlace = ({ name, label, note, look, edge, colour, align, at, anchor, box, stack, pieces }) =>
    typeof name === "string" && [label, note, look, edge, colour, align].every(isText) && [at, anchor, box].every(isSpot) && (!box || at) && areStacks(stack) && all(pieces, isPiece);
  const isCount = (number) => number === undefined || (Number.isInteger(number) && number >= 0 && number < 100);
  const isThrow = ({ words, says, side, dice, hits, sides, pieces }) =>
    typeof words === "string" && [says, side].every(isText) && Array.isArray(dice) && dice.length < 100 && dice.every(isCount) && [hits, sides].every(isCount) && all(pieces, isPiece);
  const isThrown = ({ title, throws, says, losses, left, of }) =>
    typeof title === "string" && isText(says) && Array.isArray(throws) && all(throws, isThrow) && [left, of].every(isCount) && all(losses, ({ piece, cost }) => isText(cost) && all([piece], (one) => isPiece(one) && isCount(one.count)));
  const isWay = ({ source, target, count, via }) => [source, target].every((one) => typeof one === "string") && Number.isFinite(count ?? 0) && all(via, (spot) => areNumbers(spot, 2));
  const areSides = (sides) => sides === undefined || (Array.isArray(sides) && sides.length < 9 && sides.every((names) => names?.length > 0 && texts(names).length === names.length));

  /** Whether the stage can draw this. */
  const isBoard = ({ whole, places, strip, trays, ways, thrown, edges }) =>
    areNumbers(whole, 4) && areSides(edges) && Array.isArray(places) && all(places, isPlace) && all(strip, isItem) && all(trays, ({ title, items }) => isText(title) && all(items, isItem)) && all(ways, isWay) && (thrown === undefined || all([thrown], isThrown));

  const NAMED = /\{([0-9]{1,2})_*(\}?)/g;
  const inJson = (text) => JSON.stringify(text).slice(1, -1);

  /** A step of the film: its lines, the pieces that went somewhere, how many rolls fell with it, the backs that it opened. */
  const stepOf = (step, named) => ({
    lines: texts(step?.lines).map((line) => line.replace(NAMED, named)), moves: Array.isArray(step?.moves) && step.moves.some(isMove) ? step.moves.filter(isMove) : undefined,
    thrown: Number.isInteger(step?.rolls) ? step.rolls : 0, backs: texts(step?.opened),
  });

  /** Players' own pictures of their board, by the turn that signs them: only those whose bytes have the digest in the file (section 22). */
  function signedPictures(given, entries) {
    const found = new Map();
    for (const { number, fields } of entries) {
      const [text, wide, high] = Array.isArray(given?.[number]) ? given[number] : [];
      if (typeof text !== "string" || !areNumbers([wide, high], 2) || wide < 1 || high < 1) continue;
      try {
        const bytes = pbem.fromBase64(text), digest = pbem.toBase64(pbem.sha256(bytes));
        if (pbem.filesOf(fields).some((file) => file.digest === digest)) found.set(number, { address: `picture-${number}`, wide, high, href: `data:image/${bytes[0] === 0xff ? "jpeg" : "png"};base64,${text}` });
      } catch {
        // it is shown as if it were not there
      }
    }
    return found;
  }

  /** A board as it is shown over a picture (pbem/table/board_picture.py). */
  function onPicture(board, { address, wide, high }) {
    const scale = Math.min(900 / wide, 600 / high);
    return { ...board, whole: [(-wide * scale) / 2, (-high * scale) / 2, wide * scale, high * scale], places: [], ways: [], picture: { address, wide, high } };
  }

  /** What is told of a game, step by step: `steps` as the film plays them, `first` the number of the first step of each entry. */
  class Told {
    /** `players` are those of the file: where what is told names one, it is by their number; what a board cuts short, is cut here too. */
    constructor(told, entries, players = new Map()) {
      this.told = told ?? {};
      this.pictures = signedPictures(this.told.pictures, entries);
      const names = [...players.values()].map(({ name }) => [...name]);
      this.named = (token, number, end) => names[number]?.slice(0, end ? undefined : token.length).join("") ?? token;
      this.ground = texts([this.told.ground])[0] ? drawingOf(this.told.ground) : null;
      try {
        this.boards = unfold(this.told.boards);
      } catch {
        this.boards = [];
      }
      this.drawn = new Map();
      this.steps = Array.from({ length: entries.length }, (_, entry) => {
        const steps = this.told.film?.[entry], list = Array.isArray(steps) && steps.length ? steps : [null];
        return list.map((step, nth) => ({ entry, nth, ...stepOf(step, this.named) }));
      }).flat();
      this.first = Array.from({ length: entries.length }, (_, entry) => this.steps.findIndex((step) => step.entry === entry));
      this.steps.forEach((step, place) => Object.defineProperty(step, "board", { get: () => this.board(place) }));
    }
    /** The board after a step where that changed it, as the stage draws it. */
    board(place) {
      const { entry } = this.steps[place], list = this.boards[place] ?? (this.first[entry] === place && this.pictures.has(entry) ? this.boards.slice(0, place).findLast(Boolean) : null);
      if (list && !this.drawn.has(place)) {
        const board = this.onStage(list), newest = [...this.pictures.keys()].findLast((number) => number <= entry);
        this.drawn.set(place, board && newest !== undefined ? onPicture(board, this.pictures.get(newest)) : board);
      }
      return this.drawn.get(place);
    }
    onStage(list) {
      const board = {};
      try {
        for (const number of list) {
          const part = JSON.parse(this.told.boards.elements[number].replace(NAMED, (...found) => inJson(this.named(...found))));
          for (const [key, value] of Object.entries(part)) board[key] = Array.isArray(board[key]) ? [...board[key], ...value] : value;
        }
        return isBoard(board) ? board : undefined;
      } catch {
        return undefined;
      }
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

  Object.assign(pbem, { Told, PREFIX });
})((globalThis.pbem ??= {}));
