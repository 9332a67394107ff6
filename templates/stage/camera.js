// The camera of the stage: what part of the backdrop is seen, and where the places stand that keep their size above it.
// A spot (x, y) of the backdrop is at (x * scale + left, y * scale + top) of the view; where the board is turned for a tall
// window, at (-y * scale + left, x * scale + top). Only transforms change, so that nothing is laid out again.
"use strict";

const NEAREST = 2.2, FARTHEST = 0.2, COMPACT = 0.85; // scales; below the last one, panels are drawn smaller
const SMALL = 400, SMALL_TABLE = 430; // dots of the shorter side of what is free: less is a small window, or table
const MARGIN = 9; // dots between what is fitted and what lies around it
const CROWDED = 60; // rounds after which buttons that still meet go apart sidewards, where what is free is low
const DENSE = 240; // rounds after which they rather lie on the disc of another's anchor than on each other
const GAP = 8; // dots between places that have no spot of their own
const USUAL_VIEW = [1046, 720], MOST_GROWN = 1.6; // the view in which panels have their usual size, and how much larger they grow at most
const BESIDE = 9; // dots between the spot of an anchor and the panel that is held beside it
const NEAR_ANCHOR = 16; // dots: a panel that stands so near to its anchor needs no line to it
const SLIM = 72; // dots: in a narrower cell of a chart a panel has only the number of its name
const AROUND = 4; // places nearest to that of a fight that are seen with it in a small window
const GLIDE = 420; // milliseconds of a move of the camera
const camera = { scale: 1, left: 0, top: 0, isTurned: false };
let isHeld = false; // somebody has moved the camera themselves: it goes nowhere by itself any more
let isResized = false; // a place has another size than where it was put
let gliding = 0;

const narrow = matchMedia("(max-width: 760px)");
const stillness = matchMedia("(prefers-reduced-motion: reduce)");
const viewBox = () => byId("view").getBoundingClientRect();
// A chart that `stretches` fills what is free: how much longer its two axes are drawn than its scale says.
const stretch = [1, 1], MOST_STRETCHED = 3;
const onBoard = ([x, y], at = camera) => (at.isTurned ? [(y - at.top) / at.scale, (at.left - x) / at.scale] : [(x - at.left) / at.scale, (y - at.top) / at.scale]).map((one, axis) => one / stretch[axis]);
const onScreen = ([x, y], at = camera) => (at.isTurned ? [at.left - y * stretch[1] * at.scale, at.top + x * stretch[0] * at.scale] : [at.left + x * stretch[0] * at.scale, at.top + y * stretch[1] * at.scale]);

// The part of the view that nothing lies over: neither a bar, nor the hand, nor the open drawer. What is done in one go asks the
// page once, so that it is not laid out anew for each question.
let free = null;
function freePart() {
  if (free) return free;
  queueMicrotask(() => (free = null));
  const all = viewBox(), box = { left: 0, top: 0, right: all.width, bottom: all.height };
  for (const cover of document.querySelectorAll("[data-covers]")) {
    const at = cover.getBoundingClientRect();
    if (!at.width || !at.height) continue;
    const side = getComputedStyle(cover).getPropertyValue("--covers").trim() || cover.dataset.covers;
    if (side === "top") box.top = Math.max(box.top, at.bottom - all.top);
    if (side === "bottom") box.bottom = Math.min(box.bottom, at.top - all.top);
    if (side === "right") box.right = Math.min(box.right, at.left - all.left);
  }
  return (free = { ...box, all, width: box.right - box.left, height: box.bottom - box.top });
}

// Whether panels are drawn smaller: from far away, and where a board that turns or a table has little room.
function isCompactAt(scale, free) {
  return scale < COMPACT || ((Boolean(board.turns) || hasRows()) && Math.min(free.width, free.height) < (hasRows() ? SMALL_TABLE : SMALL));
}

// The part of the board that is looked at: with all cells of a chart that are asked for, of which a page that only shows a game has none.
const wholeNow = () => globalThis.wholeWithCells?.() ?? board.whole;

// What the whole board is to a window: its sides there, and the scales at which each of them fills what is free.
function sidesIn(free, isTurned) {
  const [, , wide, high] = wholeNow(), [across, down] = isTurned ? [high, wide] : [wide, high];
  return { across, down, fits: [(free.width - 2 * MARGIN) / across, (free.height - 2 * MARGIN) / down] };
}

// How much it is stretched now; how many dots wide its cells are then.
function stretchChart() {
  const isTurned = turnsNow(), { fits } = sidesIn(freeOfTools(), isTurned), least = Math.min(...fits, NEAREST), [x, y] = fits.map((one) => (board.stretches ? Math.max(1, Math.min(one / least, MOST_STRETCHED)) : 1));
  stretch.splice(0, 2, ...(isTurned ? [y, x] : [x, y]));
  const cell = board.stretches && board.places.find(({ box }) => box);
  return cell ? Math.round(sizeOfPin({ place: cell }, least, isTurned)[0]) : 0;
}

// Panels and what stands in them grow with the view; true where they have another size now.
let grown = 0, cellWide = 0;
function grow() {
  const isStretched = cellWide !== (cellWide = stretchChart());
  const { width, height } = viewBox(), now = hasRows() ? 1 : Math.max(1, Math.min(width / USUAL_VIEW[0], height / USUAL_VIEW[1], MOST_GROWN));
  if (isStretched) document.documentElement.style.setProperty("--cell", `${cellWide}px`);
  document.documentElement.classList.toggle("slim", cellWide > 0 && cellWide < SLIM);
  if (Math.abs(now - grown) < 0.01) return isStretched;
  document.documentElement.style.setProperty("--grown", (grown = now).toFixed(2));
  return true;
}

// Which edge of a panel is held, on a board that lies on its side.
const TURNED = { top: "right", right: "bottom", bottom: "left", left: "top" };

// The spot that a panel is held at: its anchor, else its own.
const heldAt = ({ at, anchor }) => anchor ?? at;

// Where a panel of this size stands for a scale, relative to the corner of the backdrop: about its spot, or beside that of its anchor.
function boxOfPin(pin, [wide, high], at) {
  const [x, y] = onScreen(heldAt(pin.place) ?? pin.inRow ?? [0, 0], at), align = (at.isTurned && TURNED[pin.place.align]) || pin.place.align, gap = pin.place.anchor ? BESIDE : 0;
  const left = { left: x + gap, right: x - wide - gap }[align] ?? x - wide / 2, top = { top: y + gap, bottom: y - high - gap }[align] ?? y - high / 2;
  return { left, top, wide, high };
}

// The edges of a panel where it stands now.
function edgesOf(pin, at = camera) {
  const { left, top, wide, high } = boxOfPin(pin, sizeOfPin(pin, at.scale, at.isTurned, isCompactAt(at.scale, freePart())), at), [right, down] = pin.aside;
  return { left: left + right, top: top + down, right: left + right + wide, bottom: top + down + high };
}

// How large the button of a place is on the screen.
function sizeOfPin(pin, scale, isTurned, isCompact) {
  const { box } = pin.place;
  if (!box) return pin.now ?? (isCompact ? pin.small : pin.full);
  const [wide, high] = box.map((one, axis) => one * scale * stretch[axis]);
  return isTurned ? [high, wide] : [wide, high];
}

// The camera that shows all of these places, as large as they all fit into the part that is free.
function fitted(names, nearest, isTurned = camera.isTurned) {
  const all = names.map((name) => pins.get(name)).filter(Boolean), free = all.some(({ place }) => place.box) ? freeOfTools() : freePart();
  if (!all.length || free.width < 40 || free.height < 40) return wholeBoard(isTurned);
  for (let scale = nearest; scale > FARTHEST; scale *= 0.985) {
    const at = { scale, left: 0, top: 0, isTurned }, reach = reachOf(all, at);
    if (reach.right - reach.left > free.width - 2 * MARGIN || reach.bottom - reach.top > free.height - 2 * MARGIN) continue;
    return bounded({ ...at, left: (free.left + free.right - reach.left - reach.right) / 2, top: (free.top + free.bottom - reach.top - reach.bottom) / 2 });
  }
  return wholeBoard(isTurned);
}

// What these places cover for a camera.
function reachOf(all, at) {
  const free = freePart(), reach = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
  for (const pin of all) {
    const one = boxOfPin(pin, sizeOfPin(pin, at.scale, at.isTurned, isCompactAt(at.scale, free)), at), spots = [[one.left, one.top], [one.left + one.wide, one.top + one.high]];
    if (pin.place.anchor) spots.push(...[-8, 8].map((more) => onScreen(pin.place.anchor, at).map((one) => one + more)));
    for (const [x, y] of spots) Object.assign(reach, { left: Math.min(reach.left, x), right: Math.max(reach.right, x), top: Math.min(reach.top, y), bottom: Math.max(reach.bottom, y) });
  }
  return reach;
}

// What is free beside the tools, where these stand in a column.
function freeOfTools() {
  const free = freePart(), tool = document.querySelector(".tools .tool")?.getBoundingClientRect();
  const left = tool?.width && tool.left < free.right && tool.top >= free.all.top + free.top ? Math.max(free.left, tool.right - viewBox().left) : free.left;
  return { ...free, left, width: free.right - left };
}

// The camera that shows the part of the backdrop where the game is.
function wholeBoard(isTurned = camera.isTurned) {
  const free = freeOfTools(), [x, y, wide, high] = wholeNow(), scale = Math.max(FARTHEST, Math.min(...sidesIn(free, isTurned).fits, NEAREST));
  const [middleX, middleY] = onScreen([x + wide / 2, y + high / 2], { scale, left: 0, top: 0, isTurned });
  return bounded({ scale, left: (free.left + free.right) / 2 - middleX, top: (free.top + free.bottom) / 2 - middleY, isTurned });
}

// A backdrop reaches every edge of the view, whatever its shape; a picture lies in it as it is.
function bounded(at) {
  if (!ground?.isBackdrop) return at;
  const { all, bottom, right: width } = freePart(), height = narrow.matches || document.querySelector("#dice.below") ? bottom : all.height; // what lies lower is covered there
  const [left, all_wide] = [ground.left, ground.width].map((one) => one * stretch[0]), [top, all_high] = [ground.top, ground.height].map((one) => one * stretch[1]);
  const [across, down] = at.isTurned ? [all_high, all_wide] : [all_wide, all_high], scale = Math.max(at.scale, width / across, height / down), grown = scale / at.scale;
  const corner = at.isTurned ? [-(top + all_high), left] : [left, top];
  const kept = (from, size, start, all) => Math.min(-start * scale, Math.max(size - (start + all) * scale, size / 2 - (size / 2 - from) * grown));
  return { ...at, scale, left: kept(at.left, width, corner[0], across), top: kept(at.top, height, corner[1], down) };
}

// Buttons that would lie over each other move apart, and stay in the part that is free if they belong there.
function moveApart() {
  const free = freePart(), isCompact = isCompactAt(camera.scale, free);
  const all = [...pins.values()].filter((pin) => pin.place.at && !pin.place.box).map((pin) => {
    const box = boxOfPin(pin, sizeOfPin(pin, camera.scale, camera.isTurned, isCompact), camera);
    return { pin, x: box.left, y: box.top, wide: box.wide + 4, high: box.high + 4, from: [box.left, box.top] };
  });
  if (globalThis.lieInCells?.(all)) return;
  intoCells(all);
  const tools = fixedParts(), still = [...tools, ...all.filter(({ pin }) => pin.place.anchor).map(({ pin }) => ({ pin, ...discOf(pin.place.anchor) }))];
  const isIn = (one) => one.from[0] + one.wide / 2 > free.left && one.from[0] + one.wide / 2 < free.right && one.from[1] + one.high / 2 > free.top && one.from[1] + one.high / 2 < free.bottom;
  for (let round = 0; round < 480; round++) {
    let isApart = true;
    if (round === CROWDED) for (const one of all) if (one.along) Object.assign(one, { along: "" }); // a column too full for its panels: rather beside it than on each other
    const along = round > CROWDED && free.width > (all.some((one) => one.along === "") ? 1.2 : 2) * free.height ? "x" : "";
    for (let first = 0; first < all.length; first++) for (let second = first + 1; second < all.length; second++) isApart = !pushed(all[first], all[second], all[first].along || all[second].along || along) && isApart;
    for (const one of all) for (const part of round < DENSE ? still : tools) isApart = (part.pin === one.pin || !pushed(one, part, one.along || along, true)) && isApart;
    for (const one of all.filter(isIn)) {
      if (!board.stretches) one.x = Math.max(free.left + 3, Math.min(free.right - one.wide, one.x)); // its panels keep to their column
      one.y = Math.max(free.top + 3, Math.min(free.bottom - one.high, one.y));
    }
    if (isApart) break;
  }
  for (const { pin, x, y, from } of all) pin.aside = [x - from[0], y - from[1]];
}

// Panels of one cell of a chart are a block about its middle, in as many rows as it has room for. Blocks that meet go apart along
// their lane, in order, and never to another column; where a column is too full for that, its blocks take more room across it. A
// chart that is stretched to a tall window has lanes as wide as a panel, and is lined up along them.
const OVER_CELL = 8, MOST_OVER = 72; // dots that a block may be larger than its cell: usually, and at most
function intoCells(all) {
  const axis = Number(Boolean(board.stretches) && camera.isTurned), [key, size, start, end] = camera.isTurned && !axis ? ["x", "wide", "left", "right"] : ["y", "high", "top", "bottom"], free = freePart(), columns = new Map();
  for (const pin of pins.values()) if (pin.place.box && pin.place.at) {
    const x = pin.place.at[axis], members = all.filter((one) => String(one.pin.place.at) === String(pin.place.at));
    columns.set(x, [...(columns.get(x) ?? []), { members, ...edgesOf(pin) }]);
  }
  const cells = [...columns.values()].flat();
  if (!cells.some(({ members }) => members.length)) return;
  for (const one of all) one.along = key;
  const chart = [Math.max(free[start], Math.min(...[...cells, ...all.map(({ x, y }) => ({ left: x, top: y }))].map((one) => one[start]))), Math.min(free[end], Math.max(...cells.map((cell) => cell[end])))];
  for (const [x, own] of columns) {
    const full = own.filter(({ members }) => members.length), others = all.filter(({ pin }) => pin.place.at[axis] === x && !full.some(({ members }) => members.some((one) => one.pin === pin)));
    let column = [], long = Infinity;
    for (let over = OVER_CELL; long > chart[1] - chart[0] && over <= MOST_OVER; over += 8) {
      column = [...full.map((cell) => blockOf(cell, over)), ...others.map((one) => ({ wide: one.wide, high: one.high, x: one.x, y: one.y, spots: [[one, 0, 0]] }))];
      long = column.reduce((sum, one) => sum + one[size], 0);
    }
    lineUp(column, key, size, long > chart[1] - chart[0] ? [free[start] + 3, free[end]] : chart);
    for (const { spots, x: left, y: top } of column) for (const [one, right, down] of spots) Object.assign(one, { x: left + right, y: top + down });
  }
}

// The panels of a cell in rows: no wider than the cell, or on a turned board, whose columns lie across, no higher.
function blockOf({ members, left, top, right, bottom }, over) {
  let rows, wide = right - left + 4 + (camera.isTurned ? 0 : over); // a panel has 4 dots more than its size, to the next one
  const most = camera.isTurned && !board.stretches ? bottom - top + 4 + over : Infinity, across = (row) => row.reduce((sum, one) => sum + one.wide, 0), down = (row) => Math.max(...row.map((one) => one.high));
  do {
    rows = [[]];
    for (const one of members) (rows.at(-1).length && across(rows.at(-1)) + one.wide > wide ? rows[rows.push([]) - 1] : rows.at(-1)).push(one);
    wide += 8;
  } while (rows.length > 1 && rows.reduce((sum, row) => sum + down(row), 0) > most);
  const block = { wide: Math.max(...rows.map(across)), high: rows.reduce((sum, row) => sum + down(row), 0), spots: [] };
  let y = 0;
  for (const row of rows) {
    let x = (block.wide - across(row)) / 2;
    for (const one of row) block.spots.push([one, (x += one.wide) - one.wide, y]);
    y += down(row);
  }
  return { ...block, x: (left + right - block.wide) / 2 + 2, y: (top + bottom - block.high) / 2 + 2 };
}

// Blocks of a column keep their order along it, and stay between its ends.
function lineUp(column, key, size, [start, end]) {
  column.sort((one, other) => one[key] + one[size] / 2 - other[key] - other[size] / 2);
  let from = start, to = end;
  for (const one of column) from = (one[key] = Math.max(one[key], from)) + one[size];
  for (const one of [...column].reverse()) to = one[key] = Math.min(one[key], to - one[size]);
}

// The tools, which panels keep off.
function fixedParts() {
  const { left, top } = viewBox();
  return [...document.querySelectorAll(".tools .tool")].map((tool) => tool.getBoundingClientRect()).filter((at) => at.width)
    .map((at) => ({ x: at.left - left - 4, y: at.top - top - 4, wide: at.width + 8, high: at.height + 8 }));
}

// And the disc of an anchor that is another's.
function discOf(anchor) {
  const [x, y] = onScreen(anchor);
  return { x: x - 7, y: y - 7, wide: 14, high: 14 };
}

// Two that meet are pushed away from each other, the shorter way, or the way that is named; the other one may be `fixed`.
function pushed(one, other, along, isFixed = false) {
  const across = Math.min(one.x + one.wide, other.x + other.wide) - Math.max(one.x, other.x), down = Math.min(one.y + one.high, other.y + other.high) - Math.max(one.y, other.y);
  if (across <= 0 || down <= 0) return false;
  const [key, size, by] = (along ? along === "x" : across < down) ? ["x", "wide", across] : ["y", "high", down];
  const way = one[key] + one[size] / 2 < other[key] + other[size] / 2 ? -1 : 1;
  one[key] += way * (isFixed ? by + 0.3 : by / 2 + 0.3);
  if (!isFixed) other[key] -= way * (by / 2 + 0.3);
  return true;
}

// The camera goes there; `glides`: as a movement that is seen.
function goTo(at, glides = false) {
  const view = byId("view"), moves = Object.keys(camera).some((key) => camera[key] !== at[key]);
  Object.assign(camera, at);
  view.classList.toggle("compact", isCompactAt(camera.scale, freePart()));
  view.classList.toggle("turned", camera.isTurned);
  view.classList.toggle("all-seen", hasRows() && rows?.fits === true && !isHeld); // a new board is put in place before it is arranged
  moveApart();
  clearTimeout(gliding);
  view.classList.toggle("gliding", glides && moves && !stillness.matches);
  gliding = setTimeout(() => view.classList.remove("gliding"), GLIDE);
  for (const [name, value] of [["--scale", camera.scale], ["--across", 1 / stretch[0]], ["--down", 1 / stretch[1]]]) ground.svg.style.setProperty(name, value); // letters of the backdrop itself stay readable by it
  ground.svg.style.transform = `translate(${camera.left}px, ${camera.top}px) scale(${camera.scale}) rotate(${camera.isTurned ? 90 : 0}deg) scale(${stretch}) translate(${ground.left}px, ${ground.top}px)`;
  for (const pin of pins.values()) putPin(pin);
  drawShores();
  drawLeads();
  drawTrails();
  isResized = false;
}

function putPin(pin) {
  const isCompact = byId("view").classList.contains("compact"), [wide, high] = sizeOfPin(pin, camera.scale, camera.isTurned, isCompact), at = boxOfPin(pin, [wide, high], camera);
  if (pin.place.box) Object.assign(pin.button.style, { width: `${wide}px`, height: `${high}px` });
  if (!pin.stands) { // a new one comes from nowhere
    pin.stands = true;
    pin.button.style.transition = "none";
    setTimeout(() => (pin.button.style.transition = ""), GLIDE);
  }
  pin.button.style.transform = `translate(${at.left + pin.aside[0]}px, ${at.top + pin.aside[1]}px)`;
}

// Where a question leaves the camera: at the whole board, or where the window is small, at what can be clicked. It stays
// where it is if `stays` says so of the camera that it would go to.
function aim(glides = true, stays = null) {
  if (!ground || !byId("view")) return;
  if (board.stretches) measurePins(); // its cells are as large as the window lets them be
  const free = freePart(), isSmall = Math.min(free.width, free.height) < SMALL;
  const isTurned = turnsNow();
  const inView = hasRows() ? inRows() : null;
  const targets = board.fields || (inView && rows.fits) || !isSmall || isWhole || isFilming() ? [] : targetsNow(); // who plays on fields looks at all of them
  const all = [...pins.keys()].filter((name) => !pins.get(name).place.box);
  const usual = inView ? (targets.length ? fitted(targets, 1) : inView) : !board.stretches && targets.some((name) => !board.turns || !pins.get(name).place.box) ? fitted(targets, 1.1, isTurned) : all.length === pins.size && all.length ? fitted(all, NEAREST, isTurned) : wholeBoard(isTurned);
  goTo(inView ? usual : !targets.length && stays?.(usual) ? camera : (globalThis.reaching?.(usual) ?? usual), glides);
  byId("whole")?.setAttribute("aria-pressed", String(isWhole));
}

// Whether the board lies on its side: where it is larger so. On a telephone that is so as soon as what is free is higher than wide.
function turnsNow() {
  const { width, height } = freePart();
  return Boolean(board.turns) && height > width * (narrow.matches ? 1 : 1.05);
}

// What a small window shows: what can be clicked, else where the dice that lie below the board fell, and what is around it, where they
// leave too little room for the whole board.
function targetsNow() {
  const open = [...pins.keys()].filter((name) => pins.get(name).button.matches(".can-go, .chosen-place, .went")), fight = pins.get(board.thrown?.place);
  if (open.length || !fight || isDiceFolded() || turnsNow() || !document.querySelector("#dice.below")) return open;
  const [x, y] = heldAt(fight.place), awayOf = ({ place }) => Math.hypot(heldAt(place)[0] - x, heldAt(place)[1] - y);
  return [...pins].filter(([, { place }]) => heldAt(place)).sort(([, one], [, other]) => awayOf(one) - awayOf(other)).slice(0, 1 + AROUND).map(([name]) => name);
}

let isWhole = false; // the whole board was asked for

function aimAtAll() {
  isWhole = !(isWhole && !isHeld);
  isHeld = false;
  aim();
}

function zoomAt(x, y, factor, glides = false) {
  const scale = Math.max(hasRows() ? 1 : FARTHEST, Math.min(camera.scale * factor, 4)), grown = scale / camera.scale;
  isHeld = true;
  goTo(bounded({ ...camera, scale, left: x - (x - camera.left) * grown, top: y - (y - camera.top) * grown }), glides);
}

function zoomMiddle(factor) {
  const free = freePart();
  zoomAt((free.left + free.right) / 2, (free.top + free.bottom) / 2, factor, true);
}

// By hand: drag, wheel, two fingers. A drag is no click.
const touching = new Map();
let dragged = 0;

document.addEventListener("wheel", (event) => {
  if (!event.target.closest?.("#view") || event.ctrlKey) return;
  event.preventDefault();
  const { left, top } = viewBox();
  zoomAt(event.clientX - left, event.clientY - top, Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.0015)));
}, { passive: false });
document.addEventListener("pointerdown", (event) => {
  if (!event.target.closest?.("#view")) return;
  touching.set(event.pointerId, event);
  if (touching.size === 1) dragged = 0;
});
document.addEventListener("pointermove", (event) => {
  const before = touching.get(event.pointerId);
  if (!before || !ground) return;
  touching.set(event.pointerId, event);
  const [x, y] = [event.clientX - before.clientX, event.clientY - before.clientY];
  dragged += Math.hypot(x, y);
  if (touching.size === 2) {
    const [other] = [...touching.values()].filter((one) => one.pointerId !== event.pointerId), { left, top } = viewBox();
    const apart = (one) => Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY) || 1;
    zoomAt((event.clientX + other.clientX) / 2 - left, (event.clientY + other.clientY) / 2 - top, apart(event) / apart(before));
  } else if (dragged > 6) {
    isHeld = true;
    goTo(bounded({ ...camera, left: camera.left + x, top: camera.top + y }));
  }
});
for (const kind of ["pointerup", "pointercancel"]) document.addEventListener(kind, (event) => touching.delete(event.pointerId));
document.addEventListener("click", (event) => {
  if (dragged <= 6 || !event.target.closest?.("#view")) return;
  dragged = 0;
  event.preventDefault();
  event.stopImmediatePropagation();
}, true);
window.addEventListener("resize", () => {
  rows = null;
  measurePins(true);
  aim(false);
});
