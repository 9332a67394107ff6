// The home in IndexedDB: files that change, signed files that are only ever added, and the number of its owner (epoch).
// One transaction writes all that a step has changed, and only for the page that owns the home then. `FOLDER` is that of
// the page's address, and `PLACE` has the words for where it runs (host.js).
"use strict";

const DATABASE = `pbem ${FOLDER}`, STORES = ["meta", "files", "signed"], FORMAT = 1;
const SIGNED = /^home\/games\/([0-9a-f]+)\/signed\/([0-9]{4})\.toml$/;
const TAKEN = `This home was opened in ${PLACE.elsewhere} meanwhile. Nothing that was done here since is kept.`;
const SIGNED_ALREADY = `This turn was signed in this ${PLACE.keeper} before, and is signed once: what was made now is not kept. Load this ${PLACE.page} again; it has the turn that was signed then, and that is the one that counts.`;
const CLOSED = `The storage of this ${PLACE.page} was cleared, or a newer version of it has opened it, while it was open here. What was done last is not kept: load the ${PLACE.page} again.`;
const NO_ROOM = `The ${PLACE.keeper} has no room left for this: nothing was signed or kept. Make room on this device, then load this ${PLACE.page} again.`;
const NEWER = `A newer version of this ${PLACE.page} has written this home: ${PLACE.newer}.`;

// The database; what is not there yet is made. Raises a `Refusal` where the browser keeps nothing.
function openDatabase() {
  return new Promise((resolve, reject) => {
    const asked = indexedDB.open(DATABASE, FORMAT);
    asked.onupgradeneeded = () => {
      for (const store of STORES) asked.result.createObjectStore(store);
    };
    asked.onsuccess = () => {
      asked.result.onversionchange = () => asked.result.close();
      resolve(asked.result);
    };
    asked.onerror = () => reject(asked.error?.name === "VersionError" ? new Refusal("newer", NEWER) : storageRefusal(asked.error));
  });
}

function storageRefusal(error) {
  if (error instanceof Refusal) return error;
  if (error?.name === "QuotaExceededError") return new Refusal("full", NO_ROOM);
  if (error?.name === "InvalidStateError") return new Refusal("closed", CLOSED);
  if (error?.name === "ConstraintError") return new Refusal("signed", SIGNED_ALREADY);
  return new Refusal("storage", `The ${PLACE.keeper}'s storage does not work: ${error?.message || error?.name || "it gives no reason"}. Nothing was kept${PLACE.doubt}.`);
}

// One transaction over everything; `act` gets its stores. The promise is kept once the transaction is complete, and what
// `act` has returned is called for the result then. Where there is no room, what only saves time makes some (memory.js).
async function transact(database, mode, act) {
  try {
    return await attempt(database, mode, act);
  } catch (refusal) {
    if (refusal.kind !== "full") throw refusal;
    await giveRoom();
    return attempt(database, mode, act).catch((error) => {
      throw error.kind === "storage" ? refusal : error; // Firefox does not say why a second time
    });
  }
}

function attempt(database, mode, act) {
  return new Promise((resolve, reject) => {
    let reason = null, result = () => undefined, transaction = null;
    try {
      transaction = database.transaction(STORES, mode, { durability: "strict" });
    } catch (error) {
      throw storageRefusal(error);
    }
    transaction.oncomplete = () => resolve(result());
    transaction.onabort = () => reject(storageRefusal(reason ?? transaction.error));
    const stop = (refusal) => {
      reason = refusal;
      transaction.abort();
    };
    const stores = Object.fromEntries(STORES.map((name) => [name, transaction.objectStore(name)]));
    result = act(stores, stop) ?? result;
  });
}

const META = ["format", "epoch", "owner", "key", "machine", "kept"];

// What stands in the storage besides files; null where there is no home.
async function readMeta(database) {
  const found = await transact(database, "readonly", ({ meta }) => {
    const asked = META.map((name) => meta.get(name));
    return () => Object.fromEntries(META.map((name, at) => [name, asked[at].result]));
  });
  if (found.key === undefined) return null;
  if (found.format !== FORMAT) throw new Refusal("newer", NEWER);
  return found;
}

// Every record that is kept, by path, decrypted. Raises a `Refusal` that names one which is not what was kept.
async function readFiles(database, key) {
  const kept = await transact(database, "readonly", ({ files, signed }) => {
    const asked = [files, signed].map((store) => [store.getAllKeys(), store.getAll()]);
    return () => asked.flatMap(([keys, values]) => keys.result.map((name, at) => [name, values.result[at]]));
  });
  return kept.map(([name, record]) => {
    const path = Array.isArray(name) ? signedPath(...name) : name, contents = opened(record, path, key);
    if (contents === null) throw new Refusal("broken", `What this ${PLACE.keeper} has kept of ${path} was changed or damaged. Nothing is opened: ${PLACE.restore}.`);
    return [path, contents];
  });
}

// The record of one signed file.
function readSigned(database, game, number) {
  return transact(database, "readonly", ({ signed }) => {
    const asked = signed.get([game, number]);
    return () => asked.result;
  });
}

function signedPath(game, number) {
  return `home/games/${game}/signed/${String(number).padStart(4, "0")}.toml`;
}

// Whoever opens the home counts one on, and writes it from then on as this owner. A home that is new is written whole:
// `fresh` are its key and machine, and a second page that makes one at the same time fails.
function takeOwnership(database, owner, fresh = null) {
  let epoch = 1;
  return transact(database, "readwrite", ({ meta }, stop) => {
    if (fresh !== null) {
      meta.add(FORMAT, "format").onerror = (event) => {
        event.preventDefault();
        stop(new Refusal("taken", `A home was just made in ${PLACE.elsewhere}: load this ${PLACE.page} again.`));
      };
      for (const [name, value] of Object.entries(fresh)) meta.put(value, name);
    }
    const asked = meta.get("epoch");
    asked.onsuccess = () => {
      epoch = (asked.result ?? 0) + 1;
      meta.put(epoch, "epoch");
      meta.put(owner, "owner");
    };
    return () => epoch;
  });
}

// A signed file, which takes the place of none; the one that a home brings back which was moved away is there already.
function addSigned(signed, name, record, isKnown) {
  const asked = signed.get(name);
  asked.onsuccess = () => {
    if (asked.result === undefined || !isKnown(asked.result)) signed.add(record, name); // another one: the whole step fails
  };
}

const isEqual = (left, right) => left !== null && left.length === right.length && left.every((byte, at) => byte === right[at]);

// Everything that a step has changed, in one transaction for the owner of this epoch alone. `changed`: path and contents;
// `removed`: paths; `noted`: further facts about the home.
function writeStep(database, key, epoch, { changed = [], removed = [], noted = {} }) {
  const records = changed.map(([path, contents]) => [path, contents, SIGNED.exec(path), sealed(contents, path, key)]);
  return transact(database, "readwrite", ({ meta, files, signed }, stop) => {
    const asked = meta.get("epoch");
    asked.onsuccess = () => {
      if (asked.result !== epoch) {
        stop(new Refusal("taken", TAKEN));
        return;
      }
      for (const [path, contents, isSigned, record] of records) {
        if (isSigned) addSigned(signed, [isSigned[1], Number(isSigned[2])], record, (known) => isEqual(opened(known, path, key), contents));
        else files.put(record, path);
      }
      for (const path of removed) if (!SIGNED.test(path)) files.delete(path);
      for (const [name, value] of Object.entries(noted)) meta.put(value, name);
    };
  });
}
