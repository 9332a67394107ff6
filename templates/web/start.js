// The first script, behind host.js in the same file, and the only one of ours that the browser loads by itself: it asks the
// host whether a key may be made here at all, lets it load everything else, takes the network away, and starts the rest.
"use strict";

const WORKER = ["seal.js", "storage.js", "owner.js", "tree.js", "memory.js", "python.js", "worker.js"];
const PAGE = ["port.js", "pages.js", "door.js", "keep.js", "visit.js", ...host.scripts];
const TABLE = ["stage.js", "table.js", "words.js", "board.js", "camera.js", "seats.js", "arrows.js", "routes.js", "prompt.js", "drag.js", "hand.js", "dice.js", "asked.js", "desk.js", "film.js", "player.js", "offer.js", "look_back.js", "bars.js", "drawer.js", "take.js"];
const ownHash = document.querySelector("meta[name=pbem-hash]").content;

const loaded = new Map(); // the bytes of each file, by name
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

document.getElementById("nothing").remove(); // what is to be read where no script runs, as from a disk
document.getElementById("loading").hidden = false;

function tellStep(words, part = null) {
  const bar = document.getElementById("bar");
  if (!bar) return;
  document.getElementById("step").textContent = words;
  if (part === null) bar.removeAttribute("value");
  else bar.value = 100 * part;
}

// Scripts of ours, as one: a browser takes milliseconds to begin with each.
function runScripts(...scripts) {
  const text = new Blob(scripts.flatMap((bytes) => [bytes, "\n"]), { type: "text/javascript" });
  return new Promise((resolve, reject) => {
    const script = Object.assign(document.createElement("script"), { src: URL.createObjectURL(text), onload: resolve, onerror: reject });
    document.head.append(script);
  });
}

// Names and hashes in a list of files.
const LIST = "SHA256SUMS", BLOCK = "lib.xz", DECODER = "xz-decompress.js";
const namesIn = (list) => new TextDecoder().decode(list).split("\n").filter(Boolean).map((line) => [line.slice(66), line.slice(0, 64)]);

// A turn for whatever else waits: a browser that only unpacks starts no worker and draws no bar meanwhile.
const otherTurns = () => new Promise((resolve) => {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = resolve;
  port2.postMessage(null);
});

// The files of the block, each once it is unpacked as the block comes. Raises an `Error` where the block ends before they do.
async function* unpacked(stream, decoder) {
  if (globalThis["xz-decompress"] === undefined) await runScripts(decoder);
  yield* partsIn(new globalThis["xz-decompress"].XzReadableStream(stream));
}

// The files of a pack: a line of JSON with names and sizes, then one behind the other.
async function* partsIn(stream) {
  const reader = stream.getReader();
  let rest = new Uint8Array(0), head = "";
  const more = async () => {
    await otherTurns();
    const { done, value } = await reader.read();
    if (done) throw new Error("The games are not all there.");
    rest = value;
  };
  try {
    for (let end = -1; end < 0; rest = rest.subarray(end < 0 ? rest.length : end + 1)) {
      if (!rest.length) await more();
      end = rest.indexOf(10);
      head += new TextDecoder().decode(rest.subarray(0, end < 0 ? rest.length : end));
    }
    for (const [name, size] of JSON.parse(head)) {
      const bytes = new Uint8Array(size);
      for (let at = 0; at < size; ) {
        if (!rest.length) await more();
        const piece = rest.subarray(0, size - at);
        bytes.set(piece, at);
        at += piece.length;
        rest = rest.subarray(piece.length);
      }
      yield [name, bytes];
    }
    while (!(await reader.read()).done); // what is wrong is said at its end
  } finally {
    reader.cancel().catch(() => {}); // there is one decoder: it is free for the next
  }
}

// From here on neither the page nor what it starts has a network.
function takeNetworkAway() {
  const policy = document.createElement("meta");
  policy.httpEquiv = "Content-Security-Policy";
  policy.content = host.policy;
  document.head.append(policy);
}

let worker = null, workerFailed = null; // the program's, and the event that told that it could not start

// The program's worker reads its scripts while the page reads its own; port.js speaks with it.
function makeWorker() {
  const facts = `const VERSION = ${JSON.stringify(ownHash)}, FOLDER = ${JSON.stringify(FOLDER)}, HAS_LOCK = ${host.hasLock()}, HAS_FILES = ${host.keepsFiles}, NEVER = new Set(${JSON.stringify(host.never)}), PLACE = ${JSON.stringify(host.place)};\n`;
  const text = new Blob([facts, ...WORKER.flatMap((name) => [loaded.get(name), "\n"])], { type: "text/javascript" });
  worker = new Worker(URL.createObjectURL(text), { type: "module" });
  worker.onerror = (event) => (workerFailed = event);
}

async function start() {
  const refused = host.refusal();
  if (refused !== null) {
    shut(...refused);
    return;
  }
  try {
    if (!(await host.load())) return;
  } catch (error) {
    shut(`The ${host.place.page} could not be loaded`, error instanceof TypeError ? `The connection has failed before everything was here. Load the ${host.place.page} again.` : error.message);
    return;
  }
  takeNetworkAway();
  makeWorker();
  await runScripts(...[...PAGE, ...TABLE.map((one) => `table/${one}`)].map((name) => loaded.get(name)));
  await enter();
}

start();
