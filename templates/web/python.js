// Python in this worker: started from bytes that the page has loaded, since a worker has no network here.
"use strict";

const NOWHERE = "https://pbem.invalid/"; // what stands before names; nothing is ever asked there
const ENVIRONMENT = { HOME: ROOT, PBEM_HOME: `${ROOT}/home`, PBEM_STATE: `${ROOT}/state`, LANG: "C.UTF-8" };
const BRIDGE = `
from pbem.web import ahead
ahead.use(ahead.packed())
from pbem.web import door

def asked(method, path, query, headers, body):
    status, named, made = door.answer(method, path, query, [tuple(pair) for pair in headers], bytes(body))
    return status, list(dict(named).items()), made
asked
`;

const addressOf = (...parts) => URL.createObjectURL(new Blob(parts, { type: "text/javascript" }));
const moduleOf = (bytes) => import(addressOf(bytes));

// libsodium, whose other half the one module imports by an address of its own.
async function startSodium(files) {
  const inside = addressOf(files["lib/libsodium.mjs"]), text = new TextDecoder().decode(files["lib/libsodium-wrappers.mjs"]);
  const module = await moduleOf(text.replace('from"./libsodium.mjs"', `from"${inside}"`));
  sodium = module.default ?? module;
  await sodium.ready;
}

// While Python starts, what it asks for by name is answered from the bytes; after that there is only the real `fetch`.
async function withBytes(files, act) {
  const real = globalThis.fetch, kinds = { wasm: "application/wasm", json: "application/json" };
  globalThis.fetch = async (address) => {
    const name = String(address).replace(NOWHERE, ""), bytes = files[`lib/${name}`];
    if (bytes === undefined) throw new TypeError(`${name} is not in the ${PLACE.page}`);
    return new Response(bytes, { headers: { "content-type": kinds[name.split(".").pop()] ?? "application/octet-stream" } });
  };
  try {
    return await act();
  } finally {
    globalThis.fetch = real;
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

// The files of an archive in Python's file system, which has them as they lie in memory.
function putParts(FS, archive, folder) {
  const folders = new Map();
  for (const [name, bytes] of partsOf(archive)) {
    const path = `${folder}/${name}`, end = path.lastIndexOf("/"), above = path.slice(0, end);
    if (!folders.has(above)) {
      FS.mkdirTree(above);
      folders.set(above, FS.lookupPath(above).node);
    }
    const parent = folders.get(above), node = parent.node_ops.mknod(parent, path.slice(end + 1), 0o100644, 0);
    [node.contents, node.usedBytes] = [bytes, bytes.length];
  }
}

// Python with the program's packages, once the ciphers and they have come too; `told` is called before each step.
async function startPython(files, ciphersCome, siteComes, told) {
  return withBytes(files, async () => {
    told("reading Python");
    const [{ loadPyodide }, { default: createPyodideModule }] = await Promise.all([moduleOf(files["lib/pyodide.mjs"]), moduleOf(files["lib/pyodide.asm.mjs"])]);
    told("starting Python");
    const lockFileContents = JSON.parse(new TextDecoder().decode(files["lib/pyodide-lock.json"]));
    const python = await loadPyodide({ indexURL: NOWHERE, packageBaseUrl: NOWHERE, createPyodideModule, lockFileContents, env: ENVIRONMENT });
    told("unpacking the games");
    await ciphersCome;
    python.registerJsModule("pbem_sodium", { sodium });
    putParts(python.FS, files["lib/site.zip"] ?? (await siteComes), python.runPython("import site; site.getsitepackages()[0]"));
    for (const folder of ["home", "state", "out"]) python.FS.mkdirTree(`${ROOT}/${folder}`, 0o700);
    python.FS.chdir(`${ROOT}/out`);
    return python;
  });
}

// The function that answers requests. What names this storage to the program is there before any of it runs.
function programOf(python, machine) {
  python.FS.mkdirTree("/etc");
  python.FS.writeFile("/etc/machine-id", machine);
  const asked = python.runPython(BRIDGE);
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
