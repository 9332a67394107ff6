// The film as a table offers it: to be played by its button, by P, or at once, where the prompt is, so that nothing moves away;
// whoever clicks a target has the question again.
"use strict";

const AT_MOST = 5000; // milliseconds of a film that started by itself

function offerFilm() {
  const page = main(), tools = document.querySelector(".tools"), { film: address, name, mark } = page.dataset, key = `${name} ${address} ${mark}`;
  if (film.key !== key) {
    film = { key, address: address ? `/game/${name}/${address}` : "", steps: null };
    if (film.address && "filmNow" in page.dataset && !stillness.matches) playFilm(true);
    else if (film.address && "filmNew" in page.dataset) (window.requestIdleCallback ?? setTimeout)(() => fetchFilm().catch(() => {}));
  }
  if (!tools) return;
  const button = document.getElementById("film-button") ?? tools.appendChild(filmButton());
  button.hidden = !film.address;
  button.classList.toggle("news", "filmNew" in page.dataset);
  button.ariaLabel = button.title = address?.includes("trying") ? "what comes of it, as a film (P)" : "what happened, as a film (P)";
  makeWay();
}

// The offer gives way: its words where they would lie over places, all of it where a choice was begun that it lies over.
function makeWay() {
  placeDice();
  const button = document.getElementById("film-button");
  if (!button || button.hidden || !ground) return;
  const hasBegun = path.length > onlyStart().length || source !== null || stepped.length > 0;
  button.classList.remove("away", "brief");
  if (button.classList.contains("news")) button.classList.toggle("brief", hasBegun || liesOverPlaces(button) || document.querySelector("#dice:not([hidden], .below, .beside, .by-question)") !== null);
  button.classList.toggle("away", hasBegun && liesOverPlaces(button, ".can-go, .chosen-place"));
}

function liesOverPlaces(element, which = ".pin") {
  const at = element.getBoundingClientRect(), all = viewBox(), isCompact = document.getElementById("view").classList.contains("compact");
  const [left, top] = [at.left - all.left, at.top - all.top], over = (x, y, right, down) => x < left + at.width && right > left && y < top + at.height && down > top;
  if (which === ".pin" && [...pins.values()].every((pin) => pin.place.box)) {
    const [x, y, wide, high] = board.whole, [one, other] = [onScreen([x, y]), onScreen([x + wide, y + high])];
    return over(...[0, 1].map((side) => Math.min(one[side], other[side])), ...[0, 1].map((side) => Math.max(one[side], other[side])));
  }
  return [...pins.values()].filter((pin) => pin.button.matches(which)).some((pin) => {
    const box = boxOfPin(pin, sizeOfPin(pin, camera.scale, camera.isTurned, isCompact), camera), [x, y] = [box.left + pin.aside[0], box.top + pin.aside[1]];
    return over(x, y, x + box.wide, y + box.high);
  });
}

const filmButton = () => Object.assign(button("▶", () => playFilm(), "tool"), { id: "film-button" });

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
  const at = lookedAt() === undefined ? -1 : asked.steps.findIndex((step) => step.entry >= Number(lookedAt())) - 1;
  Object.assign(asked, { at: Math.max(at, -1), isPlaying: true, pace: startsItself ? Math.min(1, AT_MOST / natural) : 1 });
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

// The words of a step, in the bar of the film.
function sayStep(step) {
  const words = document.querySelector(".film-words");
  words.firstChild.textContent = step.title ? `${step.title} ` : "";
  words.lastChild.textContent = step.lines.join(". ");
  words.scrollTop = 0;
  document.querySelector("#film output").textContent = `${film.at + 1}/${film.steps.length}`;
}

function proofButton(step, label, { roll, back, name }) {
  const selector = roll !== undefined ? `[data-roll="${roll}"]` : back ? `[data-back="${CSS.escape(back)}"]` : `[data-card-name="${CSS.escape(name)}"]`;
  if (!step.title) return Object.assign(make("span", { className: "thrown" }), { role: "img", ariaLabel: label }); // it is in no file yet
  const made = button("", () => openProof(made, step.entry, selector, label), "thrown");
  made.ariaLabel = `${label}: what proves it`;
  return made;
}

// A card that turned up has the face that it has in a hand, where the page has the drawings.
function turnedFace(card, name) {
  const face = film.faces?.[name];
  if (!face?.scene.length || !document.querySelector(".art-kit")) return null;
  card.classList.add("turned-face", face.band);
  const art = make("span", { className: "art" });
  art.append(sceneOf(face.scene, face.value));
  return [make("b", { textContent: name }), art];
}

async function openProof(anchor, entry, selector, label) {
  pauseFilm(true);
  try {
    const answer = await ask(entryAddress(entry), { headers: { "Table-Part": "1" } }), parts = Object.values((await answer.json()).new);
    const proof = mainOf(`<main>${parts.join("")}</main>`).querySelector(`.proof:is(${selector})`);
    if (proof) proof.open = true;
    if (anchor.isConnected) openBeside(anchor, label, [proof ?? make("p", { textContent: "Nothing has to prove it: it lay open from the beginning." }), closeButton()], true);
  } catch (error) {
    noAnswer(error);
  }
}

// Back to the question, and to the board as it is now.
function endFilm() {
  if (!isFilming()) return;
  const bar = document.getElementById("film"), hadFocus = bar.contains(document.activeElement);
  document.documentElement.classList.remove("filming");
  film.isPlaying = false;
  bar.remove();
  document.getElementById("thrown").remove();
  document.querySelector("#view .fx").replaceChildren();
  prepareBoard();
  paint();
  if (isHeld) goTo(camera);
  else aim();
  if (lookedAt() !== undefined && film.steps[film.at]) look(entryAddress(film.steps[film.at].entry));
  else if (hadFocus) (document.querySelector("#choices button") ?? document.getElementById("turn-title"))?.focus({ preventScroll: true });
}

const filmOver = () => endFilm();

// The first click on what answers ends the film, and nothing else: what stands there is not the question yet.
document.addEventListener("click", (event) => {
  if (!isFilming() || !event.target.closest?.(".pin:not(.proves), .held [data-card], .told, #drawer form")) return;
  const answers = event.target.closest(".pin:not(.proves), .held [data-card]");
  endFilm();
  if (!answers) return;
  event.preventDefault();
  event.stopImmediatePropagation();
}, true);
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest?.("input, textarea, select, iframe")) return;
  if (!isFilming() && event.key === "p" && film.address) playFilm();
});
filmKeys.Escape = () => endFilm();
window.addEventListener("resize", makeWay); // behind the camera's own
document.addEventListener("change", (event) => {
  if (event.target.name === "film-starts") event.target.form.requestSubmit();
});
