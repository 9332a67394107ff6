// The built page's Python under node, without a page: node drive.mjs FOLDER MORE, the files of the block in FOLDER. One request is one line of JSON, and so
// is each answer: {ask: [method, path, query, headers, body in base64]} to the door, {python: code} to Python itself. MORE
// is JSON too: `stdlib` is another archive of Python's own modules, `mounts` are folders of this machine by their names there.
import { readFileSync, readdirSync, statSync } from "node:fs";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const folder = process.argv[2], { stdlib, mounts = {} } = JSON.parse(process.argv[3] ?? "{}");
const at = (name) => pathToFileURL(`${folder}/${name}`);
const started = performance.now();
const { default: sodium } = await import(at("libsodium-wrappers.mjs"));
await sodium.ready;
const { loadPyodide } = await import(at("pyodide.mjs"));
const env = { HOME: "/home/pbem", PBEM_HOME: "/home/pbem/home", PBEM_STATE: "/home/pbem/state", LANG: "C.UTF-8" };
const python = await loadPyodide({ env, ...(stdlib && { stdLibURL: stdlib }) });
const loaded = performance.now();
python.registerJsModule("pbem_sodium", { sodium });
python.FS.mkdirTree("/etc");
python.FS.writeFile("/etc/machine-id", "0123456789abcdef0123456789abcdef\n");
python.unpackArchive(new Uint8Array(readFileSync(`${folder}/site.zip`)), "zip", { extractDir: "/lib/python3.14/site-packages" });
const libraries = `${folder}/site`; // of C, which do not come in the archive
for (const name of readdirSync(libraries, { recursive: true }))
  if (statSync(`${libraries}/${name}`).isFile()) python.FS.writeFile(`/lib/python3.14/site-packages/${name}`, readFileSync(`${libraries}/${name}`));
for (const [name, root] of Object.entries(mounts)) {
  python.FS.mkdirTree(name);
  python.FS.mount(python.FS.filesystems.NODEFS, { root }, name);
}
const unpacked = performance.now();
python.runPython("from pbem.web import ahead\nknown = ahead.packed()\nahead.use(known)");
const door = python.pyimport("pbem.web.door");
const opened = performance.now();
console.log(JSON.stringify({ pyodide: loaded - started, unpacked: unpacked - loaded, imported: opened - unpacked }));

const answered = ({ ask: [method, path, query, headers, body] }) => {
  const begun = performance.now();
  const made = door.answer(method, path, query, python.toPy(headers), python.toPy(Uint8Array.from(Buffer.from(body, "base64"))).tobytes());
  const [status, heads, data] = made.toJs({ dict_converter: Object.fromEntries });
  made.destroy();
  return { status, headers: heads, body: Buffer.from(data).toString("base64"), ms: performance.now() - begun };
};
for await (const line of createInterface({ input: process.stdin })) {
  const asked = JSON.parse(line);
  let told;
  try {
    told = "ask" in asked ? answered(asked) : { value: python.runPython(asked.python) };
  } catch (error) {
    told = { error: String(error.message ?? error) };
  }
  console.log(JSON.stringify(told));
}
