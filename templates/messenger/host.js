// What the place offers in which the program runs: here a chat of a messenger (webxdc; docs/messenger.md). The other maker of the
// same port is templates/web/host.js; a build has one of them, before start.js in one file.
"use strict";

const BASE = new URL(location.pathname, location.href); // the file itself: loaded anew, it is the same page in the messenger's frame
const FOLDER = new URL("./", BASE).pathname;
const BLOCK = "pbem.xz", WARNED = "pbem warned";

// Names and bytes of the files in what was unpacked: a line of JSON with names and sizes, then one behind the other.
function filesIn(bytes) {
  const end = bytes.indexOf(10), found = [];
  let at = end + 1;
  for (const [name, size] of JSON.parse(new TextDecoder().decode(bytes.subarray(0, end)))) {
    found.push([name, bytes.slice(at, at + size)]);
    at += size;
  }
  return found;
}

const host = {
  scripts: ["chat.js"],
  // Nothing but the archive itself: on iOS the messenger's own script asks there for updates.
  policy: "default-src 'none'; script-src blob: 'wasm-unsafe-eval'; worker-src blob:; img-src data: blob:; font-src blob:; connect-src 'self'; form-action 'none'; base-uri 'none'",

  never: ["/web/open", "/web/move", "/web/keep"], // a home or a passphrase from elsewhere does not go into code that somebody sent

  refusal() {
    if (window.indexedDB && window.crypto?.getRandomValues && window.webxdc) return null;
    return ["Not in this program", "This messenger keeps nothing for the app, or gives it no chance. A key made here would be lost or known, so none is made."];
  },

  // Where the origin is not secure there is none, as on iOS.
  hasLock: () => navigator.locks !== undefined,

  // Bring the program here: the messenger hands over the archive whole, so nothing has to be compared.
  async load() {
    const answer = await fetch(new URL(BLOCK, BASE));
    if (!answer.ok) throw new Error(`${BLOCK} is not in this app: it is not complete. Ask for it once more.`);
    tellStep("Unpacking the games …");
    const { XzReadableStream } = globalThis["xz-decompress"];
    const unpacked = await new Response(new XzReadableStream(answer.body)).arrayBuffer();
    for (const [name, bytes] of filesIn(new Uint8Array(unpacked))) loaded.set(name, bytes);
    history.replaceState(null, "", BASE.href);
    return true;
  },

  watch: () => showPromises(),
  begin: () => beginInChat(),
  reopen: () => openHome(null, true), // the app that was opened last has the home: an older one stops, and says so
  arrive: () => readChat(),
  beforeSigning: () => mayBeSigned(),

  promises: () => [["kept by the messenger until this message is deleted", true]],
  warning: () => "",
  news: () => [],

  unkept: "No backup yet: whoever deletes this message in the messenger deletes the key and the games.",
  packPlace: "Send it to your saved messages, or to nobody but yourself: never into this chat. The words are not in it: write them down.",
  packWords: () => sixWords(),

  packWays(file, told, done) {
    return [button("send it to a chat of your own", () => giveFile(file).then(done, () => (told.textContent = "The messenger did not take it: try once more.")), "main")];
  },
};
