// A signed turn goes out: shared, downloaded, copied or by a mail program, what suits this device first.
"use strict";

const isHandheld = matchMedia("(pointer: coarse)").matches;

// Where a page says that a turn is to be sent, the ways to do so.
async function offerToSend() {
  const place = main().querySelector("[data-send]:not([data-filled])");
  if (place === null) return;
  place.dataset.filled = "";
  try {
    const facts = await askFacts("/web/out", { game: place.dataset.send, page: BASE.href });
    if (facts.file && place.isConnected) place.append(sendingBox(facts));
  } catch (error) {
    place.append(Object.assign(document.createElement("p"), { className: "refusal", textContent: error.message }));
  }
}

function sendingBox(facts) {
  const box = Object.assign(document.createElement("div"), { className: "sending" }), row = Object.assign(document.createElement("p"), { className: "row" });
  const told = Object.assign(document.createElement("p"), { className: "small" });
  told.setAttribute("role", "status");
  const shared = new File([facts.turn], `${facts.file}.txt`, { type: "text/plain" });
  const copy = (text, words) => navigator.clipboard.writeText(text).then(() => (told.textContent = words), () => showText(box, text));
  const ways = [];
  if (navigator.canShare?.({ files: [shared] })) ways.push([isHandheld ? 0 : 3, "share", () => navigator.share({ files: [shared], title: facts.subject }).then(() => (told.textContent = "Shared."), () => {})]);
  ways.push([isHandheld ? 1 : 0, "write a mail", () => {
    copy(facts.armored, "The text of the turn is copied: paste it into the mail.");
    location.href = `mailto:${facts.to.map(encodeURIComponent).join(",")}?subject=${encodeURIComponent(facts.subject)}`;
  }]);
  ways.push([2, "copy as text", () => copy(facts.armored, "Copied: paste it into a mail or a message.")]);
  ways.push([isHandheld ? 4 : 1, "save the file", () => saveFile(new File([facts.turn], facts.file))]);
  if (facts.mail) ways.push([isHandheld ? 5 : 2, "save the mail", () => saveFile(new File([facts.mail], facts.file.replace(/\.toml$/, ".eml"), { type: "message/rfc822" }))]);
  if (facts.link) ways.push([3, "copy a link", () => copy(facts.link, "Copied: whoever opens the link has the turn there.")]);
  ways.sort(([one], [other]) => one - other);
  row.append(...ways.map(([, words, act], at) => button(words, act, at ? "" : "main")));
  box.append(Object.assign(document.createElement("h3"), { textContent: "Send this turn" }), row, told);
  return box;
}

// Where nothing may be copied by itself, the text stands there.
function showText(box, text) {
  const field = Object.assign(document.createElement("textarea"), { value: text, readOnly: true, rows: 5 });
  field.setAttribute("aria-label", "The turn as text");
  box.append(field);
  field.select();
}
