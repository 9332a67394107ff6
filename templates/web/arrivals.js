// What comes from outside: the text after # in the address, what was shared to the installed page or opened with it, files
// and text that are dropped before the home is open. All of it is hostile until it was read, and none of it does anything by itself: it is
// shown as come, and taken in by the same way as a file that the player chooses.
"use strict";

const LOST = "A turn has come, and this browser has no game to go on with. Have you played in another one, open the link there. Has this one lost your games, bring your backup.";
const held = []; // files that came and were not taken in yet
const MOST_OPENED = 20, MOST_LOOKED = 250_000; // files; bytes of one that may be an invitation
let atHome = null; // what stands in the storage, while nobody has opened it

// What was shared and waits: how many files. None where the browser keeps nothing of the kind.
async function sharedCount() {
  try {
    return (await (await caches.open(SHARED_CACHE)).keys()).length;
  } catch {
    return 0;
  }
}

// Whether something was shared for which there was no room (sw.js); it is told once.
async function wasLeftOut() {
  try {
    return await (await caches.open(TAKEN_CACHE)).delete(new URL("left", BASE));
  } catch {
    return false;
  }
}

// Each file that was shared. It is taken out before anybody looks at it: one that ends the program does so once.
async function* outOfShared() {
  if (!(await sharedCount())) return;
  const cache = await caches.open(SHARED_CACHE);
  for (const request of await cache.keys()) {
    const answer = await cache.match(request);
    await cache.delete(request);
    yield new File([await answer.blob()], decodeURIComponent(answer.headers.get("pbem-name") ?? "shared"));
  }
}

async function* allFiles() {
  while (held.length) yield held.shift();
  yield* outOfShared();
}

// Whoever is at the door is told what waits for them, once.
async function tellWhatCame() {
  const note = document.getElementById("invited"), count = held.length + (await sharedCount()) - held.includes(invitation?.file);
  const link = invitation === null && isLink(arrived) && whatArrived();
  const what = [link, count === 1 && "a file or text", count > 1 && `${count} files or texts`].filter(Boolean);
  if (note) note.hidden = !what.length;
  else if (what.length && visit?.isUnkept) tell(`With this page came ${what.join(" and ")}: it waits until you have signed here.`, "notice");
  if (!note || !what.length) return;
  const make = document.getElementById("make"), isLost = make && arrived.startsWith("turn=");
  note.textContent = isLost ? LOST : `With this page came ${what.join(" and ")}. You see it next, and nothing is done with it before you say so.`;
  if (isLost) askForBackup(make);
}

// A turn came to a browser without games: the home it belongs to is asked for, and a new one only on demand.
function askForBackup(make) {
  const bring = document.getElementById("bring").parentElement, fold = Object.assign(document.createElement("details"), { className: "more" });
  if (bring.open) return;
  bring.open = true;
  document.querySelector("main h1").textContent = document.title = "A turn has come";
  make.before(bring, fold);
  fold.append(Object.assign(document.createElement("summary"), { textContent: "I have no games yet: begin" }), make);
}

let invitation = null; // the invitation that was looked at before a home was open: its page, a title, the words of its button
let joins = ""; // the page of the game whose seat somebody takes by opening a home or making one

// Before a home is open. Somebody who comes with an invitation sees it first; where the games are open in another tab, that
// one has it.
async function openDoor(found) {
  atHome = found;
  if (found.held && isLink(arrived) && (await isHeardElsewhere())) {
    unlockDoor(found);
    goThere();
  } else if (arrived.startsWith("join=") && !found.held) await lookDoor(found);
  else plainDoor(found);
}

function plainDoor(found) {
  if (found.home !== "none") unlockDoor(found);
  else if (arrived.startsWith("turn=")) newDoor();
  else if (arrived.startsWith("seek=")) showSeek();
  else firstPage();
}

// Somebody seeks a game: it is shown before there is a home, which inviting them asks for.
async function showSeek() {
  await firstPage();
  const facts = await (await ask("/take?name=the+link", { method: "POST", body: `#${arrived}` })).json();
  forgetArrived();
  if (facts.page) await go(facts.page);
  else tell(`The link: ${facts.error ?? "there is nothing in it"}`, "notice");
}

// What is said of the invitation is what its file says, once that was verified; one that does not hold is told, and nothing
// of it is shown.
async function lookDoor(found, file = null) {
  const given = file === null ? { fragment: arrived } : { file: await file.text() };
  const answer = await ask("/web/look", { method: "POST", body: new URLSearchParams(given) });
  if (answer.status !== 200 && file !== null) {
    const { error, nothing } = await answer.json();
    if (!nothing) return; // it waits, as anything else that came
    held.splice(held.indexOf(file), 1);
    await tellWhatCame();
    tell(`${file.name}: ${error}`);
    return;
  }
  if (answer.status !== 200) {
    const { error } = await answer.json();
    forgetArrived();
    plainDoor(found);
    tell(`The link: not taken: ${error}`);
    return;
  }
  const isFirst = invitation === null;
  visit = { isAtDoor: true, prefix: "/visit", again: () => lookDoor(found, file) };
  putPage(await answer.text());
  const join = document.getElementById("join"), way = { title: document.title, act: join.innerText, file, back: () => lookDoor(found, file) };
  invitation = way;
  join.addEventListener("click", () => {
    joins = main().dataset.name;
    if (found.home === "none") newDoor(way);
    else unlockDoor(found, way.title);
  });
  tellWhatCame();
  if (!isFirst) focusPage();
}

// What came to the door is told; the first of it is looked at, where it may be an invitation and nobody is writing.
async function lookAtHeld() {
  await tellWhatCame();
  const isWritten = ["name", "mail", "words", "pack-text", "pack-words"].some((id) => document.getElementById(id)?.value) || document.querySelector("dialog[open]") !== null;
  if (held.length !== 1 || held[0].size > MOST_LOOKED || isWritten || invitation !== null || isLink(arrived)) return;
  if (atHome !== null && !atHome.held) await lookDoor(atHome, held[0]).catch(() => {});
}

// The seat of an invitation that was looked at before the home was open: its button was pressed then.
function joinNow() {
  const isIt = joins && main().dataset.name === joins;
  joins = "";
  if (isIt) document.querySelector(".joining [name=join]")?.click();
}

// What came is taken in as pasted text is. Whatever is wrong with it is told, and keeps nobody from their games.
async function takeArrivals() {
  const told = [], shown = [], games = new Set();
  let isNew = false, page = "/";
  await keepTexts(); // while the page is not behind
  const take = async (asking) => {
    try {
      const facts = await asking();
      (facts.game && facts.new ? shown : told).push(...(facts.told ?? [facts.error]));
      isNew = Boolean(facts.game && facts.new);
      page = facts.page ?? page; // somebody who seeks a game
      if (facts.game) games.add(facts.game);
    } catch (error) {
      told.push(error.message);
    }
  };
  if (isLink(arrived)) {
    await take(() => askFacts("/web/arrived", { fragment: arrived }));
    forgetArrived();
    if (!isNew) joins = ""; // something of this game is here: they look at that first
  }
  const isJoining = joins !== "";
  for await (const file of allFiles()) await take(async () => (await ask(`/take?name=${encodeURIComponent(file.name)}`, { method: "POST", body: file })).json());
  if (isJoining && !isNew) joins = ""; // likewise
  if (await wasLeftOut()) told.push("More was shared than the page keeps until it is opened: share the rest once more.");
  await go(games.size === 1 ? `/game/${[...games][0]}` : page);
  if (games.size > 1) told.push(...shown); // one game that is shown tells what is new in it
  for (const line of told.reverse()) tell(line, "notice");
  joinNow();
}

// Before the home is open, what is dropped or pasted waits at the door; a home goes into the fields for it.
function holdArrivals() {
  const hold = (event, data, name) => {
    const text = data.getData("text/plain"), came = data.files.length ? [...data.files] : holdsTurn(text) ? [new File([text], name)] : [];
    if (!isAtDoor() || seeksAreShown() || !came.length || event.target.closest?.("#pack, #pack-text")) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    document.body.classList.remove("dropping");
    held.push(...came);
    lookAtHeld();
  };
  window.addEventListener("drop", (event) => hold(event, event.dataTransfer, "what was dropped"), true);
  window.addEventListener("paste", (event) => hold(event, event.clipboardData, "what was pasted"), true);
  window.addEventListener("change", (event) => {
    const { target } = event;
    if (target.id !== "take-file" || !isAtDoor() || seeksAreShown()) return;
    event.stopImmediatePropagation();
    held.push(...target.files);
    target.value = ""; // the same one may be chosen again
    lookAtHeld();
  }, true);
  window.addEventListener("click", (event) => {
    const field = document.getElementById("take-text");
    if (event.target.id !== "take-it" || !isAtDoor() || seeksAreShown() || !field.value.trim()) return;
    event.stopImmediatePropagation();
    held.push(new File([field.value], "what was pasted"));
    field.value = "";
    lookAtHeld();
  }, true);
  // Files that the player opens with the installed page, on systems that let it have a kind of its own.
  window.launchQueue?.setConsumer(async ({ files = [] }) => {
    const came = await Promise.all(files.slice(0, MOST_OPENED).map((one) => one.getFile().catch(() => new File([], one.name)))); // one that is gone is told as no turn
    held.push(...came);
    if (isAtDoor()) lookAtHeld();
    else if (came.length) offer(came.length === 1 ? "A file has come" : `${came.length} files have come`);
  });
  window.addEventListener("hashchange", () => {
    readArrived();
    invitation = null;
    history.replaceState(history.state, "", BASE.href);
    if (!isAtDoor()) {
      if (isLink(arrived)) offerArrived();
    } else if (atHome !== null && !atHome.held && isLink(arrived) && visit !== null) openDoor(atHome);
    else tellWhatCame();
  });
}

// Telephones open each link in a tab of its own. The one in which the games are open hears of it, so that no passphrase is
// needed; what is told is a link like any other, whoever tells it.
const tabs = new BroadcastChannel(`pbem came ${FOLDER}`), PATIENCE_WITH_TABS = 700; // milliseconds
let tellHeard = () => {};

function isHeardElsewhere() {
  tabs.postMessage({ came: arrived });
  return new Promise((resolve) => {
    tellHeard = () => resolve(true);
    setTimeout(() => resolve(false), PATIENCE_WITH_TABS);
  });
}

tabs.onmessage = ({ data }) => {
  if (isAtDoor() && data?.heard === arrived) {
    tellHeard();
    goThere();
  } else if (!isAtDoor() && !isOver && isLink(data?.came) && data.came.length <= LONGEST_LINK) {
    readArrived(data.came);
    offerArrived();
    tabs.postMessage({ heard: data.came });
  }
};

function goThere() {
  const there = document.getElementById("go-there"), form = document.getElementById("unlock"), instead = document.getElementById("here-instead");
  if (!there || !arrived || form.hidden) return;
  there.textContent = "What came with the link waits there: go to that tab, and close this one.";
  [form.hidden, instead.parentElement.hidden] = [true, false];
  document.getElementById("invited").hidden = document.getElementById("forgotten").hidden = true;
  instead.addEventListener("click", () => ([form.hidden, instead.parentElement.hidden] = [false, true]));
}

// Who seeks a game is taken in before anything is kept: nothing hangs on it.
const seeksAreShown = () => document.getElementById("seek-title") !== null;
const isLink = (text) => typeof text === "string" && /^(join|turn|seek)=/.test(text);
const whatArrived = () => ({ join: "an invitation", seek: "somebody who seeks a game", turn: "a turn" })[arrived.slice(0, 4)];

// A link or a file that was opened while somebody plays: they say when it is looked at. The newest one, however many a page
// that has opened this one sends.
const offerArrived = () => offer(`${sentence(whatArrived())} has come with a link`);

function offer(words) {
  document.getElementById("came")?.remove();
  const told = Object.assign(document.createElement("p"), { className: "notice", id: "came", textContent: `${words}. ` });
  told.append(button("look at it", () => {
    told.remove();
    takeArrivals();
  }, "small-button"));
  notices().prepend(told);
}
