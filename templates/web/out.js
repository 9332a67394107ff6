// A signed turn goes out: shared, downloaded, copied or by a mail program, what suits this device first.
"use strict";

const isHandheld = matchMedia("(pointer: coarse)").matches;

// Hand something to the device's own ways of sharing; `told` says what goes wrong there, and nothing where the player
// thinks better of it.
function share(what, told, done) {
  const failed = (error) => error.name !== "AbortError" && (told.textContent = "This device would not share it: take another way.");
  return navigator.share(what).then(done, failed);
}

function saveFile(file) {
  const made = Object.assign(document.createElement("a"), { href: URL.createObjectURL(file), download: file.name });
  made.click();
  setTimeout(() => URL.revokeObjectURL(made.href), 60_000);
}

// Where a page says that a turn is to be sent, the ways to do so.
async function offerToSend() {
  const place = main().querySelector("[data-send]:not([data-filled])");
  if (place === null) return;
  place.dataset.filled = "";
  try {
    const facts = await askFacts("/web/out", { game: place.dataset.send });
    const going = await Promise.all((facts.files ?? []).map(goingWith));
    if (facts.file && place.isConnected) place.append(sendingBox(facts, going.filter(Boolean)));
  } catch (error) {
    place.append(Object.assign(document.createElement("p"), { className: "refusal", textContent: error.message }));
  }
}

// A file that goes with the turn; nothing where it is not here as it was signed.
async function goingWith({ name, address }) {
  const answer = await ask(address);
  return answer.status === 200 ? new File([await answer.blob()], name) : null;
}

const LONGEST_MAIL = 2040; // characters of an address that every system hands to its mail program whole
const LOOK_AT_IT = "Open this link in a browser. It shows the game, and asks for nothing before you take the seat:";
const LOOK_AT_TURN = "Open this link in your browser, or give it to pbem inbox. My turn is in it:";

// What opens a mail to those who are to have the turn, with these words in it.
function mailAddress({ to, subject }, words = "") {
  const body = words && `&body=${encodeURIComponent(words)}`;
  return `mailto:${to.map(encodeURIComponent).join(",")}?subject=${encodeURIComponent(subject)}${body}`;
}

function sendingBox(facts, going) {
  const box = Object.assign(document.createElement("div"), { className: "sending" }), told = Object.assign(document.createElement("p"), { className: "small" });
  told.setAttribute("role", "status");
  const shared = new File([facts.turn], `${facts.file}.txt`, { type: "text/plain" });
  const copy = (text, words) => copyText(text, () => (told.textContent = words), () => {
    told.textContent = "This browser copies nothing by itself: the text stands here, marked.";
    showText(box, text);
  });
  const save = (file, words) => {
    saveFile(file);
    told.textContent = words;
  };
  const ways = []; // how soon it stands there, its words, what is to be done with it, and the act
  const handed = [[shared, ...going], [shared]].find((files) => navigator.canShare?.({ files })); // a browser may not share files of every kind
  if (handed) ways.push([isHandheld ? 0 : 3, "share", "Choose a mail program or a messenger, and send it there.", () => share({ files: handed, title: facts.subject }, told, () => (told.textContent = "Shared."))]);
  const isInvitation = facts.link.includes("#join="), words = isInvitation ? LOOK_AT_IT : LOOK_AT_TURN;
  const letter = facts.link && [`${words}\r\n\r\n${facts.link}\r\n`, facts.link].map((text) => mailAddress(facts, text)).find((one) => one.length <= LONGEST_MAIL);
  if (letter) {
    ways.push([isHandheld ? 1 : 0, "write a mail", "It opens with the link in it: send it.", () => {
      told.textContent = "Send the mail that opens. If none does, take another way.";
      location.href = letter;
    }]);
  } else {
    // What is too long for an address is pasted. An invitation goes as a link: whoever has nothing yet could do nothing with its text.
    const [what, text] = isInvitation ? ["link", facts.link] : ["turn as text", facts.armored];
    ways.push([isHandheld ? 1 : 0, "write a mail", `Copies the ${what}, and opens a mail to paste it into.`, () => {
      copy(text, "Copied: paste it into the mail.");
      location.href = mailAddress(facts);
    }]);
  }
  ways.push([3, "copy as text", "Paste it into a mail or a message.", () => copy(facts.armored, "Copied.")]);
  if (facts.link) ways.push([2, "copy a link", "Paste it into a message: whoever opens it has the turn.", () => copy(facts.link, "Copied.")]);
  ways.push([4, "save the file", "Attach it to a mail.", () => save(new File([facts.turn], facts.file), "Saved with what you download.")]);
  if (facts.mail) ways.push([5, "save the mail", "Open it with a mail program on a computer, and send it.", () => save(new File([facts.mail], facts.file.replace(/\.toml$/, ".eml"), { type: "message/rfc822" }), "Saved with what you download.")]);
  ways.sort(([one], [other]) => one - other);
  const [first, ...others] = ways.map(([, words, then, act], at) => {
    const line = Object.assign(document.createElement("p"), { className: "row" });
    line.append(button(words, act, at ? "" : "main"), Object.assign(document.createElement("span"), { className: "small", textContent: then }));
    return line;
  });
  const more = Object.assign(document.createElement("details"), { className: "more ways" }), among = Object.assign(document.createElement("div"), { className: "box" });
  among.append(...others);
  more.append(Object.assign(document.createElement("summary"), { textContent: "Other ways" }), among);
  box.append(first, more, told);
  if (going.length) box.append(besideTurn(going, save));
  return box;
}

// What is in no link and no text, and has to be attached to the mail or the message.
function besideTurn(going, save) {
  const line = Object.assign(document.createElement("p"), { className: "small" });
  line.append("Goes with the turn, and is in no link and no text; attach it as well, or save the mail, which has it: ");
  for (const file of going) line.append(button(`save ${file.name}`, () => save(file, "Saved with what you download.")), " ");
  return line;
}

// Where nothing may be copied by itself, the text stands there: among the other ways, where it was asked for there.
function showText(box, text) {
  box.querySelector("textarea")?.remove();
  const field = Object.assign(document.createElement("textarea"), { value: text, readOnly: true, rows: 5 });
  field.setAttribute("aria-label", "The turn as text");
  (box.querySelector("details[open] > .box") ?? box).append(field);
  field.focus();
  field.select();
}
