// The files that Python sees, in memory, and what a step has changed of them.
"use strict";

const ROOT = "/home/pbem", KEPT = ["home", "state"]; // what is written to be sent is made again from these
const noFiles = () => new Map();

// Each file by its path below ROOT, with what tells whether it is still the same: a file that is replaced is another node.
function filesOf(FS) {
  const found = noFiles();
  const walk = (node, path) => {
    for (const [name, one] of Object.entries(node.contents)) {
      const below = path ? `${path}/${name}` : name;
      if (FS.isDir(one.mode)) walk(one, below);
      else if (FS.isFile(one.mode)) found.set(below, { id: one.id, size: one.usedBytes, time: Number(one.mtime ?? one.timestamp) });
    }
  };
  for (const folder of KEPT) walk(FS.lookupPath(`${ROOT}/${folder}`).node, folder);
  return found;
}

const isSame = (one, other) => one !== undefined && one.id === other.id && one.size === other.size && one.time === other.time;

// What differs between the files before and now.
function difference(FS, before, now) {
  const changed = [...now].filter(([path, state]) => !isSame(before.get(path), state)).map(([path]) => [path, FS.readFile(`${ROOT}/${path}`)]);
  return { changed, removed: [...before.keys()].filter((path) => !now.has(path)) };
}

// Put what was kept where Python looks for it, readable by its owner alone as on a disk.
function putFiles(FS, files) {
  for (const [path, contents] of files) {
    FS.mkdirTree(`${ROOT}/${path.slice(0, path.lastIndexOf("/"))}`, 0o700);
    FS.writeFile(`${ROOT}/${path}`, contents);
    FS.chmod(`${ROOT}/${path}`, 0o600);
  }
}
