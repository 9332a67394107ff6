// The board on the stage, from the data that pbem/games/stage.py describes: `drawBoard(data)` draws a position, and the
// same again at another time. Places are buttons (`pins`, by name) above the backdrop; `spotOf(name)` is where one is seen.
"use strict";

const SVG = "http://www.w3.org/2000/svg";
const MOST_PLATES = 5; // of players in a row, where each row has little room
const MOST_STANDING = 5; // pieces of a stack that are drawn; more are a number on the last one
const MOST_COUNTED = 6; // pieces of a kind that stand one by one in a panel; more are one with a number
const MOST_IN_CELL = 3, MOST_IN_LANE = 2; // panels of usual size in a cell of a chart, and on a telephone; more are small
let board = { whole: [0, 0, 900, 600], places: [] }; // what is drawn
let canAnswer = true; // places are buttons, but for a page that only shows a game
let ground = null; // the backdrop or the picture: its element, and its measure
const pins = new Map(); // by name of the place: the place, its button, its size in both drawings, how far it was moved aside

const byId = (id) => document.getElementById(id);
const make = (tag, facts = {}) => Object.assign(document.createElement(tag), facts);
const draw = (tag, attributes = {}) => {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
};

function takeGround(svg) {
  const [left, top, width, height] = svg.getAttribute("viewBox").split(/[ ,]+/).map(Number);
  Object.assign(svg.style, { width: `${width}px`, height: `${height}px` });
  svg.setAttribute("aria-hidden", "true");
  ground = { svg, left, top, width, height, isBackdrop: Boolean(svg.closest(".backdrop")), leads: draw("g", { class: "leads" }), trails: draw("g", { class: "trails" }), standing: draw("g", { class: "standing" }) };
  svg.append(ground.leads, ground.standing, ground.trails);
  trailsOf = null;
}

// The camera follows at once, or with the question that comes after it, and so are the places measured.
function drawBoard(data, isFollowed = false) {
  board = data;
  byId("view")?.classList.toggle("of-fields", Boolean(data.fields));
  byId("view")?.classList.toggle("of-squares", data.fields === "squares");
  byId("view")?.classList.toggle("seated", Boolean(data.edges));
  const places = [...data.places, ...platesOf(data)], names = new Set(places.map((place) => place.name));
  for (const [name, pin] of pins) if (!names.has(name)) {
    pin.button.remove();
    pins.delete(name);
  }
  let isChanged = false;
  const cells = perCell(places);
  for (const place of places) isChanged = drawPlace(place, cells) || isChanged;
  drawPicture();
  drawStanding();
  drawStrip();
  drawThrown();
  isResized ||= isChanged;
  if (isFollowed) return;
  drawTrails();
  if (!isChanged) return;
  measurePins();
  if (hasRows() && byId("view").dataset.lies) followRows();
}

// How many panels stand in each cell of a chart: a spot whose middle is theirs too.
function perCell(places) {
  const cells = new Map(places.filter((one) => one.box && one.at).map((one) => [String(one.at), 0]));
  for (const { box, at } of places) if (!box && cells.has(String(at))) cells.set(String(at), cells.get(String(at)) + 1);
  return cells;
}

// Whether pieces are numbers that are counted up and down.
const hasCounters = ({ pieces }) => Boolean(pieces?.some((one) => one.more));

// The button of a place; true where it may have another size now.
function drawPlace(place, cells) {
  const isInCell = !place.box && [...cells.values()].some(Boolean), inCell = isInCell ? cells.get(String(place.at)) ?? 1 : 0, told = JSON.stringify([place, inCell]), before = pins.get(place.name);
  if (before?.told === told) return false;
  const counts = canAnswer && hasCounters(place), pin = before ?? { button: canAnswer && !counts ? make("button", { type: "button" }) : make("div"), aside: [0, 0], full: [0, 0], small: [0, 0] };
  Object.assign(pin, { place, told });
  pin.button.dataset.place = place.name;
  pin.button.className = [...new Set(["pin", place.look ?? "pin", ...(place.colour ? [`of-${place.colour}`] : []), ...[...pin.button.classList].filter((one) => /^(can-go|chosen-place|touched|fights)$/.test(one))])].join(" ");
  pin.button.classList.toggle("marked", Boolean(place.marked));
  pin.button.classList.toggle("now", Boolean(place.isNow));
  pin.button.classList.toggle("has-pieces", Boolean(place.pieces));
  pin.button.classList.toggle("in-cell", isInCell);
  pin.button.classList.toggle("shared", inCell > 1);
  pin.button.classList.toggle("many", inCell > MOST_IN_LANE);
  pin.button.classList.toggle("crowded", inCell > MOST_IN_CELL);
  pin.inCell = inCell;
  if (place.box && board.stretches) pin.button.title = place.label;
  pin.button.classList.toggle("loose", isLooseCards(place));
  pin.button.classList.toggle("counts", counts);
  const refocus = globalThis.focusIn?.(pin.button);
  pin.button.replaceChildren();
  if (place.label && place.look !== "spot" && !(place.look === "cards" && place.edge)) pin.button.append(nameOn(place.label, isInCell));
  if (!place.stack && place.pieces) pin.button.append(place.look === "cards" ? cardsOf(place) : piecesOf(place.pieces, place.look === "plate" ? 0 : MOST_COUNTED));
  if (place.note) pin.button.append(make("span", { className: "note", textContent: place.note }));
  if (!before) {
    if (canAnswer) pin.button.tabIndex = -1;
    pins.set(place.name, pin);
    document.querySelector("#view .pins").append(pin.button);
    if (isFilming()) pbem.film.fade(pin.button); // a tile that is turned over
  }
  for (const part of pin.button.children) part.ariaHidden = "true"; // its name says all of it in words
  pin.button.append((pin.says = make("span", { className: "unseen" })));
  nameOfPin(pin);
  if (counts) pin.button.append(globalThis.steppersOf(place));
  refocus?.();
  return true;
}

// The name on a panel; where it ends with a number, that is all of it in a slim cell.
function nameOn(label, isInCell) {
  const [, kind, number] = (isInCell && /^(.+ )(\d+)$/.exec(label)) || [, "", label], name = make("span", { className: "name" });
  name.append(...(kind ? [make("span", { className: "sort", textContent: kind })] : []), number);
  return name;
}

// What a screen reader says of a place; `more` is what can be done there now.
function nameOfPin(pin, more = "") {
  const standing = (pin.place.pieces ?? []).filter((one) => one.count).map(inWords);
  const words = [pin.place.says ?? pin.place.name, standing.join(", "), pin.within, pin.place.note, pin.place.spent && "used"].filter(Boolean).join(": ");
  const says = more ? `${words}; ${more}` : words;
  if (pin.says.textContent !== says) pin.says.textContent = says;
}

// So many pieces of a kind; one that has a text of its own has it before its words.
function inWords(piece) {
  const number = piece.is_single ? "" : piece.text || piece.count;
  const words = piece.is_single || piece.text || piece.count === 1 ? piece.words : piece.many || `${piece.words}s`;
  return `${[number, words].filter(Boolean).join(" ")}${piece.leads ? ", leading" : piece.ties ? ", tied" : ""}`;
}

const signed = (number) => (number > 0 ? `+${number}` : `−${-number}`);

// Pieces of a kind side by side, up to so many; more are one with a number.
function piecesOf(all, most = 0) {
  const box = make("span", { className: "pieces" });
  for (const piece of all) {
    const one = make("span", { className: "piece" }), isCounted = piece.is_single || (!piece.text && piece.count > 0 && piece.count <= most);
    one.dataset.piece = piece.kind;
    const number = isCounted && !piece.is_single ? piece.count : 1;
    if (piece.kind) one.append(...(hasSymbol(piece.kind) ? Array.from({ length: number }, () => symbolOf(piece.kind)) : [inWords(piece)]));
    if (number > 1) one.dataset.count = number;
    if (!isCounted && hasSymbol(piece.kind)) one.append(piece.text || String(piece.count));
    if (!piece.count) one.classList.add("gone");
    if (piece.change) one.append(make("i", { textContent: signed(piece.change) }));
    box.append(one);
  }
  return box;
}

// Pieces that lie side by side like cards, the text on each and its label below it; several are a stack. At an edge, where one sees
// whose they are, the first one has the name of the place.
function cardsOf({ label, edge, pieces: all }) {
  const box = make("span", { className: "pieces" });
  for (const piece of all) {
    const one = make("span", { className: `piece${piece.leads ? " leads" : ""}${piece.count > 1 ? " stack" : ""}` }), ribbon = piece.leads ? "leads" : piece.ties ? "tie" : "";
    one.dataset.piece = piece.kind;
    if (!hasSymbol(piece.kind)) one.classList.add("told");
    one.append(hasSymbol(piece.kind) ? symbolOf(piece.kind) : inWords(piece));
    if (hasSymbol(piece.kind)) one.append(make("b", { className: piece.text ? "" : "face-value", textContent: piece.text || piece.value || (piece.count > 1 ? piece.count : "") }));
    if (ribbon) one.append(make("span", { className: "ribbon", textContent: ribbon }));
    const below = edge && piece === all[0] ? label : piece.label;
    if (below) one.append(make("small", { textContent: below }));
    if (piece.change) one.append(make("i", { textContent: signed(piece.change) }));
    box.append(one);
  }
  return box;
}

// A picture that players made of their board lies on the backdrop. Its bytes are asked for once; the page's policy takes them as an
// address that holds them.
const pictures = new Map(); // by address: the data address, or a promise of it
function drawPicture() {
  if (!ground) return;
  const { picture, whole } = board, old = ground.picture;
  if (old?.dataset.address === picture?.address) return;
  old?.remove();
  ground.picture = null;
  if (!picture) return;
  const [x, y, width, height] = whole, image = draw("image", { x, y, width, height, preserveAspectRatio: "none", class: "board-picture" });
  image.dataset.address = picture.address;
  ground.leads.before(image);
  ground.picture = image;
  if (!pictures.has(picture.address)) pictures.set(picture.address, pictureAt(picture.address));
  Promise.resolve(pictures.get(picture.address)).then((href) => image.setAttribute("href", href), () => pictures.delete(picture.address));
}

async function pictureAt(address) {
  const answer = await globalThis.ask(address), bytes = new Uint8Array(await (await answer.blob()).arrayBuffer()), reader = new FileReader();
  if (answer.status !== 200) throw new Error("the picture is not here");
  return new Promise((done) => {
    reader.onload = () => done(reader.result);
    reader.readAsDataURL(new Blob([bytes], { type: bytes[0] === 0xff ? "image/jpeg" : "image/png" }));
  });
}

// The id of the symbol of a kind, as it stands in the backdrop.
let symbolPrefix = "";
const symbolId = (kind) => `${symbolPrefix}${kind}`;
const hasSymbol = (kind) => !kind || byId(symbolId(kind)) !== null;

function symbolOf(kind) {
  const high = byId(symbolId(kind))?.dataset.high ?? 40; // of a card more than of a piece
  const svg = draw("svg", { viewBox: `0 0 40 ${high}`, "aria-hidden": "true" });
  svg.append(draw("use", { href: `#${symbolId(kind)}` }));
  return svg;
}

// These children and no others, in this order; what is there already stays as it is.
function put(box, children) {
  const wanted = new Set(children);
  for (const one of [...box.children]) if (!wanted.has(one)) one.remove();
  children.forEach((one, at) => one !== box.children[at] && box.insertBefore(one, box.children[at] ?? null));
}

// Pieces that stand in the backdrop itself, one beside the other.
function drawStanding() {
  if (!ground) return;
  const size = board.piece_size ?? 40, drawn = [], before = new Map([...ground.standing.children].map((one) => [one.drawnFrom, one]));
  for (const place of board.places) for (const piece of place.stack ? place.pieces ?? [] : []) {
    const [[x, y], [right, down]] = place.stack[piece.kind] ?? [place.at, [0, 0]], most = Math.min(piece.count, MOST_STANDING);
    for (let nth = 0; nth < most; nth++) {
      const more = nth < most - 1 ? "" : piece.text ?? (piece.count > most ? piece.count : ""), told = JSON.stringify([place.name, piece.kind, x, y, nth, more, place.spent]);
      if (before.has(told)) {
        drawn.push(before.get(told));
        continue;
      }
      const one = Object.assign(draw("g", { transform: `translate(${x + right * nth} ${y + down * nth})`, "data-piece": piece.kind, "data-at": place.name, ...(place.spent && { class: "spent" }) }), { drawnFrom: told });
      one.append(draw("use", { href: `#${symbolId(piece.kind)}`, transform: `scale(${size / 40}) translate(-20 -20)` }));
      if (more) one.append(Object.assign(draw("text", { class: `upright count ${piece.kind}`, y: 8 }), { textContent: more }));
      drawn.push(one);
    }
  }
  put(ground.standing, drawn);
}

// The disc of each anchor, and a line from it to a panel that does not stand beside it.
function drawLeads() {
  const drawn = [], before = new Map([...ground.leads.children].map((one) => [one.drawnFrom, one])), radius = Math.min(6, 5 / camera.scale);
  const known = (told, tag, attributes) => drawn.push(before.get(told) ?? Object.assign(draw(tag, attributes), { drawnFrom: told }));
  for (const pin of pins.values()) {
    if (!pin.place.anchor) continue;
    const [x, y] = pin.place.anchor, [atX, atY] = onScreen(pin.place.anchor), { left, top, right, bottom } = edgesOf(pin);
    const nearest = [Math.max(left, Math.min(right, atX)), Math.max(top, Math.min(bottom, atY))], way = `M${x} ${y} L${onBoard(nearest)}`;
    if (Math.hypot(nearest[0] - atX, nearest[1] - atY) > NEAR_ANCHOR) known(way, "path", { d: way });
    known(`${x} ${y} ${radius}`, "circle", { cx: x, cy: y, r: radius });
  }
  put(ground.leads, drawn);
}

// How large the panels are, in all drawings. What looks alike is measured once, as a copy beside the board, so that nothing of
// the board is laid out for it.
const sizes = new Map();
const looksOf = ({ inCell, button, place: { label, look, note, pieces } }) => JSON.stringify([Math.min(inCell, MOST_IN_CELL + 1), inCell > 0 && button.matches(".can-go, .chosen-place"), label, look, note, pieces?.map((one) => [one.kind, one.is_single, one.text || one.count, one.change, one.label, one.leads, one.ties])]);
const DRAWINGS = [["small", "compact"], ["full", ""]];

function measurePins(isAnew = false) {
  const view = byId("view"), fresh = new Map();
  if (!view) return;
  isAnew = grow() || isAnew;
  if (isAnew) for (const one of [sizes, wides]) one.clear();
  const all = [...pins.values()].filter((pin) => !pin.place.box && (pin.place.at || pin.place.look !== "cards"));
  for (const pin of all) if (!sizes.has((pin.looks = looksOf(pin)))) fresh.set(pin.looks, pin);
  if (fresh.size) measure(view, fresh);
  for (const pin of all) Object.assign(pin, sizes.get(pin.looks));
}

function measure(view, fresh) {
  const box = make("div", { className: "measures" }), copies = [];
  for (const [key, kind] of DRAWINGS) {
    const drawing = make("div", { className: kind });
    for (const [looks, pin] of fresh) {
      const copy = pin.button.cloneNode(true);
      copy.style.transform = "";
      copies.push([looks, key, copy]);
      drawing.append(copy);
    }
    box.append(drawing);
  }
  view.after(box);
  for (const [looks, key, copy] of copies) sizes.set(looks, { ...sizes.get(looks), [key]: [copy.offsetWidth, copy.offsetHeight] });
  freePart(); // while all is laid out
  box.remove();
}

// The middle of a place, of a value in the strip or of a tray, in dots of the view.
function spotOf(name) {
  const pin = pins.get(name);
  if (pin) {
    const size = sizeOfPin(pin, camera.scale, camera.isTurned, byId("view").classList.contains("compact")), { left, top, wide, high } = boxOfPin(pin, size, camera);
    return [left + pin.aside[0] + wide / 2, top + pin.aside[1] + high / 2];
  }
  const there = [...document.querySelectorAll(`#marks [data-place="${CSS.escape(name)}"]`)].find((one) => one.offsetWidth) ?? byId("marks");
  const at = there.getBoundingClientRect(), all = viewBox();
  return [at.left + at.width / 2 - all.left, at.top + at.height / 2 - all.top];
}

// What is counted, above the board: values, and what folds out.
function drawStrip() {
  const strip = byId("marks"), values = strip?.querySelector(".values");
  if (!values) return;
  const told = JSON.stringify([board.strip, board.trays]);
  if (values.drawnFrom === told) return;
  values.drawnFrom = told;
  const plates = (board.strip ?? []).filter((one) => one.player && !liesAtEdge(one)), root = document.documentElement;
  values.replaceChildren(...inStrip().map(valueOf));
  strip.querySelector(".plates").replaceChildren(...plates.map(plateOf));
  root.classList.toggle("plated", plates.length > 0);
  const rows = Math.ceil(plates.length / MOST_PLATES);
  for (const [name, value] of [["rows", rows], ["columns", Math.ceil(plates.length / rows) || 1]]) root.style.setProperty(`--plate-${name}`, value);
  const tray = byId("tray");
  if (!tray.hidden) fillTray(tray);
  byId("fold").hidden = !board.strip?.length && !board.trays?.length;
}

// The most digits that a value had, by its label: what stands beside it stays where it is when it has one less.
const widest = new Map();

const inStrip = () => (board.strip ?? []).filter((one) => !one.player);

function valueOf(item) {
  const one = make("span", { className: ["value", item.is_now && "now", item.minor && "minor", item.player && "player"].filter(Boolean).join(" ") });
  if (item.name) {
    one.dataset.place = item.name;
    one.classList.add("lies");
  }
  one.append(make("span", { className: "whole-label", textContent: item.label }), make("span", { className: "short-label", textContent: item.short || item.label }));
  if (item.value) {
    const value = make("b", { textContent: item.value });
    if (/^[0-9]+$/.test(item.value)) {
      widest.set(item.label, Math.max(item.value.length, String(item.of ?? "").length, widest.get(item.label) ?? 0));
      value.style.minWidth = `${widest.get(item.label)}ch`;
    }
    one.append(value);
  }
  if (item.of) one.append(make("small", { textContent: `/ ${item.of}` }));
  if (item.change) one.append(make("i", { textContent: signed(item.change) }));
  if (item.pieces) one.append(piecesOf(item.pieces, item.name ? 1 : 0));
  return one;
}

// What a player has: their name, and below it pieces and values.
function plateOf({ pieces, facts, ...item }) {
  const one = valueOf(item), all = make("span", { className: "facts" });
  one.classList.add("plate", ...(item.side ? [`side-${item.side}`] : []));
  one.title = item.label;
  if (pieces) all.append(piecesOf(pieces));
  all.append(...(facts ?? []).map(valueOf));
  one.append(all);
  return one;
}

function fillTray(tray) {
  const strip = inStrip().map(valueOf), box = make("div", { className: "row strip-again" });
  box.append(...strip);
  tray.replaceChildren(...(strip.length ? [box] : []));
  for (const { title, items } of board.trays ?? []) {
    const part = make("section");
    part.append(make("h3", { textContent: title }), ...(items ?? []).map((item) => {
      const line = make("p");
      line.append(valueOf(item));
      return line;
    }));
    tray.append(part);
  }
}
