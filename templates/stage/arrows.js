// The arrows of moves, over the backdrop: from panel to panel they go by the spots that the board names for them, round every other
// panel, and carry how many went. Between pieces that stand in the backdrop they are a plain bow.
"use strict";

const HEAD = 15; // dots of the tip of an arrow

// Made anew only when places have moved against each other, or pieces have gone other ways: after the rest has been painted.
let trailsOf = null, wayOf = "", routing = 0;
function drawTrails() {
  const ways = JSON.stringify(board.ways ?? []), told = JSON.stringify([camera.scale, camera.isTurned, [...pins.values()].map((pin) => [pin.aside, pin.looks])]);
  if (!ground || (wayOf === ways && trailsOf === told)) return;
  if (wayOf !== ways) ground.trails.replaceChildren();
  [wayOf, trailsOf] = [ways, told];
  clearTimeout(routing);
  if (board.ways?.length) routing = setTimeout(() => ground?.trails.replaceChildren(...trails()));
}

function trails() {
  const drawn = [], numbers = [], taken = [], used = new Set(), scale = 1 / camera.scale;
  for (const { source, target, count, via } of board.ways ?? []) {
    const [from, to] = [pins.get(source), pins.get(target)];
    if (!from || !to || from === to) continue;
    const spots = from.place.box || to.place.box ? bow(spotOf(source), spotOf(target), from.place, to.place) : routed(from, to, (via ?? []).map((one) => onScreen(one)), used);
    const way = `M${spots.map((one) => onBoard(one).map((at) => at.toFixed(1)).join(" ")).join("L")}`, one = draw("g", { "data-arrow": `${source}/${target}` });
    const [[x, y], [endX, endY]] = [spots.at(-2) ?? spots.at(-1), spots.at(-1)], [atX, atY] = onBoard([endX, endY]), turned = camera.isTurned ? -90 : 0;
    const place = `translate(${atX} ${atY}) scale(${scale}) rotate(${turned})`, angle = (Math.atan2(endY - y, endX - x) * 180) / Math.PI;
    one.append(draw("path", { class: "under", d: way }), draw("path", { d: way }), draw("path", { class: "tip", d: `M1 0 L-${HEAD} -8 L-${HEAD - 4} 0 L-${HEAD} 8 Z`, transform: `${place} rotate(${angle})` }));
    if (count) numbers.push(numberOn(globalThis.numberSpot?.(spots, taken) ?? spots[Math.floor(spots.length * (0.4 + 0.2 * (numbers.length % 2)))], count, scale, turned));
    drawn.push(one);
  }
  ground.trails.style.setProperty("--thin", scale);
  return [...drawn, ...numbers];
}

// How many went, about the middle of their way.
function numberOn(spot, count, scale, turned) {
  const [x, y] = onBoard(spot), group = draw("g", { class: "many", transform: `translate(${x} ${y}) rotate(${turned})` });
  group.append(draw("circle", { r: 10 * scale }), Object.assign(draw("text", { y: 5 * scale }), { textContent: count }));
  return group;
}

// Spots of a bow from a piece in the backdrop to another: from the edge of one to that of the other, far enough from the board's
// edge not to run over what stands between them.
function bow(...ends) {
  const [start, end] = [0, 1].map((at) => (ends[at + 2].stack ? onScreen(ends[at + 2].stack[Object.keys(ends[at + 2].stack)[0]][0]) : ends[at]));
  const [left, top, wide, high] = board.whole, [middleX, middleY] = onScreen([left + wide / 2, top + high / 2]), side = (camera.isTurned ? -1 : 1) * (board.turns ? 0.42 : 0.18);
  const bends = [side, -side].map((part) => [(start[0] + end[0]) / 2 + (end[1] - start[1]) * part, (start[1] + end[1]) / 2 - (end[0] - start[0]) * part]);
  const away = bends.map(([x, y]) => Math.hypot(x - middleX, y - middleY)), bend = bends[Number(Boolean(board.turns) && away[1] < away[0])]; // not over what stands at the edge
  const way = Array.from({ length: 25 }, (_, at) => [0, 1].map((axis) => (1 - at / 24) ** 2 * start[axis] + 2 * (at / 24) * (1 - at / 24) * bend[axis] + (at / 24) ** 2 * end[axis]));
  const edge = ends.some((place) => place.stack) ? ((board.piece_size ?? 40) * camera.scale) / 2 : 0, far = ([x, y], [u, v]) => Math.hypot(x - u, y - v);
  const seen = way.filter((spot) => far(spot, start) >= edge && far(spot, end) >= edge);
  return seen.length > 1 ? seen : way;
}
