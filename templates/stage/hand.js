// The hand, and what stands beside a card or a place that was clicked: its text, and what it can do now as buttons.
"use strict";

let besideAnchor = null;

// The pictures of the cards: symbols of the backdrop, with a value on them. How many there are says how much of each is covered.
function drawHand() {
  const hand = document.querySelector(".held .hand"), count = String(hand?.children.length);
  if (hand && hand.style.getPropertyValue("--cards") !== count) hand.style.setProperty("--cards", count);
  for (const art of document.querySelectorAll(".held .art:empty")) {
    const { scene, value } = art.dataset, pictures = art.dataset.pictures.replace("{hand}", board.hand ?? "brown");
    if (scene) art.append(sceneOf(scene.split(";"), value));
    else art.append(...pictures.split(" ").filter((kind) => document.getElementById(kind)).map(symbolOf), ...(value ? [make("strong", { textContent: value })] : []));
    art.classList.toggle("is-card", Boolean(document.getElementById(pictures)?.dataset.high));
  }
}

// A picture of 120 by 80, composed of drawings: the ground, then each as "name:colour x y size" (pbem/games/faces.py),
// with the card's value on it.
function sceneOf(drawings, value) {
  const svg = draw("svg", { class: "scene", viewBox: "0 0 120 80", preserveAspectRatio: "xMidYMid slice", "aria-hidden": "true" });
  svg.append(...drawings.map((one) => {
    const [named, x = 0, y = 0, size = 1] = one.split(" "), [kind, colour] = named.split(":");
    return draw("use", { href: `#art-${kind}`, transform: `translate(${x} ${y}) scale(${size})`, ...(colour ? { class: `art-${colour}` } : {}) });
  }));
  if (value) svg.append(Object.assign(draw("text", { x: 60, y: 59.5 }), { textContent: value }));
  return svg;
}

function closeBeside(refocus = false) {
  document.getElementById("besides")?.remove();
  if (refocus) besideAnchor?.focus({ preventScroll: true });
  besideAnchor = null;
}

function openBeside(anchor, title, content, byKey, pictures = []) {
  closeBeside();
  const box = Object.assign(document.createElement("div"), { id: "besides" });
  box.setAttribute("role", "dialog");
  box.setAttribute("aria-label", title);
  box.append(...pictures, Object.assign(document.createElement("h3"), { textContent: title }), ...content);
  document.body.append(box);
  besideAnchor = anchor;
  putBeside(box, anchor.getBoundingClientRect());
  if (byKey) box.querySelector("button")?.focus({ preventScroll: true });
  else heard().textContent = box.textContent;
}

// To the right of it, else to the left, else above or below; a card of the hand has it above the prompt, and so has
// everything on a narrow screen.
function putBeside(box, at) {
  Object.assign(box.style, { left: "", top: "", bottom: "", maxHeight: "" });
  const prompt = document.querySelector("html.staged .work")?.getBoundingClientRect();
  const isBelow = prompt && prompt.left < window.innerWidth / 3; // in a low window it stands beside the board
  if (isBelow && (at.top >= prompt.top - 40 || document.documentElement.clientWidth < 640)) {
    const room = document.getElementById("view").getBoundingClientRect(), own = box.getBoundingClientRect();
    box.style.left = `${Math.max(room.left + 8, Math.min((at.left + at.right - own.width) / 2, prompt.right - own.width - 8))}px`;
    box.style.top = "auto";
    box.style.bottom = `${window.innerHeight - prompt.top + 8}px`;
    const high = prompt.top - room.top - 16; // on a telephone the better part of the board stays in view
    box.style.maxHeight = `${window.innerHeight > window.innerWidth && window.innerWidth < 640 ? Math.max(240, high * 0.62) : high}px`;
    return;
  }
  const wide = document.documentElement.clientWidth, high = window.innerHeight, own = box.getBoundingClientRect();
  if (wide < 640) return;
  const right = at.right + 10 + own.width <= wide, leftwards = at.left - 10 - own.width >= 0;
  const x = right ? at.right + 10 : leftwards ? at.left - 10 - own.width : Math.max(8, Math.min(at.left, wide - own.width - 8));
  let y = at.top;
  if (!right && !leftwards) y = at.top - own.height - 10 >= 8 ? at.top - own.height - 10 : at.bottom + 10;
  box.style.left = `${x}px`;
  box.style.top = `${Math.max(8, Math.min(y, high - own.height - 8))}px`;
}

function besideCard(card, answers, byKey) {
  const told = toldOn(card, answers.length ? ".text, .use" : ".use, .text");
  const acts = Object.assign(document.createElement("p"), { className: "acts" });
  const played = answers.filter(({ words }) => words.startsWith("play ")), all = [...played, ...answers.filter((one) => !played.includes(one))].map(useButton);
  if (played.length === 1 && all.length > 1) all[0].classList.add("main"); // what is done most
  acts.append(...all);
  beginLarge(acts);
  if (!answers.length) acts.append(Object.assign(document.createElement("span"), { className: "small", textContent: "It does nothing now." }));
  openBeside(card, card.dataset.card, [acts, ...told, closeButton()], byKey, [...card.querySelectorAll(".art:has(.scene)")].map((one) => one.cloneNode(true)));
}

// What stands on a card, the word that a line begins with in bold.
function toldOn(card, parts) {
  const told = [...card.querySelectorAll(parts)].map((one) => one.cloneNode(true));
  told.flatMap((one) => [...one.querySelectorAll(":scope > :not(.fate)")]).forEach(beginBold);
  return told;
}

function beginBold(line) {
  const [word] = line.textContent.match(/^\p{Lu}\p{Ll}+:/u) ?? [];
  if (word) line.replaceChildren(make("b", { textContent: word }), line.textContent.slice(word.length));
}

function besidePlace(place, name, answers, byKey) {
  const acts = Object.assign(document.createElement("p"), { className: "acts" });
  acts.append(answers.length > FEW ? sentenceForm(answers) : make("span"), ...(answers.length > FEW ? [] : buttonsOf(answers)));
  beginLarge(acts);
  openBeside(place, name, [acts, closeButton()], byKey);
}

function closeButton() {
  const made = button("✕", () => {
    path = onlyStart();
    closeBeside(true);
    paint();
  }, "small-button close");
  made.setAttribute("aria-label", "close");
  return made;
}

// What was clicked last is let go; true where something was.
function letGo() {
  if (ways && (source !== null || stepped.length)) {
    takeStepBack();
    return true;
  }
  const start = onlyStart();
  if (path.length <= start.length && !document.getElementById("besides")) return false;
  path = start;
  closeBeside(true);
  paint();
  return true;
}
window.addEventListener("resize", putBesideAgain);

function putBesideAgain() {
  const box = document.getElementById("besides");
  if (box && besideAnchor?.isConnected) putBeside(box, besideAnchor.getBoundingClientRect());
}
document.addEventListener("pointerdown", (event) => {
  const isOwn = event.target.closest?.("#besides, .held [data-card], .pin, .work");
  if (document.getElementById("besides") && !isOwn) {
    closeBeside();
    paint();
  }
});

// The text of a card whose name stands somewhere: when the pointer rests on it, when it has the focus, on a long press.
let resting = 0;
const namesCard = (target) => target.closest?.(".held [data-card], .names-card");

async function hint(target) {
  const name = target.dataset.card ?? target.dataset.names;
  let told = toldOn(target, ".text, .use");
  if (!told.length) {
    const text = (await cardTexts())[name] ?? "";
    told = text.split("\n").map((line) => Object.assign(document.createElement("p"), { textContent: line }));
    told.forEach(beginBold);
  }
  closeHint();
  if (document.getElementById("besides") || !target.isConnected) return;
  const box = Object.assign(document.createElement("div"), { id: "hint" });
  box.setAttribute("role", "tooltip");
  box.append(Object.assign(document.createElement("h3"), { textContent: name }), ...told);
  main().append(box);
  putBeside(box, target.getBoundingClientRect());
}

function closeHint() {
  clearTimeout(resting);
  document.getElementById("hint")?.remove();
}

// A page that changes under a pointer at rest brings a card there, too: nobody pointed at it until the pointer has moved.
let pointed = null;
document.addEventListener("pointerover", (event) => {
  if (pointed && namesCard(event.target) === pointed) return;
  closeHint();
  pointed = null;
});
document.addEventListener("pointermove", (event) => {
  const target = event.pointerType === "mouse" ? namesCard(event.target) ?? null : null;
  if (target === pointed) return;
  closeHint();
  pointed = target;
  if (target) resting = setTimeout(() => hint(target), 350);
});
document.addEventListener("pointerdown", (event) => {
  const target = namesCard(event.target);
  closeHint();
  if (target && event.pointerType !== "mouse") resting = setTimeout(() => hint(target), 500);
});
document.addEventListener("focusin", (event) => {
  const target = namesCard(event.target);
  closeHint();
  if (target?.matches(":focus-visible")) resting = setTimeout(() => hint(target), 350);
});
document.addEventListener("keydown", closeHint);
document.addEventListener("scroll", closeHint, true);

let texts_of_cards = null;

function cardTexts() {
  texts_of_cards ??= ask(`/game/${main().dataset.name}/cards`).then((answer) => answer.json()).catch(() => ({}));
  return texts_of_cards;
}

// The pieces that may take the next hit stand beside the dice: framed where the question has their answer.
const isAskedLoss = ({ sentence }) => !isFilming() && (board.thrown?.losses ?? []).some(({ answer }) => answer === sentence);
function frameLosses() {
  const row = document.getElementById("dice")?.losses, isAsked = listed.some(isAskedLoss);
  main().classList.toggle("fighting", isAsked);
  if (!row) return;
  for (const one of row.querySelectorAll(".taker")) {
    const answer = isAsked && listed.find(({ sentence }) => sentence === one.dataset.loss);
    one.classList.toggle("can-go", Boolean(answer));
    one.disabled = !answer;
    one.parentElement.querySelector(".deed").textContent = answer ? answer.words : "";
    if (answer) one.dataset.give = one.dataset.loss;
    else delete one.dataset.give;
  }
  if (isAsked) document.getElementById("choices").prepend(row);
  else document.querySelector("#dice .dice-rows").append(row);
}
document.addEventListener("click", (event) => {
  const taker = event.target.closest?.(".taker.can-go"), answer = taker && answerAt(taker);
  if (answer) give(answer);
});
