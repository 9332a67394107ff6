// Places without a spot of their own, round a table: each side has an edge of it (`board.edges`, the near one first), where its
// values and its places lie; what is nobody's lies between. Cards are as large as all of them can be, and the sides share what
// is left of the window. An arrangement stays for as long as it fits, so that nothing moves while a turn is made.
"use strict";

const LEAST_CARD = 22, LEAST_FACE = 32, MOST_CARD = 230, MOST_LOOSE = [68, 28], SHRINK = 0.95; // dots of a card's width, least where cards have no side, and the steps in which they are tried
const LARGER = 1.5; // at a side a place is at most so many times as wide and as high as what lies there; so are cards where a side has room
const MOST_LABEL = 120; // dots of the label below a card of nobody's side
const CLOSE = 0.85; // seatings by which the least cards are so large, of what they could be, are as good: the one counts that shows most of all cards
const STAYS = 0.65; // and so large, that people stay where they sat
const AS_USUAL = 1.12, IN_A_ROW = 0.33; // so many times as good is how people usually sit, and where three sides or more sit in one row, so that nobody is nearest
const hasRows = () => [...pins.values()].some((pin) => !pin.place.at);
let rows = null; // the newest arrangement
const shores = new Map(); // the part of the sea of each side, by the side's name

// The values of the strip that lie at an edge, as places.
function platesOf({ edges = [], strip = [] }) {
  return edges.flatMap(([side, ...more]) => [side, ...more].map((name) => strip.find((item) => item.name === name)).filter(Boolean)
    .map(({ name, label, pieces, is_now }) => ({ name, label, pieces, look: "plate", edge: side, says: label, isNow: is_now })));
}
const isLooseCards = ({ look, edge }) => look === "cards" && !edge && Boolean(board.edges);
const liesAtEdge = (item) => (board.edges ?? []).some((names) => names.includes(item.name));

// How wide a text is, in letters' heights.
const wides = new Map();
const ruler = document.createElement("canvas").getContext("2d");
function wideOf(text) {
  if (!wides.has(text)) {
    ruler.font = 'bold 20px "Chart Sans", system-ui, sans-serif';
    wides.set(text, ruler.measureText(text).width / 20);
  }
  return wides.get(text);
}

// The letters of a place of cards, and how wide and high it is, where its cards are so wide.
const lettersAt = (card) => ({ title: Math.max(13, Math.min(24, card * 0.2)), label: Math.max(12, Math.min(16, card * 0.17)) });
function sizeAt({ place, full, small }, widest, room) {
  const { isCompact } = room;
  if (place.look !== "cards") return isCompact ? small : full;
  if (room.isBrief) return globalThis.briefly(place, room);
  const isLoose = isLooseCards(place), card = isLoose ? Math.min(widest, MOST_LOOSE[Number(isCompact)]) : widest, pieces = place.pieces ?? [], pad = Math.max(3, card * 0.05);
  const hasHead = !place.edge, names = pieces.map((piece, at) => (at || hasHead ? piece.label ?? "" : place.label).split("\n")), lines = Math.max(...names.map((all) => (all[0] ? all.length : 0)), 0);
  const [stepper, steps] = canAnswer && hasCounters(place) ? globalThis.stepperAt(isCompact) : [0, 0];
  const { title, label } = lettersAt(card), cell = Math.max(card * 1.07, stepper, Math.min(hasHead ? MOST_LABEL : Math.max(50, card * 1.7), Math.max(...names.flat().map(wideOf), 0) * label + 6)), head = hasHead ? wideOf(place.label) * title : 0, face = card * 1.52 + lines * label * 1.2 + steps;
  if (isLoose && isCompact) return [head + cell * names.length + 2 * pad + 12, Math.max(44, face + 2 * pad + 6), card, cell];
  return [Math.max(cell * names.length, head) + 2 * pad + 6, (hasHead ? title * 1.25 : 0) + face + (place.note ? 16 : 0) + 2 * pad + 6, card, cell];
}

// Who sits where: bands from the far edge to the near one, in each the sides from left to right. Usually all others sit at the far
// edge, or up to two of them at the left and the right; else a neighbour at an end of the near edge, or several bands of others.
// The plates of partners lie one beside the other, or stacked where their places are narrower than that.
function seatings() {
  const sides = new Map((board.edges ?? []).map((names) => [names[0], { name: names[0], plates: [], places: [] }])), loose = { plates: [], places: [] };
  for (const pin of pins.values()) if (!pin.button.hidden) (sides.get(pin.place.edge) ?? loose)[pin.place.look === "plate" ? "plates" : "places"].push(pin);
  if (!sides.size) return [{ key: "", good: 1, bands: [[loose]] }];
  const [near, ...others] = sides.values(), found = [];
  near.isNear = true;
  const add = (key, isUsual, bands) => {
    const good = isUsual ? AS_USUAL : bands[1] || !others[1] ? 1 : IN_A_ROW;
    if (!loose.places.length) found.push({ key, good, bands });
    else for (const at of bands.keys()) {
      const isBetween = at > 0 && at + 1 < bands.length && bands[at].length > 1;
      found.push({ key: `${key} ${at}`, good, bands: bands.map((band, number) => (number !== at ? band : isBetween ? [band[0], loose, ...band.slice(1)] : [...band, loose])) });
    }
  };
  for (const [atLeft, atRight] of [[0, 0], [1, 1], [1, 0], [0, 1]]) for (const between of [0, 1, 2]) {
    if (atLeft + atRight + 2 * between > others.length) continue;
    const left = others.slice(0, atLeft + between), right = others.slice(others.length - atRight - between), far = others.slice(left.length, others.length - right.length);
    const middle = left.slice(atLeft).map((side, at) => [side, right[between - 1 - at]]).reverse();
    add(`${atLeft}${between}${atRight}`, !atLeft && !atRight, [far, ...middle, [...left.slice(0, atLeft), near, ...right.slice(between)]].filter((band) => band.length));
  }
  for (let cuts = 1; cuts < 1 << Math.max(0, others.length - 1); cuts++) {
    const bands = [[]];
    for (const [at, side] of others.entries()) {
      bands[0].push(side);
      if ((cuts >> at) & 1) bands.unshift([]);
    }
    add(`cut ${cuts}`, false, [...bands, [near]]);
  }
  if ([near, ...others].some(({ plates }) => plates.length > 1)) found.push(...found.map((one) => ({ ...one, key: `${one.key} stacked`, isStacked: true })));
  return found;
}

const sum = (all, apart = 0) => all.reduce((total, one) => total + one, 0) + apart * Math.max(0, all.length - 1);

// What is left over, shared by these weights; by the others where none has any.
function shared(rest, weights, others) {
  const all = sum(weights) ? weights : others, total = sum(all) || 1;
  return all.map((weight) => (rest * weight) / total);
}

// The places of a side in so many lines.
function inLines(places, lines) {
  const each = Math.max(1, Math.ceil(places.length / lines));
  return Array.from({ length: Math.ceil(places.length / each) }, (_, at) => places.slice(at * each, (at + 1) * each));
}

// In as few lines as there is room for, and these as alike as can be.
function inFullLines(places, card, room) {
  const all = places.map((pin) => [pin, sizeAt(pin, card, room)[0] + room.gap]), within = (part) => {
    const lines = [];
    let left = 0;
    for (const [pin, wide] of all) {
      if (left < wide) left = lines.push([]) && part * (room.wide - 2 * room.edge + room.gap);
      left -= wide;
      lines.at(-1).push(pin);
    }
    return lines;
  };
  let lines = within(1);
  for (let part = 1, next = lines; part > 0.2 && !next[lines.length]; next = within((part *= SHRINK))) lines = next;
  return lines;
}

// How wide and high a side is with its places in so many lines, and its plates along its edge: stacked where they are wider than these.
function sideIn(side, lines, card, room, isStacked) {
  const { gap, edge, offer } = room;
  const all = board.edges ? inLines(side.places, lines) : inFullLines(side.places, card, room), sizes = all.map((line) => line.map((pin) => sizeAt(pin, card, room))), plates = side.plates.map((pin) => sizeAt(pin, card, room));
  const beside = side.isNear ? offer : [0, 0], widths = sizes.map((line) => sum(line.map((size) => size[0]), gap)), isColumn = plates.length > 1 && isStacked && sum(plates.map((size) => size[0])) > Math.max(...widths, 0), highs = sizes.map((line) => Math.max(...line.map((size) => size[1])));
  const long = isColumn ? Math.max(...plates.map((size) => size[0])) : sum(plates.map((size) => size[0]), 4), plate = Math.max(beside[1], isColumn ? sum(plates.map((size) => size[1]), 3) : Math.max(...plates.map((size) => size[1]), 0));
  const own = Math.max(...widths, 0), tall = sum(highs, gap);
  return { side, all, plates, plate, long, isColumn, beside, own, tall, wide: Math.max(long + beside[0], own) + 2 * edge, high: plate + tall + (plate && tall ? gap : 0) + 2 * edge };
}

// A seating with cards of this width, each band in as few lines as have room; null where there is none.
function measured({ key, good, isStacked, bands }, card, room) {
  const done = [];
  for (const band of bands) {
    let parts = null;
    for (let lines = 1; !parts && lines <= Math.max(...band.map((side) => side.places.length), 1); lines++) {
      parts = band.map((side) => sideIn(side, lines, card, room, isStacked));
      if (sum(parts.map((part) => part.wide), room.gap) > room.wide) parts = null;
    }
    if (!parts) return null;
    done.push({ parts, high: Math.max(...parts.map((part) => part.high)) });
  }
  return { key, good, isStacked, card, bands: done, high: sum(done.map((band) => band.high), room.gap) };
}

// Where everything lies then, about the middle: places with their sizes, the part of each side; and how much there is to see of cards.
function laidOut(seating, room) {
  const high = Math.max(room.high, seating.high), lying = [], parts = [], tallest = seating.bands.map((band) => Math.max(...band.parts.map((part) => part.tall)));
  const more = shared(high - seating.high, tallest, seating.bands.map((band) => band.high));
  let top = -high / 2;
  for (const [at, { parts: sides, high: least }] of seating.bands.entries()) {
    const spare = shared(Math.max(0, room.wide - sum(sides.map((part) => part.wide), room.gap)), sides.map((part) => (part.side.name ? part.own : 0)), sides.map((part) => part.wide));
    let left = -room.wide / 2;
    for (const [number, part] of sides.entries()) {
      const box = { left, top, wide: part.wide + spare[number], high: least + more[at] }, isBelow = at + 1 === seating.bands.length && (part.side.isNear || at > 0);
      lying.push(...sideLies(part, box, isBelow, seating.card, room));
      if (part.side.name) parts.push({ name: part.side.name, ...box });
      left += box.wide + room.gap;
    }
    top += least + more[at] + room.gap;
  }
  return { ...seating, lying, parts, worth: worthOf(lying) };
}

// How much there is to see of the places at the edges: of their cards, and of the table that they fill.
function worthOf(lying) {
  const seated = lying.filter(({ pin }) => pin.place.edge && pin.place.look !== "plate");
  return sum(seated.map(({ pin, card }) => (pin.place.pieces?.length ?? 0) * card ** 2)) * sum(seated.map(({ size }) => size[0] * size[1])) ** 1.5;
}

// The plates of a side along its edge, and its places in the rest, their cards larger where there is room.
function sideLies({ side, all, plates, plate, long, isColumn, beside }, box, isBelow, card, room) {
  const { gap, edge } = room;
  const lying = [], air = board.edges ? 3 : 9, inside = box.wide - 2 * edge, start = isBelow ? box.top + box.high - edge - plate : box.top + edge;
  let x = Math.max(box.left + edge + beside[0], box.left + (box.wide - long) / 2), y = start;
  for (const [at, size] of plates.entries()) {
    lying.push({ pin: side.plates[at], size, spot: [isColumn ? Math.max(x + long / 2, box.left + box.wide / 2) : x + size[0] / 2, isColumn ? y + size[1] / 2 : start + plate / 2] });
    x += isColumn ? 0 : size[0] + 4;
    y += size[1] + 3;
  }
  const taken = plate ? plate + gap : 0, rest = box.high - 2 * edge - taken - gap * (all.length - 1), sizesAt = (wide) => all.map((line) => line.map((pin) => sizeAt(pin, wide, room)));
  const tall = (sizes) => sizes.map((line) => Math.max(...line.map((size) => size[1]))), fits = (sizes) => sum(tall(sizes)) <= rest && sizes.every((line) => sum(line.map((size) => size[0]), gap) <= inside);
  let larger = LARGER, sizes = sizesAt(card * larger);
  while (larger > 1 && !fits(sizes)) sizes = sizesAt(card * Math.max(1, (larger *= SHRINK)));
  const highs = tall(sizes), grown = Math.max(1, Math.min(air, rest / sum(highs))), apart = (rest - sum(highs) * grown) / (highs.length + 1);
  y = box.top + edge + (isBelow ? 0 : taken) + apart;
  for (const [at, line] of sizes.entries()) {
    const own = sum(line.map((size) => size[0])), spare = inside - gap * (line.length - 1), wider = Math.max(1, Math.min(air, spare / own)), between = (spare - own * wider) / (line.length + 1), tallest = highs[at] * grown;
    x = box.left + edge + between;
    for (const [number, [wide, high, width, cell, isAbove]] of line.entries()) {
      const pin = all[at][number];
      lying.push({ pin, size: isLooseCards(pin.place) ? [wide, high] : [wide * wider, tallest], spot: [x + (wide * wider) / 2, y + tallest / 2], card: width, cell, isAbove });
      x += wide * wider + gap + between;
    }
    y += tallest + gap + apart;
  }
  return lying;
}

// The best arrangement, or the one there is for as long as it fits and nothing has left the table; else people keep their seats. At a table cards of nobody's side
// that have no room are values in a line (asked.js). A window that is too small for the least cards is filled beyond its edge.
function arrangement(usual) {
  const room = { ...usual, isBrief: Boolean(rows?.isBrief) }, found = arranged(room);
  return found.fits || room.isBrief || board.edges || !canAnswer ? { ...found, isBrief: room.isBrief } : { ...arranged({ ...room, isBrief: true }), isBrief: true };
}

function arranged(room) {
  const all = seatings(), count = pins.size, fits = (seating, card) => {
    const one = measured(seating, card, room);
    return one && one.high <= room.high ? one : null;
  };
  const now = rows?.fits ? all.find((one) => one.key === rows.key) : null, stays = now && count >= rows.count && fits(now, rows.card);
  if (stays) return { ...laidOut(stays, room), count, fits: true };
  const fitting = [];
  let largest = 0;
  for (let card = Math.min(MOST_CARD, room.high * 0.4, room.wide * 0.4); card >= Math.max(board.edges ? LEAST_CARD : LEAST_FACE, largest * STAYS); card *= SHRINK) for (const seating of all) {
    if (fitting.some((one) => one.key === seating.key) || (card < largest * CLOSE && seating !== now)) continue;
    const one = fits(seating, card);
    if (one) fitting.push(laidOut(fits(seating, card * SHRINK) ?? one, room)); // with room for one more card
    if (one?.good >= 1) largest = Math.max(largest, card);
  }
  const isNow = (one) => Number(one.key === now?.key), worth = (one) => one.worth * one.good, [best] = fitting.sort((one, other) => isNow(other) - isNow(one) || worth(other) - worth(one));
  if (best) return { ...best, count, fits: true };
  const least = all.map((one) => measured(one, LEAST_CARD, room)).filter(Boolean).sort((one, other) => one.high - other.high)[0];
  if (least) return { ...laidOut(least, room), count, fits: false };
  const widest = measured(all[0], LEAST_CARD, { ...room, wide: Infinity });
  return { ...laidOut(widest, { ...room, wide: Math.max(...widest.bands.map((band) => sum(band.parts.map((part) => part.wide), room.gap))) }), count, fits: false };
}

// What is free for them; at a table something may be offered below at the left (asked.js).
function roomOf(free) {
  const { below = 0, offer = [0, 0] } = globalThis.roomOfOffer?.(free) ?? {}, isCompact = isCompactAt(1, free);
  return { below, wide: free.width - 2 * MARGIN, high: free.height - 2 * MARGIN - below, isCompact, gap: isCompact ? 5 : GAP, edge: isCompact ? 3 : 5, offer };
}

// All of them are put where they lie, about the middle of what is free; the camera that shows them.
function inRows() {
  const free = freePart(), room = roomOf(free), gone = new Set(shores.keys());
  globalThis.spare?.();
  rows = arrangement(room);
  byId("view").classList.toggle("brief", rows.isBrief);
  for (const { pin, size, spot, card, cell, isAbove } of rows.lying) {
    Object.assign(pin, { now: size, inRow: spot });
    pin.button.classList.toggle("named-above", Boolean(isAbove));
    if (cell !== undefined) setSizes(pin.button, size, { card, cell, ...lettersAt(card) });
  }
  for (const { name, ...box } of rows.parts) {
    putShore(name, box);
    gone.delete(name);
  }
  for (const name of gone) {
    shores.get(name).element.remove();
    shores.delete(name);
  }
  return bounded({ scale: 1, left: (free.left + free.right) / 2, top: rows.fits ? (free.top + free.bottom - room.below) / 2 : free.top + MARGIN + Math.max(room.high, rows.high) / 2, isTurned: false });
}

function setSizes(button, [wide, high], sizes) {
  Object.assign(button.style, { width: `${wide}px`, height: `${high}px` });
  for (const [name, value] of Object.entries(sizes)) button.style.setProperty(`--${name}`, `${value.toFixed(1)}px`);
}

function putShore(name, box) {
  if (!shores.get(name)?.element.isConnected) shores.set(name, { element: make("div", { className: "shore", ariaHidden: "true" }) });
  const shore = Object.assign(shores.get(name), { box });
  if (!shore.element.isConnected) document.querySelector("#view .pins").prepend(shore.element);
}

// Where the camera shows them.
function drawShores() {
  for (const { element, box } of shores.values()) {
    const [left, top] = onScreen([box.left, box.top]);
    Object.assign(element.style, { width: `${box.wide * camera.scale}px`, height: `${box.high * camera.scale}px`, transform: `translate(${left}px, ${top}px)` });
  }
}

function followRows() {
  if (!isHeld) aim();
  else if (inRows()) goTo(camera);
}
