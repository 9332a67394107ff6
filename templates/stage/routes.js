// The way of an arrow round the panels of the stage, near the spots that the board names for it: looked for on a grid.
"use strict";

const CELL = 10; // dots of the grid on which a way is looked for
const CLEAR = [10, 6]; // dots that an arrow keeps off panels, and where these are drawn small
const ASTRAY = 0.8, COVERED = 200; // what a cell costs more for each cell that it lies off the lane, and one that is too near to a panel
const USED = 4; // what a cell costs more that an earlier arrow goes through: two go side by side

// Spots of a way from the middle of a panel to that of another.
function routed(from, to, via, used) {
  const middle = (pin) => spotOf(pin.place.name), boxes = [...pins.values()].filter((pin) => !pin.place.box && pin !== from && pin !== to).map((pin) => edgesOf(pin)), [start, end] = [middle(from), middle(to)];
  const edgy = shortest(start, end, [start, ...via, end], boxes, used), isFree = (way) => !way.some((one) => boxes.some((box) => isIn(one, box, 2)));
  return [12, 6, 3, 1].map((rounds) => smooth(edgy, rounds)).find(isFree) ?? edgy;
}

const mark = (spot) => spot.map((one) => Math.round(one / CELL)).join();

// The cheapest way over a grid: it is dear to leave the lane, and dearer to come near to a panel.
function shortest(start, end, lane, boxes, used) {
  const xs = lane.map(([x]) => x), ys = lane.map(([, y]) => y), left = Math.min(...xs) - 8 * CELL, top = Math.min(...ys) - 8 * CELL;
  const wide = Math.ceil((Math.max(...xs) - left) / CELL) + 9, high = Math.ceil((Math.max(...ys) - top) / CELL) + 9;
  const cellAt = ([x, y]) => Math.round((y - top) / CELL) * wide + Math.round((x - left) / CELL), spotAt = (cell) => [left + (cell % wide) * CELL, top + Math.floor(cell / wide) * CELL];
  const clear = CLEAR[Number(isCompactAt(camera.scale, freePart()))];
  const costs = new Float32Array(wide * high).map((_, cell) => {
    const spot = spotAt(cell), off = Math.min(...lane.slice(1).map((one, at) => offLine(spot, lane[at], one))) / CELL;
    return 1 + ASTRAY * off + (boxes.some((box) => isIn(spot, box, clear)) ? COVERED : 0) + (used.has(mark(spot)) ? USED : 0);
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
