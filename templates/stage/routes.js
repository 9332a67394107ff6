// The way of an arrow round the panels of the stage and the land of the backdrop, near the spots that the board names for it: looked
// for on a grid. Only a table draws such ways.
"use strict";

const CELL = 10; // dots of the grid on which a way is looked for
const CLEAR = [10, 6]; // dots that an arrow keeps off panels, and where these are drawn small
const ASTRAY = 0.8, COVERED = 200; // what a cell costs more for each cell that it lies off the lane, and one that is too near to a panel
const USED = 3; // what a cell costs more that an earlier arrow goes through: two go side by side

const LAND = 20, SHORE = 4; // what a cell of land costs a ship more, and how many units of the board off the coast that begins
const CAPE = 0.06; // what part of a way may lie nearer to the coast once its corners are rounded
const NUMBER = [13, 36]; // dots from the middle of a number to a panel, and to that of another number

// The spots of a way from the edge of a panel to that of another.
function routed(from, to, via, used) {
  const middle = (pin) => spotOf(pin.place.name), boxes = [...pins.values()].filter((pin) => !pin.place.box && pin !== from && pin !== to).map((pin) => edgesOf(pin)), [start, end] = [middle(from), middle(to)];
  const isShip = via.length > 0, ashore = (way) => (isShip ? way.filter(isLand).length : 0);
  const edgy = shortest(start, end, [start, ...via, end], boxes, used, isShip), most = ashore(edgy) + edgy.length * CAPE, isFree = (way) => ashore(way) <= most && !way.some((one) => boxes.some((box) => isIn(one, box, 2)));
  return between(from, to, [24, 12, 6, 3, 1].map((rounds) => smooth(edgy, rounds)).find(isFree) ?? edgy);
}

// What of a way is seen: from the edge of a panel to that of another.
const isIn = ([x, y], box, more) => x > box.left - more && x < box.right + more && y > box.top - more && y < box.bottom + more;
function between(from, to, way) {
  const [first, last] = [edgesOf(from), edgesOf(to)], begin = way.findLastIndex((one) => isIn(one, first, 2)) + 1, rest = way.slice(begin), stop = rest.findIndex((one) => isIn(one, last, 3));
  const seen = stop < 0 ? rest : rest.slice(0, stop);
  if (seen.length > 1) return seen;
  const nearest = ([x, y], { left, top, right, bottom }) => [Math.max(left, Math.min(right, x)), Math.max(top, Math.min(bottom, y))], edge = nearest(way.at(-1), first);
  return [edge, nearest(edge, last)]; // they stand side by side
}

// Whether a spot of the window lies on the land of the backdrop (its `.chart-land`), which is drawn for that once, in units of the board.
let coast = null;
function isLand(spot) {
  if (coast?.svg !== ground.svg) coast = coastOf(ground.svg);
  const [left, top, wide, high] = board.whole, [x, y] = onBoard(spot).map((one, axis) => Math.round(one) - [left, top][axis]);
  return coast.dots !== null && x >= 0 && y >= 0 && x < wide && y < high && coast.dots[4 * (y * wide + x) + 3] > 0;
}

function coastOf(svg) {
  const [left, top, width, height] = board.whole, land = svg.querySelector("use.chart-land");
  if (!land) return { svg, dots: null };
  const drawing = Object.assign(document.createElement("canvas"), { width, height }).getContext("2d"), shape = new Path2D(svg.querySelector(land.getAttribute("href")).getAttribute("d"));
  drawing.translate(-left, -top);
  drawing.lineWidth = 2 * SHORE;
  drawing.fill(shape);
  drawing.stroke(shape);
  return { svg, dots: drawing.getImageData(0, 0, width, height).data };
}

// Where on a way its number is seen: as near to the middle as neither a panel nor a tool nor another number lies.
function numberSpot(spots, taken) {
  const tools = fixedParts().map(({ x, y, wide, high }) => ({ left: x, top: y, right: x + wide, bottom: y + high }));
  const panels = [...pins.values()].filter((pin) => !pin.place.box).map((pin) => edgesOf(pin)), middle = (spots.length - 1) / 2;
  const isFree = (spot) => ![...panels, ...tools].some((box) => isIn(spot, box, NUMBER[0])) && taken.every(([x, y]) => Math.hypot(spot[0] - x, spot[1] - y) >= NUMBER[1]);
  const nearest = [...spots.keys()].sort((one, other) => Math.abs(one - middle) - Math.abs(other - middle)).map((at) => spots[at]), [[x, y]] = nearest;
  const beside = Array.from({ length: 60 }, (_, at) => [x + (14 + 0.9 * at) * Math.cos(at * 2.4), y + (14 + 0.9 * at) * Math.sin(at * 2.4)]); // of a way between panels that stand close, outwards
  const found = [...nearest, ...beside].find(isFree) ?? nearest[0];
  taken.push(found);
  return found;
}

const mark = (spot) => spot.map((one) => Math.round(one / CELL)).join();

// The cheapest way over a grid: it is dear to leave the lane, and dearer to come near to a panel.
function shortest(start, end, lane, boxes, used, isShip) {
  const xs = lane.map(([x]) => x), ys = lane.map(([, y]) => y), left = Math.min(...xs) - 8 * CELL, top = Math.min(...ys) - 8 * CELL;
  const wide = Math.ceil((Math.max(...xs) - left) / CELL) + 9, high = Math.ceil((Math.max(...ys) - top) / CELL) + 9;
  const cellAt = ([x, y]) => Math.round((y - top) / CELL) * wide + Math.round((x - left) / CELL), spotAt = (cell) => [left + (cell % wide) * CELL, top + Math.floor(cell / wide) * CELL];
  const clear = CLEAR[Number(isCompactAt(camera.scale, freePart()))];
  const costs = new Float32Array(wide * high).map((_, cell) => {
    const spot = spotAt(cell), off = Math.min(...lane.slice(1).map((one, at) => offLine(spot, lane[at], one))) / CELL;
    return 1 + ASTRAY * off + (boxes.some((box) => isIn(spot, box, clear)) ? COVERED : 0) + (used.has(mark(spot)) ? USED : 0) + (isShip && isLand(spot) ? LAND : 0);
  });
  const total = new Float64Array(wide * high).fill(Infinity), before = new Int32Array(wide * high), goal = cellAt(end), heads = [[0, cellAt(start)]];
  total[cellAt(start)] = 0;
  while (heads.length) {
    const [spent, cell] = heads.pop();
    if (cell === goal) break;
    if (spent > total[cell]) continue;
    for (const [right, down] of [[1, 0], [-1, 0], [0, 1], [0, -1], [1, 1], [1, -1], [-1, 1], [-1, -1]]) {
      const x = (cell % wide) + right, y = Math.floor(cell / wide) + down, next = y * wide + x;
      if (x < 0 || y < 0 || x >= wide || y >= high) continue;
      const sum = spent + costs[next] * Math.hypot(right, down);
      if (sum >= total[next]) continue;
      total[next] = sum;
      before[next] = cell;
      let [low, top] = [0, heads.length]; // the dearest first, so that the cheapest is taken from the end
      while (low < top) heads[(low + top) >> 1][0] > sum ? (low = ((low + top) >> 1) + 1) : (top = (low + top) >> 1);
      heads.splice(low, 0, [sum, next]);
    }
  }
  const cells = [goal];
  while (cells[0] !== cellAt(start)) cells.unshift(before[cells[0]]);
  for (const cell of cells) for (const beside of [0, 1, wide, -1, -wide]) used.add(mark(spotAt(cell + beside)));
  return cells.map(spotAt);
}

// How far a spot lies off a line.
function offLine([x, y], [fromX, fromY], [toX, toY]) {
  const [right, down] = [toX - fromX, toY - fromY], part = Math.max(0, Math.min(1, ((x - fromX) * right + (y - fromY) * down) / (right * right + down * down || 1)));
  return Math.hypot(x - fromX - part * right, y - fromY - part * down);
}

// A way without the corners of its grid.
function smooth(spots, rounds) {
  let way = spots;
  for (let round = 0; round < rounds; round++) way = way.map((one, at) => (at && at < way.length - 1 ? [0, 1].map((axis) => (way[at - 1][axis] + 2 * one[axis] + way[at + 1][axis]) / 4) : one));
  return way;
}
