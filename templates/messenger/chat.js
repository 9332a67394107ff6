// The chat: updates in, turns out, and what is said before the first signature. What the updates mean is known to the program
// (pbem/web/chat.py); this only carries them. It stands in the place of arrivals.js and out.js.
"use strict";

const LONGEST_UPDATE = 110_000; // characters of one that is looked at at all
const MOST_AT_ONCE = 20, MOST_SIZE = 900_000; // updates in one request, and their characters there
const DEFAULT_INTERVAL = 10_000, DEFAULT_SIZE = 128_000; // what the specification says where the messenger says nothing
const came = []; // serial numbers and payloads that were not handed over yet
const handedOver = new Set(); // own turns that were given to the messenger since the app was opened
const outgoing = [];
const unsaid = [], said = []; // lines for the player that no page has said yet, and those that stand on one
let isReading = false, isGoingOut = false, isAllRead = false, isElsewhere = false, mayAsk = null;
let allRead = null, tellAllRead = () => {};

allRead = new Promise((resolve) => (tellAllRead = resolve));

// What waits in the address, of which an app has none.
const tellWhatCame = () => {};

// A home begins by itself, under the name that the messenger has for its player: the key is made inside, and nothing is signed.
async function beginInChat() {
  const name = (webxdc.selfName || "somebody").slice(0, 80); // its address is a number made for this chat
  await freshOnce();
  await askFacts("/web/introduce", { name, mail: "" });
  await inside(await kept(null));
}

// Only what is small and flat is handed on: text, numbers and nothing inside of anything.
function isPlain(payload) {
  if (typeof payload !== "object" || payload === null || Array.isArray(payload)) return false;
  const values = Object.values(payload);
  if (values.length > 8 || !values.every((one) => typeof one === "number" || typeof one === "string")) return false;
  return JSON.stringify(payload).length <= LONGEST_UPDATE;
}

// The next updates, no more than one request takes: whoever sends large ones keeps nobody else's out.
function nextUpdates() {
  const some = [];
  for (let size = 0; came.length && some.length < MOST_AT_ONCE; some.push(came.shift())) {
    size += encodeURIComponent(JSON.stringify(came[0])).length;
    if (some.length && size > MOST_SIZE) break;
  }
  return some;
}

function heardUpdate({ serial, payload }) {
  came.push([serial, isPlain(payload) ? payload : null]);
  if (isAllRead) settleChat();
}

// Once the home is open: everything that the messenger has, then the first page.
async function readChat() {
  const { read } = await askFacts("/web/chat", { address: webxdc.selfAddr });
  await webxdc.setUpdateListener(heardUpdate, read);
  const games = await settleChat();
  isAllRead = true;
  tellAllRead();
  await go(games.length === 1 ? `/game/${games[0]}` : "/");
  sayLines();
  await settleChat();
}

// Hand over what came, and send what is to go out; the pages of the games that have gone on.
async function settleChat() {
  const games = new Set();
  if (isReading) return [];
  isReading = true;
  try {
    let facts = { left: 0, sends: [] }, isFirst = true;
    await keepTexts(); // while the page is not behind
    while (isFirst || came.length || facts.left) {
      isFirst = false;
      const updates = facts.left ? [] : nextUpdates();
      facts = await askFacts("/web/chat", { address: webxdc.selfAddr, updates: JSON.stringify(updates) });
      facts.games.forEach((one) => games.add(one));
      isElsewhere = facts.elsewhere;
      unsaid.push(...facts.lines);
      if (isAllRead) {
        sayLines();
        await showAnew(facts.games);
      }
    }
    for (const one of facts.sends) sendLater(one);
    if (isAllRead && !facts.sends.length && main().querySelector("[data-send]")) await showAnew(null);
  } catch (error) {
    if (!isAtDoor()) tell(error.message);
    else throw error;
  } finally {
    isReading = false;
  }
  return [...games];
}

// What came before there was a page to say it on is said on the first one.
function sayLines() {
  for (const line of unsaid.splice(0)) {
    tell(line, "notice");
    said.push(notices().firstElementChild);
  }
}

// The page that is shown, where one of these games is on it; null stands for all of them. What was said stays until the player
// goes elsewhere: own turns come back from the chat a moment later.
async function showAnew(games) {
  const isShown = games === null || (games.length && (here === "/" || games.some((one) => here.startsWith(`/game/${one}`))));
  if (!isShown || isAtDoor() || main().querySelector("dialog[open]")) return;
  const stays = said.filter((one) => one.isConnected);
  await again();
  said.splice(0, said.length, ...stays);
  if (stays.length) notices().prepend(...stays);
}

function sendLater(update) {
  const name = JSON.stringify(update.payload);
  if ((update.signed || update.once) && handedOver.has(name)) return;
  handedOver.add(name);
  const after = update.signed ? outgoing.findIndex((one) => !one.signed) : -1; // an own turn goes before what somebody asked for
  outgoing.splice(after < 0 ? outgoing.length : after, 0, update);
  if (!isGoingOut) sendAll();
}

// One after the other, no faster than the messenger likes. A turn is read back from the storage first.
async function sendAll() {
  isGoingOut = true;
  try {
    while (outgoing.length) {
      const { payload, info, summary, signed } = outgoing.shift();
      const update = { payload, ...(info ? { info, summary } : {}) };
      if (JSON.stringify(update).length > (webxdc.sendUpdateMaxSize ?? DEFAULT_SIZE)) {
        tell("This turn is larger than the messenger takes as an update: save the file, and send that.");
        continue;
      }
      if (signed) await call("stored", { path: signed });
      webxdc.sendUpdate(update, info ?? "");
      await new Promise((resolve) => setTimeout(resolve, webxdc.sendUpdateInterval ?? DEFAULT_INTERVAL));
    }
  } catch (error) {
    tell(error.message);
  } finally {
    isGoingOut = false;
  }
}

// Called before anything may be signed: after all that the chat has, and once the player knows what they do.
async function mayBeSigned() {
  await allRead;
  if (isWarned()) return;
  mayAsk ??= askOnce().finally(() => (mayAsk = null));
  if (!(await mayAsk)) throw new Refused({ kind: "refused", words: "Nothing was signed." });
  keepWarned();
}

function isWarned() {
  try {
    return localStorage.getItem(WARNED) !== null;
  } catch {
    return handedOver.has(WARNED);
  }
}

function keepWarned() {
  handedOver.add(WARNED);
  try {
    localStorage.setItem(WARNED, "yes");
  } catch {
    // asked once more when the app is opened the next time
  }
}

const STAKES = [
  "Whoever sent this app into the chat wrote what runs here: it holds your key and sees your hand. Play if you trust them with this game, or compare the file's digest with the release's.",
  "Deleting this message in the messenger deletes your key and the games in it. Keep a backup.",
  "What the chat shows of a turn is its sender's word; what this app shows was checked.",
];
const ELSEWHERE = "Somebody claims to play here with your account, and has another key. If that is your other device, play there, or go on here as somebody else. If you have none, go on: anybody in the chat can say so, and it takes nothing of yours.";

function askOnce() {
  const box = document.getElementById("stakes").content.cloneNode(true).firstElementChild;
  box.querySelector("ul").append(...[...(isElsewhere ? [ELSEWHERE] : []), ...STAKES].map((textContent) => Object.assign(document.createElement("li"), { textContent })));
  document.body.append(box);
  return new Promise((resolve) => {
    box.addEventListener("close", () => {
      resolve(box.returnValue === "yes");
      box.remove();
    });
    box.querySelector("[value=yes]").addEventListener("click", () => box.close("yes"));
    box.querySelector("[value=no]").addEventListener("click", () => box.close("no"));
    box.showModal();
  });
}

// A file that leaves the app goes through the messenger, which asks into which chat.
async function giveFile(file) {
  const read = await new Promise((resolve, reject) => {
    const reader = Object.assign(new FileReader(), { onload: () => resolve(reader.result), onerror: () => reject(reader.error) });
    reader.readAsDataURL(file);
  });
  await webxdc.sendToChat({ file: { name: file.name, base64: read.slice(read.indexOf(",") + 1) } });
}

const saveFile = (file) => giveFile(file).catch(() => tell("The messenger did not take the file: try once more."));

// Where a page says that a turn is to be sent: it goes by itself, and as a file to whoever is not in the chat.
async function offerToSend() {
  const place = main().querySelector("[data-send]:not([data-filled])");
  if (main().querySelector("[data-goes-out]")) settleChat(); // a seek
  if (place === null) return;
  place.dataset.filled = "";
  settleChat();
  const facts = await askFacts("/web/out", { game: place.dataset.send });
  if (facts.file && place.isConnected) place.append(button("save the file", () => saveFile(new File([facts.turn], facts.file))));
}

// Files come in through the messenger too, where it can: from a chat, or from the device.
document.addEventListener("click", (event) => {
  if (event.target.id !== "take-file" || !webxdc.importFiles) return;
  event.preventDefault();
  webxdc.importFiles({ multiple: true, extensions: [".toml", ".txt"] }).then(takeAll, () => {});
});
