// The table: what a page does without being loaded anew. Everything it sends is a form that works without it as well.
"use strict";

const heard = () => document.getElementById("heard");
const main = () => document.querySelector("main");

// Forms are sent in the background, and the main part of the page is put in place of the old one.
document.addEventListener("submit", async (event) => {
  const form = event.target;
  if (!form.action || form.getAttribute("action") === "/new") return;
  event.preventDefault();
  const submitter = event.submitter ?? undefined;
  await keepTexts();
  const fields = new URLSearchParams(new FormData(form, submitter));
  for (const words of texts()) if (!fields.has(words.name)) fields.set(words.name, words.value);
  await send(form.action, fields);
});

let isSending = false;
const SLOW = 1000; // milliseconds after which it is said that an answer takes long

async function send(action, fields) {
  if (isSending) return;
  isSending = true;
  main().setAttribute("aria-busy", "true");
  const busy = document.getElementById("busy"), slow = setTimeout(() => (busy.hidden = false), SLOW);
  try {
    const answer = await fetch(action, { method: "POST", body: fields, headers: { "Table-Part": "1" } });
    show(await answer.text());
  } catch {
    ended();
  } finally {
    clearTimeout(slow);
    busy.hidden = true;
    isSending = false;
    main().removeAttribute("aria-busy");
  }
}

// What is told above everything else, and read out.
function tell(text, kind = "refusal") {
  heard().textContent = text;
  main().prepend(Object.assign(document.createElement("p"), { className: kind, textContent: text }));
}

function ended() {
  tell("The table has ended: start pbem table again.");
}

function mainOf(text) {
  return new DOMParser().parseFromString(text, "text/html").querySelector("main");
}

function show(text) {
  const fresh = mainOf(text);
  if (fresh === null) {
    tell(text.trim().slice(0, 500) || "The table did not understand this.");
    delete main().dataset.old;
    return;
  }
  const open = new Set([...main().querySelectorAll("details.in-words[open]")].map((one) => one.className));
  main().replaceWith(fresh);
  for (const one of fresh.querySelectorAll("details.in-words")) if (open.has(one.className)) one.open = true;
  prepare();
  const problem = fresh.querySelector(".refusal, .notice");
  const question = fresh.querySelector("#question, .signed h2, .status");
  heard().textContent = [fresh.dataset.said, problem?.textContent, question?.textContent].filter(Boolean).join(". ");
  const first = fresh.querySelector(".ask-again h2, .preview h2, .signed h2") ?? fresh.querySelector("#answers .answer") ?? fresh.querySelector("#turn-title"); // never a button that signs
  const isNews = fresh.querySelector(".ask-again, .preview, .signed") !== null;
  (first ?? fresh).focus({ preventScroll: !isNews });
  if (isNews) window.scrollTo(0, 0);
}

// A signature is a click of its own: neither a key that is held down nor the second half of a double click goes on from
// an answer to the button that signs, which may stand in the same place once the page is a new one.
document.addEventListener("keydown", (event) => {
  const isHeld = event.repeat && (event.key === "Enter" || event.key === " ");
  if (!isHeld || !event.target.closest?.("button, a, summary, input, svg [data-place]")) return;
  if (event.key === " " && event.target.matches("input")) return;
  event.preventDefault();
  event.stopImmediatePropagation();
}, true);
document.addEventListener("click", (event) => {
  if (event.detail < 2 || !event.target.closest?.("button.main, button.danger")) return;
  event.preventDefault();
  event.stopImmediatePropagation();
}, true);

// Places on the board and cards in the hand narrow the list of answers: all that are about what was clicked stay.
let chosen = [];
let card = "";

function answers() {
  return [...document.querySelectorAll("#answers [data-answer]")];
}

function placesOf(button) {
  return (button.dataset.places ?? "").split("|").filter(Boolean);
}

function words() {
  return (document.getElementById("entered")?.value ?? "").toLowerCase().split(" ").filter(Boolean);
}

function fits(button) {
  const places = placesOf(button);
  const cards = (button.dataset.cards ?? "").split("|");
  return (!card || cards.includes(card)) && chosen.every((place, at) => (at === 0 ? places.includes(place) : places.slice(1).includes(place)));
}

function narrow() {
  const all = answers(), entered = words();
  const begun = all.filter(fits);
  const found = begun.filter((button) => entered.every((word) => button.dataset.answer.toLowerCase().includes(word)));
  const left = found.length ? found : begun; // what is cut short otherwise can be typed as well
  for (const button of all) button.hidden = !left.includes(button);
  for (const group of document.querySelectorAll("#answers .group")) group.hidden = !group.querySelector("[data-answer]:not([hidden])");
  const places = new Set(left.flatMap(placesOf));
  for (const place of document.querySelectorAll("svg [data-place]")) {
    const name = place.dataset.place;
    place.classList.toggle("can-go", places.has(name));
    place.classList.toggle("chosen-place", chosen.includes(name));
    if (places.has(name)) {
      place.setAttribute("tabindex", "0");
      place.setAttribute("role", "button");
      place.setAttribute("aria-label", `${name}: ${left.filter((one) => placesOf(one).includes(name)).length} answers`);
    } else {
      for (const attribute of ["tabindex", "role", "aria-label"]) place.removeAttribute(attribute);
    }
  }
  for (const one of document.querySelectorAll("[data-card]")) one.setAttribute("aria-pressed", String(one.dataset.card === card));
  const line = document.getElementById("narrowed");
  if (line) {
    const by = [card, ...chosen, found.length ? entered.join(" ") : ""].filter(Boolean).join(", ");
    line.hidden = !by;
    line.querySelector("span").textContent = `${left.length} of ${all.length} answers: ${by}`;
    if (!line.hidden) heard().textContent = line.querySelector("span").textContent;
  }
  return left;
}

function choosePlace(name) {
  const before = answers().filter(fits);
  if (chosen.includes(name) && before.length === 1) {
    before[0].click(); // the same place again: the only answer that is left
    return;
  }
  chosen = chosen.includes(name) ? chosen.filter((one) => one !== name) : [...chosen, name];
  let left = narrow();
  if (left.length === 0) {
    chosen = [name];
    left = narrow();
  }
  if (left.length === 1) left[0].focus({ preventScroll: true });
}

function chooseCard(name) {
  card = card === name ? "" : name;
  chosen = [];
  let left = narrow();
  if (left.length === 0) {
    heard().textContent = `${name}: no legal answer uses it now`;
    card = "";
    left = narrow();
  } else if (left.length === 1) {
    left[0].focus();
  }
}

document.addEventListener("click", (event) => {
  const place = event.target.closest?.("svg [data-place].can-go");
  const held = event.target.closest?.("[data-card]");
  if (place) choosePlace(place.dataset.place);
  else if (held) chooseCard(held.dataset.card);
  else if (event.target.id === "widen") {
    chosen = [];
    card = "";
    document.getElementById("entered").value = "";
    narrow();
  }
});

document.addEventListener("input", (event) => {
  if (event.target.id === "entered") narrow();
});

document.addEventListener("keydown", (event) => {
  const place = event.target.closest?.("svg [data-place]");
  if (place && (event.key === "Enter" || event.key === " ")) {
    event.preventDefault();
    choosePlace(place.dataset.place);
  }
});

// Whether the game has gone on elsewhere: asked for while somebody looks.
setInterval(async () => {
  const name = main()?.dataset.name;
  if (!name || document.hidden) return;
  try {
    const news = await (await fetch(`/game/${name}/news`)).json();
    document.getElementById("behind").hidden = news.mark === main().dataset.mark;
  } catch {
    // the table has ended: the next click says so
  }
}, 20000);

// A picture's style sheet is moved to the head once, so that it stays when the main part of the page is replaced.
function keepStyles() {
  for (const link of main().querySelectorAll("link[rel=stylesheet]")) {
    const known = [...document.head.querySelectorAll("link[rel=stylesheet]")].some((one) => one.href === link.href);
    if (known) link.remove();
    else document.head.append(link);
  }
}

function prepare() {
  keepStyles();
  chosen = [];
  card = "";
  narrow();
}

prepare();
