// The prompt: what is asked, and how it is answered. The board and the cards are the way to play. Each answer has a path:
// the cards and places that are clicked for it, one after the other. What can be clicked next has a frame; an answer whose
// path is all clicked is given. One that moves several pieces is made step by step, in whichever order.
"use strict";

const FEW = 12; // so many answers are a button each
const SEVERAL = 20; // so many free fields, if they are most of all, have no mark: one that is pointed at shows the piece

let listed = []; // the legal answers: sentence, the same as one says it, path, count of pieces, button
let known = []; // those that are offered on the board
let path = [];
let amount = 1; // how many pieces go with one click
let list = null; // the part of the page that `known` was read from
let isListOpen = false;
let ways = null; // the nodes that steps lead to: what may go where, and the answer that is complete there
let visited = []; // the numbers of the nodes so far
let stepped = []; // the steps so far: from, to
let source = null; // the place whose piece goes next
let isOtherFirst = false; // a click moves a piece by the other die first
let clickedCard = null;
let boardBefore = null; // the board before the first step
let madeBy = null; // the newest answer that was given by steps: its sentence, and the steps
let takenBack = ""; // the answer that is being taken back

function readAnswers() {
  const part = document.getElementById("answers");
  if (part === list) return;
  list = part;
  listed = [...document.querySelectorAll("#answers [data-answer]")].map((button) => ({
    button,
    sentence: button.dataset.answer,
    words: button.dataset.words ?? button.dataset.answer,
    path: (button.dataset.path ?? "").split("|").filter(Boolean),
    count: Number(button.dataset.count ?? 0),
  }));
  const isBegun = document.querySelector('[data-action="back"]'); // then what is wrong is taken back, and nothing need amend it
  known = listed.filter(({ button }) => !(isBegun && button.dataset.amends) && !("ends" in button.dataset) && !("onDesk" in button.dataset));
}

const left = (clicked = path) => known.filter((one) => clicked.every((step, at) => one.path[at] === step));
const whole = (all, clicked = path) => all.filter((one) => one.path.length === clicked.length);
const nextOf = (clicked = path) => new Set(ways ? nextPlaces() : left(clicked).map((one) => one.path[clicked.length]).filter(Boolean));
const nameOf = (step) => step.slice(step.indexOf(":") + 1);
const isReport = () => main().classList.contains("reports");

function targets(step) {
  const attribute = step.startsWith("card:") ? "data-card" : "data-place";
  const inside = step.startsWith("card:") ? ".held " : ".pin";
  return [...document.querySelectorAll(`${inside}[${attribute}="${CSS.escape(nameOf(step))}"]`)];
}

// Of answers that differ in nothing but how many pieces go, the one with as many as were asked for.
function byAmount(done) {
  if (done.length === 1) return done[0];
  if (!done.length || done.some((one) => !one.count) || new Set(done.map((one) => one.count)).size < done.length) return null;
  const sorted = [...done].sort((one, other) => one.count - other.count);
  return sorted.filter((one) => one.count <= amount).at(-1) ?? sorted[0];
}

function give(answer) {
  closeBeside();
  answer.button.form.requestSubmit(answer.button);
}

// Somebody has clicked a card or a place.
function choose(step, anchor, byKey = false) {
  if (ways && step.startsWith("place:")) {
    goOn(nameOf(step));
    return;
  }
  if (path.includes(step) && !nextOf().has(step)) {
    path = path.slice(0, path.indexOf(step)); // once more: it is let go
    closeBeside();
    paint();
    return;
  }
  path = begunFor(step);
  if (!nextOf().has(step)) {
    if (step.startsWith("card:")) besideCard(anchor, [], byKey);
    return;
  }
  path = [...path, step];
  const all = left(), done = whole(all), only = onlyOne(path);
  if (only) {
    give(only);
    return;
  }
  if (document.getElementById("desk")) closeBeside(); // what can be done with it stands there, in place of the desk
  else if (step.startsWith("card:") && all.length === done.length) besideCard(anchor, all, byKey);
  else if (done.length) besidePlace(anchor, nameOf(step), done, byKey);
  else closeBeside();
  paint();
  if (byKey) document.querySelector(".picking #choices button")?.focus({ preventScroll: true });
}

// What was clicked and goes on with this step: the newest that does not is let go.
function begunFor(step) {
  let clicked = path;
  while (clicked.length && !nextOf(clicked).has(step)) clicked = clicked.slice(0, -1);
  return clicked;
}

// The answer that is given by the last of these clicks, on a place; null where there are several, or more to click.
function onlyOne(clicked) {
  const all = left(clicked), done = whole(all, clicked);
  return clicked.at(-1)?.startsWith("place:") && all.length === done.length ? byAmount(done) : null;
}

// The answer that a click here gives at once, where it gives one.
function answerAt(target) {
  const given = target.closest?.("[data-give]"), name = target.closest?.(".pin.can-go")?.dataset.place, step = `place:${name}`;
  if (given) return listed.find((one) => one.sentence === given.dataset.give);
  if (!name) return null;
  if (ways) return answerOf(name);
  return path.includes(step) && !nextOf().has(step) ? null : onlyOne([...begunFor(step), step]);
}

// After a piece has moved, where it came from stays chosen: a click sends the next one.
function afterStep(before) {
  const start = before.slice(0, -1);
  path = start.length && left(start).some((one) => one.count) ? start : onlyStart();
  const most = Math.max(1, ...left().map((one) => one.count));
  amount = Math.min(amount, most);
}

// Where all answers begin with the same place, or are about the same distances, that is chosen already.
function onlyStart() {
  const all = known.filter((one) => !one.button.dataset.amends), [first] = all[0]?.path ?? [];
  return all.length > 1 && first?.startsWith("place:") && all.every((one) => one.path[0] === first) ? [first] : [];
}

function prepareChoices() {
  const before = path;
  closeBeside();
  const is = document.getElementById("answers");
  if (is !== list) {
    readAnswers();
    afterStep(before);
  }
  readSteps();
  drawDesk();
  if (ways) path = [];
  const fold = document.getElementById("all");
  if (fold) fold.open = isListOpen || (!known.some((one) => one.path.length) && known.length > FEW && !isReport());
  paint();
  filter();
}

// What can be clicked next, and what was.
function paint() {
  const steps = nextOf(), most = new Map();
  for (const one of left()) {
    const step = one.path[path.length];
    if (step) most.set(step, Math.max(one.count, most.get(step) ?? 0));
  }
  const gone = new Set(document.querySelector('[data-action="back"], .work > .signed') ? (board.ways ?? []).flatMap(({ source, target }) => [source, target]) : []); // what this turn moves stays in view
  writeCells();
  for (const [name, pin] of pins) {
    if (pin.button.matches(".counts")) continue; // its buttons are clicked
    const step = `place:${name}`, can = steps.has(step), isChosen = path.includes(step), most_here = can && path.length ? most.get(step) : 0;
    isResized ||= pin.inCell > 0 && pin.button.matches(".can-go, .chosen-place") !== (can || isChosen);
    pin.button.classList.toggle("can-go", can);
    pin.button.classList.toggle("chosen-place", isChosen);
    pin.button.classList.toggle("went", gone.has(name));
    pin.button.querySelector(".badge")?.remove();
    if (can || isChosen) {
      pin.button.tabIndex = 0;
      pin.button.removeAttribute("aria-disabled");
    } else {
      pin.button.tabIndex = -1; // Tab goes on from where a piece has gone to
      pin.button.setAttribute("aria-disabled", "true");
    }
    pin.button.setAttribute("aria-pressed", String(isChosen));
    nameOfPin(pin, most_here ? `up to ${most_here} can go` : can && ways?.order.includes(name) ? "change the order" : "");
    if (most_here > 1) {
      const badge = make("span", { className: "badge", textContent: most_here, ariaHidden: "true" });
      badge.dataset.badge = name;
      pin.button.append(badge);
    }
  }
  for (const card of document.querySelectorAll(".held [data-card]")) {
    const step = `card:${card.dataset.card}`;
    card.classList.toggle("can-go", steps.has(step) || path.includes(step));
    const isOther = clickedCard?.isConnected && clickedCard !== card && clickedCard.dataset.card === card.dataset.card;
    card.setAttribute("aria-pressed", String(path.includes(step) && !isOther)); // of two alike, the one that was clicked
  }
  for (const one of document.querySelectorAll(".stepper button")) one.disabled = !listed.some(({ sentence }) => sentence === one.dataset.give);
  document.getElementById("view")?.classList.toggle("counting", document.querySelector(".stepper button:enabled") !== null);
  document.getElementById("view")?.classList.toggle("choosing", areCellsOpen());
  document.getElementById("view")?.classList.toggle("open", isOpenTo(steps));
  document.getElementById("view")?.classList.toggle("begun", path.length > onlyStart().length || stepped.length > 0);
  paintChoices(steps);
  frameLosses();
  follow();
  makeWay();
  setTimeout(markMore, 100); // once it is seen: nothing is laid out for it, and what is seen is not held up
}

// Whether most of the free fields of a board can be clicked, as where a stone is put.
function isOpenTo(steps) {
  const free = board.fields ? board.places.filter((place) => !place.pieces) : [];
  return !path.length && free.filter(({ name }) => steps.has(`place:${name}`)).length > Math.max(SEVERAL, free.length / 2);
}

// The piece that would lie on a free field there.
function showGhost({ target }) {
  const spot = target.closest?.("#view.open .pin.can-go:not(.has-pieces)"), kind = (board.strip ?? []).find((one) => one.player && one.is_now)?.pieces?.[0]?.kind;
  if (spot?.querySelector(".ghost")) return;
  document.querySelector(".ghost")?.remove();
  if (!spot || !kind || !hasSymbol(kind)) return;
  const ghost = symbolOf(kind);
  ghost.classList.add("ghost");
  ghost.style.setProperty("--size", `${(board.piece_size ?? 40) * camera.scale}px`);
  spot.append(ghost);
}
for (const event of ["pointerover", "focusin"]) document.addEventListener(event, showGhost);

// The row of steps and answers, and that of values, fade where they go on.
const ROWS = ".doing, #marks .values";
function markMore() {
  for (const row of document.querySelectorAll(ROWS)) {
    row.classList.toggle("more-before", row.scrollLeft > 4);
    row.classList.toggle("more-after", row.scrollLeft + row.clientWidth < row.scrollWidth - 4);
  }
}
document.addEventListener("scroll", (event) => event.target.matches?.(ROWS) && markMore(), true);
window.addEventListener("resize", () => setTimeout(markMore, 100));

function answerButton(answer, text = answer.words) {
  const face = faceOf(answer), verb = wordsOf(text), made = button(face ? "" : verb, () => give(answer), face ? "choice faced" : isEnd(answer) ? "choice main" : "choice");
  made.dataset.give = answer.sentence;
  if (face) Object.assign(made, { title: text }).append(symbolOf(face));
  if (face || (text !== answer.words && verb === text)) made.setAttribute("aria-label", answer.words);
  return made;
}

// The whole deed that a button says of the first words of an answer, where the board has one.
const isEnd = (answer) => Boolean(board.ends?.includes(answer.sentence)); // of a step: the main one, behind what goes on with it
const wordsOf = (text) => board.verbs?.[text] ?? text;

// The symbol of what an answer ends with, if the board has one.
const faceOf = (answer) => Object.entries(board.faces ?? {}).find(([words]) => answer.sentence.endsWith(words))?.[1];

// The same beside a card, whose name stands above it already: "Move frigates with Storms" is "Move frigates".
function useButton(answer) {
  const made = answerButton(answer), card = nameOf(answer.path.find((step) => step.startsWith("card:")) ?? "card:");
  const does = answer.words.replace(card, "").replace(/ with *$/, "").trim();
  if (does) made.textContent = does;
  made.setAttribute("aria-label", answer.words);
  if ("once" in answer.button.dataset) {
    made.append(make("span", { className: "small", textContent: "used once, then gone" }));
    made.setAttribute("aria-label", `${answer.words}: used once, then gone`);
  }
  return made;
}

// Beside the question: what is clicked next, what answers it without the board, how many go.
function paintChoices(steps) {
  const box = document.getElementById("choices");
  if (!box) return;
  const hadFocus = box.contains(document.activeElement);
  box.replaceChildren();
  if (picked(box)) return;
  const done = document.getElementById("besides") && path.length ? [] : whole(left()).filter((one) => !isAskedLoss(one));
  const lost = [...steps].filter((step) => !targets(step).length), amending = (one) => Boolean(one.button.dataset.amends);
  const amends = lost.filter((step) => left().filter((one) => one.path[path.length] === step).every(amending)), others = lost.filter((step) => !amends.includes(step));
  box.append(...(others.length > FEW / 2 ? [opener("another place", others.map(stepButton))] : others.map(stepButton)));
  if (!path.length || !ways) box.append(...buttonsOf((path.length ? done : [...done, ...lonePlaces()]).filter((one) => !amending(one)).sort((one, other) => isEnd(one) - isEnd(other)), () => box.parentElement.clientWidth));
  if (ways) box.append(...stepButtons());
  else if (path.length > onlyStart().length) box.append(lettingGo(steps.size > 0));
  const quiet = [...amends.map(stepButton), ...done.filter(amending).map((one) => answerButton(one))];
  for (const one of quiet) one.classList.add("quiet");
  box.append(...quiet);
  const most = Math.max(...left().map((one) => one.count), 0);
  if (most > 1) box.append(amounts(most));
  const hint = [...steps].some((step) => step.startsWith("card:")) ? "a card" : "";
  const place = [...steps].some((step) => step.startsWith("place:")) ? (path.length ? "where to" : stepped.length ? "the next one" : "a place") : "";
  const told = [hint, place].filter(Boolean).join(" or ");
  beginLarge(box);
  if (told && !isReport()) box.append(Object.assign(document.createElement("span"), { className: "unseen", textContent: `Choose ${told}: ${steps.size} can be chosen and have an orange frame; arrow keys lead from one to the next.` }));
  if (hadFocus) box.querySelector("button")?.focus({ preventScroll: true });
}

// Beside a desk: what was clicked stands in place of the question, and all that can be done with it in place of the controls, so that
// nothing lies over the table. True where something was.
function picked(box) {
  const work = box.closest(".work"), asked = work.querySelector(".asked"), isPicked = !ways && path.length > onlyStart().length && document.getElementById("desk") !== null;
  asked.querySelector(".picked")?.remove();
  work.classList.toggle("picking", isPicked);
  if (!isPicked) return false;
  const all = left(), played = all.filter(({ sentence }) => sentence.startsWith("play ")), title = make("p", { className: "picked" }), name = path.map((step) => pins.get(nameOf(step))?.place.label ?? nameOf(step)).join(", ");
  const close = Object.assign(button("✕", letGo, "let-go"), { ariaLabel: `let go: ${name}`, title: "let go" });
  title.append(make("b", { className: path[0].startsWith("card:") ? "picked-card" : "", textContent: name }), make("span", { textContent: "what to do with it?" }), close);
  asked.prepend(title);
  box.append(...(all.length > FEW ? [sentenceForm(all)] : [...played, ...all.filter((one) => !played.includes(one))].map(goingOn)));
  if (played.length === 1 && all.length > 1) box.firstChild.classList.add("main"); // what is done most
  heard().textContent = title.textContent;
  return true;
}

// An answer that is the one before it and more: where there is little room it stands beside that one, and has only what is more.
function goingOn(answer, at, all) {
  const made = answerButton(answer), start = `${all[at - 1]?.words}, `;
  if (!made.textContent.startsWith(start)) return made;
  made.classList.add("goes-on");
  made.ariaLabel = answer.words;
  made.replaceChildren(make("span", { className: "again", textContent: start }), answer.words.slice(start.length));
  return made;
}

// What somebody reports are whole sentences.
function beginLarge(box) {
  for (const { firstChild: text } of isReport() || main().classList.contains("desked") ? box.querySelectorAll(":scope > button") : []) if (text?.data) text.data = text.data[0].toUpperCase() + text.data.slice(1);
}

// What was clicked, to be let go.
function lettingGo(goesOn) {
  const made = button(path.map((step) => wordsOf(nameOf(step))).join(", "), letGo, "let-go");
  if (goesOn) made.append(make("span", { className: "wide", textContent: ": choose where" }));
  made.append(" ✕");
  return made;
}

// Few answers that are one click on the board each are buttons as well: nobody has to find out that a pile is one.
function lonePlaces() {
  const found = ways ? [] : known.filter((one) => one.path.length === 1 && one.path[0].startsWith("place:") && left(one.path).length === 1);
  return found.length > 2 ? [] : found;
}

function amounts(most) {
  const box = make("span", { className: "amounts", role: "group", ariaLabel: "Pieces a click" });
  box.append(make("span", { className: "words", textContent: "Pieces a click: " }));
  for (let number = 1; number <= most; number++) {
    const one = button(String(number), () => {
      amount = number;
      paint();
    }, "small-button");
    one.setAttribute("aria-pressed", String(number === amount));
    one.dataset.amount = number;
    box.append(one);
  }
  return box;
}

// The list of all answers: what is entered leaves those that have it.
function filter() {
  const field = document.getElementById("entered");
  if (!field) return;
  const entered = field.value.toLowerCase().split(" ").filter(Boolean);
  const found = listed.filter((one) => entered.every((word) => one.sentence.toLowerCase().includes(word)));
  const shown = new Set(found.length ? found : listed); // what is cut short otherwise can be entered as well
  for (const one of listed) one.button.hidden = !shown.has(one);
  for (const group of document.querySelectorAll("#answers .group")) group.hidden = !group.querySelector("[data-answer]:not([hidden])");
  const line = document.getElementById("narrowed");
  line.hidden = !entered.length;
  line.querySelector("span").textContent = found.length ? `${found.length} of ${listed.length} answers` : `None of ${listed.length} answers has these letters`;
  if (entered.length) heard().textContent = line.querySelector("span").textContent;
}

document.addEventListener("input", (event) => {
  if (event.target.id === "entered") filter();
});
document.addEventListener("click", (event) => {
  if (event.target.closest?.('[data-action="back"], .line li:last-child .undo')) takenBack = [...document.querySelectorAll(".line li")].at(-1)?.dataset.answers.split("|").at(-1) ?? "";
  const summary = event.target.closest?.("#all > summary");
  if (summary) isListOpen = !summary.parentElement.open; // not where a question without places has opened it
  const card = event.target.closest?.(".held [data-card]"), byKey = event.detail === 0;
  if (card) clickedCard = card;
  if (card) choose(`card:${card.dataset.card}`, card, byKey);
  const place = event.target.closest?.(".pin.can-go, .pin.chosen-place");
  if (place) choose(`place:${place.dataset.place}`, place, byKey);
  if (event.target.id === "widen") {
    document.getElementById("entered").value = "";
    filter();
  }
});
document.addEventListener("keydown", (event) => {
  if (/^[1-9]$/.test(event.key) && !event.target.closest?.("input, textarea, select") && !event.ctrlKey && !event.altKey && !event.metaKey) {
    document.querySelector(`[data-amount="${event.key}"]`)?.click();
  }
});

// A step that the board does not have: a word that leads to several answers, or a place that lies elsewhere.
function stepButton(step) {
  const made = button(wordsOf(nameOf(step)), (event) => choose(step, event.currentTarget, event.detail === 0), "choice");
  made.dataset.step = step;
  return made;
}

// A button beside the question that opens others above it.
function opener(text, content) {
  const made = button(wordsOf(text), (event) => {
    path = path.slice(0, onlyStart().length);
    openBeside(event.currentTarget, wordsOf(text), [...content, closeButton()], event.detail === 0);
  }, "word");
  made.setAttribute("aria-haspopup", "dialog");
  return made;
}

// Answers as buttons; many of them by their first word that differs, which opens the rest. Reports, which are long, are without
// the words that all of them begin with.
function buttonsOf(answers, room = () => Infinity) {
  const same = answers.length > 1 ? sameWords(answers, 1) : 0, start = isReport() ? same : 0, text = (one) => one.words.split(" ").slice(start).join(" ");
  const isWide = isReport() && answers.length > 3 && answers.reduce((sum, one) => sum + 9 * text(one).length + 30, 0) > room();
  if ((answers.length <= FEW && !isWide) || answers.every((one) => faceOf(one))) return answers.map((one) => answerButton(one, text(one)));
  const groups = groupedBy(answers, same);
  if (groups.size > FEW) return [opener(answers[0].words.split(" ").slice(0, same).join(" ") || `${answers.length} answers`, [sentenceForm(answers)])];
  return [...groups].map(([, some]) => {
    const shared = some[0].words.split(" ").slice(start, sameWords(some)).join(" ");
    return some.length === 1 ? answerButton(some[0], text(some[0])) : opener(shared, [sentenceForm(some)]);
  });
}

// How many words all of these begin with; `kept` words of each are left.
const sameWords = (answers, kept = 0) => {
  const all = answers.map((one) => one.words.split(" "));
  let same = 0;
  while (all.every((one) => same < one.length - kept && one[same] === all[0][same])) same += 1;
  return same;
};
const groupedBy = (answers, at) => {
  const groups = new Map();
  for (const one of answers) {
    const word = one.words.split(" ")[at] ?? "";
    groups.set(word, [...(groups.get(word) ?? []), one]);
  }
  return groups;
};

// A sentence that is put together, where answers are many: a row of buttons wherever they differ. A few are a row each as they are.
function sentenceForm(all) {
  const box = make("div", { className: "sentence" }), chosen = [];
  const show = () => {
    const rows = [];
    let rest = all;
    for (let row = 0; rest.length > 1; row++) {
      const same = sameWords(rest), line = make("div", { className: "row words-row" }), groups = groupedBy(rest, same);
      const isLast = rest.every((one) => faceOf(one)) || [...groups.values()].every((some) => some.length === 1);
      const text = (one) => one.words.split(" ").slice(same).join(" ") || "nothing more";
      if (isLast) line.append(...rest.map((one) => answerButton(one, text(one))));
      else for (const [word, some] of groups) line.append(some.length === 1 ? answerButton(some[0], text(some[0])) : wordButton(row, word, some[0].words.split(" ").slice(same, sameWords(some)).join(" ")));
      rows.push(line);
      if (isLast || !groups.has(chosen[row])) break;
      rest = groups.get(chosen[row]);
    }
    box.replaceChildren(...rows);
  };
  const wordButton = (row, word, text) => {
    const made = button(text, () => {
      chosen.splice(row, chosen.length, word);
      show();
      box.children[row + 1]?.querySelector("button")?.focus({ preventScroll: true });
      putBesideAgain();
    }, "word");
    made.setAttribute("aria-pressed", String(chosen[row] === word));
    return made;
  };
  show();
  return box;
}

// Answers that move several pieces. Which step may come next stands in the page (`data-steps`).
function readSteps() {
  const told = document.getElementById("steps");
  ways = told ? JSON.parse(told.dataset.steps) : null;
  visited = [0];
  stepped = [];
  source = null;
  isOtherFirst = false;
  boardBefore = board;
  if (!told) return;
  const way = takenBack ? wayTo(takenBack) : []; // of an answer that is taken back all steps but the newest still stand
  takenBack = "";
  for (const [from, [to, next]] of way.slice(0, -1)) {
    visited.push(next);
    stepped.push([from, to]);
  }
  if (stepped.length) drawSteps();
}

// The steps that lead to an answer: as they were made, else any.
function wayTo(sentence) {
  const looked = new Set(), from = (at) => {
    if (ways.nodes[at][1] === sentence) return [];
    looked.add(at);
    for (const [name, all] of Object.entries(ways.nodes[at][0])) for (const target of all) {
      const rest = looked.has(target[1]) ? null : from(target[1]);
      if (rest) return [[name, target], ...rest];
    }
    return null;
  };
  return (madeBy?.sentence === sentence ? madeBy.way : from(0)) ?? [];
}

const node = () => ways.nodes[visited.at(-1)];
const targetsOf = (name) => node()[0][name] ?? [];

// What can be clicked: where to, for a chosen piece; else each piece that may go, and what the order lies on if that matters.
function nextPlaces() {
  const names = source === null ? Object.keys(node()[0]) : targetsOf(source).map(([name]) => name);
  const isOpen = source === null && names.some((name) => targetsOf(name).length > 1);
  return [...names, ...(isOpen ? ways.order : [])].map((name) => `place:${name}`);
}

// Somebody has clicked a place.
function goOn(name) {
  const answer = answerOf(name), step = stepAt(name);
  if (answer && known.length === 1) {
    give(answer); // forced: one click plays all of it
    return;
  }
  if (step) moveOn(...step);
  else if (source === name) source = null;
  else if (ways.order.includes(name)) turnOrder();
  else if (targetsOf(name).length) source = name;
  else return;
  path = source === null ? [] : [`place:${source}`];
  if (answer) {
    madeBy = { sentence: answer.sentence, way: stepped.map(([from, to], at) => [from, [to, visited[at + 1]]]) };
    give(answer);
    return;
  }
  paint();
  heard().textContent = source === null ? stepped.map((one) => one.join("/")).join(" ") : `${source}, where to?`;
}

// The step that a click on a place makes, from where and where to; null where it chooses, lets go or turns the order.
function stepAt(name) {
  const targets = targetsOf(name), to = source === null ? null : targetsOf(source).find(([target]) => target === name);
  if (to) return source === name ? null : [source, to];
  if (source === name || ways.order.includes(name)) return null;
  return targets.length === 1 || (targets.length && ways.order.length) ? [name, targets.at(isOtherFirst ? -1 : 0)] : null;
}

// The answer that is complete with a click on a place.
function answerOf(name) {
  if (known.length === 1 && targetsOf(name).length) return known[0];
  const step = stepAt(name), [further, sentence] = step ? ways.nodes[step[1][1]] : [{}, null];
  return sentence !== null && !Object.keys(further).length ? known.find((one) => one.sentence === sentence) : null;
}

function moveOn(from, [to, next]) {
  visited.push(next);
  stepped.push([from, to]);
  source = null;
  drawSteps();
}

function turnOrder() {
  isOtherFirst = !isOtherFirst;
  drawSteps();
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

// Beside the question: the steps so far, and the answer that may be given before all pieces have gone, or that is forced.
function stepButtons() {
  const [, sentence] = node(), made = [];
  if (known.length === 1) made.push(answerButton(known[0]));
  else if (sentence !== null && stepped.length) made.push(answerButton(known.find((one) => one.sentence === sentence)));
  if (stepped.length) made.push(button(`Take back ${stepped.at(-1).join("/")}`, takeStepBack, "let-go"));
  return made;
}

// The pieces where the steps have taken them.
function drawSteps() {
  const moved = structuredClone(boardBefore), placed = new Map(moved.places.map((place) => [place.name, place]));
  const change = (name, kind, more) => {
    const all = (placed.get(name).pieces ??= []), one = all.find((piece) => piece.kind === kind);
    if (one) one.count += more;
    else all.push({ kind, count: more, words: kind });
  };
  const [one, other] = ways.order;
  for (const name of node()[2]) placed.get(isOtherFirst ? { [one]: other, [other]: one }[name] : name).spent = true;
  if (isOtherFirst) exchange(placed.get(one), placed.get(other));
  for (const [from, to] of stepped) {
    if (!placed.get(from)?.pieces || !placed.has(to)) continue; // a picture shows the answer once it is given
    const taken = to === "off" ? undefined : placed.get(to).pieces?.find((piece) => piece.kind !== ways.piece && piece.count);
    if (taken && placed.has(ways.captured)) {
      change(ways.captured, taken.kind, 1);
      change(to, taken.kind, -1);
    }
    change(from, ways.piece, -1);
    change(to, ways.piece, 1);
  }
  drawBoard(moved);
  goTo(camera);
}

// What lies on two places lies on the other one each.
function exchange(one, other) {
  if (!one || !other) return;
  [one.pieces, other.pieces] = [other.pieces, one.pieces];
  for (const place of [one, other]) {
    const [there] = Object.values(place.stack);
    place.stack = Object.fromEntries(place.pieces.map((piece) => [piece.kind, there]));
  }
}
