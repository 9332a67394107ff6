// The first script, and the only one that the browser loads by itself: it looks whether a key may be made here at all,
// loads everything else and checks it, takes the network away, and starts the rest.
"use strict";

const BASE = new URL("./", location.href);
// What a browser keeps belongs to the origin, so names say in which folder of it this page lies: two pages beside each
// other then have a home each. That keeps them apart by name, and either from nothing that the other may want.
// A folder has one name, however a link spells it: a home that seems to be gone would be put back beside itself.
const FOLDER = unescape(BASE.pathname).replace(/\/+/g, "/"), CACHE = `pbem ${FOLDER} `, TAKEN_CACHE = `${CACHE}taken`, SHARED_CACHE = `${CACHE}shared`;
const SECOND_POLICY = "default-src 'none'; script-src blob: 'wasm-unsafe-eval'; worker-src blob:; img-src data: blob:; font-src blob:; connect-src 'none'; form-action 'none'; base-uri 'none'";
const LIST = "SHA256SUMS", USUAL = 13_000_000; // bytes of a version, where nothing says how many
const PATIENCE = 5000; // milliseconds that a start waits for what is served now: it goes on with what is here
const WORKER = ["seal.js", "storage.js", "owner.js", "tree.js", "python.js", "worker.js"];
const PAGE = ["port.js", "pages.js", "door.js", "keep.js", "arrivals.js", "out.js"];
const TABLE = ["stage.js", "table.js", "words.js", "board.js", "camera.js", "prompt.js", "hand.js", "film.js", "player.js", "offer.js", "look_back.js", "bars.js", "drawer.js", "take.js"];
const ownHash = document.querySelector("meta[name=pbem-hash]").content, ownVersion = document.querySelector("meta[name=pbem-version]").content;

const loaded = new Map(); // the bytes of each file, by name
let served = null; // the version that is served now, as far as there is a connection
let news = null; // the version that is served now, where it is another one than this
let arrived = ""; // what stood in the address after #: read once, and taken out of it at once

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

function shut(title, words, offer = null) {
  const made = document.getElementById("door-shut").content.cloneNode(true);
  made.querySelector(".why").textContent = title;
  made.querySelector(".words").textContent = words;
  if (offer) made.querySelector(".offer").append(offer);
  document.querySelector("main").replaceChildren(made);
}

function link(href, textContent) {
  return Object.assign(document.createElement("a"), { href, textContent, className: "button" });
}

// Why no key is made or opened here; true where it is so.
function isRefused() {
  if (location.protocol === "file:") {
    shut("Not from a file", "Opened from a disk, this page shares its storage with every other page there, so it makes no key and opens none. A game can be looked at and checked all the same.", link("check.html", "Check a turn file"));
  } else if (isFramed()) {
    shut("Not in a frame", "Another page shows this one inside of it and could have you click where you do not mean to. It makes no key here and opens none.", Object.assign(link(location.href.split("#")[0], "Open it by itself"), { target: "_top" }));
  } else if (!window.isSecureContext) {
    shut("Not over this connection", "This page came without encryption, so anybody on the way could have changed it. It makes no key here and opens none: open it by https.");
  } else if (!window.indexedDB || !window.crypto?.subtle) {
    shut("Not in this browser", "This browser keeps nothing for this page, as some do in a private window, or cannot encrypt. A key made here would be lost, so none is made: open the page in another window or browser.");
  } else return false;
  return true;
}

document.getElementById("nothing").remove(); // what is to be read where no script runs, as from a disk
document.getElementById("loading").hidden = false;

function tellStep(words, part = null) {
  const bar = document.getElementById("bar");
  if (!bar) return;
  document.getElementById("step").textContent = words;
  if (part === null) bar.removeAttribute("value");
  else bar.value = 100 * part;
}

const sha256 = async (bytes) => [...new Uint8Array(await crypto.subtle.digest("SHA-256", bytes))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

// One file of this version, as its list has it. Raises an `Error` with words for the player.
async function fetched(name, hash, told = () => {}, mode = "default") {
  const answer = await fetch(new URL(name, BASE), { cache: mode });
  if (!answer.ok) throw new Error(`${name} is not there (${answer.status}): the page is not complete where it is served. Load it again, or tell whoever serves it.`);
  const parts = [], reader = answer.body.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    parts.push(part.value);
    told(part.value.length);
  }
  const bytes = new Uint8Array(await new Blob(parts).arrayBuffer());
  if (hash !== null && (await sha256(bytes)) !== hash) {
    if (mode === "default") return fetched(name, hash, () => {}, "reload"); // an older one lay in the browser's cache
    throw new Error(`${name} is not the file of this version: the page is being renewed where it is served, or somebody has changed it. Load it again in a minute.`);
  }
  return bytes;
}

// Everything that the page is made of, with a bar that knows how many bytes are still to come.
async function loadAll() {
  const list = await fetched(LIST, ownHash), all = served?.sizes.reduce((sum, size) => sum + size, 0) || USUAL;
  let here = 0;
  const told = (count) => {
    here += count;
    tellStep("Loading the games …", Math.min(1, here / all));
  };
  loaded.set(LIST, list);
  await Promise.all(namesIn(list).map(async ([name, hash]) => loaded.set(name, await fetched(name, hash, told))));
}

// Names and hashes of the files of a version.
const namesIn = (list) => new TextDecoder().decode(list).split("\n").filter(Boolean).map((line) => [line.slice(66), line.slice(0, 64)]);

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
    if ((await takenVersion()) !== ownHash) {
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
  const page = await fetched("index.html", index, () => {}, "reload"), all = [[LIST, list], ["index.html", page], ["", page]];
  for (const [name, known] of namesIn(list)) all.push([name, await fetched(name, known, () => {}, "reload")]);
  await keepVersion(hash, all);
}

const ANSWER = `${CACHE}takes`;

async function lookAtVersions() {
  served = await servedVersion();
  news = served?.hash === ownHash ? null : served;
  const wanted = ofTab((tab) => tab.getItem(ANSWER));
  ofTab((tab) => tab.removeItem(ANSWER));
  if (news === null || wanted !== news.hash) return false;
  tellStep("Taking the new version …");
  await takeVersion(news);
  location.reload();
  return true;
}

function runScript(names) {
  const text = new Blob(names.map((name) => [loaded.get(name), "\n"]).flat(), { type: "text/javascript" });
  return new Promise((resolve, reject) => {
    const script = Object.assign(document.createElement("script"), { src: URL.createObjectURL(text), onload: resolve, onerror: reject });
    document.head.append(script);
  });
}

// From here on neither the page nor what it starts has a network.
function takeNetworkAway() {
  const policy = document.createElement("meta");
  policy.httpEquiv = "Content-Security-Policy";
  policy.content = SECOND_POLICY;
  document.head.append(policy);
}

async function start() {
  if (isRefused()) return;
  readArrived();
  history.replaceState(null, "", BASE.href);
  try {
    if (await lookAtVersions()) return;
    await loadAll();
    await keepOffline();
  } catch (error) {
    shut("The page could not be loaded", error instanceof TypeError ? "The connection has failed before everything was here. Load the page again." : error.message);
    return;
  }
  takeNetworkAway();
  for (const name of [...PAGE, ...TABLE.map((one) => `table/${one}`)]) await runScript([name]);
  await enter();
}

start();
