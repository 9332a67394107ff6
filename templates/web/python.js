// Python in this worker: started from bytes that the page has loaded, since a worker has no network here.
"use strict";

const NOWHERE = "https://pbem.invalid/"; // what stands before names; nothing is ever asked there
const ENVIRONMENT = { HOME: ROOT, PBEM_HOME: `${ROOT}/home`, PBEM_STATE: `${ROOT}/state`, LANG: "C.UTF-8" };
const PACKAGES = "/lib/python3.14/site-packages", LIBRARIES = ["msgspec/_core.cpython-314-wasm32-emscripten.so"]; // of C, among the packages
const RUNS = new Set([...LIBRARIES.map((name) => `site/${name}`), "pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "pyodide-lock.json", "python_stdlib.zip", "site.zip", "libsodium.mjs", "libsodium-wrappers.mjs"]);
const CIPHERS = "ciphers"; // what libsodium is called in a picture
const BRIDGE = `
from pbem.web import ahead
ahead.use(ahead.packed())
from pbem.web import door

def asked(method, path, query, headers, body):
    status, named, made = door.answer(method, path, query, [tuple(pair) for pair in headers], bytes(body))
    return status, list(dict(named).items()), made
asked
`;
const REHEARSAL = `
from pbem.web import visit
visit.rehearse()
`;
const AWAKE = `
from pbem.web import visit
visit.awake()
`;

const addressOf = (...parts) => URL.createObjectURL(new Blob(parts, { type: "text/javascript" }));
const moduleOf = (bytes) => import(addressOf(bytes));

// The files that run here, by their names: they come one by one, and whoever needs one waits for it.
const coming = new Map(), takers = new Map();

function fileOf(name) {
  if (!RUNS.has(name)) throw new TypeError(`${name} is not in the ${PLACE.page}`);
  if (!coming.has(name)) coming.set(name, new Promise((take) => takers.set(name, take)));
  return coming.get(name);
}

function takeFile({ name, bytes }) {
  fileOf(name);
  takers.get(name)(bytes);
}

// libsodium, whose other half the one module imports by an address of its own.
async function startSodium() {
  const inside = addressOf(await fileOf("libsodium.mjs")), text = new TextDecoder().decode(await fileOf("libsodium-wrappers.mjs"));
  const module = await moduleOf(text.replace('from"./libsodium.mjs"', `from"${inside}"`));
  sodium = module.default ?? module;
  await sodium.ready;
}

// What takes long of Python itself begins before it is known how Python is begun: its scripts, and the compiler's work.
const beginScripts = () => Promise.all(["pyodide.mjs", "pyodide.asm.mjs"].map(async (name) => moduleOf(await fileOf(name))));
const beginMachine = async () => WebAssembly.compile(await fileOf("pyodide.asm.wasm"));

// While Python starts, what it asks for by name is answered from the files, and its machine is the one that was compiled; after
// that there are only the real functions.
async function withFiles(machine, act) {
  const { fetch: realFetch } = globalThis, { instantiateStreaming } = WebAssembly, kinds = { wasm: "application/wasm", json: "application/json" };
  globalThis.fetch = async (address) => {
    const name = String(address).replace(NOWHERE, "").replace(PACKAGES, "site");
    return new Response(await fileOf(name), { headers: { "content-type": kinds[name.split(".").pop()] ?? "application/octet-stream" } });
  };
  WebAssembly.instantiateStreaming = async (_response, imports) => ({ module: machine, instance: await WebAssembly.instantiate(machine, imports) });
  try {
    return await act();
  } finally {
    globalThis.fetch = realFetch;
    WebAssembly.instantiateStreaming = instantiateStreaming;
  }
}

// Names and bytes in an archive of which nothing is compressed, as parts of it (PKWARE's APPNOTE, 4.3.7 and 4.3.12).
function* partsOf(archive) {
  const view = new DataView(archive.buffer, archive.byteOffset, archive.length), short = (at) => view.getUint16(at, true), long = (at) => view.getUint32(at, true);
  const end = archive.length - 22;
  for (let at = long(end + 16); at < end; at += 46 + short(at + 28) + short(at + 30) + short(at + 32)) {
    const own = long(at + 42), start = own + 30 + short(own + 26) + short(own + 28);
    yield [new TextDecoder().decode(archive.subarray(at + 46, at + 46 + short(at + 28))), archive.subarray(start, start + long(at + 24))];
  }
}

// Files in Python's file system, which has them as they lie in memory.
function putParts(FS, parts, folder) {
  const folders = new Map();
  for (const [name, bytes] of parts) {
    const path = `${folder}/${name}`, end = path.lastIndexOf("/"), above = path.slice(0, end);
    if (!folders.has(above)) {
      FS.mkdirTree(above);
      folders.set(above, FS.lookupPath(above).node);
    }
    const parent = folders.get(above), node = parent.node_ops.mknod(parent, path.slice(end + 1), 0o100644, 0);
    [node.contents, node.usedBytes] = [bytes, bytes.length];
  }
}

// How Python is begun: by itself, by itself with a picture of its memory to be taken, or by a picture, in which what Python had of
// this page is put in its place.
function beginning(create, picture, isPictured) {
  if (!picture && !isPictured) return { createPyodideModule: create };
  const createPyodideModule = moduleWith(create, LIBRARIES.map((name) => `${PACKAGES}/${name}`), picture, ciphersCome);
  if (!picture) return { createPyodideModule, _makeSnapshot: true };
  return { createPyodideModule, _loadSnapshot: picture.head, _snapshotDeserializer: (name) => (name === CIPHERS ? sodium : { sodium }) };
}

// Python with the program's packages, once the ciphers and they have come too; `told` is called before each step.
async function startPython(scriptsCome, machineComes, told, picture, isPictured) {
  told("reading Python");
  const [{ loadPyodide }, { default: create }] = await scriptsCome, machine = await machineComes;
  told("starting Python");
  return withFiles(machine, async () => {
    const lockFileContents = JSON.parse(new TextDecoder().decode(await fileOf("pyodide-lock.json")));
    const python = await loadPyodide({ indexURL: NOWHERE, packageBaseUrl: NOWHERE, lockFileContents, env: ENVIRONMENT, ...beginning(create, picture, isPictured) });
    told("unpacking the games");
    await ciphersCome;
    if (!picture) python.registerJsModule("pbem_sodium", { sodium });
    putParts(python.FS, partsOf(await fileOf("site.zip")), PACKAGES);
    putParts(python.FS, await Promise.all(LIBRARIES.map(async (name) => [name, await fileOf(`site/${name}`)])), PACKAGES);
    for (const folder of ["home", "state", "out"]) python.FS.mkdirTree(`${ROOT}/${folder}`, 0o700);
    python.FS.chdir(`${ROOT}/out`);
    return python;
  });
}

// A picture of the memory of a Python that has opened no home yet, once it has what the list of games needs; null where none can be made.
function pictured(python) {
  try {
    python.runPython(BRIDGE);
    python.runPython(REHEARSAL);
    return python.makeMemorySnapshot({ serializer: (one) => (one === sodium ? CIPHERS : "their module") });
  } catch {
    return null;
  }
}

// The function that answers requests. What names this storage to the program is there before any of it runs.
function programOf(python, machine) {
  python.FS.mkdirTree("/etc");
  python.FS.writeFile("/etc/machine-id", machine);
  const asked = python.globals.get("asked") ?? python.runPython(BRIDGE);
  return ({ method, path, query, headers, body }) => {
    const given = python.toPy(headers), bytes = python.toPy(body);
    const made = asked(method, path, query, given, bytes);
    try {
      const [status, named, answer] = made.toJs();
      return { status, headers: named, body: answer };
    } finally {
      for (const one of [given, bytes, made]) one?.destroy?.();
    }
  };
}
