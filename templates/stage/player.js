// The film on the stage: what happened, step by step, as data that pbem/table/film.py describes. It is played over the board, with
// its own bar; by transform and opacity alone. What a page does besides is in its own script: `sayStep(step)` says a step,
// `filmOver()` ends a film that has come to its end, `proofButton(step, label, what)` leads from a die or a card to its proof.
"use strict";

const STEP_TIME = 700, LETTER_TIME = 24, LONGEST_STEP = 3400; // milliseconds of a step without moves; for each letter of its lines
let film = { key: "", address: "", steps: null }; // what is played, or offered; its steps once they are here

const isFilming = () => document.documentElement.classList.contains("filming");

const timeOf = (step) => Math.min(LONGEST_STEP, STEP_TIME + LETTER_TIME * step.lines.join("").length + (step.moves ? 500 : 0) + (step.dice ? 400 : 0));

// Plays on from where it is; a step that somebody else has taken meanwhile ends it.
async function runFilm(asked) {
  const run = (asked.run = (asked.run ?? 0) + 1), goesOn = () => film === asked && asked.run === run && asked.isPlaying && isFilming();
  while (goesOn() && asked.at + 1 < asked.steps.length) {
    const begun = performance.now();
    await showStep(asked, asked.at + 1, true);
    const rest = timeOf(asked.steps[asked.at]) * asked.pace - (performance.now() - begun);
    if (goesOn() && rest > 0) await new Promise((resolve) => setTimeout(resolve, rest));
  }
  if (goesOn()) filmOver();
}

// One step: pieces go their ways over the board before, dice roll and cards turn, then the board after it stands there.
async function showStep(asked, at, moves) {
  asked.at = at;
  const step = asked.steps[at], number = (asked.shown = (asked.shown ?? 0) + 1);
  sayStep(step);
  heard().textContent = step.lines.join(". ");
  byId("film-back").disabled = at === 0;
  byId("film-on").disabled = at + 1 === asked.steps.length;
  throwDice(step, (step.dice ?? []).filter(([, , dice]) => !lyingDice(step.board?.places, dice).length), moves); // those of the board come with it
  const comes = moves && step.board?.places?.filter(({ name }) => !pins.has(name) && step.moves?.some((move) => move[3] === name)) || [];
  if (comes.length) drawFrame(step.board); // what pieces go to has to stand there: it is seen when they arrive
  for (const { name } of comes) pins.get(name).button.classList.add("coming");
  if (moves && step.moves && !stillness.matches) await Promise.all(step.moves.slice(0, 12).map((move) => flyPiece(move, asked.pace)));
  for (const pin of pins.values()) pin.button.classList.remove("coming");
  if (film !== asked || asked.shown !== number || !isFilming()) return;
  drawFrame(boardAt(asked, at));
  throwDice(step, linkDice(step), false);
}

const boardAt = (asked, at) => asked.steps.slice(0, at + 1).findLast((step) => step.board)?.board ?? asked.before;

// A position, as data for the stage.
function drawFrame(data) {
  if (!ground) return; // there is none yet
  if (data) drawBoard(data);
  const places = [...pins.keys()].join(), isKnown = film.places === places;
  film.places = places;
  if (isHeld || isKnown) goTo(camera);
  else aim(); // other places have come
  placeDice();
}

// Where a piece stands in a place, or comes to stand: in the backdrop one beside the other, else in the middle of its panel.
function spotOfPiece(name, kind, comes) {
  const place = pins.get(name)?.place, stack = place?.stack?.[kind];
  if (!stack) return spotOf(name);
  const count = (place.pieces ?? []).find((piece) => piece.kind === kind)?.count ?? 0, nth = Math.max(0, Math.min(count, MOST_STANDING) - (comes ? 0 : 1));
  return onScreen([stack[0][0] + stack[1][0] * nth, stack[0][1] + stack[1][1] * nth]);
}

// One element goes from a spot to another.
function fly(element, from, to, pace) {
  const way = [from, to].map(([x, y]) => ({ transform: `translate(${x}px, ${y}px)` }));
  return element.animate(way, { duration: 650 * pace, easing: "ease-in-out", fill: "both" }).finished.catch(() => {});
}

function turnUp(card) {
  if (!stillness.matches) card.animate([{ transform: "rotateY(90deg)", opacity: 0.3 }, { transform: "none", opacity: 1 }], { duration: 380, easing: "ease-out" });
}

async function flyPiece([kind, count, from, to], pace) {
  const box = document.querySelector("#view .fx"), isStanding = Boolean(pins.get(from)?.place.stack ?? pins.get(to)?.place.stack);
  const piece = make("span", { className: "flying" }), size = isStanding ? (board.piece_size ?? 40) * camera.scale : byId(symbolId(kind))?.dataset.high ? 60 : 36;
  piece.style.setProperty("--size", `${size}px`);
  piece.append(kind ? symbolOf(kind) : make("span", { className: "moving" }));
  if (count > 1) piece.append(make("b", { textContent: count }));
  box.append(piece);
  for (const one of [...ground.standing.querySelectorAll(`[data-at="${CSS.escape(from)}"][data-piece="${CSS.escape(kind)}"]`)].slice(-count)) one.style.opacity = 0.15;
  await fly(piece, spotOfPiece(from, kind, false), spotOfPiece(to, kind, true), pace);
  piece.remove();
}

// The dice of a step as they fell, and the cards that turned up; one that is in the file opens its proof.
function throwDice(step, thrown, moves) {
  const box = byId("thrown"), all = [];
  for (const [why, sides, dice, hits, nth] of thrown) {
    const group = proofButton(step, [why, `dice ${dice.join(" ")}`].filter(Boolean).join(": "), { roll: nth });
    group.append(...dice.slice(0, 24).map((number) => pbem.film.die(number, sides, hits.includes(number), moves)));
    all.push(group);
  }
  for (const [name, back] of step.cards ?? []) {
    const card = proofButton(step, name, { back, name });
    card.classList.add("turned-card");
    card.append(...(globalThis.turnedFace?.(card, name) ?? [name]));
    if (moves) turnUp(card);
    all.push(card);
  }
  box.replaceChildren(...all);
}

function pauseFilm(isPaused) {
  if (!isFilming()) return;
  film.isPlaying = !isPaused;
  const play = byId("film-play");
  play.textContent = isPaused ? "▶" : "❚❚";
  play.ariaLabel = play.title = isPaused ? "play (space)" : "pause (space)";
  if (isPaused) return;
  film.pace = 1;
  if (film.at + 1 === film.steps.length) film.at = -1;
  runFilm(film);
}

function stepTo(at) {
  pauseFilm(true);
  if (at < 0 || at >= film.steps.length) return;
  const goesOn = at === film.at + 1;
  film.run += 1;
  if (!goesOn) drawFrame(boardAt(film, at - 1));
  showStep(film, at, goesOn);
}

// What keys do while a film is there; a page has more of them.
const filmKeys = { ArrowRight: () => stepTo(film.at + 1), ArrowLeft: () => stepTo(film.at - 1), p: () => pauseFilm(film.isPlaying), " ": () => pauseFilm(film.isPlaying) };

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest?.("input, textarea, select, iframe")) return;
  if (!isFilming() || byId("besides") || !filmKeys[event.key]) return;
  if (event.key === " " && event.target.closest?.("button, a, summary")) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  filmKeys[event.key]();
}, true);
