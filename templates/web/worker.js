// Where the program runs: it answers the page once everything that a step has changed is on the disk.
"use strict";

let database = null, dataKey = null, epoch = 0, isOver = false;
let python = null, program = null, machine = "";
let before = noFiles(), preparing = 0;
const PAUSE = 100; // milliseconds after an answer in which the page draws it; then what the next one needs is made ready

const post = (message, transfer = []) => globalThis.postMessage(message, transfer);
const hex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
const countSigned = () => [...before.keys()].filter((path) => SIGNED.test(path)).length;

function end(refusal) {
  if (isOver) return;
  isOver = true;
  post({ over: { kind: refusal.kind ?? "broken", words: refusal.message } });
}

const ACTS = {
  // What stands in the storage, before anything is opened.
  async look() {
    database ??= await openDatabase();
    const meta = await readMeta(database);
    if (meta === null) return { home: "none" };
    machine = meta.machine;
    const isHeld = await isHeldElsewhere();
    return { home: meta.key.kind === "none" ? "open" : "locked", held: isHeld, since: meta.owner?.since ?? "" };
  },

  // A home that nobody keeps yet: Python has an empty one.
  async fresh() {
    readyProgram();
    return factsOf(answered({ path: "/web/start" }));
  },

  // What was made or brought is kept from now on, under a passphrase or without.
  async make({ passphrase }) {
    const key = randomBytes(KEY_BYTES);
    if (!(await holdLock(false, lostLock))) throw new Refusal("taken", `A home is open in ${PLACE.elsewhere}: load this ${PLACE.page} again.`);
    epoch = await takeOwnership(database, ownerNow(), { key: wrappedKey(key, passphrase), machine, kept: { date: "", signed: 0 } });
    dataKey = key;
    await keep();
    await proveStorage(passphrase);
    return { signed: countSigned() };
  },

  // The home that is kept here, taken over from another page where that was asked for. All that needs no Python is done while it starts.
  async open({ passphrase, takeOver, page }) {
    const meta = await readMeta(database);
    if (meta === null) throw new Refusal("none", `There is no home in this ${PLACE.keeper} any more: load this ${PLACE.page} again.`);
    await ciphersCome;
    const key = unwrappedKey(meta.key, passphrase);
    if (takeOver) epoch = await takeOwnership(database, ownerNow());
    if (!(await holdLock(takeOver, lostLock))) throw new Refusal("held", `This home is open in ${PLACE.elsewhere}.`);
    if (!takeOver) epoch = await takeOwnership(database, ownerNow());
    const found = await readFiles(database, key);
    await pythonComes;
    [dataKey, machine] = [key, meta.machine];
    putFiles(python.FS, found);
    before = filesOf(python.FS);
    program = programOf(python, machine);
    const facts = factsOf(answered({ path: "/web/start", headers: [["content-type", "application/x-www-form-urlencoded"]], body: utf8(new URLSearchParams({ page }).toString()) }));
    await keep();
    return { facts, kept: meta.kept, signed: countSigned() };
  },

  // One request of the page; the answer is given once what it changed is kept. Before there is a home that is kept only
  // what makes one is answered, a visit, and what is played against the rules: nothing is signed that nobody remembers.
  async ask(request) {
    if (NEVER.has(request.path)) throw new Refusal("never", "A home is neither brought into this app nor moved out of it.");
    if (dataKey === null && !WITHOUT_HOME.test(request.path)) throw new Refusal("none", "No home is open here yet.");
    readyProgram();
    const reply = answered(request);
    if (dataKey !== null) await keep();
    clearTimeout(preparing);
    preparing = setTimeout(() => (queue = queue.then(() => isOver || answered({ path: "/web/prepare" })).catch(() => {})), PAUSE);
    return { ...reply, signed: countSigned() };
  },

  // Raises a `Refusal` unless a signed turn lies on the disk as Python has it: only then it is given away by itself.
  async stored({ path }) {
    const [, game, number] = SIGNED.exec(path);
    const record = await readSigned(database, game, Number(number)), contents = opened(record, path, dataKey);
    if (!isEqual(contents, python.FS.readFile(`${ROOT}/${path}`))) throw new Refusal("broken", `What was signed is not in the storage as it should be, so it was not sent: load this ${PLACE.page} again.`);
    return true;
  },

  // The home was kept outside of this browser, as it was on that date, with so many files signed.
  async kept({ date, signed }) {
    const noted = { kept: { date, signed } };
    await writeStep(database, dataKey, epoch, { noted });
    return noted.kept;
  },
};

const ownerNow = () => ({ id: hex(randomBytes(16)), since: new Date().toISOString() });
const lostLock = () => end(new Refusal("taken", TAKEN));
const factsOf = ({ body }) => JSON.parse(new TextDecoder().decode(body));
const NEEDS_PYTHON = new Set(["fresh", "ask"]), WITHOUT_HOME = /^\/(?:web\/(?:introduce|open|look|watch|try|leave)$|visit\/|unkept\/)/;

// The program, with a name of this storage: the one that stands there, or a new one.
function readyProgram() {
  machine ||= hex(randomBytes(16));
  program ??= programOf(python, machine);
}

function answered({ method = "POST", path, query = "", headers = [], body = new Uint8Array() }) {
  return program({ method, path, query, headers, body });
}

// What Python has changed, on the disk; whatever goes wrong there ends this worker, which has told nothing of it.
async function keep() {
  const now = filesOf(python.FS), { changed, removed } = difference(python.FS, before, now);
  if (!changed.length && !removed.length) return;
  try {
    await writeStep(database, dataKey, epoch, { changed, removed });
  } catch (error) {
    end(error);
    throw error;
  }
  before = now;
}

// What was just made is read again, as it will be the next time: before anything is signed with it. Raises a `Refusal`.
async function proveStorage(passphrase) {
  const found = await readFiles(database, unwrappedKey((await readMeta(database)).key, passphrase));
  if (found.length === before.size && found.every(([path, contents]) => isEqual(python.FS.readFile(`${ROOT}/${path}`), contents))) return;
  const refusal = new Refusal("broken", `What was made here is not in the ${PLACE.keeper}'s storage as it should be, so nothing is signed: ${PLACE.instead}.`);
  end(refusal);
  throw refusal;
}

let ciphersCome = null, pythonComes = null, queue = Promise.resolve();

// Begins at once; whoever needs Python waits for it. A picture of its memory is asked for first, and read while the rest begins.
function boot() {
  post({ step: "reading the ciphers" });
  const filesAreHere = HAS_FILES ? Promise.resolve(true) : takeKeptFiles().catch(() => false);
  filesAreHere.then((areHere) => areHere || post({ needsFiles: true }));
  const machineComes = beginMachine(), pictureComes = keptPicture().catch(() => undefined);
  ciphersCome = pictureComes.then(startSodium);
  pythonComes = pictureComes.then((picture) => begun(picture, machineComes)).then(async ({ made, isPictured }) => {
    python = made;
    if (!(await filesAreHere)) keepFiles([...coming]).catch(() => {}); // then they are unpacked the next time too
    coming.clear();
    const picture = isPictured ? pictured(python) : null;
    if (picture) keepPicture(picture).catch(() => {}); // then it starts without, the next time too
    post({ step: "" });
  });
  for (const one of [machineComes, ciphersCome, pythonComes]) one.catch(() => {}); // whoever waits hears of it
}

// Python, and whether a picture of it is to be taken: null asks for one, and where none can be kept it is undefined. With one that is no
// use it begins once more, by itself.
async function begun(picture, machineComes) {
  const scriptsCome = beginScripts(), begin = (given, isPictured) => startPython(scriptsCome, machineComes, (step) => post({ step }), given, isPictured);
  if (picture) {
    try {
      const made = await begin(picture, false);
      made.runPython(AWAKE);
      pictureWorks().catch(() => {});
      return { made, isPictured: false };
    } catch {
      await keepPicture(null);
    }
  }
  const isPictured = picture === null && (await hasRoom());
  return { made: await begin(null, isPictured), isPictured };
}

async function act(kind, given) {
  if (isOver) throw new Refusal("taken", TAKEN);
  if (NEEDS_PYTHON.has(kind)) await pythonComes;
  return ACTS[kind](given);
}

globalThis.onmessage = ({ data: { id, kind, given } }) => {
  if (kind === "file") {
    takeFile(given); // what stands in the queue may be waiting for it
    return;
  }
  queue = queue.then(async () => {
    try {
      post({ id, done: kind === "boot" ? boot() : await act(kind, given) });
    } catch (error) {
      if (!(error instanceof Refusal)) keepPicture(null).catch(() => {});
      post({ id, failed: { kind: error instanceof Refusal ? error.kind : "broken", words: error instanceof Refusal ? error.message : `The program has failed: ${error?.message ?? error}` } });
    }
  });
};
