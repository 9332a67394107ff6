// What the board owes to what is asked at a table, and has no need of on a page that only shows a game: cells that can be clicked are
// in view, and there is room for what is answered and offered.
"use strict";

const CHIP = { usual: [15, 34, 21], compact: [12.5, 25, 14] }, ABOVE = 0.5; // letters and height of what lies in a line of values, and its edges; a place up to so much of the window has its name above them

// How wide the buttons of a counter are, and how high with what is around.
function stepperAt(isCompact) {
  return isCompact ? [78, 46] : [84, 48];
}

// Whether the cells of a chart are clicked: what lies in them is a number in their corner then.
function areCellsOpen() {
  return Boolean(board.stretches) && !isFilming() && [...pins.values()].some(({ place, button }) => place.box && button.matches(".can-go"));
}

// The part of the board that is looked at: with all cells of a chart while they are clicked, and before the first of them with as
// much as the name of what lies there needs.
const HOME_WIDE = 88;
function wholeWithCells() {
  const [x, y, wide, high] = board.whole;
  if (!areCellsOpen()) return board.whole;
  const ends = [0, 1].map((axis) => Math.max(...board.places.filter(({ box }) => box).map(({ at, box }) => at[axis] + (box[axis] + GAP) / 2)));
  const first = firstCell(), room = turnsNow() ? 0 : (HOME_WIDE * (ends[0] - first)) / (freeOfTools().width - 2 * MARGIN - HOME_WIDE), left = Math.min(x, first - room);
  return [left, y, Math.max(x + wide, ends[0]) - left, Math.max(high, ends[1] - y)];
}

const firstCell = () => Math.min(...board.places.filter(({ box }) => box).map(({ at, box }) => at[0] - (box[0] + GAP) / 2));

// While cells are clicked each panel is where its cell is, and what lies before the first of them in the middle of its room.
function lieInCells(panels) {
  if (!areCellsOpen()) return false;
  const first = firstCell(), [middle, start] = [(wholeWithCells()[0] + first) / 2, 0].map((x) => onScreen([x, 0])[0]);
  for (const { pin } of panels) pin.aside = [!camera.isTurned && pin.place.at[0] < first ? middle - start : 0, 0];
  return true;
}

// Each cell of a chart has what lies in it as a number or a name in its corner, for while the cells are clicked.
function writeCells() {
  if (!board.stretches) return;
  const cells = new Map([...pins.values()].filter(({ place }) => place.box).map((pin) => [String(pin.place.at), { pin, own: [] }]));
  for (const { place, button } of pins.values()) if (!place.box) {
    const cell = cells.get(String(place.at));
    button.classList.toggle("lies-in-it", Boolean(cell));
    cell?.own.push(place);
  }
  for (const { pin, own } of cells.values()) {
    pin.within = own.map(({ name }) => name).join(", ");
    pin.button.querySelector(".chips")?.remove();
    if (own.length) pin.button.append(chipsOf(own));
  }
}

function chipsOf(places) {
  const box = make("span", { className: "chips", ariaHidden: "true" });
  box.append(...places.map(({ label, look, colour }) => make("b", { className: `chip ${look === "other" ? "lesser" : ""}${colour ? ` of-${colour}` : ""}`, textContent: /\d+$/.exec(label)?.[0] ?? label })));
  return box;
}

// Dice of one line stand at the right of the question, where that is short; what is signed has its buttons there.
function questionOf() {
  return document.querySelector(".staged .work:not(.timeline) > .asked");
}

function fitsBesideQuestion(box) {
  const question = questionOf(), words = document.createRange();
  if (!question || question.closest(".spelt") || !isOneLine(board.thrown) || isFilming() || narrow.matches || low.matches) return false;
  words.selectNodeContents(question);
  return Math.max(...[...words.getClientRects()].map(({ right }) => right)) + widthOf(box) + 3 * MARGIN < question.closest(".work").getBoundingClientRect().right;
}

// A camera that shows what can be clicked too, where the board goes on beyond its part that is usually seen.
function reaching(at) {
  const free = freePart(), all = [...pins].filter(([, { button }]) => button.matches(".can-go"));
  const isOut = ({ place }) => {
    const [x, y] = onScreen(heldAt(place), at);
    return x < free.left || x > free.right || y < free.top || y > free.bottom;
  };
  return all.some(([, pin]) => isOut(pin)) ? fitted(all.map(([name]) => name), at.scale, at.isTurned) : at;
}

// A place whose cards and counters are values in a line, where a window has no room for all of them as cards: its name stands before
// or above them.
function briefly({ label, note, pieces = [] }, { isCompact, wide, edge, gap }) {
  const [letter, chip, edges] = CHIP[isCompact ? "compact" : "usual"], all = wide - 2 * edge, head = wideOf(label) * letter + 18, values = pieces.map((one) => wideOf(one.label || one.value || "") * (letter - 1) + wideOf(one.text ?? "") * (letter + 1) + edges);
  if (note) values.push(wideOf(note) * 13 + 8);
  const long = sum(values, 4), most = (all - gap) * ABOVE, isAbove = head + long + 12 > most && Math.max(head, long) + 12 <= most, rows = [0];
  for (const value of values) rows.at(-1) && head + rows.at(-1) + value + 12 > all && !isAbove ? rows.push(value) : (rows[rows.length - 1] += value + 4);
  return [Math.min(all, (isAbove ? Math.max(head, long) : head + Math.max(...rows)) + 12), rows.length * chip + (isAbove ? letter * 1.5 : 0) + 7, LEAST_FACE, 0, isAbove];
}

// In a small window what the strip has all of is not there again.
function spare() {
  const seen = (one) => {
    const box = one.parentElement.getBoundingClientRect(), at = one.getBoundingClientRect();
    return at.bottom <= box.bottom + 2 && at.right <= box.right + 2;
  };
  const isSpare = (narrow.matches || low.matches) && [...document.querySelectorAll("#marks .facts .value, #marks .values .value:has(b)")].every(seen);
  for (const { place, button } of pins.values()) button.hidden = isSpare && Boolean(place.in_strip);
  byId("view").classList.toggle("spare", isSpare);
}

// How much of the board the button of the film takes, which lies where the plates of the near side do, and over no button there.
function roomOfOffer(free) {
  const offer = byId("film-button")?.getBoundingClientRect();
  if (!offer?.height || offer.top <= viewBox().top + free.top) return null;
  const isOver = !board.edges && [...pins.values()].some(({ place }) => hasCounters(place));
  return { below: isOver ? offer.height + GAP : 0, offer: [offer.width + 8, offer.height] };
}
