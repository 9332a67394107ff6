// The home outside of this browser: browsers throw storage away, so the page says how much is kept nowhere else.
"use strict";

let keptState = { date: "", signed: 0 }; // the newest backup, and how much was signed then
let signedNow = 0;
let stopped = null; // why this home signs nothing, where it does not
let keptWords = ""; // the passphrase of this home, as it was entered here; empty where it has none

function signedCount(count) {
  if (count === signedNow) return;
  signedNow = count;
  showStrip();
}

document.getElementById("open-keep").addEventListener("click", () => openKeep());

// What the program says of the home: one that signs nothing is neither copied nor moved, and each page says why.
function noteHome(facts) {
  stopped = ["restored", "moved", "damaged"].includes(facts.kind) ? facts : null;
  document.getElementById("foot-acts").hidden = stopped !== null;
  showStrip();
}

// What holds and what does not, in words for the badge and for the page about this one.
function promised() {
  const list = host.promises();
  if (!isAtDoor()) list.push(keptState.date ? [`last backup ${day(keptState.date)}`, true] : ["no backup yet", false]);
  return list.map(([words, holds]) => [words, holds ? "" : "lacks"]);
}

// The badge below every page, and at the door what a newcomer should know before they make anything.
function showPromises() {
  const badge = document.getElementById("badge"), warning = document.getElementById("thrown-away"), made = (tag) => ([textContent, className]) => Object.assign(document.createElement(tag), { textContent, className });
  badge.replaceChildren(...promised().flatMap((one, at) => [at ? " · " : "", made("span")(one)]));
  document.getElementById("promises")?.replaceChildren(...promised().map(made("li")));
  badge.hidden = document.getElementById("open-about").hidden = false;
  if (!warning) return;
  if (warning.dataset.asked && !warning.textContent) main().append(warning); // too late to stand above what may be clicked by now
  warning.dataset.asked = "yes";
  warning.textContent = host.warning();
  warning.hidden = !warning.textContent;
}

// The page about this one takes the place of the other, which waits behind it with all that was written there.
function openAbout() {
  closeAbout();
  main().after(document.getElementById("about-page").content.cloneNode(true));
  main().hidden = true;
  document.getElementById("licences").href = new URL("LICENSES.txt", BASE).href;
  document.getElementById("close-about").addEventListener("click", () => {
    closeAbout();
    document.getElementById("open-about").focus();
  });
  showPromises();
  window.scrollTo(0, 0);
  document.querySelector("#about h1").focus({ preventScroll: true });
}

function closeAbout() {
  document.getElementById("about")?.remove();
  main().hidden = false;
}

document.getElementById("open-about").addEventListener("click", openAbout);

const day = (date) => new Date(date).toLocaleDateString(undefined, { dateStyle: "medium" });

// What has to be said on every page: why nothing can be signed, what is not kept anywhere else, a newer version, and the way to both.
function linesToShow() {
  const missing = signedNow - keptState.signed, lines = [];
  if (visit?.isSample) lines.push([visit.words, button(visit.leave, leaveSample, "small-button")]);
  else if (visit?.isUnkept && hasBegun) lines.push(["This game is kept once you sign in it: until then it is gone when you leave.", ""]);
  else if (stopped !== null) lines.push([`${sentence(stopped.warning)}.`, button("what to do", () => stoppedDoor(stopped), "small-button")]);
  else if (missing > 0) {
    const words = keptState.date ? `${missing} turn${missing === 1 ? "" : "s"} signed since the backup of ${day(keptState.date)}.` : host.unkept;
    lines.push([words, button("keep a backup", openKeep, "small-button")]);
  }
  if (!visit?.isSample) lines.push(...host.news());
  return lines;
}

const lineOf = ([words, act]) => {
  const line = Object.assign(document.createElement("p"), { textContent: `${words} ` });
  line.append(act);
  return line;
};

// It stands above all pages, but a game has the whole window: there it is folded into the drawer, with the badge.
function showStrip() {
  const strip = document.getElementById("strip"), lines = linesToShow();
  strip.replaceChildren(...lines.map(lineOf));
  strip.hidden = !lines.length;
  showPromises();
  showInDrawer();
}

function showInDrawer() {
  const drawer = document.getElementById("drawer"), acts = document.getElementById("foot-acts");
  if (!drawer || visit?.isSample) return;
  const lines = linesToShow(), box = document.getElementById("this-page") ?? Object.assign(document.createElement("details"), { id: "this-page", className: "more" });
  const about = Object.assign(document.createElement("p"), { className: "row" }), forward = (id) => button(document.getElementById(id).textContent, () => document.getElementById(id).click(), "small-button");
  about.append(...(acts.hidden ? [] : [forward("open-keep")]), forward("open-about"));
  const summary = Object.assign(document.createElement("summary"), { textContent: lines[0]?.[0] ?? document.getElementById("open-about").textContent, className: lines.length ? "lacks" : "" });
  const badge = Object.assign(document.createElement("p"), { className: "small" });
  badge.append(...[...document.getElementById("badge").childNodes].map((one) => one.cloneNode(true)));
  box.replaceChildren(summary, ...lines.map(lineOf), badge, about);
  if (!box.isConnected) drawer.querySelector(".close-drawer").after(box);
  document.getElementById("log-button").classList.toggle("warns", lines.length > 0);
}

// A backup or a move: encrypted under a passphrase of its own, as text.
function openKeep() {
  const made = document.getElementById("keep").content.cloneNode(true);
  document.getElementById("keeping")?.remove();
  document.getElementById("strip").after(made);
  window.scrollTo(0, 0);
  wireShown(document.getElementById("keeping"));
  const words = document.getElementById("keep-words");
  words.value = host.packWords();
  (words.value ? document.getElementById("make-backup") : words).focus();
  for (const kind of ["backup", "move"]) document.getElementById(`make-${kind}`)?.addEventListener("click", (event) => makePack(kind, event.currentTarget.form));
  document.getElementById("close-keep").addEventListener("click", closeKeep);
}

function closeKeep() {
  document.getElementById("keeping").remove();
  const opener = document.querySelector("#this-page summary"); // in the drawer of a game
  if (opener?.checkVisibility()) opener.focus();
  else focusPage();
}

async function makePack(kind, form) {
  const problem = form.querySelector(".refusal"), passphrase = document.getElementById("keep-words").value;
  problem.hidden = true;
  if (!form.reportValidity()) return;
  if (kind === "move" && !document.getElementById("really").checked) {
    complain(form, "A home that moves is closed here: say first that you mean it.");
    return;
  }
  try {
    if (main().dataset.name) await keepTexts();
    const answer = await asking(() => ask(`/web/${kind}`, { method: "POST", body: new URLSearchParams({ passphrase }) }));
    const made = { date: new Date().toISOString(), signed: signedNow }, text = await answer.text();
    if (answer.status !== 200) throw new Error(JSON.parse(text).error);
    await offerPack(new File([text], `pbem-${kind}-${made.date.slice(0, 10)}.txt`, { type: "text/plain" }), kind, made);
  } catch (error) {
    complain(form, error.message);
  }
}

// The pack, to be put somewhere: it counts as kept once it was shared or saved, with what was signed when it was `made`.
async function offerPack(file, kind, made) {
  const box = document.getElementById("keeping"), told = Object.assign(document.createElement("p"), { textContent: kind === "move" ? "This home is closed here. The file is the home: take it to the other device." : host.packPlace });
  const row = Object.assign(document.createElement("p"), { className: "row" }), done = async () => {
    if (kind === "backup") keptState = await call("kept", made);
    showStrip();
    heard().textContent = "Kept.";
  };
  row.append(...host.packWays(file, told, done), button("close", closeKeep));
  box.querySelector("form").replaceWith(told, row);
  const first = row.querySelector("button");
  first.focus();
  if (kind === "move") {
    noteHome(await askFacts("/web/start"));
    stoppedDoor(stopped);
    first.focus();
  }
}
