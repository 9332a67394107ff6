// Runs web_inside.py in the pinned Pyodide: node web_inside.mjs LIB STAGE ARGUMENT...; LIB as the page has it.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [lib, stage, ...rest] = process.argv.slice(2);
const part = (name) => import(pathToFileURL(`${lib}/${name}`));
try {
  const { default: sodium } = await part("libsodium-wrappers.mjs");
  await sodium.ready;
  const { loadPyodide } = await part("pyodide.mjs");
  const python = await loadPyodide({ env: { HOME: "/home/pyodide", PYTHONHASHSEED: "0", PBEM_HOME: "/home/pyodide/home", PBEM_STATE: "/home/pyodide/state" } });
  python.registerJsModule("pbem_sodium", { sodium });
  python.FS.mkdirTree("/stage");
  python.FS.mount(python.FS.filesystems.NODEFS, { root: stage }, "/stage");
  python.pyimport("sys").argv = python.toPy(["web_inside.py", "/stage", ...rest]);
  python.runPython(readFileSync(new URL("web_inside.py", import.meta.url), "utf8"), { filename: "web_inside.py" });
} catch (error) {
  console.error(error.message ?? error);
  process.exit(1);
}
