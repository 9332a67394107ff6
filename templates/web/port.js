// How the page reaches the program, which runs in a worker: the functions that the table's scripts ask by (ask.js).
"use strict";

const ENDED = `The program in this ${host.place.page} has ended. What you wrote is still here: copy it, and load the ${host.place.page} again.`;
const whyNoAnswer = (error, _otherwise) => error.message || ENDED;
const waiting = new Map(); // what was asked of the worker, by number
let asked = 0;
let isOver = false; // the worker has ended: nothing is answered any more
let visit = null; // what is shown without a home that is kept (visit.js): what is asked for is answered below its prefix

class Refused extends Error {
  constructor({ kind, words }) {
    super(words);
    this.kind = kind;
  }
}

function startWorker() {
  const notStarted = (event) => over({ kind: "broken", words: `The program could not be started: ${event.message || `the ${host.place.keeper} does not say why`}.` });
  worker.onmessage = ({ data }) => heardFromWorker(data);
  worker.onerror = notStarted;
  if (workerFailed) notStarted(workerFailed);
  if (host.keepsFiles) handFilesOver();
  return call("boot");
}

// What runs in the worker, file by file as it comes.
async function handFilesOver() {
  try {
    for await (const [name, bytes] of host.runs()) worker.postMessage({ kind: "file", given: { name: name.replace("lib/", ""), bytes } }, [bytes.buffer]);
  } catch (error) {
    over({ kind: "broken", words: error.message });
  }
}

function heardFromWorker({ id, done, failed, step, needsFiles, over: ended }) {
  if (needsFiles) handFilesOver();
  if (step !== undefined) tellBoot(step);
  if (ended !== undefined) over(ended);
  const one = waiting.get(id);
  if (one === undefined) return;
  waiting.delete(id);
  if (failed) one.reject(new Refused(failed));
  else one.resolve(done);
}

// The worker takes one thing after the other. Raises a `Refused`.
function call(kind, given = {}, transfer = []) {
  return new Promise((resolve, reject) => {
    if (isOver) {
      reject(new Refused({ kind: "over", words: ENDED }));
      return;
    }
    asked += 1;
    waiting.set(asked, { resolve, reject });
    worker.postMessage({ id: asked, kind, given }, transfer);
  });
}

// Nothing more comes: why, above all that is there to be read and copied.
function over({ kind, words }) {
  if (isOver) return;
  isOver = true;
  worker?.terminate();
  for (const one of waiting.values()) one.reject(new Refused({ kind, words }));
  waiting.clear();
  const again = button(kind === "taken" ? "go on here" : `load the ${host.place.page} again`, () => location.reload());
  const told = Object.assign(document.createElement("p"), { className: "refusal", id: "over", textContent: `${words} ` });
  told.setAttribute("role", "alert");
  told.append(again);
  document.getElementById("over")?.remove();
  document.body.prepend(told);
  endControls();
  window.scrollTo(0, 0);
}

// Nothing that is still there can be pressed: what was written can be read and copied, and nothing is signed here.
function endControls() {
  document.body.classList.add("is-over");
  for (const one of document.querySelectorAll("button, select, textarea, input")) {
    if (one.closest("#over")) continue;
    if (one.matches("textarea, [type=text], [type=email], [type=password]")) one.readOnly = true;
    else one.disabled = true;
  }
  for (const link of document.querySelectorAll("main a[href], #foot a[href]")) link.ariaDisabled = "true";
  for (const kind of ["click", "submit"]) window.addEventListener(kind, (event) => {
    if (event.target.closest?.("#over, summary")) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }, true);
}

const SIGNS = /^\/(?:new$|find\/|game\/[^/]+\/(?:do|rematch)$)/; // where something may be signed
const SIGNING = ["sign", "resign", "join"]; // the fields that do so in the form of a game (pbem/table/turn_steps.py)

// Whether a request signs something that others get: what is played against the rules begins without being asked for anything.
function signs(path, body) {
  const fields = new URLSearchParams(body);
  return SIGNS.test(path) && (path.endsWith("/do") ? SIGNING.some((one) => fields.has(one)) : !fields.has("alone"));
}

const pathOf = (address) => (address.startsWith("#") ? address.slice(1) : address) || "/";
const addressOf = (path) => `#${path}`;

async function ask(address, { method = "GET", headers = {}, body } = {}) {
  const [path, query = ""] = pathOf(address).split("?");
  const bytes = body === undefined ? new Uint8Array() : new Uint8Array(await new Response(body).arrayBuffer());
  if (method === "POST" && !visit?.isSample && signs(path, body)) await host.beforeSigning();
  const named = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  const before = path.startsWith("/web/") ? "" : visit?.prefix ?? "";
  const reply = await call("ask", { method, path: before + decodeURIComponent(path), query, headers: named, body: bytes });
  signedCount(reply.signed);
  if (visit?.isUnkept && path === "/new" && reply.status === 303) hasBegun = true;
  return new Response([204, 205, 304].includes(reply.status) ? null : reply.body, { status: reply.status, headers: reply.headers });
}

// What only a page has under /web/: its facts. Raises a `Refused` with what is wrong.
async function askFacts(path, fields = {}) {
  const answer = await ask(path, { method: "POST", body: new URLSearchParams(fields) }), facts = await answer.json();
  if (facts.error) throw new Refused({ kind: "refused", words: facts.error });
  return facts;
}

function askLast(path, body) {
  ask(path, { method: "POST", body }).catch(() => {});
}
