// What the place offers in which the program runs: here a chat of a messenger (webxdc; docs/messenger.md). The other maker of the
// same port is templates/web/host.js; a build has one of them, before start.js in one file.
"use strict";

const BASE = new URL(location.pathname, location.href); // the file itself: loaded anew, it is the same page in the messenger's frame
const FOLDER = new URL("./", BASE).pathname;
const WARNED = "pbem warned";

// A file of the archive.
async function part(name) {
  const answer = await fetch(new URL(name, BASE));
  if (!answer.ok) throw new Error(`${name} is not in this app: it is not complete. Ask for it once more.`);
  return answer;
}

const host = {
  scripts: ["chat.js"],
  // Nothing but the archive itself: on iOS the messenger's own script asks there for updates.
  policy: "default-src 'none'; script-src blob: 'wasm-unsafe-eval'; worker-src blob:; img-src data: blob:; font-src blob:; connect-src 'self'; form-action 'none'; base-uri 'none'",

  place: {
    page: "app",
    keeper: "messenger",
    elsewhere: "another window",
    doubt: "",
    newer: "open that one",
    restore: "open the newest backup on a computer",
    instead: "open the app on another device",
  },
  never: ["/web/open", "/web/move", "/web/keep"], // a home or a passphrase from elsewhere does not go into code that somebody sent

  refusal() {
    if (window.indexedDB && window.crypto?.getRandomValues && window.webxdc) return null;
    return ["Not in this program", "This messenger keeps nothing for the app, or gives it no chance. A key made here would be lost or known, so none is made."];
  },

  // Where the origin is not secure there is none, as on iOS.
  hasLock: () => navigator.locks !== undefined,

  // Bring the page here, in one piece: the messenger hands over the archive whole, so nothing has to be compared.
  async load() {
    for await (const [name, bytes] of partsIn((await part("page.pack")).body)) loaded.set(name, bytes);
    tellStep("Opening the games …");
    history.replaceState(null, "", BASE.href);
    return true;
  },

  keepsFiles: false, // the messenger has the block alone: the worker keeps what came out of it

  // What runs, unpacked while it starts.
  async *runs() {
    tellBoot("unpacking the games");
    try {
      yield* unpacked((await part(BLOCK)).body, loaded.get(DECODER));
    } catch {
      throw new Error("This app is not complete. Ask for it in the chat once more.");
    }
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
