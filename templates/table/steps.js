// Answers that move several pieces: each is moved by itself, from a place to a place, in whichever order, and stands there
// at once. Which step may come next stands in the page (`data-steps`); a click on a piece that was chosen lets it go.
"use strict";

let ways = null; // the nodes that steps lead to: what may go where, and the answer that is complete there
let visited = []; // the numbers of the nodes so far
let stepped = []; // the steps so far: from, to
let source = null; // the place whose piece goes next
const untouched = new Map(); // places of the picture as they were before the first step

function readSteps() {
  const told = document.getElementById("steps");
  ways = told ? JSON.parse(told.dataset.steps) : null;
  visited = [0];
  stepped = [];
  source = null;
  putBack();
}

const node = () => ways.nodes[visited.at(-1)];
const nextPlaces = () => Object.keys((source === null ? node()[0] : node()[0][source]) ?? {}).map((name) => `place:${name}`);

// Somebody has clicked a place.
function goOn(name) {
  const steps = node()[0];
  if (source === name) source = null;
  else if (source !== null && steps[source][name] !== undefined) {
    visited.push(steps[source][name]);
    stepped.push([source, name]);
    source = null;
    drawSteps();
  } else if (steps[name]) source = name;
  else return;
  path = source === null ? [] : [`place:${source}`];
  const [further, sentence] = node();
  if (sentence !== null && !Object.keys(further).length) {
    give(known.find((one) => one.sentence === sentence));
    return;
  }
  paint();
  heard().textContent = source === null ? stepped.map((step) => step.join("/")).join(" ") : `${source}, where to?`;
}

// Escape, or the button of the steps: first the chosen piece is let go, then the newest step goes back.
function takeStepBack() {
  if (source !== null) source = null;
  else if (stepped.length) {
    stepped.pop();
    visited.pop();
    drawSteps();
  }
  path = [];
  paint();
}

// Beside the question: the steps so far, and the answer that may be given before all pieces have gone.
function stepButtons() {
  const [, sentence] = node(), made = [];
  if (sentence !== null && stepped.length) made.push(answerButton(known.find((one) => one.sentence === sentence)));
  if (stepped.length) made.push(button(`${stepped.map((step) => step.join("/")).join(", ")} ✕`, takeStepBack, "let-go"));
  return made;
}

// The pieces where the steps have taken them.
function drawSteps() {
  putBack();
  for (const [from, to] of stepped) {
    const start = stackOf(from, ways.piece), end = stackOf(to, ways.piece);
    if (!start || !end) return;
    const taken = kindsOf(to).find((kind) => kind !== ways.piece && to !== "off");
    if (taken) {
      stack(stackOf(to, taken), -1);
      stack(stackOf(ways.captured, taken), 1);
    }
    stack(start, -1);
    stack(end, 1);
  }
}

const placeOf = (name) => picture()?.querySelector(`[data-place="${CSS.escape(name)}"]`);
const kindsOf = (name) => [...new Set([...placeOf(name).querySelectorAll("[data-piece]")].map((one) => one.dataset.piece))];

// Where the pieces of a kind stand in a place: `data-stack="white x y dy number"`, one after the other with commas.
function stackOf(name, kind) {
  const place = placeOf(name), told = place?.dataset.stack?.split(",").map((one) => one.split(" ")) ?? [];
  const [found] = told.filter(([which]) => which === kind);
  return found ? { place, kind, at: told.indexOf(found), numbers: found.slice(1).map(Number), told } : null;
}

const MOST_DRAWN = 5;

function stack({ place, kind, at, numbers, told }, more) {
  if (!untouched.has(place)) untouched.set(place, [place.innerHTML, place.dataset.stack]);
  const [x, y, dy, count] = numbers, model = picture().querySelector(`[data-piece="${kind}"]`).cloneNode(true);
  model.querySelector("text")?.remove();
  for (const old of place.querySelectorAll(`[data-piece="${kind}"]`)) old.remove();
  const number = count + more, drawn = Math.min(number, MOST_DRAWN);
  for (let nth = 0; nth < drawn; nth++) {
    const piece = model.cloneNode(true);
    piece.setAttribute("transform", `translate(${x} ${y + dy * nth})`);
    if (nth === drawn - 1 && number > MOST_DRAWN) piece.append(numberOn(piece, number));
    place.append(piece);
  }
  told[at] = [kind, x, y, dy, number];
  place.dataset.stack = told.map((one) => one.join(" ")).join(",");
}

function numberOn(piece, number) {
  const text = document.createElementNS(SVG, "text");
  for (const [name, value] of Object.entries({ y: 8, "font-size": 23, "text-anchor": "middle", fill: piece.dataset.ink })) text.setAttribute(name, value);
  text.textContent = number;
  return text;
}

// As the picture was; places that were put anew meanwhile are right already.
function putBack() {
  for (const [place, [inside, told]] of untouched) {
    if (!place.isConnected) continue;
    place.innerHTML = inside;
    place.dataset.stack = told;
  }
  untouched.clear();
}
