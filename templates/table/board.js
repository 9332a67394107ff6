// The board: zoomed and moved by wheel, pinch, keys and buttons; what changed of it is taken over piece by piece; which
// way pieces went is replayed as a short movement.
"use strict";

const SMALL = 0.8; // screen dots for a unit of the picture below which its letters cannot be read
const SVG = "http://www.w3.org/2000/svg";
let full = null, zoom = null; // the picture's own measure; middle and scale of what is seen, null: all of it
let drawn = null;
const touching = new Map();
let wasDragged = false;

const chart = () => document.querySelector(".chart");
const picture = () => document.querySelector(".chart > svg");

function prepareBoard() {
  const svg = picture();
  if (!svg || svg === drawn) {
    if (svg) view();
    return;
  }
  drawn = svg;
  const [, , width, height] = svg.getAttribute("viewBox").split(/[ ,]+/).map(Number);
  full = { width, height };
  zoom = null;
  svg.removeAttribute("width");
  svg.removeAttribute("height");
  addTools();
  view();
  if (main().dataset.lookBack === undefined) setTimeout(replay, 300);
}

function fit() {
  const box = chart().getBoundingClientRect();
  return { box, scale: Math.min(box.width / full.width, box.height / full.height) };
}

function view() {
  if (!full || !picture() || !chart().clientWidth) return; // while a window changes its size it may have none
  chart().style.maxHeight = `${Math.ceil((chart().clientWidth * full.height) / full.width)}px`; // no frame around nothing
  const { box, scale } = fit();
  if (zoom && zoom.scale <= scale * 1.01) zoom = null;
  const now = zoom?.scale ?? scale, width = box.width / now, height = box.height / now;
  const clamp = (middle, size, all) => (size >= all ? all / 2 : Math.max(size / 2, Math.min(all - size / 2, middle)));
  const x = clamp(zoom?.x ?? full.width / 2, width, full.width), y = clamp(zoom?.y ?? full.height / 2, height, full.height);
  if (zoom) zoom = { x, y, scale: now };
  picture().setAttribute("viewBox", `${x - width / 2} ${y - height / 2} ${width} ${height}`);
  chart().classList.toggle("zoomed", zoom !== null);
}

// The point of the picture under a point of the screen.
function under(clientX, clientY) {
  const { box } = fit(), [x, y, width] = picture().getAttribute("viewBox").split(" ").map(Number);
  return { x: x + ((clientX - box.left) * width) / box.width, y: y + ((clientY - box.top) * width) / box.width };
}

function zoomAt(clientX, clientY, factor) {
  const { box, scale } = fit(), point = under(clientX, clientY);
  const next = Math.max(scale, Math.min((zoom?.scale ?? scale) * factor, 6));
  const middle = { x: point.x - (clientX - box.left - box.width / 2) / next, y: point.y - (clientY - box.top - box.height / 2) / next };
  zoom = { ...middle, scale: next };
  view();
}

function zoomMiddle(factor) {
  const { box } = fit();
  zoomAt(box.left + box.width / 2, box.top + box.height / 2, factor);
}

function move(x, y) {
  if (!zoom) return;
  zoom = { x: zoom.x + x / zoom.scale, y: zoom.y + y / zoom.scale, scale: zoom.scale };
  view();
}

function addTools() {
  const tools = Object.assign(document.createElement("div"), { className: "tools" });
  const add = (text, label, act) => {
    const made = button(text, act, "tool");
    made.setAttribute("aria-label", label);
    made.title = label;
    tools.append(made);
  };
  add("+", "zoom in", () => zoomMiddle(1.5));
  add("−", "zoom out", () => zoomMiddle(1 / 1.5));
  add("⤢", "the whole board", () => {
    zoom = null;
    view();
  });
  if (chart().dataset.moves) add("↻", "show the moves again", replay);
  chart().querySelector(".tools")?.remove();
  chart().append(tools);
}

document.addEventListener("wheel", (event) => {
  if (!event.target.closest?.(".chart") || (event.deltaY > 0 && !zoom)) return;
  event.preventDefault();
  zoomAt(event.clientX, event.clientY, Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.0015)));
}, { passive: false });

document.addEventListener("pointerdown", (event) => {
  if (!event.target.closest?.(".chart") || event.target.closest(".tools")) return;
  touching.set(event.pointerId, event);
  if (touching.size === 1) wasDragged = false;
});
document.addEventListener("pointermove", (event) => {
  const before = touching.get(event.pointerId);
  if (!before || !picture()) return;
  if (touching.size === 2) {
    const [other] = [...touching.entries()].filter(([id]) => id !== event.pointerId).map(([, one]) => one);
    const apart = (one) => Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY) || 1;
    zoomAt((event.clientX + other.clientX) / 2, (event.clientY + other.clientY) / 2, apart(event) / apart(before));
    wasDragged = true;
  } else if (zoom && (wasDragged || Math.hypot(event.clientX - before.clientX, event.clientY - before.clientY) > 5)) {
    move(before.clientX - event.clientX, before.clientY - event.clientY);
    wasDragged = true;
  } else return;
  touching.set(event.pointerId, event);
});
for (const kind of ["pointerup", "pointercancel"]) document.addEventListener(kind, (event) => touching.delete(event.pointerId));

// A drag is no click; and where the letters are too small to be read, a tap on a region shows it larger.
document.addEventListener("click", (event) => {
  if (!event.target.closest?.(".chart") || event.target.closest(".tools")) return;
  if (wasDragged) {
    wasDragged = false;
    event.preventDefault();
    event.stopImmediatePropagation();
    return;
  }
  const { scale } = fit();
  if ((zoom?.scale ?? scale) >= SMALL || event.target.closest(".can-go, .chosen-place")) return;
  zoom = { ...under(event.clientX, event.clientY), scale: 1 };
  view();
}, true);

document.addEventListener("keydown", (event) => {
  if (!event.target.closest?.(".board") || event.ctrlKey || event.altKey || event.metaKey || event.target.closest("input, textarea")) return;
  const acts = {
    "+": () => zoomMiddle(1.5), "=": () => zoomMiddle(1.5), "-": () => zoomMiddle(1 / 1.5), 0: () => ((zoom = null), view()),
    ArrowLeft: () => move(-60, 0), ArrowRight: () => move(60, 0), ArrowUp: () => move(0, -60), ArrowDown: () => move(0, 60),
  };
  if (!acts[event.key] || (event.key.startsWith("Arrow") && !zoom)) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  acts[event.key]();
}, true);
window.addEventListener("resize", view);

// The board of the new page in the old one's place: only what differs is put anew.
function sameBoard(old, fresh) {
  const before = old.querySelector(".chart > svg"), after = fresh.querySelector(".chart > svg");
  if (!before || !after) return false;
  for (const link of fresh.querySelectorAll("link")) old.append(link);
  for (const extra of before.querySelectorAll(".badge, .moving")) extra.remove();
  for (const place of before.querySelectorAll("[data-place]")) for (const name of ["class", "tabindex", "role", "aria-label"]) place.removeAttribute(name);
  const wanted = [...after.children];
  while (before.children.length > wanted.length) before.lastElementChild.remove();
  wanted.forEach((one, at) => {
    const now = before.children[at];
    if (!now) before.append(one);
    else if (!now.isEqualNode(one)) now.replaceWith(one);
  });
  const [, , width, height] = after.getAttribute("viewBox").split(/[ ,]+/).map(Number);
  if (full.width !== width || full.height !== height) full = { width, height };
  chart().dataset.moves = fresh.querySelector(".chart").dataset.moves ?? "";
  addTools();
  const inWords = old.querySelector(".in-words"), now = fresh.querySelector(".in-words");
  if (inWords && now) {
    now.open = inWords.open;
    inWords.replaceWith(now);
  }
  return true;
}

function addBadge(place, number) {
  const box = place.querySelector("rect")?.getBBox() ?? place.getBBox(), made = document.createElementNS(SVG, "g");
  made.setAttribute("class", "badge");
  const disc = document.createElementNS(SVG, "circle"), text = document.createElementNS(SVG, "text");
  const x = Math.min(box.x + box.width + 5, place.hasAttribute("transform") ? Infinity : full.width - 16), y = Math.max(box.y - 4, 16);
  for (const [name, value] of Object.entries({ cx: x, cy: y, r: 15 })) disc.setAttribute(name, value); // beside the name of the place
  for (const [name, value] of Object.entries({ x, y: y + 7, "text-anchor": "middle", "font-size": 20 })) text.setAttribute(name, value);
  text.textContent = number;
  made.append(disc, text);
  made.dataset.badge = place.dataset.place;
  if (place.hasAttribute("transform")) made.setAttribute("transform", place.getAttribute("transform"));
  picture().append(made);
}

// Each way that pieces went, one after the other; nothing for whoever wants no motion.
function replay() {
  const ways = JSON.parse(chart()?.dataset.moves || "[]").slice(-12);
  if (!ways.length || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const middle = (name) => {
    const place = picture().querySelector(`[data-place="${CSS.escape(name)}"]`), box = (place?.querySelector("rect") ?? place)?.getBBox();
    return box && { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  };
  ways.forEach(([from, to], number) => {
    const start = middle(from), end = middle(to);
    if (!start || !end) return;
    const piece = document.createElementNS(SVG, "circle");
    piece.setAttribute("class", "moving");
    piece.setAttribute("r", "14");
    picture().append(piece);
    const at = (point) => ({ transform: `translate(${point.x}px, ${point.y}px)` });
    const run = piece.animate([{ ...at(start), opacity: 0 }, { ...at(start), opacity: 1, offset: 0.1 }, { ...at(end), opacity: 1 }], { duration: 700, delay: 350 * number, easing: "ease-in-out", fill: "both" });
    run.onfinish = () => piece.remove();
  });
}

prepare();
