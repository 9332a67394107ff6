// A page with a game, on the stage: the film of all of it. What stands in the frame "told" comes from the page's own data; all else
// comes from the file, dice and cards of a step too. All words of players are put in as text.
"use strict";

const { called, said, written, wordOf, headOf, Told } = globalThis.pbem;
const { $, state, element } = globalThis.pbem.page;
Object.assign(state, { entry: 0, step: 0, isWhole: true, whole: null, viewer: "", players: new Map(), seats: [], told: new Told(null, []), hasChosen: false });

// What the stage asks of a page
const heard = () => $("heard");
const filmOver = () => pauseFilm(true);
const countNews = () => {};
const main = () => document.querySelector("main");
const [listed, give] = [[], () => {}]; // nobody answers here

function sayStep(step) {
  Object.assign(state, { entry: step.entry, step: step.nth, isWhole: state.whole === step, whole: null });
  paintTold();
  paintEntry();
  paintBar();
  if (location.hash !== `#entry-${state.entry}`) history.replaceState(null, "", `#entry-${state.entry}`);
}

function proofButton(step, label, { roll, back }) {
  const line = roll ?? (state.checked.get(step.entry) ?? []).findIndex((text) => text.split(/[ :,]/).includes(back));
  const made = button("", () => showProof(line), "thrown");
  made.ariaLabel = `${label}: how it was computed`;
  return made;
}

/** The line that says how a die or a card was computed. */
function showProof(line) {
  pauseFilm(true);
  if (!docked.matches) openDrawer(true);
  const found = $("entry-checked").children[line] ?? $("entry-title");
  found.setAttribute("tabindex", "-1");
  found.focus();
}

// What is told

/** The name of a card for the viewer that was chosen: everybody, from the end; nobody but what was opened; or a seat. */
function faceOf(back, holder) {
  const opened = state.opened.get(back), others = state.seats.find((seat) => seat.name === holder)?.shown ?? [];
  const sees = ["*", holder].includes(state.viewer) || others.includes(state.viewer);
  return (opened !== undefined && opened <= state.entry) || sees ? state.faces.get(back) : undefined;
}

function paintHands() {
  $("hands-box").hidden = !state.told.hasHands;
  $("hands").replaceChildren();
  for (const [seat, backs] of state.told.hands(state.entry)) {
    const cards = backs.map((back) => faceOf(back, seat) ?? back);
    cards.sort((left, right) => left.localeCompare(right, "en", { numeric: true }));
    const many = cards.length === 1 ? "1 card" : `${cards.length} cards`;
    $("hands").append(element("dt", `${called(state.players, seat)}: ${many}`), element("dd", cards.join(", ") || "–"));
  }
}

const stepsOf = (entry) => film.steps.filter((step) => step.entry === entry);

function paintTold() {
  const { told, entry, step } = state, steps = stepsOf(entry), isNow = (nth) => state.isWhole || nth === step;
  $("when").textContent = told.when(entry);
  $("deeds").replaceChildren(...steps.slice(0, step + 1).flatMap(({ lines, nth }) => lines.map((text) => element("li", text, isNow(nth) ? { class: "now" } : {}))));
  $("ending").hidden = !told.ending || entry < state.entries.length - 1 || step < steps.length - 1;
  $("ending").textContent = told.ending;
  const now = $("deeds").querySelector(".now");
  $("caption").scrollTop = now ? now.offsetTop - $("caption").offsetTop : 0;
  const isBegun = boardAt(film, film.at) !== undefined;
  $("told").classList.toggle("unbegun", !isBegun);
  $("no-board").hidden = isBegun;
  paintHands();
}

// What was computed of a step: nothing of it is told, but how many rolls and which backs belong to which step; the last one of a
// turn has all that are left, and a turn that is looked at as a whole has all of them.

// An arrow goes by the spots that are named for it; to look for a way round panels takes more room than this page has.
const routed = (from, to, via) => [spotOf(from.place.name), ...via, spotOf(to.place.name)];
const isLast = ({ entry, nth }) => nth === stepsOf(entry).length - 1;
const before = ({ entry, nth }) => (state.isWhole ? [] : stepsOf(entry).slice(0, nth));

function diceOf(step) {
  const rolls = state.rolls.get(step.entry) ?? [], from = before(step).reduce((sum, one) => sum + one.thrown, 0);
  const fell = rolls.slice(from, isLast(step) ? rolls.length : from + step.thrown);
  return fell.length ? fell.map(({ dice, sides, line }) => ["", sides, dice, [], line]) : undefined;
}

function cardsOfStep(step) {
  const mine = [...state.opened].filter(([, number]) => number === step.entry).map(([back]) => back), earlier = before(step).flatMap(({ backs }) => backs);
  const turned = mine.filter((back) => !earlier.includes(back) && (isLast(step) || step.backs.includes(back)) && state.faces.has(back));
  return turned.map((back) => [state.faces.get(back), back]);
}

// What is signed: the file

function lines(id, texts) {
  $(id).replaceChildren(...texts.map((text) => element("li", text)));
  $(id).hidden = !texts.length;
}

/** What an entry says, with its cards by name as far as the viewer knows them; in a file that deals none "b4" is a field of a board. */
function readable(entry) {
  const seat = entry.fields.get("seat"), dealt = state.entries.some(({ fields }) => fields.has("seals") || fields.has("shuffle"));
  return !dealt ? said(entry) : said(entry).map((line) => line.replace(/(.*?) ?(?<![\p{L}\p{N}/])([a-z][0-9]{1,3})(?![\p{L}\p{N}])/gu, (_, before, back) => {
    const name = faceOf(back, seat);
    return name && before.endsWith(name) ? before : `${before} ${name ?? "a hidden card"}`;
  }));
}

/** The same in the list of turns: whose it is, and what they answered before all else. */
function listedAs(entry) {
  const all = readable(entry), answers = all.filter((line) => line.startsWith("answers “")).map((line) => line.slice(9, -1));
  const text = (answers.length ? answers : all).join("; ") || "gives what chance needs";
  return `${called(state.players, entry.fields.get("seat"))}: ${text.length > 120 ? `${text.slice(0, 118)} …` : text}`;
}

function paintEntry() {
  const entry = state.entries[state.entry], { stands } = state, note = state.notes.get(entry.number);
  $("entry-title").textContent = `Turn ${entry.number} of the file: ${called(state.players, entry.fields.get("seat"))}`;
  $("entry-meta").textContent = written(entry);
  $("message").hidden = !entry.fields.has("message");
  $("message").textContent = entry.fields.get("message") ?? "";
  $("note").hidden = note === undefined;
  $("note").textContent = note ?? "no text";
  lines("said", readable(entry));
  lines("entry-checked", state.checked.get(entry.number) ?? []);
  $("word").textContent = stands === null ? "" : wordOf(stands, entry, state.players);
  $("entry").dataset.signed = stands !== null && stands.on !== null && entry.number <= stands.on ? "all" : "no";
  const log = byId("log-button"), says = entry.fields.has("message");
  log.textContent = says ? "Log ✉" : "Log";
  log.ariaLabel = says ? "Log ✉: this turn as it is signed, with a message" : "Log: this turn as it is signed";
  for (const link of $("links").querySelectorAll("a")) {
    if (link.hash === `#entry-${state.entry}`) link.setAttribute("aria-current", "step");
    else link.removeAttribute("aria-current");
  }
}

function paintBar() {
  const slider = $("slider"), isEnd = film.at >= film.steps.length - 1;
  slider.max = String(film.steps.length - 1);
  slider.value = String(film.at);
  document.querySelector("#film output").textContent = `${state.entry} of ${state.last}`;
  slider.setAttribute("aria-valuetext", `${$("entry-title").textContent}, step ${state.step + 1} of ${stepsOf(state.entry).length}`);
  $("skip").disabled = isEnd;
}

// Going through the game

/** To a step of an entry, by default to its last one: the whole turn. */
function go(entry, nth = Infinity) {
  const at = Math.min(Math.max(entry, 0), Math.max(state.last, 0)), steps = stepsOf(at), step = steps[Math.max(0, Math.min(nth, steps.length - 1))];
  state.whole = nth === Infinity ? step : null;
  stepTo(film.steps.indexOf(step));
}

/** A turn that is looked at as a whole is what is played first. */
function playOrPause() {
  if (!film.isPlaying && state.isWhole && film.at >= 0) {
    film.at -= stepsOf(state.entry).length;
    drawFrame(boardAt(film, film.at));
  }
  pauseFilm(film.isPlaying);
}

const goToStep = (place) => stepTo(Math.min(Math.max(place, 0), film.steps.length - 1));

function skip() {
  if (state.step < stepsOf(state.entry).length - 1) go(state.entry);
  else if (state.entry < state.last) go(state.entry + 1);
}

/** What is seen, once more: something of it has been computed meanwhile. */
function paintAgain() {
  const step = film.steps[film.at];
  if (!step) return;
  state.whole = state.isWhole ? step : null;
  paintLinks();
  sayStep(step);
  throwDice(step, linkDice(step), false);
}

function follow() {
  const match = /^#entry-([0-9]{1,4})$/.exec(location.hash);
  if (match && Number(match[1]) !== state.entry) go(Number(match[1]));
}

function paintLinks() {
  $("links").replaceChildren(...state.entries.slice(0, state.last + 1).map((entry) => {
    const item = element("li");
    item.append(element("a", listedAs(entry), { href: `#entry-${entry.number}` }));
    return item;
  }));
}

/** The entries after a failure are not shown: the film stops there. */
function stopAt(last) {
  state.last = last;
  paintLinks();
  $("page").hidden = last < 0;
  film.steps = state.told.steps.filter(({ entry }) => entry <= last);
  if (last >= 0) go(state.entry);
}

Object.assign(filmKeys, {
  p: playOrPause, " ": playOrPause,
  Home: () => goToStep(0), End: () => goToStep(film.steps.length - 1), PageDown: skip, PageUp: () => go(state.entry - 1), Escape: () => foldIn(),
  "+": () => zoomMiddle(1.5), "-": () => zoomMiddle(1 / 1.5), 0: aimAtAll, t: () => showTray(), l: () => openDrawer(!isDrawerOpen()),
});

/** The stage of the page, with the board of its game or none. */
function build() {
  document.documentElement.classList.add("staged", "filming");
  [symbolPrefix, canAnswer] = [globalThis.pbem.PREFIX, false];
  buildStage($("told"));
  const drawer = buildDrawer("The turn as it is signed, and all turns"), view = byId("view"), { told } = state;
  drawer.append(...$("side").children);
  $("side").replaceWith(drawer);
  const box = make("div", { className: told.ground ? "ground backdrop" : "ground" });
  box.append(told.ground ?? draw("svg", { viewBox: "0 0 900 600" }));
  view.prepend(box);
  takeGround(box.firstElementChild);
  view.dataset.lies = "yes";
  const tray = byId("tray"), fill = () => tray.contains($("hands-box")) || (tray.append($("hands-box"), $("anew")), (byId("fold").hidden = false));
  new MutationObserver(fill).observe(tray, { childList: true });
  fill();
  document.fonts.ready.then(() => {
    measurePins(true);
    if (!isHeld) aim(false);
    placeDice();
  });
}

function control() {
  const acts = { "film-back": () => stepTo(film.at - 1), "film-play": playOrPause, "film-on": () => stepTo(film.at + 1), skip };
  for (const [id, act] of Object.entries(acts)) $(id).addEventListener("click", act);
  $("slider").addEventListener("input", () => goToStep(Number($("slider").value)));
  $("viewer").addEventListener("change", () => {
    Object.assign(state, { viewer: $("viewer").value, hasChosen: true });
    paintHands();
    paintLinks();
    paintEntry();
  });
  addEventListener("hashchange", follow);
  let start = null; // a finger on the story: to the next turn, or to the one before
  $("caption").addEventListener("pointerdown", (event) => (start = event.clientX));
  $("caption").addEventListener("pointercancel", () => (start = null)); // the browser scrolls with it
  $("caption").addEventListener("pointerup", (event) => {
    const moved = start === null ? 0 : event.clientX - start;
    start = null;
    if (Math.abs(moved) > 40) go(state.entry + (moved < 0 ? 1 : -1));
  });
}

/** A game that is over is looked at as everybody saw it in the end, unless somebody has chosen. */
function seenInTheEnd() {
  if (!state.hasChosen) $("viewer").value = state.viewer = "*";
}

/** The title of the page, from its file; with who has won where that was computed. */
function titled(entries, winners = null) {
  const { title, about } = headOf(entries, winners);
  for (const id of ["title", "about"]) $(id).textContent = { title, about }[id];
  document.title = title;
}

/** The game of a page, from its file; what is told of it besides. */
function show(entries, { told, trace }) {
  const { players } = headOf(entries);
  Object.assign(state, { entries, players, told: new Told(told, entries, players), seats: trace?.seats ?? [] });
  for (const { address, href } of state.told.pictures.values()) pictures.set(address, href);
  for (const step of state.told.steps) Object.defineProperties(step, { dice: { get: () => diceOf(step) }, cards: { get: () => cardsOfStep(step) } });
  titled(entries);
  const seats = [...players.keys()].map((seat) => [seat, called(players, seat)]);
  const views = [["", "everybody then"], ["*", "everybody in the end"], ...seats];
  $("viewer").replaceChildren(...views.map(([value, text]) => element("option", text, { value })));
  film = { steps: [], at: -1, pace: 1, isPlaying: false, run: 0 };
  build();
  const match = /^#entry-([0-9]{1,4})$/.exec(location.hash);
  state.entry = match ? Number(match[1]) : Math.max(entries.findLastIndex((entry) => entry.fields.has("key")), 0);
  stopAt(entries.length - 1);
  if (!isHeld) aim(false);
}

Object.assign(globalThis.pbem.page, { control, show, stopAt, draw: paintAgain, titled, seenInTheEnd });
