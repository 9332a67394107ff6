// The film on the stage: what happened, step by step, as data that pbem/table/film.py describes. It is played over the board
// where the prompt is, so that nothing moves away; whoever clicks a target has the question again. By transform and opacity alone.
"use strict";

const AT_MOST = 5000; // milliseconds of a film that started by itself
const STEP_TIME = 700, LETTER_TIME = 24, LONGEST_STEP = 3400; // of a step without moves; for each letter of its lines
let film = { key: "", address: "", steps: null }; // what the page offers; its steps once they are here

const isFilming = () => document.documentElement.classList.contains("filming");

// What the page offers: to be played by its button, by P, or at once.
function offerFilm() {
  const page = main(), button = document.getElementById("film-button"), { film: address, name, mark } = page.dataset, key = `${name} ${address} ${mark}`;
  if (film.key !== key) {
    endFilm();
    film = { key, address: address ? `/game/${name}/${address}` : "", steps: null };
    if (film.address && "filmNow" in page.dataset && !stillness.matches) playFilm(true);
    else if (film.address && "filmNew" in page.dataset) (window.requestIdleCallback ?? setTimeout)(() => fetchFilm().catch(() => {}));
  }
  if (!button) return;
  button.hidden = !film.address;
  button.classList.toggle("news", "filmNew" in page.dataset);
  button.ariaLabel = button.title = address?.includes("trying") ? "what comes of it, as a film (P)" : "what happened, as a film (P)";
}

function fetchFilm() {
  const asked = film;
  asked.coming ??= ask(asked.address).then((answer) => answer.json()).then((data) => Object.assign(asked, data, { at: -1 })).catch((error) => {
    asked.coming = null; // asked for once more by the next click
    throw error;
  });
  return asked.coming;
}

async function playFilm(startsItself = false) {
  const asked = film;
  if (!asked.address || isFilming()) return;
  try {
    await fetchFilm();
  } catch (error) {
    noAnswer(error);
    return;
  }
  if (film !== asked || isFilming() || !asked.steps.length) return;
  const natural = asked.steps.reduce((sum, step) => sum + timeOf(step), 0);
  const at = lookedAt() === undefined ? -1 : asked.steps.findLastIndex((step) => step.entry <= Number(lookedAt()));
  Object.assign(asked, { at: at + 1 < asked.steps.length ? at : -1, isPlaying: true, pace: startsItself ? Math.min(1, AT_MOST / natural) : 1 });
  closeBeside();
  document.documentElement.classList.add("filming");
  main().append(filmBar());
  main().querySelector("#view").append(make("div", { id: "thrown" }));
  if (!startsItself) document.getElementById("film-play").focus({ preventScroll: true });
  if (!isHeld) aim();
  if (lookedAt() === undefined) ask(`/game/${main().dataset.name}/looked`, { method: "POST", body: "" }).catch(() => {});
  document.getElementById("film-button")?.classList.remove("news");
  delete main().dataset.filmNew;
  drawFrame(boardAt(asked, asked.at));
  runFilm(asked);
}

function filmBar() {
  const bar = make("section", { id: "film" }), words = make("div", { className: "film-words" });
  bar.setAttribute("aria-label", "The film");
  const add = (id, text, label, act) => bar.append(Object.assign(button(text, act), { id, ariaLabel: label, title: label }));
  add("film-back", "‹", "one step back (left arrow)", () => stepTo(film.at - 1));
  add("film-play", "❚❚", "pause (space)", () => pauseFilm(film.isPlaying));
  add("film-on", "›", "one step on (right arrow)", () => stepTo(film.at + 1));
  words.append(make("b"), make("span"));
  words.tabIndex = 0;
  bar.append(words, make("output"));
  add("film-end", "✕", "end of the film (Escape)", () => endFilm());
  return bar;
}

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
  if (goesOn()) endFilm();
}

// One step: pieces go their ways over the board before, dice roll and cards turn, then the board after it stands there.
async function showStep(asked, at, moves) {
  asked.at = at;
  const step = asked.steps[at], words = document.querySelector(".film-words"), number = (asked.shown = (asked.shown ?? 0) + 1);
  words.firstChild.textContent = step.title ? `${step.title} ` : "";
  words.lastChild.textContent = step.lines.join(". ");
  words.scrollTop = 0;
  document.querySelector("#film output").textContent = `${at + 1}/${asked.steps.length}`;
  heard().textContent = step.lines.join(". ");
  document.getElementById("film-back").disabled = at === 0;
  document.getElementById("film-on").disabled = at + 1 === asked.steps.length;
  throwDice(step, moves);
  const comes = moves && step.board?.places?.filter(({ name }) => !pins.has(name) && step.moves?.some((move) => move[3] === name)) || [];
  if (comes.length) drawFrame(step.board); // what pieces go to has to stand there: it is seen when they arrive
  for (const { name } of comes) pins.get(name).button.classList.add("coming");
  if (moves && step.moves && !stillness.matches) await Promise.all(step.moves.slice(0, 12).map((move) => flyPiece(move, asked.pace)));
  for (const pin of pins.values()) pin.button.classList.remove("coming");
  if (asked.shown !== number || !isFilming()) return;
  drawFrame(boardAt(asked, at));
}

const boardAt = (asked, at) => asked.steps.slice(0, at + 1).findLast((step) => step.board)?.board ?? asked.before;

// A position: data for the stage, or the picture of a game that has no stage.
function drawFrame(data) {
  if (!ground) return; // the game has neither
  if (typeof data === "string") {
    const box = document.querySelector("#view .ground"), drawn = make("template", { innerHTML: data }).content, svg = drawn.querySelector("svg");
    film.ground ??= box.querySelector("svg");
    for (const link of drawn.querySelectorAll("link")) addStyle(document.importNode(link));
    box.replaceChildren(document.importNode(svg, true));
    takeGround(box.firstElementChild);
    drawBoard(boardOfPicture(ground.svg));
    pbem.film.fade(box);
  } else if (data) drawBoard(data);
  goTo(camera);
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
  const piece = make("span", { className: "flying" }), size = isStanding ? (board.piece_size ?? 40) * camera.scale : document.getElementById(kind)?.dataset.high ? 60 : 36;
  piece.style.setProperty("--size", `${size}px`);
  piece.append(kind ? symbolOf(kind) : make("span", { className: "moving" }));
  if (count > 1) piece.append(make("b", { textContent: count }));
  box.append(piece);
  for (const one of [...ground.standing.querySelectorAll(`[data-at="${CSS.escape(from)}"][data-piece="${CSS.escape(kind)}"]`)].slice(-count)) one.style.opacity = 0.15;
  await fly(piece, spotOfPiece(from, kind, false), spotOfPiece(to, kind, true), pace);
  piece.remove();
}

// The dice of a step as they fell, and the cards that turned up; one that is in the file opens its proof.
function throwDice(step, moves) {
  const box = document.getElementById("thrown"), all = [];
  for (const [why, sides, dice, hits, nth] of step.dice ?? []) {
    const group = proofButton(step, `${why}: dice ${dice.join(" ")}`, `[data-roll="${nth}"]`);
    group.append(...dice.slice(0, 24).map((number) => pbem.film.die(number, sides, hits.includes(number), moves)));
    all.push(group);
  }
  for (const [name, back] of step.cards ?? []) {
    const card = proofButton(step, name, back ? `[data-back="${CSS.escape(back)}"]` : `[data-card-name="${CSS.escape(name)}"]`);
    card.classList.add("turned-card");
    card.append(name);
    if (moves) turnUp(card);
    all.push(card);
  }
  box.replaceChildren(...all);
}

function proofButton(step, label, selector) {
  if (!step.title) return Object.assign(make("span", { className: "thrown" }), { role: "img", ariaLabel: label }); // it is in no file yet
  const made = button("", () => openProof(made, step.entry, selector, label), "thrown");
  made.ariaLabel = `${label}: what proves it`;
  return made;
}

async function openProof(anchor, entry, selector, label) {
  pauseFilm(true);
  try {
    const answer = await ask(entryAddress(entry), { headers: { "Table-Part": "1" } }), parts = Object.values((await answer.json()).new);
    const proof = mainOf(`<main>${parts.join("")}</main>`).querySelector(`.proof:is(${selector})`);
    if (proof) proof.open = true;
    openBeside(anchor, label, [proof ?? make("p", { textContent: "Nothing has to prove it: it lay open from the beginning." }), closeButton()], true);
  } catch (error) {
    noAnswer(error);
  }
}

function pauseFilm(isPaused) {
  if (!isFilming()) return;
  film.isPlaying = !isPaused;
  const play = document.getElementById("film-play");
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

// Back to the question, and to the board as it is now; a page that was replaced meanwhile has taken the bar along.
function endFilm() {
  if (!isFilming()) return;
  const bar = document.getElementById("film"), hadFocus = bar?.contains(document.activeElement);
  document.documentElement.classList.remove("filming");
  film.isPlaying = false;
  if (!bar) return;
  bar.remove();
  document.getElementById("thrown").remove();
  document.querySelector("#view .fx").replaceChildren();
  if (film.ground) document.querySelector("#view .ground").replaceChildren(film.ground);
  delete film.ground;
  prepareBoard();
  paint();
  if (isHeld) goTo(camera);
  else aim();
  if (lookedAt() !== undefined && film.steps[film.at]) look(entryAddress(film.steps[film.at].entry));
  else if (hadFocus) (document.querySelector("#choices button") ?? document.getElementById("turn-title"))?.focus({ preventScroll: true });
}

// The first click on what answers ends the film, and nothing else: what stands there is not the question yet.
document.addEventListener("click", (event) => {
  if (!isFilming() || !event.target.closest?.(".pin, .held [data-card], .told, #drawer form")) return;
  const answers = event.target.closest(".pin, .held [data-card]");
  endFilm();
  if (!answers) return;
  event.preventDefault();
  event.stopImmediatePropagation();
}, true);
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest?.("input, textarea, select, iframe")) return;
  if (!isFilming()) {
    if (event.key === "p" && film.address) playFilm();
    return;
  }
  if (document.getElementById("besides")) return;
  const acts = { ArrowRight: () => stepTo(film.at + 1), ArrowLeft: () => stepTo(film.at - 1), Escape: endFilm, p: () => pauseFilm(film.isPlaying), " ": () => pauseFilm(film.isPlaying) };
  if (!acts[event.key] || (event.key === " " && event.target.closest?.("button, a, summary"))) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  acts[event.key]();
}, true);
document.addEventListener("change", (event) => {
  if (event.target.name === "film-starts") event.target.form.requestSubmit();
});
