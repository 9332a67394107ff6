// Runs web_inside.py in the pinned Pyodide: node web_inside.mjs FOLDER_OF_PYODIDE STAGE ARGUMENT…
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [from, stage, ...rest] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${from}/pyodide.mjs`));
const python = await loadPyodide({ env: { HOME: "/home/pyodide", PYTHONHASHSEED: "0" } });
python.FS.mkdirTree("/stage");
python.FS.mount(python.FS.filesystems.NODEFS, { root: stage }, "/stage");
python.globals.get("__import__")("sys").argv = python.toPy(["web_inside.py", "/stage", ...rest]);
python.runPython(readFileSync(new URL("web_inside.py", import.meta.url), "utf8"), { filename: "web_inside.py" });
