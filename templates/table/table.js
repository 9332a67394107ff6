// The table: what a page does without being loaded anew. Everything it sends is a form that works without it as well.
"use strict";

const heard = () => document.getElementById("heard");
const main = () => document.querySelector("main");
const SLOW = 1000; // milliseconds after which it is said that an answer takes long
let isSending = false;
let isAhead = false; // the page shows what is being done already
let doing = Promise.resolve();

// Forms are sent in the background; what has changed of the page is put in place of what was there.
document.addEventListener("submit", async (event) => {
  const form = event.target;
  if (!form.getAttribute("action") || form.dataset.whole !== undefined) return;
  event.preventDefault();
  const submitter = event.submitter ?? undefined, before = pressed?.button === submitter ? pressed : null;
  if (!isSending && !before) showTaken(submitter);
  await keepTexts();
  if (isAhead) await doing; // what is shown can be clicked, and is not done yet
  const fields = fieldsOf(form, submitter);
  doing = send(form.getAttribute("action"), fields, before?.sent === String(fields) ? before.coming.then((text) => showForeseen(text, submitter)) : null);
});

function fieldsOf(form, submitter) {
  const fields = new URLSearchParams(new FormData(form, submitter));
  for (const words of texts()) if (!fields.has(words.name)) fields.set(words.name, words.value);
  return fields;
}

// An answer is asked about while its button or place is still pressed: the page shows what it brings once that is let go, and
// does it then. What was asked about changes nothing.
let pressed = null; // the button, the fields that it sends, and what they will bring: no text where that is not known
document.addEventListener("pointerdown", ({ target, button: which }) => {
  pressed = null;
  const button = target.closest?.('button[name="answer"], button[name="back"]') ?? globalThis.answerAt?.(target)?.button, action = button?.form.getAttribute("action");
  if (!action?.endsWith("/do") || isSending || which || isFilming()) return;
  const fields = fieldsOf(button.form, button), said = post(action.replace(/do$/, "ahead"), fields);
  pressed = { button, sent: String(fields), coming: said.then((answer) => (answer.status === 200 ? answer.text() : ""), () => "") };
});
document.addEventListener("pointercancel", () => (pressed = null));

const post = (action, body) => ask(action, { method: "POST", body, headers: { "Table-Part": "1", "Table-Has": partsHere() } });

// What was clicked is seen to be taken with the next picture, before the table has answered: the button, and the places and
// cards of its answer. It says no more than that, and goes when an answer has come, or none.
function showTaken(clicked) {
  const { answer = "", path = "" } = clicked?.dataset ?? {};
  const all = [clicked, ...document.querySelectorAll(`[data-give="${CSS.escape(answer)}"]`), ...path.split("|").filter(Boolean).flatMap(targets)];
  for (const one of all) one?.classList.add("taken");
}

function partsHere() {
  return [...main().querySelectorAll("[data-part]")].map((one) => one.dataset.part).join(" ");
}

// `shown` is what the page shows of it already, once it does.
async function send(action, fields, shown = null) {
  if (isSending) return;
  isSending = true;
  pressed = null;
  const page = main();
  page.setAttribute("aria-busy", "true");
  const busy = document.getElementById("busy"), slow = setTimeout(() => (busy.hidden = false), SLOW);
  try {
    const [foreseen, answer] = await Promise.all([shown, post(action, fields)]), text = await answer.text();
    if (main() !== page) again(); // what came of it is seen there
    else if (!answer.headers.get("content-type").startsWith("application/json")) show(text);
    else if (text !== foreseen) patch(JSON.parse(text));
    answered();
  } catch (error) {
    noAnswer(error);
  } finally {
    clearTimeout(slow);
    busy.hidden = true;
    isSending = isAhead = false;
    for (const one of document.querySelectorAll(".taken")) one.classList.remove("taken");
    page.removeAttribute("aria-busy");
  }
}

function showForeseen(text, button) {
  if (text) {
    patch(JSON.parse(text));
    main().setAttribute("aria-busy", "true"); // until it is done
    isAhead = true;
  } else showTaken(button);
  return text;
}

// What is told above everything else, and read out.
function tell(text, kind = "refusal") {
  heard().textContent = text;
  notices().prepend(Object.assign(document.createElement("p"), { className: kind, textContent: text }));
}

// Where lines are told that belong to no part of the page, one above the other: on a stage they lie over the board.
function notices() {
  const box = document.getElementById("notices") ?? Object.assign(document.createElement("div"), { id: "notices" });
  if (!box.parentElement) main().prepend(box);
  return box;
}

const BROKEN = "The connection broke off before an answer came. The table is still there: look how things stand, and do it again if it was not done.";

// No answer came: why, wherever somebody has scrolled to, until one comes.
async function noAnswer(error, otherwise = BROKEN) {
  const text = await whyNoAnswer(error, otherwise), box = document.getElementById("no-answer");
  if (!box) {
    tell(text);
    return;
  }
  box.textContent = text;
  box.hidden = false;
}

function answered() {
  const box = document.getElementById("no-answer");
  if (box) box.hidden = true;
}

function mainOf(text) {
  return new DOMParser().parseFromString(text, "text/html").querySelector("main");
}

// A whole new main part.
function show(text) {
  const fresh = mainOf(text);
  if (fresh === null) {
    tell(text.trim().slice(0, 500) || "The table did not understand this.");
    delete main().dataset.old;
    return;
  }
  replaceMain(fresh);
  prepare();
  land();
}

// Another main part; nothing that was remembered of the one before is left.
function replaceMain(fresh) {
  leaveStage();
  main().replaceWith(fresh);
}

// The parts that changed: a part is known by its digest, and takes the place of the one of its kind.
function patch({ main: tag, parts, new: fresh }) {
  endFilm();
  const page = main(), now = mainOf(`${tag}${Object.values(fresh).join("")}</main>`);
  for (const name of page.getAttributeNames()) if (!now.hasAttribute(name)) page.removeAttribute(name);
  for (const name of now.getAttributeNames()) page.setAttribute(name, now.getAttribute(name));
  document.getElementById("notices")?.remove();
  const all = [...page.querySelectorAll("[data-part]")], here = new Map(all.map((one) => [one.dataset.part, one]));
  const kinds = new Map(all.map((one) => [one.classList[0], one])), come = new Map([...now.children].map((one) => [one.dataset.part, one]));
  const wanted = parts.map((digest) => here.get(digest) ?? renewed(kinds, come.get(digest)));
  for (const one of all) if (!wanted.includes(one)) one.remove();
  putInOrder(wanted);
  if (page.dataset.mark) setMark(page.dataset.mark);
  if (document.getElementById("unkept-title")) {
    for (const field of texts()) {
      field.value = field.defaultValue; // what was written stands above, to be copied
      delete field.dataset.kept;
    }
  }
  prepare();
  land();
}

// A part that is new, with what the player had unfolded or was writing in the old one.
function renewed(kinds, part) {
  const old = kinds.get(part.classList[0]);
  if (part.matches(".held")) return updated(old, part);
  if (!old) return part;
  const label = (one) => one.querySelector("summary").textContent.replace(/\(.*\)/, "").replace(/[0-9]+/, "").trim();
  const folds = new Map([...old.querySelectorAll("details")].map((one) => [label(one), one.open]));
  for (const one of part.querySelectorAll("details")) if (folds.has(label(one))) one.open = folds.get(label(one));
  for (const field of part.querySelectorAll("textarea[id]")) {
    const before = old.querySelector(`#${field.id}`);
    if (before && before === document.activeElement && before.value !== (before.dataset.kept ?? before.defaultValue)) {
      field.dataset.kept = field.value;
      field.value = before.value;
    }
  }
  return part;
}

// The hand stays, and what differs in it takes the place of what was there: to draw all its cards anew takes long.
function updated(old, part) {
  if (!old?.came) return Object.assign(part, { came: part.cloneNode(true) });
  update(old, old.came, part);
  old.dataset.part = part.dataset.part;
  return Object.assign(old, { came: part });
}

// `was` is what came the last time, `now` what has come; the scripts have changed some of it since. What stands there then.
function update(live, was, now) {
  if (was.isEqualNode(now)) return live;
  const [own, next] = [was, now].map((one) => [...(one.attributes ?? [])].map(({ name, value }) => (name === "data-part" ? "" : `${name} ${value}`)).join());
  if (was.nodeName === now.nodeName && own === next) {
    if (live.matches?.(".hand")) updateHand(live, was, now);
    else if (live.nodeType === Node.TEXT_NODE) live.data = now.data;
    else if ([live, now].some((one) => one.childNodes.length !== was.childNodes.length)) live.replaceChildren(...now.cloneNode(true).childNodes);
    else [...live.childNodes].forEach((child, at) => update(child, was.childNodes[at], now.childNodes[at]));
    return live;
  }
  const made = now.cloneNode(true);
  live.replaceWith(made);
  return made;
}

function updateHand(live, was, now) {
  const nameOfCard = (item) => item.firstElementChild.dataset.card, here = [...live.children].map((item, at) => [item, was.children[at]]);
  put(live, [...now.children].map((next) => {
    const at = here.findIndex(([, before]) => nameOfCard(before) === nameOfCard(next));
    return at < 0 ? next.cloneNode(true) : update(...here.splice(at, 1)[0], next);
  }));
}

// Text with an end: one that has none of its own gets a full stop.
const withEnd = (text) => text.trim().replace(/[^.!?…:]$/, "$&.");

// Where the eye and the keyboard are after a step.
function land() {
  const page = main();
  const problem = page.querySelector(".refusal:not([hidden]), .notice"), question = page.querySelector("#turn-title"), line = page.querySelector(".signed[data-new] h2");
  heard().textContent = [problem?.textContent, line?.textContent, question?.textContent, page.querySelector("#choices > .unseen")?.textContent, page.dataset.said].filter(Boolean).map(withEnd).join(" ");
  const news = page.querySelector(".ask-again h2, .preview h2, .signed[data-new] h2"); // never a button that signs
  if (news) {
    news.focus();
    window.scrollTo(0, 0);
  } else if (!page.contains(document.activeElement) || document.activeElement === page) {
    (page.querySelector("#choices button") ?? page.querySelector("#turn-title") ?? page).focus({ preventScroll: true });
  }
}

// A signature is a click of its own: neither a key that is held down nor the second half of a double click goes on from
// an answer to the button that signs, which may stand in the same place once the page is a new one.
document.addEventListener("keydown", (event) => {
  const isHeld = event.repeat && (event.key === "Enter" || event.key === " ");
  if (!isHeld || !event.target.closest?.("button, a, summary, input")) return;
  if (event.key === " " && event.target.matches("input")) return;
  event.preventDefault();
  event.stopImmediatePropagation();
}, true);
document.addEventListener("click", (event) => {
  if (event.detail < 2 || !event.target.closest?.(".main, button.danger")) return;
  event.preventDefault();
  event.stopImmediatePropagation();
}, true);

// Where one begins a game is the last of a long list: once it is opened it is what the window shows.
document.addEventListener("click", (event) => {
  const fold = event.target.closest?.(".begin > summary")?.parentElement;
  if (fold && !fold.open) fold.addEventListener("toggle", () => fold.scrollIntoView(), { once: true });
});

// Whether the game has gone on elsewhere: asked for while somebody looks.
setInterval(async () => {
  const { name, mark } = main()?.dataset ?? {};
  if (!name || !mark || document.hidden || isSending) return;
  try {
    const news = await (await ask(`/game/${name}/news`)).json();
    if (main().dataset.name === name) document.getElementById("behind").hidden = news.mark === main().dataset.mark;
  } catch {
    // the table has ended: the next click says so
  }
}, 20000);

// A clock that runs goes on while it is looked at, and ends in the zone of whoever looks.
const twoDigits = (number) => String(number).padStart(2, "0");
const counted = (number, one) => `${number} ${one}${number === 1 ? "" : "s"}`;
function spell(seconds) {
  const days = Math.floor(seconds / 86400), hours = Math.floor(seconds / 3600) % 24, minutes = Math.floor(seconds / 60) % 60;
  if (days >= 3 || (days && !hours)) return counted(days, "day");
  if (days) return `${counted(days, "day")} ${counted(hours, "hour")}`;
  if (hours) return counted(hours, "hour");
  return minutes ? counted(minutes, "minute") : "less than a minute";
}
function tellClocks() {
  for (const clock of main()?.querySelectorAll("[data-left]") ?? []) {
    const now = Date.now() / 1000, { used, left, end = now + Number(left) } = clock.dataset;
    clock.dataset.end = end;
    const rest = Math.round(end - now), at = new Date(end * 1000);
    const day = `${at.getFullYear()}-${twoDigits(at.getMonth() + 1)}-${twoDigits(at.getDate())}`;
    const until = `, until ${day} ${twoDigits(at.getHours())}:${twoDigits(at.getMinutes())}`;
    const still = rest < 0 ? `overdue by ${spell(-rest)}` : `${spell(rest)} left`;
    clock.textContent = `${spell(Number(used) + Number(left) - rest)} used, ${still}, counting now${rest < 0 ? "" : until}`;
  }
}
setInterval(tellClocks, 20000);

function prepare() {
  for (const link of main().querySelectorAll("link")) addStyle(link);
  const older = document.getElementById("older");
  if (older) older.hidden = false;
  prepareStage();
  linkLog();
  tellClocks();
  prepared();
}
