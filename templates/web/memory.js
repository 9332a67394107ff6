// A picture of Python's memory: taken where a version starts for the first time, put back where it starts again, which then begins
// and imports nothing. It is taken before a home is open, so no key and no game is in it. Pyodide makes it and takes it
// (`_makeSnapshot`, `_loadSnapshot`); here it is kept, without what is empty, and libraries of C get their place in it.
"use strict";

const STORE = "memory", DATA = `pbem memory ${FOLDER}`, PICTURE = "picture", TRIED = "tried", FILES = "files", FULL = "full";
const PAGE = 65_536, WORD = 4; // bytes: WebAssembly has its memory in pages
const ROOM = 500_000_000; // bytes that are to be free where something is kept: games come first
const madeBy = () => `${VERSION} ${new Date().toISOString().slice(0, 7)} ${Intl.DateTimeFormat().resolvedOptions().timeZone} ${navigator.userAgent}`; // a picture is of no use to others, and is taken anew each month: Python's secret for hashes is in it

// What `act` asks of the store and returns, once it is done. Raises where nothing is kept here.
function inStore(act) {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open(DATA, 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
      const database = opening.result, transaction = database.transaction(STORE, "readwrite"), result = act(transaction.objectStore(STORE));
      transaction.oncomplete = () => resolve((database.close(), result?.()));
      transaction.onabort = () => reject((database.close(), transaction.error));
    };
  });
}

// One record of the store; undefined where there is none.
const recordOf = (name) => inStore((store) => {
  const asked = store.get(name);
  return () => asked.result;
});

// Whether there is room, as far as it is told and was found: on a secure origin alone, where there are hashes too.
async function hasRoom() {
  if (!isSecureContext || !navigator.storage?.estimate) return false;
  const { quota, usage } = await navigator.storage.estimate().catch(() => ({ quota: 0, usage: 0 }));
  return quota - usage > ROOM && (await recordOf(FULL)) !== VERSION;
}

// Keep nothing here any more, as long as this version is here: games need the room. Nothing can be written first, not even that.
const giveRoom = () => new Promise((resolve) => {
  const asked = indexedDB.deleteDatabase(DATA);
  asked.onsuccess = asked.onerror = resolve;
}).then(() => inStore((store) => {
  store.put(VERSION, FULL);
})).catch(() => {});

// What is kept are bytes: a file of the browser would lie there until nobody has it any more, also where room is needed.
const throughStream = async (bytes, stream) => new Uint8Array(await new Response(new Response(bytes).body.pipeThrough(stream)).arrayBuffer());
const packed = (bytes) => (HAS_FILES ? bytes : throughStream(bytes, new CompressionStream("gzip")));
const unpackedOf = (bytes) => (HAS_FILES ? bytes : throughStream(bytes, new DecompressionStream("gzip")));
const hashOf = async (bytes) => hex(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)));

// The picture that is kept for this version: its head, which is all that Pyodide gets, how many pages its memory has, and what puts
// them there. Null where there is none, or the last one did not begin. From now on one is under way. Raises where none can be kept.
async function keptPicture() {
  const [kept, wasTried] = await inStore((store) => {
    const asked = [PICTURE, TRIED].map((name) => store.get(name));
    store.put(true, TRIED);
    return () => asked.map((one) => one.result);
  });
  if (wasTried || kept?.of !== madeBy() || (await sealOf(kept)) !== kept.seal) return null;
  const read = async () => {
    const bytes = await unpackedOf(kept.pages);
    if ((await hashOf(bytes)) !== kept.hash) throw new Error("This is another picture.");
    return bytes;
  };
  const pages = read(); // beside what else begins
  pages.catch(() => {}); // it is told where they are needed
  return { head: kept.head, size: kept.size, put: async (memory) => putPages(memory, kept.used, await pages) };
}

// Keep a picture as Pyodide has made it; without one (null) the next start begins by itself, and takes one.
async function keepPicture(picture) {
  const kept = picture && { of: madeBy(), ...(await withoutEmpty(picture)) };
  await inStore((store) => {
    if (kept) store.put(kept, PICTURE);
    else store.delete(PICTURE);
    store.delete(TRIED);
  }).catch(giveRoom);
}

// Python has begun by the picture.
const pictureWorks = () => inStore((store) => {
  store.delete(TRIED);
});

// The hash of all that a picture says besides its pages, and of theirs.
const sealOf = async ({ head, size, used, hash }) => hashOf(utf8([await hashOf(head), size, used, hash].join("\n")));

// A picture in parts: the head, how many pages its memory has, which of them are not empty, these, their hash, and that of the rest.
async function withoutEmpty(picture) {
  const [, begin] = new Uint32Array(picture.buffer, 0, 2), memory = picture.subarray(begin), size = memory.length / PAGE;
  const isUsed = (page) => new Uint32Array(picture.buffer, begin + page * PAGE, PAGE / WORD).some(Boolean), used = [...Array(size).keys()].filter(isUsed);
  const pages = new Uint8Array(used.length * PAGE);
  used.forEach((page, at) => pages.set(memory.subarray(page * PAGE, (page + 1) * PAGE), at * PAGE));
  const made = { head: picture.slice(0, begin), size, used, hash: await hashOf(pages) };
  return { ...made, pages: await packed(pages), seal: await sealOf(made) };
}

// The pages where they were, and nothing between them.
function putPages(memory, used, pages) {
  let end = 0;
  used.forEach((page, at) => {
    memory.fill(0, end, page * PAGE);
    end = (page + 1) * PAGE;
    memory.set(pages.subarray(at * PAGE, (at + 1) * PAGE), page * PAGE);
  });
  memory.fill(0, end);
}

// Makes Python's module as `create` does. The libraries are in it before Python is, so that they lie where they lay when the picture
// was taken; then all of the memory is as it was, once `ready` is what Python had of this page.
function moduleWith(create, libraries, picture, ready) {
  return (settings) => new Promise((resolve, reject) => {
    const instantiate = settings.instantiateWasm, { size = 0 } = picture ?? {};
    settings.dynamicLibraries = libraries;
    settings.instantiateWasm = (imports, done) => instantiate(imports, (instance, module) => {
      const { memory } = instance.exports, missing = size - memory.buffer.byteLength / PAGE;
      try {
        if (missing > 0) memory.grow(missing);
      } catch (error) {
        reject(error); // Pyodide would wait for ever
        return;
      }
      done(instance, module);
    });
    create(settings).then(async (made) => {
      await picture?.put(made.HEAPU8);
      await ready;
      resolve(made);
    }).catch(reject);
  });
}

// What runs, where the place keeps no files: unpacked once. False where it is not all here.
async function takeKeptFiles() {
  const kept = await recordOf(FILES);
  if (kept?.of !== VERSION) return false;
  await Promise.all(kept.files.map(async ([name, bytes]) => takeFile({ name, bytes: await unpackedOf(bytes) })));
  return true;
}

// `files`: names, and promises of bytes.
async function keepFiles(files) {
  if (!(await hasRoom())) return;
  const kept = await Promise.all(files.map(async ([name, bytes]) => [name, await packed(await bytes)]));
  await inStore((store) => {
    store.put({ of: VERSION, files: kept }, FILES);
  }).catch(giveRoom);
}
