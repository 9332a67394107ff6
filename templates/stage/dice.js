// The dice of the newest event, beside the board: what threw them, which hit, what they decide, and the pieces that take a hit.
// The same at the table, in the film and in looking back; `board.thrown` is described by pbem/games/stage.py.
"use strict";

const WIDTHS = [560, 470, 440, 408, 392, 320]; // of the box where panels have their usual size, the first that covers no place
const MOST_TAKERS = 4; // pieces of a kind that stand one by one; more are one with a number
const TIGHT = 450; // dots: a narrower one does not say beside each source what it came to
const FOLDED = [320, 232];
const STEP = 12; // dots between two spots where it may stand
const low = matchMedia("(max-height: 480px) and (min-width: 600px)");
let foldedByHand = null; // how somebody has left the dice of this event; else a small window has several folded while nobody takes hits
const isOneLine = (thrown) => Boolean(board.stretches) && thrown?.throws.length === 1 && !thrown.says; // its die says all of it
const isDiceFolded = () => !isOneLine(board.thrown) && (foldedByHand ?? ((board.stretches ? low.matches || narrow.matches : low.matches && board.thrown?.throws.length > 1) && !board.thrown?.losses));

function buildDice() {
  const box = make("section", { id: "dice", hidden: true, ariaLabel: "Dice" });
  box.append(button("", () => ((foldedByHand = !isDiceFolded()), placeDice()), "dice-title"), make("div", { className: "dice-rows" }));
  return box;
}

function drawThrown() {
  const box = byId("dice"), { thrown } = board, told = thrown ? JSON.stringify(thrown) : "";
  if (!box || box.drawnFrom === told) return;
  for (const [name, { button }] of pins) button.classList.toggle("fights", Boolean(thrown?.losses) && name === thrown.place);
  if (box.event !== thrown?.title) foldedByHand = null;
  Object.assign(box, { drawnFrom: told, event: thrown?.title, hidden: !thrown });
  if (!thrown) box.losses?.remove();
  if (!thrown) return;
  box.classList.toggle("single", thrown.throws.length === 1 && !thrown.losses);
  box.classList.toggle("one-line", isOneLine(thrown));
  const title = box.querySelector(".dice-title");
  title.replaceChildren(make("b", { textContent: thrown.title }), make("span", { textContent: thrown.says ?? "" }));
  const moves = isFilming() && !stillness.matches;
  box.losses?.remove();
  box.losses = thrown.losses ? lossRow(thrown) : null;
  box.querySelector(".dice-rows").replaceChildren(...thrown.throws.map((one) => throwRow(one.says === thrown.says ? { ...one, says: "" } : one, moves && !box.seen?.has(JSON.stringify(one)))), ...(box.losses ? [box.losses] : []));
  box.seen = new Set(thrown.throws.map((one) => JSON.stringify(one)));
}

function foldDice(box) {
  box.querySelector(".dice-title").setAttribute("aria-expanded", String(!isDiceFolded()));
  box.querySelector(".dice-rows").hidden = isDiceFolded();
}

const inOrder = (dice) => [...dice].sort().join(" ");
const throwWords = ({ words, dice, says }) => [`${words}: ${dice.join(" ")}`, says].filter(Boolean).join(", ");

// One source: its pieces, its dice, what they came to.
function throwRow(one, moves) {
  const row = make("div", { className: `throw${one.side ? ` side-${one.side}` : ""}${one.spent ? " spent" : ""}` }), by = make("span", { className: "by", ariaHidden: "true" }), dice = make("span", { className: "thrown-dice" });
  by.append(...(one.pieces ?? []).flatMap((piece) => [symbolOf(piece.kind), ...(piece.count > 1 ? [make("b", { textContent: `× ${piece.count}` })] : [])]));
  if (!one.pieces) by.append(make("span", { textContent: one.words }));
  dice.append(...one.dice.map((number, at) => one.faces ? make("span", { className: "face", textContent: one.faces[at] }) : dieOf(number, one.sides ?? 6, at < (one.hits ?? 0), moves)));
  row.append(make("span", { className: "unseen", textContent: throwWords(one) }), by, dice, make("span", { className: `says${one.hits ? " hit" : ""}`, textContent: one.says ?? "", ariaHidden: "true" }));
  row.dataset.dice = inOrder(one.dice);
  row.title = one.words;
  return row;
}

function dieOf(number, sides, isHit, moves) {
  const die = pbem.film.die(number, sides, isHit, moves);
  if (isHit) die.classList.add("hit");
  return die;
}

// Who takes hits: how many are left, and each piece with what a hit on it costs. While that is asked the row stands beside the
// question (`frameLosses`), each piece a button.
function lossRow({ losses, left, of }) {
  const row = make("div", { className: "losses" }), count = make("span", { className: "hits-left", role: "img", ariaLabel: `${left} of ${of} hits left to take` });
  count.append(...Array.from({ length: of }, (_, at) => make("i", { className: at < left ? "left" : "" })), make("b", { textContent: `${left} ${left === 1 ? "hit" : "hits"} left`, ariaHidden: "true" }));
  row.append(count, ...losses.map(({ piece, answer, cost, is_hit }) => {
    const group = make("span", { className: "loss" });
    for (let nth = 0; nth < (piece.count > MOST_TAKERS ? 1 : piece.count); nth++) {
      const one = make(canAnswer ? "button" : "span", { type: "button", className: "taker" });
      one.classList.toggle("is-hit", Boolean(is_hit));
      if (nth) one.tabIndex = -1;
      one.dataset.loss = answer;
      if (canAnswer) one.ariaLabel = one.title = `${answer}: ${cost}`;
      one.append(symbolOf(piece.kind));
      group.append(one);
    }
    if (piece.count > 1) group.append(make("b", { className: `times${piece.count > MOST_TAKERS ? " many" : ""}`, textContent: `× ${piece.count}` }));
    const words = make("span", { className: "loss-words" });
    words.append(make("b", { className: "deed" }), make("small", { textContent: `${is_hit ? "2nd hit: " : ""}${cost}` }));
    group.append(words);
    return group;
  }));
  return row;
}

// It stands where it covers no place, as near to the lower left corner as that goes, and over the hand in a low window while hits
// are taken; where it would cover a place everywhere, the board makes room below.
function placeDice() {
  const box = byId("dice");
  if (!box || !ground || (!box.dataset.placed && document.fonts.status !== "loaded")) return; // at first once its letters are there
  foldDice(box);
  const isAway = Boolean(globalThis.areCellsOpen?.()); // they are clicked where it may lie
  box.classList.toggle("away", isAway);
  const placedFor = () => JSON.stringify([box.hidden || isAway || [box.drawnFrom, isDiceFolded(), box.contains(box.losses)], isFilming(), viewBox().width, viewBox().height, freePart().top, camera, sizes.size, globalThis.questionOf?.()?.textContent]);
  if (box.placedFor === placedFor()) return;
  const was = box.dataset.covers, stoodIn = JSON.stringify([box.hidden || isAway, box.event, isDiceFolded(), isFilming(), innerWidth, innerHeight]), stays = was === "bottom" && box.stoodIn === stoodIn;
  box.stoodIn = stoodIn;
  if (stays) { // below the board it stays for as long as it is about the same: to look for a better spot takes time
    const { transform } = box.style;
    lieBelow(box);
    if (box.style.transform !== transform && !isHeld) aim(false);
    box.placedFor = placedFor();
    return;
  }
  box.classList.remove("below", "by-question");
  delete box.dataset.covers;
  box.closest("main").style.setProperty("--dice", "0px"); // a page that checks has none of the table's functions
  free = null;
  if (was === "bottom" && !isHeld) aim(false); // as the board is without them
  if (!box.hidden && !isAway) putDice(box);
  if (box.dataset.covers && !isHeld) aim(false);
  box.placedFor = placedFor();
  box.dataset.placed = "yes";
}

function putDice(box) {
  const hasSide = box.classList.contains("single") && box.closest("main").classList.contains("no-hand"), isBeside = low.matches && canAnswer && Boolean(board.thrown.losses || isFilming() || hasSide), isAsked = !isBeside && Boolean(globalThis.fitsBesideQuestion?.(box)), spot = isBeside || isAsked || narrow.matches ? null : freeSpot(box);
  box.classList.toggle("beside", isBeside);
  box.classList.toggle("by-question", isAsked);
  box.classList.toggle("below", !spot && !isBeside && !isAsked);
  if (isBeside || isAsked) Object.assign(box.style, { width: isAsked ? "max-content" : "", maxHeight: "", transform: "" });
  else if (spot) box.style.transform = `translate(${spot[0]}px, ${spot[1]}px)`;
  else lieBelow(box);
  free = null;
}

function lieBelow(box) {
  delete box.dataset.covers;
  free = null;
  const room = freePart();
  Object.assign(box.style, { width: `${room.width}px`, maxHeight: `${room.height * 0.62}px` });
  box.style.transform = `translate(${room.left}px, ${room.bottom - box.offsetHeight}px)`;
  box.dataset.covers = "bottom";
  box.closest("main").style.setProperty("--dice", `${box.offsetHeight}px`);
  free = null;
}

// The free spot for it, for the widest of its widths that has one; null where none has.
function freeSpot(box) {
  const room = freePart(), tools = [...document.querySelectorAll(".tools .tool")].map((one) => one.getBoundingClientRect()).filter(({ left, bottom }) => left - viewBox().left < room.right && bottom - viewBox().top > room.top), from = Math.max(room.left, ...tools.map(({ right }) => right - viewBox().left));
  const taken = placesTaken(), side = board.stretches ? -1 : 1; // far distances have room
  const lanes = board.stretches ? [...pins.values()].filter(({ place }) => place.box).map((pin) => edgesOf(pin)) : [], isInLane = (y, high) => !lanes.length || lanes.some(({ top, bottom }) => y >= top && y + high <= bottom);
  box.classList.remove("below", "beside");
  const large = Math.max(1, Math.min(grown, MOST_GROWN)), widths = isDiceFolded() ? FOLDED : board.stretches ? [widthOf(box)] : [...(large > 1 ? [WIDTHS[0], WIDTHS[2]].map((one) => one * large) : []), ...WIDTHS];
  for (const most of widths) {
    box.style.setProperty("--large", most > WIDTHS[0] || (large > 1 && most === WIDTHS[2] * large) ? large : 1);
    const wide = Math.min(most, room.right - from - 2 * MARGIN);
    Object.assign(box.style, { width: `${wide}px`, maxHeight: `${room.height - 2 * MARGIN}px` });
    box.classList.toggle("tight", wide < TIGHT * Number(box.style.getPropertyValue("--large")));
    const high = box.offsetHeight, [right, bottom] = [room.right - wide - MARGIN, room.bottom - high - MARGIN], spots = [];
    for (let x = from + MARGIN; x <= right; x += STEP) for (let y = bottom; y >= room.top + MARGIN; y -= STEP) spots.push([x, y]);
    spots.sort(([x, y], [otherX, otherY]) => side * (x - otherX) - y + otherY);
    const spot = spots.find(([x, y]) => isInLane(y, high) && !taken.some((one) => x < one.right && x + wide > one.left && y < one.bottom && y + high > one.top));
    if (spot) return [...spot, wide];
  }
  return null;
}

// How wide it is by itself.
function widthOf(box) {
  box.style.width = "max-content";
  return Math.ceil(box.offsetWidth);
}

// What places take on the screen, with a little room around; all of a board in which places lie.
function placesTaken() {
  const all = [...pins.values()], isCompact = byId("view").classList.contains("compact");
  const boxes = all.filter((pin) => pin.place.at && !pin.place.box).map((pin) => {
    const { left, top, wide, high } = boxOfPin(pin, sizeOfPin(pin, camera.scale, camera.isTurned, isCompact), camera), [x, y] = [left + pin.aside[0], top + pin.aside[1]];
    return { left: x - GAP, top: y - GAP, right: x + wide + GAP, bottom: y + high + GAP };
  });
  const anchors = all.filter((pin) => pin.place.anchor).map((pin) => onScreen(pin.place.anchor)).map(([x, y]) => ({ left: x - GAP, top: y - GAP, right: x + GAP, bottom: y + GAP }));
  if ((boxes.length === all.length || board.stretches) && !board.picture) return [...boxes, ...anchors];
  const [x, y, wide, high] = board.whole, [one, other] = [onScreen([x, y]), onScreen([x + wide, y + high])];
  return [{ left: Math.min(one[0], other[0]), top: Math.min(one[1], other[1]), right: Math.max(one[0], other[0]), bottom: Math.max(one[1], other[1]) }];
}

// The places of a board whose pieces are these dice, used ones too; of a double there may be more than were thrown.
function lyingDice(places, dice) {
  const lying = (places ?? []).filter(({ pieces }) => pieces?.[0]?.kind.startsWith("die-"));
  return inOrder(new Set(lying.map(({ pieces }) => Number(pieces[0].kind.split("-").at(-1))))) === inOrder(new Set(dice)) ? lying : [];
}

// In the film the dice of a step lead to what proves them: beside the board, or on it; what is left lies in neither.
function linkDice(step) {
  const rows = [...document.querySelectorAll("#dice .throw")];
  return (step.dice ?? []).filter(([why, , dice, , nth]) => {
    const row = rows.find((one) => one.dataset.dice === inOrder(dice) && !one.querySelector(".thrown")), shown = row?.querySelector(".thrown-dice"), lying = lyingDice(board.places, dice);
    if (!row && !lying.length) return true;
    const link = proofButton(step, [why, `dice ${dice.join(" ")}`].filter(Boolean).join(": "), { roll: nth });
    if (row) {
      link.append(...shown.children);
      shown.append(link);
    } else lieOver(link, lying);
    return false;
  });
}

// The link stands over dice of the board, as a place that goes with the camera until another board is drawn.
function lieOver(link, lying) {
  const [xs, ys] = [0, 1].map((axis) => lying.flatMap(({ at, box }) => [at[axis] - box[axis] / 2, at[axis] + box[axis] / 2])), [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const pin = { place: { name: "thrown dice", look: "spot", at: [(left + right) / 2, (top + bottom) / 2], box: [right - left, bottom - top], says: link.ariaLabel }, button: link, says: make("span", { className: "unseen" }), aside: [0, 0] };
  link.className = "pin spot proves";
  link.append(pin.says);
  pins.set(pin.place.name, pin);
  document.querySelector("#view .pins").append(link);
  putPin(pin);
}
window.addEventListener("resize", placeDice); // behind the camera's own
