// The door: a home is made, brought, opened or taken over before any game is shown.
"use strict";

const SYLLABLES = [..."bdfghjklmnprstvz"].flatMap((first) => [..."aeiou"].map((vowel) => first + vowel)); // 80
const WORDS = 6; // of two syllables: 6 · 2 · log2(80) = 75.8 bits

// A number below `most` (256 at most), none likelier than another.
function randomBelow(most) {
  for (;;) {
    const [byte] = crypto.getRandomValues(new Uint8Array(1));
    if (byte < 256 - (256 % most)) return byte % most;
  }
}

const OFFERED = /^(?:[bdfghjklmnprstvz][aeiou]){12}$/, NO_LETTERS = /[^\p{L}]+/gu;

// Six words of ours as they were offered, whatever stands between them; null where these are other words, or written that
// way already.
function asOffered(passphrase) {
  const letters = passphrase.normalize("NFKC").toLowerCase().replace(NO_LETTERS, "");
  const text = OFFERED.test(letters) ? letters.match(/.{4}/g).join(" ") : passphrase;
  return text === passphrase ? null : text;
}

// Do what a passphrase opens; gives back the one that did. Keyboards of telephones write capitals and double blanks, and
// people write hyphens and numbers, so six words of ours that do not open get one more try as they were offered. What key a
// passphrase gives is always the same.
async function withPassphrase(passphrase, act, isWrong) {
  try {
    await act(passphrase);
    return passphrase;
  } catch (error) {
    const offered = passphrase !== null && isWrong(error) ? asOffered(passphrase) : null;
    if (offered === null) throw error;
    await act(offered);
    return offered;
  }
}

const ORDINALS = ["first", "second", "third", "fourth", "fifth", "sixth"];
const sixWords = () => Array.from({ length: WORDS }, () => SYLLABLES[randomBelow(80)] + SYLLABLES[randomBelow(80)]).join(" ");

let bootTold = "";

// What the program does while it starts: beside the door, where somebody is writing already.
function tellBoot(step) {
  bootTold = step;
  const foot = document.getElementById("starting");
  if (foot) foot.textContent = step ? `${step} …` : "";
  if (document.getElementById("bar")) tellStep(`${step} …`);
}

// A template, with those in it that stand in several places.
function templateOf(name) {
  const made = document.getElementById(name).content.cloneNode(true);
  fillIn(made);
  return made;
}

function fillIn(page) {
  for (const one of page.querySelectorAll("[data-put]")) one.replaceWith(templateOf(one.dataset.put));
}

const startingLine = () => Object.assign(document.createElement("p"), { id: "starting", className: "small", textContent: bootTold && `${bootTold} …` });

function atDoor(name) {
  const page = Object.assign(document.createElement("main"), { id: "page", tabIndex: -1, className: "door" }), isFirst = document.activeElement === document.body;
  closeAbout();
  visit = null;
  page.replaceChildren(templateOf(`door-${name}`), startingLine());
  replaceMain(page);
  document.body.classList.add("at-door");
  document.title = page.querySelector("h1").textContent;
  wireShown(page);
  showPromises();
  prepare();
  tellWhatCame();
  if (!isFirst) focusPage();
  return page;
}

// A passphrase can be looked at while it is written.
function wireShown(page) {
  for (const box of page.querySelectorAll("[data-shows]")) box.addEventListener("change", () => (document.getElementById(box.dataset.shows).type = box.checked ? "text" : "password"));
}

function complain(form, words) {
  const told = form.querySelector(".refusal");
  told.textContent = words;
  told.hidden = false;
  form.querySelector("[aria-invalid]")?.removeAttribute("aria-invalid");
}

// What a form does, once at a time; what is wrong is said in it and nothing that was written is lost.
function does(form, act) {
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    event.stopImmediatePropagation();
    if (form.dataset.busy) return;
    form.dataset.busy = "yes";
    form.querySelector(".refusal").hidden = true;
    try {
      await asking(() => act(event));
    } catch (error) {
      complain(form, error.message);
    } finally {
      delete form.dataset.busy;
    }
  });
}

async function enter() {
  adoptTable();
  startPages();
  const watched = host.watch(), late = new Promise((resolve) => setTimeout(resolve, 500));
  try {
    await startWorker();
    const found = await call("look");
    await Promise.race([watched, late]);
    if (found.home === "none") await host.begin();
    else await host.reopen(found);
  } catch (error) {
    if (!isOver) failedDoor(error);
  }
}

function failedDoor(error) {
  shut("This home cannot be opened", error.message, button(`load the ${host.place.page} again`, () => location.reload()));
}

// Copy a text; `refused` is called where nothing may be copied by itself.
async function copyText(text, done, refused) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    refused();
    return;
  }
  done();
}

// Somebody who has no home here makes one, or brings it. `joined` are a title, the words of the button and the way back
// where they take a seat by that, or come from the first page.
function newDoor(joined = null) {
  const page = atDoor("new");
  if (joined) page.querySelector("h1").textContent = document.title = joined.title;
  wireMake(page, joined, inside);
  wireBring(page);
}

// The form in which a home is made: `made` gets it once it is kept. `joined` as above.
function wireMake(page, joined, made) {
  const words = page.querySelector("#passphrase"), copies = page.querySelector("#copy-six"), none = page.querySelector("#none");
  const make = page.querySelector("#make"), written = page.querySelector("#written"), ready = {};
  const offer = () => {
    words.value = ready.six = sixWords();
    copies.textContent = "copy";
  };
  words.type = "text"; // to be read; a password again once it is taken, so that a device may keep it
  offer();
  page.querySelector("#other-six").addEventListener("click", offer);
  copies.addEventListener("click", () => copyText(words.value, () => (copies.textContent = "copied"), () => {
    words.select();
    copies.textContent = "not allowed: the words are marked";
  }));
  none.addEventListener("change", () => (page.querySelector("#asks-six").hidden = none.checked));
  if (joined) {
    page.querySelector("#begin").textContent = joined.act;
    page.querySelector("#back").hidden = false;
    page.querySelector("#back").addEventListener("click", joined.back);
  }
  const begin = async () => {
    await freshOnce();
    const mail = page.querySelector("#mail").value, mail_before = ready.mail;
    ready.mail = mail;
    await askFacts("/web/introduce", { name: page.querySelector("#name").value, mail, ...(mail_before && { mail_before }) });
    await made(await kept(none.checked ? null : words.value));
  };
  const show = (form) => {
    [make.hidden, written.hidden] = [form !== make, form !== written];
    words.type = form === make ? "text" : "password";
    form.querySelector("input").focus();
  };
  does(make, async () => {
    if (!none.checked && !words.value.trim()) throw new Error("The passphrase is empty: write one, or take six words.");
    if (none.checked || words.value !== ready.six) {
      await begin();
      return;
    }
    ready.which = randomBelow(WORDS);
    page.querySelector("#which").textContent = ORDINALS[ready.which];
    page.querySelector("#one-word").value = "";
    show(written);
  });
  does(written, async ({ submitter }) => {
    const said = page.querySelector("#one-word").value.toLowerCase().replace(NO_LETTERS, "");
    if (submitter?.id !== "not-now" && said !== ready.six.split(" ")[ready.which]) throw new Error(`This is not the ${ORDINALS[ready.which]} word.`);
    try {
      await begin();
    } catch (error) {
      show(make); // name and address are written there
      complain(make, error.message);
    }
  });
  page.querySelector("#again-six").addEventListener("click", () => show(make));
}

// The form in which a home is brought by somebody who has none here; what they played before that is not kept.
function wireBring(page) {
  const unkept = visit?.isUnkept || hasBegun ? "yes" : "";
  does(page.querySelector("#bring"), async () => {
    const fields = await packFields(page);
    await freshOnce();
    const { words: opening, restored } = await openPack({ ...fields, unkept });
    await inside(await kept(opening, restored));
  });
}

// Before the first signature: who plays here is asked, and the home is kept. Raises a `Refused` for whoever thinks better of it.
function askWhoPlays() {
  document.body.append(templateOf("door-who"));
  const box = document.getElementById("who"), nothing = () => new Refused({ kind: "refused", words: "Nothing was signed." });
  return new Promise((resolve, reject) => {
    box.addEventListener("close", () => {
      box.remove();
      if (box.returnValue === "kept") resolve();
      else reject(nothing());
    });
    wireMake(box, { act: "Sign", back: () => box.close() }, (opened) => {
      visit = null;
      document.body.classList.remove("at-door");
      isOpen(opened);
      box.close("kept");
    });
    box.querySelector("#back").textContent = "not now";
    box.showModal();
  });
}

async function packFields(page) {
  const [chosen] = page.querySelector("#pack").files, file = chosen ? await packText(chosen) : page.querySelector("#pack-text").value;
  if (!file.trim()) throw new Error("Choose the file, or paste its text.");
  return { passphrase: page.querySelector("#pack-words").value, file };
}

// Open a pack in place of the home that is here; the passphrase that opened it, and of which day it is.
async function openPack({ file, passphrase, unkept = "" }) {
  let facts = null;
  const words = await withPassphrase(passphrase, async (one) => (facts = await askFacts("/web/open", { file, passphrase: one, unkept })), () => true);
  return { words, restored: facts.restored };
}

const PACK = /^pbem (?:home|backup) \d/, ARMORED = "-----BEGIN PBEM", BINARY = /[\0-\x08\x0e-\x1a\x1c-\x1f]/, FIRST = 512; // bytes
const NO_PACK = "This is no packed home: choose the file that was made for the move or as a backup.";

// A pack as text: armored already, or its bytes in base64. What begins neither as a pack nor as a text is not read at all.
async function packText(file) {
  const first = new TextDecoder("latin1").decode(await file.slice(0, FIRST).arrayBuffer());
  if (PACK.test(first)) {
    const read = await new Promise((resolve, reject) => {
      const reader = Object.assign(new FileReader(), { onload: () => resolve(reader.result), onerror: () => reject(reader.error) });
      reader.readAsDataURL(file);
    });
    return read.slice(read.indexOf(",") + 1);
  }
  const text = BINARY.test(first) ? "" : await file.text();
  if (!text.includes(ARMORED)) throw new Error(NO_PACK);
  return text;
}

let freshFacts = null;
const freshOnce = async () => (freshFacts ??= await call("fresh"));

// What was made or brought is kept from now on: the home that is open then. `restored` is the day of the backup that was brought,
// which is one still.
async function kept(passphrase, restored = "") {
  const made = await call("make", { passphrase });
  keptWords = passphrase ?? "";
  const { signed } = made, before = restored ? await call("kept", { date: restored, signed }) : { date: "", signed: 0 };
  return { facts: await startFacts(), signed, kept: before };
}

function unlockDoor(found, title = "") {
  const page = atDoor("unlock"), isLocked = found.home === "locked";
  if (title) page.querySelector("h1").textContent = document.title = title;
  page.querySelector("#asks-words").hidden = !isLocked;
  page.querySelector("#held").hidden = !found.held;
  if (found.since) page.querySelector("#since").textContent = ` since ${new Date(found.since).toLocaleString()}`;
  if (found.held) page.querySelector("#open").textContent = "Take them over";
  if (isLocked) page.querySelector("#words").focus();
  does(page.querySelector("#unlock"), async () => {
    try {
      await openHome(isLocked ? page.querySelector("#words").value : null, found.held);
    } catch (error) {
      if (error.kind === "held") unlockDoor({ ...(await call("look")), held: true });
      throw error;
    }
  });
}

async function openHome(passphrase, takeOver) {
  let opened = null;
  const open = async (words) => (opened = await call("open", { passphrase: words, takeOver, page: BASE.href }));
  keptWords = (await withPassphrase(passphrase, open, (error) => error.kind === "passphrase")) ?? "";
  if (opened.facts.error) throw new Error(opened.facts.error);
  await inside(opened);
}

const startFacts = () => askFacts("/web/start", { page: BASE.href });

function isOpen({ facts, kept: backup, signed }) {
  keptState = backup;
  signedCount(signed);
  noteHome(facts);
}

// The home is open: the games are shown, unless there is something to be said first.
async function inside(opened) {
  isOpen(opened);
  if (stopped !== null) stoppedDoor(stopped);
  else await host.arrive();
}

const sentence = (words) => `${words[0].toUpperCase()}${words.slice(1)}`;

// A home that signs nothing: put back from a backup, moved away, or of which neither is known.
function stoppedDoor({ kind, warning }) {
  const page = atDoor("stopped");
  page.querySelector("#why").textContent = `${sentence(warning)}.`;
  page.querySelector("#of-backup").hidden = kind === "moved";
  page.querySelector("#of-move").hidden = kind !== "moved";
  page.querySelector("details").hidden = kind === "damaged";
  page.querySelector("#only-look").addEventListener("click", () => host.arrive());
  does(page.querySelector("#confirm"), async () => {
    noteHome(await askFacts("/web/keep", { nowhere_else: "yes" }));
    await host.arrive();
  });
  does(page.querySelector("#bring"), async () => {
    await openPack(await packFields(page));
    await inside({ facts: await startFacts(), kept: keptState, signed: signedNow });
  });
}
