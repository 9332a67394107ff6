// What the place offers in which the program runs: here a page that somebody serves (docs/design.md, "Places a page runs in").
// The other maker of the same port is templates/messenger/host.js; a build has one of them, before start.js in one file.
"use strict";

const BASE = new URL("./", location.href);
// What a browser keeps belongs to the origin, so names say in which folder of it this page lies: two pages beside each
// other then have a home each. That keeps them apart by name, and either from nothing that the other may want.
// A folder has one name, however a link spells it: a home that seems to be gone would be put back beside itself.
const FOLDER = unescape(BASE.pathname).replace(/\/+/g, "/"), CACHE = `pbem ${FOLDER} `, TAKEN_CACHE = `${CACHE}taken`, SHARED_CACHE = `${CACHE}shared`;
const SECOND_POLICY = "default-src 'none'; script-src blob: 'wasm-unsafe-eval'; worker-src blob:; img-src data: blob:; font-src blob:; connect-src 'none'; form-action 'none'; base-uri 'none'";
const USUAL = 7_300_000; // bytes of a version, where nothing says how many
const LOADS = 7; // MB of it over the line
const PATIENCE = 5000; // milliseconds that a start waits for what is served now: it goes on with what is here
let now = null; // the version that is served now, as far as there is a connection
let news = null; // the version that is served now, where it is another one than this
let arrived = ""; // what stood in the address after #: read once, and taken out of it at once

const DAMAGED = `${CACHE}damaged`; // for the next start of this tab
let isDamaged = false; // what the browser has kept: it is brought anew
let running = null; // what runs, on its way out of the browser's cache; null where it was loaded
const CAME = `${CACHE}came`, LONGEST_LINK = 8000;

// What stands in the address is taken out of it, and waits in this tab until it is looked at, also where the page is
// loaded anew meanwhile: telephones do that to a page that lies behind another one.
function readArrived(came = location.hash.slice(1)) {
  arrived = came.slice(0, LONGEST_LINK) || (ofTab((tab) => tab.getItem(CAME)) ?? "");
  ofTab((tab) => tab.setItem(CAME, arrived));
}

function forgetArrived() {
  arrived = "";
  ofTab((tab) => tab.removeItem(CAME));
}

// What this tab keeps while the page is loaded anew; nothing in a browser that keeps nothing of a tab.
function ofTab(act) {
  try {
    return act(sessionStorage);
  } catch {
    return null;
  }
}

const isFramed = () => {
  try {
    return window.top !== window;
  } catch {
    return true;
  }
};

// Why no key is made or opened here, and what can be done instead; null where nothing is in the way.
function refusal() {
  if (location.protocol === "file:") {
    return ["Not from a file", "Opened from a disk, this page shares its storage with every other page there, so it makes no key and opens none. A game can be looked at and checked all the same.", link("check.html", "Check a turn file")];
  } else if (isFramed()) {
    return ["Not in a frame", "Another page shows this one inside of it and could have you click where you do not mean to. It makes no key here and opens none.", Object.assign(link(location.href.split("#")[0], "Open it by itself"), { target: "_top" })];
  } else if (!window.isSecureContext) {
    return ["Not over this connection", "This page came without encryption, so anybody on the way could have changed it. It makes no key here and opens none: open it by https."];
  } else if (!window.indexedDB || !window.crypto?.subtle) {
    return ["Not in this browser", "This browser keeps nothing for this page, as some do in a private window, or cannot encrypt. A key made here would be lost, so none is made: open the page in another window or browser."];
  }
  return null;
}

const sha256 = async (bytes) => [...new Uint8Array(await crypto.subtle.digest("SHA-256", bytes))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

const missing = (name, status) => new Error(`${name} is not there (${status}): the page is not complete where it is served. Load it again, or tell whoever serves it.`);
const changed = (name) => new Error(`${name} is not the file of this version: the page is being renewed where it is served, or somebody has changed it. Load it again in a minute.`);

// A file as it is served, piece by piece; `told` hears how many bytes have come. Raises an `Error` with words for the player.
async function served(name, told, cache) {
  const answer = await fetch(new URL(name, BASE), { cache });
  if (!answer.ok) throw missing(name, answer.status);
  const counted = new TransformStream({
    transform(part, out) {
      told(part.length);
      out.enqueue(part);
    },
  });
  return answer.body.pipeThrough(counted);
}

// One file of this version, as its list has it. Raises an `Error` with words for the player.
async function fetched(name, hash, told = () => {}, mode = "default") {
  const bytes = new Uint8Array(await new Response(await served(name, told, mode)).arrayBuffer());
  if (hash !== null && (await sha256(bytes)) !== hash) {
    if (mode === "default") return fetched(name, hash, () => {}, "reload"); // an older one lay in the browser's cache
    throw changed(name);
  }
  return bytes;
}

// The files in the block, each as the list has it. Raises an `Error` with words for the player.
async function fetchedBlock(names, decoder, told, mode) {
  const stream = await served(BLOCK, told, mode), found = new Map();
  try {
    for await (const [name, bytes] of unpacked(stream, decoder)) found.set(name, bytes);
  } catch {
    // what is missing is found below
  }
  for (const [name, hash] of names) {
    if (found.has(name) && (await sha256(found.get(name))) === hash) continue;
    if (mode === "default") return fetchedBlock(names, decoder, () => {}, "reload");
    throw changed(BLOCK);
  }
  return names.map(([name]) => [name, found.get(name)]);
}

// A file as the browser has kept it, of the version that was taken. Raises an `Error` where it is not as the list has it.
async function keptFile(name, hash) {
  const bytes = new Uint8Array(await (await (await caches.open(CACHE + ownHash)).match(new URL(name, BASE))).arrayBuffer());
  if ((await sha256(bytes)) !== hash) throw changed(name);
  return bytes;
}

const isRun = ([name]) => name.startsWith("lib/");

// All files that a list names, by name, as they are served.
async function filesOf(list, told = () => {}, mode = "default") {
  const all = namesIn(list).filter(([name]) => name !== BLOCK);
  const alone = new Map(all.filter((one) => !isRun(one)).map(([name, hash]) => [name, fetched(name, hash, told, mode)]));
  const block = async () => fetchedBlock(all.filter(isRun), await alone.get(DECODER), told, mode);
  return (await Promise.all([...[...alone].map(async ([name, bytes]) => [[name, await bytes]]), block()])).flat();
}

// Everything that the page is made of, with a bar that knows how many bytes are still to come.
async function loadAll() {
  const list = await fetched(LIST, ownHash), all = now?.sizes.reduce((sum, size) => sum + size, 0) || USUAL;
  const came = arrived.startsWith("join=") ? "An invitation has come. " : arrived.startsWith("turn=") ? "A turn has come. " : "";
  const isHere = !isDamaged && (await takenVersion().catch(() => undefined)) === ownHash;
  const words = came + (isHere ? "Opening the games …" : `Loading the games: ${LOADS} MB, once …`);
  loaded.set(LIST, list);
  if (isHere && (await readKept(list))) return;
  let here = 0;
  const told = (count) => {
    here += count;
    tellStep(words, Math.min(1, here / all));
  };
  for (const [name, bytes] of await filesOf(list, told)) loaded.set(name, bytes);
}

// What the browser has kept: the page's own files, and what runs on the way. False where one of its own is not there, or is another.
async function readKept(list) {
  const all = namesIn(list).filter(([name]) => name !== BLOCK), read = (files) => files.map(async ([name, hash]) => [name, await keptFile(name, hash)]);
  try {
    for (const [name, bytes] of await Promise.all(read(all.filter((one) => !isRun(one))))) loaded.set(name, bytes);
  } catch {
    isDamaged = true;
    return false;
  }
  running = read(all.filter(isRun));
  for (const one of running) one.catch(() => {}); // it is told when its turn comes
  return true;
}

const KINDS = { html: "text/html", js: "text/javascript", mjs: "text/javascript", css: "text/css", json: "application/json", webmanifest: "application/manifest+json", wasm: "application/wasm", zip: "application/zip", svg: "image/svg+xml", png: "image/png", ttf: "font/ttf" };

// A whole version in the browser's cache, from which sw.js answers once it is the one that was taken.
async function keepVersion(hash, files) {
  const cache = await caches.open(CACHE + hash);
  for (const [name, bytes] of files) await cache.put(new URL(name, BASE), new Response(bytes, { headers: { "content-type": KINDS[(name || "index.html").split(".").pop()] ?? "application/octet-stream" } }));
  await (await caches.open(TAKEN_CACHE)).put(new URL("taken", BASE), new Response(hash));
  for (const name of await caches.keys()) if (name.startsWith(CACHE) && name !== CACHE + hash && name !== TAKEN_CACHE && name !== SHARED_CACHE) await caches.delete(name);
}

const takenVersion = async () => (await (await caches.open(TAKEN_CACHE)).match(new URL("taken", BASE)))?.text();

const isWritten = (text, form) => typeof text === "string" && form.test(text);

// What is served now, by the one fixed file; null without a connection, behind one that does not answer, and where
// something else stands in its place.
async function servedVersion() {
  try {
    const answer = await fetch(new URL("version.json", BASE), { cache: "no-store", signal: AbortSignal.timeout(PATIENCE) });
    const { version, hash, index, files } = await answer.json();
    if (!isWritten(version, /^[\w.+-]{1,40}$/) || ![hash, index].every((one) => isWritten(one, /^[0-9a-f]{64}$/))) return null;
    return { version, hash, index, sizes: Object.values(files ?? {}).filter((size) => Number.isSafeInteger(size) && size > 0) };
  } catch {
    return null;
  }
}

// This version works without a connection from now on, where the browser allows that; it need not.
async function keepOffline() {
  try {
    if (running === null && (isDamaged || (await takenVersion()) !== ownHash)) {
      const index = await fetched("index.html", null);
      if (new TextDecoder().decode(index).includes(`content="${ownHash}"`)) await keepVersion(ownHash, [...loaded, ["index.html", index], ["", index]]);
    }
    await navigator.serviceWorker?.register(new URL("sw.js", BASE), { updateViaCache: "none" });
  } catch {
    // a private window, or a browser without service workers: it works while there is a connection
  }
}

// The player has said so: the version that is served takes the place of the one that is here.
async function takeVersion({ hash, index }) {
  const list = await fetched(LIST, hash, () => {}, "reload");
  const page = await fetched("index.html", index, () => {}, "reload");
  await keepVersion(hash, [[LIST, list], ["index.html", page], ["", page], ...(await filesOf(list, () => {}, "reload"))]);
}

const ANSWER = `${CACHE}takes`;

// Whether the version that is served now is taken: the player has said so of one in this tab.
async function lookAtVersions(wanted) {
  now = await servedVersion();
  news = now?.hash === ownHash ? null : now;
  ofTab((tab) => tab.removeItem(ANSWER));
  if (news === null || wanted !== news.hash) return false;
  tellStep("Taking the new version …");
  await takeVersion(news);
  location.reload();
  return true;
}

// What this browser promises of what it keeps for the page; null while that is not known.
const promises = { offline: false, kept: null, isPrivate: false };

// What this browser says of itself. It is asked to keep what is made here too, and nobody waits for that: it may ask its player.
// Firefox and Safari give a page in a private window no file system of its own; Chromium lets no page know.
async function askForPromises() {
  const { serviceWorker, storage } = navigator;
  serviceWorker?.ready.then(takenVersion).then((hash) => {
    promises.offline = hash === ownHash;
    showPromises();
  }).catch(() => {});
  const asks = (act) => Promise.resolve().then(act).catch(() => false);
  promises.isPrivate = await asks(() => storage.getDirectory?.().then(() => false, () => true));
  promises.kept = await asks(() => storage.persisted());
  showPromises();
  asks(() => storage.persist()).then((isKept) => {
    promises.kept = isKept;
    showPromises();
  });
}

const NOT_KEPT = "This browser may throw away what is made here, and a private window loses it when it is closed. Install the page, or add it to the Home Screen, where you can; and keep a backup.";
const PRIVATE = "This looks like a private window: everything that is made here is gone when it is closed. Open the page in an ordinary window first.";

async function takeNews() {
  if (main().dataset.name) await keepTexts();
  ofTab((tab) => tab.setItem(ANSWER, news.hash));
  location.reload();
}

// The port: all that other scripts ask the place for.
const host = {
  scripts: ["arrivals.js", "out.js"],
  policy: SECOND_POLICY,
  never: [], // what the program is not asked for here
  place: {
    page: "page",
    keeper: "browser",
    elsewhere: "another tab or window",
    doubt: ": this may be a private window",
    newer: "load the page again and take the newer version",
    restore: "bring back the newest backup",
    instead: "open the page in another window or browser",
  },
  refusal,
  hasLock: () => navigator.locks !== undefined,

  // Bring the program here; false where the page is being loaded anew instead.
  async load() {
    readArrived();
    isDamaged = ofTab((tab) => [tab.getItem(DAMAGED), tab.removeItem(DAMAGED)])?.[0] === "yes";
    history.replaceState(null, "", BASE.href);
    const wanted = ofTab((tab) => tab.getItem(ANSWER)), looked = lookAtVersions(wanted);
    if (wanted !== null && (await looked)) return false;
    await Promise.all([loadAll(), looked]);
    await keepOffline();
    return true;
  },

  keepsFiles: true, // unpacked, for offline

  // What runs. A file that the browser has kept and that is another now is brought anew, all of them are: nothing is open yet.
  async *runs() {
    if (running === null) {
      for (const one of loaded) if (isRun(one)) yield one;
      return;
    }
    try {
      for (const one of running) yield await one;
    } catch (error) {
      if (!ofTab((tab) => [tab.setItem(DAMAGED, "yes")])) throw error;
      location.reload();
    }
  },

  // Before a home is open; done once it is known what stands above the door, so that it does not come between a finger and a button.
  watch() {
    holdArrivals();
    return askForPromises();
  },

  begin: () => openDoor({ home: "none", held: false }),
  reopen: (found) => (found.home === "open" && !found.held ? openHome(null, false) : openDoor(found)),
  arrive: () => takeArrivals(),

  // Called before a request that signs something.
  beforeSigning: async () => {
    if (visit?.isUnkept) await askWhoPlays();
  },

  // What holds and what does not of what is kept here.
  promises() {
    const list = [promises.offline ? ["ready offline", true] : ["needs a connection", false]];
    if (promises.isPrivate) list.push(["private window: gone when it is closed", false]);
    else if (promises.kept !== null) list.push(promises.kept ? ["kept by this browser", true] : ["may be thrown away by this browser", false]);
    return list;
  },

  // What a newcomer should know before they make anything; nothing where all is well.
  warning: () => (promises.isPrivate ? PRIVATE : promises.kept === false ? NOT_KEPT : ""),
  news: () => (news === null ? [] : [[`Version ${news.version} is there (${news.hash.slice(0, 8)}).`, button("take it", takeNews, "small-button")]]),

  unkept: "No backup yet, and browsers throw away what pages keep.",
  packPlace: "Put the file where it outlasts this browser: another device, a mail to yourself.",
  packWords: () => keptWords,

  // Buttons by which a packed home leaves; `done` is called once it has.
  packWays(file, told, done) {
    const save = button("save it as a file", () => {
      saveFile(file);
      done();
    });
    return navigator.canShare?.({ files: [file] }) ? [button("share it", () => share({ files: [file] }, told, done), "main"), save] : [save];
  },
};
