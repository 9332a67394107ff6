// The desk: controls that a game has beside its question, from the data that pbem/games/desk.py describes: a tray of dice, buttons,
// and forms for words of one's own. Each gives the words that somebody would type.
"use strict";

const MOST_KINDS = 8, MOST_BUTTONS = 2; // of dice and of answers that are a button each; of more, all but the first are a list
let ready = { kind: 0, number: 1, words: "", roll: 0, after: 0, of: "" }; // what lies ready to be thrown; `words` where they were written by hand

function drawDesk() {
  const box = document.getElementById("desk");
  if (!box || box.childElementCount) return;
  const { dice, buttons = [], forms = [], counters = [], says_all } = JSON.parse(box.dataset.desk);
  const answers = buttons.map(({ label, words }) => deskButton(label, () => typeWords(words), words));
  const isSmall = narrow.matches || low.matches; // then one button opens the dice, and one all forms
  const tray = dice ? [isSmall ? opener("Throw dice", [trayOf(dice)]) : trayOf(dice)] : [], given = answers.length > MOST_BUTTONS ? [answers[0], opener("Another's turn", answers.slice(1))] : answers;
  const field = document.getElementById("with-file"), picture = field && dice ? [button("Picture of the board", () => field.click(), "word")] : [];
  const written = isSmall && forms.length > 1 ? [opener("More", [...forms.map(formOf), ...picture])] : [...forms.map((one) => opener(one.label, [formOf(one)])), ...picture];
  if (counters.length) written.unshift(countersOf(counters));
  box.append(...(says_all ? [...tray, ...given, ...written] : [...given, ...written, ...tray])); // an answer before what may go with it
  document.getElementById("question")?.classList.toggle("spared", Boolean(says_all));
}

for (const one of [narrow, low]) one.addEventListener("change", () => {
  document.getElementById("desk")?.replaceChildren();
  drawDesk();
});

// Where the board is a picture, or has no room for the buttons of counters, these are counted beside it: all of them, or those of the
// place that was clicked. The box stays while somebody counts.
let counting = ""; // the name of that place, or EVERYWHERE
const EVERYWHERE = "*";

function counterRows(counters, name) {
  return counters.map((one) => {
    const row = make("p", { className: "counter-row" });
    row.append(make("span", { textContent: one.label }), make("b", { textContent: one.value }), steppersOf({ pieces: [one] }));
    row.addEventListener("click", (event) => (counting = event.target.closest("[data-give]") ? name : ""), true);
    return row;
  });
}

function countersOf(counters) {
  const made = opener("Counters", counterRows(counters, EVERYWHERE)), name = counting;
  if (!board.picture) made.classList.add("where-brief");
  counting = "";
  if (name) setTimeout(() => made.isConnected && (name === EVERYWHERE ? made.click() : countAt(name)));
  return made;
}

function countAt(name) {
  const { place, button: anchor } = pins.get(name), rows = counterRows(place.pieces.map((one) => ({ ...one, value: one.text })), name);
  openBeside(anchor, place.label, [...rows, closeButton()]);
}

document.addEventListener("click", (event) => {
  const place = event.target.closest?.("#view.brief .pin.counts");
  if (place && document.querySelector("#desk .where-brief")) countAt(place.dataset.place);
});

const deskButton = (label, act, words) => {
  const made = button(label, act, "choice");
  made.dataset.words = words;
  return made;
};

// What somebody would type is sent as that is, by a copy of its form.
function typeWords(words) {
  const form = document.getElementById("entering").cloneNode(true);
  for (const one of [form, ...form.querySelectorAll("[id]")]) one.removeAttribute("id");
  form.hidden = true;
  form.elements.type.value = words;
  closeBeside();
  main().append(form);
  form.requestSubmit();
  form.remove();
}

// The dice that lie ready, as they are written; those of a roll that is always thrown with the same ones.
const diceOf = ({ kinds, rolls = [] }) => rolls[ready.roll - 1]?.dice ?? (ready.words || kinds[ready.kind].words.replace("{number}", ready.number));

function trayOf(dice) {
  const { kinds, rolls = [], after = [] } = dice, of = JSON.stringify([main().dataset.name, kinds, rolls]);
  ready = { ...(ready.of === of ? ready : { kind: 0, number: 1, words: "", roll: 0, of }), after: 0 };
  const tray = make("div", { className: "dice-tray", role: "group", ariaLabel: "Dice" }), field = make("input", { type: "text", className: "dice-words", ariaLabel: "Dice, as one writes them", size: 9, maxLength: 40, autocomplete: "off", spellcheck: false });
  const go = button("", () => typeWords([dice.verb, diceOf(dice), rolls[ready.roll - 1]?.words, after[ready.after - 1]?.words].filter(Boolean).join(" ")), "choice main throw-dice");
  const set = (change) => {
    Object.assign(ready, change);
    paintTray();
  };
  const fewer = button("−", () => set({ number: Math.max(1, ready.number - 1), words: "" }), "choice"), more = button("+", () => set({ number: Math.min(dice.most, ready.number + 1), words: "" }), "choice");
  Object.assign(fewer, { ariaLabel: "one die fewer" });
  Object.assign(more, { ariaLabel: "one die more" });
  const choose = (at) => set({ kind: at, number: ready.kind === at && !ready.words ? Math.min(dice.most, ready.number + 1) : 1, words: "" });
  const buttons = kinds.length > MOST_KINDS ? [] : kinds.map((kind, at) => kindButton(kind, () => choose(at)));
  const list = buttons.length ? [] : [listOf("The kind of die", kinds.map((kind) => kind.label), (at) => set({ kind: at, number: 1, words: "" }))];
  const named = rolls.length ? [listOf("What it is thrown for", ["for …", ...rolls.map((one) => `for ${one.label}`)], (at) => set({ roll: at }))] : [];
  const then = after.length ? [listOf("What comes after it", ["then I go on", ...after.map((one) => one.label)], (at) => set({ after: at }))] : [];
  const paintTray = () => {
    const isFixed = Boolean(rolls[ready.roll - 1]?.dice), words = diceOf(dice);
    buttons.forEach((one, at) => one.setAttribute("aria-pressed", String(!isFixed && !ready.words && ready.kind === at)));
    for (const one of [...buttons, ...list, fewer, more, field]) one.disabled = isFixed;
    fewer.disabled ||= ready.number === 1 && !ready.words;
    if (list[0]) list[0].selectedIndex = ready.kind;
    if (named[0]) named[0].selectedIndex = ready.roll;
    if (document.activeElement !== field) field.value = words;
    go.textContent = `Throw ${words}`;
  };
  field.addEventListener("input", () => set({ words: field.value.trim() }));
  field.addEventListener("change", () => (field.value = diceOf(dice)));
  field.addEventListener("keydown", (event) => event.key === "Enter" && go.click());
  tray.append(...buttons, ...list, grouped("how-many", [fewer, field, more]), ...named, ...then, go);
  paintTray();
  return tray;
}

function kindButton({ label, sides, faces }, act) {
  const made = button("", act, "choice kind"), die = dieOf(sides, sides, false, false);
  die.ariaHidden = "true";
  made.append(die, make("span", { textContent: label }));
  if (faces) made.title = `${label}: ${faces}`;
  return made;
}

const grouped = (className, parts) => {
  const box = make("span", { className });
  box.append(...parts);
  return box;
};

function listOf(label, words, act) {
  const made = make("select", { ariaLabel: label });
  made.append(...words.map((one) => make("option", { textContent: one })));
  made.addEventListener("change", () => act(made.selectedIndex));
  return made;
}

// Words of one's own, with what is chosen first. What is written stays, as does the choice, until it is sent: the desk is made anew when the
// window changes and when something arrives.
const drafts = new Map(); // by the game and the label of the form
function formOf({ label, words, choices = [], field = "", hint = "", longest = 80, optional = false }) {
  const of = JSON.stringify([main().dataset.name, label]), draft = drafts.get(of), form = make("form", { className: "desk-form" }), text = make("input", { type: "text", maxLength: longest, required: !optional, placeholder: hint, autocomplete: "off", pattern: '[^";]*', title: 'without quotes and ";"' });
  const list = choices.length > 1 ? [listOf(label, choices.map((one) => one.label), () => {})] : [], named = make("label", { textContent: field });
  named.append(text);
  text.value = draft?.text ?? "";
  if (list[0]) list[0].selectedIndex = Math.max(0, choices.findIndex((one) => one.words === draft?.choice));
  form.addEventListener("input", () => drafts.set(of, { text: text.value, choice: choices[list[0]?.selectedIndex]?.words }));
  form.append(...list, ...(field ? [named] : []), make("button", { className: "choice main", textContent: label }));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    drafts.delete(of);
    typeWords(words.replace("{choice}", () => choices[list[0]?.selectedIndex ?? 0]?.words ?? "").replace("{text}", () => text.value.trim()).trim());
  });
  return form;
}

// What gives the focus back to the button that has it now, among those of a place that is drawn anew.
function focusIn(place) {
  const given = place.contains(document.activeElement) ? document.activeElement.dataset.give : "";
  return given ? () => place.querySelector(`[data-give="${CSS.escape(given)}"]`)?.focus({ preventScroll: true }) : null;
}

// Below each counter of a place: a button that takes one off and one that adds one.
function steppersOf({ pieces }) {
  const box = make("span", { className: "steppers" });
  for (const { less, more } of pieces) {
    const pair = make("span", { className: "stepper" });
    for (const [words, text] of [[less, "−"], [more, "+"]]) if (words) {
      const one = button(text, () => give(listed.find(({ sentence }) => sentence === words)));
      Object.assign(one, { ariaLabel: words, title: words, disabled: !listed.some(({ sentence }) => sentence === words) });
      one.dataset.give = words;
      pair.append(one);
    }
    box.append(pair);
  }
  return box;
}
